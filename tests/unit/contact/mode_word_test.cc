/// Modes of contacts as values, and their letters. Words are compared with strings of letters,
/// which sort alphabetically.

#include "slipstick/mode_word.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "slipstick/io/parse_modes.h"

namespace slipstick {
namespace {

static_assert(std::is_trivially_copyable_v<ModeWord>);
static_assert(sizeof(ModeWord) <= 24);

/// Every word of up to three letters, and random ones of up to 64.
std::vector<std::string> list_texts() {
  std::vector<std::string> out{""};
  for (std::size_t i = 0; out[i].size() < 3; ++i) {
    for (const char letter : {'F', 'S', 'P', 'N'}) out.push_back(out[i] + letter);
  }
  std::mt19937 random(1);
  const std::string start(30, 'S');  // long words differ late, too
  for (int i = 0; i < 200; ++i) {
    std::string text = i % 2 == 0 ? start : "";
    const std::size_t size = text.size() + random() % (ModeWord::kMost + 1 - text.size());
    while (text.size() < size) text += "FSPN"[random() % 4];
    out.push_back(text);
  }
  return out;
}

TEST(ModeWord, ComparesAsItsLettersDo) {
  const std::vector<std::string> texts = list_texts();
  for (const std::string& a : texts) {
    for (const std::string& b : texts) {
      const ModeWord x = *parse_modes(a);
      const ModeWord y = *parse_modes(b);
      EXPECT_EQ(x == y, a == b) << a << " " << b;
      EXPECT_EQ(x < y, a < b) << a << " " << b;
    }
  }
}

TEST(ModeWord, IsItsLettersAgain) {
  for (const std::string& text : list_texts()) EXPECT_EQ(to_letters(*parse_modes(text)), text);
}

TEST(ModeWord, SetsOneOf64Contacts) {
  for (std::size_t i = 0; i < ModeWord::kMost; ++i) {
    for (const char letter : {'F', 'S', 'P', 'N'}) {
      std::string text(ModeWord::kMost, 'P');
      ModeWord word = *parse_modes(text);
      text[i] = letter;
      word.set(i, parse_modes(std::string(1, letter)).value()[0]);
      EXPECT_EQ(to_letters(word), text);
    }
  }
}

TEST(ModeWord, StartsFree) {
  EXPECT_EQ(to_letters(ModeWord(3)), "FFF");
  EXPECT_EQ(ModeWord().size(), 0U);
}

/// A precondition, in every build.
TEST(ModeWord, RefusesContactsItDoesNotHave) {
  ModeWord word(2);
  EXPECT_THROW((void)word[2], std::out_of_range);
  EXPECT_THROW(word.set(2, ContactMode::kStick), std::out_of_range);
  EXPECT_THROW(ModeWord(ModeWord::kMost + 1), std::length_error);
}

TEST(ModeWord, ClosesTheSameContactsWhateverTheyDo) {
  EXPECT_TRUE(closes_same(*parse_modes("FSP"), *parse_modes("FNN")));
  EXPECT_FALSE(closes_same(*parse_modes("FSP"), *parse_modes("SFP")));
  EXPECT_FALSE(closes_same(*parse_modes("FS"), *parse_modes("FSF")));
}

/// By their definitions.
TEST(ContactMode, TellsWhatAContactDoes) {
  struct Row {
    ContactMode mode;
    bool is_closed, is_sliding;
    int slip_sign;
  };
  for (const Row& row :
       {Row{ContactMode::kFree, false, false, 0}, Row{ContactMode::kStick, true, false, 0},
        Row{ContactMode::kSlipPlus, true, true, 1}, Row{ContactMode::kSlipMinus, true, true, -1}}) {
    EXPECT_EQ(is_closed(row.mode), row.is_closed);
    EXPECT_EQ(is_sliding(row.mode), row.is_sliding);
    EXPECT_EQ(eval_slip_sign(row.mode), row.slip_sign);
    if (!row.is_closed) continue;
    EXPECT_EQ(make_slip_mode(0.3 * row.slip_sign), row.mode);
  }
  EXPECT_EQ(make_slip_mode(-0.0), ContactMode::kStick);
}

TEST(ParseModes, RefusesWhatIsNoWord) {
  EXPECT_EQ(parse_modes("FX"), std::nullopt);
  EXPECT_EQ(parse_modes("fs"), std::nullopt);
  EXPECT_EQ(parse_modes(std::string(ModeWord::kMost + 1, 'F')), std::nullopt);
}

}  // namespace
}  // namespace slipstick
