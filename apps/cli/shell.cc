#include "shell.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace slipstick::cli {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

/// Quotes as `$'...'`, which bash, zsh and the next POSIX standard understand.
std::string quote_with_escapes(const std::string& text) {
  std::string out = "$'";
  for (const char c : text) {
    if (is_control(c)) {
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      if (c == '\'' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "'";
}

}  // namespace

std::string quote_for_shell(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string make_shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:.,/@%";
  // zsh replaces a word =NAME by the path of the command NAME.
  if (!text.empty() && text.front() != '=' && text.find_first_not_of(kPlain) == std::string::npos)
    return text;
  if (std::any_of(text.begin(), text.end(), is_control)) return quote_with_escapes(text);
  return quote_for_shell(text);
}

}  // namespace slipstick::cli
