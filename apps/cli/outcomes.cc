#include "slipstick/outcomes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "describe_outcomes.h"
#include "motion_options.h"
#include "options.h"
#include "progress.h"
#include "slipstick/core/parse_word.h"
#include "slipstick/errors.h"
#include "slipstick/families.h"
#include "slipstick/io/ask.h"
#include "slipstick/io/hdf5/hdf5_checksum.h"
#include "slipstick/io/outcome_journal.h"
#include "slipstick/io/ranges.h"
#include "slipstick/io/refusal.h"
#include "slipstick/version.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

/// The options of the question itself; all others are those of the verb that is asked.
constexpr std::array<std::string_view, 17> kOwnOptions{
    "--over",   "--of",     "--key",       "--first", "--end",     "--sequence",
    "--levels", "--points", "--uncertain", "--draws", "--margin",  "--resume",
    "--json",   "--out",    "--report",    "--open",  "--no-check"};

/// Options that only a motion has.
constexpr std::array<std::string_view, 10> kMotionOptions{
    "--until",           "--max-events",       "--tol",    "--law",
    "--on-inconsistent", "--on-indeterminate", "--on-jam", "--on-impact",
    "--no-check",        "--max-time"};

/// Options of the label of a motion.
constexpr std::array<std::string_view, 3> kLabelOptions{"--first", "--end", "--sequence"};

struct OutcomesOptions {
  ModelOptions model;
  OutputOptions output;
  MotionOptions motion;
  std::vector<std::string> over, uncertain, margins;
  std::string of = "simulate", key, first, levels;
  bool by_end = false, points = false, resume = false;
  int sequence = 1, draws = 1024;
  const CLI::App* verb = nullptr;  ///< with what was given
};

bool is_given(const OutcomesOptions& options, std::string_view name) {
  return options.verb->get_option(std::string(name))->count() > 0;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t start = 0;;) {
    const auto comma = text.find(',', start);
    out.push_back(text.substr(start, comma - start));
    if (comma == std::string::npos) return out;
    start = comma + 1;
  }
}

// --- what is asked ---

/// True if an option of motions changes what is asked.
bool has_effect(const OutcomesOptions& options, std::string_view name) {
  if (options.of == "simulate") return name != "--no-check" || options.key.empty();
  if (options.of == "gait") return name == "--until";
  if (options.of == "jam") return name == "--until" || name == "--tol";
  return options.of == "impact" && name == "--law";
}

/// Options that would have no effect are refused.
void check_combination(const OutcomesOptions& options) {
  const bool has_label = options.of == "simulate" && options.key.empty();
  for (const std::string_view name : kLabelOptions) {
    if (has_label || !is_given(options, name)) continue;
    throw InputError(std::string(name),
                     "expected with --of simulate and without --key, got another question");
  }
  for (const std::string_view name : kMotionOptions) {
    if (has_effect(options, name) || !is_given(options, name)) continue;
    throw InputError(std::string(name), "expected with a question that it changes, got --of " +
                                            options.of +
                                            (options.key.empty() ? "" : " with --key"));
  }
  if (options.by_end && (is_given(options, "--first") || is_given(options, "--sequence"))) {
    throw InputError("--end", "expected alone, got --first or --sequence with it");
  }
  if (is_given(options, "--draws") && options.uncertain.empty()) {
    throw InputError("--draws", "expected with --uncertain, got none");
  }
  for (const char* name : {"--levels", "--points"}) {
    if (options.uncertain.empty() || !is_given(options, name)) continue;
    throw InputError(name, "expected without --uncertain, which has no borders, got both");
  }
  if (is_given(options, "--levels") && options.of != "critical-friction" && options.key.empty()) {
    throw InputError("--levels", "expected with a --key whose value is a number, got none");
  }
}

Ask read_ask(const OutcomesOptions& options, const LoadedModel& loaded) {
  check_combination(options);
  Ask out{options.of, options.key, {}, make_simulation_options(options.motion, loaded)};
  if (options.of != "simulate" && out.options.condition) {
    throw InputError("--until", "expected a time with --of " + options.of + ", got a condition");
  }
  out.make_options = [motion = options.motion](const LoadedModel& other) {
    return make_simulation_options(motion, other);
  };
  if (options.key.empty() && is_branching(out.options)) {
    throw InputError("--on-... branch", "expected one choice at each event, or --key, got branch");
  }
  check_limit("--sequence", options.sequence);
  if (!options.first.empty()) {
    for (const std::string& word : split_at_commas(options.first)) {
      out.run.types.push_back(parse_word<EventType>("--first", word, kEventTypes));
    }
  }
  out.run.by_end = options.by_end;
  out.run.events = options.sequence;
  out.run.checks = !options.motion.unchecked;
  return check_ask(std::move(out), loaded);
}

void check_new(const std::string& option, const std::string& name,
               const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end()) return;
  throw InputError(option, "expected every name once, got '" + name + "' twice");
}

/// Refuses more work than a machine does in a week.
void check_size(const OutcomesAnswer& answer, int draws) {
  double cells = 1.0;
  for (const OutcomeAxis& axis : answer.axes) cells *= axis.count;
  constexpr double kMostCells = 1e7;  // 400 MB of outcomes
  if (cells > kMostCells) {
    throw InputError("--over", fmt::format("expected at most 10 million points, got {:g}", cells));
  }
  constexpr double kMostDraws = 1e9;
  if (!answer.uncertain.empty() && cells * draws > kMostDraws) {
    throw InputError("--draws", fmt::format("expected at most 1e9 draws in all, got {} for each of "
                                            "{:g} points",
                                            draws, cells));
  }
}

std::vector<double> read_levels(const OutcomesOptions& options, const LoadedModel& loaded) {
  if (options.levels.empty()) return {};
  std::vector<double> out;
  for (const std::string& text : split_at_commas(options.levels)) {
    out.push_back(eval_in_model(loaded, "--levels " + text, text));
  }
  for (std::size_t i = 1; i < out.size(); ++i) {
    if (out[i] > out[i - 1]) continue;
    throw InputError("--levels",
                     fmt::format("expected rising values, got {} before {}", out[i - 1], out[i]));
  }
  return out;
}

/// The names of the values that vary: those of the axes, then the uncertain ones.
std::vector<std::string> list_names(const OutcomesAnswer& answer) {
  std::vector<std::string> out;
  for (const OutcomeAxis& axis : answer.axes) out.push_back(axis.name);
  for (const UncertainName& name : answer.uncertain) out.push_back(name.name);
  return out;
}

/// The answer as far as the question says it.
OutcomesAnswer read_question(const OutcomesOptions& options, const LoadedModel& loaded,
                             const Ask& ask) {
  OutcomesAnswer out;
  out.verb = ask.verb;
  out.key = ask.key;
  out.axes = parse_outcome_axes(loaded, "--over", options.over);
  for (const std::string& text : options.uncertain) {
    UncertainName name = parse_uncertain(loaded, "--uncertain", text);
    check_new("--uncertain " + text, name.name, list_names(out));
    out.uncertain.push_back(std::move(name));
  }
  check_limit("--draws", options.draws);
  check_size(out, options.draws);
  out.call = "slipstick " + ask.verb + list_arguments(*options.verb, kOwnOptions);
  for (const std::string& name : list_names(out)) out.call += " --set " + name + "={" + name + "}";
  return out;
}

/// A range around the present value in which a margin is looked for: a fixed part of the value, so
/// that units do not matter.
OutcomeMargin read_margin(const LoadedModel& loaded, const std::string& text) {
  OutcomeMargin out;
  const bool has_range = text.find('=') != std::string::npos;
  if (has_range) {
    const OutcomeAxis axis = parse_outcome_axis(loaded, "--margin", text, 2);
    out.name = axis.name;
    out.searched = axis.range;
  } else {
    out.name = parse_outcome_axis(loaded, "--margin", text + "=0:1", 2).name;
  }
  for (const auto* settings : {&loaded.parameters, &loaded.initial_values}) {
    for (const Setting& setting : *settings) {
      if (setting.name == out.name) out.value = setting.value;
    }
  }
  if (has_range) {
    if (out.searched.low <= out.value && out.value <= out.searched.high) return out;
    throw InputError("--margin " + text,
                     fmt::format("expected a range around the value {:.10g}, "
                                 "got {:.10g} to {:.10g}",
                                 out.value, out.searched.low, out.searched.high));
  }
  if (out.value == 0.0) {
    throw InputError("--margin " + text, "expected NAME=A:B for a value of 0, got no range");
  }
  out.searched = {std::min(0.0, 2.0 * out.value), std::max(0.0, 2.0 * out.value)};
  return out;
}

/// What must be the same for an interrupted job to go on.
Json make_journal_question(const OutcomesOptions& options, const LoadedModel& loaded,
                           const OutcomesAnswer& answer) {
  return {{"version", kVersion},
          {"model", loaded.source.file},
          {"text", eval_hdf5_checksum(loaded.source.text)},
          {"call", answer.call},
          {"key", answer.key},
          {"over", options.over},
          {"uncertain", options.uncertain},
          {"draws", options.draws},
          {"first", options.first},
          {"end", options.by_end},
          {"sequence", options.sequence},
          {"check", !options.motion.unchecked}};
}

// --- the work ---

/// Tells how far the work is.
class WorkPace {
 public:
  explicit WorkPace(double points) : points_(points), start_(std::chrono::steady_clock::now()) {}

  [[nodiscard]] std::string describe(long done) const {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    const double rate = static_cast<double>(done) / std::max(spent.count(), 1e-3);  // [1/s]
    std::string out = fmt::format("{} evaluations, {:.3g} per second", done, rate);
    const double left = points_ - static_cast<double>(done);
    return out + (left > 0.0 ? fmt::format(", {:.0f} s for the points left   ", left / rate)
                             : std::string(", at the borders   "));
  }

 private:
  double points_;
  std::chrono::steady_clock::time_point start_;
};

struct Work {
  std::function<Outcome(std::span<const double>)> find;
  std::function<bool(long)> keep_going;
};

std::size_t count_points(const OutcomesAnswer& answer) {
  std::size_t out = 1;
  for (const OutcomeAxis& axis : answer.axes) out *= static_cast<std::size_t>(axis.count);
  return out;
}

/// The shares at every point; false if the work was stopped.
bool find_all_shares(const Work& work, int draws, OutcomesAnswer& answer) {
  UncertainQuestion question;
  question.draws = draws;
  for (const UncertainName& name : answer.uncertain) question.values.push_back(name.distribution);
  long before = 0;
  question.keep_going = [&](long done) { return work.keep_going(before + done); };
  for (std::size_t i = 0; i < count_points(answer); ++i) {
    const std::vector<double> at = list_values_at(answer.axes, i);
    question.find = [&](std::span<const double> drawn) {
      std::vector<double> values = at;
      values.insert(values.end(), drawn.begin(), drawn.end());
      return work.find(values);
    };
    answer.shares.push_back(find_shares(question));
    if (!answer.shares.back().complete) return false;
    before += answer.shares.back().draws;
  }
  return true;
}

/// False if the work was stopped.
bool find_answer(const OutcomesOptions& options, const LoadedModel& loaded, const Ask& ask,
                 const Work& work, OutcomesAnswer& answer) {
  if (answer.uncertain.empty()) {
    answer.map = find_outcomes(
        {answer.axes, work.find, !options.points, read_levels(options, loaded), work.keep_going});
    if (!answer.map.complete) return false;
  } else if (!find_all_shares(work, options.draws, answer)) {
    return false;
  }
  for (const std::string& text : options.margins) {
    const OutcomeMargin margin = read_margin(loaded, text);
    const auto find = make_asker(ask, loaded, {margin.name});
    answer.margins.push_back(find_outcome_margin(
        margin.name, margin.value, margin.searched,
        [&](double value) { return find(std::span(&value, 1)); }, read_levels(options, loaded)));
  }
  return true;
}

/// True if no point at all could be asked: then the question is wrong.
bool is_refused(const OutcomesAnswer& answer) {
  return answer.map.labels.size() == 1 && answer.map.labels[0] == kRefusedLabel;
}

/// The mechanism at every point, for a page that shows the one that is read. Parameters change what
/// is drawn, so only points of coordinates and rates have pictures of their own.
PageSource make_poses(const LoadedModel& loaded, const OutcomesAnswer& answer) {
  const auto is_initial = [&](const OutcomeAxis& axis) {
    return std::any_of(loaded.initial_values.begin(), loaded.initial_values.end(),
                       [&](const Setting& setting) { return setting.name == axis.name; });
  };
  constexpr std::size_t kMostPictures = 10000;  // 1 MB of the page
  const std::size_t points = count_points(answer);
  if (answer.axes.empty() || answer.axes.size() > 2 || points > kMostPictures ||
      !answer.uncertain.empty() ||
      !std::all_of(answer.axes.begin(), answer.axes.end(), is_initial)) {
    return make_still(loaded, loaded.initial);
  }
  return make_stills(loaded, [&loaded, &answer, points] {
    std::vector<State> out;
    for (std::size_t i = 0; i < points; ++i) {
      try {
        out.push_back(
            make_with_parameters(loaded, list_names(answer), list_values_at(answer.axes, i))
                .initial);
      } catch (const InputError&) {
        out.push_back(loaded.initial);  // the point's outcome says that it is refused
      }
    }
    return out;
  });
}

int run_outcomes(const OutcomesOptions& options) {
  const LoadedModel loaded = read_model(options.model);
  const Ask ask = read_ask(options, loaded);
  OutcomesAnswer answer = read_question(options, loaded, ask);
  static_cast<void>(read_levels(options, loaded));
  for (const std::string& text : options.margins) static_cast<void>(read_margin(loaded, text));
  const std::string directory = loaded.model->name + "-outcomes";
  std::optional<OutcomeJournal> journal;
  Work work{make_asker(ask, loaded, list_names(answer)), {}};
  if (writes_files(options.output)) {
    journal.emplace(find_directory(options.output, directory) + ".journal",
                    make_journal_question(options, loaded, answer), options.resume);
    work.find = journal->keep(std::move(work.find));
  } else if (options.resume) {
    throw InputError("--resume", "expected with files, got --json without --out");
  }
  bool is_whole = false;
  {
    const Interruption interruption;
    Progress progress;
    const WorkPace pace(static_cast<double>(count_points(answer)) *
                        (answer.uncertain.empty() ? 1.0 : options.draws));
    work.keep_going = [&](long done) {
      progress.tell([&] { return pace.describe(done); });
      return !interruption.came();
    };
    is_whole = find_answer(options, loaded, ask, work, answer);
    if (!is_whole || interruption.came()) {
      if (journal) {
        journal->flush();
        fmt::print(stderr, "slipstick: interrupted; --resume goes on\n");
      }
      return interruption.exit_code();
    }
  }
  if (is_refused(answer)) {
    if (journal) journal->remove();
    throw InputError(answer.axes.empty() ? "outcomes" : "--over",
                     "expected values that the question takes, got none: " + answer.map.whys[0]);
  }
  constexpr std::size_t kMostInFile = 250000;  // points; of more, the JSON file has none
  const bool is_fine = count_points(answer) > kMostInFile;
  Result result{directory, "outcomes.json", make_outcomes_json(loaded, answer, false),
                describe_outcomes(loaded, answer), make_poses(loaded, answer)};
  result.in_one_line = true;
  if (is_fine) result.summary = make_outcomes_json(loaded, answer, true);
  if (writes_files(options.output)) {
    result.files = {
        {"outcomes.csv", "", [&](const ByteSink& sink) { write_outcomes_csv(answer, sink); }},
        {"outcomes.h5", "",
         [&](const ByteSink& sink) { write_outcomes_hdf5(loaded, answer, sink); }}};
  }
  print_result(options.output, std::move(result));
  if (journal) journal->remove();
  const auto& labels = answer.map.labels;
  return labels.size() == 1 && labels[0] == kFailureLabel ? kNumerics : kAnswered;
}

}  // namespace

void add_outcomes_verb(CLI::App& app, Action& run) {
  auto options = std::make_shared<OutcomesOptions>();
  CLI::App* verb = app.add_subcommand(
      "outcomes", "what happens over parameters and initial values, with every border located");
  options->verb = verb;
  add_model_options(*verb, options->model);
  verb->add_option("--over", options->over,
                   "NAME=A:B[:N[:log]]: a parameter, coordinate or rate; once: thresholds, twice: "
                   "a map, more: a list of cases")
      ->allow_extra_args(false)
      ->type_name("NAME=A:B:N");
  verb->add_option("--of", options->of,
                   "what is asked: simulate (default), classify, stability, gait, jam, or another "
                   "verb with --key")
      ->type_name("VERB");
  verb->add_option("--key", options->key,
                   "a value of that verb's JSON document, as a pointer such as /end/reason")
      ->type_name("POINTER");
  verb->add_option("--first", options->first,
                   "look only for these events: jam,liftoff,... (default: any event)")
      ->type_name("TYPES");
  verb->add_flag("--end", options->by_end, "take how the run ended, not its first event");
  verb->add_option("--sequence", options->sequence, "take the first N events (default 1)")
      ->type_name("N");
  verb->add_option("--levels", options->levels,
                   "of a number: A,B,... whose contours are located like borders")
      ->type_name("A,B,...");
  verb->add_flag("--points", options->points, "the points alone, without borders");
  verb->add_option("--uncertain", options->uncertain,
                   "NAME=A:B, or NAME= and normal(MEAN, DEVIATION), uniform(A, B), "
                   "triangular(A, MODE, B) or truncated(MEAN, DEVIATION, A, B); repeatable")
      ->allow_extra_args(false)
      ->type_name("NAME=...");
  verb->add_option("--draws", options->draws, "draws of uncertain values per point (default 1024)")
      ->type_name("N");
  verb->add_option("--margin", options->margins,
                   "NAME or NAME=A:B: how far a value may move before the outcome changes; "
                   "repeatable")
      ->allow_extra_args(false)
      ->type_name("NAME");
  verb->add_flag("--resume", options->resume, "go on with an interrupted job");
  add_motion_options(*verb, options->motion);
  add_output_options(*verb, options->output);
  verb->footer(
      "Examples:\n  slipstick outcomes rimless-wheel --set theta=-0.3 --set theta_dot=0.643 "
      "--over x_dot=0.1:1 --until 0.5\n"
      "  slipstick outcomes painleve-bar --over theta=0.6:1.5:21 --over theta_dot=-1:2:21 --of "
      "classify\n"
      "  slipstick outcomes compass-biped --over Ic=0:0.5:11 --of critical-friction --key /mu_min");
  verb->callback([options, &run] { run = [options] { return run_outcomes(*options); }; });
}

}  // namespace slipstick::cli
