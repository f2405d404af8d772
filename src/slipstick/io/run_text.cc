#include "slipstick/io/run_text.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "slipstick/analysis/acceleration_centre.h"
#include "slipstick/analysis/motion/work_rows.h"
#include "slipstick/contact/sliding.h"
#include "slipstick/io/csv_field.h"
#include "slipstick/io/json/number_text.h"
#include "slipstick/io/json/run_json.h"
#include "slipstick/io/model/run_formulas.h"
#include "slipstick/io/run_rows.h"
#include "slipstick/mode_letters.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/sim/singular/passage.h"

namespace slipstick {
namespace {

/// Rows as comma separated text.
class CsvRows {
 public:
  CsvRows(const std::vector<std::string>& names, const ByteSink& sink) : sink_(sink) {
    for (const std::string& name : names) add(make_csv_field(name));
    end_row();
  }
  void add(double value) {
    separate();
    append_number(value, text_);
  }
  void add(const std::string& value) {
    separate();
    text_ += value;
  }
  void add(std::size_t value) { add(std::to_string(value)); }
  void add_none() { separate(); }
  void end_row() {
    constexpr std::size_t kPart = 1U << 16U;
    text_ += '\n';
    starts_ = true;
    if (text_.size() >= kPart) flush();
  }
  void flush() {
    sink_(text_);
    text_.clear();
  }

 private:
  void separate() {
    if (!starts_) text_ += ',';
    starts_ = false;
  }

  bool starts_ = true;  ///< a row
  std::string text_;
  const ByteSink& sink_;
};

/// The same as one list per column.
class ColumnRows {
 public:
  explicit ColumnRows(const std::vector<std::string>& names)
      : names_(names), columns_(names.size(), Json::array()) {}
  template <class Value>
  void add(const Value& value) {
    columns_[at_++].push_back(value);
  }
  void add_none() { add(nullptr); }
  void end_row() { at_ = 0; }
  [[nodiscard]] Json take_document() {
    Json out = Json::object();
    for (std::size_t i = 0; i < names_.size(); ++i) out[names_[i]] = std::move(columns_[i]);
    return out;
  }

 private:
  std::vector<std::string> names_;
  std::vector<Json> columns_;
  std::size_t at_ = 0;
};

template <class Rows>
class Table {
 public:
  /// `args`: what its rows need besides the names.
  template <class... Args>
  Table(const LoadedModel& loaded, const RunTree& tree, const TableOptions& options,
        const Args&... args)
      : model_(*loaded.model),
        numbers_runs_(tree.branching),
        options_(options),
        observed_(make_observable_rows(loaded)),
        rows_(make_names(loaded, tree.branching, options), args...) {
    for (; run_ < tree.runs.size(); ++run_) {
      const Trajectory& trajectory = tree.runs[run_].run.trajectory;
      jams_ = list_jams(tree.runs[run_].run.events);
      if (trajectory.empty()) continue;
      if (options.work) work_.emplace(model_, trajectory);
      if (options.sample) {
        add_uniformly(trajectory, *options.sample);
      } else {
        add_every_step(trajectory);
      }
    }
  }

  [[nodiscard]] Rows& rows() { return rows_; }

 private:
  static std::vector<std::string> make_names(const LoadedModel& loaded, bool numbers_runs,
                                             const TableOptions& options) {
    const Model& model = *loaded.model;
    std::vector<std::string> out;
    if (numbers_runs) out.emplace_back("run");
    out.emplace_back("t");
    for (const std::string& name : model.coordinates) out.push_back(name);
    for (const std::string& name : model.coordinates) out.push_back(rate_name(name));
    out.emplace_back("modes");
    for (const Contact& contact : model.contacts) {
      for (const char* what : {"gap", "slip", "force_n", "force_t"}) {
        out.push_back(fmt::format("{}_{}", what, contact.name));
      }
    }
    out.emplace_back("kinetic_energy");
    for (const Observable& observable : loaded.observables) out.push_back(observable.name);
    add_asked_names(model, options, out);
    for (const Contact& contact : model.contacts) {
      if (!options.centres) break;
      out.push_back("centre_t_" + contact.name);
      out.push_back("centre_n_" + contact.name);
    }
    for (const std::string& name : model.coordinates) {
      if (options.accelerations) out.push_back(name + "_ddot");
    }
    return out;
  }

  static void add_asked_names(const Model& model, const TableOptions& options,
                              std::vector<std::string>& out) {
    for (const Contact& contact : model.contacts) {
      if (options.p) out.push_back("p_" + contact.name);
    }
    for (const Contact& contact : model.contacts) {
      if (options.b) out.push_back("b_" + contact.name);
    }
    if (options.energy) out.insert(out.end(), {"potential_energy", "energy"});
    if (!options.work) return;
    for (const char* of : {"loads", "surfaces", "impacts", "friction", "damping"}) {
      out.push_back(fmt::format("work_{}", of));
    }
  }

  void add_uniformly(const Trajectory& trajectory, double step) {
    const double start = trajectory->segments.front().from;
    const double end = trajectory->segments.back().to;
    constexpr double kSameRow = 1e-9;  // of a step: the last row is at the end itself
    double time = start;
    for (long i = 1; time < (i == 1 ? end : end - kSameRow * step); ++i) {
      add_row_at(trajectory, time);
      time = start + static_cast<double>(i) * step;
    }
    add_row_at(trajectory, end);
  }

  void add_row_at(const Trajectory& trajectory, double time) {
    const TrajectoryPlace place = trajectory->find_place(time);
    const Segment& step = trajectory->segments[place.segment];
    State state = eval_state(step.polynomial, model_.size(), place.theta);
    state.time = time;
    add_row(state, trajectory->modes[step.mode], place);
  }

  void add_every_step(const Trajectory& trajectory) {
    const std::vector<Segment>& steps = trajectory->segments;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const Segment& step = steps[k];
      // The end of a step is the next one's start, unless an event came between.
      const bool goes_on = k + 1 < steps.size() && steps[k + 1].mode == step.mode;
      for (int i = 0; i <= (goes_on ? kRowsPerStep - 1 : kRowsPerStep); ++i) {
        const TrajectoryPlace place{k, step.theta_end * i / kRowsPerStep};
        State state = eval_state(step.polynomial, model_.size(), place.theta);
        if (i == kRowsPerStep) state.time = step.to;
        add_row(state, trajectory->modes[step.mode], place);
      }
    }
  }

  void add_row(const State& state, const Mode& mode, const TrajectoryPlace& place) {
    if (numbers_runs_) rows_.add(run_);
    rows_.add(state.time);
    for (Eigen::Index i = 0; i < state.q.size(); ++i) rows_.add(state.q[i]);
    for (Eigen::Index i = 0; i < state.v.size(); ++i) rows_.add(state.v[i]);
    rows_.add(to_letters(mode.word));
    ContactRow contacts = eval_contact_row(model_, mode, state);
    const std::vector<int> unbounded = list_unbounded(jams_, state.time, mode.word);
    mark_unbounded(unbounded, mode.word, contacts);
    for (int i = 0; i < model_.contact_count(); ++i) {
      rows_.add(contacts.gap[i]);
      rows_.add(contacts.slip[i]);
      rows_.add(contacts.force_n[i]);
      rows_.add(contacts.force_t[i]);
    }
    const double kinetic = eval_kinetic_energy(model_, state);
    rows_.add(kinetic);
    std::vector<double> observed;
    observed_.append(model_, mode, state, unbounded.empty(), observed);
    add_numbers(observed);
    add_asked(state, mode, place, kinetic);
    if (options_.centres || options_.accelerations) {
      add_accelerations(state, mode, unbounded.empty());
    }
    rows_.end_row();
  }

  void add_asked(const State& state, const Mode& mode, const TrajectoryPlace& place,
                 double kinetic) {
    if (options_.p || options_.b) {
      const SlidingRow sliding = eval_sliding_row(model_, mode.word, state);
      if (options_.p) add_numbers(sliding.p);
      if (options_.b) add_numbers(sliding.b);
    }
    if (options_.energy) {
      const double potential = eval_potential_energy(model_, state.q);
      rows_.add(potential);
      rows_.add(kinetic + potential);
    }
    if (!options_.work) return;
    const Balance work = work_->eval(place);
    for (const double part :
         {work.loads, work.surfaces, work.impacts, work.friction, work.damping}) {
      rows_.add(part);
    }
  }

  /// Empty where there is no number.
  template <class Values>
  void add_numbers(const Values& values) {
    for (const double value : values) {
      if (std::isnan(value)) {
        rows_.add_none();
      } else {
        rows_.add(value);
      }
    }
  }

  void add_accelerations(const State& state, const Mode& mode, bool are_bounded) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    const VecQ acceleration = are_bounded ? eval_natural_field(model_, mode, state).acceleration
                                          : VecQ::Constant(model_.size(), none);
    if (options_.centres) add_centres(state, mode, acceleration);
    if (options_.accelerations) add_numbers(acceleration);
  }

  /// None where a contact is open or its body does not turn.
  void add_centres(const State& state, const Mode& mode, const VecQ& acceleration) {
    for (int i = 0; i < model_.contact_count(); ++i) {
      const bool closed =
          is_closed(mode.word[static_cast<std::size_t>(i)]) && acceleration.allFinite();
      const auto centre =
          closed ? find_acceleration_centre(model_, i, state, acceleration) : std::nullopt;
      if (centre) {
        rows_.add(centre->along_t);
        rows_.add(centre->along_n);
      } else {
        rows_.add_none();
        rows_.add_none();
      }
    }
  }

  const Model& model_;
  bool numbers_runs_;
  const TableOptions& options_;
  ObservableRows observed_;
  std::size_t run_ = 0;
  std::vector<const Event*> jams_;  ///< of that run
  std::optional<WorkRows> work_;    ///< of that run, if it was asked for
  Rows rows_;
};

}  // namespace

Json make_run_json(const LoadedModel& loaded, const RunTree& tree,
                   const std::optional<TableOptions>& trajectory) {
  Json out = make_run_document(*loaded.model, tree);
  if (trajectory) {
    out["trajectory"] = Table<ColumnRows>(loaded, tree, *trajectory).rows().take_document();
  }
  return out;
}

std::string make_event_lines(const LoadedModel& loaded, const RunTree& tree) {
  std::string out;
  for (std::size_t i = 0; i < tree.runs.size(); ++i) {
    for (const Event& event : tree.runs[i].run.events) {
      Json line = make_event(*loaded.model, event);
      if (tree.branching) line["run"] = i;
      out += print_line(line);
    }
  }
  return out;
}

std::string make_event_lines(const LoadedModel& loaded, const Run& run) {
  std::string out;
  for (const Event& event : run.events) out += print_line(make_event(*loaded.model, event));
  return out;
}

std::string make_trajectory_csv(const LoadedModel& loaded, const RunTree& tree,
                                const TableOptions& options) {
  std::string out;
  write_trajectory_csv(loaded, tree, options, [&](std::string_view text) { out += text; });
  return out;
}

void write_trajectory_csv(const LoadedModel& loaded, const RunTree& tree,
                          const TableOptions& options, const ByteSink& sink) {
  Table<CsvRows>(loaded, tree, options, sink).rows().flush();
}

}  // namespace slipstick
