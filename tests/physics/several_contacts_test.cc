/// Several closed contacts at once.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "physics/runs.h"
#include "slipstick/io/text_file.h"
#include "slipstick/mode_letters.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using testkit::list_types;
using testkit::run_case;
using testkit::run_text;

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

/// A contact that is not coupled has no effect: the bar jams and jumps as it does alone.
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

std::string make_bars(const std::vector<double>& angles) {
  std::string text = "gravity = [0, -1]\n[[surfaces]]\nname = \"plane\"\n";
  std::string initial = "[initial]\n";
  for (std::size_t i = 0; i < angles.size(); ++i) {
    text += fmt::format(R"(
[[bodies]]
name = "bar{0}"
mass = 1
inertia = "1/12"
joint = {{ type = "free", coordinates = ["x{0}", "y{0}", "theta{0}"] }}
[[contacts]]
name = "end{0}"
body = "bar{0}"
point = [-1, 0]
surface = "plane"
mu = 0.9
law = "poisson"
)",
                        i);
    initial += fmt::format(
        "theta{0} = {1}\nx{0}_dot = -7\ny{0} = {{ close = \"end{0}\", near = 1 }}\n", i, angles[i]);
  }
  return text + initial;
}

/// Of two separate bars only the one that jams is struck, or lifts off, as if it were alone and in
/// whatever order they are listed.
TEST(SeveralContacts, OnlyWhatJamsIsStruck) {
  for (const OnJam policy : {OnJam::kImpact, OnJam::kLiftOff}) {
    SimulationOptions options;
    options.on_jam = policy;
    const auto alone = run_text(make_bars({0.88}), 0.3, options);
    const auto later = run_text(make_bars({0.87}), 0.3, options);
    ASSERT_FALSE(alone.events.empty());
    ASSERT_TRUE(later.events.empty());
    for (const std::size_t place : {0U, 1U}) {
      std::vector<double> angles{0.87, 0.87};
      angles[place] = 0.88;
      const auto run = run_text(make_bars(angles), 0.3, options);
      ASSERT_EQ(list_types(run), list_types(alone));
      EXPECT_THAT(run.events[0].contacts, ElementsAre(static_cast<int>(place)));
      EXPECT_NEAR(run.events[0].time, alone.events[0].time, 1e-11);
      const auto at = static_cast<Eigen::Index>(3 * place);
      EXPECT_LT((run.state.v.segment(at, 3) - alone.state.v).cwiseAbs().maxCoeff(), 1e-8);
      EXPECT_LT((run.state.v.segment(3 - at, 3) - later.state.v).cwiseAbs().maxCoeff(), 1e-10);
    }
  }
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

/// A box of half width b and half height h that rocks on its corners without slip.
constexpr double kHalfWidth = 0.1;
constexpr double kHalfHeight = 0.5;
const std::string kRockingBox = R"(
gravity = [0, -9.81]
[parameters]
b = 0.1
h = 0.5
[[bodies]]
name = "box"
mass = 1
inertia = "(b^2 + h^2)/3"
joint = { type = "free", coordinates = ["x", "y", "theta"] }
[[surfaces]]
name = "floor"
[[contacts]]
name = "left"
body = "box"
point = ["-b", "-h"]
surface = "floor"
mu = 1
[[contacts]]
name = "right"
body = "box"
point = ["b", "-h"]
surface = "floor"
mu = 1
[initial]
theta = 0.1
y = { close = "left", near = 0.5 }
)";

/// Each impact leaves 1 - (3/2) sin^2 alpha of the turn rate [Housner1963]; between two of them the
/// time follows from the energy, w^2 = w0^2 - 2 p^2 (cos(alpha - theta) - cos(alpha)),
/// p^2 = 3 g/(4 R).
TEST(SeveralContacts, BoxRocksToRest) {
  const double R = std::hypot(kHalfWidth, kHalfHeight);
  const double alpha = std::atan2(kHalfWidth, kHalfHeight);
  const double p2 = 0.75 * 9.81 / R;
  const double ratio = 1.0 - 1.5 * std::pow(std::sin(alpha), 2);
  const auto rise = [&](double theta) {  // half the square of the rate lost on the way up
    return p2 * 2.0 * std::sin(alpha - 0.5 * theta) * std::sin(0.5 * theta);
  };
  const auto find_quarter = [&](double top) {  // from the top to theta = 0, theta = top (1 - u^2)
    boost::math::quadrature::gauss<double, 60> rule;
    return rule.integrate(
        [&](double u) {
          const double below = top * u * u;
          const double drop =
              p2 * 2.0 * std::sin(alpha - top + 0.5 * below) * std::sin(0.5 * below);
          return 2.0 * top * u / std::sqrt(2.0 * drop);
        },
        0.0, 1.0);
  };
  double top = 0.1;
  double time = find_quarter(top);
  double last = time;
  for (int i = 0; i < 400; ++i) {
    const double target = ratio * ratio * rise(top);  // energy after the impact
    // p2 (cos(alpha - top) - cos(alpha)) = target
    top = alpha - std::acos(std::cos(alpha) + target / p2);
    if (top < 1e-7) break;
    last = 2.0 * find_quarter(top);
    time += last;
  }
  const auto run = run_text(kRockingBox, 20.0);
  EXPECT_EQ(run.end.reason, EndReason::kRest);
  EXPECT_NEAR(run.events[0].time, find_quarter(0.1), 1e-10);
  EXPECT_NEAR(run.events[0].energy_after / run.events[0].energy_before, ratio * ratio, 1e-12);
  const Event& zeno = testkit::find_event(run, EventType::kZeno);
  EXPECT_EQ(zeno.zeno->round, 2);
  EXPECT_NEAR(zeno.zeno->ratio, ratio * ratio, 1e-5);
  EXPECT_NEAR(run.end.time, time + last * ratio / (1.0 - ratio), 1e-7);
  EXPECT_LT(zeno.zeno->time_error, 1e-7);
}

/// Slower than it takes to pass the next spoke it rocks between two of them.
TEST(SeveralContacts, WheelComesToRestOnASmallSlope) {
  const auto run =
      run_case({"rimless-wheel", {{"alpha", "1*deg"}, {"theta_dot", "0.2"}}, 100.0, {}});
  EXPECT_EQ(run.end.reason, EndReason::kRest);
  EXPECT_EQ(run.events.at(run.events.size() - 2).type, EventType::kZeno);
  EXPECT_EQ(to_letters(run.events.back().modes_after), "SSF");
}

/// A small kick about the first foot: successive impacts of the second foot grow by the factor that
/// the zero-order theory of [Or2021] gives, to second order in the kick.
TEST(SeveralContacts, KickedBodyGrowsAsTheTheorySays) {
  struct Posture {
    const char *rho, *l1, *l2;
    double growth;
  };
  for (const Posture& posture : {Posture{"0.143", "-0.0512", "0.1688", 0.322984433932},
                                 Posture{"0.1469", "0.0161", "0.0761", 0.921140455469},
                                 Posture{"0.1379", "0.0288", "0.0888", 1.336639479860}}) {
    for (const double kick : {1e-2, 1e-3}) {
      const std::string rate = fmt::format("{}", kick);
      SimulationOptions options;
      options.max_events = 12;
      const auto run = run_case({"two-contact-body",
                                 {{"rho", posture.rho},
                                  {"l1", posture.l1},
                                  {"l2", posture.l2},
                                  {"theta_dot", rate},
                                  {"z_dot", fmt::format("-({})*{}", posture.l1, rate)},
                                  {"x_dot", "-0.1341*" + rate}},
                                 10.0,
                                 options});
      std::vector<double> impulses;
      for (const Event& event : run.events) {
        if (event.impact && event.contacts == std::vector<int>{1}) {
          impulses.push_back(event.impact->impulse_n[1]);
        }
      }
      ASSERT_GE(impulses.size(), 3U);
      EXPECT_NEAR(impulses[1] / impulses[0], posture.growth, kick * kick + 1e-8);
    }
  }
}

/// [Or2014]: with five spokes and friction 0.6 the impact leaves both feet sliding, and the wheel
/// stops on two spokes.
TEST(SeveralContacts, WheelWithTooLittleFrictionSlidesOnTwoSpokes) {
  const auto run = run_case({"rimless-wheel",
                             {{"n", "5"}, {"kappa", "0.02"}, {"mu", "0.6"}, {"theta_dot", "0.9"}},
                             20.0,
                             {}});
  const Event& impact = testkit::find_event(run, EventType::kImpact);
  EXPECT_EQ(to_letters(impact.modes_after), "PFP");
  EXPECT_EQ(run.end.reason, EndReason::kRest);
  EXPECT_EQ(to_letters(run.events.back().modes_after), "SFS");
}

/// [Meltz2007]: the experiment's plate rolls about its forward tip. So does the model's: the rear
/// corner lifts off when the level plate would.
TEST(SeveralContacts, ChainRollsAboutItsForwardTip) {
  const auto corners = run_case({"jamming-chain", {}, 0.3, {}});
  const auto level = run_case({"jamming-chain-level", {}, 0.3, {}});
  ASSERT_FALSE(corners.events.empty());
  EXPECT_EQ(corners.events[0].type, EventType::kLiftoff);
  EXPECT_EQ(to_letters(corners.events[0].modes_after), "FP");
  EXPECT_EQ(level.events.at(0).type, EventType::kLiftoff);
  EXPECT_NEAR(corners.events[0].time, 0.0150, 5e-5);
  EXPECT_GT(corners.state.q[2], 0.1);  // it has turned clockwise
}

/// Just below the friction that jams: the rear corner's force vanishes so near d = 0 that sharp
/// tolerances do not tell the two apart. The forward one's does not vanish with it.
TEST(SeveralContacts, OneCornerLetsGoShortlyBeforeAJam) {
  for (const double tolerance : {1e-9, 1e-11, 1e-12, 1e-13, 1e-14}) {
    SCOPED_TRACE(tolerance);
    SimulationOptions options;
    options.tolerance = tolerance;
    const auto run = run_case({"jamming-chain",
                               {{"theta", "-0.58952168556749118"},
                                {"x_dot", "3.4657488386214461"},
                                {"theta_dot", "0.86930617610458416"},
                                {"mu", "0.70200755858822406"}},
                               0.5,
                               options});
    ASSERT_THAT(list_types(run), ElementsAre("liftoff", "impact"));
    EXPECT_EQ(to_letters(run.events[0].modes_after), "FP");
    EXPECT_NEAR(run.events[0].time, 0.05770848919, 1e-11);
    EXPECT_NEAR(run.events[1].time, 0.425125757508, 1e-10);
  }
}

}  // namespace
}  // namespace slipstick
