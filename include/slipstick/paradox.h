#pragma once

/// Where sliding has no solution or several: the configurations in which the contact law's pieces
/// do not fit together (one contact: p < 0; several: P is not a P-matrix). docs/theory/paradox.md.
///
///     const auto wheel = slipstick::read_model("rimless-wheel", {});
///     const slipstick::ParadoxProblem problem =
///         slipstick::make_paradox_problem(*wheel.model, wheel.initial, wheel.closings,
///                                         slipstick::SlipDirection::kPlus, {});
///     const int theta = slipstick::find_coordinate(*wheel.model, "theta");
///     for (const slipstick::Interval& interval :
///          slipstick::find_paradox_along(problem, {theta, -0.3, 0.3}).intervals) { ... }

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "slipstick/interval.h"
#include "slipstick/linalg.h"
#include "slipstick/model.h"
#include "slipstick/state.h"
#include "slipstick/tolerances.h"

namespace slipstick {

/// The direction in which the closed contacts slide.
enum class SlipDirection {
  kInitial,  ///< as at the initial state; a contact at rest: along +t
  kPlus,     ///< along +t
  kMinus,    ///< along -t
  kBoth,     ///< the union of plus and minus
};

/// A contact that slides, with s and mu of p = W_n^T M^-1 (W_n - s mu W_t).
struct SlidingContact {
  int contact = 0;         ///< index in the model
  double slip_sign = 1.0;  ///< +1 along +t, -1 along -t
};

/// The state of a sliding contact in a linear piece of the contact law.
enum class LawLetter {
  kOpen,    ///< no force
  kPush,    ///< closed, f_n > 0
  kPull,    ///< closed, f_n < 0: bilateral contacts only
  kEither,  ///< closed, f_n of either sign: a bilateral contact without friction
};
/// One letter per sliding contact.
using LawPiece = std::vector<LawLetter>;

/// The common start of all questions about the paradox.
struct ParadoxProblem {
  const Model* model = nullptr;         ///< must outlive the problem
  State initial;                        ///< with the contacts closed
  std::vector<SlidingContact> sliding;  ///< the contacts that are closed at the initial state
  std::vector<Closing> closings;        ///< which coordinates the file lets follow
  /// Model indices of sliding contacts whose gaps are independent of each other, as many as
  /// possible. If these are closed, the others are closed, too (a third foot on one floor).
  std::vector<int> holding;
  /// Pieces of the contact law whose solution is unique: at least one contact closed, all bilateral
  /// ones among them, and their gaps independent.
  std::vector<LawPiece> pieces;
  double length = 1.0;  ///< longest arm of a sliding contact [m], the scale of small distances
  VecQ unit;            ///< of each coordinate: one radian, or that length
};

/// The problem of these contacts. Throws InputError if there is none, if one of them cannot move
/// away from its surface, or if bilateral ones hold the same motion twice.
[[nodiscard]] ParadoxProblem make_sliding_problem(const Model& model, const State& initial,
                                                  std::vector<SlidingContact> sliding,
                                                  std::span<const Closing> closings);

/// The problem of the contacts that are closed at the initial state. Throws InputError as above.
[[nodiscard]] ParadoxProblem make_paradox_problem(const Model& model, const State& initial,
                                                  std::span<const Closing> closings,
                                                  SlipDirection direction,
                                                  const Tolerances& tolerances);

/// Determinants of the contact law's linear pieces at a configuration, in the problem's order,
/// scaled to unit mobility: one for each subset of unilateral contacts that stay closed and each
/// choice of signs of bilateral forces. If all are positive there is one solution for every load.
/// For one unilateral contact: {p}.
[[nodiscard]] std::vector<double> eval_orientations(const ParadoxProblem& problem, const VecQ& q);

/// A coordinate's range.
struct CoordinateRange {
  int coordinate = 0;            ///< index in the model
  double low = 0.0, high = 0.0;  ///< [m, rad]
};

/// The least of the orientations at a value of the coordinate.
struct OrientationPoint {
  double at = 0.0;     ///< of the coordinate
  double least = 0.0;  ///< negative: the paradox is possible
};

/// The answer along one coordinate.
struct ParadoxAlong {
  std::vector<Interval> intervals;      ///< where the paradox is possible
  std::vector<Interval> reachable;      ///< where the contacts close, on the initial state's branch
  std::vector<OrientationPoint> curve;  ///< for pictures; in rising order
};

/// Follows the closed contacts along one coordinate, from the initial state in both directions, up
/// to the ends of the range or to where the contacts can no longer close.
[[nodiscard]] ParadoxAlong find_paradox_along(const ParadoxProblem& problem,
                                              const CoordinateRange& along);

/// An axis of a map: a coordinate, a rate or a parameter.
struct MapAxis {
  int coordinate = 0;            ///< index in the model
  bool is_rate = false;          ///< its rate, not itself
  double low = 0.0, high = 0.0;  ///< ends of the axis
  int count = 0;                 ///< points, ends included
  std::string parameter{};       ///< its name; empty: the axis is a coordinate or a rate

  /// True if neither a rate nor a parameter.
  [[nodiscard]] bool is_coordinate() const { return !is_rate && parameter.empty(); }
  /// The value of a point.
  [[nodiscard]] double value_at(int i) const;
};

/// The name of what the axis shows.
[[nodiscard]] std::string name_axis(const Model& model, const MapAxis& axis);

/// A curve on which p (or another orientation) or b vanishes, as points of the map's plane.
struct Boundary {
  std::string what;          ///< "p = 0", "b = 0"; with several contacts the contact or minor
  std::vector<Vec2> points;  ///< each on the curve to 1e-9 of the axes' ranges
};

/// The answer over a plane.
struct ParadoxMap {
  /// [second axis][first axis]: case 1-4; 0: the contacts do not close there on the initial
  /// state's branch.
  std::vector<std::vector<int>> regions;
  std::vector<Boundary> boundaries;  ///< between the regions
  long refused = 0;                  ///< points of case 0 whose parameters make no such model
  std::string why{};                 ///< of the first of them
};

/// Cases of sliding: 1 slides, 2 separates, 3 several solutions, 4 none. Coordinates that are not
/// on an axis stay or follow the closed contacts, and so do their rates. Where the contacts can
/// close in several ways, the way of the initial state is followed over the plane.
[[nodiscard]] ParadoxMap find_paradox_map(const ParadoxProblem& problem, const MapAxis& first,
                                          const MapAxis& second);

/// A model with its problem.
struct ParadoxModel {
  std::shared_ptr<const Model> model;  ///< of the problem
  ParadoxProblem problem;              ///< from its initial state
};

/// The problem at values of a map's parameters, in the order of the axes. The coordinate on the
/// other axis has the initial value given, if one is. Throws InputError where there is none.
using ParadoxFamily =
    std::function<ParadoxModel(std::span<const double> parameters, std::optional<double> initial)>;

/// The same where one axis is a parameter, or both. `problem` is that of the model's own values.
/// Every value of a parameter has its own initial state, from which the way to close is followed;
/// where that cannot close, it starts at another value of the coordinate on the axis. Curves
/// belong to the contacts of `problem`, and end where the slip of one changes its direction.
[[nodiscard]] ParadoxMap find_paradox_map(const ParadoxProblem& problem,
                                          const ParadoxFamily& family, const MapAxis& first,
                                          const MapAxis& second);

/// True if the cases are functions of the two axes alone: no other coordinate or rate, except those
/// that keep the contact closed, affects p and b. For one sliding contact only.
[[nodiscard]] bool is_plane_of_cases(const ParadoxProblem& problem, const MapAxis& first,
                                     const MapAxis& second);

}  // namespace slipstick
