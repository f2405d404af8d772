#pragma once

/// Why an answer is missing, or ends before its time: a code for programs, a sentence for people.

#include <string>

namespace slipstick {

enum class WhyCode {
  kNone,           ///< nothing is missing
  kInterrupted,    ///< by whoever asked
  kTooManySteps,   ///< a bound on the work was reached
  kNoModel,        ///< the model cannot be made with these parameters
  kNoConvergence,  ///< of an iteration
  kNoDerivative,   ///< the map is not smooth there
  kNoReturn,       ///< the motion does not come back to its section
  kNoRepetition,   ///< it does, but not to the same state
  kOtherBranch,    ///< what was found does not continue what was followed
  kNotFollowed,    ///< some motions could not be followed to their end
  kMayOpen,        ///< sliding on all contacts may end by one of them opening
  kMayGrow,        ///< some closed loop of the return map may grow
  kNeverParadox,   ///< no friction makes sliding paradoxical
  kSeveralSlide,   ///< answered for one sliding contact only
  kSpeedLoads,     ///< not decided where loads depend on speed
  kNotFound,       ///< a search over all of its range found nothing
  kNotComputed,    ///< the computation failed
};

struct Why {
  WhyCode code = WhyCode::kNone;
  std::string sentence;  ///< one clause, without a capital and a full stop; empty with kNone

  /// True if there is something to explain.
  explicit operator bool() const { return code != WhyCode::kNone; }
};

}  // namespace slipstick
