#include "slipstick/io/run_text.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "slipstick/io/json_parts.h"
#include "slipstick/model/dynamics.h"

namespace slipstick {
namespace {

Json make_contact_names(const Model& model, const std::vector<int>& contacts) {
  Json out = Json::array();
  for (const int i : contacts) out.push_back(model.contacts[static_cast<std::size_t>(i)].name);
  return out;
}

Json make_event(const Model& model, const Event& event) {
  Json out{{"time", event.time},
           {"type", find_word(kEventTypes, event.type)},
           {"contacts", make_contact_names(model, event.contacts)},
           {"modes_before", event.modes_before},
           {"modes_after", event.modes_after},
           {"energy_before", event.energy_before},
           {"energy_after", event.energy_after}};
  if (event.impact) {
    out["law"] = find_word(kImpactLaws, event.impact->law);
    out["impulse_n"] = make_list(event.impact->impulse_n);
    out["impulse_t"] = make_list(event.impact->impulse_t);
    out["velocity_before"] = make_by_coordinate(model, event.impact->v_minus, "");
    out["velocity_after"] = make_by_coordinate(model, event.impact->v_plus, "");
    out["work_of_surface"] = event.impact->work_of_surface;
  }
  if (event.exponent) out["exponent"] = *event.exponent;
  if (event.zeno) {
    out["impacts"] = event.zeno->impacts;
    out["ratio"] = event.zeno->ratio;
    out["time_error"] = event.zeno->time_error;
  }
  if (!event.policy.empty()) {
    out["alternatives"] = event.alternatives;
    out["policy"] = event.policy;
  }
  if (!event.notes.empty()) out["notes"] = event.notes;
  return out;
}

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
    for (const TrajectoryStep& step : run_.trajectory.steps) {
      const Mode& mode = run_.trajectory.modes[step.mode];
      for (int i = 0; i <= kPerStep; ++i) {
        // The end of a step is the next one's start, unless an event cut it.
        if (i == kPerStep && step.theta_end == 1.0 && &step != &run_.trajectory.steps.back()) break;
        State state = eval_state(step.interpolant, model_.size(), step.theta_end * i / kPerStep);
        if (i == kPerStep) state.time = step.to;
        add_row(state, mode);
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
    const ContactKinematics contacts = eval_contact_kinematics(model_, state);
    const ModeField field = eval_mode_field(model_, mode, state);
    for (int i = 0; i < model_.contact_count(); ++i) {
      add(contacts.gap[i]);
      add(contacts.slip[i]);
      double force_n = 0.0;
      double force_t = 0.0;
      for (std::size_t j = 0; j < mode.closed.size(); ++j) {
        if (mode.closed[j].contact != i) continue;
        const auto row = static_cast<Eigen::Index>(2 * j);
        force_n = field.impulse_rate[row] / field.rate;
        force_t = field.impulse_rate[row + 1] / field.rate;
      }
      add(force_n);
      add(force_t);
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
  const Model& model = loaded.model;
  Json events = Json::array();
  for (const Event& event : run.events) events.push_back(make_event(model, event));
  Json end{{"reason", find_word(kEndReasons, run.end.reason)}, {"time", run.end.time}};
  if (!run.end.detail.empty()) end["detail"] = run.end.detail;
  return print({{"model", model.name},
                {"end", end},
                {"state", make_state(model, run.state)},
                {"events", events},
                {"evaluations", run.counts.evaluations},
                {"steps", run.counts.steps}});
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
