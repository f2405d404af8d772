#pragma once

/// Inputs of a claim that a paper gives as rounded numbers, or only between two bounds.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/io/table_reader.h"

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

/// Reads the key `inputs`: "0.23" is a printed number, rounded in its last digit; "A:B:N" a range
/// with N values, 2 without ":N". Throws InputError for anything else, and for too many
/// combinations.
[[nodiscard]] std::vector<ClaimInput> read_claim_inputs(const TableReader& table);

/// The nominal values, then every combination of the inputs' values.
[[nodiscard]] std::vector<InputValues> list_combinations(const std::vector<ClaimInput>& inputs);

}  // namespace slipstick
