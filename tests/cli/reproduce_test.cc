/// reproduce: claims of papers beside what is computed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cli/run_cli.h"

namespace slipstick::testkit {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
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

TEST_F(ReproduceCliTest, BadInput) {
  EXPECT_THAT(refuse({"reproduce", "Or2015"}), HasSubstr("did you mean 'Or2014'?"));
  write("claims.toml", "paper = \"009\"\n");
  EXPECT_THAT(refuse({"reproduce", "--claims", "claims.toml"}), HasSubstr("claims.toml"));
  EXPECT_THAT(refuse({"reproduce", "--claims", "none.toml"}), HasSubstr("none.toml"));
  write("claims.toml", "");
  EXPECT_THAT(refuse({"reproduce", "--claims", "claims.toml"}), HasSubstr("empty"));
}

}  // namespace
}  // namespace slipstick::testkit
