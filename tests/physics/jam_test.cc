/// How sliding ends, the smallest slip that jams, and the points p = b = 0. Origins: the closed
/// forms of docs/theory/paradox.md (one turning part), and numbers of the theory notes that were
/// computed by two independent routes: jam times, smallest slips, eigenvalues of the biped.

#include "slipstick/jam.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "angles.h"
#include "slipstick/dynamics.h"
#include "slipstick/errors.h"
#include "slipstick/model_file.h"

namespace slipstick {
namespace {

using testkit::kDegree;
using testkit::kPi;

const std::vector<Override> kWheel{{"theta", "-0.3"}, {"theta_dot", "0.643"}};

LoadedModel read_with(const std::string& model, std::vector<Override> values,
                      const std::vector<Override>& more = {}) {
  values.insert(values.end(), more.begin(), more.end());
  return read_model(model, values);
}

SlidingMotion slide(const LoadedModel& loaded) {
  return find_sliding_end(*loaded.model, loaded.initial, {{}, loaded.range});
}

CriticalSlip find_slip(const LoadedModel& loaded) {
  return find_critical_slip(*loaded.model, loaded.initial, {{}, loaded.range});
}

JamReach reach(const LoadedModel& loaded) {
  return find_jam_reach(*loaded.model, loaded.initial, loaded.closings, loaded.range, {});
}

double eval_slip(const LoadedModel& loaded, const State& state, int contact) {
  return eval_contact_kinematics(*loaded.model, state).slip[contact];
}

TEST(SlidingEnd, WheelJams) {
  const LoadedModel wheel = read_with("rimless-wheel", kWheel, {{"x_dot", "0.5"}});
  const SlidingMotion motion = slide(wheel);
  ASSERT_EQ(motion.ends.size(), 1U);
  EXPECT_EQ(motion.end().outcome, JamOutcome::kJam);
  EXPECT_NEAR(motion.end().time, .0465986676765, 1e-11);
  EXPECT_NEAR(motion.end().exponent.value_or(0.0), -.26936138, 1e-7);
  EXPECT_NEAR(motion.end().state.v[0], .094677893376, 1e-10);
}

TEST(SlidingEnd, WheelEndsInOtherWays) {
  const auto end = [](const char* speed, const char* mu) {
    return slide(read_with("rimless-wheel", kWheel, {{"x_dot", speed}, {"mu", mu}})).end();
  };
  EXPECT_EQ(end("0.39", "0.35").outcome, JamOutcome::kStick);
  EXPECT_EQ(end("0.4", "0.35").outcome, JamOutcome::kSlipReversal);
  const SlidingEnd lift_off = end("2", "0.31");
  EXPECT_EQ(lift_off.outcome, JamOutcome::kLiftOff);
  EXPECT_NEAR(lift_off.time, .1226071019, 1e-9);
}

TEST(SlidingEnd, RodOfThePaperJams) {
  const SlidingMotion motion = slide(read_model("sliding-rod", {}));
  EXPECT_EQ(motion.end().outcome, JamOutcome::kJam);
  EXPECT_NEAR(motion.end().time, .286621, 5e-7);
  EXPECT_NEAR(motion.end().state.q[2] / kDegree, -20.7764, 5e-5);
}

TEST(SlidingEnd, LevelChainLiftsOff) {
  const SlidingMotion motion = slide(read_model("jamming-chain-level", {}));
  EXPECT_EQ(motion.end().outcome, JamOutcome::kLiftOff);
  EXPECT_NEAR(motion.end().time, .0150, 5e-5);
  EXPECT_NEAR(motion.end().state.q[2] / kDegree, -21.2227, 5e-5);
}

/// A block on a slope below the friction angle: v/(g (mu cos a - sin a)), a block's closed form.
TEST(SlidingEnd, BlockSticksOrLasts) {
  const LoadedModel block = read_model("sliding-block", {});
  const SlidingMotion motion = slide(block);
  EXPECT_EQ(motion.end().outcome, JamOutcome::kStick);
  EXPECT_NEAR(motion.end().time, 3.0 / (.5 * 9.81), 1e-12);
  SimulationOptions brief;
  brief.until = 0.1;
  const SlidingMotion part = find_sliding_end(*block.model, block.initial, {brief, {}});
  EXPECT_EQ(part.end().outcome, JamOutcome::kTime);
  EXPECT_EQ(part.end().time, 0.1);
}

/// x = 3 t - mu g t^2/2 reaches 0.5 m.
TEST(SlidingEnd, LeavesARange) {
  const LoadedModel block = read_model("sliding-block", {});
  const JamQuestion question{{}, {{0, -1.0, 0.5}}};
  const SlidingEnd end = find_sliding_end(*block.model, block.initial, question).end();
  EXPECT_EQ(end.outcome, JamOutcome::kLeavesRange);
  EXPECT_EQ(end.coordinate, 0);
  const double a = .5 * 9.81;
  EXPECT_NEAR(end.time, (3.0 - std::sqrt(9.0 - 2.0 * a * .5)) / a, 1e-9);
  EXPECT_NEAR(end.state.q[0], 0.5, 1e-9);
}

TEST(SlidingEnd, StartsOutsideOfItsRange) {
  const LoadedModel block = read_model("sliding-block", {});
  const JamQuestion question{{}, {{0, 1.0, 2.0}}};
  const SlidingEnd end = find_sliding_end(*block.model, block.initial, question).end();
  EXPECT_EQ(end.outcome, JamOutcome::kLeavesRange);
  EXPECT_EQ(end.time, 0.0);
}

TEST(SlidingEnd, FullTurnsOfAnAngleStayInItsRange) {
  const LoadedModel wheel = read_with(
      "rimless-wheel", {{"theta", "-0.3+2*pi"}, {"theta_dot", "0.643"}, {"x_dot", "0.5"}});
  const SlidingEnd end = slide(wheel).end();
  EXPECT_EQ(end.outcome, JamOutcome::kJam);
  EXPECT_NEAR(end.time, .0465986676765, 1e-9);
}

TEST(SlidingEnd, InconsistentAtOnce) {
  const LoadedModel wheel =
      read_with("rimless-wheel", {{"theta", "-0.12"}, {"theta_dot", "0"}, {"x_dot", "1"}});
  const SlidingEnd end = slide(wheel).end();
  EXPECT_EQ(end.outcome, JamOutcome::kInconsistent);
  EXPECT_EQ(end.time, 0.0);
}

/// docs/theory/paradox.md: with this torque the wheel slides into p = b = 0 with a finite force.
TEST(SlidingEnd, PassesWithAFiniteForce) {
  std::string text = read_model("rimless-wheel", {}).source.text;
  text += "\n[[forces]]\nbody = \"wheel\"\ntorque = 0.02\n";  // counter-clockwise: -0.02 in theta
  const std::vector<Override> values{
      {"theta", "-0.3"}, {"theta_dot", "0.643"}, {"x_dot", "2"}, {"mu", "0.31"}};
  const LoadedModel wheel = parse_model("wheel.toml", text, values);
  const SlidingEnd end = slide(wheel).end();
  EXPECT_EQ(end.outcome, JamOutcome::kIndeterminate);
  EXPECT_NEAR(end.time, 0.13652, 5e-6);
  const JamPoint point = eval_jam_point(*wheel.model, end.state, {0, 1.0});
  EXPECT_EQ(point.type, JamPointType::kPasses);
  EXPECT_NEAR(point.gamma / (point.beta - point.alpha), 0.80008, 5e-6);  // f*
}

/// Next to the jamming angle of a chain at rest, less than doubles resolve decides.
TEST(SlidingEnd, MarginalNextToTheJammingAngle) {
  const LoadedModel chain = read_model(
      "jamming-chain-level", std::vector<Override>{{"theta", "-0.369664"}, {"x_dot", "100"}});
  const SlidingEnd end = slide(chain).end();
  EXPECT_EQ(end.outcome, JamOutcome::kMarginal);
  EXPECT_THAT(end.candidates,
              ::testing::UnorderedElementsAre(JamOutcome::kLiftOff, JamOutcome::kJam));
}

TEST(SlidingEnd, NeedsSlip) {
  const LoadedModel wheel = read_model("rimless-wheel", {});
  EXPECT_THROW(static_cast<void>(slide(wheel)), InputError);
  const LoadedModel ball = read_model("bouncing-ball", {});
  EXPECT_THROW(static_cast<void>(slide(ball)), InputError);
}

TEST(CriticalSlip, OfTheWheelAndTheBiped) {
  const CriticalSlip wheel = find_slip(read_with("rimless-wheel", kWheel, {{"x_dot", "0.5"}}));
  EXPECT_TRUE(wheel.by_translation);
  EXPECT_NEAR(wheel.jams.slip.value_or(0.0), .405322106624, 1e-9);
  EXPECT_LT(wheel.jams.error, 1e-9);
  const CriticalSlip biped = find_slip(read_with("compass-biped", {{"theta1", "-0.5461"},
                                                                   {"theta2", "0.6860"},
                                                                   {"theta1_dot", "0"},
                                                                   {"theta2_dot", "0"},
                                                                   {"x_dot", "10"}}));
  EXPECT_NEAR(biped.jams.slip.value_or(0.0), 4.27724906, 1e-7);
}

/// p and b of the wheel do not depend on its translation, so the way to the jam takes a fixed part
/// of the slip: the second way to the smallest one.
TEST(CriticalSlip, IsWhatTheWayTakes) {
  for (const char* mu : {"0.34", "0.36", "0.375"}) {
    const LoadedModel wheel = read_with("rimless-wheel", kWheel, {{"x_dot", "3"}, {"mu", mu}});
    const SlidingMotion motion = slide(wheel);
    ASSERT_EQ(motion.end().outcome, JamOutcome::kJam) << mu;
    const double taken = 3.0 - eval_slip(wheel, motion.end().state, 0);
    const CriticalSlip slip = find_slip(wheel);
    EXPECT_LT(slip.jams.error, 1e-10) << mu;
    EXPECT_NEAR(slip.jams.slip.value_or(0.0), taken, 1e-10) << mu;
    EXPECT_NEAR(slip.lasts.slip.value_or(0.0), taken, 1e-10) << mu;
  }
}

/// Theory notes: of 7 m/s the bar has 4.9746914741 m/s left where it jams.
TEST(CriticalSlip, OfPainlevesBar) {
  const CriticalSlip slip = find_slip(read_model("painleve-bar", {}));
  EXPECT_NEAR(slip.jams.slip.value_or(0.0), 7.0 - 4.9746914741, 2e-10);
}

/// The paradox is there at once, whatever the slip.
TEST(CriticalSlip, NoneIsNeededForAParadox) {
  const CriticalSlip slip = find_slip(read_model("two-link-rail", {}));
  EXPECT_EQ(slip.lasts.slip.value_or(-1.0), 0.0);
  EXPECT_FALSE(slip.jams.slip);
}

/// The theory notes on the level chain: from -24.4 deg on, sliding to the lift-off needs 1.57
/// to 1.71 m/s over the paper's region.
TEST(CriticalSlip, LevelChainNeverJams) {
  const CriticalSlip slip = find_slip(read_model("jamming-chain-level", {}));
  EXPECT_FALSE(slip.jams.slip);
  EXPECT_TRUE(slip.jams.why);
  EXPECT_EQ(slip.fast, JamOutcome::kLiftOff);
  EXPECT_GE(slip.lasts.slip.value_or(0.0), 1.56);
  EXPECT_LE(slip.lasts.slip.value_or(0.0), 1.72);
}

/// Of the same wheel in lengths of 1 mm.
TEST(CriticalSlip, DoesNotDependOnUnits) {
  const LoadedModel small = read_with(
      "rimless-wheel", kWheel, {{"x_dot", "0.0005"}, {"l", "0.001"}, {"g", "0.001*(1 + kappa)"}});
  EXPECT_NEAR(find_slip(small).jams.slip.value_or(0.0), .000405322106624, 1e-12);
}

/// A fixed base: the slip is that of the rail. A faster rail takes the same way to the same jam.
TEST(CriticalSlip, OfAFixedBaseMovesTheSurface) {
  // From a state near the jam of this arm, which its own critical friction gives.
  const LoadedModel arm = read_model(
      "two-link-rail",
      std::vector<Override>{{"rail_speed", "-3"}, {"theta1", "20*deg"}, {"theta1_dot", "2"}});
  const CriticalSlip slip = find_slip(arm);
  EXPECT_FALSE(slip.by_translation);
  EXPECT_EQ(slip.surface, 0);
  ASSERT_TRUE(slip.lasts.slip) << slip.lasts.why.sentence;
  // Slower and faster by a millionth.
  const double own = eval_slip(arm, arm.initial, 0);
  for (const double factor : {1.0 - 1e-6, 1.0 + 1e-6}) {
    const double rail = -3.0 + own - *slip.lasts.slip * factor;
    const LoadedModel other =
        read_model("two-link-rail", std::vector<Override>{{"rail_speed", std::to_string(rail)},
                                                          {"theta1", "20*deg"},
                                                          {"theta1_dot", "2"}});
    const JamOutcome outcome = slide(other).end().outcome;
    const bool ends = outcome == JamOutcome::kStick || outcome == JamOutcome::kSlipReversal;
    EXPECT_EQ(ends, factor < 1.0);
  }
}

/// Closed forms at the lower end T = tan(theta) of the wheel's window: alpha and beta per kappa m.
TEST(JamPoints, OfTheWheel) {
  const LoadedModel wheel = read_with("rimless-wheel", kWheel, {{"x_dot", "0.5"}});
  const JamReach found = reach(wheel);
  ASSERT_FALSE(found.why) << found.why.sentence;
  ASSERT_FALSE(found.points.points.empty()) << found.points.why.sentence;
  int jams = 0;
  for (const JamPoint& point : found.points.points) {
    const double theta = point.state.q[2];
    const double rate = point.state.v[2];
    const double kappa = 0.02;
    EXPECT_NEAR(point.p, 0.0, 1e-10);
    EXPECT_NEAR(point.b, 0.0, 1e-10);
    EXPECT_NEAR(rate * rate, 1.02 * std::cos(10.0 * kDegree) / std::cos(theta), 1e-10);
    const double alpha = rate / kappa * (std::sin(2.0 * theta) + 0.35 * std::cos(2.0 * theta));
    const double beta =
        -2.0 * rate / kappa * std::cos(theta) * (std::sin(theta) + 0.35 * std::cos(theta));
    EXPECT_NEAR(point.alpha, alpha, 1e-7 * std::abs(alpha));
    EXPECT_NEAR(point.beta, beta, 1e-7 * std::abs(beta));
    EXPECT_NEAR(point.gamma, -rate * rate * rate * std::sin(theta), 1e-6);
    if (point.type != JamPointType::kJam) continue;
    ++jams;
    EXPECT_NEAR(theta, -.264368488452, 1e-10);
    EXPECT_NEAR(point.exponent(), -.26936138, 1e-7);
  }
  EXPECT_EQ(jams, 1);
}

TEST(JamPoints, WhereTheBipedJams) {
  const LoadedModel biped = read_with("compass-biped", {{"theta1", "-0.5461"},
                                                        {"theta2", "0.6860"},
                                                        {"theta1_dot", "0"},
                                                        {"theta2_dot", "0"},
                                                        {"x_dot", "10"}});
  const SlidingMotion motion = slide(biped);
  ASSERT_EQ(motion.end().outcome, JamOutcome::kJam);
  EXPECT_NEAR(motion.end().time, .0401894049581, 1e-11);
  const JamPoint point = eval_jam_point(*biped.model, motion.end().state, motion.sliding[0]);
  // docs/theory/paradox.md: alpha = -1.8648, beta = -1.3058.
  EXPECT_NEAR(point.alpha, -1.8648, 5e-5);
  EXPECT_NEAR(point.beta, -1.3058, 5e-5);
  EXPECT_NEAR(point.exponent(), -.29978550, 1e-6);
  EXPECT_EQ(point.type, JamPointType::kJam);
}

/// mu_c = 2/sqrt(3) mu_min; the chain's numbers from kappa of its table.
TEST(JamReach, OfTheLevelChain) {
  const JamReach found = reach(read_model("jamming-chain-level", {}));
  ASSERT_FALSE(found.why) << found.why.sentence;
  ASSERT_TRUE(found.reachable && found.unrestricted);
  EXPECT_NEAR(found.reachable->jam_scale.value_or(0.0) * 0.64, 0.70166262, 1e-8);
  EXPECT_NEAR(found.reachable->scale * 0.64, 0.60766, 5e-6);
  EXPECT_NEAR(found.unrestricted->jam_scale.value_or(0.0) * 0.64, 0.70166262, 1e-8);
  for (const JamPoint& point : found.points.points) EXPECT_NE(point.type, JamPointType::kJam);
}

/// The proposition of docs/theory/paradox.md: with the swing leg below the hip 0.611847, anywhere
/// else mu_min.
TEST(JamReach, OfTheBipedInItsRange) {
  const LoadedModel biped = read_with("compass-biped", {{"x_dot", "1"}});
  const JamReach found = reach(biped);
  ASSERT_TRUE(found.reachable && found.unrestricted) << found.why.sentence;
  EXPECT_NEAR(found.reachable->scale * 0.7, 0.553283335172, 1e-10);
  EXPECT_NEAR(found.reachable->jam_scale.value_or(0.0) * 0.7, 0.611847, 2e-6);
  EXPECT_NEAR(found.unrestricted->jam_scale.value_or(0.0) * 0.7, 0.553283335172, 1e-6);
  ASSERT_EQ(found.reachable->jam_at.size(), 4);
  EXPECT_LE(std::abs(found.reachable->jam_at[0]), kPi / 2.0);
  EXPECT_LE(std::abs(found.reachable->jam_at[1]), kPi / 2.0);
  EXPECT_TRUE(found.points.why);
}

/// A narrower range: outside of it nothing is found. mu_P of the wheel falls towards -0.139.
TEST(JamReach, OverAnotherRange) {
  const LoadedModel wheel = read_with("rimless-wheel", kWheel, {{"x_dot", "0.5"}});
  const std::vector<CoordinateRange> over{{2, -0.1, 0.1}};
  const JamReach found = find_jam_reach(*wheel.model, wheel.initial, wheel.closings, over, over);
  EXPECT_FALSE(found.points.points.empty());
  for (const JamPoint& point : found.points.points) {
    EXPECT_EQ(point.in_range, std::abs(std::remainder(point.state.q[2], 2.0 * kPi)) <= 0.1);
  }
  ASSERT_TRUE(found.reachable);
  const double kappa = 0.02;
  const double expected = (kappa + std::pow(std::sin(0.1), 2)) / (std::sin(0.1) * std::cos(0.1));
  EXPECT_NEAR(found.reachable->scale * 0.35, expected, 1e-7);
}

TEST(JamRows, TheRodsCentreReachesTheJammingLine) {
  const LoadedModel rod = read_model("sliding-rod", {});
  const std::vector<JamRow> rows = list_jam_rows(*rod.model, slide(rod));
  ASSERT_GT(rows.size(), 10U);
  double most = 0.0;
  for (const JamRow& row : rows) {
    if (row.centre) most = std::max(most, std::abs(row.centre->x()));
  }
  EXPECT_NEAR(most, 0.0586, 2e-4);  // docs/theory/paradox.md
  ASSERT_TRUE(rows.back().centre);
  EXPECT_LT(std::abs(rows.back().centre->x()), 0.01);
}

}  // namespace
}  // namespace slipstick
