/// What is concluded about guards from a few values, compared with many values of them, in steps of
/// any length.

#include "slipstick/sim/events/step_guards.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "slipstick/model_file.h"
#include "slipstick/sim/events/pace.h"
#include "slipstick/sim/mode/trajectory.h"
#include "slipstick/simulate.h"

namespace slipstick {
namespace {

struct StepCounts {
  int quiet = 0;  ///< steps in which no guard was in doubt
  int crossings = 0;
};

/// The bracket of the first fall through zero among many values; nothing if there is none.
std::optional<double> scan(const StepGuards& guards, const Guard& guard) {
  constexpr int kValues = 400;
  const double noise = 10.0 * guards.find_noise(guard);
  bool above = guards.eval(guard, 0.0) > noise;
  for (int i = 1; i <= kValues; ++i) {
    const double theta = static_cast<double>(i) / kValues;
    const double value = guards.eval(guard, theta);
    if (above && value < -noise) return theta;
    above = above || value > noise;
  }
  return std::nullopt;
}

/// Follows the first mode of a model, also beyond its end.
void compare(const LoadedModel& loaded, double tolerance, StepCounts& counts) {
  SimulationOptions options;
  options.until = 1e-3;
  const Mode mode = simulate(*loaded.model, loaded.initial, options).trajectory->modes.at(0);
  options.until = 3.0;
  options.tolerance = tolerance;
  RunCounts spent;
  ModeStep step(*loaded.model, mode, std::nullopt, options.until, false, options, spent);
  const PerContact<int> opening(static_cast<std::size_t>(loaded.model->contact_count()), 0);
  StepGuards guards(*loaded.model, step, mode,
                    list_guards(*loaded.model, mode, loaded.initial, opening),
                    find_last_time(options.until));
  step.start(loaded.initial);
  constexpr int kMostSteps = 300;
  for (int i = 0; i < kMostSteps && step.time() < 0.9 * options.until; ++i) {
    if (step.advance()) break;  // beyond its end a mode may be anything
    // Stages that step across d = 0 spoil the interpolant, which is the measure here.
    constexpr double kNear = 0.02;
    if (step.method().slope_at_end()[step.time_index()] < kNear) break;
    const bool doubt = guards.look(i == 0);
    step.interpolate(true);
    const std::vector<StepGuards::Hit> hits =
        doubt ? guards.find_hits() : std::vector<StepGuards::Hit>{};
    if (!doubt) ++counts.quiet;
    for (const Guard& guard : guards.all()) {
      const auto seen = scan(guards, guard);
      if (!seen) continue;
      const auto hit = std::find_if(hits.begin(), hits.end(), [&](const StepGuards::Hit& found) {
        return found.guard == &guard;
      });
      ASSERT_NE(hit, hits.end()) << "at " << step.time() << ", theta " << *seen;
      EXPECT_LE(hit->theta, *seen);
      ++counts.crossings;
    }
    step.go_on();
  }
}

TEST(StepGuards, NothingFallsToZeroUnseen) {
  StepCounts counts;
  for (const char* model :
       {"rimless-wheel", "two-link-rail", "sliding-rod", "painleve-bar", "bouncing-ball"}) {
    for (const double tolerance : {1e-2, 1e-4, 1e-6, 1e-9, 1e-13}) {
      for (const double start : {0.8, 1.0, 1.3}) {
        SCOPED_TRACE(model);
        SCOPED_TRACE(tolerance);
        LoadedModel loaded = read_model(model, {});
        loaded.initial.v *= start;
        compare(loaded, tolerance, counts);
      }
    }
  }
  EXPECT_GT(counts.quiet, 500);
  EXPECT_GT(counts.crossings, 50);
}

}  // namespace
}  // namespace slipstick
