/// Loose tolerances move events a little; what happens at them stays the same.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "physics/runs.h"

namespace slipstick {
namespace {

using testkit::Case;
using testkit::list_types;
using testkit::run_case;

void expect_same_at_every_tolerance(Case in) {
  const auto sharp = run_case(in);
  ASSERT_FALSE(sharp.events.empty());
  for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10}) {
    SCOPED_TRACE(tolerance);
    in.options.tolerance = tolerance;
    const auto run = run_case(in);
    ASSERT_EQ(list_types(run), list_types(sharp)) << run.end.detail;
    EXPECT_EQ(run.end.reason, sharp.end.reason);
    for (std::size_t i = 0; i < run.events.size(); ++i) {
      EXPECT_NEAR(run.events[i].time, sharp.events[i].time, 20.0 * tolerance);
      EXPECT_EQ(run.events[i].modes_after, sharp.events[i].modes_after);
    }
  }
}

/// Two corners that stick: their forces are a family, which ends where its slack does.
TEST(LooseTolerance, RedundantContactsBeginToSlip) {
  expect_same_at_every_tolerance({"jamming-chain",
                                  {{"theta", "-0.79547329901245956"},
                                   {"x_dot", "0.35916587621156848"},
                                   {"theta_dot", "-2.6063440958236104"},
                                   {"mu", "0.68950188622250774"}},
                                  0.5,
                                  {}});
}

TEST(LooseTolerance, WheelBeginsToSlip) {
  expect_same_at_every_tolerance({"rimless-wheel",
                                  {{"x_dot", "0.90166785002813232"},
                                   {"theta_dot", "-0.18878715386628553"},
                                   {"mu", "0.4174455642227165"},
                                   {"alpha", "0.30835519896636931"},
                                   {"e", "0.34670835140202344"}},
                                  1.0,
                                  {}});
}

}  // namespace
}  // namespace slipstick
