#include "slipstick/analysis/parallel_for.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace slipstick {
namespace {

TEST(ParallelFor, CallsEachIndexOnce) {
  std::vector<int> calls(1000, 0);  // each entry is written by one call only
  parallel_for(calls.size(), [&](std::size_t i) { ++calls[i]; });
  EXPECT_EQ(calls, std::vector<int>(1000, 1));
}

TEST(ParallelFor, DoesNothingWithoutWork) {
  parallel_for(0, [](std::size_t) { FAIL(); });
}

TEST(ParallelFor, ThrowsWhatACallThrows) {
  const auto fail = [](std::size_t i) {
    if (i == 7) throw std::runtime_error("seven");
  };
  EXPECT_THROW(parallel_for(10, fail), std::runtime_error);
}

}  // namespace
}  // namespace slipstick
