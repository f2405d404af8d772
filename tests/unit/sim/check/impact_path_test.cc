/// Impacts of one contact, beside closed forms and the path that runs use.

#include "slipstick/sim/check/impact_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "slipstick/impact.h"

namespace slipstick {
namespace {

using check::follow_impact;
using check::PathEnd;
using check::PathProblem;

constexpr ImpactLaw kRestitutionLaws[] = {ImpactLaw::kPoisson, ImpactLaw::kNewton,
                                          ImpactLaw::kStronge};

/// A central impact without friction: P_n = (1 + e) |v|/G_nn under each of the three laws.
TEST(ImpactPath, LawsAgreeWithoutFriction) {
  PathProblem problem{2.0, 0.0, 1.0, -3.0, 0.5, 0.0, 0.4, ImpactLaw::kInelastic};
  EXPECT_NEAR(follow_impact(problem).impulse_n, 1.5, 1e-15);
  for (const ImpactLaw law : kRestitutionLaws) {
    problem.law = law;
    const PathEnd end = follow_impact(problem);
    ASSERT_TRUE(end.found);
    EXPECT_NEAR(end.impulse_n, 1.4 * 1.5, 1e-14);
    EXPECT_EQ(end.impulse_t, 0.0);
  }
}

/// Uncoupled directions: friction is mu P_n until the slip has ended, and nothing afterwards.
TEST(ImpactPath, FrictionStopsTheSlipAtMost) {
  PathProblem problem{1.0, 0.0, 2.0, -3.0, 10.0, 0.5, 0.0, ImpactLaw::kInelastic};
  EXPECT_NEAR(follow_impact(problem).impulse_t, -0.5 * 3.0, 1e-15);
  problem.slip = 1.0;
  EXPECT_NEAR(follow_impact(problem).impulse_t, -1.0 / 2.0, 1e-15);
}

/// Second way: solve_contact_impact, over a grid of mobilities, slips and friction.
TEST(ImpactPath, AgreesWithThePathOfRuns) {
  int compared = 0;
  for (const double coupling : {-0.8, -0.3, 0.4, 0.9}) {
    for (const double slip : {-2.0, -0.1, 0.0, 0.3, 4.0}) {
      for (const double mu : {0.1, 0.6, 1.5}) {
        for (const ImpactLaw law : kRestitutionLaws) {
          const double G_nt = coupling * std::sqrt(1.5 * 0.7);
          const auto expected =
              solve_contact_impact({{1.5, G_nt, 0.7}, -1.0, slip, mu, 0.6, law, false});
          const PathEnd end = follow_impact({1.5, G_nt, 0.7, -1.0, slip, mu, 0.6, law});
          if (!expected || expected->replaced) continue;
          ASSERT_TRUE(end.found) << coupling << " " << slip << " " << mu;
          EXPECT_NEAR(end.impulse_n, expected->impulse_n, 1e-12 * expected->impulse_n);
          EXPECT_NEAR(end.impulse_t, expected->impulse_t, 1e-12 * expected->impulse_n);
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 150);  // of 180
}

/// A contact of one degree of freedom (G_nn G_tt = G_nt^2) that sticks to the surface which drags
/// it in: no impulse changes its velocity. Second way: as for runs.
TEST(ImpactPath, WedgingHasNoEnd) {
  EXPECT_FALSE(
      solve_contact_impact({{1.0, 1.0, 1.0}, -1.0, 0.0, 1.5, 0.0, ImpactLaw::kInelastic, false}));
  const PathEnd end = follow_impact({1.0, 1.0, 1.0, -1.0, 0.0, 1.5, 0.0, ImpactLaw::kInelastic});
  EXPECT_FALSE(end.found) << end.impulse_n << " " << end.impulse_t;
}

}  // namespace
}  // namespace slipstick
