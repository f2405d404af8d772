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

const std::array<Family, 9>& families() {
  static const std::array<Family, 9> kFamilies{{
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
      {"two-link-rail",
       0.6,
       {{"theta1", 0.3, 0.64},
        {"mu", 0.3, 1.0},
        {"e", 0.0, 0.8},
        {"rail_speed", -1.0, -0.05},
        {"alpha0", 0.0, 0.5}}},
      {"klein-bar",
       1.0,
       {{"theta", 0.3, 1.5},
        {"mu", 0.3, 3.0},
        {"force", -2.0, 2.0},
        {"arm", -0.5, 0.5},
        {"torque", -1.0, 1.0},
        {"x_dot", -2.0, 2.0}}},
      {"two-contact-body",
       1.0,
       {{"x_dot", -1.0, 1.0},
        {"theta_dot", -1.0, 1.0},
        {"alpha", 0.0, 0.6},
        {"mu1", 0.1, 1.0},
        {"mu2", 0.1, 1.5},
        {"torque", -1.0, 1.0}}},
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
  SimulationOptions& options = out.options;
  options.tolerance = std::pow(10.0, -4.0 - static_cast<double>(random() % 10));
  options.on_jam = static_cast<OnJam>(random() % 2);                      // impact, lift-off
  options.on_indeterminate = static_cast<OnIndeterminate>(random() % 3);  // lift-off, slip, impact
  const auto law = random() % (2 * kImpactLaws.size());
  if (law < kImpactLaws.size()) options.law = static_cast<ImpactLaw>(law);
  options.keep_trajectory = false;
  options.max_events = 300;
  return out;
}

std::string describe(const Case& in) {
  const SimulationOptions& options = in.options;
  std::string out =
      fmt::format("{} --until {} --tol {:g} --on-jam {} --on-indeterminate {}", in.model, in.until,
                  options.tolerance, find_word(kOnJam, options.on_jam),
                  find_word(kOnIndeterminate, options.on_indeterminate));
  if (options.law) out += fmt::format(" --law {}", find_word(kImpactLaws, *options.law));
  for (const auto& [name, value] : in.overrides) out += fmt::format(" --set {}={}", name, value);
  return out;
}

}  // namespace slipstick::testkit
