#include "slipstick/analysis/gait/walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "slipstick/model/dynamics.h"
#include "slipstick/sim/simulate.h"

namespace slipstick {
namespace {

bool has(const PerContact<int>& list, int contact) {
  return std::find(list.begin(), list.end(), contact) != list.end();
}

SectionShape find_shape(const Model& model, const Event& impact, const State& after) {
  SectionShape out;
  const ContactKinematics contacts = eval_contact_kinematics(model, after);
  const double speed =
      contacts.slip.cwiseAbs().maxCoeff() + contacts.gap_rate.cwiseAbs().maxCoeff();
  const Relabel* relabel = find_relabel(model, impact.contacts);
  const auto rename = [&](int contact) {
    return relabel == nullptr ? contact : relabel->contacts[static_cast<std::size_t>(contact)];
  };
  for (int i = 0; i < model.contact_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const bool collided =
        std::find(impact.contacts.begin(), impact.contacts.end(), i) != impact.contacts.end();
    const int name = rename(i);
    if ((collided || impact.modes_before[k] != 'F') && name >= 0 && !has(out.closed, name)) {
      out.closed.push_back(name);
    }
    if (impact.modes_after[k] == 'F') continue;
    out.held.push_back(i);
    // A foot that the impact stops may slide from the same instant on.
    constexpr double kRounding = 1e-10;
    if (std::abs(contacts.slip[i]) <= kRounding * speed) out.sticking.push_back(i);
  }
  std::sort(out.closed.begin(), out.closed.end());
  return out;
}

}  // namespace

const Relabel* find_relabel(const Model& model, const std::vector<int>& contacts) {
  for (const Relabel& relabel : model.relabels) {
    if (std::find(contacts.begin(), contacts.end(), relabel.contact) != contacts.end()) {
      return &relabel;
    }
  }
  return nullptr;
}

const Event& Walk::impact() const {
  return *std::find_if(run.events.rbegin(), run.events.rend(),
                       [](const Event& event) { return event.type == EventType::kImpact; });
}

std::string describe_failure(const Run& run, double time) {
  std::string out;
  switch (run.end.reason) {
    case EndReason::kTime:
      out = fmt::format("there is no further step until {:.6g} s", time);
      break;
    case EndReason::kRest:
      out = fmt::format("the motion comes to rest at {:.6g} s", time);
      break;
    case EndReason::kInterrupted:
      out = fmt::format("the motion becomes too fast to follow at {:.6g} s", time);
      break;
    default:
      out = fmt::format("the motion ends at {:.6g} s: {}", time,
                        find_word(kEndReasons, run.end.reason));
  }
  if (!run.end.detail.empty()) out += " (" + run.end.detail + ")";
  return out;
}

Walk walk(const Model& model, const State& start, int steps, const SimulationOptions& options) {
  SimulationOptions until_section = options;
  until_section.section = model.gait->contact;
  until_section.crossings = steps;
  // A state far from any gait may move so fast that its run would fill the memory.
  int integrated = 0;
  until_section.keep_going = [&](double) {
    constexpr int kMost = 20000;
    return ++integrated < kMost;
  };
  State initial = start;
  initial.time = 0.0;
  Walk out{simulate(model, initial, until_section), false, {}};
  out.complete = out.run.end.reason == EndReason::kSection;
  if (out.complete) out.shape = find_shape(model, out.impact(), out.run.state);
  return out;
}

}  // namespace slipstick
