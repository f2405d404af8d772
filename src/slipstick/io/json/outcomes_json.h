#pragma once

/// Outcomes over parameters as JSON, HDF5 and CSV (docs/formats.md).

#include <string>
#include <vector>

#include "slipstick/io/byte_sink.h"
#include "slipstick/io/json/json_parts.h"
#include "slipstick/io/ranges.h"
#include "slipstick/outcomes.h"
#include "slipstick/uncertainty.h"

namespace slipstick {

/// The answer of `outcomes`, with what was asked.
struct OutcomesAnswer {
  std::string verb, key;  ///< what is asked at each point
  std::string call;       ///< of one point, with {NAME} for its values
  std::vector<OutcomeAxis> axes;
  OutcomeMap map;                        ///< without uncertain values
  std::vector<UncertainName> uncertain;  ///< with them:
  std::vector<OutcomeShares> shares;     ///< of every point, the first axis fastest
  std::vector<OutcomeMargin> margins;    ///< of the model's own values
};

/// The points' outcomes are left out of a summary; the HDF5 file has them.
[[nodiscard]] Json make_outcomes_json(const LoadedModel& loaded, const OutcomesAnswer& answer,
                                      bool is_summary);
void write_outcomes_hdf5(const LoadedModel& loaded, const OutcomesAnswer& answer,
                         const ByteSink& sink);
/// A row per point.
void write_outcomes_csv(const OutcomesAnswer& answer, const ByteSink& sink);

/// True if some outcome is a number.
[[nodiscard]] bool has_numbers(const OutcomeMap& map);

/// The key `shares` of one point.
[[nodiscard]] Json make_shares(const OutcomeShares& shares);

/// The key `numbers` of one point.
[[nodiscard]] Json make_spread(const NumberSpread& spread);

/// Values of the axes at a point, the first axis fastest.
[[nodiscard]] std::vector<double> list_values_at(const std::vector<OutcomeAxis>& axes,
                                                 std::size_t point);

}  // namespace slipstick
