/// The file of an interrupted job: it goes on, and refuses what is not its own.

#include "slipstick/io/outcome_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "slipstick/errors.h"
#include "slipstick/io/text_file.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;

class JournalTest : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = (std::filesystem::path(::testing::TempDir()) /
             ::testing::UnitTest::GetInstance()->current_test_info()->name())
                .string() +
            ".journal";
    std::filesystem::remove(path_);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  /// Asks for x at each of these places, and counts how often it was computed.
  int ask(OutcomeJournal& journal, const std::vector<double>& places) {
    int computed = 0;
    const auto find = journal.keep([&](std::span<const double> at) {
      ++computed;
      Outcome out;
      out.label = at[0] < 0.0 ? "below" : "above, \"quoted\"";
      out.number = at[0];
      out.margins = {std::numeric_limits<double>::quiet_NaN(), at[0]};
      out.tolerance = 1e-9;
      return out;
    });
    for (const double place : places) last_ = find(std::span(&place, 1));
    journal.flush();
    return computed;
  }
  [[nodiscard]] std::string refuse_resume(const Json& question) const {
    try {
      const OutcomeJournal journal(path_, question, true);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  std::string path_;
  Outcome last_;
  Json question_{{"of", "simulate"}, {"over", {"x=0:1"}}};
};

TEST_F(JournalTest, WhatWasFoundIsNotComputedAgain) {
  {
    OutcomeJournal journal(path_, question_, false);
    EXPECT_EQ(ask(journal, {0.1, -0.3}), 2);
  }
  OutcomeJournal journal(path_, question_, true);
  EXPECT_EQ(journal.count(), 2U);
  EXPECT_EQ(ask(journal, {0.1, 0.7, -0.3}), 1);
  EXPECT_EQ(last_.label, "below");
  EXPECT_EQ(last_.number, -0.3);
  ASSERT_EQ(last_.margins.size(), 2U);
  EXPECT_TRUE(std::isnan(last_.margins[0]));
  EXPECT_EQ(last_.margins[1], -0.3);
  EXPECT_EQ(last_.tolerance, 1e-9);
}

TEST_F(JournalTest, ALineThatWasNotFinishedIsDropped) {
  {
    OutcomeJournal journal(path_, question_, false);
    EXPECT_EQ(ask(journal, {0.1, 0.2}), 2);
  }
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 5);
  OutcomeJournal journal(path_, question_, true);
  EXPECT_EQ(journal.count(), 1U);
  EXPECT_EQ(ask(journal, {0.1, 0.2}), 1);
}

TEST_F(JournalTest, AnotherQuestionIsRefusedWithTheDifference) {
  OutcomeJournal(path_, question_, false).flush();
  Json other = question_;
  other["of"] = "classify";
  EXPECT_THAT(refuse_resume(other), HasSubstr("of was \"simulate\", is \"classify\""));
}

TEST_F(JournalTest, NothingToGoOnWith) {
  EXPECT_THAT(refuse_resume(question_), HasSubstr("expected an interrupted job"));
}

TEST_F(JournalTest, ADamagedLineIsNamed) {
  {
    OutcomeJournal journal(path_, question_, false);
    EXPECT_EQ(ask(journal, {0.1}), 1);
  }
  std::ofstream(path_, std::ios::app) << "[1, 2]\n";
  EXPECT_THAT(refuse_resume(question_), HasSubstr(":3: expected an outcome"));
}

TEST_F(JournalTest, TwoJobsDoNotShareAFile) {
  OutcomeJournal journal(path_, question_, false);
  journal.flush();
  EXPECT_THAT(refuse_resume(question_), HasSubstr("another process works on"));
}

TEST_F(JournalTest, AJobThatIsDoneLeavesNothing) {
  OutcomeJournal journal(path_, question_, false);
  EXPECT_FALSE(std::filesystem::exists(path_)) << "a short job needs none";
  journal.flush();
  EXPECT_TRUE(std::filesystem::exists(path_));
  journal.remove();
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace slipstick
