/// Suggestions for misspelt names: edit distances counted by hand, and random misspellings.

#include "slipstick/core/nearest_name.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace slipstick {
namespace {

const std::vector<std::string>& model_names() {
  static const std::vector<std::string> kNames{"sliding-rod", "sliding-block", "klein-bar",
                                               "painleve-bar", "rimless-wheel"};
  return kNames;
}

TEST(NearestName, finds_a_name_one_or_two_edits_away) {
  EXPECT_EQ(find_nearest_name("klein-bat", model_names()), "klein-bar");        // replaced
  EXPECT_EQ(find_nearest_name("klen-bar", model_names()), "klein-bar");         // left out
  EXPECT_EQ(find_nearest_name("klein--bar", model_names()), "klein-bar");       // doubled
  EXPECT_EQ(find_nearest_name("rimles-whel", model_names()), "rimless-wheel");  // two left out
  EXPECT_EQ(find_nearest_name("klien-bar", model_names()), "klein-bar");  // swapped: two edits
}

TEST(NearestName, prefers_the_smaller_distance_and_then_the_first) {
  const std::vector<std::string> names{"theta1", "theta2", "theta"};
  EXPECT_EQ(find_nearest_name("theta2", names), "theta2");  // distance 0 beats 1
  EXPECT_EQ(find_nearest_name("theta3", names), "theta1");  // all at distance 1
  EXPECT_EQ(find_nearest_name("thet", names), "theta");     // 1 against 2
}

// A third of the letters may be wrong, at least one: of "xyz" one, of "abcdef" two.
TEST(NearestName, is_silent_about_other_words) {
  const std::vector<std::string> names{"mass", "length"};
  EXPECT_EQ(find_nearest_name("gravity", names), "");
  EXPECT_EQ(find_nearest_name("mu", names), "");            // "mass" is three edits away
  EXPECT_EQ(find_nearest_name("lenxxh", names), "length");  // two of six
  EXPECT_EQ(find_nearest_name("lxxxth", names), "");        // three of six
  EXPECT_EQ(find_nearest_name("length", std::vector<std::string>{}), "");
}

TEST(NearestName, short_names_may_have_one_letter_wrong) {
  const std::vector<std::string> names{"m", "rho"};
  EXPECT_EQ(find_nearest_name("n", names), "m");
  EXPECT_EQ(find_nearest_name("rhp", names), "rho");
  EXPECT_EQ(find_nearest_name("rpp", names), "");
}

TEST(NearestName, ends_a_sentence) {
  EXPECT_EQ(make_suggestion("klein-ber", model_names()), "; did you mean 'klein-bar'?");
  EXPECT_EQ(make_suggestion("pendulum", model_names()), "");
}

/// Any one letter of a known name replaced by one that occurs in none of them.
RC_GTEST_PROP(NearestName, finds_every_name_with_one_wrong_letter, ()) {
  const std::string name = *rc::gen::elementOf(model_names());
  std::string typo = name;
  typo.at(*rc::gen::inRange<std::size_t>(0, name.size())) = '#';
  RC_ASSERT(find_nearest_name(typo, model_names()) == name);
  RC_ASSERT(make_suggestion(typo, model_names()) == "; did you mean '" + name + "'?");
}

}  // namespace
}  // namespace slipstick
