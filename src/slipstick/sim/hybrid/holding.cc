#include "slipstick/sim/hybrid/holding.h"

#include <algorithm>

#include "slipstick/core/scales.h"
#include "slipstick/model/scale.h"

namespace slipstick {
namespace {

/// Holds the contacts if that changes the velocities by no more than rounding. Where a gap only
/// touches zero, holding all contacts would stop motions that they do not hold.
bool hold_rounding(const Model& model, HybridState& at) {
  const VecQ moving = at.state.v;
  hold(model, at.contacts, at);
  constexpr double kOfTouch = 1e-8;  // far above the gap rate of a touch, far below a motion
  const VecQ change = (at.state.v - moving).cwiseAbs().cwiseQuotient(make_coordinate_scale(model));
  const bool is_small = (change.array() <= kOfTouch * at.fastest.array()).all();
  if (!is_small) at.state.v = moving;
  return is_small;
}

/// Closes contacts and holds them, if that changes the velocities by no more than a rebound that is
/// too slow to follow. It may change more: if of two feet side by side one rests and one hardly
/// leaves the floor, holding both stops the body's rotation, and with it the rebound of a foot far
/// away.
bool close_slowly(const Model& model, const PerContact<int>& contacts, const VecQ& rates,
                  const Laws& laws, HybridState& at) {
  const ContactSet open = at.contacts;
  const VecQ moving = at.state.v;
  for (const int i : contacts) at.contacts.close(model, i, 1.0);
  hold(model, at.contacts, at);
  const VecQ change = (at.state.v - moving).cwiseAbs().cwiseQuotient(make_coordinate_scale(model));
  if ((change.array() <= 2.0 * kUnseenFlight * rates.array()).all()) {
    read_slips(model, laws, at);
    return true;
  }
  at.contacts = open;
  at.state.v = moving;
  return false;
}

}  // namespace

void hold(const Model& model, const ContactSet& contacts, HybridState& at) {
  PerContact<int> sticking;
  for (const ClosedContact& contact : contacts.closed()) {
    if (contact.slip_sign == 0 && contact.mu_s > 0.0) sticking.push_back(contact.index);
  }
  const PerContact<int> closed = contacts.list();
  stop_velocities(model, as_span(closed), as_span(sticking), at.state);
}

void stop_contacts(const Model& model, const PerContact<int>& touching,
                   const PerContact<int>& stopping, const Laws& laws, HybridState& at) {
  if (touching.empty() && stopping.empty()) return;
  stop_velocities(model, as_span(touching), as_span(stopping), at.state);
  for (const int i : stopping) at.contacts.close(model, i, 0.0);
  const ContactSet earlier = at.contacts;
  for (const int i : touching) at.contacts.close(model, i, 1.0);
  // All together may prevent every motion; rounding would then keep a slip.
  if (!hold_rounding(model, at) && !touching.empty()) hold(model, earlier, at);
  read_slips(model, laws, at);
}

void read_slips(const Model& model, const Laws& laws, HybridState& at) {
  const ContactKinematics contacts = eval_contact_kinematics(model, at.state);
  const PerContact<ClosedContact> closed = at.contacts.closed();
  bool stops = false;
  for (const ClosedContact& contact : closed) {
    if (contact.slip_sign == 0) continue;
    const double speed = find_speed(model, contact.index, at.fastest);
    const int sign = find_slip_sign(contacts, at.state, contact.index, speed, laws.tolerances);
    at.contacts.close(model, contact.index, sign);
    stops |= sign == 0 && contacts.slip[contact.index] != 0.0;
  }
  if (stops) hold_rounding(model, at);
  // Beside a dead centre a slip may be left that no impulse can stop.
  const ContactKinematics after = eval_contact_kinematics(model, at.state);
  const PerContact<ClosedContact> held = at.contacts.closed();
  for (const ClosedContact& contact : held) {
    if (contact.slip_sign != 0) continue;
    const double speed = find_speed(model, contact.index, at.fastest);
    const int sign = find_slip_sign(after, at.state, contact.index, speed, laws.tolerances);
    if (sign != 0) at.contacts.close(model, contact.index, sign);
  }
}

void close_touching(const Model& model, const Laws& laws, HybridState& at) {
  const ContactKinematics contacts = eval_contact_kinematics(model, at.state);
  const VecQ rates = eval_rates(model, at.state);
  bool closes = false;
  for (int i = 0; i < model.contact_count(); ++i) {
    if (at.contacts.find(i) != nullptr || at.contacts.leaving(i) > 1) continue;
    if (!is_at_zero(model, i, contacts.gap[i], laws)) continue;
    if (!eval_is_active(model, i, at.state)) continue;
    const double speed = kOfOtherMotion * find_speed(model, i, rates);
    if (find_gap_rate_sign(contacts, at.state, i, speed, laws.tolerances) != 0) continue;
    at.contacts.close(model, i, 1.0);
    closes = true;
  }
  if (!closes) return;
  hold(model, at.contacts, at);
  read_slips(model, laws, at);
}

bool end_bounces(const Model& model, double slow, const Laws& laws, HybridState& at) {
  const VecQ rates = eval_rates(model, at.state);
  PerContact<int> kept;
  bool told = false;
  while (true) {
    const ContactKinematics after = eval_contact_kinematics(model, at.state);
    PerContact<int> ending;
    for (int i = 0; i < model.contact_count(); ++i) {
      const bool is_slow = after.gap_rate[i] <= slow * find_speed(model, i, rates);
      const bool is_kept = std::count(kept.begin(), kept.end(), i) > 0;
      if (at.contacts.leaving(i) == 1 && is_slow && !is_kept) ending.push_back(i);
    }
    if (ending.empty()) return told;
    const bool all = close_slowly(model, ending, rates, laws, at);
    for (const int i : ending) {
      const bool closes = all || close_slowly(model, {i}, rates, laws, at);
      if (!closes) kept.push_back(i);
      told = told || (closes && after.gap_rate[i] > kResultRounding * find_speed(model, i, rates));
    }
  }
}

}  // namespace slipstick
