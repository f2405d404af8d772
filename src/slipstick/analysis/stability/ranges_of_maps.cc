/// Fixed points and bounds of R and of the growth, piece by piece. With x = (closing, slip, root)
/// the next blow is (a . x, b . x), and R turns with m . (x cross x'), m = a cross b.

#include <Eigen/Geometry>
#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "slipstick/analysis/stability/blow_forms.h"
#include "slipstick/analysis/stability/stability.h"
#include "slipstick/core/scales.h"

namespace slipstick {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();  // a slope's limit

bool has_root(const Piece& piece) { return !piece.map.linear.col(2).isZero(0.0); }

Eigen::Vector3d find_normal(const Piece& piece) {
  if (piece.constant) return Eigen::Vector3d::Zero();
  return piece.map.linear.row(0).transpose().cross(piece.map.linear.row(1).transpose());
}

/// The linear form of x with the sign of the slope of R, where the piece has a root w: by Euler's
/// theorem on the radicand, w (x cross x') = (-d/dclosing, -d/dslip, w^2) of half the radicand.
Eigen::Vector3d find_turning_form(const Piece& piece) {
  const Eigen::Vector3d m = find_normal(piece);
  const BlowForm& q = piece.map.radicand;
  return {-m[0] * q[0] - 0.5 * m[1] * q[1], -0.5 * m[0] * q[1] - m[1] * q[2], m[2]};
}

double eval_slope(const ZeroOrder& dynamics, const Piece& piece, double angle) {
  if (!piece.closed_form) {
    const double step = std::min({1e-3, 0.4 * (angle - piece.low), 0.4 * (piece.high - angle)});
    const auto R = [&](double x) { return eval_piece(dynamics, piece, x).reduced; };
    const double near = R(angle + step) - R(angle - step);
    const double far = R(angle + 2.0 * step) - R(angle - 2.0 * step);
    return (8.0 * near - far) / (12.0 * step);
  }
  const Blow blow = make_blow(angle);
  Eigen::Vector3d x(blow.closing, blow.slip, 0.0);
  x[2] = blow.closing * std::sqrt(std::max(0.0, eval_form(piece.map.radicand, std::tan(angle))));
  const double turning =
      has_root(piece) ? find_turning_form(piece).dot(x) / x[2] : find_normal(piece)[2];
  return turning / (piece.map.linear * x).squaredNorm();
}

/// Angles inside an interval, closer near its ends.
std::vector<double> list_samples(double low, double high) {
  constexpr int kSamples = 96;
  std::vector<double> out;
  for (int i = 0; i < kSamples; ++i) {
    const double part = 0.5 - 0.5 * std::cos(std::numbers::pi * (i + 0.5) / kSamples);
    out.push_back(low + (high - low) * part);
  }
  return out;
}

/// Roots between neighbouring angles at which a function has different signs.
std::vector<double> find_sign_changes(const std::function<double(double)>& f,
                                      const std::vector<double>& angles) {
  std::vector<double> out;
  double last = f(angles.front());
  for (std::size_t i = 1; i < angles.size(); ++i) {
    const double next = f(angles[i]);
    if (last == 0.0) out.push_back(angles[i - 1]);
    if (last * next < 0.0) {
      std::uintmax_t limit = 100;
      const auto [below, above] =
          boost::math::tools::toms748_solve(f, angles[i - 1], angles[i], last, next,
                                            boost::math::tools::eps_tolerance<double>(50), limit);
      out.push_back(0.5 * (below + above));
    }
    last = next;
  }
  return out;
}

/// Angles with R = angle, wherever the piece lies.
std::vector<double> find_fixed_angles(const ZeroOrder& dynamics, const Piece& piece) {
  const auto& N = piece.map.linear;
  if (piece.closed_form && piece.constant) {
    return {eval_piece(dynamics, piece, 0.5 * (piece.low + piece.high)).reduced};
  }
  if (piece.closed_form && !has_root(piece)) {
    const bool flat = std::abs(N(0, 1)) <= kSolveRounding * N.cwiseAbs().maxCoeff();
    const BlowForm form(N(1, 0), N(1, 1) - N(0, 0), flat ? 0.0 : -N(0, 1));
    std::vector<double> out;
    for (const double tangent : find_zeros(form)) out.push_back(std::atan(tangent));
    return out;
  }
  const auto away = [&](double angle) {
    return eval_piece(dynamics, piece, angle).reduced - angle;
  };
  return find_sign_changes(away, list_samples(piece.low, piece.high));
}

/// One Newton step on the motion itself, which near a grazing end is more accurate than the closed
/// form. It is not taken if rounding leads to a neighbour's path.
FixedPoint polish(const ZeroOrder& dynamics, const Piece& piece, FixedPoint point) {
  const Blow blow = make_blow(point.angle);
  const BlowReturn next = follow_blow(dynamics, blow);
  if (next.path != piece.path) return point;
  point.growth = next.blow.closing / blow.closing;
  if (!piece.constant) point.angle -= (next.blow.angle() - point.angle) / (point.slope - 1.0);
  return point;
}

/// The angles within (low, high), in rising order.
template <class Angles>
std::vector<double> list_between(const Angles& angles, double low, double high) {
  std::vector<double> out;
  for (const double angle : angles) {
    if (angle > low && angle < high) out.push_back(angle);
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Where R may turn.
auto find_turns(const Piece& piece) {
  const Eigen::Vector3d form = find_turning_form(piece);
  return find_zero_angles(has_root(piece) ? form : Eigen::Vector3d::Zero().eval(),
                          piece.map.radicand);
}

/// Where the growth = N00 + N01 t + N02 sqrt(q(t)), t the tangent, has an extremum:
/// N01 sqrt(q) + N02 q'/2 = 0.
auto find_growth_extrema(const Piece& piece) {
  const BlowForm& q = piece.map.radicand;
  const double root = piece.map.linear(0, 2);
  const Eigen::Vector3d form(0.5 * root * q[1], root * q[2], piece.map.linear(0, 1));
  return find_zero_angles(has_root(piece) ? form : Eigen::Vector3d::Zero().eval(), q);
}

/// Angles between which R is monotone, and at which the growth may be largest.
struct Extrema {
  std::vector<double> reduced, growth;
};

Extrema find_extrema(const ZeroOrder& dynamics, const Piece& piece, double low, double high) {
  if (piece.closed_form) {
    return {list_between(find_turns(piece), low, high),
            list_between(find_growth_extrema(piece), low, high)};
  }
  const std::vector<double> samples = list_samples(low, high);
  const auto slope = [&](double angle) {
    constexpr double kNoise = 1e-9;  // of a slope by differences
    const double value = eval_slope(dynamics, piece, angle);
    return std::abs(value) < kNoise ? kNoise : value;
  };
  return {find_sign_changes(slope, samples), samples};
}

/// Largest |slope| of R at two angles of a piece.
double find_steepest(const ZeroOrder& dynamics, const Piece& piece, double low, double high) {
  double out = 0.0;
  for (const double angle : {low, high}) {
    if (piece.constant || std::abs(angle) >= kMaxBlowAngle) continue;
    out = std::max(out, std::abs(eval_slope(dynamics, piece, angle)));
  }
  return out;
}

}  // namespace

std::vector<FixedPoint> find_fixed_points(const ZeroOrder& dynamics, const ReturnMap& maps) {
  constexpr double kSameFixed = 1e-10;  // [rad]: an end shared by two pieces is one fixed point
  std::vector<FixedPoint> out;
  for (const Piece& piece : maps.pieces) {
    if (!piece.returns()) continue;
    for (const double angle : find_fixed_angles(dynamics, piece)) {
      if (!(angle >= piece.low - kSameFixed && angle <= piece.high + kSameFixed)) continue;
      if (std::abs(angle) >= kMaxBlowAngle) continue;
      const auto same = [&](const FixedPoint& other) {
        return std::abs(other.angle - angle) <= kSameFixed;
      };
      if (std::any_of(out.begin(), out.end(), same)) continue;
      out.push_back(polish(
          dynamics, piece,
          {angle, eval_piece(dynamics, piece, angle).growth, eval_slope(dynamics, piece, angle)}));
    }
  }
  std::sort(out.begin(), out.end(),
            [](const FixedPoint& a, const FixedPoint& b) { return a.angle < b.angle; });
  return out;
}

std::vector<PieceRange> find_ranges(const ZeroOrder& dynamics, const ReturnMap& maps,
                                    const Piece& piece, double low, double high) {
  const auto eval = [&](double angle) -> MapValue {
    if (std::abs(angle) < kMaxBlowAngle) return eval_piece(dynamics, piece, angle);
    const MapEnd& end = angle > 0.0 ? maps.plus : maps.minus;
    return end.kind == 1 ? MapValue{angle, end.growth} : MapValue{end.reduced, kInfinite};
  };
  // The ends of a piece without a closed form may already belong to its neighbours.
  const double inset = piece.closed_form ? 0.0 : 1e-9 * (high - low);
  const Extrema extrema = find_extrema(dynamics, piece, low, high);
  std::vector<double> cuts{low + inset};
  cuts.insert(cuts.end(), extrema.reduced.begin(), extrema.reduced.end());
  cuts.push_back(high - inset);
  std::vector<PieceRange> out;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const MapValue a = eval(cuts[i]);
    const MapValue b = eval(cuts[i + 1]);
    PieceRange range{cuts[i],
                     cuts[i + 1],
                     a.reduced,
                     b.reduced,
                     std::max(a.growth, b.growth),
                     find_steepest(dynamics, piece, cuts[i], cuts[i + 1])};
    for (const double angle : list_between(extrema.growth, range.low, range.high)) {
      range.growth_max = std::max(range.growth_max, eval(angle).growth);
    }
    out.push_back(range);
  }
  return out;
}

}  // namespace slipstick
