/// Questions about one state: which are taken, and what their answers are.

#include "slipstick/io/ask.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "slipstick/errors.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;

std::string refuse_ask(const std::string& verb, const std::string& key, const char* model) {
  try {
    (void)check_ask({verb, key, {}, {}}, read_model(model, {}));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Ask, WrongQuestionsAreNamed) {
  EXPECT_THAT(refuse_ask("clasify", "", "sliding-block"), HasSubstr("did you mean 'classify'"));
  EXPECT_THAT(refuse_ask("simulate", "end/reason", "sliding-block"), HasSubstr("/end/reason"));
  EXPECT_THAT(refuse_ask("simulate", "/end/why", "sliding-block"),
              HasSubstr("/end, "));  // the keys there are
  EXPECT_THAT(refuse_ask("simulate", "/end", "sliding-block"), HasSubstr("an object with"));
  EXPECT_THAT(refuse_ask("gait", "", "sliding-block"), HasSubstr("table [gait]"));
  EXPECT_EQ(refuse_ask("critical-friction", "", "painleve-bar"), "accepted");
}

TEST(Ask, AValueOfADocumentIsANumberOrALabel) {
  const LoadedModel block = read_model("sliding-block", {});
  Ask ask{"simulate", "/end/reason", {}, {}};
  EXPECT_EQ(answer_ask(ask, block).label, "rest");
  ask.key = "/end/time";
  // v0/(mu g) with the model's defaults 3, 0.5 and 9.81.
  EXPECT_NEAR(answer_ask(ask, block).number, 3.0 / (0.5 * 9.81), 1e-12);
}

TEST(Ask, OtherValuesOfParametersAndRates) {
  const LoadedModel block = read_model("sliding-block", {});
  const auto find = make_asker({"simulate", "/end/time", {}, {}}, block, {"mu", "x_dot"});
  const std::array<double, 2> at{0.25, 1.0};
  EXPECT_NEAR(find(at).number, 1.0 / (0.25 * 9.81), 1e-12);
}

TEST(Ask, AModelThatIsRefusedSaysWhy) {
  const LoadedModel block = read_model("sliding-block", {});
  const auto find = make_asker({"simulate", "", {}, {}}, block, {"mu"});
  const double negative = -1.0;
  const Outcome out = find(std::span(&negative, 1));
  EXPECT_EQ(out.label, kRefusedLabel);
  EXPECT_THAT(out.why, HasSubstr("mu"));
}

}  // namespace
}  // namespace slipstick
