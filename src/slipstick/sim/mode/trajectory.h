#pragma once

/// The motion between events, piece by piece, to be evaluated at any time. A piece is a polynomial,
/// whatever method of integration made it.

#include <array>
#include <vector>

#include "slipstick/sim/mode/mode.h"
#include "slipstick/sim/mode/nested_polynomial.h"
#include "slipstick/trajectory.h"
#include "slipstick/verdict.h"

namespace slipstick {

/// What is integrated: q, v, t, then normal and tangential impulse of every closed contact; room
/// for whole blocks of four.
inline constexpr std::size_t kMaxIntegrated = 2 * kMaxCoordinates + 1 + 2 * kMaxContacts + 3;

/// Rows of one length in one block of memory.
struct RowBlock {
  std::size_t length = 0;
  std::vector<double> numbers;

  [[nodiscard]] std::size_t size() const { return numbers.size() / length; }
  [[nodiscard]] const double* operator[](std::size_t row) const {
    return numbers.data() + row * length;
  }
  [[nodiscard]] double* operator[](std::size_t row) { return numbers.data() + row * length; }
};
using SegmentPolynomial = NestedPolynomial<RowBlock>;

/// The first components of a step's dense output.
template <class Rows>
[[nodiscard]] SegmentPolynomial make_segment_polynomial(const NestedPolynomial<Rows>& from,
                                                        std::size_t components) {
  constexpr std::size_t kBlock = 4;
  SegmentPolynomial out;
  out.rows.length = (components + kBlock - 1) / kBlock * kBlock;
  out.rows.numbers.reserve(from.rows.size() * out.rows.length);
  for (const auto& row : from.rows) {
    out.rows.numbers.insert(out.rows.numbers.end(), row.begin(),
                            row.begin() + static_cast<std::ptrdiff_t>(out.rows.length));
  }
  return out;
}

/// One step of the integration. Time is a component like the others, because sliding is integrated
/// in a stretched time.
struct Segment {
  SegmentPolynomial polynomial;  ///< with an odd number of coefficients
  double theta_end = 1.0;        ///< an event cut the step here
  double from = 0.0, to = 0.0;   ///< time [s]
  std::size_t mode = 0;          ///< index in Trajectory::modes
};

/// A point of the motion.
struct TrajectoryPlace {
  std::size_t segment = 0;
  double theta = 0.0;
};

/// Where a segment reaches a time: one of its ends if the time is outside of it.
[[nodiscard]] double find_theta(const Segment& segment, int coordinate_count, double time);

/// What a Trajectory consists of.
struct TrajectoryParts {
  int coordinate_count = 0;
  std::vector<Mode> modes;
  std::vector<std::size_t> events;  ///< per mode: how many the run had when it began
  std::vector<Segment> segments;
  std::vector<Balance> balances;  ///< per mode: from the start until it began, by check_tree

  /// The segment after an event at this time, if there is one. Not of an empty trajectory.
  [[nodiscard]] TrajectoryPlace find_place(double time) const;
  [[nodiscard]] TrajectorySample eval(double time) const;
};

/// The state at theta of a polynomial over (q, v, t, ...).
template <class Rows>
[[nodiscard]] State eval_state(const NestedPolynomial<Rows>& polynomial, int coordinate_count,
                               double theta) {
  const auto n = static_cast<std::size_t>(coordinate_count);
  std::array<double, kMaxIntegrated> y;
  polynomial.eval_first(2 * n + 1, theta, y.data());
  using Values = Eigen::Map<const Eigen::VectorXd>;
  return {y[2 * n], Values(y.data(), coordinate_count), Values(y.data() + n, coordinate_count)};
}

}  // namespace slipstick
