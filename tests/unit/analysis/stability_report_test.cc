#include "slipstick/analysis/stability/stability_report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "slipstick/analysis/stability/margins.h"
#include "slipstick/families.h"
#include "slipstick/io/ranges.h"

namespace slipstick {
namespace {

StabilityReport make_report(const LoadedModel& loaded, StabilityQuestion question) {
  const TwoContactBody body = make_two_contact_body(*loaded.model, loaded.initial, Tolerances{});
  std::vector<std::string> names;
  for (const UncertainParameter& parameter : question.uncertain) names.push_back(parameter.name);
  question.make_body = make_body_family(loaded, names, Tolerances{});
  return make_stability_report(body, question, Tolerances{});
}

/// Middles of equal parts: symmetric, and as far from the ends as half a part.
TEST(StabilityReport, SampleAngles) {
  const std::vector<double> angles = make_sample_angles(4);
  ASSERT_EQ(angles.size(), 4U);
  constexpr double kEighth = std::numbers::pi / 8.0;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(angles[i], (2.0 * static_cast<double>(i) - 3.0) * kEighth, 1e-15);  // rounding
  }
  EXPECT_TRUE(make_sample_angles(0).empty());
}

/// The parts are those of the functions that find them alone.
TEST(StabilityReport, HoldsAllParts) {
  const LoadedModel loaded = read_model("two-contact-body", {});
  const TwoContactBody body = make_two_contact_body(*loaded.model, loaded.initial, Tolerances{});
  const StabilityReport report = make_report(loaded, {{-0.5, 0.25}, {}, {}});
  const Stability alone = find_stability(body, Tolerances{});
  EXPECT_EQ(report.stability.verdict, alone.verdict);
  EXPECT_EQ(report.stability.theorem, alone.theorem);
  ASSERT_EQ(report.samples.size(), 2U);
  EXPECT_EQ(report.samples[1].angle, 0.25);
  const auto value = eval_return(report.maps->dynamics, 0.25);
  ASSERT_TRUE(value && report.samples[1].value);
  EXPECT_EQ(report.samples[1].value->reduced, value->reduced);
  EXPECT_EQ(report.margins.size(), find_margins(body, Tolerances{}).size());
  EXPECT_TRUE(report.uncertain.empty());
  EXPECT_EQ(report.box.points, 0);
}

/// A margin is found however far it is, and names the verdict behind the border: judged again there
/// and before it.
TEST(StabilityReport, MarginsReachFarAndNameWhatIsBeyond) {
  const LoadedModel loaded = read_model("two-contact-body", {});
  const TwoContactBody body = make_two_contact_body(*loaded.model, loaded.initial, Tolerances{});
  const Verdict here = find_stability(body, Tolerances{}).verdict;
  int far = 0;
  for (const Margin& margin : find_margins(body, Tolerances{})) {
    if (margin.name != "mu1" && margin.name != "mu2") continue;
    const std::size_t i = margin.name == "mu1" ? 0 : 1;
    ASSERT_TRUE(margin.above);
    if (margin.above->distance > 1.0) ++far;
    const auto judge = [&](double part) {
      TwoContactBody other = body;
      other.mu[i] += part * margin.above->distance;
      return find_stability(other, Tolerances{}).verdict;
    };
    EXPECT_EQ(judge(0.999999), here);
    EXPECT_EQ(judge(1.000001), margin.above->verdict);
    EXPECT_EQ(margin.searched.low, -body.mu[i]);
  }
  EXPECT_EQ(far, 2);
}

/// Without friction the body slides off the slope: no rest, hence no maps to sample.
TEST(StabilityReport, NoSamplesWithoutMaps) {
  const LoadedModel loaded =
      read_model("two-contact-body", std::vector<Override>{{"mu1", "0"}, {"mu2", "0"}});
  const StabilityReport report = make_report(loaded, {{0.0}, {}, {}});
  EXPECT_EQ(report.stability.verdict, Verdict::kInfeasible);
  EXPECT_TRUE(report.samples.empty());
}

/// Of the box from no friction to the given one on both feet, the corner without friction cannot
/// rest.
TEST(StabilityReport, BoxOverUncertainParameters) {
  const LoadedModel loaded = read_model("two-contact-body", {});
  const StabilityReport report =
      make_report(loaded, {{}, {{"mu1", {0.0, 0.315}}, {"mu2", {0.0, 1.0}}}, {}});
  ASSERT_EQ(report.uncertain.size(), 2U);
  EXPECT_EQ(report.uncertain[1].name, "mu2");
  EXPECT_GT(report.box.points, 4);
  EXPECT_NE(std::find(report.box.verdicts.begin(), report.box.verdicts.end(), Verdict::kInfeasible),
            report.box.verdicts.end());
  EXPECT_NE(
      std::find(report.box.verdicts.begin(), report.box.verdicts.end(), report.stability.verdict),
      report.box.verdicts.end());
}

}  // namespace
}  // namespace slipstick
