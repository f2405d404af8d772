/// Replays the inputs that tools/fuzz keeps: each is accepted, or refused with a sentence.

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>

#include "slipstick/errors.h"
#include "slipstick/io/text_file.h"
#include "slipstick/model/expression.h"
#include "slipstick/model_file.h"
#include "unit/io/fuzz_readers.h"

namespace slipstick {
namespace {

/// Calls `read` with the text of every file of a corpus: it returns, or throws a sentence.
template <class F>
void expect_accepted_or_refused(const std::string& corpus, F&& read, int least = 11) {
  const std::filesystem::path place =
      std::filesystem::path(SLIPSTICK_SOURCE_DIR) / "tests/fuzz/corpus" / corpus;
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(place)) {
    SCOPED_TRACE(entry.path().string());
    ++files;
    try {
      read(read_binary_file(entry.path().string()));
    } catch (const InputError& error) {
      EXPECT_FALSE(std::string(error.what()).empty());
    } catch (const std::exception& error) {
      ADD_FAILURE() << "expected InputError, got: " << error.what();
    }
  }
  EXPECT_GE(files, least);
}

TEST(FuzzCorpus, Models) {
  expect_accepted_or_refused(
      "model", [](const std::string& text) { (void)parse_model("fuzz.toml", text, {}); });
}

TEST(FuzzCorpus, Expressions) {
  expect_accepted_or_refused("expression", [](const std::string& text) {
    const Expression expression("fuzz", text, {"t", "theta", "theta_dot"},
                                {{"l", 0.8}, {"mu", 0.35}, {"n", 10.0}});
    (void)expression.eval(std::array{0.5, -1.3, 2.0});
  });
}

TEST(FuzzCorpus, Results) { expect_accepted_or_refused("result", fuzz::read_result, 3); }
TEST(FuzzCorpus, Claims) { expect_accepted_or_refused("claims", fuzz::read_claims, 5); }
TEST(FuzzCorpus, Events) { expect_accepted_or_refused("event", fuzz::read_event, 5); }
TEST(FuzzCorpus, Options) { expect_accepted_or_refused("options", fuzz::read_option_values, 5); }

}  // namespace
}  // namespace slipstick
