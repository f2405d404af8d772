#include "unit/io/fuzz_readers.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "slipstick/errors.h"
#include "slipstick/io/claims.h"
#include "slipstick/io/hdf5/hdf5_difference.h"
#include "slipstick/io/hdf5/result_file.h"
#include "slipstick/io/json/run_json.h"
#include "slipstick/io/page/scene_json.h"
#include "slipstick/io/ranges.h"

namespace slipstick::fuzz {
namespace {

const std::string kFile = "fuzz";

void check(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace

void read_result(const std::string& bytes) {
  const ResultFile result = parse_result_file(kFile, bytes);
  (void)print(make_result_json(result));
  check(!find_difference(kFile, bytes, bytes, ""), "a file differs from itself");
  const std::vector<MotionRows> rows = parse_motion_rows(kFile, bytes, result);
  (void)make_motion(*result.loaded.model, rows);
}

void read_claims(const std::string& text) {
  const Paper paper = parse_paper(kFile, text);
  CallAnswers answers;
  for (const std::string& run : list_runs(paper)) {
    answers[run].document = {{"a", 0.5}, {"b", {1, 2, 3}}, {"c", {{{"d", "x"}}, {{"d", 2}}}}};
  }
  (void)print(make_claims_json(std::vector<JudgedPaper>{judge(paper, answers)}));
  for (auto& [run, answer] : answers) answer.failure = "failed";
  (void)print(make_claims_json(std::vector<JudgedPaper>{judge(paper, answers)}));
}

void read_event(const std::string& text) {
  static const std::vector<LoadedModel> models{read_model("bouncing-ball", {}),
                                               read_model("two-contact-body", {})};
  const Json json = Json::parse(text, nullptr, false);
  for (const LoadedModel& loaded : models) {
    try {
      const Event event = parse_event(*loaded.model, kFile, json);
      const std::string line = print_line(make_event(*loaded.model, event));
      const Event again = parse_event(*loaded.model, kFile, Json::parse(line));
      check(print_line(make_event(*loaded.model, again)) == line, "an event that changes");
    } catch (const InputError&) {
      if (&loaded == &models.back()) throw;
    }
  }
}

void read_option_values(const std::string& text) {
  static const LoadedModel loaded = read_model("two-contact-body", {});
  std::istringstream lines(text);
  std::string refused;
  const auto read = [&](const auto& parse) {
    try {
      (void)parse();
    } catch (const InputError& error) {
      refused = error.what();
    }
  };
  std::vector<Override> settings;
  bool is_first = true;
  for (std::string line; std::getline(lines, line); is_first = false) {
    // Without a colon all five refuse in the same way, which takes most of the time.
    if (is_first || line.find(':') != std::string::npos) {
      read([&] { return parse_range(loaded, "--along", line); });
      read([&] { return parse_grid(loaded, "--slips", line); });
      for (const RangeForm form : {RangeForm::kRange, RangeForm::kGrid, RangeForm::kPath}) {
        read([&] { return parse_parameter_range(loaded, "--over", line, form); });
      }
    }
    const std::size_t equals = line.find('=');  // the program refuses settings without one
    if (equals != std::string::npos && equals != 0) {
      settings.push_back({line.substr(0, equals), line.substr(equals + 1)});
    }
  }
  // All at once, as on a command line: a model takes longer to read than all that is above.
  if (!settings.empty()) {
    read([&] { return read_model("two-contact-body", settings); });
  }
  if (!refused.empty()) throw InputError("", refused);
}

}  // namespace slipstick::fuzz
