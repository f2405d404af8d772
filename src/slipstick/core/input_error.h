#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace slipstick {

/// Bad model file, argument or result file. The message is one sentence: where, what was expected,
/// what was found.
class InputError : public std::runtime_error {
 public:
  /// `where` names a file with line and key, or an option of the command line.
  InputError(const std::string& where, const std::string& sentence)
      : std::runtime_error(where.empty() ? sentence : where + ": " + sentence) {}
};

}  // namespace slipstick
