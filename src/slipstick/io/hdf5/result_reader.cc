#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/check.h"
#include "slipstick/condition.h"
#include "slipstick/core/parse_word.h"
#include "slipstick/io/hdf5/hdf5.h"
#include "slipstick/io/hdf5/result_file.h"
#include "slipstick/io/json/run_json.h"
#include "slipstick/io/model/run_formulas.h"
#include "slipstick/io/text_file.h"
#include "slipstick/simulate.h"
#include "slipstick/why.h"

namespace slipstick {
namespace {

constexpr const char* kProgram = "slipstick";

constexpr const char* kRoot = "/";
constexpr const char* kModel = "/model";
constexpr const char* kModelText = "/model/text";
constexpr const char* kSettings = "/model/settings";
constexpr const char* kOptions = "/options";
constexpr const char* kRuns = "/runs";

/// Reads values of the types that the schema prescribes; throws InputError for others.
class Parts {
 public:
  Parts(const std::string& file, const std::string& bytes) : in_(file, bytes) {}

  [[nodiscard]] std::string where(const std::string& path, const char* name) const {
    return fmt::format("{}: {}: {}", in_.file(), path, name);
  }
  [[nodiscard]] bool has(const std::string& path, const char* name) const {
    return in_.has(path) && in_.has_attribute(path, name);
  }

  [[nodiscard]] bool has(const std::string& path) const { return in_.has(path); }

  [[nodiscard]] double number(const std::string& path, const char* name) const {
    const auto out = find_one<double>(where(path, name), in_.read_attribute(path, name));
    if (!std::isfinite(out)) {
      throw InputError(where(path, name), fmt::format("expected a finite number, got {}", out));
    }
    return out;
  }
  [[nodiscard]] std::int64_t integer(const std::string& path, const char* name) const {
    return find_one<std::int64_t>(where(path, name), in_.read_attribute(path, name));
  }
  [[nodiscard]] int limit(const std::string& path, const char* name) const {
    const std::int64_t out = integer(path, name);
    if (out >= 1 && out <= std::numeric_limits<int>::max()) return static_cast<int>(out);
    throw InputError(where(path, name), fmt::format("expected a number above 0, got {}", out));
  }
  [[nodiscard]] std::string text(const std::string& path, const char* name) const {
    return find_one<std::string>(where(path, name), in_.read_attribute(path, name));
  }
  template <class Enum, std::size_t count>
  [[nodiscard]] Enum word(const std::string& path, const char* name,
                          const Words<count>& words) const {
    return parse_word<Enum>(where(path, name), text(path, name), words);
  }
  [[nodiscard]] VecQ vector(const std::string& path, const char* name, int size) const {
    const Hdf5Array array = in_.read_attribute(path, name);
    const auto* values = std::get_if<std::vector<double>>(&array.values);
    if (values == nullptr || values->size() != static_cast<std::size_t>(size)) {
      throw InputError(where(path, name),
                       fmt::format("expected {} numbers, got another type or number", size));
    }
    return Eigen::Map<const Eigen::VectorXd>(values->data(), size);
  }

  [[nodiscard]] std::string text_dataset(const std::string& path) const {
    return find_one<std::string>(where_of(path), in_.read(path));
  }
  [[nodiscard]] std::vector<std::string> texts(const std::string& path) const {
    Hdf5Array array = in_.read(path);
    auto* values = std::get_if<std::vector<std::string>>(&array.values);
    if (values == nullptr) throw InputError(where_of(path), "expected texts, got numbers");
    return std::move(*values);
  }
  [[nodiscard]] std::vector<std::string> text_attributes(const std::string& path,
                                                         const char* name) const {
    Hdf5Array array = in_.read_attribute(path, name);
    auto* values = std::get_if<std::vector<std::string>>(&array.values);
    if (values == nullptr) throw InputError(where(path, name), "expected texts, got numbers");
    return std::move(*values);
  }
  template <class T>
  [[nodiscard]] std::vector<T> column(const std::string& path, std::size_t size) const {
    Hdf5Array array = in_.read(path);
    auto* values = std::get_if<std::vector<T>>(&array.values);
    if (values == nullptr || values->size() != size) {
      throw InputError(where_of(path),
                       fmt::format("expected {} numbers, got another type or number", size));
    }
    return std::move(*values);
  }
  [[nodiscard]] std::size_t length(const std::string& path) const {
    const std::vector<std::size_t> shape = in_.read_shape(path);
    if (shape.empty()) throw InputError(where_of(path), "expected a list, got one value");
    return shape.front();
  }
  [[nodiscard]] std::string where_of(const std::string& path) const {
    return in_.file() + ": " + path;
  }

 private:
  template <class T>
  static T find_one(const std::string& where, const Hdf5Array& array) {
    const auto* values = std::get_if<std::vector<T>>(&array.values);
    if (values != nullptr && values->size() == 1) return values->front();
    constexpr const char* kWhat = std::is_same_v<T, std::string> ? "a text"
                                  : std::is_same_v<T, double>    ? "a number"
                                                                 : "a whole number";
    throw InputError(where, fmt::format("expected {}, got something else", kWhat));
  }

  Hdf5Reader in_;
};

void check_is_ours(const Parts& parts, const std::string& file) {
  if (!parts.has(kRoot, "program") || parts.text(kRoot, "program") != kProgram) {
    throw InputError(file, "expected a result file of slipstick, got an HDF5 file of another kind");
  }
  const std::int64_t schema = parts.integer(kRoot, "schema");
  if (schema >= 1 && schema <= kResultSchema) return;
  throw InputError(file,
                   fmt::format("expected a result file of schema up to {}, got schema {}, written "
                               "by slipstick {}",
                               kResultSchema, schema, parts.text(kRoot, "version")));
}

LoadedModel read_model_of(const Parts& parts, const std::string& file) {
  std::vector<Override> overrides;
  for (const std::string& setting : parts.texts(kSettings)) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos) {
      throw InputError(parts.where_of(kSettings), "expected NAME=EXPR, got '" + setting + "'");
    }
    overrides.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  const std::string text = parts.text_dataset(kModelText);
  if (text.size() > kMaxTextBytes) {
    throw InputError(parts.where_of(kModelText), "expected at most 1 MiB, got more");
  }
  try {
    LoadedModel out = parse_model(parts.text(kModel, "file"), text, overrides);
    if (parts.has(kModel, "zero_order") && parts.integer(kModel, "zero_order") != 0) freeze(out);
    return out;
  } catch (const InputError& error) {
    throw InputError(file + ": its model", error.what());
  }
}

RunRequest read_request(const Parts& parts, const LoadedModel& loaded) {
  RunRequest out;
  SimulationOptions& options = out.options;
  options.until = parts.number(kOptions, "until");
  if (parts.has(kOptions, "condition")) {
    options.condition =
        make_condition(*loaded.model, list_parameters(loaded), parts.where(kOptions, "condition"),
                       parts.text(kOptions, "condition"));
  }
  options.tolerance = parts.number(kOptions, "tolerance");
  if (!(options.tolerance > 0.0)) {
    throw InputError(parts.where(kOptions, "tolerance"), "expected a number above 0");
  }
  options.max_events = parts.limit(kOptions, "max_events");
  options.max_runs = parts.limit(kOptions, "max_runs");
  options.max_depth = parts.limit(kOptions, "max_depth");
  if (parts.has(kOptions, "law")) {
    options.law = parts.word<ImpactLaw>(kOptions, "law", kImpactLaws);
  }
  options.on_inconsistent =
      parts.word<OnInconsistent>(kOptions, "on_inconsistent", kOnInconsistent);
  options.on_indeterminate =
      parts.word<OnIndeterminate>(kOptions, "on_indeterminate", kOnIndeterminate);
  options.on_jam = parts.word<OnJam>(kOptions, "on_jam", kOnJam);
  options.on_impact = parts.word<OnImpact>(kOptions, "on_impact", kOnImpact);
  out.check = parts.has(kOptions, "check");
  if (parts.has(kOptions, "sample")) out.sample = parts.number(kOptions, "sample");
  if (parts.has(kOptions, "interrupted_after")) {
    out.interrupted_after = parts.integer(kOptions, "interrupted_after");
  }
  return out;
}

/// The observables that the command line added to the model's own.
void read_added_observables(const Parts& parts, ResultFile& out) {
  const std::string path = std::string(kOptions) + "/observables";
  if (!parts.has(path)) return;
  for (const std::string& text : parts.texts(path)) {
    out.request.observables.push_back(parse_observable(parts.where_of(path), text));
  }
  add_observables(out.loaded, out.request.observables);
}

std::vector<Event> read_events(const Parts& parts, const Model& model, const std::string& path) {
  std::vector<Event> out;
  const std::string lines = parts.text_dataset(path);
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    const Json json = Json::parse(lines.begin() + static_cast<std::ptrdiff_t>(at),
                                  lines.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    out.push_back(
        parse_event(model, fmt::format("{}:{}", parts.where_of(path), out.size() + 1), json));
    at = end + 1;
  }
  return out;
}

Run read_run(const Parts& parts, const Model& model, const std::string& path) {
  Run out;
  out.end.reason = parts.word<EndReason>(path, "end", kEndReasons);
  out.end.time = parts.number(path, "end_time");
  if (parts.has(path, "end_detail")) {
    const bool has_code = parts.has(path, "end_code");  // older files have none
    out.end.why = {
        has_code ? parts.word<WhyCode>(path, "end_code", kWhyCodes) : WhyCode::kNotComputed,
        parts.text(path, "end_detail")};
  }
  out.state = {out.end.time, parts.vector(path, "end_q", model.size()),
               parts.vector(path, "end_v", model.size())};
  out.counts = {parts.integer(path, "evaluations"), parts.integer(path, "steps"),
                parts.integer(path, "rejected")};
  out.events = read_events(parts, model, path + "/events");
  if (parts.has(path + "/observables")) {
    out.observables = parse_observables(parts.where_of(path + "/observables"),
                                        parts.text_dataset(path + "/observables"));
  }
  if (parts.has(path, "verdict")) {
    out.verdict = parse_verdict(model, parts.where(path, "verdict"), parts.text(path, "verdict"));
  }
  return out;
}

MotionRows read_motion_rows(const Parts& parts, const LoadedModel& loaded,
                            const std::string& path) {
  const Model& model = *loaded.model;
  MotionRows out;
  const std::string rows = path + "/trajectory/";
  for (const std::string& letters : parts.text_attributes(path, "modes")) {
    out.words.push_back(parse_mode_word(parts.where(path, "modes"), model, letters));
  }
  out.time = parts.column<double>(rows + "time", parts.length(rows + "time"));
  out.mode = parts.column<std::int64_t>(rows + "mode", out.size());
  const std::size_t coordinates = out.size() * model.coordinates.size();
  out.q = parts.column<double>(rows + "q", coordinates);
  out.v = parts.column<double>(rows + "v", coordinates);
  const std::size_t contacts = out.size() * model.contacts.size();
  out.gap = parts.column<double>(rows + "gap", contacts);
  out.slip = parts.column<double>(rows + "slip", contacts);
  out.force_n = parts.column<double>(rows + "force_n", contacts);
  out.force_t = parts.column<double>(rows + "force_t", contacts);
  if (!loaded.observables.empty() && parts.has(path + "/trajectory", "observables")) {
    out.observed = loaded.observables;
    out.observables = parts.column<double>(rows + "observables", out.size() * out.observed.size());
  }
  const auto known = [&](std::int64_t mode) {
    return mode >= 0 && mode < static_cast<std::int64_t>(out.words.size());
  };
  if (!std::all_of(out.mode.begin(), out.mode.end(), known)) {
    throw InputError(parts.where_of(rows + "mode"), "expected numbers of `modes`, got others");
  }
  return out;
}

/// The number of an earlier run.
int read_run_number(const Parts& parts, const std::string& path, const char* name,
                    std::int64_t before) {
  const std::int64_t out = parts.integer(path, name);
  if (out >= 0 && out < before) return static_cast<int>(out);
  throw InputError(parts.where(path, name),
                   fmt::format("expected the number of an earlier run, got {}", out));
}

void read_runs(const Parts& parts, ResultFile& out) {
  out.tree.branching = parts.integer(kRuns, "branching") != 0;
  out.tree.limited = parts.integer(kRuns, "limited") != 0;
  const int count = parts.limit(kRuns, "count");
  for (int i = 0; i < count; ++i) {
    const std::string path = fmt::format("{}/{}", kRuns, i);
    BranchRun branch;
    if (i > 0) {
      branch.parent = read_run_number(parts, path, "parent", i);
      branch.choice = parts.text(path, "choice");
      if (parts.has(path, "choice_text")) branch.choice_text = parts.text(path, "choice_text");
    }
    if (parts.has(path, "merged_into")) {
      branch.merged_into = read_run_number(parts, path, "merged_into", i);
    }
    branch.run = read_run(parts, *out.loaded.model, path);
    out.rows += parts.length(path + "/trajectory/time");
    out.segments += parts.length(path + "/segments/from");
    out.tree.runs.push_back(std::move(branch));
  }
}

}  // namespace

ResultFile parse_result_file(const std::string& file, const std::string& bytes) {
  const Parts parts(file, bytes);
  check_is_ours(parts, file);
  ResultFile out;
  out.version = parts.text(kRoot, "version");
  out.schema = parts.integer(kRoot, "schema");
  out.loaded = read_model_of(parts, file);
  out.request = read_request(parts, out.loaded);
  read_added_observables(parts, out);
  if (!(out.request.options.until > out.loaded.initial.time)) {
    throw InputError(parts.where(kOptions, "until"), "expected a time after the start");
  }
  read_runs(parts, out);
  out.bytes = bytes.size();
  return out;
}

std::vector<MotionRows> parse_motion_rows(const std::string& file, const std::string& bytes,
                                          const ResultFile& result) {
  const Parts parts(file, bytes);
  std::vector<MotionRows> out;
  for (std::size_t i = 0; i < result.tree.runs.size(); ++i) {
    out.push_back(read_motion_rows(parts, result.loaded, fmt::format("{}/{}", kRuns, i)));
  }
  return out;
}

RunTree repeat_run(const ResultFile& result) {
  SimulationOptions options = result.request.options;
  std::int64_t asked = 0;
  if (result.request.interrupted_after) {
    options.keep_going = [&](double) { return asked++ < *result.request.interrupted_after; };
  }
  RunTree out = simulate_tree(*result.loaded.model, result.loaded.initial, options);
  if (result.request.check) check_tree(*result.loaded.model, options, out);
  observe(result.loaded, options.tolerance, out);
  return out;
}

Json make_result_json(const ResultFile& result) {
  const SimulationOptions& options = result.request.options;
  Json settings = Json::array();
  for (const Override& setting : result.loaded.source.overrides) {
    settings.push_back(setting.name + "=" + setting.expression);
  }
  Json asked{{"until", options.until},
             {"condition", nullptr},
             {"tolerance", options.tolerance},
             {"max_events", options.max_events},
             {"law", nullptr},
             {"on_inconsistent", find_word(kOnInconsistent, options.on_inconsistent)},
             {"on_indeterminate", find_word(kOnIndeterminate, options.on_indeterminate)},
             {"on_jam", find_word(kOnJam, options.on_jam)},
             {"on_impact", find_word(kOnImpact, options.on_impact)},
             {"max_runs", options.max_runs},
             {"max_depth", options.max_depth},
             {"sample", nullptr},
             {"observe", Json::array()}};
  for (const Observable& observable : result.request.observables) {
    asked["observe"].push_back(observable.name + " = " + observable.expression);
  }
  if (options.condition) asked["condition"] = condition_text(*options.condition);
  if (options.law) asked["law"] = find_word(kImpactLaws, *options.law);
  if (result.request.sample) asked["sample"] = *result.request.sample;
  Json out{{"program", kProgram},   {"version", result.version}, {"schema", result.schema},
           {"bytes", result.bytes}, {"rows", result.rows},       {"segments", result.segments},
           {"settings", settings},  {"options", asked}};
  out.update(make_run_document(*result.loaded.model, result.tree));
  return out;
}

}  // namespace slipstick
