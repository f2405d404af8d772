#include "slipstick/classify.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "slipstick/contact/modes.h"
#include "slipstick/contact/sliding.h"
#include "slipstick/core/scales.h"
#include "slipstick/model/model.h"

namespace slipstick {
namespace {

/// True if two families of forces give one motion, differ in the sign of one bilateral contact's
/// force, and meet where that force is zero: together they are one set.
bool meet(const ModeSolution& a, const ModeSolution& b) {
  const bool families = a.family.dimension > 0 && b.family.dimension > 0 &&
                        a.family.acceleration_is_unique && b.family.acceleration_is_unique;
  if (!families || a.modes != b.modes) return false;
  const double size = a.force_n.cwiseAbs().maxCoeff() + b.force_n.cwiseAbs().maxCoeff();
  const auto is_zero = [&](double force) { return std::abs(force) <= kProgramError * size; };
  int apart = 0;
  for (std::size_t i = 0; i < a.family.force_n.size(); ++i) {
    Range low = a.family.force_n[i];
    Range high = b.family.force_n[i];
    if (low.first > high.first) std::swap(low, high);
    const bool both_zero = is_zero(low.first) && is_zero(high.second);
    if (both_zero || low.second > kProgramError * size || high.first < -kProgramError * size)
      continue;
    if (!is_zero(low.second) || !is_zero(high.first)) return false;
    ++apart;
  }
  return apart == 1;
}

/// The class, where sets of forces that meet count as one solution.
ContactClass find_joined_class(const ModeList& solutions) {
  if (solutions.size() < 2) return find_class(solutions);
  std::vector<bool> reached(solutions.size(), false);
  reached[0] = true;
  for (std::size_t round = 1; round < solutions.size(); ++round) {
    for (std::size_t i = 0; i < solutions.size(); ++i) {
      for (std::size_t j = 0; j < solutions.size() && reached[i]; ++j) {
        reached[j] = reached[j] || meet(solutions[i], solutions[j]);
      }
    }
  }
  const bool one = std::find(reached.begin(), reached.end(), false) == reached.end();
  return one ? ContactClass::kConsistent : ContactClass::kIndeterminate;
}

}  // namespace

std::vector<int> Classification::list_colliding() const {
  std::vector<int> out;
  for (std::size_t i = 0; i < status.size(); ++i) {
    if (status[i] == ContactStatus::kColliding) out.push_back(static_cast<int>(i));
  }
  return out;
}

Classification classify(const Model& model, const State& state, const Tolerances& tolerances) {
  Classification out;
  const ContactProblem problem = make_contact_problem(model, state, tolerances, out.kinematics);
  ModeSolutions modes = find_consistent_modes(problem, model.contact_names, tolerances);
  out.contact_class = find_joined_class(modes.solutions);
  out.solutions.assign(std::make_move_iterator(modes.solutions.begin()),
                       std::make_move_iterator(modes.solutions.end()));
  out.status.assign(problem.status.begin(), problem.status.end());
  out.sliding = eval_sliding(problem, model.contact_names, tolerances);
  out.marginal = out.sliding.marginal;
  out.marginal.insert(out.marginal.end(), modes.marginal.begin(), modes.marginal.end());
  return out;
}

}  // namespace slipstick
