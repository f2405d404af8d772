#pragma once

/// Compares what a paper claims with what is computed.

#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "slipstick/words.h"

namespace slipstick {

/// A number as a paper printed it, and half a unit of its last digit.
struct PrintedNumber {
  double value = 0.0, half_digit = 0.0;
};
/// Empty if the text is not a finite number.
[[nodiscard]] std::optional<PrintedNumber> parse_printed_number(const std::string& text);

using InputValues = std::map<std::string, double>;

struct ClaimInput {
  std::string name;
  double nominal = 0.0;        ///< as printed, or the middle of the range
  std::vector<double> values;  ///< the ends of what is allowed, and those between to be tried
};

/// The nominal values, then every combination of the inputs' values.
[[nodiscard]] std::vector<InputValues> list_combinations(const std::vector<ClaimInput>& inputs);

/// What a paper gives: a printed number, a value of its formula evaluated for the claim, or words.
enum class ClaimKind { kPrinted, kFormula, kStatement };
inline constexpr Words<3> kClaimKinds{"printed", "formula", "statement"};

struct PrintedClaim {
  ClaimKind kind = ClaimKind::kPrinted;
  std::string printed;              ///< a number as it was printed, or words
  std::optional<double> tolerance;  ///< of a number; none: half a unit of its last printed digit
  std::string erratum, why;
  std::string fault;  ///< the error that several rows show; empty: the row's own
  bool under_determined = false;
};

/// The result for a claim with one choice of its inputs: a number or a word.
struct ClaimValue {
  std::string text;
  std::optional<double> number;  ///< the same, if it is one
};

enum class ClaimVerdict { kAgrees, kDiffers, kUnderDetermined, kErratum, kFailed };
inline constexpr Words<5> kClaimVerdicts{"agrees", "differs", "under-determined", "erratum",
                                         "failed"};

struct ClaimFinding {
  ClaimVerdict verdict = ClaimVerdict::kFailed;
  std::string why;
};

/// Compares the printed number or words with the values over the inputs; there must be at least one
/// value. A number agrees if some value within the printed digits and the inputs' ranges equals it.
/// Words agree if every choice of the inputs gives them; if only some do, the claim is
/// under-determined.
[[nodiscard]] ClaimFinding judge_values(const PrintedClaim& claim,
                                        std::span<const ClaimValue> values);

/// How many claims of each kind have each verdict, and the number of distinct errors of the papers
/// behind the errata.
struct ClaimCounts {
  std::array<std::array<int, kClaimVerdicts.size()>, kClaimKinds.size()> claims{};
  int faults = 0;
};
/// Adds the claims of one paper, with a verdict for each.
void add_counts(std::span<const PrintedClaim> claims, std::span<const ClaimVerdict> verdicts,
                ClaimCounts& counts);

}  // namespace slipstick
