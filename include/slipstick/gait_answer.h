#pragma once

/// The whole answer about a gait: the periodic motion, what it needs of its contacts, its branch
/// over a parameter, and what happens after small slips.
///
///     const auto biped = slipstick::read_model("compass-biped", {});
///     const slipstick::GaitAnswer answer = slipstick::find_gait({biped.model, biped.initial}, {});

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/gait_branch.h"
#include "slipstick/gait_perturbation.h"
#include "slipstick/gait_report.h"
#include "slipstick/gait_slips.h"

namespace slipstick {

/// A model, and the state from which its gait is searched.
struct GaitStart {
  std::shared_ptr<const Model> model;  ///< with a gait section, not depending on time
  State initial;                       ///< near the gait
};

/// Asks to follow the gait from one value of a parameter to another.
struct GaitPath {
  std::string parameter;        ///< its name
  double from = 0.0, to = 1.0;  ///< of its values
  GaitFamily family;            ///< the model at such a value
  /// The parameter's own value with its model. Its initial state may lead to a gait where that of
  /// `from` does not. The search then starts here and follows the gait to `from`.
  double own = 0.0;
  GaitStart at_own;                             ///< the model with that value
  bool follows_doubled = false;                 ///< also the gait of twice the period
  std::function<bool(double)> keep_going = {};  ///< ContinuationOptions
};

/// Asks what happens after slips at some times of the gait. The model's gait must have an advance.
struct GaitSlips {
  std::vector<double> slips;                 ///< SlipGrid [m/s]
  int phases = 41;                           ///< times, in the middle of equal parts of the period
  std::function<bool(int)> keep_going = {};  ///< find_slip_map
};

/// Asks what happens after perturbations at some times of the gait.
struct GaitPerturbation {
  Perturbation what;                         ///< of one kind
  OutcomeAxis sizes;                         ///< PerturbationGrid
  int phases = 41;                           ///< as in GaitSlips
  std::function<bool(int)> keep_going = {};  ///< find_perturbation_map
};

/// What is asked about a gait.
struct GaitQuestion {
  GaitOptions gait;                ///< how to search for it
  bool checks = true;              ///< the period, and some of the slips, against the laws
  std::optional<GaitSlips> slips;  ///< to follow; nothing: none
  std::optional<GaitPath> path;    ///< of a branch; nothing: none
  std::optional<GaitPerturbation> perturbation{};  ///< to follow; nothing: none
};

/// The whole answer.
struct GaitAnswer {
  OrbitSearch search;               ///< the verdict of its run includes the slips' runs
  GaitReport report;                ///< of the orbit, if there is one
  std::string parameter;            ///< of the branch
  std::optional<Branch> branch;     ///< over the parameter
  std::optional<Branch> doubled;    ///< the gait of twice the period that leaves it
  SlipGrid slips;                   ///< those that were followed
  std::optional<SlipMap> slip_map;  ///< of those slips
  Perturbation perturbation;        ///< what was done
  PerturbationGrid perturbations;   ///< those that were followed
  std::optional<PerturbationMap> perturbation_map;  ///< of those perturbations
};

/// `start` is the model at the start of the path, if there is one. The model must have a gait
/// section and must not depend on time.
[[nodiscard]] GaitAnswer find_gait(const GaitStart& start, const GaitQuestion& question);

}  // namespace slipstick
