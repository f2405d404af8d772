#include "slipstick/io/model/toml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "slipstick/errors.h"

namespace slipstick {
namespace {

/// toml++ builds one table per part of a dotted key and destroys them by recursion.
constexpr int kMaxDots = 100;

/// Position after the string that starts at `i`; the line's end if it is not closed.
std::size_t skip_string(const std::string& text, std::size_t i) {
  const char quote = text[i];
  const std::string three(3, quote);
  const bool multiline = text.compare(i, 3, three) == 0;
  std::size_t j = i + (multiline ? 3 : 1);
  while (j < text.size()) {
    if (quote == '"' && text[j] == '\\') {
      j += 2;
    } else if (multiline && text.compare(j, 3, three) == 0) {
      j += 3;  // up to two more quotes belong to the text
      while (j < text.size() && text[j] == quote) ++j;
      return j;
    } else if (!multiline && text[j] == quote) {
      return j + 1;
    } else if (!multiline && text[j] == '\n') {
      return j;
    } else {
      ++j;
    }
  }
  return text.size();
}

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-' || c == '.' ||
         c == '_';
}

/// True if this text has a non-ASCII character after a backslash, or after a line end that a
/// backslash escapes.
bool escapes_letter(std::string_view text) {
  if (text.front() != '"') return false;  // a literal text has no escapes
  for (std::size_t i = text.find('\\'); i < text.size(); i = text.find('\\', i)) {
    const std::size_t next = text.find_first_not_of(" \t\r\n", i + 1);
    if (next < text.size() && !is_ascii(text[next])) return true;
    i += 2;
  }
  return false;
}

/// True if a text may start here: after white space or punctuation, not in the middle of a word.
bool may_start_text(const std::string& text, std::size_t i) {
  return i == 0 || std::string_view(" \t\r\n=[{,.\xBF").find(text[i - 1]) != std::string_view::npos;
}

/// True if the brackets of a table header at `i` are followed by a possible key or by their end.
/// toml++ assumes so without checking.
bool has_header_key(const std::string& text, std::size_t i) {
  constexpr const char* kBlanks = " \t";
  std::size_t key = text.find_first_not_of(kBlanks, i + 1);
  if (key < text.size() && text[key] == '[') key = text.find_first_not_of(kBlanks, key + 1);
  if (key >= text.size()) return true;  // toml++ reports the end of the file
  const char c = text[key];
  return !is_ascii(c) ||  // reported elsewhere
         std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("_-\"']").find(c) != std::string_view::npos;
}

/// Rejects what toml++ does not handle safely: headers without a key, brackets without a partner,
/// long dotted keys, and non-ASCII letters where toml++ tests for white space with tables that lack
/// most of them: outside of texts and comments, after a backslash, in a word with a quote in it.
/// None of these is TOML, except a non-ASCII letter at the start of a line whose predecessor ends
/// with a backslash.
class TomlScan {
 public:
  TomlScan(const std::string& file, const std::string& text) : file_(file), text_(text) {}

  void check() {
    for (at_ = text_.starts_with("\xEF\xBB\xBF") ? 3 : 0; at_ < text_.size();) {
      const char c = text_[at_];
      check_header(c);
      if (in_value_ && is_of_word(c)) {
        check_word();
        continue;
      }
      follow_brackets(c);
      if (c == '"' || c == '\'') {
        check_string();
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        check_key(c);
        ++at_;
      }
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const auto here = text_.begin() + static_cast<std::ptrdiff_t>(at_);
    throw InputError(fmt::format("{}:{}", file_, 1 + std::count(text_.begin(), here, '\n')), what);
  }

  void check_header(char c) {
    if (c == '[' && open_.empty() && starts_line_ && !has_header_key(text_, at_)) {
      fail("expected the name of a table after '[', got something else");
    }
    starts_line_ = c == '\n' || (starts_line_ && (c == ' ' || c == '\t' || c == '\r'));
  }

  /// A number, a date, true or false.
  void check_word() {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,]}#", at_), text_.size());
    const std::string_view word = std::string_view(text_).substr(at_, end - at_);
    if (word.find_first_of("\"'[{=") != word.npos ||
        !std::all_of(word.begin(), word.end(), is_ascii)) {
      fail("expected a value, got a quote, a bracket or another character within a word");
    }
    at_ = end;
  }

  void follow_brackets(char c) {
    if (c == '=' || c == '}') in_value_ = true;
    if (c == '{' || (c == '\n' && open_.empty())) in_value_ = false;
    if (c == ',') in_value_ = !open_.empty() && open_.back() == '[';
    if (c == '[' || c == '{') open_ += c;
    if (c != ']' && c != '}') return;
    if (open_.empty() || open_.back() != (c == ']' ? '[' : '{')) {
      fail(std::string("expected brackets in pairs, got a '") + c + "' without its partner");
    }
    open_.pop_back();
  }

  /// A part of a key, or a value. Dots in it do not separate keys.
  void check_string() {
    if (!may_start_text(text_, at_)) fail("expected a text or a key, got a quote within a word");
    const std::size_t end = skip_string(text_, at_);
    if (escapes_letter(std::string_view(text_).substr(at_, end - at_))) {
      fail("expected plain ASCII after a backslash, got another character");
    }
    at_ = end;
  }

  void check_key(char c) {
    const bool in_key = std::string_view("._- \t").find(c) != std::string_view::npos ||
                        std::isalnum(static_cast<unsigned char>(c)) != 0;
    dots_ = in_key ? dots_ + (c == '.' ? 1 : 0) : 0;
    if (dots_ > kMaxDots) {
      fail(fmt::format("expected keys of at most {} parts, got more", kMaxDots));
    }
    if (!is_ascii(c)) {
      fail("expected plain ASCII outside of texts and comments, got another character");
    }
  }

  const std::string& file_;
  const std::string& text_;
  std::size_t at_ = 0;
  std::string open_;  ///< brackets
  int dots_ = 0;      ///< of the key so far
  bool starts_line_ = true;
  bool in_value_ = false;
};

}  // namespace

toml::table parse_toml(const std::string& file, const std::string& text, const std::string& what) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw InputError(file, "expected " + what + ", got an empty file");
  }
  TomlScan(file, text).check();
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    std::string reason(error.description());
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    throw InputError(fmt::format("{}:{}", file, error.source().begin.line),
                     "expected TOML, got an error: " + reason);
  }
}

}  // namespace slipstick
