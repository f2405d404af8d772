#pragma once

/// A closed interval of numbers: of a coordinate, a parameter, a time.
///
///     const slipstick::Interval step{0.0, 0.5};

namespace slipstick {

/// From `low` to `high`.
struct Interval {
  double low = 0.0;   ///< the lower end
  double high = 0.0;  ///< the upper end, >= low
};

}  // namespace slipstick
