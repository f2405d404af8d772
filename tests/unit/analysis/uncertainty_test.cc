/// Shares of outcomes: closed forms, no bias, honest errors, and quantiles far out.

#include "slipstick/uncertainty.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace slipstick {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Outcome make_outcome(bool yes, double number = kNone) {
  return {yes ? "yes" : "no", number, {}, {}};
}

double find_share(const OutcomeShares& found, const std::string& label) {
  for (const OutcomeShare& share : found.shares) {
    if (share.label == label) return share.share;
  }
  return 0.0;
}

/// P(X > x) of the standard normal distribution.
double eval_tail(double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); }

Distribution make_normal(double mean, double deviation) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {DistributionKind::kNormal, -kInfinity, kInfinity, mean, deviation};
}

Distribution make_truncated(double mean, double deviation, double low, double high) {
  return {DistributionKind::kTruncated, low, high, mean, deviation};
}

/// A question with a share that is known.
struct Known {
  const char* name;
  UncertainQuestion question;
  double share;
};

std::vector<Known> list_known() {
  std::vector<Known> out(4);
  out[0] = {"uniform", {}, 0.37};
  out[0].question.values = {make_uniform(-1.0, 1.0)};
  out[0].question.find = [](auto at) { return make_outcome(at[0] < 2.0 * 0.37 - 1.0); };
  out[1] = {"normal tail", {}, eval_tail(1.5)};
  out[1].question.values = {make_normal(3.0, 0.2)};
  out[1].question.find = [](auto at) { return make_outcome(at[0] > 3.3); };
  out[2] = {"triangle below u + v = 1/2", {}, 0.125};
  out[2].question.values = {make_uniform(0.0, 1.0), make_uniform(0.0, 1.0)};
  out[2].question.find = [](auto at) { return make_outcome(at[0] + at[1] < 0.5); };
  out[3] = {"sum of three normal values", {}, eval_tail(1.0)};
  out[3].question.values = {make_normal(0.0, 1.0), make_normal(0.0, 1.0), make_normal(0.0, 1.0)};
  out[3].question.find = [](auto at) {
    return make_outcome(at[0] + at[1] + at[2] > std::sqrt(3.0));
  };
  return out;
}

/// Over many seeds the mean of the shares is the true one, and the deviations from it are as large
/// as the errors say. Of 16 replicates the ratio has Student's distribution with 15 degrees of
/// freedom, whose deviation is sqrt(15/13) = 1.07; where replicates agree the error is one draw,
/// which is more than the deviation.
TEST(Shares, NoBiasAndHonestErrors) {
  for (const Known& known : list_known()) {
    UncertainQuestion question = known.question;
    question.draws = 480;  // thirty points a replicate: not a power of two
    constexpr int kSeeds = 300;
    double sum = 0.0;
    double squares = 0.0;
    double ratios = 0.0;
    for (int seed = 1; seed <= kSeeds; ++seed) {
      question.seed = static_cast<std::uint64_t>(seed);
      const OutcomeShares found = find_shares(question);
      double error = 0.0;
      for (const OutcomeShare& share : found.shares) {
        if (share.label == "yes") error = share.error;
      }
      ASSERT_GT(error, 0.0) << known.name;
      const double off = find_share(found, "yes") - known.share;
      sum += off;
      squares += off * off;
      ratios += off * off / (error * error);
    }
    const double deviation = std::sqrt(squares / kSeeds);
    EXPECT_LT(std::abs(sum / kSeeds), 4.0 * deviation / std::sqrt(kSeeds)) << known.name;
    EXPECT_GT(std::sqrt(ratios / kSeeds), 0.3) << known.name;
    EXPECT_LT(std::sqrt(ratios / kSeeds), 1.3) << known.name;
    // Better than independent draws would be.
    EXPECT_LT(deviation, 0.8 * std::sqrt(known.share * (1.0 - known.share) / 480)) << known.name;
  }
}

TEST(Shares, AddUpAndSayWhatTheyRestOn) {
  UncertainQuestion question = list_known()[0].question;
  question.draws = 100;
  const OutcomeShares found = find_shares(question);
  EXPECT_EQ(found.draws, 112);  // the next multiple of 16
  EXPECT_TRUE(found.complete);
  EXPECT_DOUBLE_EQ(find_share(found, "yes") + find_share(found, "no"), 1.0);
  EXPECT_FALSE(found.numbers.has_value());
  question.find = [](auto) { return make_outcome(true); };
  const OutcomeShares sure = find_shares(question);
  ASSERT_EQ(sure.shares.size(), 1U);
  EXPECT_EQ(sure.shares[0].share, 1.0);
  EXPECT_DOUBLE_EQ(sure.shares[0].error, 1.0 / 112.0);  // one draw: rarer outcomes may be missing
}

/// An outcome rarer than one draw is mostly not seen; what is seen is a whole number of draws.
TEST(Shares, RareOutcomesAreWholeDraws) {
  UncertainQuestion question;
  question.values = {make_uniform(0.0, 1.0)};
  question.find = [](auto at) { return make_outcome(at[0] < 1e-4); };
  question.draws = 1024;
  double mean = 0.0;
  constexpr int kSeeds = 300;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    question.seed = static_cast<std::uint64_t>(seed);
    const double share = find_share(find_shares(question), "yes");
    EXPECT_DOUBLE_EQ(share * 1024.0, std::round(share * 1024.0));
    mean += share / kSeeds;
  }
  // 307200 draws, of which 30.7 are expected: five deviations of Poisson's distribution.
  EXPECT_NEAR(mean, 1e-4, 5.0 * std::sqrt(30.7) / 307200.0);
}

TEST(Shares, NumbersOfAUniformValue) {
  UncertainQuestion question;
  question.values = {make_uniform(2.0, 5.0)};
  question.find = [](auto at) { return make_outcome(true, at[0]); };
  const OutcomeShares found = find_shares(question);
  ASSERT_TRUE(found.numbers.has_value());
  EXPECT_NEAR(found.numbers->mean, 3.5, 5.0 * found.numbers->error);
  EXPECT_LT(found.numbers->error, 0.02);
  EXPECT_NEAR(found.numbers->deviation, 3.0 / std::sqrt(12.0), 0.01);
  // A replicate of 64 even points has one in each 64th of the range.
  EXPECT_NEAR(found.numbers->low, 2.15, 3.0 / 64);
  EXPECT_NEAR(found.numbers->median, 3.5, 3.0 / 64);
  EXPECT_NEAR(found.numbers->high, 4.85, 3.0 / 64);
  EXPECT_GE(found.numbers->least, 2.0);
  EXPECT_LE(found.numbers->most, 5.0);
}

TEST(Shares, AreTheSameForAnyNumberOfThreads) {
  const UncertainQuestion question = list_known()[3].question;
  std::vector<OutcomeShares> found;
  for (const std::size_t threads : {1U, 4U}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    found.push_back(find_shares(question));
  }
  ASSERT_EQ(found[0].shares.size(), found[1].shares.size());
  for (std::size_t i = 0; i < found[0].shares.size(); ++i) {
    EXPECT_EQ(found[0].shares[i].label, found[1].shares[i].label);
    EXPECT_EQ(found[0].shares[i].share, found[1].shares[i].share);
    EXPECT_EQ(found[0].shares[i].error, found[1].shares[i].error);
  }
}

TEST(Shares, StoppedWorkHasNone) {
  UncertainQuestion question = list_known()[0].question;
  question.keep_going = [](long done) { return done < 10; };
  const OutcomeShares found = find_shares(question);
  EXPECT_FALSE(found.complete);
  EXPECT_TRUE(found.shares.empty());
}

/// Parts as close to 0 and 1 as draws come. The areas beyond the values follow from erfc.
TEST(Quantiles, FarOut) {
  const double least = std::ldexp(1.0, -53);
  const Distribution normal = make_normal(0.0, 1.0);
  EXPECT_NEAR(eval_tail(-normal.quantile(least)) / least, 1.0, 1e-12);
  EXPECT_NEAR(normal.quantile(1.0 - least) / -normal.quantile(least), 1.0, 1e-15);
  // Cut far below only: the upper tail keeps its digits.
  const Distribution lower = make_truncated(0.0, 1.0, -1.0, 40.0);
  const double kept = 1.0 - eval_tail(1.0);
  EXPECT_NEAR(eval_tail(lower.quantile(1.0 - least)) / (least * kept), 1.0, 1e-12);
  EXPECT_NEAR(lower.quantile(least), -1.0, 1e-14);
  // Both bounds in one tail: P(X > median) is the mean of those of the bounds.
  const Distribution upper = make_truncated(0.0, 1.0, 10.0, 12.0);
  EXPECT_NEAR(eval_tail(upper.quantile(0.5)) / (0.5 * (eval_tail(10.0) + eval_tail(12.0))), 1.0,
              1e-12);
  const Distribution mirrored = make_truncated(0.0, 1.0, -12.0, -10.0);
  for (const double part : {least, 0.125, 0.5, 0.75, 1.0 - least}) {
    EXPECT_NEAR(upper.quantile(part), -mirrored.quantile(1.0 - part), 1e-13);
    EXPECT_GE(upper.quantile(part), 10.0);
    EXPECT_LE(upper.quantile(part), 12.0);
  }
  // Nothing of the distribution is there: no number, and no exception.
  const Distribution nowhere = make_truncated(0.0, 1.0, 50.0, 51.0);
  EXPECT_EQ(nowhere.quantile(0.25), nowhere.quantile(0.75));
}

/// The area of a triangle below a value: (x - a)^2 / ((b - a)(m - a)) on its rising side.
TEST(Quantiles, OfTriangles) {
  const Distribution triangle{DistributionKind::kTriangular, 1.0, 5.0, 2.0, 0.0};
  EXPECT_NEAR(triangle.quantile(0.0625), 1.5, 1e-15);
  EXPECT_NEAR(triangle.quantile(0.25), 2.0, 1e-15);
  EXPECT_NEAR(triangle.quantile(1.0 - 1.0 / 12.0), 4.0, 1e-14);
  for (const double mode : {1.0, 5.0}) {
    const Distribution ramp{DistributionKind::kTriangular, 1.0, 5.0, mode, 0.0};
    EXPECT_NEAR(ramp.quantile(mode == 1.0 ? 0.75 : 0.25), 3.0, 1e-14);
  }
}

}  // namespace
}  // namespace slipstick
