/// A motion is cut, written, read and continued.

#include "slipstick/io/json/hybrid_state_json.h"

#include <gtest/gtest.h>

#include "slipstick/errors.h"
#include "slipstick/model_file.h"
#include "slipstick/sim/hybrid/go_on.h"

namespace slipstick {
namespace {

struct Cut {
  const char* model;
  std::vector<Override> overrides;
  double at, until;  // [s]
};

/// Sliding, between the bounces of an accumulation, on a belt, two steps into a gait, sliding
/// toward a jam.
std::vector<Cut> list_cuts() {
  return {
      {"sliding-block", {}, 0.2, 1.0},
      {"bouncing-ball", {}, 3.0, 5.0},
      {"two-link-rail", {}, 0.3, 0.6},
      {"compass-biped", {}, 1.6, 4.0},
      {"rimless-wheel", {{"theta", "-0.3"}, {"theta_dot", "0.643"}, {"x_dot", "0.5"}}, 0.03, 1}};
}

HybridState write_and_read(const Model& model, const HybridState& at) {
  return parse_hybrid_state(model, "text", Json::parse(print(make_hybrid_state_json(at))));
}

void expect_same(const slipstick::Run& a, const slipstick::Run& b) {
  EXPECT_EQ(a.end.reason, b.end.reason);
  EXPECT_EQ(a.end.time, b.end.time);
  EXPECT_TRUE(a.state == b.state);
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    EXPECT_EQ(a.events[i].time, b.events[i].time);
    EXPECT_EQ(a.events[i].modes_after, b.events[i].modes_after);
    EXPECT_TRUE(a.events[i].after == b.events[i].after);
  }
}

TEST(HybridStateJson, IsReadAsItWasWritten) {
  for (const Cut& cut : list_cuts()) {
    const LoadedModel loaded = read_model(cut.model, cut.overrides);
    SimulationOptions options;
    options.until = cut.at;
    HybridState at = make_start(*loaded.model, loaded.initial, make_laws(options));
    EXPECT_TRUE(write_and_read(*loaded.model, at) == at) << cut.model;
    (void)simulate(*loaded.model, at, options);
    EXPECT_EQ(at.state.time, cut.at) << cut.model;
    EXPECT_TRUE(write_and_read(*loaded.model, at) == at) << cut.model;
  }
}

/// To the last bit the same as without text in between; and up to the steps' errors the same as a
/// run that was not cut.
TEST(HybridStateJson, GoesOnAsIfItHadNotBeen) {
  for (const Cut& cut : list_cuts()) {
    SCOPED_TRACE(cut.model);
    const LoadedModel loaded = read_model(cut.model, cut.overrides);
    SimulationOptions options;
    options.until = cut.at;
    HybridState at = make_start(*loaded.model, loaded.initial, make_laws(options));
    const slipstick::Run first = simulate(*loaded.model, at, options);
    options.until = cut.until;
    HybridState read = write_and_read(*loaded.model, at);
    const slipstick::Run second = simulate(*loaded.model, at, options);
    expect_same(second, simulate(*loaded.model, read, options));
    EXPECT_TRUE(at == read);

    const slipstick::Run whole = simulate(*loaded.model, loaded.initial, options);
    EXPECT_EQ(first.events.size() + second.events.size(), whole.events.size());
    EXPECT_EQ(whole.end.reason, second.end.reason);
    EXPECT_NEAR(whole.end.time, second.end.time, 1e-9 * cut.until);
    EXPECT_LE((whole.state.q - second.state.q).cwiseAbs().maxCoeff(), 1e-8);
  }
}

TEST(HybridStateJson, RefusesOtherDocuments) {
  const LoadedModel ball = read_model("bouncing-ball", {});
  const LoadedModel block = read_model("sliding-block", {});
  const Json json = make_hybrid_state_json(make_start(*ball.model, ball.initial, make_laws({})));
  EXPECT_THROW((void)parse_hybrid_state(*block.model, "text", json), InputError);
  EXPECT_THROW((void)parse_hybrid_state(*ball.model, "text", Json::object()), InputError);
  Json other = json;
  other["opening"] = std::vector<int>(100, 0);
  EXPECT_THROW((void)parse_hybrid_state(*ball.model, "text", other), InputError);
  other = json;
  other["pending"]["kind"] = 9;
  EXPECT_THROW((void)parse_hybrid_state(*ball.model, "text", other), InputError);
  other = json;
  other["state"]["q"]["rows"] = 5;
  EXPECT_THROW((void)parse_hybrid_state(*ball.model, "text", other), InputError);
}

}  // namespace
}  // namespace slipstick
