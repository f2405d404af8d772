#include "slipstick/sim/check/check_impact.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "slipstick/sim/check/run_check.h"

namespace slipstick {
namespace check {

Check RunCheck::check_outcome(const Run& run, const ImpactTraits& traits) {
  (void)check(run);
  const Event& event = run.events.front();
  if (traits.alone) {
    place(event.before);
    compare_with_path(event, placed_, event.contacts.front(), traits.jammed);
  } else {
    check_joint_law(event);
  }
  return verdict_.check;
}

/// The laws between the impulses of several contacts and the velocities after them. At the end of
/// the compression a contact with an impulse has no gap rate. In the expansion a contact gets its
/// restitution of that impulse; with more it has no gap rate at the end. Friction opposes the slip
/// at the end of each part, or under Fremond's law without a collision the mean one.
void RunCheck::check_joint_law(const Event& event) {
  const ImpactRecord& impact = *event.impact;
  State state = event.before;
  state.v = impact.v_plus;
  const Placed before = place(event.before);
  const Placed after = place(state);
  const double largest = impact.impulse_n.cwiseAbs().maxCoeff();
  const bool expands =
      impact.compression_n.size() > 0 && impact.compression_n.cwiseAbs().maxCoeff() > 0.0;
  const bool is_fremond =
      impact.law == ImpactLaw::kFremond && event.type == EventType::kTangentialImpact;
  for (int j = 0; j < model_.contact_count(); ++j) {
    const auto k = static_cast<std::size_t>(j);
    const Contact& contact = model_.contacts[k];
    const double first_n = expands ? impact.compression_n[j] : 0.0;
    const double first_t = expands ? impact.compression_t[j] : 0.0;
    const double last_n = impact.impulse_n[j] - first_n;
    const double last_t = impact.impulse_t[j] - first_t;
    const double speed = momentum_scale_ * before.contacts[k].mobility_n;
    const double least =
        expands && !contact.bilateral ? contact.restitution * std::max(0.0, first_n) : 0.0;
    const bool takes_part = std::abs(last_n) > tolerances_.impact * largest;
    if (expands && impact.law == ImpactLaw::kPoisson && !contact.bilateral) {
      findings_.note("law of impact", j, event.time, std::max(0.0, least - last_n) / largest,
                     tolerances_.impact);
    }
    const bool exceeds = std::abs(last_n) - least > tolerances_.impact * largest;
    if (takes_part && exceeds && speed > 0.0) {
      findings_.note("law of impact", j, event.time, std::abs(after.contacts[k].gap_rate) / speed,
                     tolerances_.impact);
    }
    if (!takes_part || largest == 0.0) continue;
    const double slip = after.contacts[k].slip + (is_fremond ? before.contacts[k].slip : 0.0);
    const double slip_scale = momentum_scale_ * before.contacts[k].mobility_t +
                              std::abs(before.contacts[k].surface_speed);
    if (std::abs(slip) <= tolerances_.motion * slip_scale) continue;  // sticks: inside the cone
    const double edge = std::copysign(contact.mu * std::abs(last_n), -slip);
    findings_.note("friction impulse", j, event.time, std::abs(last_t - edge) / largest,
                   tolerances_.impact, &Check::Worst::cone);
  }
}

}  // namespace check

Check check_impact(const Model& model, const Event& event, const ImpactTraits& traits) {
  const SimulationOptions options;
  Run run;
  run.events.push_back(event);
  run.state = event.after;
  run.end.time = event.time;
  return check::RunCheck(model, options).check_outcome(run, traits);
}

}  // namespace slipstick
