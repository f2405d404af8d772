#pragma once

#include <algorithm>

namespace slipstick::testkit {

/// How many of `count` random cases to try: all of them, or a tenth under sanitizers, which look at
/// the code and not at the numbers, ten times slower.
constexpr int cases(int count) { return std::max(1, count / SLIPSTICK_CASES_DIVISOR); }

}  // namespace slipstick::testkit
