#include "slipstick/analysis/claims/claims.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace slipstick {
namespace {

std::optional<double> parse_finite(const std::string& text) {
  double out = 0.0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, out);
  if (error != std::errc() || stopped != end || !std::isfinite(out)) return std::nullopt;
  return out;
}

ClaimVerdict compare_cases(const PrintedClaim& claim, std::span<const ClaimValue> values) {
  const auto number = parse_printed_number(claim.printed);
  const bool numbers =
      number && std::all_of(values.begin(), values.end(),
                            [](const ClaimValue& one) { return one.number.has_value(); });
  if (!numbers) {
    const auto equal = std::count_if(values.begin(), values.end(), [&](const ClaimValue& one) {
      return one.text == claim.printed;
    });
    if (equal == static_cast<std::ptrdiff_t>(values.size())) return ClaimVerdict::kAgrees;
    return equal > 0 ? ClaimVerdict::kUnderDetermined : ClaimVerdict::kDiffers;
  }
  const auto [least, most] = std::minmax_element(
      values.begin(), values.end(),
      [](const ClaimValue& a, const ClaimValue& b) { return *a.number < *b.number; });
  // Printed digits are rounded: a value of exactly half a digit may have been rounded up or down.
  const double slack = 1e-9 * std::abs(number->value);
  const double tolerance = claim.tolerance.value_or(number->half_digit) + slack;
  const bool within =
      *least->number - tolerance <= number->value && number->value <= *most->number + tolerance;
  return within ? ClaimVerdict::kAgrees : ClaimVerdict::kDiffers;
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

ClaimFinding judge_values(const PrintedClaim& claim, std::span<const ClaimValue> values) {
  if (claim.under_determined) return {ClaimVerdict::kUnderDetermined, claim.why};
  const ClaimVerdict verdict = compare_cases(claim, values);
  if (verdict == ClaimVerdict::kDiffers && !claim.erratum.empty()) {
    return {ClaimVerdict::kErratum, claim.erratum};
  }
  return {verdict, claim.why};
}

void add_counts(std::span<const PrintedClaim> claims, std::span<const ClaimVerdict> verdicts,
                ClaimCounts& counts) {
  std::set<std::string> shared;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const PrintedClaim& claim = claims[i];
    ++counts.claims[static_cast<std::size_t>(claim.kind)][static_cast<std::size_t>(verdicts[i])];
    if (verdicts[i] != ClaimVerdict::kErratum) continue;
    if (claim.fault.empty() || shared.insert(claim.fault).second) ++counts.faults;
  }
}

}  // namespace slipstick
