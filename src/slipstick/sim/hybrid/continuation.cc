#include "slipstick/sim/hybrid/continuation.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "slipstick/core/linear_program.h"
#include "slipstick/core/scales.h"
#include "slipstick/model/scale.h"
#include "slipstick/sim/hybrid/slow_start.h"
#include "slipstick/sim/singular/passage.h"

namespace slipstick {
namespace {

/// How far to look ahead, relative to the motion's own time: long enough for a change to exceed
/// rounding, short enough to be linear.
constexpr double kAhead = 1e-5;  // of the motion's own time

/// The data by which modes are judged.
struct Judgement {
  const Model& model;
  const PerContact<ClosedContact>& closed;
  const VecQ& rates;  ///< what counts as large, where all loads pass through zero [1/s]
  const Tolerances& tolerances;

  [[nodiscard]] ContactProblem make_problem(const State& state) const {
    ContactProblem out = make_contact_problem(model, state, eval_contact_kinematics(model, state),
                                              closed, tolerances);
    for (std::size_t i = 0; i < closed.size(); ++i) {
      const Contact& contact = model.contacts[static_cast<std::size_t>(closed[i].index)];
      const double rate = contact.group >= 0 ? rates[contact.group] : 0.0;
      out.a_scale.segment<2>(static_cast<Eigen::Index>(2 * i)).array() +=
          contact.length * rate * rate;
    }
    return out;
  }
};

enum class Outlook { kKeeps, kNeutral, kBreaks };

/// True if no tree of bodies moves by more than this part of its rates so far.
bool is_still(const Judgement& by, const VecQ& scale, const State& state, const ModeSolution& mode,
              double part) {
  const VecQ speeds = state.v.cwiseAbs().cwiseQuotient(scale);
  const VecQ pushes = mode.acceleration.cwiseAbs().cwiseQuotient(scale).cwiseSqrt();
  const VecQ now = spread_over_groups(by.model, speeds.cwiseMax(pushes));
  return (now.array() <= part * by.rates.array()).all();
}

/// Whether a mode with an inequality at zero satisfies it along its own motion, to first order.
Outlook find_outlook(const Judgement& by, const State& state, const ModeSolution& mode) {
  constexpr double kNearest = 1e-8;  // of the motion's own time: changes there are above rounding
  const VecQ scale = make_coordinate_scale(by.model);
  double rate = eval_rate_scale(scale, state.v, mode.acceleration);
  if (by.model.depends_on_time) {  // a load may grow while the mechanism is at rest
    rate = std::max({rate, std::sqrt(by.model.gravity.norm() / by.model.length_scale), 1.0});
  }
  // Slower than the rounding of earlier motion counts as no motion.
  if (rate <= kLeftover * by.rates.maxCoeff() && is_still(by, scale, state, mode, kLeftover)) {
    return Outlook::kNeutral;
  }
  // Near d = 0 forces change within a small part of the motion's own time, so the first change that
  // exceeds rounding counts.
  for (double part = kNearest; part < 2.0 * kAhead; part *= 10.0) {
    const double ahead = part / rate;
    State next = state;
    next.time += ahead;
    next.q += ahead * (state.v + 0.5 * ahead * mode.acceleration);
    next.v += ahead * mode.acceleration;
    const auto slack = eval_mode_slack(by.make_problem(next), mode, by.tolerances);
    if (!slack || *slack < -kMarginal) return Outlook::kBreaks;
    if (*slack > kMarginal) return Outlook::kKeeps;
  }
  return Outlook::kNeutral;
}

/// Compares motions only, because forces may differ at redundant contacts.
bool has_same_motion(const Judgement& by, const ModeSolution& a, const ModeSolution& b) {
  const VecQ scale = make_coordinate_scale(by.model);
  const VecQ size =
      spread_over_groups(
          by.model, (a.acceleration.cwiseAbs() + b.acceleration.cwiseAbs()).cwiseQuotient(scale)) +
      by.model.gravity.norm() * by.model.lengths.cwiseInverse() + by.rates.cwiseAbs2();
  return ((a.acceleration - b.acceleration).cwiseAbs().cwiseQuotient(scale).array() <=
          kSameSolution * size.array())
      .all();
}

/// The contacts whose modes' laws the forces and accelerations of a mode break. A slip that begins
/// needs an acceleration; everything else may be zero.
PerContact<int> list_broken(const Judgement& by, const State& state, const Mode& followed,
                            const ModeSolution& mode) {
  constexpr double kBroken = 1e-8;  // of the largest force or of the terms of an acceleration
  const double least = -kBroken * (mode.force_n.cwiseAbs() + mode.force_t.cwiseAbs()).maxCoeff();
  const auto pushes = [&](const ClosedMode& contact) {
    const double f_n = mode.force_n[contact.contact];
    const double f_t = mode.force_t[contact.contact];
    const double mu_s = by.model.contacts[static_cast<std::size_t>(contact.contact)].mu_s;
    const bool in_cone = !contact.sticks() || mu_s * std::abs(f_n) - std::abs(f_t) >= least;
    return (contact.bilateral || f_n >= least) && in_cone;
  };
  const ContactKinematics contacts = eval_contact_kinematics(by.model, state);
  const auto moves = [&](const ClosedContact& contact) {
    const ContactMode taken = mode.modes[static_cast<std::size_t>(contact.index)];
    const auto W_n = contacts.W_n.col(contact.index);
    const double opening = W_n.dot(mode.acceleration) + contacts.bias_n[contact.index];
    if (!is_closed(taken)) {
      const double size = W_n.cwiseAbs().dot(mode.acceleration.cwiseAbs()) +
                          std::abs(contacts.bias_n[contact.index]) + by.model.gravity.norm();
      return opening >= -kBroken * size;
    }
    if (contact.slip_sign != 0 || contact.mu_s <= 0.0 || !is_sliding(taken)) return true;
    const double acceleration =
        contacts.W_t.col(contact.index).dot(mode.acceleration) + contacts.bias_t[contact.index];
    // At a dead centre no slip has an acceleration yet.
    return eval_slip_sign(taken) * acceleration > 0.0 ||
           rests_at_dead_centre(by.model, state, by.closed, contact.index);
  };
  PerContact<int> out;
  for (const ClosedMode& contact : followed.closed) {
    if (!pushes(contact)) out.push_back(contact.contact);
  }
  for (const ClosedContact& contact : by.closed) {
    const bool is_known = std::count(out.begin(), out.end(), contact.index) > 0;
    if (!is_known && !moves(contact)) out.push_back(contact.index);
  }
  return out;
}

/// Whether the motion can follow a mode, and the contacts of its family that prevent it.
struct Following {
  bool begins = true;
  PerContact<int> broken;
};

/// Puts the member of a family of forces that the motion follows into a mode. None begins if the
/// family has several motions and this member's motion breaks a law; then another mode is used.
Following take_followed_member(const Judgement& by, const State& state, ModeSolution& mode) {
  if (mode.family.dimension == 0) return {};
  const Mode followed = make_mode(by.model, state, mode);
  // Where friction makes the equations singular (d = 0) motions of the mode end, and none begins.
  const bool is_singular = !is_resolved(eval_mode_field(by.model, followed, state).determinant);
  if (!followed.redundant) return {!is_singular, {}};
  if (is_singular) return {false, followed.indices};
  const ModeField field = eval_natural_field(by.model, followed, state);
  if (!field.regular) return {false, followed.indices};
  const ModeSolution found = mode;
  mode.acceleration = field.acceleration;
  for (std::size_t i = 0; i < followed.closed.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(2 * i);
    const ClosedMode& contact = followed.closed[i];
    const double force = field.impulse_rate[row];
    // A bilateral contact's force keeps the side of the mode where it passes through zero.
    mode.force_n[contact.contact] = contact.bilateral && contact.has_friction
                                        ? std::copysign(force, contact.force_sign)
                                        : force;
    mode.force_t[contact.contact] = field.impulse_rate[row + 1];
  }
  // If the inequalities alone leave a family only one motion, the member that is followed need not
  // have it.
  if (mode.family.acceleration_is_unique && has_same_motion(by, found, mode)) return {};
  PerContact<int> broken = list_broken(by, state, followed, mode);
  const bool begins = broken.empty();
  return {begins, std::move(broken)};
}

/// The motions along which none of these directions changes, as columns.
Eigen::MatrixXd find_motions(const Eigen::MatrixXd& held) {
  Eigen::FullPivLU<Eigen::MatrixXd> solver(held.transpose());
  solver.setThreshold(kDependent);
  if (solver.dimensionOfKernel() == 0) return Eigen::MatrixXd(held.rows(), 0);
  return solver.kernel();
}

/// Directions of the contacts that a mode closes, of length one in units of the coordinates.
struct SlipDirections {
  Eigen::MatrixXd normals, held, begun;  ///< all normals; with what sticks; slips that begin
};

SlipDirections list_slip_directions(const Judgement& by, const State& state,
                                    const ModeSolution& mode) {
  const VecQ scale = make_coordinate_scale(by.model);
  const ContactKinematics contacts = eval_contact_kinematics(by.model, state);
  const auto add = [&](Eigen::MatrixXd& to, const VecQ& direction) {
    to.conservativeResize(scale.size(), to.cols() + 1);
    to.rightCols(1) = scale.cwiseProduct(direction).normalized();
  };
  SlipDirections out;
  for (const ClosedContact& contact : by.closed) {
    if (!is_closed(mode.modes[static_cast<std::size_t>(contact.index)])) continue;
    add(out.normals, contacts.W_n.col(contact.index));
  }
  out.held = out.normals;
  for (const ClosedContact& contact : by.closed) {
    const ContactMode taken = mode.modes[static_cast<std::size_t>(contact.index)];
    if (!is_closed(taken) || contact.mu_s <= 0.0 || contact.slip_sign != 0) continue;
    const VecQ along = contacts.W_t.col(contact.index);
    add(is_sliding(taken) ? out.begun : out.held,
        taken == ContactMode::kSlipMinus ? VecQ(-along) : along);
  }
  return out;
}

/// True if some motion begins all slips of a mode together, to first order (two feet of one body
/// cannot move apart). Contacts that cannot slip at all, at a dead centre, are left out. Moving
/// belts may draw feet apart, so with them the answer is true.
bool can_begin_together(const Judgement& by, const State& state, const ModeSolution& mode) {
  const auto is_driven = [&](const ClosedContact& contact) {
    const Contact& at = by.model.contacts[static_cast<std::size_t>(contact.index)];
    return by.model.surfaces[static_cast<std::size_t>(at.surface)].speed.uses("t");
  };
  if (std::any_of(by.closed.begin(), by.closed.end(), is_driven)) return true;
  const SlipDirections directions = list_slip_directions(by, state, mode);
  if (directions.begun.cols() == 0) return true;
  const Eigen::MatrixXd all = find_motions(directions.normals);
  const Eigen::MatrixXd motions = find_motions(directions.held);
  // Maximises the slowest slip t over all motions y with components of at most one.
  const auto n = motions.cols();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n, n + 1);
  A.topLeftCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -Eigen::MatrixXd::Identity(n, n);
  Eigen::VectorXd b = Eigen::VectorXd::Ones(2 * n);
  for (Eigen::Index i = 0; i < directions.begun.cols(); ++i) {
    const Eigen::VectorXd direction = directions.begun.col(i);
    if ((all.transpose() * direction).norm() <= kDependent * all.norm()) continue;
    const Eigen::VectorXd slip = motions.transpose() * direction;
    if (slip.norm() <= kDependent * motions.norm()) return false;  // a sticking contact stops it
    A.conservativeResize(A.rows() + 1, Eigen::NoChange);
    A.bottomRows(1) << -slip.transpose() / slip.norm(), 1.0;
    b.conservativeResize(A.rows());
    b[A.rows() - 1] = 0.0;
  }
  const LinearProgramResult result = solve_linear_program(A, b, Eigen::VectorXd::Unit(n + 1, n));
  return result.status != LinearProgramStatus::kOptimal || result.value > kDependent;
}

/// True if the modes and the signs of bilateral forces are the same.
bool repeats(const Mode& ended, const ModeSolution& mode) {
  return mode.modes == ended.word &&
         std::all_of(ended.closed.begin(), ended.closed.end(), [&](const ClosedMode& contact) {
           return !contact.bilateral ||
                  std::signbit(mode.force_n[contact.contact]) == (contact.force_sign < 0.0);
         });
}

/// True if `other` differs from a mode only in that contacts which begin to slip in the mode stick
/// in `other`, at least one of them by static friction above kinetic friction.
bool holds_more(const PerContact<ClosedContact>& closed, const ModeSolution& mode,
                const ModeSolution& other) {
  ModeWord word = mode.modes;
  bool by_static_friction = false;
  for (const ClosedContact& contact : closed) {
    const auto i = static_cast<std::size_t>(contact.index);
    const bool begins = contact.slip_sign == 0 && is_sliding(word[i]);
    if (!begins || other.modes[i] != ContactMode::kStick) continue;
    word.set(i, ContactMode::kStick);
    by_static_friction |= contact.mu_s > contact.mu;
  }
  return by_static_friction && word == other.modes;
}

/// Drops slips from rest where static friction can hold the contact.
void prefer_static_friction(const PerContact<ClosedContact>& closed, ModeList& modes) {
  ModeList kept;
  std::copy_if(modes.begin(), modes.end(), std::back_inserter(kept), [&](const ModeSolution& mode) {
    return std::none_of(modes.begin(), modes.end(),
                        [&](const ModeSolution& other) { return holds_more(closed, mode, other); });
  });
  modes = std::move(kept);
}

/// The modes that may go on, by what their own motion does to an inequality that is at zero.
struct SortedModes {
  ModeList kept, neutral;
  ModeList parting;   ///< modes whose slips no motion begins together
  ModeList unlawful;  ///< families at a dead centre of which no member goes on within the laws
};

/// True if a contact of the trees of bodies to which these contacts belong rests at a dead centre.
/// Elsewhere a family that cannot be followed is left out with its members: three feet that begin
/// to slide with an undetermined acceleration do not do so on two of them either.
bool are_at_dead_centre(const Judgement& by, const State& state, const PerContact<int>& contacts) {
  const auto tree_of = [&](int i) { return by.model.contacts[static_cast<std::size_t>(i)].group; };
  return std::any_of(by.closed.begin(), by.closed.end(), [&](const ClosedContact& contact) {
    const auto shares = [&](int i) { return tree_of(i) == tree_of(contact.index); };
    return std::any_of(contacts.begin(), contacts.end(), shares) && contact.mu_s > 0.0 &&
           rests_at_dead_centre(by.model, state, by.closed, contact.index);
  });
}

SortedModes sort_candidates(const Judgement& by, const State& state, bool has_ended, double latest,
                            const std::vector<ModeWord>& without) {
  SortedModes out;
  const ContactProblem problem = by.make_problem(state);
  for (ModeCandidate& candidate : find_mode_candidates(problem, by.tolerances, without)) {
    ModeSolution& mode = candidate.solution;
    const Following following = take_followed_member(by, state, mode);
    if (!following.begins) {
      if (are_at_dead_centre(by, state, following.broken)) out.unlawful.push_back(std::move(mode));
      continue;
    }
    const bool doubtful = candidate.marginal || has_ended;
    const Outlook outlook = doubtful ? find_outlook(by, state, mode) : Outlook::kKeeps;
    if (outlook == Outlook::kBreaks) continue;
    if (!starts_lawfully(by.model, state, by.closed, mode, latest, by.tolerances)) {
      out.unlawful.push_back(std::move(mode));
      continue;
    }
    const bool parts = outlook == Outlook::kNeutral && !can_begin_together(by, state, mode);
    ModeList& list = parts ? out.parting : (outlook == Outlook::kKeeps ? out.kept : out.neutral);
    list.push_back(std::move(mode));
  }
  return out;
}

/// The same without unlawful modes. Forces that are a member of such a mode's family may belong to
/// another mode, which then counts.
SortedModes list_lawful(const Judgement& by, const State& state, bool has_ended, double latest) {
  SortedModes out = sort_candidates(by, state, has_ended, latest, {});
  std::vector<ModeWord> without;
  while (!out.unlawful.empty()) {
    for (const ModeSolution& mode : out.unlawful) without.push_back(mode.modes);
    out = sort_candidates(by, state, has_ended, latest, without);
  }
  if (out.kept.empty() && out.neutral.empty()) out.neutral = std::move(out.parting);
  return out;
}

}  // namespace

ModeList find_continuations(const Model& model, const State& state,
                            const PerContact<ClosedContact>& closed, const Mode* ended,
                            const VecQ& rates, double latest, const Tolerances& tolerances) {
  const Judgement by{model, closed, rates, tolerances};
  SortedModes sorted = list_lawful(by, state, ended != nullptr, latest);
  ModeList& kept = sorted.kept;
  ModeList& neutral = sorted.neutral;
  // A neutral mode is redundant if a certain mode has the same motion.
  kept.insert(kept.end(), neutral.begin(), neutral.end());
  const auto rank = [](const ModeSolution& mode) {
    const ModeWord& word = mode.modes;
    return std::tuple(-mode.family.dimension,
                      std::count(word.begin(), word.end(), ContactMode::kFree),
                      -std::count(word.begin(), word.end(), ContactMode::kStick));
  };
  const auto certain = static_cast<std::ptrdiff_t>(kept.size() - neutral.size());
  const auto before = [&](const ModeSolution& a, const ModeSolution& b) {
    return rank(a) < rank(b);
  };
  std::stable_sort(kept.begin(), kept.begin() + certain, before);
  std::stable_sort(kept.begin() + certain, kept.end(), before);
  const auto is_ended = [&](const ModeSolution& mode) {
    return ended != nullptr && repeats(*ended, mode);
  };
  if (!std::all_of(kept.begin(), kept.end(), is_ended)) {
    kept.erase(std::remove_if(kept.begin(), kept.end(), is_ended), kept.end());
  }
  ModeList out;
  for (ModeSolution& mode : kept) {
    const auto is_same = [&](const ModeSolution& other) {
      return has_same_motion(by, mode, other);
    };
    if (std::none_of(out.begin(), out.end(), is_same)) out.push_back(std::move(mode));
  }
  prefer_static_friction(closed, out);
  std::sort(out.begin(), out.end(), [](const ModeSolution& a, const ModeSolution& b) {
    return a.modes != b.modes ? a.modes < b.modes : a.force_n.sum() < b.force_n.sum();
  });
  return out;
}

State look_ahead(const Model& model, const Mode& mode, const State& state) {
  const VecQ a = eval_natural_field(model, mode, state).acceleration;
  const double ahead = kAhead / eval_rate_scale(make_coordinate_scale(model), state.v, a);
  return {state.time + ahead, state.q + ahead * (state.v + 0.5 * ahead * a), state.v + ahead * a};
}

std::vector<SlidingField> list_sliding_fields(const Model& model, const State& state,
                                              const PerContact<ClosedContact>& closed,
                                              const ClosedContact& contact) {
  std::vector<SlidingField> out;
  for (const bool alone : {true, false}) {
    ModeSolution solution;
    solution.modes = ModeWord(model.contacts.size());
    solution.force_n = VecC::Ones(model.contact_count());
    PerContact<int> two_sided;  // the side of a contact without friction changes nothing
    for (const ClosedContact& other : closed) {
      if (alone && other.index != contact.index) continue;
      solution.modes.set(static_cast<std::size_t>(other.index), make_slip_mode(other.slip_sign));
      if (other.bilateral && other.slip_sign != 0 && other.mu > 0.0) {
        two_sided.push_back(other.index);
      }
    }
    for (unsigned sides = 0; sides < 1U << two_sided.size(); ++sides) {
      for (std::size_t i = 0; i < two_sided.size(); ++i) {
        solution.force_n[two_sided[i]] = (sides >> i & 1U) != 0U ? -1.0 : 1.0;
      }
      Mode mode = make_mode(model, state, solution);
      ModeField field = eval_mode_field(model, mode, state);
      if (field.regular) out.push_back({std::move(mode), std::move(field), alone});
    }
  }
  return out;
}

bool can_be_struck(const Model& model, const State& state, const PerContact<ClosedContact>& closed,
                   const ClosedContact& contact) {
  if (contact.slip_sign == 0) return false;
  const auto fields = list_sliding_fields(model, state, closed, contact);
  return std::any_of(fields.begin(), fields.end(), [](const SlidingField& sliding) {
    // With other contacts beside one with p = 0, d is zero, too.
    const bool is_zero = sliding.alone && !is_resolved(sliding.field.determinant);
    return sliding.field.determinant < 0.0 || is_zero;
  });
}

bool opens_after_release(const Model& model, const State& state, const PerContact<int>& contacts) {
  const ContactDynamics now = eval_contact_dynamics(model, state, as_span(contacts));
  const double rate = eval_rate_scale(make_coordinate_scale(model), state.v, now.free_acceleration);
  const double ahead = kAhead / rate;
  const State later{state.time + ahead, state.q + ahead * state.v,
                    state.v + ahead * now.free_acceleration};
  const ContactDynamics then = eval_contact_dynamics(model, later, as_span(contacts));
  for (Eigen::Index row = 0; row < now.a_free.size(); row += 2) {
    if (then.a_free[row] < now.a_free[row]) return false;
  }
  return true;
}

PerContact<int> find_openings(const Model& model, const State& state, const ModeSolution& mode,
                              const ContactSet& before) {
  const ContactKinematics kinematics = eval_contact_kinematics(model, state);
  const VecQ& a = mode.acceleration;
  PerContact<int> out(model.contacts.size(), 0);
  for (int i = 0; i < model.contact_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const bool opens = !is_closed(mode.modes[k]);
    const auto& W = opens ? kinematics.W_n : kinematics.W_t;
    const double bias = opens ? kinematics.bias_n[i] : kinematics.bias_t[i];
    const double scale =
        model.gravity.norm() + std::abs(bias) + W.col(i).cwiseAbs().dot(a.cwiseAbs());
    const bool moves = std::abs(W.col(i).dot(a) + bias) > kMarginal * scale;
    const ClosedContact* was = before.find(i);
    if (opens) {
      out[k] = was == nullptr ? before.leaving(i) : (moves ? 2 : 3);
    } else if (is_sliding(mode.modes[k]) && was != nullptr && was->slip_sign == 0) {
      out[k] = moves ? 1 : 2;
    }
  }
  return out;
}

}  // namespace slipstick
