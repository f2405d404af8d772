/// Every scale of core/scales.h, moved by a factor of ten both ways, leaves the golden runs as they
/// are: the same events in the same order and the same ends, times and states to kLimit. What
/// changes all the same is listed in kExpected, and told beside the scale.

#include "slipstick/core/scales.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "golden/golden_runs.h"

namespace slipstick {
namespace {

/// Of 1 s, 1 m, 1 rad and their rates, or of larger values: what metamorphic tests allow, too.
constexpr double kLimit = 1e-8;

struct Change {
  std::string scale;
  double factor;
  std::string model;

  bool operator==(const Change&) const = default;
};

void PrintTo(const Change& change, std::ostream* out) {
  *out << fmt::format("{} times {}: {}", change.scale, change.factor, change.model);
}

/// A change that is gone has to go here, too.
const std::vector<Change> kExpected{};

bool is_near(double a, double b) {
  return std::abs(a - b) <= kLimit * std::max({1.0, std::abs(a), std::abs(b)});
}

bool is_near(const State& a, const State& b) {
  bool out = is_near(a.time, b.time) && a.q.size() == b.q.size();
  for (Eigen::Index i = 0; out && i < a.q.size(); ++i) {
    out = is_near(a.q[i], b.q[i]) && is_near(a.v[i], b.v[i]);
  }
  return out;
}

bool is_near(const Event& a, const Event& b) {
  return a.type == b.type && a.contacts == b.contacts && a.modes_before == b.modes_before &&
         a.modes_after == b.modes_after && a.alternatives == b.alternatives &&
         is_near(a.time, b.time) && is_near(a.before, b.before) && is_near(a.after, b.after);
}

/// Says where two runs differ first; nothing if they do not.
std::string find_difference(const Run& usual, const Run& moved) {
  const std::size_t count = std::min(usual.events.size(), moved.events.size());
  for (std::size_t i = 0; i < count; ++i) {
    const Event& a = usual.events[i];
    const Event& b = moved.events[i];
    if (is_near(a, b)) continue;
    return fmt::format("event {}: {} at {:.12g} s was {} at {:.12g} s", i + 1,
                       find_word(kEventTypes, b.type), b.time, find_word(kEventTypes, a.type),
                       a.time);
  }
  if (usual.events.size() != moved.events.size()) {
    return fmt::format("{} events were {}", moved.events.size(), usual.events.size());
  }
  if (usual.end.reason != moved.end.reason || !is_near(usual.end.time, moved.end.time)) {
    return fmt::format("end {} at {:.12g} s was {} at {:.12g} s",
                       find_word(kEndReasons, moved.end.reason), moved.end.time,
                       find_word(kEndReasons, usual.end.reason), usual.end.time);
  }
  return is_near(usual.state, moved.state) ? "" : "the last state";
}

/// With the model read again, for it was made with the scales.
Run simulate_again(const BuiltinModel& builtin) {
  int steps = 0;
  constexpr int kMostSteps = 100000;  // a hundred times what the longest golden run takes
  return simulate_builtin(read(builtin), [&](double) { return ++steps < kMostSteps; }).runs[0].run;
}

std::string find_difference(const Run& usual, const BuiltinModel& builtin) {
  try {
    return find_difference(usual, simulate_again(builtin));
  } catch (const std::exception& error) {
    return error.what();
  }
}

class Scales : public testing::Test {
 protected:
  Scales() {
    for (const BuiltinModel& builtin : builtin_models()) {
      usual_.emplace(builtin.name, simulate_again(builtin));
    }
  }

  /// What changes where one scale after the other is multiplied by a factor and divided by it.
  [[nodiscard]] std::vector<Change> list_changes(double by) const {
    std::vector<Change> out;
    for (const MovableScale& scale : movable_scales()) {
      const double value = *scale.value;
      for (const double factor : {1.0 / by, by}) {
        *scale.value = factor * value;
        for (const BuiltinModel& builtin : builtin_models()) {
          const std::string name(builtin.name);
          const std::string difference = find_difference(usual_.at(name), builtin);
          if (difference.empty()) continue;
          out.push_back({std::string(scale.name), factor, name});
          fmt::print("{} times {}: {}: {}\n", scale.name, factor, name, difference);
          std::fflush(stdout);  // the next run may not end
        }
      }
      *scale.value = value;
    }
    return out;
  }

 private:
  std::map<std::string, slipstick::Run> usual_;
};

TEST_F(Scales, MovedByTenChangeNothing) {
  EXPECT_THAT(list_changes(10.0), testing::ElementsAreArray(kExpected));
}

/// Else the test above would move what the library does not read.
TEST_F(Scales, MovedFarChangeRuns) {
  const char* far = std::getenv("SLIPSTICK_SCALES_FACTOR");
  EXPECT_THAT(list_changes(far == nullptr ? 1e5 : std::stod(far)),
              testing::Not(testing::IsEmpty()));
}

}  // namespace
}  // namespace slipstick
