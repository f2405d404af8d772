#include "slipstick/sim/continuation.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "slipstick/sim/scale.h"

namespace slipstick {
namespace {

enum class Outlook { kKeeps, kNeutral, kBreaks };

/// Whether a mode with an inequality at zero keeps it along its own motion, to first order.
Outlook find_outlook(const Model& model, const State& state,
                     const PerContact<ClosedContact>& closed, const ModeSolution& mode,
                     const Tolerances& tolerances) {
  // Long enough for the change to stand above rounding, short enough to be the first order's.
  constexpr double kAhead = 1e-5;
  constexpr double kNoise = 1e-10;
  const double ahead = kAhead / eval_rate_scale(model, state.v, mode.acceleration);
  if (!std::isfinite(ahead)) return Outlook::kNeutral;  // nothing moves
  State next = state;
  next.time += ahead;
  next.q += ahead * (state.v + 0.5 * ahead * mode.acceleration);
  next.v += ahead * mode.acceleration;
  const ContactProblem problem =
      make_contact_problem(model, next, eval_contact_kinematics(model, next), closed, tolerances);
  const auto slack = eval_mode_slack(problem, mode, tolerances);
  if (!slack) return Outlook::kBreaks;
  if (*slack < -kNoise) return Outlook::kBreaks;
  return *slack > kNoise ? Outlook::kKeeps : Outlook::kNeutral;
}

bool has_same_motion(const Model& model, const ModeSolution& a, const ModeSolution& b) {
  constexpr double kSame = 1e-8;
  const double scale = a.acceleration.cwiseAbs().maxCoeff() + b.acceleration.cwiseAbs().maxCoeff() +
                       model.gravity.norm();
  if ((a.acceleration - b.acceleration).cwiseAbs().maxCoeff() > kSame * scale) return false;
  const double forces = a.force_n.cwiseAbs().sum() + b.force_n.cwiseAbs().sum();
  return (a.force_n - b.force_n).cwiseAbs().maxCoeff() <= kSame * forces;
}

/// Static friction holds what it can: slip from rest is dropped where sticking is admissible.
void prefer_static_friction(const PerContact<ClosedContact>& closed,
                            std::vector<ModeSolution>& modes) {
  const auto yields = [&](const ModeSolution& mode) {
    return std::any_of(closed.begin(), closed.end(), [&](const ClosedContact& contact) {
      if (contact.slip_sign != 0 || !(contact.mu_s > contact.mu)) return false;
      const auto i = static_cast<std::size_t>(contact.index);
      if (mode.modes[i] != 'P' && mode.modes[i] != 'N') return false;
      ModeWord sticking = mode.modes;
      sticking[i] = 'S';
      return std::any_of(modes.begin(), modes.end(),
                         [&](const ModeSolution& other) { return other.modes == sticking; });
    });
  };
  std::vector<ModeSolution> kept;
  std::copy_if(modes.begin(), modes.end(), std::back_inserter(kept),
               [&](const ModeSolution& mode) { return !yields(mode); });
  modes = std::move(kept);
}

}  // namespace

std::vector<ModeSolution> find_continuations(const Model& model, const State& state,
                                             const PerContact<ClosedContact>& closed,
                                             const ModeWord& ended, const Tolerances& tolerances) {
  const ContactProblem problem =
      make_contact_problem(model, state, eval_contact_kinematics(model, state), closed, tolerances);
  std::vector<ModeSolution> kept;
  std::vector<ModeSolution> neutral;
  for (ModeCandidate& candidate : find_mode_candidates(problem, tolerances)) {
    const bool doubtful = candidate.marginal || !ended.empty();
    const Outlook outlook = doubtful
                                ? find_outlook(model, state, closed, candidate.solution, tolerances)
                                : Outlook::kKeeps;
    if (outlook == Outlook::kBreaks) continue;
    (outlook == Outlook::kKeeps ? kept : neutral).push_back(std::move(candidate.solution));
  }
  // A mode that stays at zero says nothing new where another with the same motion is certain.
  kept.insert(kept.end(), neutral.begin(), neutral.end());
  const auto rank = [](const ModeSolution& mode) {
    return std::tuple(-mode.family.dimension, std::count(mode.modes.begin(), mode.modes.end(), 'F'),
                      -std::count(mode.modes.begin(), mode.modes.end(), 'S'));
  };
  const auto certain = static_cast<std::ptrdiff_t>(kept.size() - neutral.size());
  std::stable_sort(kept.begin() + certain, kept.end(),
                   [&](const ModeSolution& a, const ModeSolution& b) { return rank(a) < rank(b); });
  std::vector<ModeSolution> out;
  for (ModeSolution& mode : kept) {
    const auto repeats = [&](const ModeSolution& other) {
      return has_same_motion(model, mode, other);
    };
    if (std::none_of(out.begin(), out.end(), repeats)) out.push_back(std::move(mode));
  }
  const auto others = std::count_if(out.begin(), out.end(),
                                    [&](const ModeSolution& mode) { return mode.modes != ended; });
  if (!ended.empty() && others > 0) {
    std::erase_if(out, [&](const ModeSolution& mode) { return mode.modes == ended; });
  }
  prefer_static_friction(closed, out);
  std::sort(out.begin(), out.end(), [](const ModeSolution& a, const ModeSolution& b) {
    return a.modes != b.modes ? a.modes < b.modes : a.force_n.sum() < b.force_n.sum();
  });
  return out;
}

}  // namespace slipstick
