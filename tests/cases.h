#pragma once

#include <algorithm>

namespace slipstick::testkit {

/// The number of random cases to try out of `count`: all of them, or a tenth under sanitizers,
/// which are ten times slower and test the code rather than the numbers.
constexpr int cases(int count) { return std::max(1, count / SLIPSTICK_CASES_DIVISOR); }

}  // namespace slipstick::testkit
