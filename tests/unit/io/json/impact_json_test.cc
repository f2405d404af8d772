/// The document of `impact`: from the library, and as other questions reach it.

#include "slipstick/io/json/impact_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipstick/errors.h"
#include "slipstick/io/call_check.h"
#include "slipstick/io/json/verb_documents.h"
#include "slipstick/json.h"

namespace slipstick {
namespace {

LoadedModel read_fallen_ball() {
  return read_model("bouncing-ball", std::vector<Override>{{"height", "0"}, {"y_dot", "-2"}});
}

/// One kilogram at 2 m/s with e = 0.8 leaves at 1.6 m/s.
TEST(ImpactJson, AVerbsDocumentCanBeAskedByPointer) {
  const LoadedModel ball = read_fallen_ball();
  SimulationOptions options;
  options.law = ImpactLaw::kNewton;
  const Json document = make_verb_document("impact", ball, options);
  ASSERT_EQ(document.at("outcomes").size(), 1U);
  EXPECT_NEAR(document.at("/outcomes/0/velocity_after/y"_json_pointer).get<double>(), 1.6, 1e-15);
  EXPECT_EQ(make_verb_document("impact", ball, {}).at("outcomes").size(), kImpactLaws.size());
  EXPECT_THAT(list_document_verbs(), ::testing::Contains("impact"));
}

TEST(ImpactJson, TextIsTheDocument) {
  const LoadedModel ball = read_fallen_ball();
  const ImpactAnswer answer = find_impact_outcomes(*ball.model, ball.initial, {});
  EXPECT_EQ(Json::parse(make_json_text(ball, answer)), make_impact_json(ball, answer));
}

/// An end of a range that does not exist is null.
TEST(ImpactJson, UnboundedRangesAreNull) {
  const LoadedModel ball = read_fallen_ball();
  ImpactAnswer answer = find_impact_outcomes(*ball.model, ball.initial, {});
  const double infinity = std::numeric_limits<double>::infinity();
  answer.outcomes[0].record.family = {1, true, {{0.0, infinity}}, {{-infinity, 0.0}}, {{0.0, 0.0}}};
  const Json family = make_impact_json(ball, answer).at("outcomes").at(0).at("family");
  EXPECT_EQ(family.at("impulse_n"), Json::parse("[[0.0, null]]"));
  EXPECT_EQ(family.at("impulse_t"), Json::parse("[[null, 0.0]]"));
}

TEST(ImpactJson, ClaimsMayAskForIt) {
  EXPECT_NO_THROW(check_call("claims.toml", "impact rimless-wheel --only next --law newton"));
  EXPECT_THROW(check_call("claims.toml", "impact rimless-wheel --out results"), InputError);
}

}  // namespace
}  // namespace slipstick
