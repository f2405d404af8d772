/// Solutions of the contact problem, right and spoiled one law at a time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "slipstick/check.h"
#include "slipstick/io/parse_modes.h"
#include "unit/sim/started.h"

namespace slipstick {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using testkit::Started;

/// The laws that a solution breaks.
std::vector<std::string> list_broken_laws(const Started& started, const ModeSolution& solution) {
  std::vector<std::string> out;
  const Check check = check_solutions(started.model(), started.loaded.initial, {&solution, 1});
  for (const Violation& violation : check.violations) out.push_back(violation.law);
  return out;
}

ModeSolution solve_start(const Started& started) {
  return classify(started.model(), started.loaded.initial, {}).solutions.at(0);
}

/// By hand: f = (9.81, -mu 9.81) N, v' = (-mu g, 0).
TEST(CheckSolutions, SlidingByHandPasses) {
  const Started block("sliding-block");
  ModeSolution solution;
  solution.modes = *parse_modes("P");
  solution.force_n = VecC::Constant(1, 9.81);
  solution.force_t = VecC::Constant(1, -0.5 * 9.81);
  solution.acceleration = (VecQ(2) << -0.5 * 9.81, 0.0).finished();
  EXPECT_THAT(list_broken_laws(block, solution), IsEmpty());
}

TEST(CheckSolutions, EachLawIsNamed) {
  const Started block("sliding-block");
  ModeSolution reversed = solve_start(block);
  reversed.force_t = -reversed.force_t;
  EXPECT_THAT(list_broken_laws(block, reversed), Contains("friction"));
  EXPECT_THAT(list_broken_laws(block, reversed), Contains("equations of motion"));
  ModeSolution rising = solve_start(block);
  rising.acceleration[1] = 1.0;
  EXPECT_THAT(list_broken_laws(block, rising), Contains("gap acceleration"));
  ModeSolution backward = solve_start(block);
  backward.modes = *parse_modes("N");
  EXPECT_THAT(list_broken_laws(block, backward), Contains("slip"));
  ModeSolution free = solve_start(block);
  free.modes = *parse_modes("F");
  EXPECT_THAT(list_broken_laws(block, free), Contains("complementarity"));
}

/// A foot that is held in spite of a force beyond its friction, and one that pulls.
TEST(CheckSolutions, ForcesOfAFootAtRest) {
  const Started block("sliding-block", {{"v0", "0"}});
  ModeSolution solution = solve_start(block);
  EXPECT_THAT(list_broken_laws(block, solution), IsEmpty());
  solution.force_t[0] = 0.6 * 9.81;
  EXPECT_THAT(list_broken_laws(block, solution), Contains("friction"));
  solution.force_t[0] = 0.0;
  solution.force_n[0] = -9.81;
  EXPECT_THAT(list_broken_laws(block, solution), Contains("normal force"));
}

}  // namespace
}  // namespace slipstick
