#pragma once

/// Modes of the contacts with what each implies: the answers of the contact problem.

#include <boost/container/small_vector.hpp>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/contact/contact_problem.h"

namespace slipstick {

/// One letter per contact of the model: F free, S stick, P slip along +t, N slip along -t.
using ModeWord = std::string;

/// Least and greatest value over a family; infinite where unbounded.
using Range = std::pair<double, double>;

/// The forces of redundant contacts that all satisfy the same modes.
struct ForceFamily {
  int dimension = 0;                    ///< 0: the forces are unique
  bool acceleration_is_unique = true;   ///< false: the motion itself is undetermined
  std::vector<Range> force_n, force_t;  ///< per contact [N]; empty if the dimension is 0
  std::vector<Range> acceleration;      ///< per coordinate; empty if unique
};

/// One mode per contact, with what it implies.
struct ModeSolution {
  ModeWord modes;      ///< e.g. "FP": contact 1 free, contact 2 slipping along +t
  VecC force_n;        ///< normal forces [N], >= 0 at unilateral contacts
  VecC force_t;        ///< tangential forces [N]
  VecQ acceleration;   ///< v'
  ForceFamily family;  ///< if its dimension is not 0, the above is one member, well inside
};

/// Without heap for one contact, which has at most four modes.
using ModeList = boost::container::small_vector<ModeSolution, 4>;

}  // namespace slipstick
