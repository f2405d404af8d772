/// Forces of redundant contacts whose family has no bound.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "slipstick/io/parse_modes.h"
#include "slipstick/model_file.h"
#include "slipstick/sim/mode/mode.h"

namespace slipstick {
namespace {

/// A block between two walls, which may press it as hard as they like, and share its weight in any
/// way. Both press with the same force N by symmetry, and carry half of the weight. In units of the
/// size s = sqrt(m) g hypot(1/sqrt(2), 0.01) of the load, with the pressure n and the friction t of
/// one wall, the member minimises (eps/2)(2 n^2 + 2 t^2) - 2 log n - 2 log(mu n - t)
/// - 2 log(mu n + t), eps = 1e-3: docs/theory/motion.md. With q = n^2 that is
/// eps mu^2 q^2 - (eps t^2 + 3 mu^2) q + t^2 = 0.
TEST(FamilyForces, WedgedBlockIsHeldByTheMemberOfItsClosedForm) {
  constexpr double kGravity = 9.81;
  constexpr double kMu = 0.8;
  constexpr double kEps = 1e-3;
  for (const double mass : {1e-6, 2.0, 1e6}) {
    const LoadedModel loaded = parse_model("block.toml",
                                           fmt::format(R"toml(gravity = [0, {}]
[[bodies]]
name = "block"
mass = {}
gyration = 1
joint = {{ type = "translation", coordinates = ["x", "y"] }}
[[surfaces]]
name = "left"
normal = [1, 0]
[[surfaces]]
name = "right"
normal = [-1, 0]
point = [1, 0]
[[contacts]]
name = "l"
body = "block"
surface = "left"
mu = {}
[[contacts]]
name = "r"
body = "block"
point = [1, 0]
surface = "right"
mu = {}
)toml",
                                                       -kGravity, mass, kMu, kMu),
                                           {});
    ModeSolution sticking;
    sticking.modes = parse_modes("SS").value();
    sticking.force_n = VecC::Ones(2);
    const State state{0.0, VecQ::Zero(2), VecQ::Zero(2)};
    const Mode mode = make_mode(*loaded.model, state, sticking);
    ASSERT_TRUE(mode.redundant);
    const ModeField field = eval_mode_field(*loaded.model, mode, state);

    const double size = std::sqrt(mass) * kGravity * std::hypot(std::sqrt(0.5), 0.01);
    const double t = 0.5 * std::sqrt(mass) * kGravity / size;
    const double b = kEps * t * t + 3.0 * kMu * kMu;
    const double q =
        (b + std::sqrt(b * b - 4.0 * kEps * kMu * kMu * t * t)) / (2.0 * kEps * kMu * kMu);
    const double pressure = std::sqrt(q) * size * std::sqrt(mass);
    const double weight = mass * kGravity;
    constexpr double kRounding = 1e-9;  // of the weight: Newton's method ends there
    EXPECT_NEAR(field.impulse_rate[0], pressure, kRounding * pressure);
    EXPECT_NEAR(field.impulse_rate[2], pressure, kRounding * pressure);
    EXPECT_NEAR(field.impulse_rate[1], -0.5 * weight, kRounding * pressure);  // t points down
    EXPECT_NEAR(field.impulse_rate[3], 0.5 * weight, kRounding * pressure);
    EXPECT_NEAR(field.acceleration.norm(), 0.0, kRounding * kGravity);
  }
}

/// A box on three feet beside another one: its forces are those that it has alone, also where the
/// other stands at the border of its family, because the slope is tan = mu for its feet.
TEST(FamilyForces, AnotherBodyChangesNothing) {
  const auto find = [](bool has_other, double y) {
    const auto write_box = [](const char* name, double x, const std::vector<double>& feet,
                              double mu) {
      std::string out = fmt::format(R"toml([[bodies]]
name = "{0}"
mass = 2
gyration = 0.1
joint = {{ type = "free", coordinates = ["x{0}", "y{0}", "a{0}"] }}
)toml",
                                    name);
      for (std::size_t i = 0; i < feet.size(); ++i) {
        out += fmt::format(R"toml([[contacts]]
name = "{0}{1}"
body = "{0}"
point = [{2}, -0.1]
surface = "slope"
mu = {3}
)toml",
                           name, i, x + feet[i], mu);
      }
      return out;
    };
    std::string text = "gravity = [5, -10]\n[[surfaces]]\nname = \"slope\"\n" +
                       write_box("a", 0.0, {-0.2, 0.0, 0.3}, 0.8);
    if (has_other) text += write_box("b", 3.0, {-0.2, 0.2}, 0.5);
    const LoadedModel loaded = parse_model(
        "boxes.toml", text + "[initial]\nya = 0.1\n" + (has_other ? "yb = 0.1\n" : ""), {});
    ModeSolution sticking;
    sticking.modes = parse_modes(has_other ? "SSSSS" : "SSS").value();
    sticking.force_n = VecC::Ones(has_other ? 5 : 3);
    State state = loaded.initial;
    state.q[1] += y;  // rounding of another kind
    return Vec2C(eval_mode_field(*loaded.model, make_mode(*loaded.model, state, sticking), state)
                     .impulse_rate.head(6));
  };
  const Vec2C alone = find(false, 0.0);
  for (const double y : {0.0, 1e-16, 3e-16, -2e-16}) {
    EXPECT_LE((find(true, y) - alone).norm(), 1e-9 * alone.norm()) << y;
  }
}

/// A box on four feet on a slope of tan = mu stands at the border of its family: no foot has any
/// friction to spare, but how they share the weight is free. Rounding of the state must not change
/// the member. From some corners of the family the search took more steps than it was given.
TEST(FamilyForces, ThinFamilyHasOneMember) {
  std::string text = R"toml(gravity = ["9.81*0.2/sqrt(1.04)", "-9.81/sqrt(1.04)"]
[[surfaces]]
name = "slope"
[[bodies]]
name = "box"
mass = 2.1
gyration = 0.15
joint = { type = "free", coordinates = ["x", "y", "a"] }
)toml";
  for (const double x : {-0.3, -0.1, 0.1, 0.3}) {
    text += fmt::format(
        "[[contacts]]\nname = \"f{}\"\nbody = \"box\"\npoint = [{}, -0.2273]\n"
        "surface = \"slope\"\nmu = 0.2\n",
        x, x);
  }
  const LoadedModel loaded = parse_model("box.toml", text + "[initial]\ny = 0.2273\n", {});
  ModeSolution sticking;
  sticking.modes = parse_modes("SSSS").value();
  sticking.force_n = VecC::Ones(4);
  State state = loaded.initial;
  const Mode mode = make_mode(*loaded.model, state, sticking);
  const Vec2C first = eval_mode_field(*loaded.model, mode, state).impulse_rate;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> rounding(-1e-15, 1e-15);
  for (int i = 0; i < 1000; ++i) {
    state.q = loaded.initial.q + VecQ::NullaryExpr(3, [&] { return rounding(random); });
    const Vec2C now = eval_mode_field(*loaded.model, mode, state).impulse_rate;
    ASSERT_LE((now - first).norm(), 1e-5 * first.norm()) << i;
  }
}

}  // namespace
}  // namespace slipstick
