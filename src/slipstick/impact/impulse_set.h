#pragma once

/// Sets of impulses given by linear equations and inequalities, which are the conditions of one
/// assumption about all contacts. Internal to this folder.

#include <optional>
#include <vector>

#include "slipstick/contact/modes.h"

namespace slipstick {

/// Unknown impulses: normal and tangent per contact, of compression and expansion.
inline constexpr int kMaxImpulses = 4 * kMaxContacts;
using VecI = BoundedVector<kMaxImpulses>;

/// c + a . x, with the size of its constant term.
struct LinearForm {
  VecI a;
  double c = 0.0, scale = 0.0;

  [[nodiscard]] double eval(const VecI& x) const { return c + a.dot(x); }
  [[nodiscard]] double eval_scale(const VecI& x) const {
    return scale + a.cwiseAbs().dot(x.cwiseAbs());
  }
};

[[nodiscard]] LinearForm add(const LinearForm& first, double factor, const LinearForm& second);

struct ImpulseSet {
  std::vector<LinearForm> equations;     ///< = 0
  std::vector<LinearForm> inequalities;  ///< >= 0
  std::vector<LinearForm> strict;        ///< > 0
  double size = 0.0;                     ///< typical size of the impulses

  void append(const ImpulseSet& other);
};

/// How closely the conditions have to hold, relative to their terms.
struct SetTolerances {
  double rank = 0.0;      ///< pivots of the equations below it are zero
  double equation = 0.0;  ///< residual of equations that are redundant
  double slack = 0.0;     ///< allowed violation of an inequality
  double strict = 0.0;    ///< a strict one has to exceed this
};

/// All solutions of a set's equations, x + Z y, restricted by its inequalities.
struct ImpulseMembers {
  VecI x;
  Eigen::MatrixXd Z;  ///< no columns: unique
  Eigen::MatrixXd A;  ///< A y <= b: the inequalities, in units of their terms
  Eigen::VectorXd b;  ///< the first rows are the strict ones
  Eigen::Index strict_count = 0;
  double slack = 0.0;  ///< the part of b that only tolerates rounding
  double unit = 1.0;   ///< y is multiplied by it
};

/// Nothing if the set is empty.
[[nodiscard]] std::optional<ImpulseMembers> find_members(const ImpulseSet& set,
                                                         const SetTolerances& tolerances);

/// Moves x to a point inside: the mean of the points at which each inequality is largest. Removes
/// from Z the directions in which the inequalities leave no room.
void centre(ImpulseMembers& members);

/// Least and greatest value of a linear form over the members.
[[nodiscard]] Range find_range(const ImpulseMembers& members, const LinearForm& form);

}  // namespace slipstick
