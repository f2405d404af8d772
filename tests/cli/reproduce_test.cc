/// reproduce: claims of papers beside what is computed.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <sstream>
#include <string>

#include "cli/run_cli.h"

namespace slipstick::testkit {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const char* const kClaims = R"toml(paper = "009"
key = "Block2000"
title = "On a block"
about = "A block slides to rest."

[[claims]]
where = "eq. (1)"
claim = "when it stops: v/(mu g)"
printed = "0.6116"
unit = "s"
run = ["simulate sliding-block"]
from = { t = "/end/time" }
computed = "t"

[[claims]]
where = "eq. (2)"
claim = "a state that no model has"
printed = "1"
run = ["simulate sliding-block --set nothing=1"]
from = { t = "/end/time" }
computed = "t"
)toml";

class ReproduceCliTest : public CliTest {};

TEST_F(ReproduceCliTest, AFailedComputationIsARowAndTheRestGoesOn) {
  write("claims.toml", kClaims);
  const CliResult result = run({"reproduce", "--claims", "claims.toml", "--json"});
  EXPECT_EQ(result.exit_code, 3);
  const Json claims = parse_json(result.out)["claims"];
  ASSERT_THAT(claims, SizeIs(2));
  EXPECT_EQ(claims[0]["verdict"], "agrees");
  EXPECT_NEAR(claims[0]["computed"].get<double>(), 3.0 / (0.5 * 9.81), 1e-12);
  EXPECT_EQ(claims[0]["printed"], 0.6116);
  EXPECT_EQ(claims[0]["paper"], "009");
  EXPECT_EQ(claims[1]["verdict"], "failed");
  EXPECT_THAT(claims[1]["why"].get<std::string>(), HasSubstr("'nothing'"));
}

TEST_F(ReproduceCliTest, TableFilesAndPage) {
  const std::string with_one = std::string(kClaims).substr(0, std::string(kClaims).rfind("[["));
  write("claims.toml", with_one);
  const std::string text = answer({"reproduce", "--claims", "claims.toml"});
  EXPECT_THAT(text, HasSubstr("agrees            eq. (1): when it stops: v/(mu g)\n"));
  EXPECT_THAT(text, HasSubstr("printed 0.6116 s, computed 0.6116208 s"));
  EXPECT_THAT(list_files(), Contains("results/reproduce/reproduce.html"));
  EXPECT_THAT(list_files(), Contains("results/reproduce/reproduce.json"));
}

TEST_F(ReproduceCliTest, KindsAreCountedApart) {
  const std::string text = answer({"reproduce", "003"});
  EXPECT_THAT(text, HasSubstr("                     printed    formula  statement\nagrees "));
  EXPECT_THAT(text, HasSubstr("  printed 7.4398 rad/s, computed 7.4368719 rad/s\n"));
  EXPECT_THAT(text, HasSubstr("  its formula gives 0.5552313, computed"));
  EXPECT_THAT(text, HasSubstr("  stated: inconsistent, computed inconsistent\n"));
  const Json document = parse_json(answer({"reproduce", "003", "--json"}));
  std::map<std::string, std::map<std::string, int>> counts;
  for (const Json& claim : document["claims"]) {
    ++counts[claim["kind"].get<std::string>()][claim["verdict"].get<std::string>()];
  }
  for (const auto& [kind, of_kind] : counts) {
    for (const auto& [verdict, count] : of_kind) {
      EXPECT_EQ(document["counts"][kind][verdict], count) << kind << " " << verdict;
    }
  }
}

/// t = v0/(mu g) with v0 = 3 +- 0.5 and mu = 0.5 +- 0.05: 0.46 to 0.79 s.
TEST_F(ReproduceCliTest, RoundedInputs) {
  std::string text = std::string(kClaims).substr(0, std::string(kClaims).rfind("[["));
  const std::string run = "\"simulate sliding-block\"";
  text.replace(text.find(run), run.size(), "\"simulate sliding-block --set v0={v} --set mu={m}\"");
  text.replace(text.find("0.6116"), 6, "0.70");
  write("claims.toml", text + "inputs = { v = \"3\", m = \"0.5\" }\n");
  EXPECT_THAT(answer({"reproduce", "--claims", "claims.toml"}),
              HasSubstr("computed 0.6116208 s; 0.463349 to 0.792842 s over m, v\n"));
  const Json claim =
      parse_json(answer({"reproduce", "--claims", "claims.toml", "--json"}))["claims"][0];
  EXPECT_EQ(claim["verdict"], "agrees");
  EXPECT_THAT(claim["cases"], SizeIs(5));
}

TEST_F(ReproduceCliTest, HostileFilesAreRefused) {
  const auto refuse_run = [&](const std::string& call) {
    std::string text = kClaims;
    const std::string run = "[\"simulate sliding-block\"]";
    write("claims.toml", text.replace(text.find(run), run.size(), "\"" + call + "\""));
    return refuse({"reproduce", "--claims", "claims.toml"});
  };
  EXPECT_THAT(
      refuse_run("reproduce --claims claims.toml"),
      HasSubstr("claims.toml:11: claims.run: expected a verb that answers, one of classify, "));
  EXPECT_THAT(refuse_run("simulate sliding-block --out stolen"),
              HasSubstr("claims.toml:11: claims.run: expected options that only ask (none that "
                        "writes or opens anything), got '--out'"));
  EXPECT_THAT(refuse({"reproduce", "--claims", "/dev/zero"}), HasSubstr("got a pipe or a device"));
  EXPECT_THAT(list_files(), Not(Contains(HasSubstr("stolen"))));
}

TEST_F(ReproduceCliTest, FiguresAreDrawnFromCalls) {
  const std::string head = std::string(kClaims).substr(0, std::string(kClaims).find("[["));
  const std::string figure = R"toml([[figures]]
where = "Fig. 1"
shows = "a block slows down"
x = { label = "time", unit = "s" }
y = { label = "velocity", unit = "m/s" }

[[figures.curves]]
name = "block"
run = "simulate sliding-block --sample 0.1 --trajectory"
from = { t = "/trajectory/t", v = "/trajectory/x_dot" }
x = "t"
y = "v"
)toml";
  write("claims.toml", head + figure);
  const Json drawn = parse_json(answer({"reproduce", "--claims", "claims.toml", "--json"}));
  const Json& curve = drawn["figures"][0]["curves"][0];
  ASSERT_THAT(curve["x"], SizeIs(8));
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(curve["y"][i].get<double>(), 3.0 - 0.5 * 9.81 * curve["x"][i].get<double>(), 1e-12);
  }
  EXPECT_THAT(answer({"reproduce", "--claims", "claims.toml"}), HasSubstr("1 chart of figures"));
  write("claims.toml",
        head + figure +
            "[[figures.curves]]\nname = \"none\"\n"
            "run = \"simulate sliding-block --set nothing=1\"\nx = \"1\"\ny = \"1\"\n");
  const CliResult failed = run({"reproduce", "--claims", "claims.toml"});
  EXPECT_EQ(failed.exit_code, 3);
  EXPECT_THAT(failed.out, HasSubstr("Fig. 1 could not be drawn"));
  EXPECT_THAT(failed.out, HasSubstr("'nothing'"));
}

/// A line per claim: its paper, verdict, kind, where, and what is claimed.
std::string list_verdicts(const Json& claims) {
  std::string out;
  for (const Json& claim : claims) {
    out += fmt::format("{} {:<17} {:<10} {}: {}\n", claim["paper"].get<std::string>(),
                       claim["verdict"].get<std::string>(), claim["kind"].get<std::string>(),
                       claim["where"].get<std::string>(), claim["claim"].get<std::string>());
  }
  return out;
}

/// Every verdict as it was when somebody last checked the reasons for it. Check a change again,
/// then make the list anew with `slipstick reproduce --json`. Under sanitizers one paper is enough.
TEST_F(ReproduceCliTest, EveryVerdictIsPinned) {
  const std::string pinned = read_file(SLIPSTICK_SOURCE_DIR "/tests/cli/verdicts.txt");
  const bool all = SLIPSTICK_CASES_DIVISOR == 1;
  const Json document =
      parse_json(all ? answer({"reproduce", "--json"}) : answer({"reproduce", "003", "--json"}));
  const Json& claims = document["claims"];
  EXPECT_THAT(document["figures"], SizeIs(all ? 55 : 4));
  const std::string verdicts = list_verdicts(claims);
  if (all) {
    EXPECT_EQ(verdicts, pinned);
    EXPECT_GE(claims.size(), 120U);
  } else {
    EXPECT_THAT(pinned, HasSubstr(verdicts));
  }
}

/// docs/errata.md has a row for every place of a paper in which a claim is an erratum.
TEST_F(ReproduceCliTest, ErrataPageKnowsEveryErratum) {
  const std::string page = read_file(SLIPSTICK_SOURCE_DIR "/docs/errata.md");
  std::istringstream lines(read_file(SLIPSTICK_SOURCE_DIR "/tests/cli/verdicts.txt"));
  const std::map<std::string, std::string> keys{{"000", "Zhao2008"},
                                                {"001", "Or2021"},
                                                {"002", "Meltz2007"},
                                                {"003", "Fremond2007"},
                                                {"004", "Or2014"}};
  const std::regex place(
      R"((eqs?\. ?\(\d+\)|sec\. [IVX\d][\w.-]*|Fig\. ?\d+|Table \d+|Lemma [\d.]+|before \(\d+\)|appendix))");
  int errata = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(4, 7, "erratum") != 0) continue;
    ++errata;
    const std::size_t start = page.find("## [" + keys.at(line.substr(0, 3)));
    const std::string section = page.substr(start, page.find("\n## ", start) - start);
    std::smatch found;
    ASSERT_TRUE(std::regex_search(line, found, place)) << line;
    std::string named = found[1];
    if (named.starts_with("sec. ")) named = "section " + named.substr(5);
    while (named.ends_with('.')) named.pop_back();
    EXPECT_THAT(section, HasSubstr(named)) << line;
  }
  EXPECT_GE(errata, 20);
}

TEST_F(ReproduceCliTest, BadInput) {
  EXPECT_THAT(refuse({"reproduce", "Or2015"}), HasSubstr("did you mean 'Or2014'?"));
  EXPECT_THAT(refuse({"reproduce", "003", "Fremond2007"}), HasSubstr("each paper once"));
  write("claims.toml", "paper = \"009\"\n");
  EXPECT_THAT(refuse({"reproduce", "--claims", "claims.toml"}), HasSubstr("claims.toml"));
  EXPECT_THAT(refuse({"reproduce", "--claims", "none.toml"}), HasSubstr("none.toml"));
  write("claims.toml", "");
  EXPECT_THAT(refuse({"reproduce", "--claims", "claims.toml"}), HasSubstr("empty"));
}

}  // namespace
}  // namespace slipstick::testkit
