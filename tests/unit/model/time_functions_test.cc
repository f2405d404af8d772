/// Times are those at which the formula beside them turns.

#include "slipstick/model/time_functions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "slipstick/model_file.h"

namespace slipstick {
namespace {

LoadedModel make_loaded(const std::string& force) {
  return parse_model("here",
                     fmt::format(R"([[bodies]]
name = "b"
mass = 1
gyration = 0
joint = {{ type = "translation", coordinates = ["x", "y"] }}
[[forces]]
body = "b"
force = ["{}", 0]
)",
                                 force),
                     {});
}

std::optional<TimeStop> find_stop(const std::string& force, double from, double until) {
  return find_time_stop(*make_loaded(force).model, from, until);
}

TEST(TimeStops, AreExact) {
  const auto stop = find_stop("t > 0.1 ? 1 : 0", 0.0, 1.0);
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->before, 0.1) << "not yet true there";
  EXPECT_GT(stop->after, 0.1);
  EXPECT_LT(stop->after, 0.1 + 1e-14);
  const auto other = find_stop("t >= 0.1 ? 1 : 0", 0.0, 1.0);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->before, std::nextafter(0.1, 0.0)) << "true from there on";
}

TEST(TimeStops, TheFirstOfMany) {
  const auto stop = find_stop("sin(2*pi*40000*t) > 0 ? 1 : 0", 1e-6, 10.0);
  ASSERT_TRUE(stop);
  EXPECT_NEAR(stop->before, 0.5 / 40000.0, 1e-18);
  EXPECT_NEAR(find_stop("(t > 0.7) + (t < 0.2)", 0.0, 1.0)->before, 0.2, 1e-15);
  EXPECT_NEAR(find_stop("abs(cos(t))", 0.0, 10.0)->before, std::numbers::pi / 2.0, 1e-14);
  EXPECT_NEAR(find_stop("max(t, 2 - t)", 0.0, 10.0)->before, 1.0, 1e-14);
  EXPECT_NEAR(find_stop("rint(t)", 0.0, 10.0)->before, 0.5, 1e-14);
}

/// sin(w t) is zero at t = 0 alone; no number of time is so small that it ends a step.
TEST(TimeStops, AtTheStartIsTheStart) {
  for (const char* force : {"abs(0.0287*sin(12.9925*t))", "sin(3*t) > 0 ? 1 : -1", "t > 0 ? 1 : 0",
                            "max(0, sin(t/7))", "1e-9*t > 0 ? 1 : 0"}) {
    const auto stop = find_stop(force, 0.0, 10.0);
    ASSERT_TRUE(stop) << force;
    EXPECT_EQ(stop->before, 0.0) << force;
    EXPECT_GT(stop->after, 0.0) << force;
    EXPECT_LT(stop->after, 1e-15) << force;
  }
}

/// A condition that holds for a moment is found however short it is.
TEST(TimeStops, ShortPulses) {
  const auto stop = find_stop("t > 3.3 && t < 3.3 + 1e-9 ? 1 : 0", 0.0, 1e4);
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->before, 3.3);
  EXPECT_NEAR(find_stop("sin(t) > 0.99999999999 ? 1 : 0", 0.0, 10.0)->before,
              std::asin(0.99999999999), 1e-9);
}

TEST(TimeStops, NoneWhereNothingTurns) {
  for (const char* force : {"sin(t)", "cos(t) > 2 ? 1 : 0", "t < 0 ? 1 : 0", "x > 1 ? t : 0",
                            "2 > 1 ? t : 0", "sin(t)^2 + cos(t)^2 > 1.5 ? 1 : 0"}) {
    EXPECT_FALSE(find_stop(force, 0.0, 10.0)) << force;
  }
}

TEST(TimeStops, MixedComparisonsAreKnown) {
  EXPECT_TRUE(has_mixed_comparisons(*make_loaded("t > x ? 1 : 0").model));
  EXPECT_FALSE(has_mixed_comparisons(*make_loaded("t > 1 && x > 1 ? 1 : 0").model));
}

TEST(TimeWatch, FindsWhatIsBetweenTheLooks) {
  const LoadedModel loaded = make_loaded("exp(-((t - 0.3)/1e-7)^2)");
  const TimeWatch watch(*loaded.model, loaded.initial, 1.0);
  const auto hidden = watch.find_hidden(loaded.initial, 0.0, 1.0);
  ASSERT_TRUE(hidden);
  EXPECT_NEAR(*hidden, 0.3, 1e-6);
  EXPECT_FALSE(watch.find_hidden(loaded.initial, 0.4, 1.0));
}

TEST(TimeWatch, SmoothLoadsAreSeen) {
  for (const char* force : {"cos(t)", "t^2", "exp(-t)", "sin(3*t)*t"}) {
    const LoadedModel loaded = make_loaded(force);
    const TimeWatch watch(*loaded.model, loaded.initial, 10.0);
    EXPECT_FALSE(watch.find_hidden(loaded.initial, 0.0, 0.5)) << force;
  }
}

}  // namespace
}  // namespace slipstick
