/// Claims of papers: files, tolerances from printed digits, verdicts.

#include "slipstick/io/claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "unit/io/model_text.h"
#include "unit/io/refuse_paper.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;

const char* const kClaimsFile = R"toml(paper = "009"
key = "Nobody2000"
title = "On nothing"
about = "A paper that does not exist."

[[claims]]
where = "eq. (1)"
claim = "half of it"
printed = "0.25"
unit = "s"
run = ["classify sliding-block", "simulate sliding-block"]
from = { a = "/value", b = "1:/end/time" }
computed = "a/2 + b"
)toml";

/// Answers to the two calls of the file.
CallAnswers make_answers(const Json& classified, const Json& simulated) {
  return {{"classify sliding-block", {classified, ""}},
          {"simulate sliding-block", {simulated, ""}}};
}

ClaimJudgement judge_with(const Paper& paper, double value) {
  return judge(paper.claims[0],
               make_answers(Json{{"value", value}}, Json{{"end", {{"time", 0.0}}}}));
}

TEST(Claims, TheLastPrintedDigitIsTheTolerance) {
  const Paper paper = parse_paper("c.toml", kClaimsFile);
  EXPECT_EQ(judge_with(paper, 0.5).verdict, ClaimVerdict::kAgrees);
  EXPECT_EQ(judge_with(paper, 0.5099).verdict, ClaimVerdict::kAgrees);  // 0.25495
  EXPECT_EQ(judge_with(paper, 0.5101).verdict, ClaimVerdict::kDiffers);
  EXPECT_EQ(judge_with(paper, 0.5101).computed.get<double>(), 0.25505);
}

TEST(Claims, VerdictsFollowFromTheFile) {
  const auto with = [](const std::string& line) {
    return parse_paper("c.toml", kClaimsFile + line + "\n");
  };
  EXPECT_EQ(judge_with(with("tolerance = 0.1"), 0.6).verdict, ClaimVerdict::kAgrees);
  const ClaimJudgement wrong = judge_with(with("erratum = \"a sign\""), 1.0);
  EXPECT_EQ(wrong.verdict, ClaimVerdict::kErratum);
  EXPECT_EQ(wrong.why, "a sign");
  EXPECT_EQ(judge_with(with("erratum = \"a sign\""), 0.5).verdict, ClaimVerdict::kAgrees);
  EXPECT_EQ(judge_with(with("under_determined = true\nwhy = \"x\""), 0.5).verdict,
            ClaimVerdict::kUnderDetermined);
}

TEST(Claims, Words) {
  std::string text = testkit::replace(kClaimsFile, "\"0.25\"", "\"stable\"");
  text = testkit::replace(text, "\"a/2 + b\"", "\"/value\"");
  const Paper paper = parse_paper("c.toml", text);
  CallAnswers answers = make_answers(Json{{"value", "stable"}}, Json::object());
  EXPECT_EQ(judge(paper.claims[0], answers).verdict, ClaimVerdict::kAgrees);
  answers["classify sliding-block"].document["value"] = "unstable";
  EXPECT_EQ(judge(paper.claims[0], answers).verdict, ClaimVerdict::kDiffers);
}

TEST(Claims, CountsAndOtherRuns) {
  const CallAnswers answers =
      make_answers(Json{{"value", {1, 2, 3}}}, Json{{"end", {{"time", 0.5}, {"reason", "rest"}}}});
  std::string text = testkit::replace(kClaimsFile, "\"/value\"", "\"/value/#\"");
  EXPECT_EQ(judge(parse_paper("c.toml", text).claims[0], answers).computed.get<double>(), 2.0);
  text = testkit::replace(text, "\"a/2 + b\"", "\"1:/end/reason\"");
  EXPECT_EQ(judge(parse_paper("c.toml", text).claims[0], answers).computed, "rest");
}

TEST(Claims, WhatCannotBeComputedFails) {
  const Paper paper = parse_paper("c.toml", kClaimsFile);
  CallAnswers answers = make_answers(Json{{"value", nullptr}}, Json::object());
  EXPECT_EQ(judge(paper.claims[0], answers).verdict, ClaimVerdict::kFailed);
  EXPECT_THAT(judge(paper.claims[0], answers).why, HasSubstr("expected a number, got null"));
  answers["classify sliding-block"].document["value"] = 1.0;
  EXPECT_THAT(judge(paper.claims[0], answers).why, HasSubstr("/end/time"));
  answers["simulate sliding-block"].failure = "exit status 3: no";
  EXPECT_THAT(judge(paper.claims[0], answers).why,
              HasSubstr("simulate sliding-block: exit status 3: no"));
}

TEST(Claims, BadFiles) {
  const auto refuse = [](const std::string& from, const std::string& to) {
    return testkit::refuse_paper("c.toml", testkit::replace(kClaimsFile, from, to));
  };
  EXPECT_THAT(refuse("where = \"eq. (1)\"\n", ""), HasSubstr("'where'"));
  EXPECT_THAT(refuse("where = ", "wherre = "), HasSubstr("wherre"));
  EXPECT_THAT(refuse("unit = \"s\"", "unit = 1"), HasSubstr("unit"));
  EXPECT_THAT(refuse("\"a/2 + b\"", "\"a/2 + c\""), HasSubstr("\"c\""));
  EXPECT_THAT(refuse("1:/end", "2:/end"), HasSubstr("N below 2"));
  EXPECT_THAT(refuse("1:/end", "end"), HasSubstr("POINTER"));
  EXPECT_THAT(refuse("computed = \"a/2 + b\"", "under_determined = true"), HasSubstr("`why`"));
  EXPECT_THAT(refuse("[[claims]]", "[[claim]]"), HasSubstr("claim"));
}

}  // namespace
}  // namespace slipstick
