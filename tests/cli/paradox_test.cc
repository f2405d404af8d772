/// The verbs `paradox` and `critical-friction` as a user calls them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/run_cli.h"
#include "slipstick/critical_friction.h"

namespace slipstick::testkit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ParadoxCliTest : public CliTest {};

/// Closed form of the wheel's window: docs/theory/paradox.md.
TEST_F(ParadoxCliTest, AlongACoordinate) {
  const Json json =
      parse_json(answer({"paradox", "rimless-wheel", "--along", "theta=-1:1", "--json"}));
  ASSERT_EQ(json["intervals"].size(), 1U);
  EXPECT_NEAR(json["intervals"][0][0].get<double>(), -.264368488452, 1e-12);
  EXPECT_NEAR(json["intervals"][0][1].get<double>(), -.0723063309347, 1e-12);
  EXPECT_THAT(list_files(), IsEmpty());
}

TEST_F(ParadoxCliTest, BothDirectionsAreTheUnion) {
  const auto intervals = [&](const char* direction) {
    return parse_json(answer({"paradox", "rimless-wheel", "--along", "theta=-1:1", "--direction",
                              direction, "--json"}))["intervals"];
  };
  EXPECT_EQ(intervals("+").size(), 1U);
  EXPECT_EQ(intervals("-").size(), 1U);
  EXPECT_EQ(intervals("both").size(), 2U);
  EXPECT_NEAR(intervals("-")[0][0].get<double>(), -intervals("+")[0][1].get<double>(), 1e-12);
}

TEST_F(ParadoxCliTest, MapHasAxesRegionsAndBoundaries) {
  const Json json = parse_json(answer({"paradox", "rimless-wheel", "--map", "theta=-0.3:0.3",
                                       "theta_dot=-1.2:1.2", "--grid", "11", "--json"}));
  ASSERT_EQ(json["axes"].size(), 2U);
  EXPECT_EQ(json["axes"][1]["name"], "theta_dot");
  ASSERT_EQ(json["regions"].size(), 11U);
  ASSERT_EQ(json["regions"][0].size(), 11U);
  EXPECT_EQ(json["regions"][5][3].get<int>(), 4);  // theta = -0.12, at rest: p < 0, b < 0
  EXPECT_EQ(json["regions"][5][8].get<int>(), 1);
  EXPECT_FALSE(json["boundaries"].empty());
  EXPECT_FALSE(json["boundaries"][0]["points"].empty());
}

/// Every point is in the document and in the result file beside it.
TEST_F(ParadoxCliTest, MapHasAResultFile) {
  const Json json =
      parse_json(answer({"paradox", "rimless-wheel", "--map", "theta=-0.3:0.3",
                         "theta_dot=-1.2:1.2", "--grid", "11", "--json", "--out", "map"}));
  EXPECT_EQ(parse_json(read_file(directory() / "map/paradox-map.json")), json);
  std::vector<int> counts(5, 0);
  for (const Json& row : json["regions"]) {
    for (const Json& region : row) ++counts[region.get<std::size_t>()];
  }
  EXPECT_EQ(json["counts"].get<std::vector<int>>(), counts);
  const CliResult result = run_program("/usr/bin/python3", {"-c", R"(
import h5py, json
f = h5py.File('map/paradox-map.h5')
print(f.attrs['program'].decode(), f.attrs['cases'][4].decode(), f['regions'].dtype)
print(f['axes/1'].attrs['name'].decode(), f['axes/1'].attrs['from'], f['axes/1'].attrs['to'])
print(json.dumps(f['regions'][()].tolist(), separators=(',', ':')))
boundaries = [f['boundaries'][str(i)] for i in range(len(f['boundaries']))]
same = [{'what': b.attrs['what'].decode(), 'points': b['points'][()].tolist()} for b in boundaries]
print(same == json.load(open('map/paradox-map.json'))['boundaries'])
)"},
                                       directory());
  EXPECT_EQ(result.out, "slipstick paradox inconsistent int8\ntheta_dot -1.2 1.2\n" +
                            json["regions"].dump() + "\nTrue\n")
      << result.err;
}

/// Of a fine map the document has the number of points of each case, which add up.
TEST_F(ParadoxCliTest, FineMapHasASummaryBesideItsResultFile) {
  (void)answer({"paradox", "rimless-wheel", "--map", "theta=-0.3:0.3", "theta_dot=-1.2:1.2",
                "--grid", "501", "--out", "fine"});
  const Json summary = parse_json(read_file(directory() / "fine/paradox-map.json"));
  EXPECT_FALSE(summary.contains("regions"));
  int points = 0;
  for (const Json& count : summary["counts"]) points += count.get<int>();
  EXPECT_EQ(points, 501 * 501);
  const CliResult shape = run_program(
      "/usr/bin/python3",
      {"-c", "import h5py; print(h5py.File('fine/paradox-map.h5')['regions'].shape)"}, directory());
  EXPECT_EQ(shape.out, "(501, 501)\n");
}

/// Table 1 of [Zhao2008] in one call: windows at the three heights (docs/errata.md), none at 0.21
/// m.
TEST_F(ParadoxCliTest, MapOverAParameter) {
  const Json json = parse_json(answer({"paradox", "two-link-rail", "--map", "H=0.2:0.4",
                                       "theta1=0:90*deg", "--grid", "41", "--json"}));
  EXPECT_EQ(json["axes"][0]["name"], "H");
  EXPECT_EQ(json["axes"][1]["name"], "theta1");
  EXPECT_TRUE(json["refused"].is_null());
  const auto has_paradox = [&](std::size_t column) {  // H = 0.2 + 0.005 column
    return std::any_of(json["regions"].begin(), json["regions"].end(),
                       [&](const Json& row) { return row[column].get<int>() >= 3; });
  };
  EXPECT_FALSE(has_paradox(2));
  EXPECT_TRUE(has_paradox(30));
  EXPECT_EQ(json["boundaries"][0]["what"], "p = 0");
  const Json refused = parse_json(answer({"paradox", "two-link-rail", "--map", "H=0.3:0.6",
                                          "theta1=0:90*deg", "--grid", "7", "--json"}))["refused"];
  EXPECT_EQ(refused["points"].get<int>(),
            28);  // above 2 l = 0.42 m: 0.45, 0.5, 0.55, 0.6; 7 angles
  EXPECT_THAT(refused["why"].get<std::string>(), HasSubstr("closed"));
}

TEST_F(ParadoxCliTest, TextAnswerWritesItsFile) {
  EXPECT_THAT(answer({"paradox", "two-link-rail", "--along", "theta1=-90*deg:90*deg"}),
              HasSubstr("22.712860 to 34.866144 deg"));
  EXPECT_THAT(list_files(), ElementsAre("results", "results/two-link-rail-paradox",
                                        "results/two-link-rail-paradox/paradox.json"));
}

TEST_F(ParadoxCliTest, CriticalFriction) {
  const Json json = parse_json(answer({"critical-friction", "rimless-wheel", "--json"}));
  EXPECT_NEAR(json["mu_min"].get<double>(), 2.0 * std::sqrt(.02 + .02 * .02), 1e-12);
  EXPECT_NEAR(json["mu_jam"].get<double>(), 2.0 / std::sqrt(3.0) * json["mu_min"].get<double>(),
              1e-9);
  EXPECT_TRUE(json["at"].contains("theta"));
}

/// Without friction the answer is "never", with the reason; not an error.
TEST_F(ParadoxCliTest, NeverWithoutFriction) {
  EXPECT_THAT(answer({"critical-friction", "sliding-block", "--set", "mu=0"}), HasSubstr("never"));
  const Json json =
      parse_json(answer({"critical-friction", "sliding-block", "--set", "mu=0", "--json"}));
  EXPECT_TRUE(json["mu_min"].is_null());
}

TEST_F(ParadoxCliTest, BadInput) {
  EXPECT_THAT(refuse({"paradox", "rimless-wheel"}), HasSubstr("--along or --map"));
  EXPECT_THAT(refuse({"paradox", "rimless-wheel", "--along", "theta=1:-1"}), HasSubstr("rising"));
  EXPECT_THAT(refuse({"paradox", "rimless-wheel", "--along", "theta=1:1"}), HasSubstr("rising"));
  EXPECT_THAT(refuse({"paradox", "rimless-wheel", "--along", "theta="}), HasSubstr("NAME=A:B"));
  EXPECT_THAT(refuse({"paradox", "rimless-wheel", "--along", "thta=0:1"}), HasSubstr("'theta'"));
  EXPECT_THAT(refuse({"paradox", "rimless-wheel", "--along", "theta_dot=0:1"}), HasSubstr("rate"));
  EXPECT_THAT(refuse({"paradox", "rimless-wheel", "--along", "theta=0:1/0"}), HasSubstr("finite"));
  EXPECT_THAT(refuse({"paradox", "rimless-wheel", "--map", "theta=0:1", "theta=0:2"}),
              HasSubstr("twice"));
  EXPECT_THAT(refuse({"paradox", "two-link-rail", "--map", "Hx=0:1", "theta1=0:1"}),
              HasSubstr("did you mean 'H'"));
  EXPECT_THAT(refuse({"paradox", "two-link-rail", "--map", "H=2:3", "theta1=0:1"}),
              HasSubstr("got none"));
  EXPECT_THAT(refuse({"paradox", "two-link-rail", "--map", "H=0.2:0.4:9", "theta1=0:1"}),
              HasSubstr("--grid"));
  EXPECT_THAT(refuse({"paradox", "bouncing-ball", "--along", "y=0:1"}), HasSubstr("closed"));
  EXPECT_THAT(refuse({"critical-friction", "two-link-rail", "--over", "theta1=80*deg:90*deg"}),
              HasSubstr("close"));
  EXPECT_THAT(
      refuse({"critical-friction", "rimless-wheel", "--over", "theta=0:1", "--over", "theta=0:2"}),
      HasSubstr("twice"));
}

}  // namespace
}  // namespace slipstick::testkit
