/// States at which directions, forces or mobilities vanish exactly. Answers must not depend on
/// rounding, on units, or on how a direction is written.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "slipstick/classify.h"
#include "slipstick/mode_letters.h"
#include "slipstick/model/model.h"
#include "slipstick/model_file.h"
#include "slipstick/paradox.h"

namespace slipstick {
namespace {

Classification classify_text(const std::string& text) {
  const LoadedModel loaded = parse_model("model.toml", text, {});
  return classify(*loaded.model, loaded.initial, Tolerances{});
}

std::vector<std::string> list_words(const Classification& answer) {
  std::vector<std::string> out;
  for (const ModeSolution& solution : answer.solutions) out.push_back(to_letters(solution.modes));
  return out;
}

void expect_ordered_ranges(const Classification& answer) {
  constexpr double kRounding = 1e-9;  // of the range's ends
  for (const ModeSolution& solution : answer.solutions) {
    for (const Range& range : solution.family.force_n) {
      EXPECT_LE(range.first, range.second + kRounding * std::abs(range.second))
          << to_letters(solution.modes);
    }
  }
}

/// A collar on a vertical guide between two walls, whose normals are written in two ways.
std::string write_collar(const std::string& normal) {
  std::string out = R"toml(gravity = [0, -10]
[[bodies]]
name = "collar"
mass = 2
gyration = 0.5
joint = { type = "prismatic", axis = [0, 1], coordinate = "y" }
)toml";
  for (const char* name : {"low", "high"}) {
    out += fmt::format(R"toml([[surfaces]]
name = "{0}"
point = [1, 0]
normal = {1}
[[contacts]]
name = "{0}"
body = "collar"
point = [1, {2}]
surface = "{0}"
mu = 1.5
)toml",
                       name, normal, name[0] == 'l' ? -1 : 1);
  }
  return out;
}

/// The guide takes every normal force, so the walls' forces are free: they stop the collar (SS), or
/// slow it down while it falls along -t (NN); t is up for a normal to the left.
TEST(DegenerateStates, ANormalThatIsLevelButForRoundingIsLevel) {
  const Classification exact = classify_text(write_collar("[-1, 0]"));
  const Classification rounded = classify_text(write_collar("[\"-sin(90*deg)\", \"cos(90*deg)\"]"));
  EXPECT_EQ(list_words(rounded), list_words(exact));
  expect_ordered_ranges(rounded);
  ASSERT_EQ(rounded.solutions.size(), exact.solutions.size());
  for (std::size_t i = 0; i < exact.solutions.size(); ++i) {
    EXPECT_EQ(rounded.solutions[i].family.dimension, exact.solutions[i].family.dimension);
    constexpr double kSane = 1e6;  // N: the weight is 20 N
    EXPECT_LT(rounded.solutions[i].force_n.cwiseAbs().maxCoeff(), kSane);
  }
}

/// A pendulum with four feet on the floor below its hinge, one of them straight below: its gap does
/// not move at all. Lengths and masses are written in other units.
std::string write_pendulum(double length, double mass) {
  std::string out =
      fmt::format(R"toml(gravity = [{}, {}]
[[bodies]]
name = "pendulum"
mass = {}
gyration = {}
com = [0, {}]
joint = {{ type = "revolute", coordinate = "a" }}
[[surfaces]]
name = "floor"
point = [0, {}]
)toml",
                  -0.3 * length, -length, mass, 0.5 * length, 0.2 * length, -0.5 * length);
  for (const double x : {-1.0, 0.0, -1.0}) {
    out += fmt::format(R"toml([[contacts]]
name = "foot{}"
body = "pendulum"
point = [{}, {}]
surface = "floor"
mu = 0.3
)toml",
                       out.size(), x * length, -0.5 * length);
  }
  return out;
}

TEST(DegenerateStates, AFootBelowAHingeKnowsNoUnits) {
  const Classification here = classify_text(write_pendulum(1.0, 1.0));
  const Classification scaled = classify_text(write_pendulum(1024.0, 0x1p-20));
  EXPECT_EQ(list_words(scaled), list_words(here));
  expect_ordered_ranges(here);
  expect_ordered_ranges(scaled);
}

/// A block on the feet at -1 and 1, and a bilateral one between them, whose force may have either
/// sign: two families that meet where it is zero. Nothing moves in either, so the motion is one.
TEST(DegenerateStates, FamiliesThatMeetAreOneMotion) {
  std::string text = R"toml(gravity = [0, -9.81]
[[bodies]]
name = "block"
mass = 2
gyration = 0.3
joint = { type = "free", coordinates = ["x", "y", "a"] }
[[surfaces]]
name = "floor"
[initial]
y = 0.5
)toml";
  for (const int x : {-1, 0, 1}) {
    text += fmt::format(R"toml([[contacts]]
name = "foot{0}"
body = "block"
point = [{0}, -0.5]
surface = "floor"
mu = 0.4
bilateral = {1}
)toml",
                        x, x == 0);
  }
  const Classification answer = classify_text(text);
  EXPECT_EQ(answer.contact_class, ContactClass::kConsistent);
  EXPECT_EQ(list_words(answer), (std::vector<std::string>{"SSS", "SSS"}));
}

/// Two slides along one line, one on the other, held by two contacts that feel only their sum. The
/// contacts' forces do not move the first slide. Its acceleration used to be reported as an
/// unbounded range, caused by rounding.
TEST(DegenerateStates, ACoordinateThatNoContactMovesHasOneAcceleration) {
  const Classification answer = classify_text(R"toml(gravity = [3, -10]
[[bodies]]
name = "lower"
mass = 2
gyration = 0.5
joint = { type = "prismatic", axis = [1, 0.8], coordinate = "p" }
[[bodies]]
name = "upper"
mass = 1
gyration = 0.5
joint = { type = "prismatic", parent = "lower", axis = [1, 0.8], coordinate = "q" }
[[surfaces]]
name = "slope"
normal = ["sqrt(0.5)", "sqrt(0.5)"]
[[surfaces]]
name = "wall"
normal = [-1, 0]
[[contacts]]
name = "on slope"
body = "upper"
surface = "slope"
[[contacts]]
name = "at wall"
body = "upper"
surface = "wall"
mu = 0.5
)toml");
  for (const ModeSolution& solution : answer.solutions) {
    EXPECT_TRUE(solution.family.acceleration_is_unique) << to_letters(solution.modes);
  }
  EXPECT_EQ(answer.contact_class, ContactClass::kConsistent);
}

/// Two feet, one on a hinged part. While the part turns, the closed curve turns quickly and back
/// within a small part of the way, where the program used to crash. Newton's method in steps of
/// 1e-3 rad (a script of ten lines) closes both feet over the whole range, with a Jacobian above
/// 0.07.
TEST(DegenerateStates, AClosedCurveThatTurnsQuicklyIsFollowed) {
  const LoadedModel loaded = parse_model("model.toml", R"toml(gravity=[0.94,-9.8]
[[bodies]]
name="a"
mass=0.48
gyration=0.59
com=[-0.29,0.25]
joint={type="free",coordinates=["x","y","th"]}
[[bodies]]
name="b0"
mass=3.5
gyration=0.4
com=[-0.16,-0.097]
joint={type="revolute",parent="a",at=[-0.13,-0.14],coordinate="q0"}
[[bodies]]
name="b1"
mass=3.5
gyration=0.33
com=[-0.17,0.25]
joint={type="revolute",parent="a",at=[-0.16,-0.027],coordinate="q1"}
[[surfaces]]
name="s0"
speed=0
[[surfaces]]
name="s1"
point=[0.5,0]
normal=[-0.014,1]
[[contacts]]
name="c0"
body="a"
point=[-0.5,-0.96]
surface="s0"
mu=0.12
[[contacts]]
name="c1"
body="b1"
point=[0.5,-0.78]
surface="s1"
mu=0.53
[initial]
x=0
q0=-1.1
q1=-0.32
y={close="c0",near=0}
th={close="c1",near=0}
)toml",
                                         {});
  const ParadoxProblem problem = make_paradox_problem(
      *loaded.model, loaded.initial, loaded.closings, SlipDirection::kPlus, Tolerances{});
  const ParadoxAlong found =
      find_paradox_along(problem, {loaded.model->find_coordinate("q1"), -1.6, 2.3});
  ASSERT_EQ(found.reachable.size(), 1U);
  EXPECT_NEAR(found.reachable[0].low, -1.6, 1e-12);
  EXPECT_NEAR(found.reachable[0].high, 2.3, 1e-12);
}

}  // namespace
}  // namespace slipstick
