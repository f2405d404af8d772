#include "slipstick/io/run_text.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "slipstick/analysis/acceleration_centre.h"
#include "slipstick/io/run_json.h"
#include "slipstick/io/run_rows.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/sim/passage.h"

namespace slipstick {
namespace {

class Table {
 public:
  Table(const Model& model, bool numbers_runs, bool centres)
      : model_(model), numbers_runs_(numbers_runs), centres_(centres) {
    add_header();
  }

  void add_uniformly(std::size_t run, const Trajectory& trajectory, double step) {
    run_ = run;
    const double start = trajectory.steps.front().from;
    const double end = trajectory.steps.back().to;
    double time = start;
    for (long i = 1; time < end; ++i) {
      const TrajectorySample at = trajectory.eval(time);
      add_row(at.state, trajectory.modes[at.mode]);
      time = start + static_cast<double>(i) * step;
    }
    const TrajectorySample last = trajectory.eval(end);
    add_row(last.state, trajectory.modes[last.mode]);
  }

  void add_every_step(std::size_t run, const Trajectory& trajectory) {
    run_ = run;
    const std::vector<TrajectoryStep>& steps = trajectory.steps;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const TrajectoryStep& step = steps[k];
      // The end of a step is the next one's start, unless an event came between.
      const bool goes_on = k + 1 < steps.size() && steps[k + 1].mode == step.mode;
      for (int i = 0; i <= (goes_on ? kRowsPerStep - 1 : kRowsPerStep); ++i) {
        State state =
            eval_state(step.interpolant, model_.size(), step.theta_end * i / kRowsPerStep);
        if (i == kRowsPerStep) state.time = step.to;
        add_row(state, trajectory.modes[step.mode]);
      }
    }
  }

  [[nodiscard]] std::string text() const { return fmt::to_string(text_); }

 private:
  void add(const std::string& word) { fmt::format_to(std::back_inserter(text_), ",{}", word); }
  void add(double value) { fmt::format_to(std::back_inserter(text_), ",{}", value); }

  void add_header() {
    fmt::format_to(std::back_inserter(text_), "{}t", numbers_runs_ ? "run," : "");
    for (const std::string& name : model_.coordinates) add(name);
    for (const std::string& name : model_.coordinates) add(rate_name(name));
    add("modes");
    for (const Contact& contact : model_.contacts) {
      for (const char* what : {"gap", "slip", "force_n", "force_t"}) {
        add(fmt::format("{}_{}", what, contact.name));
      }
    }
    add("kinetic_energy");
    for (const Contact& contact : model_.contacts) {
      if (!centres_) break;
      add("centre_t_" + contact.name);
      add("centre_n_" + contact.name);
    }
    text_.push_back('\n');
  }

  void add_row(const State& state, const Mode& mode) {
    if (numbers_runs_) fmt::format_to(std::back_inserter(text_), "{},", run_);
    fmt::format_to(std::back_inserter(text_), "{}", state.time);
    for (Eigen::Index i = 0; i < state.q.size(); ++i) add(state.q[i]);
    for (Eigen::Index i = 0; i < state.v.size(); ++i) add(state.v[i]);
    add(mode.word);
    const ContactRow contacts = eval_contact_row(model_, mode, state);
    for (int i = 0; i < model_.contact_count(); ++i) {
      add(contacts.gap[i]);
      add(contacts.slip[i]);
      add(contacts.force_n[i]);
      add(contacts.force_t[i]);
    }
    add(eval_kinetic_energy(model_, state));
    if (centres_) add_centres(state, mode);
    text_.push_back('\n');
  }

  /// Empty where a contact is open or its body does not turn.
  void add_centres(const State& state, const Mode& mode) {
    const VecQ acceleration = eval_natural_field(model_, mode, state).acceleration;
    for (int i = 0; i < model_.contact_count(); ++i) {
      const bool closed = mode.word[static_cast<std::size_t>(i)] != 'F' && acceleration.allFinite();
      const auto centre =
          closed ? find_acceleration_centre(model_, i, state, acceleration) : std::nullopt;
      add(centre ? fmt::format("{}", centre->along_t) : "");
      add(centre ? fmt::format("{}", centre->along_n) : "");
    }
  }

  const Model& model_;
  bool numbers_runs_, centres_;
  std::size_t run_ = 0;
  fmt::memory_buffer text_;
};

}  // namespace

std::string make_run_json(const LoadedModel& loaded, const RunTree& tree) {
  return print(make_run_document(loaded.model, tree));
}

std::string make_event_lines(const LoadedModel& loaded, const RunTree& tree) {
  std::string out;
  for (std::size_t i = 0; i < tree.runs.size(); ++i) {
    for (const Event& event : tree.runs[i].run.events) {
      Json line = make_event(loaded.model, event);
      if (tree.branching) line["run"] = i;
      out += print_line(line);
    }
  }
  return out;
}

std::string make_event_lines(const LoadedModel& loaded, const Run& run) {
  std::string out;
  for (const Event& event : run.events) out += print_line(make_event(loaded.model, event));
  return out;
}

std::string make_trajectory_csv(const LoadedModel& loaded, const RunTree& tree,
                                const TableOptions& options) {
  Table table(loaded.model, tree.branching, options.centres);
  for (std::size_t i = 0; i < tree.runs.size(); ++i) {
    const Trajectory& trajectory = tree.runs[i].run.trajectory;
    if (trajectory.empty()) continue;
    if (options.sample) {
      table.add_uniformly(i, trajectory, *options.sample);
    } else {
      table.add_every_step(i, trajectory);
    }
  }
  return table.text();
}

}  // namespace slipstick
