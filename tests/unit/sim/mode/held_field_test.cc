/// The field of contacts that stick, without the inverse of the mass matrix.

#include "slipstick/sim/mode/held_field.h"

#include <gtest/gtest.h>

#include <array>

#include "unit/sim/started.h"

namespace slipstick {
namespace {

using testkit::Started;

struct HeldField {
  bool regular = false;
  VecQ acceleration;
  std::array<double, 2 * kMaxContacts> force{};
};

HeldField eval_held_field(const Model& model, const Mode& mode, const State& state) {
  HeldField out;
  out.acceleration = VecQ::Zero(model.size());
  out.regular = write_held_field(model, mode, state, out.acceleration.data(), out.force.data());
  return out;
}

/// A block at rest carries its weight.
TEST(HeldField, BlockCarriesItsWeight) {
  const Started block("sliding-block", {{"v0", "0"}});
  const HybridState moving = block.find_moving();
  const HeldField field = eval_held_field(block.model(), moving.mode, moving.state);
  ASSERT_TRUE(field.regular);
  EXPECT_NEAR(field.acceleration.norm(), 0.0, 1e-15);
  EXPECT_NEAR(field.force[0], 9.81, 1e-14);
  EXPECT_NEAR(field.force[1], 0.0, 1e-14);
}

/// Second way: the general field of the mode, through M^-1, for a biped that swings about its foot.
TEST(HeldField, AgreesWithTheGeneralField) {
  const Started biped("compass-biped", {{"mu", "10"}});
  const HybridState moving = biped.find_moving();
  ASSERT_FALSE(moving.mode.stretched);
  ASSERT_EQ(moving.mode.closed.size(), 1U);
  const HeldField field = eval_held_field(biped.model(), moving.mode, moving.state);
  const ModeField other = eval_mode_field(biped.model(), moving.mode, moving.state);
  ASSERT_TRUE(field.regular && other.regular);
  EXPECT_NEAR((field.acceleration - other.acceleration).norm(), 0.0, 1e-12);
  EXPECT_NEAR(field.force[0], other.impulse_rate[0], 1e-12);
  EXPECT_NEAR(field.force[1], other.impulse_rate[1], 1e-12);
}

}  // namespace
}  // namespace slipstick
