#pragma once

/// Questions about jams as functions of parameters and initial values.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "slipstick/jam.h"
#include "slipstick/jam_design.h"
#include "slipstick/model_file.h"
#include "slipstick/outcomes.h"

namespace slipstick {

/// How sliding ends, as a label, with the margins of the motion up to then. Throws InputError as
/// find_sliding_end() does.
[[nodiscard]] Outcome find_jam_outcome(const LoadedModel& loaded, const JamQuestion& question);

/// The options of the motion of a model: an end may be a formula of its parameters.
using MakeOptions = std::function<SimulationOptions(const LoadedModel&)>;

/// How sliding ends at values of parameters, coordinates and rates. A state that does not slide is
/// `refused`, one whose numerics fail a `failure`, both with the reason. `over` replaces ranges of
/// the model.
[[nodiscard]] std::function<Outcome(std::span<const double>)> make_jam_asker(
    LoadedModel loaded, std::vector<std::string> names, MakeOptions make_options,
    std::vector<CoordinateRange> over);

/// The frictions that the model needs at values of one parameter, within its range.
[[nodiscard]] std::function<FrictionAt(double)> make_friction_finder(
    LoadedModel loaded, std::string name, std::vector<CoordinateRange> over);

/// The smallest slips at the values of one axis: SlipThreshold::slip of CriticalSlip.
struct SlipsAlong {
  std::vector<std::optional<double>> jams, lasts;  ///< per point of the axis
};

/// The set of initial conditions that jam, and those that end in other ways.
struct JamSet {
  std::string call;               ///< of one point, with {NAME} for its values
  std::vector<OutcomeAxis> axes;  ///< that were varied
  OutcomeMap map;                 ///< outcomes with their borders
  SlipsAlong slips;               ///< of one axis; else empty
};

/// Finds it. `keep_going` as in OutcomeQuestion.
[[nodiscard]] JamSet find_jam_set(const LoadedModel& loaded, std::vector<OutcomeAxis> axes,
                                  const MakeOptions& make_options,
                                  const std::vector<CoordinateRange>& over,
                                  const std::function<bool(long)>& keep_going);

/// The design question of one parameter.
struct PreventionAnswer {
  std::string parameter;
  Prevention prevention;
};

}  // namespace slipstick
