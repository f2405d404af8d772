/// `slipstick impact` as a user calls it: its answers, its JSON, its files, what it refuses.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run_cli.h"

namespace slipstick::testkit {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ImpactCliTest : public CliTest {
 protected:
  [[nodiscard]] Json ask(std::vector<std::string> args) const {
    args.insert(args.begin(), "impact");
    args.emplace_back("--json");
    return parse_json(answer(args));
  }
};

std::vector<std::string> list_key_names(const Json& object) {
  std::vector<std::string> out;
  for (const auto& [key, value] : object.items()) out.push_back(key);
  return out;
}

/// A block of 1 kg falls at 2 m/s and slides at 0.7 m/s with mu = 0.5: friction stops the slip
/// after 1.4 of 2 N s.
TEST_F(ImpactCliTest, JsonHasTheKeysOfTheInterface) {
  const Json json = ask({"sliding-block", "--set", "v0=0.7", "--set", "y_dot=-2"});
  EXPECT_EQ(list_key_names(json),
            (std::vector<std::string>{"model", "state", "class", "kind", "contacts", "only",
                                      "outcomes", "laws", "reason", "code", "check"}));
  EXPECT_EQ(json["class"], "colliding");
  EXPECT_EQ(json["kind"], "collision");
  EXPECT_THAT(json["contacts"], ElementsAre("block"));
  EXPECT_TRUE(json["reason"].is_null());
  EXPECT_TRUE(json["check"]["passed"].get<bool>());
  ASSERT_THAT(json["outcomes"], SizeIs(5));
  const Json& first = json["outcomes"][0];
  EXPECT_EQ(list_key_names(first),
            (std::vector<std::string>{"law", "contacts", "modes_before", "modes_after",
                                      "velocity_after", "impulse_n", "impulse_t", "family",
                                      "largest_jump", "energy_before", "energy_after",
                                      "work_of_surface", "path", "planes", "pushed", "notes"}));
  EXPECT_EQ(first["law"], "inelastic");
  EXPECT_EQ(first["modes_after"], "S");
  EXPECT_EQ(first["velocity_after"], (Json{{"x", 0.0}, {"y", 0.0}}));
  EXPECT_NEAR(first["impulse_n"][0].get<double>(), 2.0, 1e-15);
  EXPECT_NEAR(first["impulse_t"][0].get<double>(), -0.7, 1e-15);
  EXPECT_TRUE(first["family"].is_null());
  EXPECT_NEAR(first["energy_before"].get<double>(), 2.245, 1e-15);
  EXPECT_EQ(first["energy_after"], 0.0);
  ASSERT_THAT(first["path"], SizeIs(2));
  EXPECT_EQ(
      list_key_names(first["path"][0]),
      (std::vector<std::string>{"phase", "contact", "motion", "impulse_n", "impulse_t", "end"}));
  EXPECT_EQ(first["path"][0]["phase"], "compression");
  EXPECT_EQ(first["path"][0]["motion"], "P");
  EXPECT_NEAR(first["path"][0]["impulse_n"].get<double>(), 1.4, 1e-15);
  EXPECT_EQ(first["path"][1]["motion"], "S");
  EXPECT_THAT(list_files(), IsEmpty()) << "--json alone writes nothing";
}

TEST_F(ImpactCliTest, AFamilyHasItsEnds) {
  const Json json =
      ask({"painleve-bar", "--set", "theta=.9437427935", "--set", "theta_dot=1.1112758297", "--set",
           "slip=-4.9746914741", "--law", "fremond"});
  EXPECT_EQ(json["kind"], "jam");
  ASSERT_THAT(json["outcomes"], SizeIs(1));
  const Json& outcome = json["outcomes"][0];
  EXPECT_NEAR(outcome["largest_jump"].get<double>(), 7.436872, 1e-6);
  EXPECT_EQ(outcome["family"]["dimension"], 1);
  EXPECT_EQ(list_key_names(outcome["family"]),
            (std::vector<std::string>{"dimension", "impulse_n", "impulse_t", "velocity"}));
  EXPECT_EQ(outcome["family"]["impulse_n"][0][0], 0.0);
}

TEST_F(ImpactCliTest, NoImpactIsAnAnswer) {
  const Json json = ask({"bouncing-ball"});
  EXPECT_EQ(json["kind"], "none");
  EXPECT_THAT(json["outcomes"], IsEmpty());
  EXPECT_THAT(json["reason"], HasSubstr("no contact is at its surface"));
  EXPECT_THAT(answer({"impact", "bouncing-ball"}), HasSubstr("no impact: no contact is at its"));
}

TEST_F(ImpactCliTest, TextTellsEveryLawOnce) {
  const std::string out =
      answer({"impact", "bouncing-ball", "--set", "height=0", "--set", "y_dot=-2"});
  EXPECT_THAT(out, HasSubstr("\ninelastic: one outcome\n"));
  EXPECT_THAT(out, HasSubstr("\nnewton: as poisson\n"));
  EXPECT_THAT(out, HasSubstr("y'           -2 -> 1.6\n"));
  EXPECT_THAT(out, EndsWith("\nwritten: results/bouncing-ball-impact/impact.json\n"));
  EXPECT_THAT(list_files(), testing::Contains("results/bouncing-ball-impact/impact.json"));
}

/// The stance foot and the landing one feel each other; a law of one contact is not defined.
TEST_F(ImpactCliTest, ALawThatIsLeftOutHasAReason) {
  const std::vector<std::string> state{"rimless-wheel", "--set", "theta=pi/10",
                                       "--set",         "e=0.3", "--set",
                                       "theta_dot=1",   "--law", "newton"};
  const Json json = ask(state);
  EXPECT_THAT(json["outcomes"], IsEmpty());
  EXPECT_EQ(json["laws"][0]["runs_use"], "poisson");
  EXPECT_THAT(json["reason"], HasSubstr("Newton's law"));
  std::vector<std::string> alone = state;
  alone.insert(alone.end(), {"--only", "next"});
  const Json one = ask(alone);
  EXPECT_EQ(one["only"], "next");
  EXPECT_THAT(one["outcomes"], SizeIs(1));
}

TEST_F(ImpactCliTest, ClassifyPointsHere) {
  const Json json = parse_json(
      answer({"classify", "bouncing-ball", "--set", "height=0", "--set", "y_dot=-2", "--json"}));
  EXPECT_EQ(json["class"], "colliding");
  EXPECT_EQ(json["impact"]["see"], "slipstick impact bouncing-ball");
}

TEST_F(ImpactCliTest, BadInputIsRefused) {
  EXPECT_THAT(refuse({"impact", "rimless-wheel", "--law", "hertz"}),
              HasSubstr("--law: expected inelastic, poisson, newton, stronge or fremond, got "
                        "'hertz'"));
  EXPECT_THAT(refuse({"impact", "rimless-wheel", "--law", "newton", "--law", "newton"}),
              HasSubstr("expected each law once"));
  EXPECT_THAT(refuse({"impact", "rimless-wheel", "--only", "hub"}),
              HasSubstr("--only: expected a contact of the model (stance, next, previous), got "
                        "'hub'"));
  EXPECT_THAT(refuse({"impact", "rimless-wheel", "--set", "theta=pi/10", "--set", "theta_dot=1",
                      "--only", "previous"}),
              HasSubstr("contact 'previous': expected one at which an impulse acts here (next)"));
  EXPECT_THAT(refuse({"impact", "sliding-block", "--set", "y=-0.1"}), HasSubstr("penetration"));
}

}  // namespace
}  // namespace slipstick::testkit
