/// Formulas over a motion: what their names mean, and what is known to rounding only.

#include "slipstick/sim/mode/motion_formula.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipstick/errors.h"
#include "slipstick/io/parse_modes.h"
#include "slipstick/model_file.h"
#include "slipstick/sim/mode/mode.h"

namespace slipstick {
namespace {

using testing::HasSubstr;

struct Slider {
  LoadedModel loaded = read_model("sliding-block", {});
  Mode mode;

  Slider() {
    ModeSolution solution;
    solution.modes = *parse_modes("P");
    solution.force_n = VecC::Constant(1, 9.81);
    mode = make_mode(*loaded.model, loaded.initial, solution);
  }
  [[nodiscard]] MotionFormula make(const std::string& text, const Constants& constants = {}) const {
    return {*loaded.model, constants, "test", text};
  }
  [[nodiscard]] double eval(const std::string& text, const Constants& constants = {}) const {
    return make(text, constants).eval(*loaded.model, mode, loaded.initial);
  }
};

/// m = 1, g = 9.81, mu = 0.5, v = 3.
TEST(MotionFormula, KnowsTheQuantitiesOfAMotion) {
  const Slider slider;
  EXPECT_EQ(slider.eval("x_dot + 10*t"), 3.0);
  EXPECT_EQ(slider.eval("slip_block"), 3.0);
  EXPECT_NEAR(slider.eval("force_n_block"), 9.81, 1e-14);
  EXPECT_NEAR(slider.eval("force_t_block"), -4.905, 1e-14);
  EXPECT_NEAR(slider.eval("x_ddot"), -4.905, 1e-14);
  EXPECT_EQ(slider.eval("kinetic_energy"), 4.5);
  EXPECT_EQ(slider.eval("energy - potential_energy"), 4.5);
  EXPECT_EQ(slider.eval("gap_rate_block + gap_block"), 0.0);
}

/// Coordinates before parameters, parameters before quantities.
TEST(MotionFormula, OwnNamesComeFirst) {
  const Slider slider;
  const Constants constants{{"x_dot", 7.0}, {"energy", 5.0}};
  EXPECT_EQ(slider.eval("x_dot", constants), 3.0);
  EXPECT_EQ(slider.eval("energy", constants), 5.0);
}

/// d(slip^2)/dt = 2 v a.
TEST(MotionFormula, RatesAreExact) {
  const Slider slider;
  const MotionFormula formula = slider.make("slip_block^2 + t");
  ASSERT_TRUE(formula.has_rate());
  EXPECT_NEAR(formula.eval_dual(*slider.loaded.model, slider.mode, slider.loaded.initial).rate,
              1.0 - 2.0 * 3.0 * 4.905, 1e-13);
  EXPECT_FALSE(slider.make("force_n_block").has_rate());
  EXPECT_FALSE(slider.make("energy").has_rate());
}

/// Rounding beside the length of the mechanism decides no strict comparison.
TEST(MotionFormula, ComparisonsKnowRounding) {
  const Slider slider;
  State state = slider.loaded.initial;
  state.q[1] = 1e-17;
  const MotionBlur blur{1e-13, 1.0, 10.0};
  const auto eval = [&](const char* text) {
    return slider.make(text).eval_blurred(*slider.loaded.model, slider.mode, state, blur).value;
  };
  EXPECT_EQ(eval("y > 0"), 0.0);
  EXPECT_EQ(eval("y >= 0"), 1.0);
  EXPECT_EQ(eval("y <= 0"), 1.0);
  EXPECT_EQ(eval("1000*y < 1e-9"), 1.0);
  EXPECT_EQ(eval("x_dot > 2"), 1.0);
  EXPECT_EQ(eval("sin(y) > 0 || max(x_dot, 1) < 2"), 0.0);
}

TEST(MotionFormula, UnknownNamesAreTold) {
  const Slider slider;
  try {
    (void)slider.make("force_n_blok");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'force_n_block'?"));
  }
}

}  // namespace
}  // namespace slipstick
