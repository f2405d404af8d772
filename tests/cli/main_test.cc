/// The command line as such: help, version, exit codes, suggestions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "cli/run_cli.h"

namespace slipstick::testkit {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

class MainCliTest : public CliTest {
 protected:
  /// The verbs that `slipstick --help` lists.
  [[nodiscard]] std::vector<std::string> list_verbs() const {
    std::istringstream help(answer({"--help"}));
    std::vector<std::string> out;
    bool listed = false;
    for (std::string line; std::getline(help, line);) {
      if (line.rfind("  ", 0) == 0 && listed) {
        out.push_back(line.substr(2, line.find(' ', 2) - 2));
      } else {
        listed = line == "Subcommands:";
      }
    }
    return out;
  }
};

TEST_F(MainCliTest, Version) {
  EXPECT_THAT(answer({"--version"}), MatchesRegex("slipstick [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(MainCliTest, HelpListsTheVerbs) {
  EXPECT_THAT(answer({"--help"}), HasSubstr("Usage: slipstick"));
  EXPECT_THAT(list_verbs(), ::testing::IsSupersetOf({"models", "classify"}));
  EXPECT_EQ(answer({"-h"}), answer({"--help"}));
}

TEST_F(MainCliTest, EveryVerbHasAnExampleThatWorks) {
  const std::vector<std::string> verbs = list_verbs();
  EXPECT_GE(verbs.size(), 2U);
  for (const std::string& verb : verbs) {
    SCOPED_TRACE(verb);
    const std::string help = answer({verb, "--help"});
    EXPECT_THAT(help, HasSubstr("Usage: slipstick " + verb));
    const std::size_t at = help.find("\nExample");
    ASSERT_NE(at, std::string::npos) << help;
    std::istringstream lines(help.substr(at));
    std::string last;  // examples before it may make what this verb reads
    for (std::string line; std::getline(lines, line);) {
      const std::size_t start = line.find_first_not_of(' ');
      if (start == std::string::npos || line.compare(start, 10, "slipstick ") != 0) continue;
      std::istringstream words(line.substr(start + 10));
      std::vector<std::string> args;
      for (std::string word; words >> word;) args.push_back(word);
      ASSERT_FALSE(args.empty());
      EXPECT_NE(answer(args), "");
      last = args.front();
    }
    EXPECT_EQ(last, verb) << help;
  }
}

TEST_F(MainCliTest, UnknownOption) {
  EXPECT_EQ(refuse({"simulate", "sliding-block", "--untill", "1"}),
            "slipstick: simulate: unknown option '--untill'; did you mean '--until'? (slipstick "
            "simulate --help lists them)");
  EXPECT_THAT(refuse({"simulate", "sliding-block", "--untill=1"}), HasSubstr("'--untill'"));
  EXPECT_THAT(refuse({"--frobnicate"}), HasSubstr("--frobnicate"));
  EXPECT_THAT(refuse({"classify", "two-link-rail", "--frobnicate"}), HasSubstr("--frobnicate"));
  EXPECT_THAT(list_files(), IsEmpty());
}

TEST_F(MainCliTest, CompletionInBash) {
  write("complete.sh", answer({"completion", "bash"}) + R"(
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _slipstick; echo "${COMPREPLY[*]}"; }
try slipstick sim
try slipstick simulate --on-j
try slipstick simulate rimless
try slipstick show complete.s
)");
  const CliResult result = run_program("/bin/bash", {"complete.sh"}, directory());
  EXPECT_EQ(result.out, "simulate\n--on-jam\nrimless-wheel\ncomplete.sh\n") << result.err;
}

TEST_F(MainCliTest, CompletionsAndManualTellEveryVerbAndOption) {
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"completion", "bash"}, {"completion", "zsh"}, {"completion", "fish"}, {"manual"}}) {
    std::string text = answer(command);
    std::erase(text, '\\');  // the manual's hyphens
    for (const std::string& verb : list_verbs()) EXPECT_THAT(text, HasSubstr(verb));
    for (const char* option : {"on-indeterminate", "report", "set", "over"}) {
      EXPECT_THAT(text, HasSubstr(option));
    }
  }
  EXPECT_THAT(answer({"manual"}), StartsWith(".TH SLIPSTICK 1"));
  EXPECT_THAT(refuse({"completion", "csh"}), HasSubstr("csh"));
}

TEST_F(MainCliTest, NoVerb) {
  EXPECT_EQ(refuse({}),
            "slipstick: expected a verb, got nothing (slipstick --help lists the verbs)");
  EXPECT_THAT(list_files(), IsEmpty());
}

TEST_F(MainCliTest, UnknownVerb) {
  EXPECT_EQ(refuse({"clasify", "two-link-rail"}),
            "slipstick: unknown verb 'clasify'; did you mean 'classify'? (slipstick --help lists "
            "them)");
  EXPECT_EQ(refuse({"frobnicate"}),
            "slipstick: unknown verb 'frobnicate' (slipstick --help lists them)");
}

TEST_F(MainCliTest, MissingModel) {
  EXPECT_EQ(refuse({"classify"}), "slipstick: expected MODEL, got nothing");
}

/// Messages about option values say what was expected and what was found.
TEST_F(MainCliTest, WrongValuesOfOptionsAreTold) {
  EXPECT_THAT(refuse({"simulate", "bouncing-ball", "--until", "abc"}),
              HasSubstr("--until: expected parameters of the model in 'abc', got 'abc'"));
  EXPECT_THAT(refuse({"simulate", "bouncing-ball", "--max-events", "1e9"}),
              HasSubstr("--max-events: expected a number (for a count, a whole number"));
  EXPECT_THAT(refuse({"stability", "two-contact-body", "--samples", "-1"}),
              HasSubstr("--samples: expected a number from 0 to 1000000, got -1"));
  for (const char* time : {"0", "nan", "inf", "1e400"}) {
    EXPECT_THAT(refuse({"gait", "rimless-wheel", "--until", time}),
                HasSubstr("--until: expected a time above 0 s, got"));
  }
}

TEST_F(MainCliTest, MissingAndFurtherArgumentsAreTold) {
  EXPECT_EQ(refuse({"simulate", "bouncing-ball", "--until"}),
            "slipstick: --until: expected T, got nothing");
  EXPECT_EQ(refuse({"simulate", "bouncing-ball", "--set"}),
            "slipstick: --set: expected NAME=EXPR, got nothing");
  EXPECT_EQ(refuse({"paradox", "compass-biped", "--map", "theta1=0:1"}),
            "slipstick: --map: expected 2 values, got 1");
  EXPECT_EQ(refuse({"simulate", "bouncing-ball", "extra"}),
            "slipstick: simulate: expected no further argument, got 'extra'");
  EXPECT_EQ(refuse({"simulate", "bouncing-ball", "a", "b"}),
            "slipstick: simulate: expected no further argument, got 'a'");
}

/// An option that would have no effect alone is refused, not ignored.
TEST_F(MainCliTest, OptionsThatNeedOthersAreRefusedAlone) {
  EXPECT_THAT(refuse({"paradox", "sliding-rod", "--along", "theta=0:1", "--grid", "5"}),
              HasSubstr("--grid: expected --map with it, got none"));
  EXPECT_THAT(refuse({"gait", "rimless-wheel", "--phases", "3"}),
              HasSubstr("--phases: expected --slips or --perturb with it, got none"));
  EXPECT_THAT(refuse({"classify", "rimless-wheel", "--draws", "64"}),
              HasSubstr("--draws: expected --uncertain with it, got none"));
}

TEST_F(MainCliTest, OutputThatCannotBeWritten) {
  const CliResult result =
      run_program("/bin/sh", {"-c", std::string("exec '") + SLIPSTICK_CLI + "' models > /dev/full"},
                  directory());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, StartsWith("slipstick: "));
}

}  // namespace
}  // namespace slipstick::testkit
