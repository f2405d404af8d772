#include "slipstick/analysis/stability/margins.h"

#include <Eigen/Geometry>
#include <functional>
#include <numbers>

#include "slipstick/analysis/stability/verdict_border.h"
#include "slipstick/core/scales.h"

namespace slipstick {
namespace {

/// A body in which one quantity is larger by some amount.
using Change = std::function<TwoContactBody(double)>;

std::optional<Border> find_border(const Change& change, double farthest, Verdict here,
                                  const Tolerances& tolerances) {
  const auto judge = [&](double by) { return find_stability(change(by), tolerances); };
  // Steps are closer near the present value, because borders there matter most.
  constexpr int kSteps = 400;
  double inside = 0.0;
  for (int i = 1; i <= kSteps; ++i) {
    const double part = static_cast<double>(i) / kSteps;
    const double outside = farthest * part * part;
    if (judge(outside).verdict == here) {
      inside = outside;
      continue;
    }
    const VerdictEnd end =
        find_verdict_end(judge, inside, outside, here, std::abs(farthest), kSumRounding);
    // A verdict that holds at the present value only has no margin. A verdict that is marginal so
    // near to it is marginal because of the tolerance of the laws.
    constexpr double kBand = 1e-8;  // of the range: the laws decide to 1e-10 of their terms
    const bool in_band =
        here == Verdict::kMarginal && std::abs(end.outside) <= kBand * std::abs(farthest);
    const double distance = end.inside == 0.0 || in_band ? 0.0 : std::abs(end.outside);
    return Border{distance, end.beyond, end.theorem};
  }
  return std::nullopt;
}

}  // namespace

std::vector<Margin> find_margins(const TwoContactBody& body, const Tolerances& tolerances) {
  const Verdict here = find_stability(body, tolerances).verdict;
  std::vector<Margin> out;
  const auto add = [&](const char* name, double down, double up, const Change& change) {
    out.push_back({name,
                   {},
                   {},
                   find_border(change, -down, here, tolerances),
                   find_border(change, up, here, tolerances)});
  };
  for (std::size_t i = 0; i < 2; ++i) {
    const auto change = [&](double by) {
      TwoContactBody other = body;
      other.mu[i] = std::max(0.0, other.mu[i] + by);
      return other;
    };
    add(i == 0 ? "mu1" : "mu2", body.mu[i], 1.0, change);
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
    add(axis.x() > 0.0 ? "com_x" : "com_y", apart, apart, change);
  }
  const auto turn = [&](double by) {
    TwoContactBody other = body;
    other.force = Eigen::Rotation2Dd(by) * body.force;
    return other;
  };
  constexpr double kQuarter = std::numbers::pi / 2;  // [rad]
  add("slope", kQuarter, kQuarter, turn);
  return out;
}

}  // namespace slipstick
