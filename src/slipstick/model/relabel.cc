#include "slipstick/model/relabel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipstick/model/dynamics.h"

namespace slipstick {
namespace {

constexpr double kUnchanged = 1e-9;  // far above rounding of the formulas, far below a motion

/// A contact that exists and is below its surface under its new name only; -1 if there is none.
int find_sunk(const Model& model, const Relabel& relabel, const State& before, const State& after) {
  const VecC was = eval_contact_kinematics(model, before).gap;
  const VecC is = eval_contact_kinematics(model, after).gap;
  const double depth = kUnchanged * model.length_scale;
  for (int j = 0; j < model.contact_count(); ++j) {
    if (!(is[j] < -depth) || !eval_is_active(model, j, after)) continue;
    const auto old = std::find(relabel.contacts.begin(), relabel.contacts.end(), j);
    const bool was_below =
        old != relabel.contacts.end() && was[old - relabel.contacts.begin()] < -depth;
    if (!was_below) return j;
  }
  return -1;
}

}  // namespace

std::string find_changed_by_relabel(const Model& model, const Relabel& relabel, const State& before,
                                    const State& after, std::span<const int> closed) {
  const std::string place =
      fmt::format("relabelling after contact '{}' changes the motion: ",
                  model.contact_names[static_cast<std::size_t>(relabel.contact)]);
  const double energy = eval_kinetic_energy(model, before);
  const double new_energy = eval_kinetic_energy(model, after);
  if (!(std::abs(new_energy - energy) <= kUnchanged * (energy + new_energy))) {
    return place +
           fmt::format("the kinetic energy was {:.9g} J and is {:.9g} J", energy, new_energy);
  }
  const ContactKinematics old_contacts = eval_contact_kinematics(model, before);
  const ContactKinematics new_contacts = eval_contact_kinematics(model, after);
  const double speed =
      old_contacts.gap_rate.cwiseAbs().maxCoeff() + old_contacts.slip.cwiseAbs().maxCoeff();
  for (const int i : closed) {
    const int j = relabel.contacts[static_cast<std::size_t>(i)];
    if (j < 0) continue;
    const auto name = [&](int k) { return model.contact_names[static_cast<std::size_t>(k)]; };
    const auto differs = [&](const VecC& was, const VecC& is, double scale) {
      return !(std::abs(is[j] - was[i]) <= kUnchanged * (scale + std::abs(was[i])));
    };
    const auto tell = [&](const char* what, const VecC& was, const VecC& is, const char* unit) {
      return place + fmt::format("the {} of '{}' was {:.9g} {} and that of '{}' is {:.9g} {}", what,
                                 name(i), was[i], unit, name(j), is[j], unit);
    };
    if (differs(old_contacts.gap, new_contacts.gap, model.length_scale)) {
      return tell("gap", old_contacts.gap, new_contacts.gap, "m");
    }
    if (differs(old_contacts.gap_rate, new_contacts.gap_rate, speed)) {
      return tell("gap rate", old_contacts.gap_rate, new_contacts.gap_rate, "m/s");
    }
    if (differs(old_contacts.slip, new_contacts.slip, speed)) {
      return tell("slip", old_contacts.slip, new_contacts.slip, "m/s");
    }
  }
  const int below = find_sunk(model, relabel, before, after);
  if (below < 0) return {};
  return place + fmt::format("'{}' is {:.9g} m below its surface",
                             model.contact_names[static_cast<std::size_t>(below)],
                             -new_contacts.gap[below]);
}

}  // namespace slipstick
