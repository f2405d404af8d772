#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace slipstick {

/// First derivative of a smooth scalar function by central differences extrapolated to step zero
/// (Neville's tableau over a falling step, the entry with the smallest error estimate is taken).
template <class F>
[[nodiscard]] double find_derivative(F&& f, double x, double first_step) {
  constexpr std::size_t kLevels = 24;
  // Irrational, so that no period of the function fits two steps and fakes agreement.
  constexpr double kShrink = 1.4655712318767680;  // of the step, from level to level
  std::array<double, kLevels> row{};
  double step = first_step;
  double best = 0.0;
  double smallest_error = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < kLevels; ++i, step /= kShrink) {
    double upper = row[0];
    row[0] = (f(x + step) - f(x - step)) / (2.0 * step);
    double factor = 1.0;
    for (std::size_t j = 1; j <= i; ++j) {
      factor *= kShrink * kShrink;
      const double previous = row[j];
      row[j] = row[j - 1] + (row[j - 1] - upper) / (factor - 1.0);
      const double error = std::max(std::abs(row[j] - row[j - 1]), std::abs(row[j] - upper));
      if (j > 1 && error < smallest_error) {
        smallest_error = error;
        best = row[j];
      }
      upper = previous;
    }
  }
  return best;
}

}  // namespace slipstick
