#pragma once

/// Finite perturbations of a gait: at some time of the period a foot slips, is lifted, or the
/// mechanism is pushed. How does the motion go on, is the gait regained, and up to which size?
///
///     const auto slip = slipstick::make_perturbation(
///         *biped.model, slipstick::PerturbationKind::kSlip, "stance");
///     const slipstick::PerturbationGrid grid{{0.1, 0.2}, {"size", {-0.5, 0.5}, 21}, true};
///     const auto& orbit = *search.orbit;
///     const auto map = slipstick::find_perturbation_map(*biped.model, orbit, slip, grid, {});
///     std::cout << map.phases[0].forward.value_or(0.0) << " m/s at most\n";

#include <Eigen/Core>
#include <complex>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/gait.h"
#include "slipstick/outcomes.h"
#include "slipstick/verdict.h"
#include "slipstick/why.h"
#include "slipstick/words.h"

namespace slipstick {

/// What is done to the mechanism.
enum class PerturbationKind {
  kSlip,        ///< a velocity along the surface
  kSeparation,  ///< a lift to a height
  kPush,        ///< an impulse on a coordinate, or a change of a rate
};
/// Their words in documents.
inline constexpr Words<3> kPerturbationKinds{"slip", "separation", "push"};

/// One of them, of any size.
struct Perturbation {
  PerturbationKind kind = PerturbationKind::kSlip;  ///< what is done
  std::string name;                                 ///< of a contact, coordinate or rate
  int contact = -1;      ///< the contact whose slip or gap has the size; -1: a coordinate has it
  int coordinate = -1;   ///< the coordinate that is changed
  bool is_rate = false;  ///< its rate; a push on a coordinate itself is an impulse
};

/// The names that a perturbation of this kind may have.
[[nodiscard]] std::vector<std::string> list_perturbation_names(const Model& model,
                                                               PerturbationKind kind);

/// The perturbation of this name: a slip of a contact (the whole mechanism gets the velocity, along
/// the gait's advance) or of a rate; a separation of a contact (the whole mechanism is lifted, if
/// it can be) or of a coordinate; a push on a coordinate [N s, N m s] or of a rate. Throws
/// InputError for another name, or if the model cannot be moved so.
[[nodiscard]] Perturbation make_perturbation(const Model& model, PerturbationKind kind,
                                             const std::string& name);

/// The perturbations to follow: each size at each time.
struct PerturbationGrid {
  std::vector<double> times;  ///< from the start of the period [s]
  OutcomeAxis sizes;          ///< [m/s, m, or the unit of what is pushed]
  bool checks = true;         ///< every tenth run against the laws
};

/// What happens after perturbations at one time.
struct PerturbationPhase {
  double time = 0.0;  ///< from the start of the period [s]
  /// Over the sizes. A label is what ends the perturbation and what becomes of the gait, joined by
  /// a comma: `regained`, `walks on` (elsewhere), `stops` or `fails`. No cells: interrupted before
  /// it.
  OutcomeMap sizes;
  /// The largest size above zero up to which the gait is regained from all sizes of the range; its
  /// end if it is regained from all of them. Nothing: not even from the smallest one, or none of
  /// that sign was asked for.
  std::optional<double> forward;
  std::optional<double> backward;  ///< the same below zero, a negative number
  /// Small ones: rates of coordinates and velocities of the next state on the section, by the size.
  std::optional<State> derivative;
  Why no_derivative;  ///< why there is none
};

/// The answer.
struct PerturbationMap {
  std::vector<PerturbationPhase> phases;  ///< in the order of their times
  int periods = 0;  ///< periods after which the gait counts as regained, or not; 0: it is unstable
  /// Of the gait, and a zero more if a foot that sticks all the time slips.
  std::vector<std::complex<double>> multipliers;
  Check check;  ///< of the runs that were checked

  /// True if nothing was interrupted.
  [[nodiscard]] bool complete() const;
};

/// The part of a label that tells what becomes of the gait: true if it is regained.
[[nodiscard]] bool is_regained_label(const std::string& label);
/// That part.
[[nodiscard]] std::string find_perturbation_fate(const std::string& label);
/// The part before it.
[[nodiscard]] std::string find_perturbation_outcome(const std::string& label);

/// Follows every perturbation of the grid, and locates where outcomes change between sizes, on all
/// cores. A size of zero stands for a very small one. `keep_going`, if given, is called with the
/// number of times that are done; if it returns false the work ends.
[[nodiscard]] PerturbationMap find_perturbation_map(const Model& model, const Orbit& orbit,
                                                    const Perturbation& perturbation,
                                                    const PerturbationGrid& grid,
                                                    const std::function<bool(int)>& keep_going);

/// The smallest of the phases' basins in this direction (+1, -1): what the gait bears whenever it
/// happens. Nothing if a phase has none, or the map is not complete.
[[nodiscard]] std::optional<double> find_basin(const PerturbationMap& map, double direction);

}  // namespace slipstick
