#include "slipstick/uncertainty.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/math/distributions/normal.hpp>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>

#include "slipstick/analysis/parallel_for.h"

namespace slipstick {
namespace {

/// A point's coordinate is a whole number of cells of 2^-52. With 53 bits the middle of a cell
/// would not be a double, and the last one would be rounded to 1.
constexpr int kBits = 52;

/// Points of the unit cube, [draw][value]. The same points in every replicate, with other bits
/// flipped in each: a digital shift keeps them even and makes each point uniform.
std::vector<std::vector<double>> draw_points(std::size_t values, int per_replicate,
                                             std::uint64_t seed) {
  std::mt19937_64 random(seed);
  boost::random::sobol sequence(values);
  std::vector<std::vector<std::uint64_t>> even(static_cast<std::size_t>(per_replicate));
  for (std::size_t i = 0; i < even.size(); ++i) {
    even[i].resize(values);
    if (i == 0) continue;  // the origin, which the generator leaves out
    for (std::uint64_t& bits : even[i]) bits = sequence() >> (64 - kBits);
  }
  std::vector<std::vector<double>> out;
  for (int replicate = 0; replicate < kReplicates; ++replicate) {
    std::vector<std::uint64_t> shift(values);
    for (std::uint64_t& bits : shift) bits = random() >> (64 - kBits);
    for (const auto& point : even) {
      auto& drawn = out.emplace_back(values);
      for (std::size_t k = 0; k < values; ++k) {
        // In the middle of its cell, so that it is neither 0 nor 1.
        drawn[k] = std::ldexp(static_cast<double>(point[k] ^ shift[k]) + 0.5, -kBits);
      }
    }
  }
  return out;
}

double find_mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Of independent values, around their mean.
double find_deviation(std::span<const double> values) {
  const double mean = find_mean(values);
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

double find_error_of_mean(std::span<const double> replicates) {
  return find_deviation(replicates) / std::sqrt(static_cast<double>(replicates.size()));
}

std::vector<OutcomeShare> count_shares(std::span<const Outcome> outcomes, int per_replicate) {
  std::map<std::string, std::array<long, kReplicates>> counts;
  std::map<std::string, std::string> whys;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::size_t replicate = i / static_cast<std::size_t>(per_replicate);
    ++counts[outcomes[i].label][replicate];
    std::string& why = whys[outcomes[i].label];
    if (why.empty()) why = outcomes[i].why;
  }
  std::vector<OutcomeShare> out;
  const double all = static_cast<double>(outcomes.size());
  for (const auto& [label, in_replicate] : counts) {
    std::array<double, kReplicates> shares{};
    for (std::size_t k = 0; k < shares.size(); ++k) {
      shares[k] = static_cast<double>(in_replicate[k]) / per_replicate;
    }
    const long count = std::accumulate(in_replicate.begin(), in_replicate.end(), 0L);
    out.push_back({label, static_cast<double>(count) / all,
                   std::max(find_error_of_mean(shares), 1.0 / all), whys[label]});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const OutcomeShare& a, const OutcomeShare& b) { return a.share > b.share; });
  return out;
}

std::optional<NumberSpread> find_spread(std::span<const Outcome> outcomes, int per_replicate) {
  std::vector<double> all;
  std::vector<double> means;
  std::vector<double> replicate;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (std::isfinite(outcomes[i].number)) replicate.push_back(outcomes[i].number);
    if ((i + 1) % static_cast<std::size_t>(per_replicate) != 0 || replicate.empty()) continue;
    means.push_back(find_mean(replicate));
    all.insert(all.end(), replicate.begin(), replicate.end());
    replicate.clear();
  }
  if (means.size() < 2) return std::nullopt;
  NumberSpread out;
  out.mean = find_mean(all);
  out.deviation = find_deviation(all);
  out.error = find_error_of_mean(means);
  std::sort(all.begin(), all.end());
  const auto quantile = [&](double part) {
    return all[static_cast<std::size_t>(part * static_cast<double>(all.size() - 1) + 0.5)];
  };
  constexpr double kLow = 0.05;  // the usual band of 90 %
  out.low = quantile(kLow);
  out.median = quantile(0.5);
  out.high = quantile(1.0 - kLow);
  out.least = all.front();
  out.most = all.back();
  return out;
}

double find_triangle_quantile(const Distribution& of, double part) {
  const double width = of.high - of.low;
  const double rising = of.middle - of.low;  // its part of the area is rising / width
  if (part * width < rising) return of.low + std::sqrt(part * width * rising);
  return of.high - std::sqrt((1.0 - part) * width * (of.high - of.middle));
}

/// From the areas below and above the value, the smaller of which has all digits.
double find_truncated_quantile(const Distribution& of, double part) {
  // Both bounds above the mean: mirrored, because areas near 1 have no digits of what is beyond.
  if (of.low > of.middle) {
    const Distribution mirrored{of.kind, -of.high, -of.low, -of.middle, of.deviation};
    return -find_truncated_quantile(mirrored, 1.0 - part);
  }
  const boost::math::normal normal(of.middle, of.deviation);
  const double below_low = boost::math::cdf(normal, of.low);
  const double above_high = boost::math::cdf(boost::math::complement(normal, of.high));
  const double between = of.high <= of.middle ? boost::math::cdf(normal, of.high) - below_low
                                              : 1.0 - below_low - above_high;
  if (!(between > 0.0)) return std::clamp(of.middle, of.low, of.high);  // too far from the mean
  const double below = below_low + part * between;
  const double above = above_high + (1.0 - part) * between;
  const double value = below <= above
                           ? boost::math::quantile(normal, below)
                           : boost::math::quantile(boost::math::complement(normal, above));
  return std::clamp(value, of.low, of.high);
}

}  // namespace

double Distribution::quantile(double part) const {
  switch (kind) {
    case DistributionKind::kUniform:
      return low + part * (high - low);
    case DistributionKind::kTriangular:
      return find_triangle_quantile(*this, part);
    case DistributionKind::kNormal:
      return boost::math::quantile(boost::math::normal(middle, deviation), part);
    case DistributionKind::kTruncated:
      break;
  }
  return find_truncated_quantile(*this, part);
}

Distribution make_uniform(double low, double high) {
  return {DistributionKind::kUniform, low, high, 0.5 * (low + high), 0.0};
}

OutcomeShares find_shares(const UncertainQuestion& question) {
  const int per_replicate = std::max(
      1, static_cast<int>((static_cast<long>(question.draws) + kReplicates - 1) / kReplicates));
  const auto points = draw_points(question.values.size(), per_replicate, question.seed);
  std::vector<Outcome> outcomes(points.size());
  std::atomic<long> count = 0;
  std::atomic<bool> stopped = false;
  const auto find = [&](std::size_t i) {
    if (stopped) return;
    std::vector<double> values;
    for (std::size_t k = 0; k < points[i].size(); ++k) {
      values.push_back(question.values[k].quantile(points[i][k]));
    }
    outcomes[i] = question.find(values);
    outcomes[i].margins.clear();
    const long done = ++count;
    if (question.keep_going && !question.keep_going(done)) stopped = true;
    if (outcomes[i].label.empty()) stopped = true;
  };
  parallel_for(points.size(), find);
  OutcomeShares out;
  out.draws = static_cast<int>(points.size());
  out.complete = !stopped;
  if (stopped) return out;
  out.shares = count_shares(outcomes, per_replicate);
  out.numbers = find_spread(outcomes, per_replicate);
  return out;
}

}  // namespace slipstick
