/// Forces of redundant contacts whose family has no bound.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace slipstick
