#include "slipstick/io/run_text.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "slipstick/io/run_json.h"
#include "slipstick/io/run_rows.h"
#include "slipstick/model/dynamics.h"

namespace slipstick {
namespace {

class Table {
 public:
  Table(const Model& model, const Run& run) : model_(model), run_(run) { add_header(); }

  void add_uniformly(double step) {
    const double start = run_.trajectory.steps.front().from;
    const double end = run_.trajectory.steps.back().to;
    double time = start;
    for (long i = 1; time < end; ++i) {
      const TrajectorySample at = run_.trajectory.eval(time);
      add_row(at.state, run_.trajectory.modes[at.mode]);
      time = start + static_cast<double>(i) * step;
    }
    const TrajectorySample last = run_.trajectory.eval(end);
    add_row(last.state, run_.trajectory.modes[last.mode]);
  }

  void add_every_step() {
    constexpr int kPerStep = 8;  // the interpolant has degree 7
    const std::vector<TrajectoryStep>& steps = run_.trajectory.steps;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const TrajectoryStep& step = steps[k];
      // The end of a step is the next one's start, unless an event came between.
      const bool goes_on = k + 1 < steps.size() && steps[k + 1].mode == step.mode;
      for (int i = 0; i <= (goes_on ? kPerStep - 1 : kPerStep); ++i) {
        State state = eval_state(step.interpolant, model_.size(), step.theta_end * i / kPerStep);
        if (i == kPerStep) state.time = step.to;
        add_row(state, run_.trajectory.modes[step.mode]);
      }
    }
  }

  [[nodiscard]] std::string text() const { return fmt::to_string(text_); }

 private:
  void add(const std::string& word) { fmt::format_to(std::back_inserter(text_), ",{}", word); }
  void add(double value) { fmt::format_to(std::back_inserter(text_), ",{}", value); }

  void add_header() {
    fmt::format_to(std::back_inserter(text_), "t");
    for (const std::string& name : model_.coordinates) add(name);
    for (const std::string& name : model_.coordinates) add(rate_name(name));
    add("modes");
    for (const Contact& contact : model_.contacts) {
      for (const char* what : {"gap", "slip", "force_n", "force_t"}) {
        add(fmt::format("{}_{}", what, contact.name));
      }
    }
    add("kinetic_energy");
    text_.push_back('\n');
  }

  void add_row(const State& state, const Mode& mode) {
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
    text_.push_back('\n');
  }

  const Model& model_;
  const Run& run_;
  fmt::memory_buffer text_;
};

}  // namespace

std::string make_run_json(const LoadedModel& loaded, const Run& run) {
  return print(make_run_document(loaded.model, run));
}

std::string make_event_lines(const LoadedModel& loaded, const Run& run) {
  std::string out;
  for (const Event& event : run.events) {
    out += make_event(loaded.model, event).dump(-1, ' ', false, Json::error_handler_t::replace);
    out += '\n';
  }
  return out;
}

std::string make_trajectory_csv(const LoadedModel& loaded, const Run& run,
                                std::optional<double> sample) {
  Table table(loaded.model, run);
  if (run.trajectory.empty()) return table.text();
  if (sample) {
    table.add_uniformly(*sample);
  } else {
    table.add_every_step();
  }
  return table.text();
}

}  // namespace slipstick
