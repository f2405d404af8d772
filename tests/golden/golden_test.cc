/// What happens in every built-in model, kept in files beside this one. After a change that is
/// meant to change it: SLIPSTICK_UPDATE_GOLDEN=1 build/dev/tests/golden_tests, then look at the
/// difference.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "golden/golden_runs.h"
#include "slipstick/io/model/builtin_models.h"
#include "slipstick/io/run_text.h"
#include "slipstick/mode_letters.h"
#include "slipstick/model/model.h"
#include "slipstick/simulate.h"

namespace slipstick {
namespace {

std::string describe(const Model& model, const Run& run) {
  std::string out;
  for (const Event& event : run.events) {
    out += fmt::format("{:.9g} {} {} -> {}", event.time, find_word(kEventTypes, event.type),
                       to_letters(event.modes_before), to_letters(event.modes_after));
    if (event.impact) out += fmt::format(" impulse {:.7g}", event.impact->impulse_n.sum());
    if (event.exponent) out += fmt::format(" exponent {:.7g}", *event.exponent);
    for (const std::string& other : event.alternatives) out += " | " + other;
    out += "\n";
  }
  out += fmt::format("end {} {:.9g}\n", find_word(kEndReasons, run.end.reason), run.end.time);
  for (int i = 0; i < model.size(); ++i) {
    constexpr double kDigits = 1e7;
    const double rounded = std::round(kDigits * run.state.q[i]) / kDigits + 0.0;  // no -0
    out += fmt::format("{} {:.7f}\n", model.coordinates[static_cast<std::size_t>(i)], rounded);
  }
  return out;
}

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = SLIPSTICK_SOURCE_DIR "/tests/golden/" + name + ".txt";
  if (std::getenv("SLIPSTICK_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ifstream file(path);
  EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(file), {})) << path;
}

TEST(Golden, EventsOfEveryBuiltinModel) {
  for (const BuiltinModel& builtin : builtin_models()) {
    const LoadedModel loaded = read(builtin);
    expect_golden(std::string(builtin.name),
                  describe(*loaded.model, simulate_builtin(loaded).runs[0].run));
  }
}

/// FNV-1a of every digit of every run.
std::uint64_t hash_runs() {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const BuiltinModel& builtin : builtin_models()) {
    const LoadedModel loaded = read(builtin);
    const RunTree tree = simulate_builtin(loaded);
    for (const char byte :
         print(make_run_json(loaded, tree)) + make_trajectory_csv(loaded, tree, {{}, true})) {
      hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
    }
  }
  return hash;
}

/// The same each time; ./test compares the file with that of the sanitizers' build, by another
/// compiler: no operation is contracted or reordered. (The C library's elementary functions may
/// differ between processors, so the number itself is not kept.)
TEST(Golden, BitsOfEveryBuiltinModel) {
  const std::uint64_t hash = hash_runs();
  EXPECT_EQ(hash, hash_runs());
  std::ofstream(SLIPSTICK_TESTS_DIR "/golden_bits.txt") << fmt::format("{:016x}\n", hash);
}

}  // namespace
}  // namespace slipstick
