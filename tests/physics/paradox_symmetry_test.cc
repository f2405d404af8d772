/// Windows, maps and critical friction do not depend on how a mechanism is described: units, left
/// and right, order, the sign of a bilateral contact's normal, a contact far away, a body in two
/// halves.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "physics/transformed_model.h"
#include "slipstick/critical_friction.h"
#include "slipstick/errors.h"
#include "slipstick/io/model/builtin_models.h"
#include "slipstick/model/model.h"
#include "slipstick/model_file.h"
#include "slipstick/paradox.h"

namespace slipstick {
namespace {

using testkit::Units;

constexpr double kSame = 1e-8;  // what every answer promises, whatever the units

/// A rod on its tip, whose angle can follow its height on two branches; a bar in two tilted slots.
constexpr const char* kRod = R"(
gravity = [0, -9.81]
[[bodies]]
name = "rod"
mass = 1
gyration = 0.4
joint = { type = "free", coordinates = ["x", "y", "a"] }
[[surfaces]]
name = "floor"
[[contacts]]
name = "tip"
body = "rod"
point = [0, -1]
surface = "floor"
mu = 0.9
[initial]
a = 0.6
y = { close = "tip", near = 1 }
x_dot = 1
)";
constexpr const char* kSlots = R"toml(
gravity = [0, -9.81]
[[bodies]]
name = "bar"
mass = 1
gyration = 0.5
joint = { type = "free", coordinates = ["x", "y", "a"] }
[[surfaces]]
name = "level"
[[surfaces]]
name = "tilted"
normal = ["sin(60*deg)", "-cos(60*deg)"]
[[contacts]]
name = "A"
body = "bar"
point = [1, 0]
surface = "level"
mu = 0.62
bilateral = true
[[contacts]]
name = "B"
body = "bar"
point = [-1, 0]
surface = "tilted"
mu = 0.62
bilateral = true
[initial]
a = 0.9
x = { close = "B" }
y = { close = "A" }
)toml";

std::vector<std::string> list_texts() {
  std::vector<std::string> out{kRod, kSlots};
  for (const BuiltinModel& builtin : builtin_models()) {
    if (builtin.name != "bouncing-ball") out.emplace_back(builtin.text);  // it starts open
  }
  return out;
}

ParadoxProblem make_problem(const LoadedModel& loaded) {
  return make_paradox_problem(*loaded.model, loaded.initial, loaded.closings,
                              SlipDirection::kInitial, {});
}

/// The same mechanism described in another way, and how its rates are measured.
struct Retold {
  std::string text;
  double rate = 1.0;  ///< new units of time per old one, inverted: rates get this factor
};

std::vector<std::string> list_angles(const Model& model) {
  std::vector<std::string> out;
  for (int i = 0; i < model.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (model.tree.elements[k].is_angle) out.push_back(model.coordinates[k]);
  }
  return out;
}

std::vector<Interval> find_window(const LoadedModel& loaded, const std::string& angle) {
  const int index = loaded.model->find_coordinate(angle);
  const double start = loaded.initial.q[index];
  try {
    return find_paradox_along(make_problem(loaded), {index, start - 1.1, start + 1.3}).intervals;
  } catch (const InputError&) {  // the contacts hold this angle
    return {{-1.0, -2.0}};
  }
}

void expect_same_windows(const LoadedModel& plain, const LoadedModel& other) {
  for (const std::string& angle : list_angles(*plain.model)) {
    const auto expected = find_window(plain, angle);
    const auto found = find_window(other, angle);
    ASSERT_EQ(found.size(), expected.size()) << angle;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i].low, expected[i].low, kSame) << angle;
      EXPECT_NEAR(found[i].high, expected[i].high, kSame) << angle;
    }
  }
}

/// Cases over an angle and its rate.
std::vector<std::vector<int>> find_cases(const LoadedModel& loaded, const std::string& angle,
                                         double rate) {
  const int index = loaded.model->find_coordinate(angle);
  const double start = loaded.initial.q[index];
  const MapAxis x{index, false, start - 0.71, start + 0.83, 12};
  const MapAxis y{index, true, -5.3 * rate, 4.7 * rate, 11};
  try {
    return find_paradox_map(make_problem(loaded), x, y).regions;
  } catch (const InputError&) {  // the contacts hold this angle
    return {};
  }
}

void expect_same_friction(const LoadedModel& plain, const LoadedModel& other) {
  const auto expected = find_critical_friction(make_problem(plain), {});
  const auto found = find_critical_friction(make_problem(other), {});
  ASSERT_TRUE(expected && found);
  ASSERT_EQ(std::isfinite(found->scale), std::isfinite(expected->scale));
  if (!std::isfinite(expected->scale)) return;
  EXPECT_NEAR(found->scale, expected->scale, kSame * expected->scale);
  ASSERT_EQ(found->jam_scale.has_value(), expected->jam_scale.has_value())
      << found->no_jam.sentence;
  constexpr double kJamSame = 1e-6;  // what that search promises where several angles decide
  EXPECT_NEAR(found->jam_scale.value_or(0.0), expected->jam_scale.value_or(0.0),
              kJamSame * expected->scale);
}

using Retell = std::function<Retold(const std::string&)>;

void expect_same_answers(const std::vector<std::string>& texts, const Retell& retell) {
  for (const std::string& text : texts) {
    const Retold retold = retell(text);
    SCOPED_TRACE(retold.text);
    const LoadedModel plain = parse_model("test.toml", text, {});
    const LoadedModel other = parse_model("test.toml", retold.text, {});
    expect_same_windows(plain, other);
    for (const std::string& angle : list_angles(*plain.model)) {
      EXPECT_EQ(find_cases(other, angle, retold.rate), find_cases(plain, angle, 1.0)) << angle;
    }
    expect_same_friction(plain, other);
  }
}

TEST(ParadoxSymmetry, Units) {
  for (const Units& units : {Units{1e-6, 1.0, 1.0}, Units{1e6, 1.0, 1.0}, Units{1.0, 1e-14, 1.0},
                             Units{1.0, 1e9, 1.0}, Units{1.0, 1.0, 1e-5}, Units{3e4, 7e-4, 2e3}}) {
    expect_same_answers(list_texts(), [&](const std::string& text) {
      return Retold{testkit::rescale(text, units), 1.0 / units.time};
    });
  }
}
TEST(ParadoxSymmetry, Reordered) {
  std::mt19937_64 random(31);
  expect_same_answers(list_texts(), [&](const std::string& text) {
    return Retold{testkit::reorder(text, random)};
  });
}
TEST(ParadoxSymmetry, Mirrored) {
  // Initial values that are functions of translations are not mirrored.
  expect_same_answers({kRod, kSlots},
                      [](const std::string& text) { return Retold{testkit::mirror(text)}; });
}
TEST(ParadoxSymmetry, ContactFarAway) {
  expect_same_answers(list_texts(), [](const std::string& text) {
    return Retold{testkit::add_far_contact(text, 1e4)};
  });
}
TEST(ParadoxSymmetry, BodiesCutInTwo) {
  expect_same_answers(list_texts(),
                      [](const std::string& text) { return Retold{testkit::cut_bodies(text)}; });
}

/// The slip's sign turns with the tangent, so that the same motion is asked about.
TEST(ParadoxSymmetry, NormalsOfBilateralContacts) {
  std::vector<std::string> texts{kSlots};
  for (const BuiltinModel& builtin : builtin_models()) {
    if (builtin.name == "klein-bar") texts.emplace_back(builtin.text);
  }
  for (const std::string& text : texts) {
    const LoadedModel plain = parse_model("test.toml", text, {});
    const LoadedModel other = parse_model("test.toml", testkit::turn_bilateral_normals(text), {});
    expect_same_friction(plain, other);
    // At rest the direction is +t of each; both directions together are the same question.
    for (const auto& [direction, turned] :
         {std::pair(SlipDirection::kPlus, SlipDirection::kMinus),
          std::pair(SlipDirection::kMinus, SlipDirection::kPlus)}) {
      const auto make = [](const LoadedModel& loaded, SlipDirection slip) {
        return make_paradox_problem(*loaded.model, loaded.initial, loaded.closings, slip, {});
      };
      const MapAxis x{0, false, -0.5, 0.7, 5};
      const MapAxis rate{0, true, -1.0, 1.3, 4};
      EXPECT_EQ(find_paradox_map(make(plain, direction), x, rate).regions,
                find_paradox_map(make(other, turned), x, rate).regions);
    }
  }
}

/// Four sign patterns count: 0.5/cos(30 deg) for a bar in slots at 60 degrees, friction 0.5 each,
/// is the least friction (closed form of the case with opposite forces).
TEST(ParadoxSymmetry, BarInSlots) {
  const LoadedModel loaded = parse_model("slots.toml", kSlots, {});
  const auto critical = find_critical_friction(make_problem(loaded), {});
  ASSERT_TRUE(critical.has_value());
  EXPECT_NEAR(critical->scale * 0.62, 1.0 / std::sqrt(3.0), 1e-10);
}

/// Klein's bar [Fremond2007]: beyond |tan theta| = 2/mu none for U w < 0, two for U w > 0, one
/// else; w = arm force + torque/sin(theta), U the speed of the slide (THEORY, section 4).
TEST(ParadoxMap, KleinsBar) {
  for (const double theta : {0.7, 1.1, 1.3, 1.8}) {
    for (const char* speed : {"1", "-1"}) {
      for (const double force : {-1.0, 1.0}) {
        const LoadedModel loaded =
            read_model("klein-bar", std::vector<Override>{{"theta", std::to_string(theta)},
                                                          {"x_dot", speed},
                                                          {"force", std::to_string(force)}});
        const double w = 0.2 * force;
        const double U = std::stod(speed);
        const int expected = std::abs(std::tan(theta)) < 2.0 ? 1 : (U * w > 0.0 ? 3 : 4);
        const ParadoxMap map = find_paradox_map(make_problem(loaded), {0, false, -1.0, 1.0, 3},
                                                {0, true, -1.0, 1.0, 3});
        for (const auto& row : map.regions) {
          for (const int found : row) EXPECT_EQ(found, expected) << theta << speed << force;
        }
      }
    }
  }
}

/// The order of the axes does not matter, and every point is on the branch of the initial state:
/// a = acos(y) > 0, for which p and b have closed forms (rod on its tip, slip along +t).
TEST(ParadoxMap, StaysOnTheInitialBranch) {
  const LoadedModel loaded = parse_model("rod.toml", kRod, {});
  const ParadoxProblem problem = make_problem(loaded);
  const MapAxis height{1, false, -0.9, 0.9, 15};
  const MapAxis rate{2, true, -3.1, 2.9, 14};
  const ParadoxMap map = find_paradox_map(problem, height, rate);
  const ParadoxMap turned = find_paradox_map(problem, rate, height);
  for (int j = 0; j < rate.count; ++j) {
    for (int i = 0; i < height.count; ++i) {
      const auto column = static_cast<std::size_t>(i);
      const auto row = static_cast<std::size_t>(j);
      EXPECT_EQ(map.regions[row][column], turned.regions[column][row]);
      const double a = std::acos(-0.9 + 1.8 * i / 14.0);
      const double a_dot = -3.1 + 6.0 * j / 13.0;
      // Tip at (sin a, -cos a) from the centre: W_n = (0, 1, sin a), W_t = (1, 0, cos a).
      const double p = 1.0 + std::sin(a) * (std::sin(a) - 0.9 * std::cos(a)) / 0.16;
      const double b = -9.81 + std::cos(a) * a_dot * a_dot;
      const int expected = p > 0.0 ? (b < 0.0 ? 1 : 2) : (b > 0.0 ? 3 : 4);
      EXPECT_EQ(map.regions[row][column], expected) << a << " " << a_dot;
    }
  }
}

/// A range that does not contain the initial state: intervals on the way to it do not count.
TEST(CriticalFriction, JamsOutsideTheRangeDoNotCount) {
  const LoadedModel loaded = read_model("rimless-wheel", {});
  const std::vector<CoordinateRange> over{{2, -0.15, -0.13}};  // within the window of mu < mu_c
  const auto critical = find_critical_friction(make_problem(loaded), over);
  ASSERT_TRUE(critical.has_value());
  EXPECT_NEAR(critical->scale * 0.35, 2.0 * std::sqrt(0.0204), 1e-10);  // [Or2014], kappa = 0.02
  EXPECT_FALSE(critical->jam_scale.has_value());
}

}  // namespace
}  // namespace slipstick
