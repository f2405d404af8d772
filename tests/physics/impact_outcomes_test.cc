/// Every outcome of one impact beside closed forms: one contact in impulse space, impacts without
/// collision, jams, redundant feet, one foot alone.

#include "slipstick/impact_outcomes.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "physics/runs.h"
#include "physics/transformed_model.h"
#include "slipstick/mode_letters.h"
#include "slipstick/model/model.h"

namespace slipstick {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Asked {
  LoadedModel loaded;
  ImpactAnswer answer;
};

Asked ask(LoadedModel loaded, ImpactQuestion question = {}) {
  ImpactAnswer answer = find_impact_outcomes(*loaded.model, loaded.initial, question);
  EXPECT_TRUE(answer.check.passed) << answer.check.violations.front().law;
  return {std::move(loaded), std::move(answer)};
}
Asked ask(const char* model, const std::vector<Override>& overrides, ImpactQuestion question = {}) {
  return ask(read_model(model, overrides), std::move(question));
}
ImpactQuestion of_law(ImpactLaw law) { return {{law}, {}, {}}; }

/// The only outcome under a law.
const LawOutcome& find_only(const ImpactAnswer& answer, ImpactLaw law) {
  const LawOutcome* out = nullptr;
  for (const LawOutcome& outcome : answer.outcomes) {
    if (outcome.law != law) continue;
    EXPECT_EQ(out, nullptr) << "two outcomes of one law";
    out = &outcome;
  }
  if (out == nullptr) throw std::runtime_error("no outcome");
  return *out;
}

void expect_range(const Range& range, double from, double to, double tolerance) {
  EXPECT_NEAR(range.first, from, tolerance);
  EXPECT_NEAR(range.second, to, tolerance);
}

/// A rod of mass 1 and inertia 0.1 whose end, 0.8 from the centre, comes down. With the angle a
/// between rod and floor, W_n = (0, 1, -0.8 cos a) and W_t = (1, 0, 0.8 sin a).
std::string make_rod(double angle, double mu, double restitution, double slip) {
  return fmt::format(R"(
[[bodies]]
name = "rod"
mass = 1
inertia = 0.1
joint = {{ type = "free", coordinates = ["x", "y", "a"] }}
[[surfaces]]
name = "floor"
[[contacts]]
name = "end"
body = "rod"
point = [-0.8, 0]
surface = "floor"
mu = {}
restitution = {}
[initial]
a = {}
y = {{ close = "end" }}
y_dot = -1
x_dot = {}
)",
                     mu, restitution, angle, slip);
}

/// A piece of the path by hand: gap rate and slip per normal impulse.
struct Slopes {
  double gap_rate, slip;
};

/// Slides, reverses: at mu = 0.1 friction cannot hold the end of a rod at 0.7 rad. Newton, Poisson
/// and Stronge end on the second straight piece, whose slopes follow from G.
TEST(ImpactOutcomes, SlipReverses) {
  const double angle = 0.7;
  const double mu = 0.1;
  const double e = 0.6;
  const double nn = 1.0 + 6.4 * std::cos(angle) * std::cos(angle);
  const double tt = 1.0 + 6.4 * std::sin(angle) * std::sin(angle);
  const double nt = -6.4 * std::cos(angle) * std::sin(angle);
  ASSERT_GT(std::abs(nt), mu * tt);
  const Slopes first{nn - mu * nt, nt - mu * tt};   // slips along +t
  const Slopes second{nn + mu * nt, nt + mu * tt};  // then along -t
  const double slip = 0.2;
  const double corner = -slip / first.slip;
  const double depth = -1.0 + first.gap_rate * corner;  // gap rate there, before compression ends
  ASSERT_LT(depth, 0.0);
  const double compression = corner - depth / second.gap_rate;
  const Asked asked = ask(parse_model("rod.toml", make_rod(angle, mu, e, slip), {}));
  EXPECT_EQ(asked.answer.kind, ImpactKind::kCollision);
  // Work of compression: two trapezia.
  const double work = 0.5 * (-1.0 + depth) * corner + 0.5 * depth * (compression - corner);
  const std::vector<std::pair<ImpactLaw, double>> ends{
      {ImpactLaw::kInelastic, compression},
      {ImpactLaw::kPoisson, (1.0 + e) * compression},
      {ImpactLaw::kNewton, compression + e / second.gap_rate},
      {ImpactLaw::kStronge, compression + e * std::sqrt(-2.0 * work / second.gap_rate)},
      {ImpactLaw::kFremond, compression}};
  for (const auto& [law, total] : ends) {
    SCOPED_TRACE(find_word(kImpactLaws, law));
    const LawOutcome& outcome = find_only(asked.answer, law);
    EXPECT_NEAR(outcome.record.impulse_n[0], total, 1e-12);
    EXPECT_NEAR(outcome.record.impulse_t[0], -mu * corner + mu * (total - corner), 1e-12);
    EXPECT_EQ(to_letters(outcome.modes_after), total > compression ? "F" : "N");
    ASSERT_THAT(outcome.path, SizeIs(total > compression ? 3 : 2));
    EXPECT_EQ(outcome.path[0].motion, ContactMode::kSlipPlus);
    EXPECT_NEAR(outcome.path[0].impulse_n, corner, 1e-12);
    EXPECT_NEAR(outcome.path[0].end.gap_rate, depth, 1e-12);
    EXPECT_EQ(outcome.path[0].end.slip, 0.0);
    EXPECT_EQ(outcome.path[1].phase, ImpactPhase::kCompression);
    EXPECT_EQ(outcome.path[1].motion, ContactMode::kSlipMinus);
    EXPECT_NEAR(outcome.path[1].end.gap_rate, 0.0, 1e-12);
    EXPECT_NEAR(outcome.path.back().end.slip, second.slip * (total - corner), 1e-12);
    if (total > compression) {
      EXPECT_EQ(outcome.path[2].phase, ImpactPhase::kRestitution);
      EXPECT_NEAR(outcome.path[2].impulse_n, total - compression, 1e-12);
    }
    // The lines of no slip and no gap rate pass through the corner and the end of compression.
    const ImpulsePlane& plane = outcome.planes.at(0);
    const ImpulsePoint& turn = outcome.path[0].end;
    EXPECT_NEAR(
        plane.sticking.c + plane.sticking.n * turn.impulse_n + plane.sticking.t * turn.impulse_t,
        0.0, 1e-12);
    const ImpulsePoint& deepest = outcome.path[1].end;
    EXPECT_NEAR(plane.compressed.c + plane.compressed.n * deepest.impulse_n +
                    plane.compressed.t * deepest.impulse_t,
                0.0, 1e-12);
  }
}

/// With mu = 2 the same end sticks once it has stopped; with a fast slip it slides to the end.
TEST(ImpactOutcomes, SlipEndsOrGoesOn) {
  const double nn = 1.0 + 6.4 * std::cos(0.7) * std::cos(0.7);
  const double tt = 1.0 + 6.4 * std::sin(0.7) * std::sin(0.7);
  const double nt = -6.4 * std::cos(0.7) * std::sin(0.7);
  const Asked stops = ask(parse_model("rod.toml", make_rod(0.7, 2.0, 0.0, 0.2), {}));
  const LawOutcome& stopped = find_only(stops.answer, ImpactLaw::kPoisson);
  // Both velocities vanish: G P = (1, -slip).
  const double determinant = nn * tt - nt * nt;
  EXPECT_NEAR(stopped.record.impulse_n[0], (tt + 0.2 * nt) / determinant, 1e-12);
  EXPECT_NEAR(stopped.record.impulse_t[0], (-nt - 0.2 * nn) / determinant, 1e-12);
  EXPECT_EQ(to_letters(stopped.modes_after), "S");
  EXPECT_EQ(stopped.path.back().motion, ContactMode::kStick);
  const Asked slides = ask(parse_model("rod.toml", make_rod(0.7, 0.1, 0.0, 9.0), {}));
  const LawOutcome& slid = find_only(slides.answer, ImpactLaw::kPoisson);
  EXPECT_NEAR(slid.record.impulse_n[0], 1.0 / (nn - 0.1 * nt), 1e-12);
  EXPECT_EQ(to_letters(slid.modes_after), "P");
  EXPECT_THAT(slid.path, SizeIs(1));
}

/// Rimless wheel of [Or2014] in the paradox. Closed forms: docs/theory/impact.md; numbers to twelve
/// digits by two independent routes.
TEST(ImpactOutcomes, WheelIsStruckWithoutCollision) {
  const std::vector<Override> state{
      {"theta", "-0.15"}, {"theta_dot", "0.631566164576"}, {"x_dot", "0.05"}};
  const Asked soft = ask("rimless-wheel", state);
  EXPECT_EQ(soft.answer.kind, ImpactKind::kWithoutCollision);
  EXPECT_NEAR(find_only(soft.answer, ImpactLaw::kInelastic).after.v[2], 0.680035335063, 1e-12);
  std::vector<Override> bouncing = state;
  bouncing.push_back({"e", "0.3"});
  const Asked hard = ask("rimless-wheel", bouncing);
  EXPECT_NEAR(find_only(hard.answer, ImpactLaw::kPoisson).after.v[1], 0.00222158173525, 1e-14);
  EXPECT_NEAR(find_only(hard.answer, ImpactLaw::kStronge).after.v[1], 0.00124601106728, 1e-14);
  for (const LawOutcome& outcome : hard.answer.outcomes) {
    const double x_dot = outcome.law == ImpactLaw::kFremond ? -0.05 : 0.0;  // a full reversal
    EXPECT_NEAR(outcome.after.v[0], x_dot, 1e-14);
  }
}

/// The state where the bar of [Fremond2007] jams: the change of the turn rate is open up to
/// 7.436872, half of which ends the slip.
TEST(ImpactOutcomes, JumpAtAJamIsAFamily) {
  const Asked bar =
      ask("painleve-bar",
          {{"theta", "0.9437427935"}, {"theta_dot", "1.1112758297"}, {"slip", "-4.9746914741"}});
  EXPECT_EQ(bar.answer.kind, ImpactKind::kJam);
  const LawOutcome& jump = find_only(bar.answer, ImpactLaw::kFremond);
  EXPECT_NEAR(jump.largest_jump.value(), 7.436872, 1e-6);
  ASSERT_TRUE(jump.record.family);
  EXPECT_EQ(jump.record.family->dimension, 1);
  EXPECT_FALSE(jump.record.family->velocity_is_unique);
  expect_range(jump.record.family->velocity[2], 1.1112758297, 1.1112758297 + 7.436872, 1e-6);
  EXPECT_NEAR(jump.after.v[2], 1.1112758297 + 2.0, 1e-8);  // its own; p is 1e-10 here
  EXPECT_EQ(jump.path.at(0).phase, ImpactPhase::kPercussion);
  const LawOutcome& stop = find_only(bar.answer, ImpactLaw::kInelastic);
  EXPECT_NEAR(stop.after.v[2], 1.1112758297 + 0.5 * 7.436872, 1e-6);
  EXPECT_EQ(to_letters(stop.modes_after), "SF");
}

/// Klein's bar: U+ = -U-, P_T = 2 m U-, P_N = m U- tan(theta), at each of several angles beyond
/// tan(theta) = 2/mu [Fremond2007]. At pi/2 there is no jump.
TEST(ImpactOutcomes, KleinsPercussions) {
  for (const double theta : {1.2, 1.3, 1.5, 1.9}) {
    const Asked bar = ask("klein-bar", {{"theta", fmt::format("{}", theta)}, {"mu", "1.2"}},
                          of_law(ImpactLaw::kFremond));
    const LawOutcome& jump = find_only(bar.answer, ImpactLaw::kFremond);
    EXPECT_NEAR(jump.after.v[0], -1.0, 1e-12);
    EXPECT_NEAR(jump.record.impulse_t[0], -2.0, 1e-12);
    EXPECT_NEAR(std::abs(jump.record.impulse_n[0]), std::abs(std::tan(theta)), 1e-11);
  }
  const Asked upright = ask("klein-bar", {{"theta", "pi/2"}});
  EXPECT_THAT(upright.answer.outcomes, IsEmpty());
  EXPECT_THAT(upright.answer.laws.at(0).why.sentence, HasSubstr("dead centre"));
}

/// A plate of 2 kg with feet at -0.5, 0.1 and 0.5 lands flat at 1 m/s.
constexpr const char* kThreeFeet = R"(
gravity = [0, -9.81]
[[bodies]]
name = "plate"
mass = 2
inertia = 0.3
joint = { type = "free", coordinates = ["x", "y", "a"] }
[[surfaces]]
name = "floor"
[[contacts]]
name = "left"
body = "plate"
point = [-0.5, 0]
surface = "floor"
mu = 0.5
restitution = 0.5
[[contacts]]
name = "middle"
body = "plate"
point = [0.1, 0]
surface = "floor"
mu = 0.5
restitution = 0.5
[[contacts]]
name = "right"
body = "plate"
point = [0.5, 0]
surface = "floor"
mu = 0.5
restitution = 0.5
[initial]
x_dot = 3
y_dot = -1
)";

/// Its impulses are a + b + c = 2 N s with -0.5 a + 0.1 b + 0.5 c = 0, all >= 0: a from 1/3 to 1, b
/// to 5/3, c to 1. Poisson's law multiplies them by 1 + e. Friction takes mu 2/2 = 0.5 m/s.
TEST(ImpactOutcomes, RedundantFeetShareTheImpulse) {
  const Asked plate = ask(parse_model("plate.toml", kThreeFeet, {}));
  for (const double factor : {1.0, 1.5}) {
    const LawOutcome& outcome =
        find_only(plate.answer, factor > 1.0 ? ImpactLaw::kPoisson : ImpactLaw::kInelastic);
    ASSERT_TRUE(outcome.record.family);
    const ImpulseFamily& family = *outcome.record.family;
    EXPECT_EQ(family.dimension, 1);
    EXPECT_TRUE(family.velocity_is_unique);
    expect_range(family.impulse_n[0], factor / 3.0, factor, 1e-9);
    expect_range(family.impulse_n[1], 0.0, factor * 5.0 / 3.0, 1e-9);
    expect_range(family.impulse_n[2], 0.0, factor, 1e-9);
    EXPECT_GE(family.impulse_n[1].first, 0.0);
    EXPECT_NEAR(outcome.after.v[0], 3.0 - 0.5 * factor, 1e-12);
    EXPECT_NEAR(outcome.after.v[1], factor - 1.0, 1e-12);
    EXPECT_NEAR(outcome.after.v[2], 0.0, 1e-12);
  }
}

/// Newton's and Stronge's laws speak of one contact. They are left out, and the reason is told.
TEST(ImpactOutcomes, LawsOfOneContactAreLeftOut) {
  const Asked plate = ask(parse_model("plate.toml", kThreeFeet, {}));
  for (const LawAnswer& law : plate.answer.laws) {
    const bool left_out = law.law == ImpactLaw::kNewton || law.law == ImpactLaw::kStronge;
    EXPECT_EQ(law.count, left_out ? 0 : 1);
    EXPECT_EQ(law.runs_use.has_value(), left_out);
    EXPECT_EQ(static_cast<bool>(law.why), left_out);
  }
}

/// The velocities of x, y and a in the units of kThreeFeet.
VecQ sort_velocities(const Model& model, const VecQ& v, double length) {
  VecQ out(3);
  const std::vector<std::string> names{"x", "y", "a"};
  for (int i = 0; i < 3; ++i) {
    const auto found = std::find(model.coordinates.begin(), model.coordinates.end(),
                                 names[static_cast<std::size_t>(i)]);
    out[i] = v[found - model.coordinates.begin()] / (i < 2 ? length : 1.0);
  }
  return out;
}

/// Lengths in mm or km, masses in t, and any order of contacts: the same outcomes.
TEST(ImpactOutcomes, DescriptionDoesNotMatter) {
  const Asked as_is = ask(parse_model("plate.toml", kThreeFeet, {}));
  std::mt19937_64 random(7);
  for (const double length : {1.0, 1e-3, 1e3}) {
    const testkit::Units units{length, length < 1.0 ? 1e3 : 1.0, 1.0};
    const std::string text = testkit::reorder(testkit::rescale(kThreeFeet, units), random);
    const Asked other = ask(parse_model("other.toml", text, {}));
    ASSERT_THAT(other.answer.outcomes, SizeIs(as_is.answer.outcomes.size()));
    for (std::size_t i = 0; i < other.answer.outcomes.size(); ++i) {
      const LawOutcome& a = as_is.answer.outcomes[i];
      const LawOutcome& b = other.answer.outcomes[i];
      EXPECT_LT((a.after.v - sort_velocities(*other.loaded.model, b.after.v, length)).norm(), 1e-9);
      const double impulse = units.length * units.mass;
      EXPECT_NEAR(a.record.impulse_n.sum(), b.record.impulse_n.sum() / impulse, 1e-9);
      const int left = other.loaded.model->find_contact("left");
      const Range& range = b.record.family->impulse_n[static_cast<std::size_t>(left)];
      EXPECT_NEAR(a.record.family->impulse_n[0].first, range.first / impulse, 1e-9);
      EXPECT_NEAR(a.record.family->impulse_n[0].second, range.second / impulse, 1e-9);
    }
  }
}

/// The walkers' law: the impulse acts at the foot that comes down. By angular momentum about it the
/// turn rate falls to (kappa + cos(2 pi/n))/(1 + kappa) of what it was [Or2014] (14).
TEST(ImpactOutcomes, OneFootAlone) {
  ImpactQuestion question = of_law(ImpactLaw::kInelastic);
  question.only = 1;
  const Asked wheel = ask("rimless-wheel", {{"theta", "pi/10"}, {"theta_dot", "0.643"}}, question);
  const LawOutcome& outcome = find_only(wheel.answer, ImpactLaw::kInelastic);
  const double part = (0.02 + std::cos(std::numbers::pi / 5.0)) / 1.02;
  EXPECT_NEAR(outcome.after.v[2], 0.643 * part, 1e-12);
  EXPECT_EQ(to_letters(outcome.modes_before), "SFF");
  EXPECT_EQ(to_letters(outcome.modes_after), "FSF");
  EXPECT_THAT(outcome.pushed, IsEmpty());
}

/// A smooth plate rests on its left foot and lands on the right one, 0.5 from the centre each. With
/// 1/m = 0.5 and a^2/I = 12.5 the landing foot gets P = 1/13 N s, which drives the other one in
/// with (12.5 - 0.5) P. Both together stop it.
TEST(ImpactOutcomes, OneFootMayPushTheOtherIn) {
  constexpr const char* kPlate = R"(
gravity = [0, -9.81]
[[bodies]]
name = "plate"
mass = 2
inertia = 0.02
joint = { type = "free", coordinates = ["x", "y", "a"] }
[[surfaces]]
name = "floor"
[[contacts]]
name = "rests"
body = "plate"
point = [-0.5, 0]
surface = "floor"
[[contacts]]
name = "lands"
body = "plate"
point = [0.5, 0]
surface = "floor"
[initial]
y_dot = -0.5
a_dot = -1
)";
  ImpactQuestion question = of_law(ImpactLaw::kInelastic);
  question.only = 1;
  const Asked alone = ask(parse_model("plate.toml", kPlate, {}), question);
  const LawOutcome& outcome = find_only(alone.answer, ImpactLaw::kInelastic);
  EXPECT_NEAR(outcome.record.impulse_n[1], 1.0 / 13.0, 1e-13);
  EXPECT_EQ(outcome.record.impulse_n[0], 0.0);
  ASSERT_THAT(outcome.pushed, SizeIs(1));
  EXPECT_EQ(outcome.pushed[0].contact, 0);
  EXPECT_NEAR(outcome.pushed[0].gap_rate, -12.0 / 13.0, 1e-12);
  EXPECT_THAT(outcome.notes, Contains(HasSubstr("pushes contact 'rests' into its surface")));
  const Asked both = ask(parse_model("plate.toml", kPlate, {}), of_law(ImpactLaw::kInelastic));
  EXPECT_LT(find_only(both.answer, ImpactLaw::kInelastic).after.v.norm(), 1e-12);
}

/// The first outcome of each law is the one that a run takes.
TEST(ImpactOutcomes, RunsTakeTheFirstOne) {
  for (const ImpactLaw law : {ImpactLaw::kInelastic, ImpactLaw::kPoisson, ImpactLaw::kFremond}) {
    const Asked plate = ask(parse_model("plate.toml", kThreeFeet, {}), of_law(law));
    SimulationOptions options;
    options.law = law;
    options.max_events = 1;
    const auto run = testkit::run_text(kThreeFeet, 0.1, options);
    EXPECT_LT((run.events.at(0).impact->v_plus - plate.answer.outcomes.at(0).record.v_plus).norm(),
              1e-14);
  }
}

TEST(ImpactOutcomes, NoImpactIsAnAnswer) {
  const Asked flying = ask("bouncing-ball", {});
  EXPECT_EQ(flying.answer.kind, ImpactKind::kNone);
  EXPECT_THAT(flying.answer.why.sentence, HasSubstr("no contact is at its surface"));
  const Asked sliding = ask("sliding-block", {});
  EXPECT_THAT(sliding.answer.outcomes, IsEmpty());
  EXPECT_THAT(sliding.answer.why.sentence, HasSubstr("least 1 1/kg at contact 'block'"));
}

}  // namespace
}  // namespace slipstick
