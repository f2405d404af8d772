#include "slipstick/analysis/claims/claims.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace slipstick {
namespace {

PrintedClaim make_claim(const std::string& printed) {
  PrintedClaim out;
  out.printed = printed;
  return out;
}

ClaimVerdict judge_numbers(const PrintedClaim& claim, const std::vector<double>& numbers) {
  std::vector<ClaimValue> values;
  for (const double number : numbers) values.push_back({std::to_string(number), number});
  return judge_values(claim, values).verdict;
}

ClaimVerdict judge_words(const PrintedClaim& claim, const std::vector<std::string>& words) {
  std::vector<ClaimValue> values;
  for (const std::string& word : words) values.push_back({word, {}});
  return judge_values(claim, values).verdict;
}

/// Half a unit of the last digit that is printed, whatever the exponent.
TEST(ClaimJudging, PrintedNumbers) {
  EXPECT_EQ(parse_printed_number("0.25")->half_digit, 0.005);
  EXPECT_EQ(parse_printed_number("12")->half_digit, 0.5);
  EXPECT_NEAR(parse_printed_number("-1.50e-3")->half_digit, 5e-6, 1e-20);  // rounding
  EXPECT_EQ(parse_printed_number("2e3")->half_digit, 500.0);
  for (const char* text : {"", "stable", "1.5 m", "inf", "nan"}) {
    EXPECT_FALSE(parse_printed_number(text)) << text;
  }
}

TEST(ClaimJudging, ANumberAgreesIfSomeInputGivesIt) {
  const PrintedClaim claim = make_claim("0.25");
  EXPECT_EQ(judge_numbers(claim, {0.2549}), ClaimVerdict::kAgrees);
  EXPECT_EQ(judge_numbers(claim, {0.2551}), ClaimVerdict::kDiffers);
  EXPECT_EQ(judge_numbers(claim, {0.1, 0.9}), ClaimVerdict::kAgrees);   // it lies between
  EXPECT_EQ(judge_numbers(claim, {0.3, 0.9}), ClaimVerdict::kDiffers);  // it does not
  PrintedClaim wide = claim;
  wide.tolerance = 0.1;
  EXPECT_EQ(judge_numbers(wide, {0.3}), ClaimVerdict::kAgrees);
}

TEST(ClaimJudging, WordsAgreeIfEveryInputGivesThem) {
  const PrintedClaim claim = make_claim("stable");
  EXPECT_EQ(judge_words(claim, {"stable", "stable"}), ClaimVerdict::kAgrees);
  EXPECT_EQ(judge_words(claim, {"stable", "unstable"}), ClaimVerdict::kUnderDetermined);
  EXPECT_EQ(judge_words(claim, {"unstable"}), ClaimVerdict::kDiffers);
  EXPECT_EQ(judge_numbers(claim, {1.0}), ClaimVerdict::kDiffers);
}

TEST(ClaimJudging, AnErratumExplainsWhatDiffers) {
  PrintedClaim claim = make_claim("0.25");
  claim.erratum = "a sign";
  claim.why = "a remark";
  const std::vector<ClaimValue> other{{"1", 1.0}};
  EXPECT_EQ(judge_values(claim, other).verdict, ClaimVerdict::kErratum);
  EXPECT_EQ(judge_values(claim, other).why, "a sign");
  const std::vector<ClaimValue> same{{"0.25", 0.25}};
  EXPECT_EQ(judge_values(claim, same).verdict, ClaimVerdict::kAgrees);
  EXPECT_EQ(judge_values(claim, same).why, "a remark");
  claim.under_determined = true;
  EXPECT_EQ(judge_values(claim, other).verdict, ClaimVerdict::kUnderDetermined);
  EXPECT_EQ(judge_values(claim, other).why, "a remark");
}

/// The nominal values first; of two inputs with two values each there are four corners.
TEST(ClaimJudging, Combinations) {
  EXPECT_EQ(list_combinations({}), (std::vector<InputValues>{{}}));
  const std::vector<ClaimInput> inputs{{"a", 1.0, {0.5, 1.5}}, {"b", 2.0, {1.0, 3.0}}};
  EXPECT_EQ(list_combinations(inputs), (std::vector<InputValues>{{{"a", 1.0}, {"b", 2.0}},
                                                                 {{"a", 0.5}, {"b", 1.0}},
                                                                 {{"a", 0.5}, {"b", 3.0}},
                                                                 {{"a", 1.5}, {"b", 1.0}},
                                                                 {{"a", 1.5}, {"b", 3.0}}}));
}

/// Errata that name the same fault count as one error, those without a name each.
TEST(ClaimJudging, Counts) {
  std::vector<PrintedClaim> claims(4, make_claim("1"));
  claims[0].fault = claims[1].fault = "sign";
  claims[3].kind = ClaimKind::kStatement;
  const std::vector<ClaimVerdict> verdicts(4, ClaimVerdict::kErratum);
  ClaimCounts counts;
  add_counts(claims, verdicts, counts);
  const auto erratum = static_cast<std::size_t>(ClaimVerdict::kErratum);
  EXPECT_EQ(counts.claims[static_cast<std::size_t>(ClaimKind::kPrinted)][erratum], 3);
  EXPECT_EQ(counts.claims[static_cast<std::size_t>(ClaimKind::kStatement)][erratum], 1);
  EXPECT_EQ(counts.faults, 3);
}

}  // namespace
}  // namespace slipstick
