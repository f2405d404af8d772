/// A hinged arm whose tip meets a floor: one degree of freedom, so that the tip's normal and
/// tangential velocity are multiples of each other.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "physics/runs.h"

namespace slipstick {
namespace {

/// The tip falls with v_n = -0.2 w and slides with |v_t| = 0.55 w: it wedges if mu > 0.2/0.55.
std::string make_arm(const char* law, double mu, double speed) {
  return fmt::format(R"(
gravity = [0, -9.81]
[[bodies]]
name = "arm"
mass = 1
gyration = 0.2
com = [0.1, -0.25]
joint = {{ type = "revolute", coordinate = "a" }}
[[surfaces]]
name = "floor"
point = [0, -0.55]
speed = {}
[[contacts]]
name = "tip"
body = "arm"
point = [0.2, -0.55]
surface = "floor"
mu = {}
restitution = 0.6
law = "{}"
[initial]
a = 0.3
a_dot = -1
)",
                     speed, mu, law);
}

/// Slip and gap rate vanish together, and no further impulse moves the tip.
TEST(Wedging, EveryLawEndsAtRest) {
  for (const char* law : {"inelastic", "poisson", "newton", "stronge"}) {
    const auto run = testkit::run_text(make_arm(law, 0.5, 0.0), 1.0);
    SCOPED_TRACE(law);
    EXPECT_EQ(run.end.reason, EndReason::kRest);
    EXPECT_NEAR(testkit::find_event(run, EventType::kImpact).energy_after, 0.0, 1e-30);
  }
}

/// With less friction it slides, and Newton's law bounces.
TEST(Wedging, SlidingTipRebounds) {
  const auto run = testkit::run_text(make_arm("newton", 0.3, 0.0), 1.0);
  const Event& impact = testkit::find_event(run, EventType::kImpact);
  EXPECT_NEAR(impact.energy_after / impact.energy_before, 0.36, 1e-12);
}

/// A floor that drags the tip in has no finite impulse to stop it.
TEST(Wedging, DraggedTipHasNoImpulse) {
  int dragged = 0;
  for (const double speed : {-0.5, 0.5}) {
    const auto run = testkit::run_text(make_arm("newton", 0.5, speed), 1.0);
    EXPECT_TRUE(run.state.v.allFinite());
    dragged += run.end.reason == EndReason::kInconsistent ? 1 : 0;
  }
  EXPECT_EQ(dragged, 1);
}

}  // namespace
}  // namespace slipstick
