#include "slipstick/jam.h"

#include <memory>

#include "jam_text.h"
#include "motion_options.h"
#include "options.h"
#include "slipstick/io/json/jam_json.h"
#include "slipstick/io/ranges.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

struct JamOptions {
  ModelOptions model;
  OutputOptions output;
  MotionOptions motion;
  std::vector<std::string> over;
};

int run_jam(const JamOptions& options) {
  const LoadedModel loaded = read_model(options.model);
  const Model& model = *loaded.model;
  const std::vector<CoordinateRange> over = parse_coordinate_ranges(loaded, "--over", options.over);
  const JamQuestion question{make_simulation_options(options.motion, loaded.initial.time),
                             replace_ranges(loaded.range, over)};
  const JamAnswer answer = find_jam_answer(model, loaded.initial, loaded.closings, question, over);
  print_result(options.output, {model.name + "-jam", "jam.json", make_jam_json(loaded, answer),
                                describe_jam(model, answer),
                                make_moving(loaded, loaded.initial, {&answer.motion.run})});
  return answer.motion.end().outcome == JamOutcome::kFailure ? kNumerics : kAnswered;
}

}  // namespace

void add_jam_verb(CLI::App& app, Action& run) {
  auto options = std::make_shared<JamOptions>();
  CLI::App* verb = app.add_subcommand(
      "jam", "how sliding ends, the smallest slip that jams, and where a jam is possible");
  add_model_options(*verb, options->model);
  verb->add_option("--until", options->motion.simulation.until, "end of the run [s] (default 10)")
      ->type_name("T");
  verb->add_option("--tol", options->motion.simulation.tolerance,
                   "relative local error of a step (default 1e-13)")
      ->type_name("TOL");
  verb->add_option("--over", options->over,
                   "COORD=A:B: instead of the model's own range of this coordinate; repeatable")
      ->allow_extra_args(false)
      ->type_name("C=A:B");
  add_output_options(*verb, options->output);
  verb->footer(
      "Example:\n  slipstick jam rimless-wheel --set theta=-0.3 --set theta_dot=0.643 "
      "--set x_dot=0.5");
  verb->callback([options, &run] { run = [options] { return run_jam(*options); }; });
}

}  // namespace slipstick::cli
