#pragma once

/// Lemke's method: a second way to the forces of sliding contacts, which shares no code with the
/// enumeration of modes. [Cottle1992] sections 4.4 (the method) and 4.9 (degeneracy).
///
/// The problem is 0 <= w = b + P f, f >= 0, w . f = 0. A variable z0 >= 0 that lifts every row,
/// w = b + P f + z0 (1, ..., 1), makes it trivial for large z0. From there one pivot at a time
/// exchanges a variable against one whose partner has just become zero, so that w . f = 0 holds
/// throughout. The path ends in one of two ways:
///
/// - z0 becomes zero: f solves the problem. It is one solution; there may be others.
/// - Nothing limits the entering variable: a ray. For a P-matrix this cannot happen. For a
///   copositive-plus P (x . P x >= 0 for all x >= 0, and (P + P^T) x = 0 where it vanishes) it
///   proves that there is no solution. For any other P, such as friction beyond the paradox gives,
///   **a ray proves nothing**: solutions may exist that the path does not meet. Enumerate to know.

#include "slipstick/linalg.h"
#include "slipstick/tolerances.h"

namespace slipstick {

enum class LemkeStatus {
  kSolved,
  kRay,
  kCycle,  ///< more pivots than there are bases: rounding defeated the rule against cycling
};

struct LemkeResult {
  LemkeStatus status = LemkeStatus::kSolved;
  VecC f;          ///< the solution; empty unless solved
  int pivots = 0;  ///< 0 if b >= 0, where f = 0
};

/// Solves 0 <= b + P f _|_ f >= 0 by Lemke's method with a covering vector of ones. Ties are broken
/// lexicographically, so that degenerate problems do not cycle; of the tied variables z0 goes
/// first. Pivots and ties are zero up to `tolerances.rank` after division by the largest entries of
/// P and b. Throws std::invalid_argument if the sizes do not match.
[[nodiscard]] LemkeResult solve_lemke(const BoundedMatrix<kMaxContacts, kMaxContacts>& P,
                                      const VecC& b, const Tolerances& tolerances);

}  // namespace slipstick
