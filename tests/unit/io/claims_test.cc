/// Claims of papers: files, tolerances from printed digits, verdicts.

#include "slipstick/io/claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

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

TEST(Claims, KindsAreNamedOrFollowFromThePrintedText) {
  const auto kind_of = [](const std::string& text) {
    return parse_paper("c.toml", text).claims[0].kind;
  };
  const std::string text = kClaimsFile;
  EXPECT_EQ(kind_of(text), ClaimKind::kPrinted);
  EXPECT_EQ(kind_of(text + "kind = \"formula\"\n"), ClaimKind::kFormula);
  std::string words = testkit::replace(text, "\"0.25\"", "\"stable\"");
  words = testkit::replace(words, "\"a/2 + b\"", "\"/value\"");
  EXPECT_EQ(kind_of(words), ClaimKind::kStatement);
  EXPECT_THAT(testkit::refuse_paper("c.toml", words + "kind = \"formula\"\n"),
              HasSubstr("expected a number in a claim of kind 'formula', got 'stable'"));
}

/// The result of a condition is words, not 0 or 1.
TEST(Claims, StatementsThatAnExpressionDecides) {
  std::string text = testkit::replace(kClaimsFile, "\"0.25\"", "\"Y\"");
  text = testkit::replace(text, "\"a/2 + b\"", "\"a > 1\"") + "words = [\"N\", \"Y\"]\n";
  const Paper paper = parse_paper("c.toml", text);
  EXPECT_EQ(judge_with(paper, 2.0).verdict, ClaimVerdict::kAgrees);
  EXPECT_EQ(judge_with(paper, 2.0).computed, "Y");
  EXPECT_EQ(judge_with(paper, 1.0).verdict, ClaimVerdict::kDiffers);
  EXPECT_EQ(judge_with(paper, 1.0).computed, "N");
  EXPECT_THAT(
      testkit::refuse_paper("c.toml", testkit::replace(text, "\"N\", \"Y\"", "\"a\", \"b\"")),
      HasSubstr("expected 'a' or 'b'"));
}

/// Answers to a claim of an input x whose calls are "simulate m --set x={x}": the document has the
/// square of x.
ClaimJudgement judge_square(const std::string& lines) {
  const Paper paper = parse_paper("c.toml", R"toml(paper = "009"
key = "k"
title = "t"
about = "a"
[[claims]]
where = "w"
claim = "c"
run = "simulate m --set x={x}"
from = { y = "/y" }
)toml" + lines);
  CallAnswers answers;
  for (const InputValues& at : list_combinations(paper.claims[0].inputs)) {
    const double x = at.at("x");
    answers[fill_in(paper.claims[0].source, at).runs[0]].document = Json{{"y", x * x}};
  }
  return judge(paper.claims[0], answers);
}

/// x = 0.23 is anything from 0.225 to 0.235, so x^2 anything from 0.0506 to 0.0552.
TEST(Claims, TheRoundingOfInputsIsPropagated) {
  const std::string lines = "computed = \"y\"\ninputs = { x = \"0.23\" }\nprinted = ";
  EXPECT_EQ(judge_square(lines + "\"0.0540\"\n").verdict, ClaimVerdict::kAgrees);
  EXPECT_EQ(judge_square(lines + "\"0.0500\"\n").verdict, ClaimVerdict::kDiffers);
  const ClaimJudgement judgement = judge_square(lines + "\"0.0540\"\n");
  EXPECT_DOUBLE_EQ(judgement.computed.get<double>(), 0.23 * 0.23);
  ASSERT_EQ(judgement.cases.size(), 3U);
  EXPECT_DOUBLE_EQ(judgement.cases[1].at.at("x"), 0.225);
  EXPECT_DOUBLE_EQ(judgement.cases[2].computed.get<double>(), 0.235 * 0.235);
}

/// Words that hold for a part of a range only leave the claim open.
TEST(Claims, StatementsOverARange) {
  const auto judge_bound = [](const std::string& bound) {
    return judge_square(
               "kind = \"statement\"\nprinted = \"yes\"\ninputs = { x = \"1:3:5\" }\n"
               "computed = \"y + 0*x < " +
               bound + "\"\n")
        .verdict;
  };
  EXPECT_EQ(judge_bound("9.5"), ClaimVerdict::kAgrees);
  EXPECT_EQ(judge_bound("4.5"), ClaimVerdict::kUnderDetermined);
  EXPECT_EQ(judge_bound("0.5"), ClaimVerdict::kDiffers);
}

TEST(Claims, BadInputs) {
  const auto refuse = [](const std::string& inputs) {
    return testkit::refuse_paper("c.toml", std::string(kClaimsFile) + "inputs = " + inputs + "\n");
  };
  EXPECT_THAT(refuse("{ x = \"one\" }"), HasSubstr("expected a printed number or A:B[:N]"));
  EXPECT_THAT(refuse("{ x = \"2:1\" }"), HasSubstr("A below B"));
  EXPECT_THAT(refuse("{ x = \"1:1/0\" }"), HasSubstr("x"));
  EXPECT_THAT(refuse("{ x = \"1:2:1000\" }"), HasSubstr("count from 2 to 64"));
  EXPECT_THAT(refuse("{ x = \"1:2:60\", y = \"1:2:60\" }"), HasSubstr("at most 64 combinations"));
  EXPECT_THAT(refuse("{ a = \"1\" }"), HasSubstr("`from` does not have"));
  EXPECT_THAT(refuse("{ x = 1 }"), HasSubstr("expected texts"));
  EXPECT_THAT(
      testkit::refuse_paper("c.toml", testkit::replace(kClaimsFile, "\"simulate sliding-block\"",
                                                       "\"simulate sliding-block {x}\"")),
      HasSubstr("expected {NAME} of an input, got '{x}'"));
}

/// Errata that show the same error are counted as one error.
TEST(Claims, CountsByKindAndVerdict) {
  const std::string text = std::string(kClaimsFile) + "erratum = \"e\"\nfault = \"f\"\n";
  const std::string claim = text.substr(text.find("[[claims]]"));
  const Paper paper = parse_paper("c.toml", text + claim + "kind = \"formula\"\n" +
                                                testkit::replace(claim, "fault = \"f\"\n", ""));
  const std::vector<JudgedPaper> judged{
      judge(paper, make_answers(Json{{"value", 7.0}}, Json{{"end", {{"time", 0.0}}}}))};
  const ClaimCounts counts = count_claims(judged);
  const auto erratum = static_cast<std::size_t>(ClaimVerdict::kErratum);
  EXPECT_EQ(counts.claims[static_cast<std::size_t>(ClaimKind::kPrinted)][erratum], 2);
  EXPECT_EQ(counts.claims[static_cast<std::size_t>(ClaimKind::kFormula)][erratum], 1);
  EXPECT_EQ(counts.faults, 2);
  const Json document = make_claims_json(judged);
  EXPECT_EQ(document["counts"]["printed"]["erratum"], 2);
  EXPECT_EQ(document["counts"]["faults"], 2);
  EXPECT_EQ(document["claims"][1]["kind"], "formula");
}

/// A file may come from anybody: its calls ask, and do nothing else.
TEST(Claims, CallsThatDoMoreThanAskAreRefused) {
  const auto refuse = [](const std::string& call) {
    return testkit::refuse_paper(
        "c.toml", testkit::replace(kClaimsFile, "\"classify sliding-block\"", "\"" + call + "\""));
  };
  for (const char* call : {"reproduce", "show a.h5", "rerun a.h5", "render a.h5", "--help", "",
                           "completion bash", "{a}"}) {
    EXPECT_THAT(refuse(call), HasSubstr("c.toml:11: claims.run: expected a verb that answers"))
        << call;
  }
  for (const char* option : {"--out x", "--out=x", "--report x.html", "--open", "-o", "--help",
                             "-hx", "--outt", "--", "-(1)"}) {
    EXPECT_THAT(refuse("classify sliding-block " + std::string(option)),
                HasSubstr("expected options that only ask"))
        << option;
  }
  EXPECT_THAT(refuse("classify /dev/zero"), HasSubstr("got a pipe or device '/dev/zero'"));
  EXPECT_THAT(refuse("classify " + std::string(3000, 'x')), HasSubstr("at most 2000 characters"));
  EXPECT_EQ(refuse("classify sliding-block --set v0=-.5 --set mu=.3"), "accepted");
}

TEST(Claims, FilesThatAskForTooMuchAreRefused) {
  std::string text = kClaimsFile;
  const std::string claim = text.substr(text.find("[[claims]]"));
  for (int i = 0; i < 40; ++i) {
    text += testkit::replace(claim, "\"simulate sliding-block\"",
                             "\"simulate sliding-block --set v0=" + std::to_string(i) + "*{x}\"") +
            "inputs = { x = \"1:2:60\" }\n";
  }
  EXPECT_THAT(testkit::refuse_paper("c.toml", text), HasSubstr("expected at most 1500 calls, got"));
}

TEST(Claims, TextsAreOfOneLine) {
  EXPECT_THAT(testkit::refuse_paper(
                  "c.toml", testkit::replace(kClaimsFile, "half of it", "\\u001b[2J half of it")),
              HasSubstr("control character"));
}

/// Each built-in claim has a text, and no two texts are equal.
TEST(Claims, BuiltinFilesNameTheirKinds) {
  for (const BuiltinPaper& builtin : builtin_papers()) {
    const std::string text(builtin.text);
    const Paper paper = parse_paper(std::string(builtin.name), text);
    std::size_t named = 0;
    for (std::size_t at = text.find("\nkind = "); at != std::string::npos; ++named) {
      at = text.find("\nkind = ", at + 1);
    }
    EXPECT_EQ(named, paper.claims.size()) << builtin.name;
    std::set<std::string> seen;
    for (const Claim& claim : paper.claims) {
      EXPECT_TRUE(seen.insert(claim.where + claim.claim).second) << claim.claim;
    }
  }
}

TEST(Claims, BadFiles) {
  const auto refuse = [](const std::string& from, const std::string& to) {
    return testkit::refuse_paper("c.toml", testkit::replace(kClaimsFile, from, to));
  };
  EXPECT_THAT(refuse("where = \"eq. (1)\"\n", ""), HasSubstr("'where'"));
  EXPECT_THAT(refuse("where = ", "wherre = "), HasSubstr("wherre"));
  EXPECT_THAT(refuse("unit = \"s\"", "unit = 1"), HasSubstr("unit"));
  EXPECT_THAT(refuse("\"a/2 + b\"", "\"a/2 + c\""), HasSubstr("'c'"));
  EXPECT_THAT(refuse("1:/end", "2:/end"), HasSubstr("N below 2"));
  EXPECT_THAT(refuse("1:/end", "end"), HasSubstr("POINTER"));
  EXPECT_THAT(refuse("computed = \"a/2 + b\"", "under_determined = true"), HasSubstr("`why`"));
  EXPECT_THAT(refuse("[[claims]]", "[[claim]]"), HasSubstr("claim"));
}

}  // namespace
}  // namespace slipstick
