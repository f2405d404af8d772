#include "slipstick/analysis/stability/margins.h"

#include <Eigen/Geometry>
#include <functional>
#include <numbers>

#include "slipstick/analysis/stability/verdict_border.h"
#include "slipstick/core/scales.h"

namespace slipstick {
namespace {

/// How far a quantity is changed to find a border.
struct SearchRange {
  double near = 0.0;  ///< with close steps
  double far = 0.0;   ///< at most
};

/// A body in which one quantity is larger by some amount.
using Change = std::function<TwoContactBody(double)>;

/// Distances at which a verdict is looked at, in rising order: steps of the near range are closer
/// near the present value, because borders there matter most; beyond it they grow by a factor.
std::vector<double> list_distances(const SearchRange& range) {
  constexpr int kSteps = 400;       // so that the last step of the near range is 1/200 of it
  constexpr double kFactor = 1.05;  // of a step far away: what is left of its value is as coarse
  std::vector<double> out;
  for (int i = 1; i <= kSteps; ++i) {
    const double part = static_cast<double>(i) / kSteps;
    out.push_back(range.near * part * part);
  }
  for (double at = range.near * kFactor; at < range.far; at *= kFactor) out.push_back(at);
  if (range.far > range.near) out.push_back(range.far);
  return out;
}

/// `side`: 1 where the quantity rises, -1 where it falls.
std::optional<Border> find_border(const Change& change, const SearchRange& range, double side,
                                  Verdict here, const Tolerances& tolerances) {
  const auto judge = [&](double by) { return find_stability(change(by), tolerances); };
  double inside = 0.0;
  for (const double distance : list_distances(range)) {
    const double outside = side * distance;
    if (judge(outside).verdict == here) {
      inside = outside;
      continue;
    }
    const VerdictEnd end = find_verdict_end(judge, inside, outside, here, range.near, kSumRounding);
    // A verdict that holds at the present value only has no margin. A verdict that is marginal so
    // near to it is marginal because of the tolerance of the laws.
    constexpr double kBand = 1e-8;  // of the range: the laws decide to 1e-10 of their terms
    const bool in_band = here == Verdict::kMarginal && std::abs(end.outside) <= kBand * range.near;
    const double margin = end.inside == 0.0 || in_band ? 0.0 : std::abs(end.outside);
    return Border{margin, end.beyond, end.theorem};
  }
  return std::nullopt;
}

}  // namespace

std::vector<Margin> find_margins(const TwoContactBody& body, const Tolerances& tolerances) {
  const Verdict here = find_stability(body, tolerances).verdict;
  std::vector<Margin> out;
  const auto add = [&](const char* name, const SearchRange& down, const SearchRange& up,
                       const Change& change) {
    out.push_back({name,
                   {},
                   {},
                   find_border(change, down, -1.0, here, tolerances),
                   find_border(change, up, 1.0, here, tolerances),
                   {-down.far, up.far}});
  };
  constexpr double kFar = 1000.0;  // friction beyond it, or feet this much closer, are the limit
  for (std::size_t i = 0; i < 2; ++i) {
    const auto change = [&](double by) {
      TwoContactBody other = body;
      other.mu[i] = std::max(0.0, other.mu[i] + by);
      return other;
    };
    add(i == 0 ? "mu1" : "mu2", {body.mu[i], body.mu[i]}, {1.0, kFar}, change);
    out.back().value = body.mu[i];
    out.back().contact = body.contact[i];
  }
  const double apart = (body.lever[1] - body.lever[0]).norm();
  for (const Vec2& axis : {Vec2(Vec2::UnitX()), Vec2(Vec2::UnitY())}) {
    const auto change = [&](double by) {
      TwoContactBody other = body;
      for (Vec2& lever : other.lever) lever -= by * axis;
      return other;
    };
    const SearchRange range{apart, kFar * apart};
    add(axis.x() > 0.0 ? "com_x" : "com_y", range, range, change);
  }
  const auto turn = [&](double by) {
    TwoContactBody other = body;
    other.force = Eigen::Rotation2Dd(by) * body.force;
    return other;
  };
  constexpr double kQuarter = std::numbers::pi / 2;  // [rad]
  add("slope", {kQuarter, kQuarter}, {kQuarter, kQuarter}, turn);
  return out;
}

}  // namespace slipstick
