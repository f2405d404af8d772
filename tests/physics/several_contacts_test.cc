/// Several closed contacts at once.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "physics/runs.h"
#include "slipstick/io/text_file.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using testing::list_types;
using testing::run_case;
using testing::run_text;

/// Redundant contacts: only the split of the forces is open, the motion is not.
TEST(SeveralContacts, ThreeFeetInARowSlideAsOne) {
  std::string text = R"(
gravity = [0, -10]
[[bodies]]
name = "box"
mass = 1
inertia = 0.1
joint = { type = "free", coordinates = ["x", "y", "theta"] }
[[surfaces]]
name = "floor"
[initial]
y = 0.3
x_dot = 2
)";
  for (const double foot : {-0.5, 0.0, 0.5}) {
    text += fmt::format(R"(
[[contacts]]
name = "foot{}"
body = "box"
point = [{}, -0.3]
surface = "floor"
mu = 0.5
)",
                        foot < 0.0 ? 1 : (foot > 0.0 ? 3 : 2), foot);
  }
  const auto run = run_text(text, 1.0);
  EXPECT_THAT(list_types(run), ElementsAre("stick", "rest"));
  EXPECT_NEAR(run.end.time, 0.4, 1e-14);
}

/// What is not coupled takes no part: the bar jams and jumps as it does alone.
TEST(SeveralContacts, JamBesideARestingBlock) {
  const std::string place = "[[contacts]]\nname = \"A\"";
  std::string text = read_text_file(SLIPSTICK_SOURCE_DIR "/models/painleve-bar.toml");
  text.insert(text.find(place), R"([[bodies]]
name = "block"
mass = 2
inertia = 1
joint = { type = "translation", coordinates = ["block_x", "block_y"] }

[[contacts]]
name = "block"
body = "block"
surface = "plane"
mu = 0.5

)");
  const auto alone = run_case({"painleve-bar", {}, 0.7, {}});
  const auto beside = run_text(text, 0.7);
  EXPECT_EQ(list_types(beside), list_types(alone));
  EXPECT_NEAR(beside.events.at(0).time, alone.events.at(0).time, 1e-11);
}

/// One ball bounces to rest while another lies beside it.
TEST(SeveralContacts, BouncesEndWhileAnotherContactIsClosed) {
  const auto run = run_text(R"(
gravity = [0, -10]
[[bodies]]
name = "a"
mass = 1
gyration = 0
joint = { type = "translation", coordinates = ["ax", "ay"] }
[[bodies]]
name = "b"
mass = 1
gyration = 0
joint = { type = "translation", coordinates = ["bx", "by"] }
[[surfaces]]
name = "floor"
[[contacts]]
name = "bouncing"
body = "a"
surface = "floor"
mu = 0.3
restitution = 0.9
law = "poisson"
[[contacts]]
name = "lying"
body = "b"
surface = "floor"
mu = 0.3
[initial]
ay = 1
)",
                            20.0);
  EXPECT_EQ(run.end.reason, EndReason::kRest);
  EXPECT_NEAR(run.end.time, std::sqrt(0.2) * 1.9 / 0.1, 1e-9);
}

}  // namespace
}  // namespace slipstick
