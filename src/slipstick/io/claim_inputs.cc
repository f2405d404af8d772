#include "slipstick/io/claim_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "slipstick/errors.h"
#include "slipstick/model/expression.h"

namespace slipstick {
namespace {

/// Each combination is a set of calls. 64 is enough for a range in steps, or for the corners of six
/// rounded numbers.
constexpr std::size_t kMaxCombinations = 64;

double eval_bound(const std::string& where, const std::string& text) {
  const double out = Expression(where, text, {}, {}).eval({});
  if (!std::isfinite(out)) {
    throw InputError(where, "expected finite bounds, got '" + text + "'");
  }
  return out;
}

std::size_t parse_count(const std::string& where, const std::string& text) {
  std::size_t out = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, out);
  if (error != std::errc() || stopped != end || out < 2 || out > kMaxCombinations) {
    throw InputError(
        where, fmt::format("expected a count from 2 to {}, got '{}'", kMaxCombinations, text));
  }
  return out;
}

ClaimInput parse_input_range(const std::string& where, const std::string& name,
                             const std::string& text) {
  const std::size_t first = text.find(':');
  const std::size_t second = std::min(text.find(':', first + 1), text.size());
  const double from = eval_bound(where, text.substr(0, first));
  const double to = eval_bound(where, text.substr(first + 1, second - first - 1));
  const std::size_t count = second < text.size() ? parse_count(where, text.substr(second + 1)) : 2;
  if (!(from < to)) throw InputError(where, "expected A:B with A below B, got '" + text + "'");
  ClaimInput out{name, 0.5 * (from + to), {}};
  for (std::size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    out.values.push_back((1.0 - share) * from + share * to);
  }
  return out;
}

ClaimInput parse_input(const std::string& where, const std::string& name, const std::string& text) {
  if (text.find(':') != std::string::npos) return parse_input_range(where, name, text);
  const auto number = parse_printed_number(text);
  if (!number) {
    throw InputError(where, "expected a printed number or A:B[:N], got '" + text + "'");
  }
  const auto [value, half] = *number;
  return {name, value, {value - half, value + half}};
}

}  // namespace

std::vector<ClaimInput> read_claim_inputs(const TableReader& table) {
  std::vector<ClaimInput> out;
  if (!table.has("inputs")) return out;
  const std::string where = table.where("inputs");
  std::size_t combinations = 1;
  for (const auto& [key, value] : table.table("inputs")) {
    const std::string name(key.str());
    const auto* text = value.as_string();
    if (!is_free_name(name)) throw InputError(where, "expected a name, got '" + name + "'");
    if (text == nullptr) {
      throw InputError(where, "expected texts, got " + describe_node(value));
    }
    out.push_back(parse_input(where, name, text->get()));
    combinations *= out.back().values.size();
    if (combinations > kMaxCombinations) {
      throw InputError(where, fmt::format("expected at most {} combinations of inputs, got more",
                                          kMaxCombinations));
    }
  }
  return out;
}

}  // namespace slipstick
