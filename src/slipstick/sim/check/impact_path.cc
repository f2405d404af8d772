#include "slipstick/sim/check/impact_path.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/sim/check/tolerances.h"

namespace slipstick::check {
namespace {

/// A point of the path of an impact; the normal impulse takes the place of time.
struct PathPoint {
  double gap_rate = 0.0, slip = 0.0, impulse_n = 0.0, impulse_t = 0.0;
  double work = 0.0;  ///< integral of the gap rate over the normal impulse [J]
};

/// A straight piece: rates per unit of normal impulse, and its length.
struct PathPiece {
  double gap_rate = 0.0, slip = 0.0, impulse_t = 0.0;
  double length = std::numeric_limits<double>::infinity();
};

PathPiece make_piece(const PathProblem& problem, const PathPoint& at) {
  const auto slide = [&](double sign) {
    const double friction = -sign * problem.mu;
    return PathPiece{problem.G_nn + friction * problem.G_nt, problem.G_nt + friction * problem.G_tt,
                     friction};
  };
  if (at.slip == 0.0) {
    if (std::abs(problem.G_nt) > problem.mu * problem.G_tt) {
      return slide(problem.G_nt > 0.0 ? 1.0 : -1.0);
    }
    const double friction = problem.G_tt > 0.0 ? -problem.G_nt / problem.G_tt : 0.0;
    const double rate = problem.G_nn + friction * problem.G_nt;
    // With one degree of freedom a contact that sticks does not move: the rest is rounding.
    return {rate > kStuck * problem.G_nn ? rate : 0.0, 0.0, friction};
  }
  PathPiece out = slide(at.slip > 0.0 ? 1.0 : -1.0);
  if (problem.jammed && at.impulse_n == 0.0) out.gap_rate = 0.0;
  if (out.slip * at.slip < 0.0) out.length = -at.slip / out.slip;
  return out;
}

void move_along(const PathPiece& piece, double length, PathPoint& at) {
  at.work += (at.gap_rate + 0.5 * piece.gap_rate * length) * length;
  const double change = piece.gap_rate * length;
  // With one degree of freedom the gap rate ends with the slip, up to rounding.
  const bool ends = std::abs(at.gap_rate + change) <= kRateEnds * std::abs(change);
  at.gap_rate = ends ? 0.0 : at.gap_rate + change;
  at.slip = length == piece.length ? 0.0 : at.slip + piece.slip * length;
  at.impulse_n += length;
  at.impulse_t += piece.impulse_t * length;
}

/// Follows the path until `find_length(piece, point)` finds the end within a piece.
template <class FindLength>
bool follow_until(const PathProblem& problem, const FindLength& find_length, PathPoint& at) {
  for (int i = 0; i < 4; ++i) {
    const PathPiece piece = make_piece(problem, at);
    const double end = find_length(piece, at);
    if (std::isfinite(end) && end <= piece.length) {
      move_along(piece, end, at);
      return true;
    }
    if (!std::isfinite(piece.length)) return false;
    move_along(piece, piece.length, at);
  }
  return false;
}

constexpr double kNever = std::numeric_limits<double>::infinity();  // [N s]

}  // namespace

PathEnd follow_impact(const PathProblem& problem) {
  PathPoint at{problem.gap_rate, problem.slip, 0.0, 0.0, 0.0};
  // Without a collision friction drives the contact in until its slip ends.
  const auto is_driven = [&](const PathPiece& piece, const PathPoint& from) {
    return problem.gap_rate == 0.0 && from.impulse_n == 0.0 && std::isfinite(piece.length) &&
           piece.gap_rate <= 0.0;
  };
  const auto reach_rate = [&](double rate) {
    return [rate, &is_driven](const PathPiece& piece, const PathPoint& from) {
      if (is_driven(piece, from)) return kNever;
      if (from.gap_rate == rate) return 0.0;
      return piece.gap_rate > 0.0 ? (rate - from.gap_rate) / piece.gap_rate : kNever;
    };
  };
  if (!follow_until(problem, reach_rate(0.0), at)) return {};
  const double e = problem.restitution;
  const double compression = at.impulse_n;
  const double target = (1.0 + e) * compression;
  const double work = at.work * (1.0 - e * e);  // the last of it is given back
  bool found = true;
  switch (problem.law) {
    case ImpactLaw::kInelastic:
    case ImpactLaw::kFremond:
      break;
    case ImpactLaw::kPoisson:
      found = follow_until(
          problem, [&](const PathPiece&, const PathPoint& from) { return target - from.impulse_n; },
          at);
      break;
    case ImpactLaw::kNewton:
      found = follow_until(problem, reach_rate(-e * problem.gap_rate), at);
      break;
    case ImpactLaw::kStronge:
      found = follow_until(
          problem,
          [&](const PathPiece& piece, const PathPoint& from) {
            // gap_rate x + slope x^2/2 = work - from.work, x >= 0
            const double wanted = work - from.work;
            const double square = from.gap_rate * from.gap_rate + 2.0 * piece.gap_rate * wanted;
            const double root = std::sqrt(std::max(0.0, square));  // rounding at e = 0;
            const double sum = from.gap_rate + root;
            return sum > 0.0 ? 2.0 * wanted / sum : 0.0;
          },
          at);
      break;
  }
  return {found, at.impulse_n, at.impulse_t};
}

}  // namespace slipstick::check
