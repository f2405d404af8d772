/// The critical friction of a mechanism does not depend on how it is described: the order of
/// bodies, contacts and coordinates, left and right, and the box around the minimum that is
/// searched.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "cases.h"
#include "physics/transformed_model.h"
#include "slipstick/critical_friction.h"
#include "slipstick/io/model/builtin_models.h"
#include "slipstick/model/model.h"
#include "slipstick/model_file.h"
#include "slipstick/paradox.h"

namespace slipstick {
namespace {

/// Rounding of the search: mu_P is flat at its minimum, angles are found to about 1e-7.
constexpr double kEqual = 1e-10;

struct Answer {
  LoadedModel loaded;
  CriticalFriction critical;
};

Answer find(const std::string& text, const std::vector<CoordinateRange>& over = {}) {
  LoadedModel loaded = parse_model("test.toml", text, {});
  const ParadoxProblem problem = make_paradox_problem(*loaded.model, loaded.initial,
                                                      loaded.closings, SlipDirection::kInitial, {});
  auto critical = find_critical_friction(problem, over);
  EXPECT_TRUE(critical.has_value());
  return {std::move(loaded), critical.value_or(CriticalFriction{})};
}

/// Critical and jam friction agree; both may be infinite or absent.
void expect_same(const CriticalFriction& a, const CriticalFriction& b) {
  if (std::isinf(a.scale)) {
    EXPECT_TRUE(std::isinf(b.scale));
    return;
  }
  EXPECT_NEAR(b.scale, a.scale, kEqual * a.scale);
  ASSERT_EQ(b.jam_scale.has_value(), a.jam_scale.has_value())
      << a.no_jam.sentence << b.no_jam.sentence;
  constexpr double kJamEqual = 1e-6;  // what that search promises
  EXPECT_NEAR(b.jam_scale.value_or(0.0), a.jam_scale.value_or(0.0), kJamEqual * a.scale);
}

/// Slip direction of a contact, by name.
double slip_of(const Answer& answer, const std::string& contact) {
  const ParadoxProblem problem =
      make_paradox_problem(*answer.loaded.model, answer.loaded.initial, answer.loaded.closings,
                           SlipDirection::kInitial, {});
  for (std::size_t i = 0; i < problem.sliding.size(); ++i) {
    const auto index = static_cast<std::size_t>(problem.sliding[i].contact);
    if (answer.loaded.model->contacts[index].name == contact) return answer.critical.slip_signs[i];
  }
  return 0.0;
}

std::vector<std::string> list_builtin_texts() {
  std::vector<std::string> out;
  for (const BuiltinModel& builtin : builtin_models()) {
    if (builtin.name != "bouncing-ball") out.emplace_back(builtin.text);  // it starts open
  }
  return out;
}

/// A chain of links whose last end, a point or a disc, touches a tilted surface. The base moves
/// freely, or up and down only.
std::string make_random_chain(std::mt19937_64& random, int links) {
  const auto number = [&](double low, double high) {
    return std::to_string(std::uniform_real_distribution<double>(low, high)(random));
  };
  const bool free = std::bernoulli_distribution(0.5)(random);
  std::string text = "gravity = [" + number(-2, 2) + ", -9.81]\n";
  for (int i = 0; i < links; ++i) {
    const std::string name = "link" + std::to_string(i);
    text += "[[bodies]]\nname = \"" + name + "\"\nmass = " + number(0.2, 3) +
            "\ngyration = " + number(0.05, 0.3) + "\ncom = [" + number(-0.2, 0.2) + ", " +
            number(-0.5, -0.1) + "]\n";
    const std::string angle = "a" + std::to_string(i);
    if (i > 0) {
      text += "joint = { type = \"revolute\", parent = \"link" + std::to_string(i - 1) +
              "\", at = [" + number(-0.1, 0.1) + ", " + number(-0.8, -0.4) + "], coordinate = \"" +
              angle + "\" }\n";
    } else if (free) {
      text += "joint = { type = \"free\", coordinates = [\"x\", \"y\", \"" + angle + "\"] }\n";
    } else {
      text += "joint = { type = \"revolute\", parent = \"slide\", coordinate = \"" + angle +
              "\" }\n[[bodies]]\nname = \"slide\"\nmass = " + number(0.2, 3) +
              "\ngyration = 0.1\njoint = { type = \"prismatic\", axis = [" + number(-0.3, 0.3) +
              ", 1], coordinate = \"y\" }\n";
    }
  }
  text += "[[surfaces]]\nname = \"ground\"\nnormal = [" + number(-0.3, 0.3) +
          ", 1]\n[[contacts]]\nname = \"foot\"\nbody = \"link" + std::to_string(links - 1) +
          "\"\npoint = [" + number(-0.1, 0.1) + ", " + number(-0.8, -0.4) +
          "]\nradius = " + (std::bernoulli_distribution(0.5)(random) ? number(0.02, 0.2) : "0") +
          "\nsurface = \"ground\"\nmu = 0.5\n[initial]\ny = { close = \"foot\", near = 1 }\n";
  for (int i = 0; i < links; ++i) text += "a" + std::to_string(i) + " = " + number(-1, 1) + "\n";
  return text;
}

std::vector<std::string> list_random_texts() {
  std::mt19937_64 random(21);
  std::vector<std::string> out;
  for (int i = 0; i < testkit::cases(4); ++i)
    out.push_back(make_random_chain(random, i < 1 ? 1 : 2));
  return out;
}

void expect_same_reordered(const std::string& text) {
  std::mt19937_64 random(22);
  const Answer plain = find(text);
  for (int i = 0; i < testkit::cases(2); ++i) {
    const std::string other = testkit::reorder(text, random);
    SCOPED_TRACE(other);
    const Answer reordered = find(other);
    expect_same(plain.critical, reordered.critical);
  }
}

TEST(CriticalFrictionSymmetry, BuiltinsReordered) {
  for (const std::string& text : list_builtin_texts()) expect_same_reordered(text);
}
TEST(CriticalFrictionSymmetry, RandomChainsReordered) {
  for (const std::string& text : list_random_texts()) expect_same_reordered(text);
}

/// Left and right are exchanged: the same friction, with every slip the other way.
void expect_same_mirrored(const std::string& text) {
  const std::string other = testkit::mirror(text);
  SCOPED_TRACE(other);
  const Answer plain = find(text);
  const Answer mirrored = find(other);
  expect_same(plain.critical, mirrored.critical);
  if (std::isinf(plain.critical.scale) || plain.critical.slip_signs.size() > 1) return;
  // The angles turn with the mechanism and keep their values; translations do not matter.
  for (int i = 0; i < plain.loaded.model->size(); ++i) {
    if (!plain.loaded.model->tree.elements[static_cast<std::size_t>(i)].is_angle) continue;
    EXPECT_NEAR(mirrored.critical.at[i], plain.critical.at[i], 1e-6);
  }
  for (const Contact& contact : plain.loaded.model->contacts) {
    EXPECT_EQ(slip_of(mirrored, contact.name), -slip_of(plain, contact.name)) << contact.name;
  }
}

TEST(CriticalFrictionSymmetry, BuiltinsMirrored) {
  for (const std::string& text : list_builtin_texts()) expect_same_mirrored(text);
}
TEST(CriticalFrictionSymmetry, RandomChainsMirrored) {
  for (const std::string& text : list_random_texts()) expect_same_mirrored(text);
}

/// Boxes with the minimiser inside, narrow to wide, each coordinate with its own margins.
void expect_same_in_boxes(const std::string& text) {
  const Answer plain = find(text);
  if (std::isinf(plain.critical.scale)) return;
  std::mt19937_64 random(23);
  std::uniform_real_distribution<double> exponent(-2.0, 0.4);
  const auto margin = [&] { return std::pow(10.0, exponent(random)); };
  for (int trial = 0; trial < testkit::cases(3); ++trial) {
    std::vector<CoordinateRange> box;
    for (int i = 0; i < plain.loaded.model->size(); ++i) {
      if (!plain.loaded.model->tree.elements[static_cast<std::size_t>(i)].is_angle) continue;
      box.push_back({i, plain.critical.at[i] - margin(), plain.critical.at[i] + margin()});
    }
    SCOPED_TRACE(text);
    const Answer boxed = find(text, box);
    EXPECT_NEAR(boxed.critical.scale, plain.critical.scale, kEqual * plain.critical.scale);
  }
}

/// Only those whose shape is free; elsewhere the closed contacts couple the angles.
TEST(CriticalFrictionSymmetry, BuiltinsInBoxes) {
  for (const BuiltinModel& builtin : builtin_models()) {
    for (const char* name :
         {"jamming-chain-level", "sliding-rod", "painleve-bar", "rimless-wheel", "compass-biped"}) {
      if (builtin.name == name) expect_same_in_boxes(std::string(builtin.text));
    }
  }
}
TEST(CriticalFrictionSymmetry, RandomChainsInBoxes) {
  for (const std::string& text : list_random_texts()) expect_same_in_boxes(text);
}

}  // namespace
}  // namespace slipstick
