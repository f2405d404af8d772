#pragma once

/// Where a verdict changes on the way from one value to another. Internal to this folder.

#include <algorithm>
#include <cmath>

#include "slipstick/analysis/stability/stability.h"
#include "slipstick/core/scales.h"

namespace slipstick {

struct VerdictEnd {
  double inside = 0.0, outside = 0.0;  ///< the verdict holds at the first, no longer at the other
  Verdict beyond =
      Verdict::kUndecided;           ///< the next verdict; marginal, if it is the same one again
  Theorem theorem = Theorem::kNone;  ///< of the next verdict
  double past = 0.0;                 ///< a value at which it holds
  bool resumes = false;              ///< the same verdict again: only one point is marginal
};

/// Bisects between `inside`, which has the verdict `here`, and `outside`, which has another, until
/// they are `enough` of `range` apart or neighbours. Exactly at a border everything is marginal. So
/// a marginal verdict counts only if it holds for more than 1e-6 of the range, which is far more
/// than the tolerance of the laws causes at a border. `judge` gives the Stability at a value.
template <class Judge>
[[nodiscard]] VerdictEnd find_verdict_end(const Judge& judge, double inside, double outside,
                                          Verdict here, double range, double enough) {
  const double last = outside;
  while (std::abs(outside - inside) > enough * range) {
    const double middle = 0.5 * (inside + outside);
    if (middle == inside || middle == outside) break;
    (judge(middle).verdict == here ? inside : outside) = middle;
  }
  VerdictEnd out{inside, outside, Verdict::kMarginal, Theorem::kNone, outside, false};
  const double border = 0.5 * (inside + outside);
  const double sign = last > inside ? 1.0 : -1.0;
  const auto place = [&](double part) {
    const double at = border + sign * part * range;
    return sign > 0.0 ? std::min(at, last) : std::max(at, last);
  };
  // The border itself may have a verdict of its own, so one counts only if it holds farther out,
  // too.
  for (const double part : {1e-10, 1e-9, 1e-8, 1e-7, 1e-6}) {
    out.past = place(part);
    const Stability found = judge(out.past);
    if (found.verdict == Verdict::kMarginal) continue;
    if (judge(place(10.0 * part)).verdict != found.verdict) continue;
    out.resumes = found.verdict == here;
    if (!out.resumes) out.beyond = found.verdict;
    if (!out.resumes) out.theorem = found.theorem;
    return out;
  }
  out.past = outside;
  return out;
}

}  // namespace slipstick
