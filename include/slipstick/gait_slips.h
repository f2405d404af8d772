#pragma once

/// Finite slips of a gait's feet: at some time of the period the mechanism gets an additional
/// velocity along the advance; all other rates stay as they are. What ends that slip, and is the
/// gait regained?
///
///     const slipstick::SlipGrid grid{{0.1, 0.2}, {-0.05, 0.05}, true};  // [s], [m/s]
///     const auto map = slipstick::find_slip_map(*biped.model, *search.orbit, grid, {});

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "slipstick/gait.h"
#include "slipstick/model.h"
#include "slipstick/verdict.h"
#include "slipstick/words.h"

namespace slipstick {

/// What ends a slip.
enum class SlipOutcome : std::uint8_t {
  kStick,          ///< friction ends it
  kSeparate,       ///< the foot lifts off
  kImpact,         ///< no contact force: an impact without collision
  kJam,            ///< the contact force grows without bound
  kIndeterminate,  ///< several contact forces
  kStep,           ///< the next foot comes down first
  kOther,          ///< something else
};
/// Their words in documents.
inline constexpr Words<7> kSlipOutcomes{"stick",         "separate", "impact", "jam",
                                        "indeterminate", "step",     "other"};

/// The slips to follow: each at each time.
struct SlipGrid {
  std::vector<double> times;  ///< from the start of the period [s]
  std::vector<double> slips;  ///< added to the rate of the advance [m/s]
  bool checks = true;         ///< every tenth run against the laws
};

/// After an interruption, rows that were not computed are empty.
struct SlipMap {
  std::vector<std::vector<SlipOutcome>> outcomes;  ///< [time][slip]
  std::vector<std::vector<bool>> regained;         ///< the gait is regained afterwards
  Check check;                                     ///< of the runs that were checked

  /// True if no row is empty.
  [[nodiscard]] bool complete() const;
};

/// Follows every slip of the grid, on all cores. The model's gait must have an advance.
/// `keep_going`, if given, is called with the number of times that are done; if it returns false
/// the work ends.
[[nodiscard]] SlipMap find_slip_map(const Model& model, const Orbit& orbit, const SlipGrid& grid,
                                    const std::function<bool(int)>& keep_going);

/// The largest slip of the grid in this direction (+1, -1) such that it and all smaller ones are
/// regained at every time; nothing if the smallest is not, or the map is not complete.
[[nodiscard]] std::optional<double> find_slip_basin(const SlipGrid& grid, const SlipMap& map,
                                                    double direction);

}  // namespace slipstick
