#include "slipstick/sim/impacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "slipstick/impact/fremond.h"
#include "slipstick/impact/impulse_path.h"
#include "slipstick/impact/simultaneous.h"
#include "slipstick/model/forces.h"
#include "slipstick/sim/continuation.h"
#include "slipstick/sim/mode.h"

namespace slipstick {
namespace {

bool is_inelastic(ImpactLaw law) {
  return law == ImpactLaw::kInelastic || law == ImpactLaw::kFremond;
}

/// The contacts among `all` that feel an impulse at `struck`, directly or through others.
PerContact<int> list_coupled(const ImpactSituation& at, const PerContact<int>& all,
                             const PerContact<int>& struck) {
  const Mat2C G = eval_contact_dynamics(at.model, at.state, as_span(all)).G;
  const auto size = static_cast<Eigen::Index>(all.size());
  const auto feels = [&](Eigen::Index i, Eigen::Index j) {
    constexpr double kRounding = 1e-12;
    const auto mobility = [&](Eigen::Index k) { return G(2 * k, 2 * k) + G(2 * k + 1, 2 * k + 1); };
    return G.block(2 * i, 2 * j, 2, 2).cwiseAbs().maxCoeff() >
           kRounding * std::sqrt(mobility(i) * mobility(j));
  };
  PerContact<bool> taken;
  for (const int i : all) taken.push_back(std::count(struck.begin(), struck.end(), i) > 0);
  for (bool grows = true; grows;) {
    grows = false;
    for (Eigen::Index i = 0; i < size; ++i) {
      for (Eigen::Index j = 0; j < size && !taken[static_cast<std::size_t>(i)]; ++j) {
        if (!taken[static_cast<std::size_t>(j)] || !feels(i, j)) continue;
        taken[static_cast<std::size_t>(i)] = grows = true;
      }
    }
  }
  PerContact<int> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (taken[i]) out.push_back(all[i]);
  }
  return out;
}

/// Moves the velocities by impulses at these contacts (entries 2 i, 2 i + 1), and tells it.
ImpactEffect apply(const ImpactSituation& at, const PerContact<int>& contacts,
                   const ContactDynamics& dynamics, ImpactLaw law, const Vec2C& impulses) {
  const int count = at.model.contact_count();
  ImpactEffect out{at.state,
                   at.contacts,
                   {law, VecC::Zero(count), VecC::Zero(count), {}, {}, 0.0},
                   eval_kinetic_energy(at.model, at.state),
                   0.0,
                   {},
                   "impact"};
  ImpactRecord& record = out.record;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(2 * i);
    const Contact& contact = at.model.contacts[static_cast<std::size_t>(contacts[i])];
    const Surface& surface = at.model.surfaces[static_cast<std::size_t>(contact.surface)];
    record.impulse_n[contacts[i]] = impulses[row];
    record.impulse_t[contacts[i]] = impulses[row + 1];
    record.work_of_surface += impulses[row + 1] * eval_function(surface.speed, at.state);
  }
  record.v_minus = at.state.v;
  out.state.v += dynamics.M_inverse_W.lazyProduct(impulses);
  record.v_plus = out.state.v;
  out.energy_after = eval_kinetic_energy(at.model, out.state);
  return out;
}

/// One contact alone, along its path in impulse space.
std::vector<ImpactEffect> follow_path(const ImpactSituation& at, int contact, double gap_rate,
                                      bool jammed) {
  const Contact& c = at.model.contacts[static_cast<std::size_t>(contact)];
  const PerContact<int> contacts{contact};
  const ContactDynamics dynamics = eval_contact_dynamics(at.model, at.state, as_span(contacts));
  const Mat2C& G = dynamics.G;
  const double slip = eval_contact_kinematics(at.model, at.state).slip[contact];
  const ImpactLaw law = law_of(at, contact);
  const auto solution = solve_contact_impact(
      {{G(0, 0), G(0, 1), G(1, 1)}, gap_rate, slip, c.mu, c.restitution, law, jammed});
  if (!solution) return {};
  const ContactImpulse& impulse = *solution;
  ImpactEffect out =
      apply(at, contacts, dynamics, law, Vec2C{{impulse.impulse_n, impulse.impulse_t}});
  if (impulse.replaced) out.notes.emplace_back("the contact wedges: restitution by Poisson's law");
  // Work at the contact, seen from the surface.
  const double gain = 0.5 * (gap_rate + impulse.gap_rate) * impulse.impulse_n +
                      0.5 * (slip + impulse.slip) * impulse.impulse_t;
  constexpr double kRounding = 1e-10;
  if (gain > kRounding * out.energy_before) out.notes.emplace_back("the law created energy");
  PerContact<int> normals;
  PerContact<int> tangents;
  if (impulse.slip == 0.0) tangents.push_back(contact);
  if (impulse.gap_rate > 0.0) {
    out.contacts.open(contact, 1);
  } else {
    normals.push_back(contact);
    out.contacts.close(contact, impulse.slip);
  }
  // Zeros that the law gives exactly are exact.
  stop_velocities(at.model, as_span(normals), as_span(tangents), out.state);
  return {std::move(out)};
}

/// Which contacts an outcome leaves closed, with the zeros it means exactly.
void take_outcome(const ImpactSituation& at, const PerContact<int>& contacts,
                  const ImpactOutcome& outcome, ImpactEffect& out) {
  PerContact<int> normals;
  PerContact<int> tangents;
  const ContactKinematics after = eval_contact_kinematics(at.model, out.state);
  for (const int i : contacts) {
    const auto k = static_cast<std::size_t>(i);
    if (outcome.modes[k] == 'F') {
      out.contacts.open(i, 1);
      continue;
    }
    normals.push_back(i);
    const bool sticks = outcome.modes[k] == 'S' && at.model.contacts[k].mu > 0.0;
    // Rounding of the speeds before is no slip, where nothing sticks either.
    constexpr double kRounding = 1e-14;
    const double speed = after.W_t.col(i).cwiseAbs().dot(at.state.v.cwiseAbs());
    const bool stands = sticks || std::abs(after.slip[i]) <= kRounding * speed;
    if (stands) tangents.push_back(i);
    out.contacts.close(i, stands ? 0.0 : after.slip[i]);
  }
  stop_velocities(at.model, as_span(normals), as_span(tangents), out.state);
}

/// What is small is so beside the speed that the impact ends: of the fastest collision, or else of
/// the slowest slip. It may be far below the contacts' own speeds, down to rounding of those.
void compare_with_impact(ImpactProblem& problem) {
  constexpr double kRounding = 1e-4;  // times the tolerance
  ContactProblem& contacts = problem.contacts;
  double collision = 0.0;
  double slip = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < contacts.a_free.size(); i += 2) {
    collision = std::max(collision, -contacts.a_free[i]);
    slip = std::min(slip, std::abs(contacts.a_free[i + 1]));
  }
  const double speed = problem.collides ? collision : slip;
  contacts.a_scale =
      contacts.a_scale.cwiseMin((kRounding * contacts.a_scale.array() + speed).matrix().eval());
}

/// All contacts together, by the velocities after the impact.
std::vector<ImpactEffect> solve_together(const ImpactSituation& at, const PerContact<int>& contacts,
                                         ImpactLaw law, bool collides) {
  ImpactProblem problem = make_impact_problem(at.model, at.state, contacts, at.tolerances);
  problem.collides = collides;
  compare_with_impact(problem);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (is_inelastic(law_of(at, contacts[i]))) {
      problem.restitution[static_cast<Eigen::Index>(i)] = 0.0;
    }
  }
  std::vector<ImpactEffect> out;
  for (const ImpactOutcome& outcome : find_poisson_outcomes(problem, at.tolerances)) {
    Vec2C impulses(static_cast<Eigen::Index>(2 * contacts.size()));
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      impulses[static_cast<Eigen::Index>(2 * i)] = outcome.impulse_n[contacts[i]];
      impulses[static_cast<Eigen::Index>(2 * i + 1)] = outcome.impulse_t[contacts[i]];
    }
    ImpactEffect& effect = out.emplace_back(apply(at, contacts, problem.contacts, law, impulses));
    take_outcome(at, contacts, outcome, effect);
    effect.word = outcome.modes;
    if (law == ImpactLaw::kNewton || law == ImpactLaw::kStronge) {
      effect.notes.emplace_back("several contacts: restitution by Poisson's law");
    }
  }
  return out;
}

/// A jump of the contact's body's turn rate, as a part of the full reversal [rad/s].
struct Jump {
  double part = 1.0;
  std::string word, note;
};

std::vector<Jump> list_jumps(const ImpactSituation& at, const Contact& contact, const VecQ& change,
                             bool family) {
  const double largest = std::abs(eval_turn_rate_change(at.model, contact, change));
  const auto name = [&](double part) { return fmt::format("jump {:.6g}", part * largest); };
  if (!(largest > 0.0)) return {{1.0, "impact", {}}};
  if (family) return {{1.0, name(1.0), {}}, {0.5, name(0.5), {}}, {0.0, name(0.0), {}}};
  const double part = std::min(1.0, contact.jump / largest);
  return {{part, name(part), contact.jump > largest ? "jump clipped to its maximum" : ""}};
}

/// Fremond's percussion at these contacts, the closed ones that take part.
std::vector<ImpactEffect> reverse_slips(const ImpactSituation& at, const PerContact<int>& contacts,
                                        bool jammed, bool family) {
  const ContactDynamics dynamics = eval_contact_dynamics(at.model, at.state, as_span(contacts));
  const ContactKinematics kinematics = eval_contact_kinematics(at.model, at.state);
  const auto k = static_cast<Eigen::Index>(contacts.size());
  SlipReversal problem{dynamics.G, VecC(k), VecC(k)};
  for (Eigen::Index i = 0; i < k; ++i) {
    const int contact = contacts[static_cast<std::size_t>(i)];
    problem.slip[i] = kinematics.slip[contact];
    problem.mu[i] = at.model.contacts[static_cast<std::size_t>(contact)].mu;
  }
  const auto impulses = solve_slip_reversal(problem);
  if (!impulses) return {};
  std::vector<Jump> jumps{{1.0, "impact", {}}};
  if (jammed) {
    const Contact& contact = at.model.contacts[static_cast<std::size_t>(contacts[0])];
    jumps = list_jumps(at, contact, dynamics.M_inverse_W * *impulses, family);
    if (jumps.size() == 1 && jumps[0].part == 0.0 &&
        !opens_after_release(at.model, at.state, contacts)) {
      jumps[0] = {1.0, "impact", "without a jump the motion cannot go on: the largest was taken"};
    }
  }
  std::vector<ImpactEffect> out;
  for (const Jump& jump : jumps) {
    ImpactEffect& effect =
        out.emplace_back(apply(at, contacts, dynamics, ImpactLaw::kFremond, jump.part * *impulses));
    effect.word = jump.word;
    if (!jump.note.empty()) effect.notes.push_back(jump.note);
    if (jammed) effect.notes.emplace_back("marginal: p is zero up to rounding after the jump");
    const ContactKinematics after = eval_contact_kinematics(at.model, effect.state);
    for (const int i : contacts) {
      // Without a jump all that is left to a sliding contact at p = 0 is to open.
      const bool leaves =
          jump.part == 0.0 && at.model.contacts[static_cast<std::size_t>(i)].mu > 0.0;
      if (leaves && after.slip[i] != 0.0) {
        effect.contacts.open(i, 3);
      } else {
        effect.contacts.close(i, after.slip[i]);
      }
    }
    stop_velocities(at.model, as_span(contacts), {}, effect.state);
  }
  return out;
}

}  // namespace

ImpactLaw law_of(const ImpactSituation& at, int contact) {
  return at.law.value_or(at.model.contacts[static_cast<std::size_t>(contact)].law);
}

std::vector<ImpactEffect> find_collisions(const ImpactSituation& at,
                                          const std::vector<int>& colliding) {
  ContactSet all = at.contacts;
  for (const int i : colliding) all.close(i, 0.0);
  const PerContact<int> struck = list_coupled(at, all.list(), {colliding.begin(), colliding.end()});
  if (struck.size() == 1) {
    const double gap_rate = eval_contact_kinematics(at.model, at.state).gap_rate[struck[0]];
    return follow_path(at, struck[0], gap_rate, false);
  }
  return solve_together(at, struck, law_of(at, colliding[0]), true);
}

std::vector<ImpactEffect> find_strikes(const ImpactSituation& at, int contact, bool jammed,
                                       bool family) {
  const ImpactLaw law = law_of(at, contact);
  const PerContact<int> struck = list_coupled(at, at.contacts.list(), {contact});
  if (law == ImpactLaw::kFremond) return reverse_slips(at, struck, jammed, family);
  if (struck.size() == 1) return follow_path(at, contact, 0.0, jammed);
  return solve_together(at, struck, law, false);
}

}  // namespace slipstick
