#pragma once

/// Runs the program as a user does, each test in a directory of its own.

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace slipstick::testkit {

struct CliResult {
  int exit_code = 0;  ///< minus the signal's number if one ended the program
  std::string out, err;
};

/// Runs `program ARGS` in `directory`.
[[nodiscard]] CliResult run_program(const std::string& program,
                                    const std::vector<std::string>& args,
                                    const std::filesystem::path& directory);

using Json = nlohmann::ordered_json;

/// In one place, because nlohmann's parser takes long to compile.
[[nodiscard]] Json parse_json(const std::string& text);

[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// The built-in models of the project's interface, sorted.
[[nodiscard]] std::vector<std::string> builtin_names();

/// A fixture with an empty working directory, gone afterwards.
class CliTest : public ::testing::Test {
 public:
  CliTest();
  ~CliTest() override;
  CliTest(const CliTest&) = delete;
  CliTest& operator=(const CliTest&) = delete;

 protected:
  /// Runs `slipstick ARGS`.
  [[nodiscard]] CliResult run(const std::vector<std::string>& args) const;
  /// Runs `slipstick ARGS`, expects exit 0 and nothing on standard error, and gives the output.
  [[nodiscard]] std::string answer(const std::vector<std::string>& args) const;
  /// Runs `slipstick ARGS`, expects exit 2, one sentence, and no output; gives the sentence.
  [[nodiscard]] std::string refuse(const std::vector<std::string>& args) const;

  [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }
  void write(const std::string& file, const std::string& text) const;
  /// Paths of everything in the working directory, relative to it, sorted.
  [[nodiscard]] std::vector<std::string> list_files() const;

 private:
  std::filesystem::path directory_;
};

}  // namespace slipstick::testkit
