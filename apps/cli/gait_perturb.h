#pragma once

/// `gait --perturb`: reads it, and tells its answer in words.

#include <optional>
#include <string>
#include <vector>

#include "slipstick/gait_answer.h"
#include "slipstick/model_file.h"

namespace slipstick::cli {

/// KIND and NAME=A:B[:N]. Throws InputError.
[[nodiscard]] GaitPerturbation read_perturbation(const LoadedModel& loaded,
                                                 const std::vector<std::string>& words,
                                                 std::optional<int> phases);

[[nodiscard]] std::string describe_perturbations(const GaitAnswer& answer);

}  // namespace slipstick::cli
