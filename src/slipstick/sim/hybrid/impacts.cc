#include "slipstick/sim/hybrid/impacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "slipstick/core/scales.h"
#include "slipstick/impact.h"
#include "slipstick/impact/fremond.h"
#include "slipstick/impact/simultaneous.h"
#include "slipstick/mode_letters.h"
#include "slipstick/model/forces.h"
#include "slipstick/sim/hybrid/continuation.h"
#include "slipstick/sim/hybrid/hybrid_state.h"

namespace slipstick {
namespace {

constexpr const char* kCreatedEnergy = "the law created energy";

bool is_inelastic(ImpactLaw law) {
  return law == ImpactLaw::kInelastic || law == ImpactLaw::kFremond;
}

/// The contacts among `all` that feel an impulse at `struck`, directly or through others.
PerContact<int> list_coupled(const ImpactSituation& at, const PerContact<int>& all,
                             const PerContact<int>& struck) {
  if (at.alone) return struck;
  const Mat2C G = eval_contact_dynamics(at.model, at.state, as_span(all)).G;
  PerContact<bool> taken;
  for (const int i : all) taken.push_back(std::count(struck.begin(), struck.end(), i) > 0);
  taken = find_coupled(G, taken);
  PerContact<int> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (taken[i]) out.push_back(all[i]);
  }
  return out;
}

/// Changes the velocities by impulses at these contacts (entries 2 i, 2 i + 1), and records it.
ImpactEffect apply(const ImpactSituation& at, const PerContact<int>& contacts,
                   const ContactDynamics& dynamics, ImpactLaw law, const Vec2C& impulses) {
  const int count = at.model.contact_count();
  ImpactEffect out{at.state,
                   at.contacts,
                   {law,
                    VecC::Zero(count),
                    VecC::Zero(count),
                    VecC::Zero(count),
                    VecC::Zero(count),
                    {},
                    {},
                    0.0,
                    0.0,
                    {},
                    {}},
                   eval_kinetic_energy(at.model, at.state),
                   0.0,
                   {},
                   "impact",
                   {}};
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

/// The side to which a bilateral contact pushes in an impact of its own: against its gap rate;
/// without a collision, the side where friction drives it in (p < 0, or zero at a jam).
double find_side(const Contact& contact, const Mat2C& G, double gap_rate, double slip) {
  if (!contact.bilateral) return 1.0;
  const double toward = gap_rate != 0.0 ? -gap_rate : slip * G(0, 1);
  return toward < 0.0 ? -1.0 : 1.0;
}

/// The phases of one contact: it slides as before until its slip ends, then sticks or slides the
/// other way, and opens if it rebounds.
std::vector<ModeWord> list_phases(const ImpactSituation& at, int contact, double slip,
                                  const ContactImpulse& impulse) {
  std::vector<ModeWord> out;
  const auto add = [&](ContactMode mode) {
    ModeWord word(at.model.contacts.size());
    word.set(static_cast<std::size_t>(contact), mode);
    if (out.empty() || out.back() != word) out.push_back(word);
  };
  if (slip != 0.0) add(make_slip_mode(slip));
  add(make_slip_mode(impulse.slip));
  if (impulse.gap_rate > 0.0) add(ContactMode::kFree);
  return out;
}

/// One contact alone, along its path in impulse space. A bilateral contact is treated from the side
/// to which it pushes. It stays closed, so it has no restitution.
std::vector<ImpactEffect> follow_path(const ImpactSituation& at, int contact, double gap_rate,
                                      bool jammed) {
  const Contact& c = at.model.contacts[static_cast<std::size_t>(contact)];
  const PerContact<int> contacts{contact};
  const ContactDynamics dynamics = eval_contact_dynamics(at.model, at.state, as_span(contacts));
  const Mat2C& G = dynamics.G;
  const double slip = eval_contact_kinematics(at.model, at.state).slip[contact];
  const ImpactLaw law = law_of(at, contact);
  const double side = find_side(c, G, gap_rate, slip);
  const ContactImpact impact{{G(0, 0), side * G(0, 1), G(1, 1)},
                             side * gap_rate,
                             slip,
                             c.mu,
                             c.bilateral ? 0.0 : c.restitution,
                             c.bilateral ? ImpactLaw::kInelastic : law,
                             jammed};
  const auto solution = solve_contact_impact(impact);
  if (!solution) return {};
  const ContactImpulse& impulse = *solution;
  ImpactEffect out =
      apply(at, contacts, dynamics, law, Vec2C{{side * impulse.impulse_n, impulse.impulse_t}});
  out.record.phases = list_phases(at, contact, slip, impulse);
  out.path = FollowedPath{contact, side, impact, impulse};
  if (impulse.replaced) out.notes.emplace_back("the contact wedges: restitution by Poisson's law");
  // Work at the contact, seen from the surface.
  const double gain = 0.5 * (side * gap_rate + impulse.gap_rate) * impulse.impulse_n +
                      0.5 * (slip + impulse.slip) * impulse.impulse_t;
  if (gain > kEnergyGain * out.energy_before) out.notes.emplace_back(kCreatedEnergy);
  PerContact<int> normals;
  PerContact<int> tangents;
  if (impulse.slip == 0.0) tangents.push_back(contact);
  if (impulse.gap_rate > 0.0) {
    out.contacts.open(contact, 1);
  } else {
    normals.push_back(contact);
    out.contacts.close(at.model, contact, impulse.slip);
  }
  // Velocities that are zero under the law are set to exactly zero.
  stop_velocities(at.model, as_span(normals), as_span(tangents), out.state);
  return {std::move(out)};
}

/// Closes the contacts that an outcome leaves closed, with exact zeros where the law has them.
void take_outcome(const ImpactSituation& at, const PerContact<int>& contacts,
                  const ImpactOutcome& outcome, ImpactEffect& out) {
  PerContact<int> normals;
  PerContact<int> tangents;
  const ContactKinematics after = eval_contact_kinematics(at.model, out.state);
  for (const int i : contacts) {
    const auto k = static_cast<std::size_t>(i);
    if (!is_closed(outcome.modes[k])) {
      out.contacts.open(i, 1);
      continue;
    }
    normals.push_back(i);
    const bool sticks = outcome.modes[k] == ContactMode::kStick && at.model.contacts[k].mu > 0.0;
    // A slip of the size of rounding of the earlier speeds is zero, also where nothing sticks.
    const double speed = after.W_t.col(i).cwiseAbs().dot(at.state.v.cwiseAbs());
    const bool stands = sticks || std::abs(after.slip[i]) <= kSumRounding * speed;
    if (stands) tangents.push_back(i);
    out.contacts.close(at.model, i, stands ? 0.0 : after.slip[i]);
  }
  stop_velocities(at.model, as_span(normals), as_span(tangents), out.state);
}

/// Makes the speed that the impact ends the scale of what counts as small: that of the fastest
/// collision, or else the slowest slip. It may be far below the contacts' own speeds, down to their
/// rounding.
void compare_with_impact(ImpactProblem& problem) {
  constexpr double kOfContacts = 1e-4;  // times the tolerance: rounding of the contacts' own speeds
  ContactProblem& contacts = problem.contacts;
  double collision = 0.0;
  double slip = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < contacts.a_free.size(); i += 2) {
    collision = std::max(collision, -contacts.a_free[i]);
    slip = std::min(slip, std::abs(contacts.a_free[i + 1]));
  }
  const double speed = problem.collides ? collision : slip;
  contacts.a_scale =
      contacts.a_scale.cwiseMin((kOfContacts * contacts.a_scale.array() + speed).matrix().eval());
}

/// The impulses of an outcome at these contacts (entries 2 i, 2 i + 1).
Vec2C list_impulses(const PerContact<int>& contacts, const ImpactOutcome& outcome) {
  Vec2C out(static_cast<Eigen::Index>(2 * contacts.size()));
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    out[static_cast<Eigen::Index>(2 * i)] = outcome.impulse_n[contacts[i]];
    out[static_cast<Eigen::Index>(2 * i + 1)] = outcome.impulse_t[contacts[i]];
  }
  return out;
}

/// All contacts together, by the velocities after the impact. Without a collision Fremond's law
/// opposes the mean slip. `rebounding`: contacts that have had their restitution at this time.
std::vector<ImpactEffect> solve_together(const ImpactSituation& at, const PerContact<int>& contacts,
                                         ImpactLaw law, bool collides,
                                         const PerContact<int>& rebounding = {}) {
  ImpactProblem problem = make_impact_problem(at.model, at.state, contacts, at.tolerances);
  problem.collides = collides;
  problem.opposes_mean_slip = law == ImpactLaw::kFremond && !collides;
  compare_with_impact(problem);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const bool bilateral = at.model.contacts[static_cast<std::size_t>(contacts[i])].bilateral;
    const bool is_spent = std::count(rebounding.begin(), rebounding.end(), contacts[i]) > 0;
    if (is_inelastic(law_of(at, contacts[i])) || problem.opposes_mean_slip || bilateral ||
        is_spent) {
      problem.restitution[static_cast<Eigen::Index>(i)] = 0.0;
    }
  }
  std::vector<ImpactEffect> out;
  for (const ImpactOutcome& outcome : find_poisson_outcomes(problem, at.tolerances)) {
    ImpactEffect& effect = out.emplace_back(
        apply(at, contacts, problem.contacts, law, list_impulses(contacts, outcome)));
    take_outcome(at, contacts, outcome, effect);
    effect.word = to_letters(outcome.modes);
    effect.record.family = outcome.family;
    effect.record.compression_n = outcome.compression_n;
    effect.record.compression_t = outcome.compression_t;
    if (problem.opposes_mean_slip) effect.record.phases.push_back(at.contacts.make_word());
    if (problem.restitution.maxCoeff() > 0.0) {
      effect.record.phases.push_back(outcome.compression_modes);
    }
    effect.record.phases.push_back(outcome.modes);
    const bool is_replaced = law == ImpactLaw::kNewton || law == ImpactLaw::kStronge;
    effect.by_poisson = is_replaced && problem.restitution.maxCoeff() > 0.0;
    if (effect.by_poisson) {
      effect.notes.emplace_back("several contacts: restitution by Poisson's law");
    }
    if (outcome.pushes_and_pulls) {
      effect.notes.emplace_back(
          "a bilateral contact pushes and pulls: friction acts in both parts");
    }
    if (outcome.creates_energy) effect.notes.emplace_back(kCreatedEnergy);
    if (outcome.family && !outcome.family->velocity_is_unique) {
      effect.notes.emplace_back("a family of velocities satisfies the law; one member was taken");
    }
  }
  return out;
}

/// The largest percussion of Fremond's law at a jam, with friction as before.
std::optional<Vec2C> find_largest_jump(const ImpactSituation& at, const PerContact<int>& contacts,
                                       const ContactDynamics& dynamics) {
  const ContactKinematics kinematics = eval_contact_kinematics(at.model, at.state);
  JumpProblem problem;
  problem.G = dynamics.G;
  for (const int i : contacts) {
    const Contact& contact = at.model.contacts[static_cast<std::size_t>(i)];
    const bool slides = at.contacts.find(i)->slip_sign != 0;
    problem.contacts.push_back({slides ? kinematics.slip[i] : 0.0, contact.mu, contact.bilateral});
  }
  return solve_largest_jump(problem);
}

/// A jump of the turn rate of the contact's body [rad/s], as a part of the largest one.
struct Jump {
  double part = 1.0;
  double largest = 0.0;
  std::string note;
};

/// The jump that the model wants. A contact that cannot open needs one.
Jump find_jump(const ImpactSituation& at, int contact, const PerContact<int>& contacts,
               const VecQ& change) {
  const Contact& c = at.model.contacts[static_cast<std::size_t>(contact)];
  const double largest = std::abs(eval_turn_rate_change(at.model, c, change));
  if (!(largest > 0.0)) return {};
  Jump out{std::min(1.0, c.jump / largest), largest, {}};
  if (c.jump > largest) out.note = "jump clipped to its maximum";
  const bool can_open = !c.bilateral && opens_after_release(at.model, at.state, contacts);
  if (out.part == 0.0 && !can_open) {
    out.part = 1.0;
    out.note = "without a jump the motion cannot continue: the largest one was taken";
  }
  return out;
}

/// The family of all jumps up to the largest.
ImpulseFamily make_jump_family(const ImpactRecord& largest) {
  ImpulseFamily out{1, false, {}, {}, {}};
  const auto add = [](std::vector<Range>& ranges, double from, double to) {
    ranges.emplace_back(std::min(from, to), std::max(from, to));
  };
  for (const double impulse : largest.impulse_n) add(out.impulse_n, 0.0, impulse);
  for (const double impulse : largest.impulse_t) add(out.impulse_t, 0.0, impulse);
  for (Eigen::Index i = 0; i < largest.v_plus.size(); ++i) {
    add(out.velocity, largest.v_minus[i], largest.v_plus[i]);
  }
  return out;
}

/// The percussion of Fremond's law at a jam of `contact`, with the closed contacts that take part.
std::vector<ImpactEffect> jump(const ImpactSituation& at, int contact,
                               const PerContact<int>& contacts) {
  const ContactDynamics dynamics = eval_contact_dynamics(at.model, at.state, as_span(contacts));
  const auto impulses = find_largest_jump(at, contacts, dynamics);
  if (!impulses) return {};
  const Jump taken = find_jump(at, contact, contacts, dynamics.M_inverse_W * *impulses);
  ImpactEffect out = apply(at, contacts, dynamics, ImpactLaw::kFremond, taken.part * *impulses);
  out.record.family =
      make_jump_family(apply(at, contacts, dynamics, ImpactLaw::kFremond, *impulses).record);
  out.largest_jump = taken.largest;
  if (taken.largest > 0.0) {
    out.word = fmt::format("jump {:.6g}", taken.part * taken.largest);
    out.range.push_back(fmt::format("jump 0 to {:.6g}", taken.largest));
  }
  if (!taken.note.empty()) out.notes.push_back(taken.note);
  out.notes.emplace_back("marginal: p is zero up to rounding after the jump");
  const ContactKinematics after = eval_contact_kinematics(at.model, out.state);
  out.record.phases.push_back(at.contacts.make_word());
  for (const int i : contacts) {
    const Contact& c = at.model.contacts[static_cast<std::size_t>(i)];
    // Without a jump, a sliding contact at p = 0 can only open.
    if (taken.part == 0.0 && c.mu > 0.0 && !c.bilateral && after.slip[i] != 0.0) {
      out.contacts.open(i, 3);
    } else {
      out.contacts.close(at.model, i, at.contacts.find(i)->slip_sign == 0 ? 0.0 : after.slip[i]);
    }
  }
  stop_velocities(at.model, as_span(contacts), {}, out.state);
  out.record.phases.push_back(out.contacts.make_word());
  return {std::move(out)};
}

/// An impulse without collision, in which closed and rebounding contacts that feel it take part.
std::vector<ImpactEffect> strike(const ImpactSituation& at, int contact,
                                 const PerContact<int>& rebounding, bool jammed) {
  const ImpactLaw law = law_of(at, contact);
  ContactSet all = at.contacts;
  for (const int i : rebounding) all.close(at.model, i, 0.0);
  const PerContact<int> struck = list_coupled(at, all.list(), {contact});
  const bool opposes_mean_slip = law == ImpactLaw::kFremond;
  if (opposes_mean_slip && jammed) return jump(at, contact, struck);
  if (struck.size() == 1 && !opposes_mean_slip) {
    std::vector<ImpactEffect> out = follow_path(at, contact, 0.0, jammed);
    const bool is_idle = !out.empty() && out[0].record.impulse_n[contact] == 0.0;
    return is_idle ? std::vector<ImpactEffect>{} : std::move(out);  // nothing drives it in (p > 0)
  }
  return solve_together(at, struck, law, false, rebounding);
}

/// True if no contact approaches faster than what counts as rest. Impulses of several contacts
/// would be rounding; those of one contact are exact.
bool touches_softly(const ImpactSituation& at, const std::vector<int>& colliding) {
  const ContactKinematics contacts = eval_contact_kinematics(at.model, at.state);
  const VecQ rates = eval_rates(at.model, at.state);
  return std::all_of(colliding.begin(), colliding.end(), [&](int i) {
    return -contacts.gap_rate[i] <= kStill * find_speed(at.model, i, rates);
  });
}

/// Closes contacts without an impulse.
ImpactEffect touch(const ImpactSituation& at, const PerContact<int>& contacts) {
  const ContactDynamics dynamics = eval_contact_dynamics(at.model, at.state, as_span(contacts));
  const auto rows = static_cast<Eigen::Index>(2 * contacts.size());
  ImpactEffect out = apply(at, contacts, dynamics, law_of(at, contacts[0]), Vec2C::Zero(rows));
  const ContactKinematics now = eval_contact_kinematics(at.model, at.state);
  const VecQ rates = eval_rates(at.model, at.state);
  const auto stands = [&](const ContactKinematics& at_end, int i) {
    return std::abs(at_end.slip[i]) <= kStill * find_speed(at.model, i, rates);
  };
  PerContact<int> standing;
  for (const int i : contacts) {
    if (stands(now, i)) standing.push_back(i);
  }
  stop_velocities(at.model, as_span(contacts), as_span(standing), out.state);
  const ContactKinematics after = eval_contact_kinematics(at.model, out.state);
  for (const int i : contacts) {
    out.contacts.close(at.model, i, stands(after, i) ? 0.0 : after.slip[i]);
  }
  out.record.phases.push_back(out.contacts.make_word());
  return out;
}

}  // namespace

ImpactLaw law_of(const ImpactSituation& at, int contact) {
  return at.law.value_or(at.model.contacts[static_cast<std::size_t>(contact)].law);
}

ImpactEffect apply_impulses(const ImpactSituation& at, const Mode& mode, int contact,
                            const Vec2C& impulses) {
  const ContactDynamics dynamics = eval_contact_dynamics(at.model, at.state, as_span(mode.indices));
  ImpactEffect out = apply(at, mode.indices, dynamics, law_of(at, contact), impulses);
  project_onto_mode(at.model, mode, out.state);
  out.record.phases.push_back(mode.word);
  return out;
}

std::vector<ImpactEffect> find_collisions(const ImpactSituation& at,
                                          const std::vector<int>& colliding) {
  ContactSet all = at.contacts;
  for (const int i : colliding) all.close(at.model, i, 0.0);
  const PerContact<int> struck = list_coupled(at, all.list(), {colliding.begin(), colliding.end()});
  if (struck.size() > 1 && touches_softly(at, colliding)) return {touch(at, struck)};
  if (struck.size() == 1) {
    const double gap_rate = eval_contact_kinematics(at.model, at.state).gap_rate[struck[0]];
    return follow_path(at, struck[0], gap_rate, false);
  }
  return solve_together(at, struck, law_of(at, colliding[0]), true);
}

std::vector<ImpactEffect> find_strikes(const ImpactSituation& at, int contact,
                                       const PerContact<int>& rebounding, bool jammed) {
  std::vector<ImpactEffect> alone = strike(at, contact, {}, jammed);
  const auto drives_in = [&](const ImpactEffect& effect) {
    const ContactKinematics after = eval_contact_kinematics(at.model, effect.state);
    return std::any_of(rebounding.begin(), rebounding.end(),
                       [&](int i) { return after.gap_rate[i] < 0.0; });
  };
  if (jammed || std::none_of(alone.begin(), alone.end(), drives_in)) return alone;
  // Or else the two would take turns without end.
  return strike(at, contact, rebounding, jammed);
}

}  // namespace slipstick
