/// Choices in words.

#include "slipstick/sim/hybrid/choice_text.h"

#include <gtest/gtest.h>

#include "slipstick/io/parse_modes.h"
#include "slipstick/model_file.h"

namespace slipstick {
namespace {

ModeSolution make_solution(const char* letters, std::initializer_list<double> forces) {
  ModeSolution out;
  out.modes = *parse_modes(letters);
  out.force_n = VecC::Zero(static_cast<Eigen::Index>(forces.size()));
  Eigen::Index i = 0;
  for (const double force : forces) out.force_n[i++] = force;
  return out;
}

/// Contacts `tip` and `top` on a level floor, whose tangent points to the right.
TEST(ChoiceText, ModesTellWhatMovesHow) {
  const LoadedModel rod = read_model("sliding-rod", {});
  const auto describe = [&](const char* before, const ModeSolution& solution) {
    return describe_mode(*rod.model, *parse_modes(before), solution);
  };
  EXPECT_EQ(describe("PF", make_solution("FF", {0.0, 0.0})), "tip lifts off");
  EXPECT_EQ(describe("PF", make_solution("PF", {4.5, 0.0})),
            "tip keeps sliding to the right with f_n = 4.5 N");
  EXPECT_EQ(describe("SF", make_solution("NF", {4.5, 0.0})),
            "tip begins to slide to the left with f_n = 4.5 N");
  EXPECT_EQ(describe("PF", make_solution("NS", {1.0, 2.0})),
            "tip turns to slide to the left with f_n = 1 N, top closes and sticks with f_n = 2 N");
  EXPECT_EQ(describe("PS", make_solution("SS", {1.0, 2.0})),
            "tip stops sliding and sticks with f_n = 1 N, top keeps sticking with f_n = 2 N");
  EXPECT_EQ(describe("FF", make_solution("FF", {0.0, 0.0})), "all contacts stay open");
}

TEST(ChoiceText, ListsOfContacts) {
  const LoadedModel rod = read_model("sliding-rod", {});
  EXPECT_EQ(describe_lift_off(*rod.model, {0}), "tip lifts off");
  EXPECT_EQ(describe_lift_off(*rod.model, {0, 1}), "tip and top lift off");
  EXPECT_EQ(describe_impulse(*rod.model, {1}), "an impact without collision at top");
}

}  // namespace
}  // namespace slipstick
