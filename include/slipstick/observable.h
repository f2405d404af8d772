#pragma once

/// A quantity of one's own that is followed along a motion, and what was found of it.
///
///     const slipstick::LoadedModel ball = slipstick::read_model("bouncing-ball", {});
///     const std::vector<slipstick::Observable> asked{{"height", "height", "y", "m"}};
///     slipstick::SimulationOptions options;
///     auto tree = slipstick::make_tree(slipstick::simulate(*ball.model, ball.initial, options));
///     slipstick::observe_tree(*ball.model, {}, asked, options.tolerance, tree);  // observe.h
///     std::cout << tree.runs[0].run.observables[0].largest.value << " m\n";

#include <string>
#include <vector>

#include "slipstick/state.h"
#include "slipstick/words.h"

namespace slipstick {

/// A formula over the motion: coordinates, their rates and accelerations, contacts' gaps, slips and
/// forces, energies, parameters, time (docs/model-format.md).
struct Observable {
  std::string where;       ///< starts an error message about it
  std::string name;        ///< of its column
  std::string expression;  ///< e.g. "y + 0.5*l*cos(theta)"
  std::string unit{};      ///< for people; may be empty
};

/// What was located.
enum class ObservedType {
  kZero,     ///< it changes its sign
  kMaximum,  ///< it is greater than before and after
  kMinimum,  ///< it is less than before and after
};
/// Their words in documents.
inline constexpr Words<3> kObservedTypes{"zero", "maximum", "minimum"};

/// A value of an observable at one time.
struct Observed {
  ObservedType type = ObservedType::kZero;  ///< what it is
  double time = 0.0;                        ///< [s]
  double value = 0.0;                       ///< there; before a jump of it, if there is one
  bool rises = false;                       ///< of a zero: it grows
  bool jumps = false;  ///< of a zero: the value jumps over it, at an event of the run
};

/// What was found of an observable in a run.
struct ObservableRecord {
  std::string name, expression, unit;  ///< as given
  std::vector<Observed> events;        ///< in the order of time
  Observed least, largest;             ///< over the whole run; the first, if there are several
  double start = 0.0, end = 0.0;       ///< its values there
  std::string undefined{};  ///< where it is no finite number: a sentence; the rest is then empty
};

}  // namespace slipstick
