#pragma once

/// Inputs of a claim that a paper gives as rounded numbers, or only between two bounds.

#include <vector>

#include "slipstick/analysis/claims/claims.h"
#include "slipstick/io/model/table_reader.h"

namespace slipstick {

/// Reads the key `inputs`: "0.23" is a printed number, rounded in its last digit; "A:B:N" a range
/// with N values, 2 without ":N". Throws InputError for anything else, and for too many
/// combinations.
[[nodiscard]] std::vector<ClaimInput> read_claim_inputs(const TableReader& table);

}  // namespace slipstick
