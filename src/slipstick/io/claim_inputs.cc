#include "slipstick/io/claim_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "slipstick/core/input_error.h"
#include "slipstick/model/expression.h"

namespace slipstick {
namespace {

/// Each is a set of calls: enough for a range in steps, or the corners of six rounded numbers.
constexpr std::size_t kMaxCombinations = 64;

std::optional<double> parse_finite(const std::string& text) {
  double out = 0.0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, out);
  if (error != std::errc() || stopped != end || !std::isfinite(out)) return std::nullopt;
  return out;
}

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

std::optional<PrintedNumber> parse_printed_number(const std::string& text) {
  PrintedNumber out;
  const auto value = parse_finite(text);
  if (!value) return std::nullopt;
  out.value = *value;
  const std::size_t exponent_at = std::min(text.find_first_of("eE"), text.size());
  const std::size_t point = text.find('.');
  const double decimals = point < exponent_at ? static_cast<double>(exponent_at - point - 1) : 0.0;
  double exponent = 0.0;
  if (exponent_at < text.size()) {
    const std::size_t digits = exponent_at + (text[exponent_at + 1] == '+' ? 2 : 1);
    exponent = parse_finite(text.substr(digits)).value_or(HUGE_VAL);
  }
  out.half_digit = 0.5 * std::pow(10.0, exponent - decimals);
  if (!std::isfinite(out.half_digit)) return std::nullopt;
  return out;
}

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

std::vector<InputValues> list_combinations(const std::vector<ClaimInput>& inputs) {
  InputValues nominal;
  std::vector<InputValues> out{{}};
  for (const ClaimInput& input : inputs) {
    nominal[input.name] = input.nominal;
    std::vector<InputValues> longer;
    for (const InputValues& start : out) {
      for (const double value : input.values) {
        longer.push_back(start);
        longer.back()[input.name] = value;
      }
    }
    out = std::move(longer);
  }
  if (!inputs.empty()) out.insert(out.begin(), nominal);
  return out;
}

}  // namespace slipstick
