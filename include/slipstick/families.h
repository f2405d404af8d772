#pragma once

/// Models as functions of their parameters, for analyses that vary them: branches of gaits, maps
/// and boxes. The file is not parsed again.
///
///     const auto biped = slipstick::read_model("compass-biped", {});
///     const auto slopes = slipstick::make_family(biped, "alpha");
///     const std::shared_ptr<const slipstick::Model> steep = slopes(0.05);

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "slipstick/model_file.h"
#include "slipstick/paradox.h"
#include "slipstick/stability.h"

namespace slipstick {

/// The model with other values for some of its parameters, in place of those set before. Throws
/// InputError as read_model() does.
[[nodiscard]] LoadedModel make_with_parameters(const LoadedModel& loaded,
                                               const std::vector<std::string>& names,
                                               std::span<const double> values);

/// The model as a function of one of its parameters.
[[nodiscard]] std::function<std::shared_ptr<const Model>(double)> make_family(LoadedModel loaded,
                                                                              std::string name);

/// The model on the straight line from its own values of parameters and initial values (0) to
/// others (1).
[[nodiscard]] std::function<std::shared_ptr<const Model>(double)> make_family_between(
    LoadedModel loaded, std::vector<std::string> names, std::span<const double> values);

/// The problem of the paradox as a function of the parameters on a map's axes. Threads may share
/// it.
[[nodiscard]] ParadoxFamily make_paradox_family(LoadedModel loaded, const MapAxis& first,
                                                const MapAxis& second, SlipDirection direction);

/// The body on two contacts as a function of these parameters. Threads may share it.
[[nodiscard]] MakeBody make_body_family(LoadedModel loaded, std::vector<std::string> names,
                                        const Tolerances& tolerances);

}  // namespace slipstick
