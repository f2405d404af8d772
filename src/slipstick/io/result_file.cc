#include "slipstick/io/result_file.h"

#include <algorithm>
#include <string>

#include "slipstick/core/version.h"
#include "slipstick/io/hdf5.h"
#include "slipstick/io/run_rows.h"
#include "slipstick/io/run_text.h"

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
  group.set("name", make_hdf5(loaded.model.name));
  group.set("file", make_hdf5(loaded.source.file));
  group.set("coordinates", make_hdf5(loaded.model.coordinates));
  group.set("contacts", make_hdf5(list_contacts(loaded.model)));
  if (loaded.source.zero_order) group.set("zero_order", make_hdf5(std::int64_t{1}));
  group.add("text", make_hdf5(loaded.source.text));
  group.add("settings", make_hdf5(list_settings(loaded.source)));
}

void add_options(Hdf5Group group, const RunRequest& request) {
  const SimulationOptions& options = request.options;
  group.set("until", make_hdf5(options.until));
  group.set("tolerance", make_hdf5(options.tolerance));
  group.set("max_events", make_hdf5(std::int64_t{options.max_events}));
  if (options.law) group.set("law", make_hdf5(find_word(kImpactLaws, *options.law)));
  group.set("on_inconsistent", make_hdf5(find_word(kOnInconsistent, options.on_inconsistent)));
  group.set("on_indeterminate", make_hdf5(find_word(kOnIndeterminate, options.on_indeterminate)));
  group.set("on_jam", make_hdf5(find_word(kOnJam, options.on_jam)));
  group.set("on_impact", make_hdf5(find_word(kOnImpact, options.on_impact)));
  group.set("max_runs", make_hdf5(std::int64_t{options.max_runs}));
  group.set("max_depth", make_hdf5(std::int64_t{options.max_depth}));
  if (request.sample) group.set("sample", make_hdf5(*request.sample));
  if (request.interrupted_after) {
    group.set("interrupted_after", make_hdf5(*request.interrupted_after));
  }
}

void set_end(Hdf5Group& group, const Run& run) {
  group.set("end", make_hdf5(find_word(kEndReasons, run.end.reason)));
  group.set("end_time", make_hdf5(run.end.time));
  if (!run.end.detail.empty()) group.set("end_detail", make_hdf5(run.end.detail));
  group.set("end_q", make_vector(run.state.q));
  group.set("end_v", make_vector(run.state.v));
  group.set("evaluations", make_hdf5(std::int64_t{run.counts.evaluations}));
  group.set("steps", make_hdf5(std::int64_t{run.counts.steps}));
  group.set("rejected", make_hdf5(std::int64_t{run.counts.rejected}));
}

/// The words of a trajectory's modes, each once, and which of them each mode has.
struct ModeWords {
  std::vector<std::string> words;
  std::vector<std::int64_t> of_mode;
};

ModeWords make_mode_words(const Trajectory& trajectory) {
  ModeWords out;
  for (const Mode& mode : trajectory.modes) {
    const auto found = std::find(out.words.begin(), out.words.end(), mode.word);
    out.of_mode.push_back(found - out.words.begin());
    if (found == out.words.end()) out.words.push_back(mode.word);
  }
  return out;
}

/// A column of the trajectory with several values per row.
class Column {
 public:
  Column(std::size_t rows, std::size_t width) : array_{{rows, width}, {}} {
    array_.values = std::vector<double>(rows * width);
    place_ = std::get<std::vector<double>>(array_.values).data();
  }

  template <class Vector>
  void append(const Vector& values) {
    place_ = std::copy(values.begin(), values.end(), place_);
  }
  [[nodiscard]] const Hdf5Array& array() const { return array_; }

 private:
  Hdf5Array array_;
  double* place_;
};

std::size_t count_rows(const Segments& segments, const LinearRows& linear) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    out += static_cast<std::size_t>(linear.parts[i]) + (segments.ends_piece(i) ? 1 : 0);
  }
  return out;
}

void add_trajectory(Hdf5Group group, const Model& model, const Trajectory& trajectory,
                    const Segments& segments, const ModeWords& words) {
  const LinearRows linear = make_linear_rows(model, trajectory, segments);
  const std::size_t count = count_rows(segments, linear);
  const std::size_t contacts = model.contacts.size();
  Column q(count, segments.coordinates);
  Column v(count, segments.coordinates);
  Column gap(count, contacts);
  Column slip(count, contacts);
  Column force_n(count, contacts);
  Column force_t(count, contacts);
  std::vector<double> time;
  std::vector<std::int64_t> mode;
  time.reserve(count);
  mode.reserve(count);
  State state{0.0, VecQ(model.size()), VecQ(model.size())};
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const int parts = linear.parts[i];
    const int last = segments.ends_piece(i) ? parts : parts - 1;
    for (int k = 0; k <= last; ++k) {
      segments.eval_state(i, segments.theta_end[i] * k / parts, state);
      if (k == parts) state.time = segments.to[i];
      const ContactRow row = eval_contact_row(model, trajectory.modes[segments.mode[i]], state);
      time.push_back(state.time);
      mode.push_back(words.of_mode[segments.mode[i]]);
      q.append(state.q);
      v.append(state.v);
      gap.append(row.gap);
      slip.append(row.slip);
      force_n.append(row.force_n);
      force_t.append(row.force_t);
    }
  }
  group.set("linear_error_q", make_vector(linear.error_q));
  group.set("linear_error_v", make_vector(linear.error_v));
  group.add("time", make_hdf5(std::move(time)));
  group.add("mode", make_hdf5(std::move(mode)));
  group.add("q", q.array());
  group.add("v", v.array());
  group.add("gap", gap.array());
  group.add("slip", slip.array());
  group.add("force_n", force_n.array());
  group.add("force_t", force_t.array());
}

void add_segments(Hdf5Group group, Segments segments, const ModeWords& words) {
  std::vector<std::int64_t> mode;
  mode.reserve(segments.size());
  for (const std::size_t i : segments.mode) mode.push_back(words.of_mode[i]);
  const std::size_t count = segments.size();
  group.add("from", make_hdf5(std::move(segments.from)));
  group.add("to", make_hdf5(std::move(segments.to)));
  group.add("theta_end", make_hdf5(std::move(segments.theta_end)));
  group.add("mode", make_hdf5(std::move(mode)));
  group.add("coefficients",
            {{count, Segments::kOrder, segments.components}, std::move(segments.coefficients)});
}

void add_run(Hdf5Group group, const LoadedModel& loaded, const BranchRun& branch) {
  const Run& run = branch.run;
  if (branch.parent >= 0) {
    group.set("parent", make_hdf5(std::int64_t{branch.parent}));
    group.set("choice", make_hdf5(branch.choice));
  }
  if (branch.merged_into) group.set("merged_into", make_hdf5(std::int64_t{*branch.merged_into}));
  set_end(group, run);
  const ModeWords words = make_mode_words(run.trajectory);
  group.set("modes", make_hdf5(words.words));
  group.add("events", make_hdf5(make_event_lines(loaded, run)));
  Segments segments = make_segments(loaded.model, run.trajectory);
  add_trajectory(group.add_group("trajectory"), loaded.model, run.trajectory, segments, words);
  add_segments(group.add_group("segments"), std::move(segments), words);
}

}  // namespace

std::string make_result_file(const LoadedModel& loaded, const RunRequest& request,
                             const RunTree& tree) {
  Hdf5Writer writer;
  Hdf5Group root = writer.make_root();
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
    add_run(runs.add_group(std::to_string(i).c_str()), loaded, tree.runs[i]);
  }
  return writer.make_bytes();
}

}  // namespace slipstick
