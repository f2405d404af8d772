#pragma once

/// What happens as a function of parameters and initial values: intervals of one number with the
/// thresholds between them, maps over two with their borders, lists over more.
///
///     slipstick::OutcomeQuestion question;
///     question.axes = {{"mu", {0.1, 0.9}, 81}};
///     question.find = [&](std::span<const double> at) {
///       const auto other = slipstick::make_with_parameters(wheel, {"mu"}, at);
///       return slipstick::find_run_outcome(*other.model, other.initial, {}, {});
///     };
///     for (const auto& threshold : slipstick::find_outcomes(question).thresholds) {
///       std::cout << threshold.value << " +- " << threshold.error << '\n';
///     }

#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "slipstick/gait_branch.h"
#include "slipstick/interval.h"
#include "slipstick/linalg.h"
#include "slipstick/model.h"
#include "slipstick/run.h"

namespace slipstick {

/// What happens at one point.
struct Outcome {
  std::string label;  ///< a word or a few; empty: nothing was found out, because work was stopped
  double number = std::numeric_limits<double>::quiet_NaN();  ///< the answer, if it is a number
  /// How far other outcomes are, each zero where one begins. Points with equal labels have lists of
  /// one meaning. Where the next points let a margin fall to zero between two of them, the search
  /// looks there.
  std::vector<double> margins{};
  std::string why{};  ///< where there is no answer
  /// Relative, of the decision that gave the outcome; thresholds are not known better. Zero where
  /// rounding alone decides.
  double tolerance = 0.0;
};

/// One parameter, coordinate or rate.
struct OutcomeAxis {
  std::string name;          ///< of it
  Interval range;            ///< of its values
  int count = 2;             ///< points, ends included
  bool logarithmic = false;  ///< equal ratios between points; both ends are above zero

  /// The value at a part of the range, from 0 to 1.
  [[nodiscard]] double value_at(double part) const;
  /// The value of a point.
  [[nodiscard]] double value(std::size_t i) const;
};

/// What is asked.
struct OutcomeQuestion {
  std::vector<OutcomeAxis> axes;  ///< none: one point
  /// The outcome at values of the axes, in their order. Several threads call it.
  std::function<Outcome(std::span<const double>)> find;
  bool borders = true;  ///< false: the points alone
  /// Of numbers, rising: the ranges between them are outcomes, so that they are located like
  /// borders.
  std::vector<double> levels{};
  /// Called after every outcome with the number of those found so far; false stops the work.
  std::function<bool(long)> keep_going{};
};

/// A range of the first axis with one outcome.
struct OutcomeInterval {
  double from = 0.0, to = 0.0;  ///< ends
  int label = 0;                ///< index in OutcomeMap::labels
};

/// Where two outcomes meet on the first axis.
struct OutcomeThreshold {
  double value = 0.0;            ///< the middle of the bracket
  std::array<int, 2> between{};  ///< labels below and above
  /// Half of the bracket, or of the band that rounding or the outcomes' own tolerance decides.
  double error = 0.0;
  bool decided_by_rounding = false;  ///< the outcomes alternate within the error
};

/// A curve in the plane of two axes where two outcomes meet.
struct OutcomeBorder {
  std::array<int, 2> between{};  ///< labels, the lower index first
  std::vector<Vec2> points;      ///< values of the axes
};

/// A point where three or more outcomes meet.
struct OutcomeCorner {
  Vec2 at = Vec2::Zero();   ///< values of the axes
  std::vector<int> labels;  ///< in the order of their indices
};

/// A curve on which numbers have one value, by linear interpolation between the points.
struct OutcomeContour {
  double level = 0.0;        ///< that value
  std::vector<Vec2> points;  ///< values of the axes
};

/// The answer.
struct OutcomeMap {
  std::vector<std::string> labels;  ///< in the order of the points
  std::vector<int> cells;           ///< label of every point, the first axis fastest; -1: stopped
  std::vector<double> numbers;      ///< of every point; NaN: none
  std::vector<std::string> whys;    ///< of every label: why one of its points has no answer
  std::vector<OutcomeInterval> intervals;    ///< one axis
  std::vector<OutcomeThreshold> thresholds;  ///< one axis
  std::vector<OutcomeBorder> borders;        ///< two axes
  std::vector<OutcomeCorner> corners;        ///< two axes
  std::vector<OutcomeContour> contours;      ///< of numbers over two axes, at round levels
  /// Cells whose borders are finer than what was followed: the outcome alternates there.
  int unresolved = 0;
  long found = 0;        ///< outcomes that were found, borders included
  bool complete = true;  ///< false: the work was stopped
};

/// Finds the outcomes at all points, and the borders between them for one and two axes: thresholds
/// to 1e-9 of the axis or better, curves to 1e-6 of both. Uses all cores; the result does not
/// depend on how many there are.
[[nodiscard]] OutcomeMap find_outcomes(const OutcomeQuestion& question);

/// The nearest other outcome on one side of a value.
struct OutcomeSide {
  double distance = 0.0;  ///< of the value to it
  double error = 0.0;     ///< of the distance
  std::string label;      ///< of the outcome there
};

/// How far a value may move before the outcome changes, all others as they are.
struct OutcomeMargin {
  std::string name;                         ///< of a parameter, coordinate or rate
  double value = 0.0;                       ///< at present
  Interval searched;                        ///< around it
  std::optional<OutcomeSide> below, above;  ///< none: not within that range
};

/// Searches the range from the present value outward, in steps that are closer near it. Outcomes
/// between two steps are found as in find_outcomes(). `levels`: as in OutcomeQuestion.
[[nodiscard]] OutcomeMargin find_outcome_margin(const std::string& name, double value,
                                                const Interval& searched,
                                                const std::function<Outcome(double)>& find,
                                                const std::vector<double>& levels = {});

/// What of a run is its outcome.
struct RunQuestion {
  /// Events that count; empty: all but those that change nothing a person sees (`paradox`).
  std::vector<EventType> types;
  bool by_end = false;  ///< how the run ended, whatever happened before
  int events = 1;       ///< the first ones, in their order
  bool checks = false;  ///< the run against the laws; one that breaks a law is a failure
};

/// The first event of a run with its contacts, or how it ended if there is none, as a label. The
/// margins are the least gap, normal force, friction left and slip of every contact up to then.
[[nodiscard]] Outcome find_run_outcome(const Model& model, const State& initial,
                                       const SimulationOptions& options,
                                       const RunQuestion& question);

/// The class of a state and its modes, as a label.
[[nodiscard]] Outcome find_class_outcome(const Model& model, const State& state);

/// The verdict on a rest on two contacts and its theorem, as a label.
[[nodiscard]] Outcome find_stability_outcome(const Model& model, const State& rest);

/// Whether a gait of that many steps exists, is stable and slips, as a label.
[[nodiscard]] Outcome find_gait_outcome(const Model& model, const State& guess,
                                        const SimulationOptions& options, int steps = 1);

/// The same for a model near one whose gait `known` is known. Where no gait is found from the
/// guess, the known gait is followed through the models between: of part 0 the known gait's, of
/// part 1 this one. Such a model may be missing (InputError).
[[nodiscard]] Outcome find_gait_outcome(const Model& model, const State& guess,
                                        const GaitOptions& options, const Orbit& known,
                                        const GaitFamily& between);

}  // namespace slipstick
