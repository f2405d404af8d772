#include "slipstick/io/hdf5/result_file.h"

#include <algorithm>
#include <string>

#include "slipstick/condition.h"
#include "slipstick/io/hdf5/hdf5.h"
#include "slipstick/io/json/run_json.h"
#include "slipstick/io/model/run_formulas.h"
#include "slipstick/io/run_rows.h"
#include "slipstick/io/run_text.h"
#include "slipstick/mode_letters.h"
#include "slipstick/version.h"

namespace slipstick {
namespace {

Hdf5Array make_vector(const VecQ& values) {
  return make_hdf5(std::vector<double>(values.begin(), values.end()));
}

std::vector<std::string> list_contacts(const Model& model) {
  std::vector<std::string> out;
  out.reserve(model.contacts.size());
  for (const Contact& contact : model.contacts) out.push_back(contact.name);
  return out;
}

void add_model(Hdf5Group group, const LoadedModel& loaded) {
  group.set("name", make_hdf5(loaded.model->name));
  group.set("file", make_hdf5(loaded.source.file));
  group.set("coordinates", make_hdf5(loaded.model->coordinates));
  group.set("contacts", make_hdf5(list_contacts(*loaded.model)));
  if (loaded.source.zero_order) group.set("zero_order", make_hdf5(std::int64_t{1}));
  group.add("text", make_hdf5(loaded.source.text));
  group.add("settings", make_hdf5(list_settings(loaded.source)));
}

void add_options(Hdf5Group group, const RunRequest& request) {
  const SimulationOptions& options = request.options;
  group.set("until", make_hdf5(options.until));
  if (options.condition) group.set("condition", make_hdf5(condition_text(*options.condition)));
  group.set("tolerance", make_hdf5(options.tolerance));
  group.set("max_events", make_hdf5(std::int64_t{options.max_events}));
  if (options.law) group.set("law", make_hdf5(find_word(kImpactLaws, *options.law)));
  group.set("on_inconsistent", make_hdf5(find_word(kOnInconsistent, options.on_inconsistent)));
  group.set("on_indeterminate", make_hdf5(find_word(kOnIndeterminate, options.on_indeterminate)));
  group.set("on_jam", make_hdf5(find_word(kOnJam, options.on_jam)));
  group.set("on_impact", make_hdf5(find_word(kOnImpact, options.on_impact)));
  group.set("max_runs", make_hdf5(std::int64_t{options.max_runs}));
  group.set("max_depth", make_hdf5(std::int64_t{options.max_depth}));
  std::vector<std::string> observed;
  for (const Observable& observable : request.observables) {
    observed.push_back(observable.name + " = " + observable.expression);
  }
  if (!observed.empty()) group.add("observables", make_hdf5(observed));
  if (request.check) group.set("check", make_hdf5(std::int64_t{1}));
  if (request.sample) group.set("sample", make_hdf5(*request.sample));
  if (request.interrupted_after) {
    group.set("interrupted_after", make_hdf5(*request.interrupted_after));
  }
}

void set_end(Hdf5Group& group, const Model& model, const Run& run) {
  group.set("end", make_hdf5(find_word(kEndReasons, run.end.reason)));
  group.set("end_time", make_hdf5(run.end.time));
  if (run.end.why) {
    group.set("end_detail", make_hdf5(run.end.why.sentence));
    group.set("end_code", make_hdf5(find_word(kWhyCodes, run.end.why.code)));
  }
  if (run.verdict) group.set("verdict", make_hdf5(make_verdict(model, *run.verdict).dump()));
  group.set("end_q", make_vector(run.state.q));
  group.set("end_v", make_vector(run.state.v));
  group.set("evaluations", make_hdf5(std::int64_t{run.counts.evaluations}));
  group.set("steps", make_hdf5(std::int64_t{run.counts.steps}));
  group.set("rejected", make_hdf5(std::int64_t{run.counts.rejected}));
}

/// A column with an entry per coordinate or contact in every row.
Hdf5Array make_column(std::vector<double> values, std::size_t rows, std::size_t width) {
  return {{rows, width}, std::move(values)};
}

void add_trajectory(Hdf5Group group, const LoadedModel& loaded, const Run& run,
                    const Segments& segments) {
  const Model& model = *loaded.model;
  const LinearRows linear = make_linear_rows(model, run.trajectory, segments);
  MotionRows rows = make_motion_rows(model, run, linear, make_observable_rows(loaded));
  const std::size_t count = rows.size();
  const std::size_t contacts = model.contacts.size();
  group.set("linear_error_q", make_vector(linear.error_q));
  group.set("linear_error_v", make_vector(linear.error_v));
  group.add("time", make_hdf5(std::move(rows.time)));
  group.add("mode", make_hdf5(std::move(rows.mode)));
  group.add("q", make_column(std::move(rows.q), count, segments.coordinates()));
  group.add("v", make_column(std::move(rows.v), count, segments.coordinates()));
  group.add("gap", make_column(std::move(rows.gap), count, contacts));
  group.add("slip", make_column(std::move(rows.slip), count, contacts));
  group.add("force_n", make_column(std::move(rows.force_n), count, contacts));
  group.add("force_t", make_column(std::move(rows.force_t), count, contacts));
  if (rows.observed.empty()) return;
  std::vector<std::string> names;
  for (const Observable& observable : rows.observed) names.push_back(observable.name);
  group.set("observables", make_hdf5(names));
  group.add("observables", make_column(std::move(rows.observables), count, names.size()));
}

void add_segments(Hdf5Group group, const Segments& segments, const ModeWords& words) {
  std::vector<double> from;
  std::vector<double> to;
  std::vector<double> theta_end;
  std::vector<std::int64_t> mode;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    from.push_back(segments[i].from);
    to.push_back(segments[i].to);
    theta_end.push_back(segments[i].theta_end);
    mode.push_back(words.of_mode[segments[i].mode]);
  }
  group.add("from", make_hdf5(std::move(from)));
  group.add("to", make_hdf5(std::move(to)));
  group.add("theta_end", make_hdf5(std::move(theta_end)));
  group.add("mode", make_hdf5(std::move(mode)));
  group.add("coefficients",
            Hdf5Doubles{{segments.size(), Segments::kOrder, segments.components()},
                        [segments](const ByteSink& sink) { segments.write_coefficients(sink); }});
}

void add_run(Hdf5Group group, const LoadedModel& loaded, const BranchRun& branch) {
  const Run& run = branch.run;
  if (branch.parent >= 0) {
    group.set("parent", make_hdf5(std::int64_t{branch.parent}));
    group.set("choice", make_hdf5(branch.choice));
    group.set("choice_text", make_hdf5(branch.choice_text));
  }
  if (branch.merged_into) group.set("merged_into", make_hdf5(std::int64_t{*branch.merged_into}));
  set_end(group, *loaded.model, run);
  const ModeWords words = make_mode_words(run.trajectory);
  group.set("modes", make_hdf5(to_letters(words.words)));
  group.add("events", make_hdf5(make_event_lines(loaded, run)));
  const Segments segments(*loaded.model, run.trajectory);
  if (!run.observables.empty()) {
    group.add("observables", make_hdf5(make_observables(run.observables).dump()));
  }
  add_trajectory(group.add_group("trajectory"), loaded, run, segments);
  add_segments(group.add_group("segments"), segments, words);
}

Hdf5Writer make_writer(const LoadedModel& loaded, const RunRequest& request, const RunTree& tree) {
  Hdf5Writer writer;
  Hdf5Group root = writer.root();
  root.set("program", make_hdf5(std::string_view("slipstick")));
  root.set("version", make_hdf5(std::string_view(kVersion)));
  root.set("schema", make_hdf5(kResultSchema));
  add_model(root.add_group("model"), loaded);
  add_options(root.add_group("options"), request);
  Hdf5Group runs = root.add_group("runs");
  runs.set("count", make_hdf5(static_cast<std::int64_t>(tree.runs.size())));
  runs.set("branching", make_hdf5(std::int64_t{tree.branching ? 1 : 0}));
  runs.set("limited", make_hdf5(std::int64_t{tree.limited ? 1 : 0}));
  for (std::size_t i = 0; i < tree.runs.size(); ++i) {
    add_run(runs.add_group(std::to_string(i)), loaded, tree.runs[i]);
  }
  return writer;
}

}  // namespace

std::string make_result_file(const LoadedModel& loaded, const RunRequest& request,
                             const RunTree& tree) {
  return make_writer(loaded, request, tree).make_bytes();
}

void write_result_file(const LoadedModel& loaded, const RunRequest& request, const RunTree& tree,
                       const ByteSink& sink) {
  make_writer(loaded, request, tree).write(sink);
}

}  // namespace slipstick
