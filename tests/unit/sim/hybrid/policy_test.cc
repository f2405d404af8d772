/// Which transition a policy takes, and what it says of the others, for transitions made by hand.

#include "slipstick/sim/hybrid/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipstick/io/parse_modes.h"
#include "slipstick/mode_letters.h"
#include "slipstick/model_file.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Transition make_way(ChoiceKind kind, const std::string& word, double force = 0.0) {
  static const LoadedModel loaded = read_model("sliding-block", {});
  Transition out{{kind, word}, {}, make_start(*loaded.model, loaded.initial, {}), {}, false, 0};
  out.choice.modes = parse_modes(word).value_or(ModeWord{});
  out.choice.force = force;
  return out;
}

Transitions make_question(Question question, std::vector<Transition> ways) {
  Transitions out;
  out.question = question;
  out.events.emplace_back();
  out.events.back().modes_before = out.events.back().modes_after = *parse_modes("P");
  out.ways = std::move(ways);
  return out;
}

std::vector<std::string> list_words(const Transitions& found) {
  std::vector<std::string> out;
  for (const Transition& way : found.ways) out.push_back(way.choice.word);
  return out;
}

Transitions make_indeterminate() {
  return make_question(
      Question::kIndeterminate,
      {make_way(ChoiceKind::kMode, "P", 5.0), make_way(ChoiceKind::kMode, "N", 2.0),
       make_way(ChoiceKind::kMode, "F", 0.0), make_way(ChoiceKind::kImpulse, "impact")});
}

TEST(Policy, LiftOffTakesTheOpenContact) {
  Transitions found = make_indeterminate();
  EXPECT_EQ(decide({}, found), Decision::kTakeFirst);
  EXPECT_THAT(list_words(found), ElementsAre("F", "N", "P", "impact"));
  EXPECT_EQ(found.events[0].policy, "lift-off");
  EXPECT_EQ(to_letters(found.events[0].modes_after), "F");
  EXPECT_THAT(found.events[0].alternatives, ElementsAre("N", "P", "impact"));
}

TEST(Policy, SlipTakesTheSmallestForce) {
  Transitions found = make_indeterminate();
  SimulationOptions options;
  options.on_indeterminate = OnIndeterminate::kSlip;
  EXPECT_EQ(decide(options, found), Decision::kTakeFirst);
  EXPECT_THAT(list_words(found), ElementsAre("N", "P", "F", "impact"));
}

TEST(Policy, ImpactIsTakenUnlessItLeadsBack) {
  SimulationOptions options;
  options.on_indeterminate = OnIndeterminate::kImpact;
  Transitions found = make_indeterminate();
  EXPECT_EQ(decide(options, found), Decision::kTakeFirst);
  EXPECT_EQ(found.ways[0].choice.word, "impact");
  EXPECT_EQ(found.events[0].policy, "impact");
  EXPECT_EQ(to_letters(found.events[0].modes_after), "P");  // not known yet
  Transitions back = make_indeterminate();
  back.ways.back().choice.leads_back = true;
  EXPECT_EQ(decide(options, back), Decision::kTakeFirst);
  EXPECT_EQ(back.ways[0].choice.kind, ChoiceKind::kMode);
  EXPECT_EQ(back.events[0].policy, "");
  EXPECT_THAT(
      back.events[0].notes,
      ElementsAre("an impact leads back to this state: the motion continues in another mode"));
}

TEST(Policy, BranchKeepsAllWaysAndTellsThem) {
  SimulationOptions options;
  options.on_indeterminate = OnIndeterminate::kBranch;
  Transitions found = make_indeterminate();
  EXPECT_EQ(decide(options, found), Decision::kTakeAll);
  EXPECT_EQ(found.events[0].alternatives.size(), 4U);
  EXPECT_EQ(found.events[0].policy, "branch");
}

TEST(Policy, BranchOfOneWayIsNone) {
  SimulationOptions options;
  options.on_jam = OnJam::kBranch;
  Transitions found = make_question(Question::kJam, {make_way(ChoiceKind::kImpulse, "impact")});
  EXPECT_EQ(decide(options, found), Decision::kTakeAll);
  EXPECT_EQ(found.events[0].policy, "");
  EXPECT_THAT(found.events[0].alternatives, IsEmpty());
}

TEST(Policy, StopEndsTheRunWithTheQuestion) {
  SimulationOptions options;
  options.on_jam = OnJam::kStop;
  options.on_indeterminate = OnIndeterminate::kStop;
  options.on_inconsistent = OnInconsistent::kStop;
  const std::pair<Question, EndReason> reasons[] = {
      {Question::kJam, EndReason::kJam},
      {Question::kIndeterminate, EndReason::kIndeterminate},
      {Question::kPassage, EndReason::kIndeterminate},
      {Question::kInconsistent, EndReason::kInconsistent}};
  for (const auto& [question, reason] : reasons) {
    Transitions found = make_question(question, {make_way(ChoiceKind::kMode, "F")});
    EXPECT_EQ(decide(options, found), Decision::kStop);
    ASSERT_TRUE(found.end);
    EXPECT_EQ(found.end->reason, reason);
  }
}

TEST(Policy, RefusedLiftOffIsTold) {
  SimulationOptions options;
  options.on_jam = OnJam::kLiftOff;
  Transitions found = make_question(Question::kJam, {make_way(ChoiceKind::kImpulse, "impact")});
  found.no_lift_off = "lift-off would penetrate";
  EXPECT_EQ(decide(options, found), Decision::kTakeFirst);
  EXPECT_EQ(found.events[0].policy, "");
  EXPECT_THAT(found.events[0].notes, ElementsAre("lift-off would penetrate: an impact was taken"));
}

TEST(Policy, OutcomesOfAnImpactNameEachOther) {
  Transitions found = make_question(Question::kImpact, {make_way(ChoiceKind::kOutcome, "SF"),
                                                        make_way(ChoiceKind::kOutcome, "FS")});
  found.events.clear();
  for (Transition& way : found.ways) way.events.emplace_back();
  EXPECT_EQ(decide({}, found), Decision::kTakeFirst);
  EXPECT_THAT(found.ways[0].events[0].alternatives, ElementsAre("FS"));
  EXPECT_THAT(found.ways[1].events[0].alternatives, ElementsAre("SF"));
  EXPECT_EQ(found.ways[0].events[0].policy, "prefer");
}

}  // namespace
}  // namespace slipstick
