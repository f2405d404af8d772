#include "slipstick/analysis/gait/step.h"

#include <fmt/format.h>

#include <algorithm>

#include "slipstick/sim/simulate.h"

namespace slipstick {
namespace {

bool has(const PerContact<int>& list, int contact) {
  return std::find(list.begin(), list.end(), contact) != list.end();
}

SectionShape find_shape(const Model& model, const Event& impact) {
  SectionShape out;
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
    if (impact.modes_after[k] == 'S' && model.contacts[k].mu_s > 0.0) out.sticking.push_back(i);
  }
  std::sort(out.closed.begin(), out.closed.end());
  return out;
}

std::string describe_failure(const Run& run) {
  std::string out = fmt::format("the motion ends at {:.6g} s: {}", run.end.time,
                                find_word(kEndReasons, run.end.reason));
  if (run.end.reason == EndReason::kTime) {
    out = fmt::format("the section's contact does not collide within {:.6g} s", run.end.time);
  }
  if (!run.end.detail.empty()) out += " (" + run.end.detail + ")";
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

const Event& Step::impact() const {
  return *std::find_if(run.events.rbegin(), run.events.rend(),
                       [](const Event& event) { return event.type == EventType::kImpact; });
}

Step take_step(const Model& model, const State& start, const SimulationOptions& options) {
  SimulationOptions until_section = options;
  until_section.section = model.gait->contact;
  State initial = start;
  initial.time = 0.0;
  Step out{simulate(model, initial, until_section), false, {}, {}};
  out.complete = out.run.end.reason == EndReason::kSection;
  if (out.complete) {
    out.shape = find_shape(model, out.impact());
  } else {
    out.failure = describe_failure(out.run);
  }
  return out;
}

}  // namespace slipstick
