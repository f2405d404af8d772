#include "slipstick/sim/hybrid/accumulation.h"

#include <algorithm>
#include <cmath>

#include "slipstick/core/scales.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/sim/hybrid/holding.h"

namespace slipstick {
namespace {

// Relative to lengths and speeds: colliding contacts count as closed and at rest at the end of an
// accumulation.
constexpr double kNear = 1e-6;  // the limit is extrapolated

bool has(const std::vector<int>& list, int contact) {
  return std::count(list.begin(), list.end(), contact) > 0;
}

/// Open contacts that reach their surfaces at the end of an accumulation without gap rate: those
/// that collided, and others that are there to all digits.
PerContact<int> list_closing(const Model& model, const HybridState& at, const ZenoLimit& limit) {
  const ContactKinematics kinematics = eval_contact_kinematics(model, limit.state);
  PerContact<int> out;
  for (int i = 0; i < model.contact_count(); ++i) {
    const double length = model.contacts[static_cast<std::size_t>(i)].length;
    const double small = has(limit.colliding, i) ? kNear : kClosure;
    const bool near = std::abs(kinematics.gap[i]) <= small * length &&
                      std::abs(kinematics.gap_rate[i]) <= small * find_speed(model, i, at.fastest);
    if (near && at.contacts.find(i) == nullptr && eval_is_active(model, i, limit.state)) {
      out.push_back(i);
    }
  }
  return out;
}

/// True if no other open contact reaches its surface on the way to the limit. Tested with the cubic
/// through its gaps and rates at both ends, which stays above the least of four numbers.
bool is_clear_until(const Model& model, const HybridState& at, const ZenoLimit& limit,
                    const PerContact<int>& closing) {
  const ContactKinematics now = eval_contact_kinematics(model, at.state);
  const ContactKinematics then = eval_contact_kinematics(model, limit.state);
  const double third = (limit.state.time - at.state.time) / 3.0;
  for (int i = 0; i < model.contact_count(); ++i) {
    const bool closes = std::count(closing.begin(), closing.end(), i) > 0;
    if (at.contacts.find(i) != nullptr || closes) continue;
    if (!eval_is_active(model, i, limit.state)) continue;
    const double after_now = now.gap[i] + third * now.gap_rate[i];
    const double before_then = then.gap[i] - third * then.gap_rate[i];
    const bool leaves = at.contacts.leaving(i) == 1;  // from zero gap
    if (!(std::min({leaves ? after_now : now.gap[i], after_now, before_then, then.gap[i]}) > 0.0)) {
      return false;
    }
  }
  return true;
}

/// True if the bounces decay with the times between them and nothing else happens before. They do
/// not if only the gaps vanish.
bool comes_to_rest(const Model& model, const HybridState& at, const ZenoLimit& limit) {
  const PerContact<int> closing = list_closing(model, at, limit);
  return is_clear_until(model, at, limit, closing) &&
         std::all_of(limit.colliding.begin(), limit.colliding.end(), [&](int contact) {
           return at.contacts.find(contact) != nullptr ||
                  std::count(closing.begin(), closing.end(), contact) > 0;
         });
}

}  // namespace

std::optional<ZenoLimit> find_accumulation(const Model& model, const std::vector<int>& last,
                                           const Laws& laws, const HybridState& at) {
  auto limit = at.bounces.find_limit(1.0 / eval_rate(model, at.state), model.relabels.empty());
  const double latest = at.stop ? at.stop->before : laws.until;
  if (!limit || !(limit->state.time < latest)) return std::nullopt;
  // Where names change, only the contacts of the last impact can be compared.
  if (!model.relabels.empty()) limit->colliding = last;
  return comes_to_rest(model, at, *limit) ? limit : std::nullopt;
}

Event settle(const Model& model, const ZenoLimit& limit, const Laws& laws, HybridState& at) {
  at.bounces.drop(limit.record);
  const ModeWord before = at.contacts.make_word();
  const double energy = eval_kinetic_energy(model, at.state);
  const PerContact<int> closing = list_closing(model, at, limit);
  const State last = at.state;
  at.state = limit.state;
  for (const int i : closing) at.contacts.close(model, i, has(limit.sticking, i) ? 0.0 : 1.0);
  project_onto_contacts(model, at.contacts.closed(), at.state);
  const ContactKinematics after = eval_contact_kinematics(model, at.state);
  for (const int i : at.contacts.list()) {
    const bool stands = has(limit.sticking, i) ||
                        std::abs(after.slip[i]) <= kNear * find_speed(model, i, at.fastest);
    at.contacts.close(model, i, stands ? 0.0 : after.slip[i]);
  }
  project_onto_contacts(model, at.contacts.closed(), at.state);
  read_slips(model, laws, at);
  Event out = make_event(model, at.state, EventType::kZeno, to_vector(closing), before,
                         at.contacts.make_word());
  out.before = last;
  out.energy_before = energy;
  out.zeno = limit.record;
  return out;
}

}  // namespace slipstick
