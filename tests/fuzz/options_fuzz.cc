/// Any text as a command line, an argument per line: it names what to do, or is refused with a
/// sentence. Nothing is computed.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "command_line.h"
#include "fuzz/refuses.h"
#include "unit/io/fuzz_readers.h"

namespace {

void parse_command_line(const std::string& text) {
  std::vector<std::string> words{"slipstick"};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) words.push_back(line);
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  slipstick::cli::CommandLine line;
  const auto ended = line.parse(static_cast<int>(arguments.size()), arguments.data());
  if (ended && *ended != 0 && *ended != slipstick::cli::kBadInput) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  parse_command_line(text);
  slipstick::fuzz::expect_accepted_or_refused([&] { slipstick::fuzz::read_option_values(text); });
  return 0;
}
