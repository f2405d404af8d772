#pragma once

/// A simulated motion: how it was asked for, what happened, where it went.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/contact/sliding.h"
#include "slipstick/core/why.h"
#include "slipstick/impact/family.h"
#include "slipstick/model/model.h"
#include "slipstick/sim/check/verdict.h"
#include "slipstick/sim/events/guards.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {

enum class OnInconsistent { kImpact, kStop };
inline constexpr Words<2> kOnInconsistent{"impact", "stop"};

enum class OnIndeterminate { kLiftOff, kSlip, kImpact, kBranch, kStop };
inline constexpr Words<5> kOnIndeterminate{"lift-off", "slip", "impact", "branch", "stop"};

enum class OnJam { kImpact, kLiftOff, kBranch, kStop };
inline constexpr Words<4> kOnJam{"impact", "lift-off", "branch", "stop"};

enum class OnImpact { kPrefer, kBranch };
inline constexpr Words<2> kOnImpact{"prefer", "branch"};

struct Run;

struct SimulationOptions {
  double until = 10.0;  ///< [s]
  /// Local error of a step relative to the coordinates' and rates' own sizes. The default leaves
  /// event times with ten digits, also where sliding toward p = 0 magnifies errors a hundred times.
  double tolerance = 1e-13;
  int max_events = 10000;
  std::optional<int> section;    ///< the run ends just after an impact of this contact,
  int crossings = 1;             ///< the one with this number
  std::optional<ImpactLaw> law;  ///< instead of the contacts' own
  OnInconsistent on_inconsistent = OnInconsistent::kImpact;
  OnIndeterminate on_indeterminate = OnIndeterminate::kLiftOff;
  OnJam on_jam = OnJam::kImpact;
  OnImpact on_impact = OnImpact::kPrefer;
  int max_runs = 1000;  ///< of a tree
  int max_depth = 20;   ///< choices one after the other
  bool keep_trajectory = true;
  /// Sees the steps that were kept, some at a time, and may drop them.
  std::function<void(Run&)> review;
  /// Asked after every step with the time reached; false ends the run there.
  std::function<bool(double)> keep_going;
};

/// Some choices are followed in runs of their own.
[[nodiscard]] inline bool is_branching(const SimulationOptions& options) {
  return options.on_indeterminate == OnIndeterminate::kBranch || options.on_jam == OnJam::kBranch ||
         options.on_impact == OnImpact::kBranch;
}

enum class EventType {
  kTouchdown,         ///< a contact closes without an impulse
  kLiftoff,           ///< a contact opens
  kStick,             ///< slip ends
  kSlip,              ///< slip begins
  kSlipReversal,      ///< slip changes direction at once
  kImpact,            ///< a contact closes with an impulse
  kTangentialImpact,  ///< an impulse without collision
  kJam,               ///< the contact force grew without bound
  kInconsistent,      ///< no contact force satisfies the laws
  kIndeterminate,     ///< several do
  kParadox,           ///< a principal minor of P changed its sign; the motion goes on
  kZeno,              ///< impacts accumulated; the contact closes
  kRest,
};
inline constexpr Words<13> kEventTypes{"touchdown",
                                       "liftoff",
                                       "stick",
                                       "slip",
                                       "slip-reversal",
                                       "impact",
                                       "tangential-impact",
                                       "jam",
                                       "inconsistent",
                                       "indeterminate",
                                       "paradox",
                                       "zeno",
                                       "rest"};

struct ImpactRecord {
  ImpactLaw law = ImpactLaw::kInelastic;
  VecC impulse_n, impulse_t;            ///< per contact of the model [N s]
  VecC compression_n, compression_t;    ///< the part before an expansion of several contacts
  VecQ v_minus, v_plus;                 ///< rates just before and after, before relabelling
  double work = 0.0;                    ///< done by the contact impulses on the bodies [J]
  double work_of_surface = 0.0;         ///< the part a moving surface brought in [J]
  std::optional<ImpulseFamily> family;  ///< where the law leaves the impulses open
  /// Modes of the contacts in each part of the impact, the last of them just after it. Free: no
  /// impulse acts there, or the contact opens.
  std::vector<ModeWord> phases;
};

/// The impacts that an accumulation stands for.
struct ZenoRecord {
  int impacts = 0;          ///< seen one by one
  int round = 1;            ///< impacts until the same contacts collide again
  double ratio = 0.0;       ///< of the durations of successive rounds at the end
  double time_error = 0.0;  ///< estimated error of the limit [s]
};

struct Event {
  double time = 0.0;
  EventType type = EventType::kRest;
  std::vector<int> contacts;
  ModeWord modes_before, modes_after;
  std::vector<Guard> guards;  ///< that ended the mode before it
  State before, after;  ///< just before and just after it, the latter with new names if they change
  SlidingRow sliding_before, sliding_after;        ///< p and b of the contacts that slide
  double energy_before = 0.0, energy_after = 0.0;  ///< kinetic [J]
  std::optional<ImpactRecord> impact;
  std::optional<double> exponent;  ///< of a jam: f_n ~ (t* - t)^exponent
  std::optional<ZenoRecord> zeno;
  std::vector<std::string> alternatives;  ///< what else was admissible
  std::string policy;                     ///< what the options chose; empty: there was no choice
  std::vector<std::string> notes;         ///< what a reader should know: clipped, marginal, ...
};

enum class EndReason {
  kTime,
  kRest,
  kJam,
  kInconsistent,
  kIndeterminate,
  kEventLimit,
  kInterrupted,
  kFailure,
  kBranch,       ///< every choice is followed in a run of its own
  kBranchLimit,  ///< not every one
  kMerged,       ///< goes on like another run
  kSection,      ///< the contact of the section has collided
};
inline constexpr Words<12> kEndReasons{
    "time",        "rest",    "jam",    "inconsistent", "indeterminate", "event-limit",
    "interrupted", "failure", "branch", "branch-limit", "merged",        "section"};

struct RunEnd {
  EndReason reason = EndReason::kTime;
  double time = 0.0;
  Why why;  ///< of a failure
};

struct RunCounts {
  long evaluations = 0;  ///< of the field of motion, without those only the trajectory needs
  long steps = 0, rejected = 0;
};

struct Run {
  Trajectory trajectory;
  std::vector<Event> events;
  RunEnd end;
  State state;  ///< at the end, after relabelling
  RunCounts counts;
  std::optional<RunVerdict> verdict;  ///< of check_run, where it was asked for
};

/// One run of a tree: from a choice to its end or to the next choices.
struct BranchRun {
  int parent = -1;                 ///< the run that ended at the choice; -1: the first run
  std::string choice;              ///< made at its start
  std::optional<int> merged_into;  ///< goes on like this one, and is not followed
  Run run;
};

/// Every future, where the options ask for it; a run's number is its place in the list, which goes
/// down every branch to its end before the next one. The default choice comes first.
struct RunTree {
  std::vector<BranchRun> runs;
  bool branching = false;  ///< was asked for
  bool limited = false;    ///< some choices were not followed: too many, or too deep
};

/// A run that is alone.
[[nodiscard]] inline RunTree make_tree(Run run) {
  RunTree out;
  out.runs.push_back({-1, {}, {}, std::move(run)});
  return out;
}

}  // namespace slipstick
