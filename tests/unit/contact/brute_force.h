#pragma once

/// A second way to every solution of a contact problem, to compare the library with. It works on
/// the full equations in the unknowns z = (v', f_n, f_t), eliminates and scales nothing, and takes
/// each friction and force sign as a pattern of its own. Only for problems of order 1.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "unit/contact/random_problems.h"

namespace slipstick {

/// What one contact is assumed to do.
struct ContactPattern {
  char letter = 'F';   ///< F, S, P, N; C: closed without friction, whatever a_t
  int force_sign = 1;  ///< of the normal force; a bilateral contact has -1 too; 0: either
};
using Pattern = std::vector<ContactPattern>;

struct BruteForceSolution {
  std::string word;
  Eigen::VectorXd acceleration, force_n, force_t;
};

struct BruteForceResult {
  std::vector<BruteForceSolution> solutions;  ///< sorted by word, then by normal forces
  /// Some pattern's acceptance depends on less than 1e-7, or its matrix is regular only by that.
  bool near_marginal = false;
  /// Some pattern's equations have a family of solutions, which `solutions` does not contain.
  bool degenerate = false;
};

[[nodiscard]] BruteForceResult find_by_brute_force(const ContactEquations& equations);

/// The solutions of one pattern of a degenerate problem, where there are any well inside all
/// inequalities: the corners of the polyhedron, found one by one.
struct BruteForceFamily {
  std::string word;
  Pattern pattern;
  int dimension = 0;                ///< of the solutions of the equations
  Eigen::VectorXd least, greatest;  ///< of each entry of z; +-infinity where unbounded
  Eigen::VectorXd inside;           ///< a z that keeps its distance from every inequality
};

/// Families of more dimensions have too many corners and are left out.
inline constexpr int kMaxBruteForceDimension = 3;

struct BruteForceFamilies {
  std::vector<BruteForceFamily> families;
  bool near_marginal = false;  ///< as above
};

[[nodiscard]] BruteForceFamilies find_families_by_brute_force(const ContactEquations& equations);

}  // namespace slipstick
