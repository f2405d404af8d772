/// The models printed in docs/model-format.md load, and do what the page says.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "slipstick/classify.h"
#include "slipstick/io/json/json.h"
#include "slipstick/mode_letters.h"
#include "slipstick/model_file.h"

namespace slipstick {
namespace {

/// The bodies of all ```toml blocks; each is a complete model.
std::vector<std::string> read_models() {
  std::ifstream in(SLIPSTICK_SOURCE_DIR "/docs/model-format.md");
  std::vector<std::string> out;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line == "```toml") {
      out.emplace_back();
      inside = true;
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      out.back() += line + "\n";
    }
  }
  return out;
}

struct Answer {
  LoadedModel loaded;
  Classification classification;
};

Answer classify_text(const std::string& text, const std::vector<Override>& overrides = {}) {
  LoadedModel loaded = parse_model("docs.toml", text, overrides);
  Classification classification = classify(*loaded.model, loaded.initial, Tolerances{});
  return {std::move(loaded), std::move(classification)};
}

TEST(ModelFormatDocTest, EveryModelLoadsAndIsConsistent) {
  const std::vector<std::string> models = read_models();
  ASSERT_EQ(models.size(), 2U);
  for (const std::string& text : models) {
    const Answer answer = classify_text(text);
    EXPECT_STREQ(class_name(answer.classification), "consistent") << text;
  }
}

/// The cart slides to the right, so f_t = -mu f_n. The rod of length l hangs at theta and pulls the
/// cart: with u = (sin, -cos)(theta) along the rod, its centre at (x + l/2 u), theta' = 0,
///   (M + m) x'' + m l/2 cos(theta) theta'' = push - mu f_n
///            m l/2 sin(theta) theta''      = f_n - (M + m) g
///   m l/2 cos(theta) x'' + m l^2/3 theta'' = -m g l/2 sin(theta).
TEST(ModelFormatDocTest, PendulumOnACart) {
  const Answer answer = classify_text(read_models().at(0));
  ASSERT_EQ(answer.classification.solutions.size(), 1U);
  const ModeSolution& solution = answer.classification.solutions[0];
  EXPECT_EQ(to_letters(solution.modes), "P");
  const double f_n = solution.force_n[0];
  EXPECT_NEAR(solution.force_t[0], -0.3 * f_n, 1e-13);
  const double theta = std::numbers::pi / 9;
  const double x_accel = solution.acceleration[0];
  const double theta_accel = solution.acceleration[2];
  const double arm = 0.5 * 0.8 / 2;  // m l/2
  EXPECT_NEAR(2.5 * x_accel + arm * std::cos(theta) * theta_accel, 4 - 0.3 * f_n, 1e-12);
  EXPECT_NEAR(arm * std::sin(theta) * theta_accel, f_n - 2.5 * 9.81, 1e-12);
  EXPECT_NEAR(arm * std::cos(theta) * x_accel + 0.5 * 0.8 * 0.8 / 3 * theta_accel,
              -arm * 9.81 * std::sin(theta), 1e-12);
}

/// At rest on the belt, whose acceleration is speed 0.2 2 pi = 0.628 m/s^2, the block needs the
/// friction k stretch + m 0.628 N; kinetic friction gives 3.924 N, static friction 5.886 N.
TEST(ModelFormatDocTest, BlockOnABelt) {
  const std::string text = read_models().at(1);
  const auto words = [&](const char* stretch) {
    std::string out;
    for (const ModeSolution& solution :
         classify_text(text, {{"stretch", stretch}}).classification.solutions) {
      out += to_letters(solution.modes);
    }
    return out;
  };
  EXPECT_EQ(words("0.03"), "S");
  EXPECT_EQ(words("0.05"), "NS");
  EXPECT_EQ(words("0.1"), "N");
  const Answer answer = classify_text(text);
  EXPECT_NEAR(answer.classification.solutions.at(0).force_t[0], 3 + 0.2 * std::numbers::pi, 1e-9);
}

}  // namespace
}  // namespace slipstick
