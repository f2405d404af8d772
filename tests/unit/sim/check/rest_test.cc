/// Rest is checked by a search for forces that hold the loads.

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

/// What the check says of a run that consists of rest at the start.
std::vector<std::string> check_rest_at_start(const Started& started, const char* word) {
  slipstick::Run run;
  run.state = started.loaded.initial;
  run.end = {EndReason::kRest, 0.0, {}};
  const ModeWord modes = *parse_modes(word);
  const Event rest = make_event(started.model(), run.state, EventType::kRest,
                                to_vector(started.at.contacts.list()), modes, modes);
  run.events.push_back(rest);
  std::vector<std::string> out;
  for (const Violation& violation : check_run(started.model(), {}, run).check.violations) {
    out.push_back(violation.law);
  }
  return out;
}

/// On a slope of 25 degrees, tan = 0.466, with both feet on one line: mu = 0.6 holds the body, and
/// mu = 0.4 does not, whatever the shares of the feet.
TEST(CheckRest, FrictionMustHoldTheSlope) {
  const auto check_with = [](const char* mu) {
    return check_rest_at_start(Started("two-contact-body", {{"mu1", mu}, {"mu2", mu}}), "SS");
  };
  EXPECT_THAT(check_with("0.6"), IsEmpty());
  EXPECT_THAT(check_with("0.4"), Contains("equilibrium"));
}

/// A body stands between its feet: with both on one side of the centre of mass it falls over.
TEST(CheckRest, FeetMustStandBelowTheCentre) {
  const auto check_with = [](const char* left) {
    return check_rest_at_start(Started("two-contact-body", {{"alpha", "0"}, {"l1", left}}), "SS");
  };
  EXPECT_THAT(check_with("-0.01"), IsEmpty());
  EXPECT_THAT(check_with("0.01"), Contains("equilibrium"));
}

/// Nothing moves after rest, to the last bit.
TEST(CheckRest, NothingMayMove) {
  EXPECT_THAT(check_rest_at_start(Started("sliding-block", {{"v0", "0"}}), "S"), IsEmpty());
  EXPECT_THAT(check_rest_at_start(Started("sliding-block", {{"v0", "1e-9"}}), "P"),
              Contains("rest"));
}

}  // namespace
}  // namespace slipstick
