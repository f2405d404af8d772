#pragma once

/// Why an answer is missing or ends early: a code for programs, a sentence for people.
///
///     const auto search = slipstick::find_orbit(*biped.model, biped.initial, {});
///     if (!search.orbit) std::cerr << "no gait: " << search.why.sentence << '\n';

#include <string>

#include "slipstick/words.h"

namespace slipstick {

/// Why an answer is missing or ends early.
enum class WhyCode {
  kNone,           ///< nothing is missing
  kInterrupted,    ///< by the caller
  kTooManySteps,   ///< a bound on the work was reached
  kNoModel,        ///< the model cannot be made with these parameters
  kNoConvergence,  ///< of an iteration
  kNoDerivative,   ///< the map is not smooth there
  kNoReturn,       ///< the motion does not come back to its section
  kNoRepetition,   ///< it comes back, but not to the same state
  kOtherBranch,    ///< the solution found is on another branch
  kNotFollowed,    ///< some motions could not be followed to their end
  kMayOpen,        ///< sliding on all contacts may end by one of them opening
  kMayGrow,        ///< some closed loop of the return map may grow
  kNeverParadox,   ///< no friction makes sliding paradoxical
  kSeveralSlide,   ///< answered for one sliding contact only
  kSpeedLoads,     ///< not decided where loads depend on speed
  kNotFound,       ///< a search over all of its range found nothing
  kNotComputed,    ///< the computation failed
  // Of runs that fail:
  kBrokenLaw,         ///< the check found that the motion breaks a law
  kSingular,          ///< the mass matrix or the contact equations are singular
  kStepTooSmall,      ///< the step size fell to rounding
  kNoAdvance,         ///< steps stay too short for time to pass
  kUndefined,         ///< a formula of the model is no finite number
  kNoLimit,           ///< sliding approaches p = 0 with no limit
  kTooManyChanges,    ///< of the mode at one time
  kNoForce,           ///< none was found although one exists
  kBelowSurface,      ///< a contact begins to exist below its surface
  kRelabelledMotion,  ///< new names of the coordinates change the motion
  // Of runs up to a condition:
  kNeverTrue,  ///< it did not hold before the run ended
};
/// Their words in documents.
inline constexpr Words<28> kWhyCodes{
    "none",          "interrupted",       "too-many-steps", "no-model",         "no-convergence",
    "no-derivative", "no-return",         "no-repetition",  "other-branch",     "not-followed",
    "may-open",      "may-grow",          "never-paradox",  "several-slide",    "speed-loads",
    "not-found",     "not-computed",      "broken-law",     "singular",         "step-too-small",
    "no-advance",    "undefined",         "no-limit",       "too-many-changes", "no-force",
    "below-surface", "relabelled-motion", "never-true"};

/// The same with a sentence.
struct Why {
  WhyCode code = WhyCode::kNone;  ///< for programs
  std::string sentence;  ///< one clause, without a capital and a full stop; empty with kNone

  /// True if there is something to explain.
  explicit operator bool() const { return code != WhyCode::kNone; }
};

}  // namespace slipstick
