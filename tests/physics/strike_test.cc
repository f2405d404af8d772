/// Impulses without collision whose law leads nowhere: told as that, whatever rounding says.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "physics/runs.h"

namespace slipstick {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testkit::Case;
using testkit::list_types;
using testkit::run_case;

/// |tan theta| > 2/mu and U w > 0: two reactions. The percussion U+ = -U- leads to U w < 0, where
/// there is none, and the next one back [Fremond2007].
TEST(Strike, KleinsPercussionLeadsBack) {
  Case in{"klein-bar",
          {{"theta", "1.4991984134526142"},
           {"mu", "2.033160220776797"},
           {"force", "1.8576143936352425"},
           {"arm", "0.11375116990584078"},
           {"torque", "-0.9067896676832632"},
           {"x_dot", "-0.5068874720328442"}},
          0.1,
          {}};
  in.options.on_indeterminate = OnIndeterminate::kImpact;
  const auto run = run_case(in);
  const std::vector<std::string> circle{"indeterminate", "tangential-impact", "inconsistent",
                                        "tangential-impact", "indeterminate"};
  ASSERT_GE(run.events.size(), circle.size());
  const auto types = list_types(run);
  EXPECT_EQ(std::vector<std::string>(types.begin(), types.begin() + 5), circle);
  EXPECT_THAT(run.events[4].notes, Contains(HasSubstr("leads back")));
  EXPECT_NEAR(run.events[4].energy_after, run.events[0].energy_before, 1e-12);
  EXPECT_EQ(run.end.reason, EndReason::kTime);
}

/// Two feet that slide: reversed they slide into a state without a force, too.
TEST(Strike, ReversalsToAndFroEndTheRun) {
  Case in{"compass-biped",
          {{"theta1", "0.29446437401437286"},
           {"theta1_dot", "0.7691884310887405"},
           {"theta2_dot", "0.3732011415714269"},
           {"x_dot", "-1.0378229647365864"},
           {"mu", "1.0427614183192586"},
           {"e", "0.436322121673"}},
          1.0,
          {}};
  in.options.law = ImpactLaw::kFremond;
  const auto run = run_case(in);
  EXPECT_EQ(run.end.reason, EndReason::kInconsistent);
  EXPECT_THAT(run.events.back().notes, Contains(HasSubstr("lead back")));
}

/// Two contacts of one plate, whose slips cannot be reversed by impulses that push.
TEST(Strike, FremondsLawMayHaveNoImpulse) {
  Case in{"jamming-chain", {{"theta", "-0.3"}, {"mu", "1"}, {"x_dot", "2"}}, 0.5, {}};
  in.options.law = ImpactLaw::kFremond;
  const auto run = run_case(in);
  EXPECT_EQ(run.end.reason, EndReason::kInconsistent);
  EXPECT_THAT(run.events.back().notes, Contains(HasSubstr("no impulse")));
}

/// After a jump at a jam p is zero up to rounding. With b < 0 no motion slides on or leaves: the
/// contact is struck again, for either sign of that rounding.
TEST(Strike, JumpTooSmallIsFollowedByAnother) {
  for (const double tolerance : {1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13}) {
    SCOPED_TRACE(tolerance);
    Case in{"painleve-bar",
            {{"theta", "0.8648195440870705"},
             {"theta_dot", "-1.5322257700955313"},
             {"slip", "-7.665421537187395"},
             {"mu", "1.4268607724469247"}},
            0.2,
            {}};
    in.options.tolerance = tolerance;
    in.options.on_indeterminate = OnIndeterminate::kSlip;
    const auto types = list_types(run_case(in));
    EXPECT_EQ(types, (std::vector<std::string>{"indeterminate", "jam", "tangential-impact",
                                               "inconsistent", "tangential-impact"}));
  }
}

}  // namespace
}  // namespace slipstick
