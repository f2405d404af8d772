#pragma once

/// Modes of the contacts with what each implies: the answers of the contact problem.

#include <boost/container/small_vector.hpp>
#include <utility>
#include <vector>

#include "slipstick/contact/contact_problem.h"
#include "slipstick/contact/mode_word.h"

namespace slipstick {

static_assert(kMaxContacts <= static_cast<int>(ModeWord::kMost));

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
  ModeWord modes;      ///< per contact of the model
  VecC force_n;        ///< normal forces [N], >= 0 at unilateral contacts
  VecC force_t;        ///< tangential forces [N]
  VecQ acceleration;   ///< v'
  ForceFamily family;  ///< if its dimension is not 0, the above is one member, well inside
};

/// Without heap for one contact, which has at most four modes.
using ModeList = boost::container::small_vector<ModeSolution, 4>;

}  // namespace slipstick
