/// What the viewer draws: places of bodies and contacts, columns in base64, rows left out.

#include "slipstick/io/page/scene_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "slipstick/io/page/base64.h"
#include "slipstick/io/parse_modes.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model_file.h"
#include "slipstick/simulate.h"
#include "unit/io/model_text.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The inverse of encode_base64.
template <class Number>
std::vector<Number> decode_base64(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned word = 0;
  unsigned bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    word = word << 6U | static_cast<unsigned>(letters.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(word >> bits & 255U);
  }
  std::vector<Number> out(bytes.size() / sizeof(Number));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(Number));
  return out;
}

std::vector<float> find_column(const Json& run, const std::string& key) {
  for (const Json& quantity : run["quantities"]) {
    if (quantity["key"] == key) return decode_base64<float>(quantity["data"].get<std::string>());
  }
  return {};
}

Run simulate_until(const LoadedModel& loaded, double until) {
  SimulationOptions options;
  options.until = until;
  return simulate(*loaded.model, loaded.initial, options);
}

TEST(Base64, Rfc4648Vectors) {
  const auto encode = [](const std::string& text) {
    return encode_base64(std::vector<char>(text.begin(), text.end()));
  };
  EXPECT_EQ(encode(""), "");
  EXPECT_EQ(encode("f"), "Zg==");
  EXPECT_EQ(encode("fo"), "Zm8=");
  EXPECT_EQ(encode("foo"), "Zm9v");
  EXPECT_EQ(encode("foobar"), "Zm9vYmFy");
}

/// A contact point from its body's pose is as far from its surface as the model says: two ways to
/// one number, for every body, joint and sense of the built-in models.
TEST(Scene, PosesPutContactsWhereTheModelHasThem) {
  for (const char* name : {"two-link-rail", "compass-biped", "rimless-wheel", "jamming-chain",
                           "klein-bar", "two-contact-body", "sliding-rod"}) {
    SCOPED_TRACE(name);
    const LoadedModel loaded = read_model(name, {});
    const Model& model = *loaded.model;
    State state = loaded.initial;
    for (int i = 0; i < model.size(); ++i) state.q[i] += 0.1 * (i + 1);
    const std::vector<Pose> poses = eval_poses(model.skeleton, state.q);
    const ContactKinematics contacts = eval_contact_kinematics(model, state);
    for (int i = 0; i < model.contact_count(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const Contact& contact = model.contacts[k];
      const Surface& surface = model.surfaces[static_cast<std::size_t>(contact.surface)];
      const Pose& pose = poses[static_cast<std::size_t>(contact.body)];
      const Vec2 at = model.skeleton.contacts[k].at;
      const Vec2 turned(at.x() * std::cos(pose.angle) - at.y() * std::sin(pose.angle),
                        at.x() * std::sin(pose.angle) + at.y() * std::cos(pose.angle));
      EXPECT_NEAR(surface.normal.dot(pose.at + turned - surface.point) - contact.radius,
                  contacts.gap[i], 1e-14);
    }
  }
}

/// At rest h is the gradient of the potential energy: gravity, torsion springs, linear springs.
TEST(Scene, PotentialEnergyHasTheForcesAsItsGradient) {
  const std::string with_spring =
      testkit::builtin_text("sliding-rod") +
      "\n[[springs]]\nfrom = { body = \"world\", at = [0.3, 2] }\n"
      "to = { body = \"rod\", at = [0.1, 0.9] }\nstiffness = 40\nlength = 0.5\n";
  for (const LoadedModel& loaded :
       {read_model("two-link-rail", {}), read_model("compass-biped", {}),
        parse_model("spring.toml", with_spring, {})}) {
    const VecQ q = loaded.initial.q;
    const VecQ h = eval_dynamics(*loaded.model, {0.0, q, VecQ::Zero(q.size())}).h;
    for (int i = 0; i < loaded.model->size(); ++i) {
      constexpr double kStep = 1e-5;
      const VecQ step = VecQ::Unit(q.size(), i) * kStep;
      const double slope = (eval_potential_energy(*loaded.model, q + step) -
                            eval_potential_energy(*loaded.model, q - step)) /
                           (2.0 * kStep);
      EXPECT_NEAR(slope, h[i], 1e-7 * (1.0 + h.cwiseAbs().maxCoeff())) << loaded.model->name;
    }
  }
}

/// A block of 1 kg: slides from 3 m/s to rest over v^2/(2 mu g), energy falls by mu m g x.
TEST(Scene, ColumnsOfASlidingBlock) {
  const LoadedModel loaded = read_model("sliding-block", {});
  const auto walk = simulate_until(loaded, 0.5);
  const std::array rows{make_smooth_rows(*loaded.model, walk)};
  const MotionDocument motion = make_motion(*loaded.model, rows);
  EXPECT_THAT(motion.notices, IsEmpty());
  const Json& run = motion.json["runs"][0];
  const auto time = decode_base64<double>(run["time"].get<std::string>());
  const auto x = find_column(run, "x");
  const auto energy = find_column(run, "energy");
  const auto p = find_column(run, "p_block");
  const auto b = find_column(run, "b_block");
  const auto pose_x = decode_base64<float>(run["poses"][0]["x"].get<std::string>());
  ASSERT_EQ(time.size(), rows[0].size());
  ASSERT_GT(time.size(), 8U);
  for (std::size_t i = 0; i < time.size(); ++i) {
    const double t = time[i];
    EXPECT_NEAR(x[i], 3.0 * t - 0.25 * 9.81 * t * t, 1e-6);
    EXPECT_NEAR(energy[i], 4.5 - 0.5 * 9.81 * x[i], 1e-5);
    EXPECT_EQ(pose_x[i], x[i]);
    EXPECT_FLOAT_EQ(p[i], 1.0F);
    EXPECT_FLOAT_EQ(b[i], -9.81F);
  }
  EXPECT_THAT(run["modes"], ElementsAre("P"));
  EXPECT_TRUE(run["travel"][0].is_null());
}

/// The rail of the arm moves at constant speed.
TEST(Scene, TravelOfAMovingSurface) {
  const LoadedModel loaded = read_model("two-link-rail", {});
  const auto walk = simulate_until(loaded, 0.3);
  const std::array rows{make_smooth_rows(*loaded.model, walk)};
  const Json run = make_motion(*loaded.model, rows).json["runs"][0];
  const auto time = decode_base64<double>(run["time"].get<std::string>());
  const auto travel = decode_base64<float>(run["travel"][0].get<std::string>());
  ASSERT_EQ(travel.size(), time.size());
  const double speed = eval_function(loaded.model->surfaces[0].speed, loaded.initial);
  EXPECT_NE(speed, 0.0);
  EXPECT_NEAR(travel.back(), speed * (time.back() - time.front()), 1e-6);
}

/// A map of the wheel's plane of angle and rate: its cases follow from these alone. The biped's
/// contact depends on two angles: none.
TEST(Scene, RegionsOnlyWhereTwoQuantitiesDecide) {
  const LoadedModel wheel = read_model(
      "rimless-wheel",
      std::vector<Override>{{"x_dot", "0.5"}, {"theta", "-0.3"}, {"theta_dot", "0.643"}});
  const auto roll = simulate_until(wheel, 0.04);
  const std::array rows{make_smooth_rows(*wheel.model, roll)};
  const Json regions = make_motion(*wheel.model, rows).json["regions"];
  ASSERT_THAT(regions, SizeIs(1));
  EXPECT_EQ(regions[0]["x"], "theta");
  EXPECT_EQ(regions[0]["y"], "theta_dot");
  EXPECT_EQ(regions[0]["slip"], "P");
  // Where the motion starts it slides: case 1.
  const auto index = [&](const char* axis, double value) {
    std::size_t best = 0;
    for (std::size_t i = 0; i < regions[0][axis].size(); ++i) {
      if (std::abs(regions[0][axis][i].get<double>() - value) <
          std::abs(regions[0][axis][best].get<double>() - value)) {
        best = i;
      }
    }
    return best;
  };
  EXPECT_EQ(regions[0]["cases"][index("values_y", 0.643)][index("values_x", -0.3)], 1);

  const LoadedModel biped = read_model("compass-biped", std::vector<Override>{{"x_dot", "0.1"}});
  const auto walk = simulate_until(biped, 0.05);
  const std::array steps{make_smooth_rows(*biped.model, walk)};
  EXPECT_THAT(make_motion(*biped.model, steps).json["regions"], IsEmpty());
}

/// Many rows: some are left out, those at events never, and it is said.
TEST(Scene, LeavesOutRowsButNoEvents) {
  const LoadedModel loaded = read_model("sliding-block", {});
  constexpr std::size_t kCount = 3 * kMostRows;
  MotionRows rows;
  rows.words = {*parse_modes("P"), *parse_modes("F")};
  for (std::size_t i = 0; i < kCount; ++i) {
    const bool free = i / 1001 % 2 == 1;  // an event every 1001 rows, at one time before and after
    rows.time.push_back(static_cast<double>(i - i / 1001));
    rows.mode.push_back(free ? 1 : 0);
    for (auto* of_coordinates : {&rows.q, &rows.v}) {
      of_coordinates->insert(of_coordinates->end(), {0.0, 0.0});
    }
    for (auto* of_contacts : {&rows.gap, &rows.slip, &rows.force_n, &rows.force_t}) {
      of_contacts->push_back(0.0);
    }
  }
  const std::array runs{rows};
  const MotionDocument motion = make_motion(*loaded.model, runs);
  ASSERT_THAT(motion.notices, SizeIs(1));
  const auto time = decode_base64<double>(motion.json["runs"][0]["time"].get<std::string>());
  EXPECT_LT(time.size(), kMostRows + 2 * kCount / 1001 + 2);
  EXPECT_GT(time.size(), kMostRows / 2);
  std::size_t pairs = 0;
  for (std::size_t i = 1; i < time.size(); ++i) pairs += time[i] == time[i - 1] ? 1 : 0;
  EXPECT_EQ(pairs, (kCount - 1) / 1001);
  EXPECT_EQ(time.back(), rows.time.back());
}

}  // namespace
}  // namespace slipstick
