/// Order of the method and of its interpolant, on an orbit with a closed form.

#include "slipstick/sim/mode/dormand_prince.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slipstick {
namespace {

using Method = DormandPrince<4>;

/// Circular Kepler orbit: (cos t, sin t) and its velocity.
void eval_orbit(const Method::Vector& y, Method::Vector& slope) {
  const double r3 = std::pow(y[0] * y[0] + y[1] * y[1], 1.5);
  slope = {y[2], y[3], -y[0] / r3, -y[1] / r3};
}

struct Errors {
  double end = 0.0, inside = 0.0, inside_rate = 0.0;
};

Errors find_errors(int steps) {
  Method method(4);
  method.start({1.0, 0.0, 0.0, 1.0}, eval_orbit);
  const double length = 2.0 / steps;
  Errors out;
  for (int i = 0; i < steps; ++i) {
    method.step(length, 4, {1.0, 1.0, 1.0, 1.0}, eval_orbit);
    method.finish(eval_orbit);
    StepInterpolant<4> interpolant;
    method.write_interpolant(eval_orbit, interpolant);
    for (const double theta : {0.15, 0.45, 0.8}) {
      const double t = (i + theta) * length;
      out.inside = std::max(out.inside, std::abs(interpolant.eval(0, theta) - std::cos(t)));
      out.inside_rate = std::max(out.inside_rate,
                                 std::abs(interpolant.eval_rate(0, theta) / length + std::sin(t)));
    }
    method.go_on();
  }
  out.end = std::abs(method.start()[0] - std::cos(2.0));
  return out;
}

TEST(DormandPrince, HasOrderEightAndItsInterpolantSeven) {
  const Errors coarse = find_errors(4);
  const Errors fine = find_errors(8);
  EXPECT_LT(fine.end, 1e-9);
  EXPECT_NEAR(std::log2(coarse.end / fine.end), 8.0, 1.0);
  EXPECT_GT(std::log2(coarse.inside / fine.inside), 7.0);
  EXPECT_GT(std::log2(coarse.inside_rate / fine.inside_rate), 6.0);
}

/// One step of length 0.5.
StepInterpolant<4> make_one_step(Method& method) {
  method.start({1.0, 0.0, 0.0, 1.0}, eval_orbit);
  method.step(0.5, 4, {1.0, 1.0, 1.0, 1.0}, eval_orbit);
  method.finish(eval_orbit);
  StepInterpolant<4> out;
  method.write_interpolant(eval_orbit, out);
  return out;
}

TEST(DormandPrince, InterpolantMeetsBothEnds) {
  Method method(4);
  const StepInterpolant<4> interpolant = make_one_step(method);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(interpolant.eval(i, 0.0), method.start()[i]);
    EXPECT_NEAR(interpolant.eval(i, 1.0), method.end()[i], 1e-15);
    EXPECT_NEAR(interpolant.eval_rate(i, 0.0), 0.5 * method.slope()[i], 1e-14);
    EXPECT_NEAR(interpolant.eval_rate(i, 1.0), 0.5 * method.slope_at_end()[i], 1e-14);
  }
}

/// The same operations in other registers: the same bits.
TEST(DormandPrince, RoundsAlikeInAllRegisters) {
  Method wide(4);
  Method narrow(4, 4, false);
  StepInterpolant<4> wide_interpolant;
  StepInterpolant<4> narrow_interpolant;
  const auto run = [](Method& method, StepInterpolant<4>& interpolant) {
    method.start({1.0, 0.1, 0.2, 0.9}, eval_orbit);
    const double error = method.step(0.7, 4, {1.0, 3.0, 5.0, 7.0}, eval_orbit);
    method.finish(eval_orbit);
    method.write_interpolant(eval_orbit, interpolant);
    return error;
  };
  EXPECT_EQ(run(wide, wide_interpolant), run(narrow, narrow_interpolant));
  EXPECT_EQ(wide.end(), narrow.end());
  EXPECT_EQ(wide.slope_at_end(), narrow.slope_at_end());
  EXPECT_EQ(wide_interpolant.rows, narrow_interpolant.rows);
}

/// Components on which f does not depend are integrated like the others, in the same block or
/// apart.
TEST(DormandPrince, ComponentsThatAreNoInputsFollow) {
  using Long = DormandPrince<8>;
  // A pendulum, and integrals along its motion.
  const auto eval = [](const Long::Vector& y, Long::Vector& slope) {
    slope = {y[1], -std::sin(y[0]), y[0] * y[0], y[0] * y[1], std::cos(y[0])};
  };
  const auto run = [&](Long method) {
    method.start({1.0, 0.1}, eval);
    method.step(0.7, 5, {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, eval);
    method.finish(eval);
    StepInterpolant<8> interpolant;
    method.write_interpolant(eval, interpolant);
    std::array<double, 10> out;
    for (std::size_t i = 0; i < 5; ++i) {
      out[i] = method.end()[i];
      out[5 + i] = interpolant.eval(i, 0.4);
    }
    return out;
  };
  EXPECT_EQ(run({5, 2}), run(Long(5)));
}

TEST(DormandPrince, SlopesWithinTheStepAreThoseOfTheMotionToFourthOrder) {
  const auto find_error = [](double length) {
    Method method(4);
    method.start({1.0, 0.0, 0.0, 1.0}, eval_orbit);
    method.step(length, 4, {1.0, 1.0, 1.0, 1.0}, eval_orbit);
    return std::max(std::abs(method.slope_at_third()[0] + std::sin(length / 3.0)),
                    std::abs(method.slope_at_three_fifths()[0] + std::sin(0.6 * length)));
  };
  EXPECT_LT(find_error(0.5), 1e-4);
  EXPECT_GT(std::log2(find_error(0.5) / find_error(0.25)), 3.5);
}

TEST(DormandPrince, ErrorEstimateFollowsTheError) {
  Method method(4);
  method.start({1.0, 0.0, 0.0, 1.0}, eval_orbit);
  const double large = method.step(0.5, 4, {1.0, 1.0, 1.0, 1.0}, eval_orbit);
  const double true_error = std::abs(method.end()[0] - std::cos(0.5));
  const double small = method.step(0.25, 4, {1.0, 1.0, 1.0, 1.0}, eval_orbit);
  EXPECT_GT(large, true_error);
  EXPECT_GT(std::log2(large / small), 7.0);
}

}  // namespace
}  // namespace slipstick
