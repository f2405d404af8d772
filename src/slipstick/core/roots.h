#pragma once

#include <functional>
#include <vector>

#include "slipstick/interval.h"

namespace slipstick {

/// Finds all roots of a piecewise analytic function in [low, high], in rising order. The interval
/// is halved until Chebyshev interpolants reproduce the function to rounding, so no root is missed
/// between the points of a fixed grid. Each interpolant is halved further until its coefficients
/// exclude a root or prove that there is only one, which is then refined on the function itself to
/// the last digit. Roots closer than 1e-8 of the range are returned as one; a double root may be
/// returned as several within 1e-7. `accuracy` is the relative noise of the function's values; if
/// they are noisier, roots are as accurate as the noise allows. If the function is zero on an
/// interval, one or more points of it are returned.
[[nodiscard]] std::vector<double> find_roots(const std::function<double(double)>& f, double low,
                                             double high, double accuracy = 1e-13);

/// The zero of a continuous function between two arguments at which it has different signs, to the
/// last digit. If it does not, the argument with the smaller absolute value.
[[nodiscard]] double find_zero_between(const std::function<double(double)>& f, double low,
                                       double high);

/// Sorts intervals and joins those that overlap or lie within `slack` of each other.
[[nodiscard]] std::vector<Interval> join_intervals(std::vector<Interval> intervals, double slack);

/// Where the function is negative: the intervals between roots, joined where they touch.
[[nodiscard]] std::vector<Interval> find_negative_intervals(const std::function<double(double)>& f,
                                                            double low, double high);

}  // namespace slipstick
