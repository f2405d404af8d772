#pragma once

/// Bad input: a model file, an argument or a result file that cannot be used throws InputError. "No
/// solution" and "several solutions" are answers and stand in the results; where the numerics could
/// not give one, the result says why (why.h).
///
///     try {
///       const slipstick::LoadedModel arm = slipstick::read_model("arm.toml", {});
///     } catch (const slipstick::InputError& error) {
///       std::cerr << error.what() << '\n';  // arm.toml:12: bodies.mass: expected ...
///     }

#include <stdexcept>
#include <string>

namespace slipstick {

/// Bad model file, argument or result file. The message is one sentence: where, what was expected,
/// what was found.
class InputError : public std::runtime_error {
 public:
  /// `where` names a file with line and key, or an option of the command line.
  InputError(const std::string& where, const std::string& sentence)
      : std::runtime_error(make_one_line(where.empty() ? sentence : where + ": " + sentence)) {}

 private:
  /// Keeps the message in one line, because names and texts of a file may contain anything.
  static std::string make_one_line(std::string text) {
    for (char& c : text) {
      if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
    }
    return text;
  }
};

}  // namespace slipstick
