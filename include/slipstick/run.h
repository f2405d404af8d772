#pragma once

/// A simulated motion: its options, its events and its result.
///
///     slipstick::SimulationOptions options;
///     options.until = 0.5;  // [s]
///     const slipstick::Run run = slipstick::simulate(*arm.model, arm.initial, options);
///     for (const slipstick::Event& event : run.events) {
///       const auto word = find_word(slipstick::kEventTypes, event.type);
///       std::cout << event.time << " s  " << word << '\n';
///     }

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/classify.h"
#include "slipstick/impact.h"
#include "slipstick/impact_law.h"
#include "slipstick/linalg.h"
#include "slipstick/mode_word.h"
#include "slipstick/observable.h"
#include "slipstick/state.h"
#include "slipstick/trajectory.h"
#include "slipstick/verdict.h"
#include "slipstick/why.h"
#include "slipstick/words.h"

namespace slipstick {

/// Where no contact force satisfies the laws.
enum class OnInconsistent {
  kImpact,  ///< an impact without collision
  kStop,    ///< the run ends
};
/// Their words in options.
inline constexpr Words<2> kOnInconsistent{"impact", "stop"};

/// Where several motions do.
enum class OnIndeterminate {
  kLiftOff,  ///< the contact opens
  kSlip,     ///< it slides, with the smallest normal force
  kImpact,   ///< an impact without collision
  kBranch,   ///< every one is followed (simulate_tree)
  kStop,     ///< the run ends
};
/// Their words in options.
inline constexpr Words<5> kOnIndeterminate{"lift-off", "slip", "impact", "branch", "stop"};

/// Where the contact force has grown without bound.
enum class OnJam {
  kImpact,   ///< an impact without collision
  kLiftOff,  ///< the contact opens
  kBranch,   ///< both are followed (simulate_tree)
  kStop,     ///< the run ends
};
/// Their words in options.
inline constexpr Words<4> kOnJam{"impact", "lift-off", "branch", "stop"};

/// Where an impact has several outcomes.
enum class OnImpact {
  kPrefer,  ///< the preferred one (docs/theory/impact.md)
  kBranch,  ///< every one is followed (simulate_tree)
};
/// Their words in options.
inline constexpr Words<2> kOnImpact{"prefer", "branch"};

struct Run;
/// A comparison over the motion: condition.h.
struct Condition;

/// What to simulate, and how to go on where the laws leave a choice.
struct SimulationOptions {
  double until = 10.0;  ///< [s]
  /// The run ends where this holds first, and at `until` if it never does.
  std::shared_ptr<const Condition> condition = nullptr;
  /// Local error of a step relative to the coordinates' and rates' own sizes. With the default,
  /// event times have ten digits even where sliding toward p = 0 magnifies errors a hundred times.
  double tolerance = 1e-13;
  int max_events = 10000;        ///< the run ends there
  std::optional<int> section;    ///< the run ends just after an impact of this contact,
  int crossings = 1;             ///< the one with this number
  std::optional<ImpactLaw> law;  ///< instead of the contacts' own
  OnInconsistent on_inconsistent = OnInconsistent::kImpact;      ///< no contact force
  OnIndeterminate on_indeterminate = OnIndeterminate::kLiftOff;  ///< several motions
  OnJam on_jam = OnJam::kImpact;                                 ///< an unbounded force
  OnImpact on_impact = OnImpact::kPrefer;                        ///< several outcomes
  int max_runs = 1000;                                           ///< of a tree
  int max_depth = 20;                                            ///< choices in a row
  bool keep_trajectory = true;  ///< false: Run::trajectory stays empty
  /// Receives the steps that were kept, some at a time, and may drop them.
  std::function<void(Run&)> review;
  /// Called after every step with the time reached; false ends the run there.
  std::function<bool(double)> keep_going;
};

/// True if some choices are followed in runs of their own.
[[nodiscard]] inline bool is_branching(const SimulationOptions& options) {
  return options.on_indeterminate == OnIndeterminate::kBranch || options.on_jam == OnJam::kBranch ||
         options.on_impact == OnImpact::kBranch;
}

/// What happened.
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
  kRest,              ///< the mechanism stays at rest
  kGraze,             ///< an open contact touches its surface and leaves, without an impulse
};
/// Their words in documents.
inline constexpr Words<14> kEventTypes{"touchdown",
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
                                       "rest",
                                       "graze"};

/// What an impact did.
struct ImpactRecord {
  ImpactLaw law = ImpactLaw::kInelastic;  ///< that was used
  VecC impulse_n, impulse_t;              ///< per contact of the model [N s]
  VecC compression_n, compression_t;      ///< the part before an expansion of several contacts
  VecQ v_minus, v_plus;                   ///< rates just before and after, before relabelling
  double work = 0.0;                      ///< done by the contact impulses on the bodies [J]
  double work_of_surface = 0.0;           ///< the part put in by moving surfaces [J]
  std::optional<ImpulseFamily> family;    ///< if the impulses are not unique
  /// Modes of the contacts in each part of the impact; the last word is just after it. Free: no
  /// impulse acts, or the contact opens.
  std::vector<ModeWord> phases;
};

/// The impacts of an accumulation.
struct ZenoRecord {
  int impacts = 0;          ///< followed one by one
  int round = 1;            ///< impacts until the same contacts collide again
  double ratio = 0.0;       ///< of the durations of successive rounds at the end
  double time_error = 0.0;  ///< estimated error of the limit [s]
};

/// The quantities that a mode watches.
enum class GuardType {
  kGap,        ///< of an open contact
  kForce,      ///< normal force of a closed one
  kConePlus,   ///< mu_s f_n - f_t of a sticking one
  kConeMinus,  ///< mu_s f_n + f_t of it
  kSlip,       ///< of a sliding one
  kSlack,      ///< of the family of forces of redundant contacts
  kActive,     ///< a closed contact's `active_when`
  kBegins,     ///< the same of a contact that does not exist and is at its surface
  kTime,       ///< the end that was asked for, or a change of formulas of time
  kMinor,      ///< a principal minor of P, times its sign so far; ends no mode
  kMobility,   ///< p of a sliding contact, or d of several that feel each other
};
/// Their words in documents.
inline constexpr Words<11> kGuardTypes{"gap",  "normal-force", "cone-plus", "cone-minus",
                                       "slip", "family",       "exists",    "begins",
                                       "time", "minor",        "p"};

/// A function of time and state whose zero ends a mode.
struct Guard {
  GuardType type = GuardType::kTime;  ///< what it watches
  int contact = -1;                   ///< in the model's order
  std::size_t index = 0;              ///< among the closed contacts
  int zero_at_start = 0;              ///< order of its known zero at the mode's start
  unsigned subset = 0;                ///< of a minor: bits of closed contacts
  double sign = 1.0;                  ///< of a minor; 0: it starts at zero, and the motion decides
  double margin = 0.0;                ///< of a slack: how far below zero it may be
};

/// An event of a run.
struct Event {
  double time = 0.0;                   ///< [s]
  EventType type = EventType::kRest;   ///< what happened
  std::vector<int> contacts;           ///< indices of those it happened to
  ModeWord modes_before, modes_after;  ///< of all contacts
  std::vector<Guard> guards;           ///< that ended the mode before it
  State before, after;  ///< just before and just after it, the latter with new names if they change
  SlidingRow sliding_before, sliding_after;        ///< p and b of the contacts that slide
  double energy_before = 0.0, energy_after = 0.0;  ///< kinetic [J]
  std::optional<Balance> balance;      ///< from the start until just after it, by check_tree
  std::optional<ImpactRecord> impact;  ///< of events with an impulse
  std::optional<double> exponent;      ///< of a jam: f_n ~ (t* - t)^exponent
  bool marginal = false;  ///< near p = b = 0: jam or not depends on less than doubles resolve
  std::optional<ZenoRecord> zeno;              ///< of an accumulation
  std::vector<std::string> alternatives;       ///< what else was admissible
  std::string taken_text;                      ///< what was chosen, for people
  std::vector<std::string> alternatives_text;  ///< the alternatives, for people
  std::string policy;              ///< the option's word that chose; empty: there was no choice
  std::vector<std::string> notes;  ///< what a reader should know: clipped, marginal, ...
};

/// How a run ended.
enum class EndReason {
  kTime,           ///< the time asked for was reached
  kRest,           ///< the mechanism rests
  kJam,            ///< on_jam says stop, or contacts lock: no motion is possible
  kInconsistent,   ///< on_inconsistent says stop, or no impulse satisfies the laws either
  kIndeterminate,  ///< on_indeterminate says stop
  kEventLimit,     ///< max_events were reached
  kInterrupted,    ///< keep_going said so
  kFailure,        ///< the numerics failed
  kBranch,         ///< every choice is followed in a run of its own
  kBranchLimit,    ///< some choices are not followed
  kMerged,         ///< continues like another run
  kSection,        ///< the contact of the section has collided
  kCondition,      ///< the condition asked for holds
};
/// Their words in documents.
inline constexpr Words<13> kEndReasons{
    "time",        "rest",        "jam",      "inconsistent", "indeterminate",
    "event-limit", "interrupted", "failure",  "branch",       "branch-limit",
    "merged",      "section",     "condition"};

/// Where a run ended.
struct RunEnd {
  EndReason reason = EndReason::kTime;  ///< how
  double time = 0.0;                    ///< [s]
  Why why;                              ///< of a failure, or of a condition that was never true
};

/// What a run cost.
struct RunCounts {
  long evaluations = 0;  ///< of the field of motion, without those only the trajectory needs
  long steps = 0, rejected = 0;  ///< of the integration
};

/// A motion.
struct Run {
  Trajectory trajectory;                        ///< empty if the options do not keep it
  std::vector<Event> events;                    ///< in the order of time
  RunEnd end;                                   ///< how it ended
  State state;                                  ///< at the end, after relabelling
  RunCounts counts;                             ///< what it cost
  std::vector<ObservableRecord> observables{};  ///< of observe_tree, where some were asked for
  std::optional<RunVerdict> verdict;            ///< of check_run, where it was asked for
};

/// One run of a tree: from a choice to its end or to the next choices.
struct BranchRun {
  int parent = -1;                 ///< the run that ended at the choice; -1: the first run
  std::string choice;              ///< made at its start
  std::optional<int> merged_into;  ///< continues like this one, and is not followed
  Run run;                         ///< from the choice on
  std::string choice_text{};       ///< the choice for people
};

/// Every future that the options ask for. A run's number is its place in the list, which follows
/// each branch to its end before the next one. The default choice comes first.
struct RunTree {
  std::vector<BranchRun> runs;  ///< at least one
  bool branching = false;       ///< was asked for
  bool limited = false;         ///< some choices were not followed: too many, or too deep
};

/// A single run as a tree.
[[nodiscard]] inline RunTree make_tree(Run run) {
  RunTree out;
  out.runs.push_back({-1, {}, {}, std::move(run)});
  return out;
}

}  // namespace slipstick
