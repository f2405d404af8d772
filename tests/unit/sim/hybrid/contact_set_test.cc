/// Contacts that close, open and change their names. Expected values are the definitions.

#include "slipstick/sim/hybrid/contact_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipstick/mode_letters.h"
#include "slipstick/model/model.h"
#include "slipstick/model_file.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int kStance = 0;
constexpr int kNext = 1;
constexpr int kPrevious = 2;

/// Of the rimless wheel, whose contacts have these numbers.
ContactSet make_open_wheel() { return ContactSet(3); }
const Model& wheel() {
  static const LoadedModel loaded = read_model("rimless-wheel", {});
  return *loaded.model;
}

TEST(ContactSet, KeepsTheOrderOfTheModel) {
  ContactSet set = make_open_wheel();
  EXPECT_THAT(set.list(), IsEmpty());
  set.close(wheel(), kPrevious, -0.2);
  set.close(wheel(), kStance, 0.0);
  EXPECT_THAT(set.list(), ElementsAre(kStance, kPrevious));
  EXPECT_EQ(to_letters(set.make_word()), "SFN");
  EXPECT_EQ(set.find(kNext), nullptr);
  ASSERT_NE(set.find(kPrevious), nullptr);
  EXPECT_EQ(set.find(kPrevious)->mu, 0.35);  // the parameter mu of the model
}

TEST(ContactSet, ClosingAgainSetsTheSlip) {
  ContactSet set = make_open_wheel();
  set.close(wheel(), kStance, -0.2);
  set.close(wheel(), kStance, 1e-300);
  EXPECT_THAT(set.list(), ElementsAre(kStance));
  EXPECT_EQ(to_letters(set.make_word()), "PFF");
}

TEST(ContactSet, KnowsHowContactsLeave) {
  ContactSet set = make_open_wheel();
  set.close(wheel(), kStance, 0.0);
  set.open(kStance, 2);
  EXPECT_THAT(set.list(), IsEmpty());
  EXPECT_THAT(set.leaving(), ElementsAre(2, 0, 0));
  set.close(wheel(), kStance, 0.0);
  EXPECT_EQ(set.leaving(kStance), 0);
  set.open(kNext, 1);
  set.forget_leaving();
  EXPECT_THAT(set.leaving(), ElementsAre(0, 0, 0));
}

/// The wheel rolls on: next becomes stance, stance becomes previous, previous has no new name.
/// Rolling back undoes it.
TEST(ContactSet, TakesNewNames) {
  ContactSet set = make_open_wheel();
  set.close(wheel(), kNext, 0.3);
  set.close(wheel(), kPrevious, 0.0);
  set.open(kStance, 1);
  set.relabel(wheel(), wheel().relabels.at(0));
  EXPECT_EQ(to_letters(set.make_word()), "PFF");
  EXPECT_THAT(set.leaving(), ElementsAre(0, 0, 1));
  set.relabel(wheel(), wheel().relabels.at(1));
  EXPECT_EQ(to_letters(set.make_word()), "FPF");
  EXPECT_THAT(set.leaving(), ElementsAre(1, 0, 0));
}

}  // namespace
}  // namespace slipstick
