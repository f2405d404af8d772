#include "slipstick/sim/hybrid/choice_text.h"

#include <fmt/format.h>

#include <cmath>

#include "slipstick/core/scales.h"
#include "slipstick/model/dynamics.h"

namespace slipstick {
namespace {

const Contact& contact_of(const Model& model, int contact) {
  return model.contacts[static_cast<std::size_t>(contact)];
}

/// Where a contact point moves, seen in the world's picture; over a surface that moves itself, seen
/// from the surface.
std::string describe_direction(const Model& model, int contact, double slip) {
  const Surface& surface =
      model.surfaces[static_cast<std::size_t>(contact_of(model, contact).surface)];
  const Vec2 along = slip < 0.0 ? Vec2(-surface.tangent) : surface.tangent;
  const bool level = std::abs(along.x()) >= std::abs(along.y());
  const char* words = level ? (along.x() > 0.0 ? "to the right" : "to the left")
                            : (along.y() > 0.0 ? "up" : "down");
  return std::string(words) + (surface.speed.is_zero() ? "" : " over its moving surface");
}

std::string describe_contact(const Model& model, int contact, ContactMode before,
                             ContactMode after) {
  const bool has_friction = contact_of(model, contact).mu_s > 0.0;
  if (is_sliding(after)) {
    const std::string where = describe_direction(model, contact, eval_slip_sign(after));
    if (after == before) return "keeps sliding " + where;
    if (!is_closed(before)) return "closes and slides " + where;
    return (before == ContactMode::kStick ? "begins to slide " : "turns to slide ") + where;
  }
  if (!is_closed(before)) return has_friction ? "closes and sticks" : "closes";
  if (!has_friction) return "stays closed";
  return before == after ? "keeps sticking" : "stops sliding and sticks";
}

void join(std::string part, std::string& out) {
  out += (out.empty() ? "" : ", ") + std::move(part);
}

}  // namespace

std::string list_contact_names(const Model& model, const std::vector<int>& contacts) {
  std::string out;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (i > 0) out += i + 1 == contacts.size() ? " and " : ", ";
    out += contact_of(model, contacts[i]).name;
  }
  return out;
}

std::string describe_mode(const Model& model, const ModeWord& before,
                          const ModeSolution& solution) {
  std::string out;
  for (int i = 0; i < model.contact_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const ContactMode after = solution.modes[k];
    const std::string& name = contact_of(model, i).name;
    if (!is_closed(after)) {
      if (is_closed(before[k])) join(name + " lifts off", out);
      continue;
    }
    join(fmt::format("{} {} with f_n = {:.6g} N", name,
                     describe_contact(model, i, before[k], after), solution.force_n[i]),
         out);
  }
  return out.empty() ? "all contacts stay open" : out;
}

std::string describe_outcome(const Model& model, const State& state, const ContactSet& contacts,
                             const ImpactRecord& record) {
  const ContactKinematics after = eval_contact_kinematics(model, state);
  const double least = kResultRounding * record.impulse_n.cwiseAbs().maxCoeff();
  std::string out;
  for (int i = 0; i < model.contact_count(); ++i) {
    const bool is_struck = std::abs(record.impulse_n[i]) > least;
    const ClosedContact* closed = contacts.find(i);
    if (!is_struck && closed == nullptr) continue;
    const Contact& contact = contact_of(model, i);
    std::string how = contact.mu_s > 0.0 ? "sticks" : "stays closed";
    if (closed == nullptr) {
      how = fmt::format("leaves its surface at {:.6g} m/s", after.gap_rate[i]);
    } else if (closed->slip_sign != 0) {
      how = fmt::format("slides {} at {:.6g} m/s", describe_direction(model, i, closed->slip_sign),
                        std::abs(after.slip[i]));
    }
    join(contact.name + " " + how, out);
    if (is_struck) out += fmt::format(" after an impulse of {:.6g} N s", record.impulse_n[i]);
  }
  return out.empty() ? "nothing is struck" : out;
}

std::string describe_lift_off(const Model& model, const std::vector<int>& contacts) {
  return list_contact_names(model, contacts) + (contacts.size() == 1 ? " lifts off" : " lift off");
}

std::string describe_impulse(const Model& model, const std::vector<int>& contacts) {
  return "an impact without collision at " + list_contact_names(model, contacts);
}

}  // namespace slipstick
