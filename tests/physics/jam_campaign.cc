#include "physics/jam_campaign.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <random>

namespace slipstick::testkit {
namespace {

struct Range {
  const char* name;
  double low, high;
};

struct Family {
  const char* model;
  double until;
  std::vector<Range> ranges;
};

const std::array<Family, 6>& families() {
  static const std::array<Family, 6> kFamilies{{
      {"rimless-wheel",
       1.0,
       {{"theta", -0.314, 0.1},
        {"theta_dot", -0.2, 0.9},
        {"x_dot", -1.0, 2.0},
        {"mu", 0.25, 0.7},
        {"alpha", 0.0, 0.4},
        {"e", 0.0, 0.6}}},
      {"painleve-bar",
       3.0,
       {{"theta", 0.3, 1.5}, {"theta_dot", -2.0, 2.0}, {"slip", -9.0, 9.0}, {"mu", 0.5, 1.5}}},
      {"sliding-rod", 1.0, {{"theta", -1.2, 1.2}, {"slip", -10.0, 100.0}, {"mu", 0.3, 1.5}}},
      {"jamming-chain",
       0.5,
       {{"theta", -0.8, 0.8}, {"x_dot", -1.0, 3.0}, {"theta_dot", -3.0, 3.0}, {"mu", 0.4, 1.2}}},
      {"jamming-chain-level",
       0.5,
       {{"theta", -0.8, 0.8}, {"x_dot", -1.0, 3.0}, {"theta_dot", -3.0, 3.0}, {"mu", 0.4, 1.2}}},
      {"compass-biped",
       1.0,
       {{"theta1", -0.4, 0.3},
        {"theta1_dot", -1.0, 2.0},
        {"theta2_dot", -2.0, 2.0},
        {"x_dot", -3.0, 6.0},
        {"mu", 0.3, 1.5}}},
  }};
  return kFamilies;
}

}  // namespace

Case make_random_jam(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Family& family = families()[random() % families().size()];
  Case out{family.model, {}, family.until, {}};
  for (const Range& range : family.ranges) {
    const double part = std::ldexp(static_cast<double>(random() >> 11U), -53);
    const double value = range.low + part * (range.high - range.low);
    out.overrides.push_back({range.name, fmt::format("{}", value)});
  }
  out.options.tolerance = std::pow(10.0, -4.0 - static_cast<double>(random() % 10));
  out.options.keep_trajectory = false;
  out.options.max_events = 200;
  return out;
}

std::string describe(const Case& in) {
  std::string out =
      fmt::format("{} --until {} --tol {:g}", in.model, in.until, in.options.tolerance);
  for (const auto& [name, value] : in.overrides) out += fmt::format(" --set {}={}", name, value);
  return out;
}

}  // namespace slipstick::testkit
