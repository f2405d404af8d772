/// Observables along motions: their zeros and extremes beside closed forms.

#include "slipstick/observe.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/math/special_functions/ellint_1.hpp>
#include <cmath>
#include <numbers>

#include "physics/runs.h"

namespace slipstick {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

ObservableRecord follow(const std::string& model, const std::string& expression, double until,
                        SimulationOptions options = {}) {
  const LoadedModel loaded = model.find('\n') == std::string::npos
                                 ? read_model(model, {})
                                 : parse_model("test.toml", model, {});
  options.until = until;
  RunTree tree = make_tree(simulate(*loaded.model, loaded.initial, options));
  const Run before = tree.runs[0].run;
  std::map<std::string, double> parameters;
  for (const Setting& setting : loaded.parameters) parameters[setting.name] = setting.value;
  const std::vector<Observable> asked{{"test", "observed", expression}};
  check_observables(*loaded.model, parameters, asked);
  observe_tree(*loaded.model, parameters, asked, options.tolerance, tree);
  EXPECT_EQ(tree.runs[0].run.state, before.state);
  EXPECT_EQ(tree.runs[0].run.events.size(), before.events.size());
  return tree.runs[0].run.observables.at(0);
}

std::vector<std::string> list_found(const ObservableRecord& record) {
  std::vector<std::string> out;
  for (const Observed& found : record.events)
    out.emplace_back(find_word(kObservedTypes, found.type));
  return out;
}

std::string write_thrown(double v, double w) {
  return fmt::format(R"toml(gravity = [0, -9.81]
[[bodies]]
name = "stone"
point_masses = [{{ mass = 1, at = [0, 0] }}]
joint = {{ type = "translation", coordinates = ["x", "y"] }}
[initial]
x_dot = {}
y_dot = {}
)toml",
                     w, v);
}

/// y = v t - g t^2/2: highest at v/g, zero again at 2 v/g.
TEST(Observe, ThrownStone) {
  for (const double v : {1.0, 3.0, 12.5}) {
    const ObservableRecord y = follow(write_thrown(v, 2.0), "y", 2.5 * v / 9.81);
    ASSERT_THAT(list_found(y), ElementsAre("maximum", "zero"));
    EXPECT_NEAR(y.events[0].time, v / 9.81, 1e-14 * v);
    EXPECT_NEAR(y.events[0].value, 0.5 * v * v / 9.81, 1e-14 * v * v);
    EXPECT_NEAR(y.events[1].time, 2.0 * v / 9.81, 1e-13 * v);
    EXPECT_FALSE(y.events[1].rises);
    EXPECT_EQ(y.largest.value, y.events[0].value);
    EXPECT_EQ(y.start, 0.0);
    EXPECT_NEAR(y.end, y.least.value, 0.0);
  }
}

/// Many swings within one step: cos(200 x) with x = 2 t turns each pi/400 s.
TEST(Observe, FastFormulas) {
  const ObservableRecord fast = follow(write_thrown(0.0, 2.0), "cos(200*x)", 0.1);
  const auto turns = static_cast<std::size_t>(400.0 * 0.1 / std::numbers::pi);
  std::size_t extremes = 0;
  for (const Observed& found : fast.events) {
    if (found.type == ObservedType::kZero) continue;
    ++extremes;
    EXPECT_NEAR(found.time, static_cast<double>(extremes) * std::numbers::pi / 400.0, 1e-13);
  }
  EXPECT_EQ(extremes, turns);
}

/// A pendulum released at 1 rad: first zero after a quarter of 4 sqrt(l/g) K(sin(1/2)), then the
/// turn after a half.
TEST(Observe, Pendulum) {
  const ObservableRecord angle = follow(R"toml(gravity = [0, -9.81]
[[bodies]]
name = "pendulum"
point_masses = [{ mass = 2, at = [0, -0.7] }]
joint = { type = "revolute", coordinate = "theta" }
[initial]
theta = 1
)toml",
                                        "theta", 1.5);
  const double quarter = std::sqrt(0.7 / 9.81) * boost::math::ellint_1(std::sin(0.5));
  ASSERT_THAT(list_found(angle), ElementsAre("zero", "minimum", "zero"));
  EXPECT_NEAR(angle.events[0].time, quarter, 1e-11);
  EXPECT_FALSE(angle.events[0].rises);
  EXPECT_NEAR(angle.events[1].time, 2.0 * quarter, 1e-11);
  EXPECT_NEAR(angle.events[1].value, -1.0, 1e-11);
  EXPECT_TRUE(angle.events[2].rises);
}

/// At an impact the height has a kink and the velocity jumps over zero.
TEST(Observe, KinksAndJumps) {
  const double fall = std::sqrt(2.0 / 9.81);
  const ObservableRecord y = follow("bouncing-ball", "y", 1.0);
  ASSERT_THAT(list_found(y), ElementsAre("minimum", "maximum"));
  EXPECT_NEAR(y.events[0].time, fall, 1e-14);
  EXPECT_NEAR(y.events[0].value, 0.0, 1e-15);
  EXPECT_NEAR(y.events[1].time, 1.8 * fall, 1e-13);  // up again with e = 0.8
  EXPECT_NEAR(y.events[1].value, 0.64, 1e-13);
  const ObservableRecord rate = follow("bouncing-ball", "y_dot", 1.0);
  ASSERT_THAT(rate.events, SizeIs(4));
  EXPECT_EQ(rate.events[0].type, ObservedType::kMinimum);
  EXPECT_EQ(rate.events[2].type, ObservedType::kZero);
  EXPECT_TRUE(rate.events[2].jumps);
  EXPECT_TRUE(rate.events[2].rises);
  EXPECT_EQ(rate.events[3].type, ObservedType::kZero);
  EXPECT_FALSE(rate.events[3].jumps);
  EXPECT_NEAR(rate.events[3].time, 1.8 * fall, 1e-13);
  const ObservableRecord bend = follow(write_thrown(3.0, 2.0), "abs(y - 0.2)", 0.4);
  EXPECT_NEAR(bend.least.value, 0.0, 1e-15);
}

/// Forces: that of a belt's block is constant; rounding has no extremes. A ratio of forces has no
/// value in flight.
TEST(Observe, Forces) {
  const ObservableRecord force = follow("sliding-block", "force_n_block", 1.0);
  EXPECT_THAT(force.events, IsEmpty());
  EXPECT_NEAR(force.largest.value, 9.81, 1e-12);
  const ObservableRecord ratio = follow("bouncing-ball", "force_t_ball/force_n_ball", 0.3);
  EXPECT_FALSE(ratio.undefined.empty());
  // f_n = 2 + sin(3 t) of a mass that a load presses on its ground: known at pi/6 and pi/2.
  const ObservableRecord load = follow(R"toml(
[[bodies]]
name = "mass"
point_masses = [{ mass = 1, at = [0, 0] }]
joint = { type = "translation", coordinates = ["x", "y"] }
[[forces]]
body = "mass"
force = [0, "-2 - sin(3*t)"]
[[surfaces]]
name = "ground"
[[contacts]]
name = "foot"
body = "mass"
surface = "ground"
[initial]
x_dot = 1
)toml",
                                       "force_n_foot", 2.0);
  ASSERT_THAT(list_found(load), ElementsAre("maximum", "minimum"));
  EXPECT_NEAR(load.events[0].time, std::numbers::pi / 6.0, 1e-9);
  EXPECT_NEAR(load.events[0].value, 3.0, 1e-12);
  EXPECT_NEAR(load.events[1].time, std::numbers::pi / 2.0, 1e-9);
}

/// A block at rest on its ground: rounding of its height is no motion.
TEST(Observe, RoundingIsNoEvent) {
  EXPECT_THAT(follow("sliding-block", "y", 1.0).events, IsEmpty());
  EXPECT_THAT(follow("sliding-block", "gap_block + slip_block*0", 1.0).events, IsEmpty());
  EXPECT_THAT(follow("sliding-block", "energy - kinetic_energy", 1.0).events, IsEmpty());
}

}  // namespace
}  // namespace slipstick
