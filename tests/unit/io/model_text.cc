#include "unit/io/model_text.h"

#include <algorithm>
#include <stdexcept>

#include "slipstick/io/model/builtin_models.h"

namespace slipstick::testkit {
namespace {

std::size_t find_only(std::string_view text, std::string_view part) {
  const std::size_t at = text.find(part);
  if (part.empty() || at == std::string_view::npos ||
      text.find(part, at + 1) != std::string_view::npos) {
    throw std::logic_error("expected exactly one '" + std::string(part) + "' in the text");
  }
  return at;
}

}  // namespace

std::string builtin_text(std::string_view name) {
  for (const BuiltinModel& builtin : builtin_models()) {
    if (builtin.name == name) return std::string(builtin.text);
  }
  throw std::logic_error("no built-in model '" + std::string(name) + "'");
}

std::string replace(std::string text, std::string_view from, std::string_view to) {
  return text.replace(find_only(text, from), from.size(), to);
}

int line_of(std::string_view text, std::string_view part) {
  const std::string_view before = text.substr(0, find_only(text, part));
  return 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
}

std::string repeat(std::string_view part, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += part;
  return out;
}

}  // namespace slipstick::testkit
