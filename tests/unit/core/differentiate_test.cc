/// Extrapolated differences against derivatives known in closed form.

#include "slipstick/core/differentiate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace slipstick {
namespace {

constexpr double kFirstStep = 0.1;

// The smallest step is 0.1 / 1.5^23 = 9e-6, where rounding of the function (1e-16) makes an error
// of order 1e-11 in a difference. The chosen entry may be one of those, so ten digits are asked
// for.
constexpr double kTenDigits = 2e-10;

TEST(FindDerivative, of_the_sine_is_the_cosine) {
  for (double x = -4.0; x <= 4.0; x += 0.37) {
    EXPECT_NEAR(find_derivative([](double t) { return std::sin(t); }, x, kFirstStep), std::cos(x),
                kTenDigits);
  }
}

TEST(FindDerivative, of_the_exponential_is_itself) {
  for (double x = -3.0; x <= 3.0; x += 0.25) {
    EXPECT_NEAR(find_derivative([](double t) { return std::exp(t); }, x, kFirstStep), std::exp(x),
                kTenDigits * std::exp(x));
  }
}

// d/dx (3 x^5 - 2 x^3 + x - 7) = 15 x^4 - 6 x^2 + 1. Central differences have even powers of the
// step only, so extrapolation is exact after two levels and only rounding is left.
TEST(FindDerivative, of_a_polynomial_has_only_rounding) {
  const auto f = [](double x) { return ((3.0 * x * x - 2.0) * x * x + 1.0) * x - 7.0; };
  for (double x = -2.0; x <= 2.0; x += 0.25) {
    const double expected = (15.0 * x * x - 6.0) * x * x + 1.0;
    EXPECT_NEAR(find_derivative(f, x, kFirstStep), expected,
                kTenDigits * (1.0 + std::abs(expected)));
  }
}

TEST(FindDerivative, of_a_constant_is_zero_and_of_a_line_its_slope) {
  EXPECT_EQ(find_derivative([](double) { return 4.2; }, 1.0, kFirstStep), 0.0);
  EXPECT_NEAR(find_derivative([](double x) { return 3.0 - 2.5 * x; }, 1e3, kFirstStep), -2.5,
              1e-10);
}

// Many periods in the first step: the falling step gets down to them. The tolerance is relative to
// the greatest derivative, the angular frequency.
TEST(FindDerivative, follows_a_fast_oscillation) {
  for (const double frequency : {50.0, 200.0, 1000.0, 3000.0}) {
    const auto f = [&](double x) { return std::sin(frequency * x); };
    for (double x = 0.0; x <= 1.0; x += 0.0625) {
      EXPECT_NEAR(find_derivative(f, x, kFirstStep), frequency * std::cos(frequency * x),
                  1e-8 * frequency)
          << "frequency " << frequency << " at " << x;
    }
  }
}

// Steps 0.1 and 0.1/1.5 are whole multiples of half the period of 15 j Hz, so the first differences
// all vanish and agree with each other to rounding; the derivative is still 2 pi 15 j cos(...).
TEST(FindDerivative, is_not_fooled_by_steps_of_whole_periods) {
  for (const double hertz : {10.0, 15.0, 30.0, 45.0}) {
    const double frequency = 2.0 * std::numbers::pi * hertz;
    const auto f = [&](double x) { return std::sin(frequency * x); };
    for (const double x : {0.0, 0.01, 0.1, 0.3}) {
      EXPECT_NEAR(find_derivative(f, x, kFirstStep), frequency * std::cos(frequency * x),
                  1e-8 * frequency)
          << hertz << " Hz at " << x;
    }
  }
}

}  // namespace
}  // namespace slipstick
