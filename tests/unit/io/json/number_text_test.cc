/// Numbers as text: what fmt prints with "{}", which is the shortest text that reads back.

#include "slipstick/io/json/number_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include "cases.h"

namespace slipstick::testkit {
namespace {

std::string print_number(double value) {
  std::string out;
  append_number(value, out);
  return out;
}

TEST(NumberText, EdgesOfTheRanges) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const double value : {0.0,
                             1.0,
                             10.0,
                             0.1,
                             0.5,
                             1e-4,
                             9.999999e-5,
                             1.5e-4,
                             1e15,
                             1e16,
                             1.2345e15,
                             123456789012345680.0,
                             9999999999999998.0,
                             1e100,
                             5e-324,
                             std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::min(),
                             100.25,
                             1e22,
                             1e23,
                             kInfinity,
                             kNan}) {
    EXPECT_EQ(print_number(value), fmt::format("{}", value));
    EXPECT_EQ(print_number(-value), fmt::format("{}", -value));
  }
}

TEST(NumberText, AnyBitsAreAsFmtPrintsThem) {
  std::mt19937_64 random(1);
  for (int i = 0; i < cases(20000); ++i) {
    const auto any = std::bit_cast<double>(static_cast<std::uint64_t>(random()));
    EXPECT_EQ(print_number(any), fmt::format("{}", any));
    const double usual = std::ldexp(any > 0.0 ? 1.0 + std::fmod(any, 1.0) : -0.75,
                                    static_cast<int>(random() % 120U) - 60);
    EXPECT_EQ(print_number(usual), fmt::format("{}", usual));
  }
}

}  // namespace
}  // namespace slipstick::testkit
