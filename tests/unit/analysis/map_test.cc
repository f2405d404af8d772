/// A map is the same for any number of threads, to the last bit.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "slipstick/families.h"
#include "slipstick/model/model.h"
#include "slipstick/model_file.h"
#include "slipstick/paradox.h"

namespace slipstick {
namespace {

ParadoxMap find_map(const LoadedModel& loaded, std::size_t threads) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  const ParadoxProblem problem = make_paradox_problem(
      *loaded.model, loaded.initial, loaded.closings, SlipDirection::kPlus, Tolerances{});
  const int last = loaded.model->size() - 1;
  return find_paradox_map(problem, {last, false, -0.6, 0.9, 41}, {last, true, -2.0, 2.0, 37});
}

TEST(ParadoxMap, IsTheSameForAnyNumberOfThreads) {
  // Nothing follows; a coordinate follows; a moving rail and springs.
  for (const char* name : {"rimless-wheel", "sliding-rod", "two-link-rail"}) {
    const LoadedModel loaded = read_model(name, {});
    const ParadoxMap one = find_map(loaded, 1);
    const ParadoxMap several = find_map(loaded, 4);
    EXPECT_EQ(one.regions, several.regions) << name;
    ASSERT_EQ(one.boundaries.size(), several.boundaries.size()) << name;
    for (std::size_t i = 0; i < one.boundaries.size(); ++i) {
      EXPECT_EQ(one.boundaries[i].what, several.boundaries[i].what) << name;
      EXPECT_EQ(one.boundaries[i].points, several.boundaries[i].points) << name;
    }
  }
}

ParadoxMap find_map_over_parameter(const LoadedModel& loaded, std::size_t threads) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  const MapAxis height{0, false, 0.3, 0.4, 23, "H"};
  const MapAxis angle{0, false, 0.0, 0.7, 31, {}};
  const ParadoxProblem problem = make_paradox_problem(
      *loaded.model, loaded.initial, loaded.closings, SlipDirection::kInitial, Tolerances{});
  return find_paradox_map(
      problem, make_paradox_family(loaded, height, angle, SlipDirection::kInitial), height, angle);
}

TEST(ParadoxMap, OverAParameterIsTheSameForAnyNumberOfThreads) {
  const LoadedModel loaded = read_model("two-link-rail", {});
  const ParadoxMap one = find_map_over_parameter(loaded, 1);
  const ParadoxMap several = find_map_over_parameter(loaded, 4);
  EXPECT_EQ(one.regions, several.regions);
  ASSERT_EQ(one.boundaries.size(), several.boundaries.size());
  for (std::size_t i = 0; i < one.boundaries.size(); ++i) {
    EXPECT_EQ(one.boundaries[i].points, several.boundaries[i].points);
  }
}

}  // namespace
}  // namespace slipstick
