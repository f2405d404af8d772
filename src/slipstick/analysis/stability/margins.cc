#include "slipstick/analysis/stability/margins.h"

#include <Eigen/Geometry>
#include <functional>
#include <numbers>

namespace slipstick {
namespace {

/// A body in which one quantity is larger by some amount.
using Change = std::function<TwoContactBody(double)>;

struct Standing {
  Verdict verdict = Verdict::kUndecided;
  Theorem theorem = Theorem::kNone;
};

Standing judge(const TwoContactBody& body, const Tolerances& tolerances) {
  const Stability stability = find_stability(body, tolerances);
  return {stability.verdict, stability.theorem};
}

std::optional<Border> find_border(const Change& change, double farthest, Verdict here,
                                  const Tolerances& tolerances) {
  // Closer steps near the present value: borders there matter most.
  constexpr int kSteps = 400;
  double inside = 0.0;
  for (int i = 1; i <= kSteps; ++i) {
    const double part = static_cast<double>(i) / kSteps;
    double outside = farthest * part * part;
    Standing beyond = judge(change(outside), tolerances);
    if (beyond.verdict == here) {
      inside = outside;
      continue;
    }
    while (true) {
      const double middle = 0.5 * (inside + outside);
      if (middle == inside || middle == outside) break;
      const Standing found = judge(change(middle), tolerances);
      if (found.verdict == here) {
        inside = middle;
      } else {
        outside = middle;
        // Just at a border everything is marginal; what lies beyond is told by what came before.
        if (found.verdict != Verdict::kMarginal) beyond = found;
      }
    }
    return Border{std::abs(outside), beyond.verdict, beyond.theorem};
  }
  return std::nullopt;
}

}  // namespace

std::vector<Margin> find_margins(const TwoContactBody& body, const Tolerances& tolerances) {
  const Verdict here = judge(body, tolerances).verdict;
  std::vector<Margin> out;
  const auto add = [&](const char* name, double value, double down, double up,
                       const Change& change) {
    out.push_back({name, value, find_border(change, -down, here, tolerances),
                   find_border(change, up, here, tolerances)});
  };
  for (std::size_t i = 0; i < 2; ++i) {
    const auto change = [&](double by) {
      TwoContactBody other = body;
      other.mu[i] = std::max(0.0, other.mu[i] + by);
      return other;
    };
    add(i == 0 ? "mu1" : "mu2", body.mu[i], body.mu[i], 1.0, change);
  }
  const double apart = (body.lever[1] - body.lever[0]).norm();
  for (const Vec2& axis : {Vec2(Vec2::UnitX()), Vec2(Vec2::UnitY())}) {
    const auto change = [&](double by) {
      TwoContactBody other = body;
      for (Vec2& lever : other.lever) lever -= by * axis;
      return other;
    };
    add(axis.x() > 0.0 ? "com_x" : "com_y", 0.0, apart, apart, change);
  }
  const auto turn = [&](double by) {
    TwoContactBody other = body;
    other.force = Eigen::Rotation2Dd(by) * body.force;
    return other;
  };
  constexpr double kQuarter = std::numbers::pi / 2;
  add("slope", 0.0, kQuarter, kQuarter, turn);
  return out;
}

}  // namespace slipstick
