#include "slipstick/analysis/gait/perturbed_state.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "slipstick/analysis/paradox/follow.h"
#include "slipstick/core/nearest_name.h"
#include "slipstick/core/scales.h"
#include "slipstick/errors.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model/function.h"
#include "slipstick/model/model.h"
#include "slipstick/paradox.h"

namespace slipstick {
namespace {

/// The coordinate by which a contact is lifted: a translation of the whole mechanism, if there is
/// one.
int choose_lifting_coordinate(const Model& model, int contact) {
  State any;
  any.q = VecQ::Zero(model.size());
  any.v = VecQ::Zero(model.size());
  const ParadoxProblem problem = make_sliding_problem(model, any, {{contact, 1.0}}, {});
  const std::vector<Closing> followers = choose_followers(problem, {}, FollowFirst::kTranslation);
  if (followers.empty()) {
    throw InputError(model.contact_names[static_cast<std::size_t>(contact)],
                     "expected a contact that some coordinate moves away from its surface");
  }
  return followers.front().coordinate;
}

int find_index(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

std::vector<std::string> list_rates(const Model& model) {
  std::vector<std::string> out;
  for (const std::string& name : model.coordinates) out.push_back(rate_name(name));
  return out;
}

/// Newton's method on the gap, which is nearly linear in the lifting coordinate.
void lift(const Model& model, const Perturbation& perturbation, double height, VecQ& q) {
  constexpr int kMostRounds = 20;
  const double target = eval_gap(model, perturbation.contact, q) + height;
  for (int i = 0; i < kMostRounds; ++i) {
    const ContactKinematics contacts =
        eval_contact_kinematics(model, State{0.0, q, VecQ::Zero(q.size())});
    const double left = target - contacts.gap[perturbation.contact];
    const double slope = contacts.W_n(perturbation.coordinate, perturbation.contact);
    if (slope == 0.0 || std::abs(left) <= kNumberRounding * model.length_scale) return;
    q[perturbation.coordinate] += left / slope;
  }
}

/// The velocity that an impulse on a coordinate gives to the mechanism without its contacts; what
/// the contacts do about it is decided by their laws.
VecQ find_push(const Model& model, const State& state, int coordinate) {
  const MatQ M = eval_dynamics(model, state).M;
  VecQ impulse = VecQ::Zero(model.size());
  impulse[coordinate] = 1.0;
  return M.ldlt().solve(impulse);
}

/// Rates by the size. A slip of a contact is measured along its tangent.
VecQ find_velocity(const Model& model, const Perturbation& perturbation, const State& state) {
  VecQ out = VecQ::Zero(model.size());
  if (perturbation.kind == PerturbationKind::kPush && !perturbation.is_rate) {
    return find_push(model, state, perturbation.coordinate);
  }
  out[perturbation.coordinate] = 1.0;
  if (perturbation.kind == PerturbationKind::kSlip && perturbation.contact >= 0) {
    const ContactKinematics contacts = eval_contact_kinematics(model, state);
    out /= contacts.W_t(perturbation.coordinate, perturbation.contact);
  }
  return out;
}

std::optional<int> find_contact_below(const Model& model, const State& state) {
  const ContactKinematics contacts = eval_contact_kinematics(model, state);
  for (int i = 0; i < model.contact_count(); ++i) {
    const Contact& contact = model.contacts[static_cast<std::size_t>(i)];
    const double closed = kClosure * model.length_scale + contact.blur;
    if (contact.bilateral || !eval_is_active(model, i, state)) continue;
    if (contacts.gap[i] < -closed) return i;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> list_perturbation_names(const Model& model, PerturbationKind kind) {
  std::vector<std::string> out;
  const auto add = [&](bool takes, const std::vector<std::string>& names) {
    if (takes) out.insert(out.end(), names.begin(), names.end());
  };
  add(kind != PerturbationKind::kPush, model.contact_names);
  add(kind != PerturbationKind::kSlip, model.coordinates);
  add(kind != PerturbationKind::kSeparation, list_rates(model));
  return out;
}

Perturbation make_perturbation(const Model& model, PerturbationKind kind, const std::string& name) {
  const std::string where = fmt::format("{} {}", find_word(kPerturbationKinds, kind), name);
  const std::vector<std::string> known = list_perturbation_names(model, kind);
  if (find_index(known, name) < 0) {
    throw InputError(where, fmt::format("expected one of {}, got '{}'{}", fmt::join(known, ", "),
                                        name, make_suggestion(name, known)));
  }
  Perturbation out;
  out.kind = kind;
  out.name = name;
  if (kind != PerturbationKind::kPush) out.contact = find_index(model.contact_names, name);
  if (out.contact < 0) {
    out.coordinate = find_index(model.coordinates, name);
    out.is_rate = out.coordinate < 0;
    if (out.is_rate) out.coordinate = find_index(list_rates(model), name);
    return out;
  }
  if (kind == PerturbationKind::kSeparation) {
    out.coordinate = choose_lifting_coordinate(model, out.contact);
    return out;
  }
  if (!model.gait || model.gait->advance < 0) {
    throw InputError(where, "expected a model whose [gait] has an advance, got none");
  }
  out.coordinate = model.gait->advance;
  out.is_rate = true;
  return out;
}

PerturbedState make_perturbed(const Model& model, const Perturbation& perturbation,
                              const State& state, double size) {
  State out = state;
  out.time = 0.0;
  if (perturbation.kind != PerturbationKind::kSeparation) {
    out.v += size * find_velocity(model, perturbation, state);
  } else if (perturbation.contact >= 0) {
    lift(model, perturbation, size, out.q);
  } else {
    out.q[perturbation.coordinate] += size;
  }
  if (const auto below = find_contact_below(model, out)) {
    return {{},
            {WhyCode::kNotComputed,
             fmt::format("contact '{}' would be below its surface",
                         model.contact_names[static_cast<std::size_t>(*below)])}};
  }
  return {out, {}};
}

SmallPerturbation make_small_perturbation(const Model& model, const Mode& mode,
                                          const Perturbation& perturbation, const State& state) {
  SmallPerturbation out;
  out.change = {VecQ::Zero(model.size()), VecQ::Zero(model.size())};
  if (perturbation.kind == PerturbationKind::kSeparation) {
    out.why = {WhyCode::kNoDerivative,
               "a lifted foot comes down after a time that is the square "
               "root of its height"};
    return out;
  }
  out.change.v = find_velocity(model, perturbation, state);
  const KinematicVariation rates = eval_kinematic_variation(model, state, out.change);
  const ContactKinematics contacts = eval_contact_kinematics(model, state);
  std::vector<int> normals;
  std::vector<int> stopped;
  for (const ClosedMode& closed : mode.closed) {
    const int i = closed.contact;
    const auto terms = [&](const MatQC& W) {
      return W.col(i).cwiseAbs().dot(out.change.v.cwiseAbs());
    };
    normals.push_back(i);
    if (std::abs(rates.gap_rate[i]) > kSumRounding * terms(contacts.W_n)) {
      out.why = {WhyCode::kNoDerivative,
                 fmt::format("it lifts contact '{}' or strikes it into its surface",
                             model.contact_names[static_cast<std::size_t>(i)])};
      return out;
    }
    const double slip = rates.slip[i];
    if (!closed.sticks()) continue;
    stopped.push_back(i);
    if (std::abs(slip) <= kSumRounding * terms(contacts.W_t)) continue;
    out.is_stopped = true;
    for (const double sign : {1.0, -1.0}) {
      if (eval_sliding_response(model, state, i, sign).p > 0.0) continue;
      out.why = {WhyCode::kNoDerivative,
                 fmt::format("a slip of contact '{}' meets p < 0 however small it is",
                             model.contact_names[static_cast<std::size_t>(i)])};
      return out;
    }
  }
  if (!out.is_stopped) return out;
  State moved = state;
  moved.v += out.change.v;
  State held = state;
  stop_velocities(model, normals, stopped, moved);
  stop_velocities(model, normals, stopped, held);
  out.change.v = moved.v - held.v;
  return out;
}

}  // namespace slipstick
