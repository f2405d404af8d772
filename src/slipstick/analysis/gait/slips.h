#pragma once

/// Finite slips of a gait's feet: at some time of the period the mechanism is given a velocity
/// along the advance, all other rates as they are. What ends that slip, and is the gait regained?

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "slipstick/analysis/gait/gait.h"
#include "slipstick/core/words.h"
#include "slipstick/sim/check/verdict.h"

namespace slipstick {

enum class SlipOutcome : std::uint8_t {
  kStick,          ///< friction ends it
  kSeparate,       ///< the foot lifts off
  kImpact,         ///< no contact force: an impact without collision
  kJam,            ///< the contact force grows without bound
  kIndeterminate,  ///< several contact forces
  kStep,           ///< the next foot comes down first
  kOther,
};
inline constexpr Words<7> kSlipOutcomes{"stick",         "separate", "impact", "jam",
                                        "indeterminate", "step",     "other"};

struct SlipGrid {
  std::vector<double> times;  ///< from the start of the period [s]
  std::vector<double> slips;  ///< added to the rate of the advance [m/s]
  bool checks = true;         ///< every tenth run against the laws
};

/// Rows that an interruption left out are empty.
struct SlipMap {
  std::vector<std::vector<SlipOutcome>> outcomes;  ///< [time][slip]
  std::vector<std::vector<bool>> regained;         ///< the gait is walked again afterwards
  Check check;                                     ///< of the runs that were checked

  [[nodiscard]] bool complete() const;
};

/// Follows every slip of the grid, on all cores. The model's gait must have an advance.
/// `keep_going`, if given, is told how many times are done, and ends the work if it returns false.
[[nodiscard]] SlipMap find_slip_map(const Model& model, const Orbit& orbit, const SlipGrid& grid,
                                    const std::function<bool(int)>& keep_going);

/// The largest slip of the grid in this direction (+1, -1) such that it and all smaller ones are
/// regained at every time; nothing if the smallest is not, or the map is not complete.
[[nodiscard]] std::optional<double> find_slip_basin(const SlipGrid& grid, const SlipMap& map,
                                                    double direction);

}  // namespace slipstick
