#include "slipstick/io/json/gait_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "slipstick/io/hdf5/hdf5.h"
#include "slipstick/io/json/json_parts.h"

namespace slipstick {
namespace {

/// A map of two times and two slips of which only the second time was computed.
GaitAnswer make_interrupted(const LoadedModel& loaded) {
  GaitAnswer out;
  out.search = find_orbit(*loaded.model, loaded.initial, {});
  out.report = make_gait_report(*loaded.model, *out.search.orbit);
  out.slips = {{0.1, 0.2}, {-0.01, 0.01}};
  out.slip_map = SlipMap{{{}, {SlipOutcome::kStick, SlipOutcome::kJam}}, {{}, {true, false}}, {}};
  return out;
}

TEST(GaitJson, SlipsThatWereNotFollowedAreNull) {
  const LoadedModel loaded = read_model("rimless-wheel", {});
  const Json slips = make_gait_json(loaded, make_interrupted(loaded))["slips"];
  EXPECT_EQ(slips["outcome"].dump(), R"([[null,null],["stick","jam"]])");
  EXPECT_EQ(slips["regained"].dump(), "[[null,null],[true,false]]");
  EXPECT_TRUE(slips["basin"]["forward"].is_null());
  EXPECT_TRUE(slips["basin"]["backward"].is_null());
}

TEST(GaitJson, SlipsAsArrays) {
  using Whole = std::vector<std::int64_t>;
  const LoadedModel loaded = read_model("rimless-wheel", {});
  const Hdf5Reader reader("x.h5", make_gait_hdf5(loaded, make_interrupted(loaded)));
  EXPECT_EQ(reader.read_attribute("/", "program"), make_hdf5("slipstick gait"));
  EXPECT_FALSE(reader.has_attribute("/", "parameter"));
  EXPECT_EQ(reader.read("slips/slips"), make_hdf5(std::vector<double>{-0.01, 0.01}));
  EXPECT_EQ(reader.read("slips/outcome"), (Hdf5Array{{2, 2}, Whole{-1, -1, 0, 3}}));
  EXPECT_EQ(reader.read("slips/regained"), (Hdf5Array{{2, 2}, Whole{-1, -1, 1, 0}}));
}

/// A bifurcation that was not located is reported beside those that were.
TEST(GaitJson, NotesOfABranch) {
  const LoadedModel loaded = read_model("rimless-wheel", {});
  GaitAnswer answer = make_interrupted(loaded);
  answer.parameter = "alpha";
  answer.branch.emplace();
  answer.branch->notes = {"fold between 1 and 2, not located: because"};
  const Json json = make_gait_json(loaded, answer);
  EXPECT_EQ(json["notes"].dump(), R"(["fold between 1 and 2, not located: because"])");
}

}  // namespace
}  // namespace slipstick
