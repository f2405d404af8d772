#pragma once

/// A check of finished runs by code that shares nothing with the driver: docs/theory/check.md.
///
///     const slipstick::RunVerdict verdict = slipstick::check_run(*arm.model, options, run);
///     std::cout << describe_check(*arm.model, verdict.check) << '\n';

#include <span>
#include <string>

#include "slipstick/classify.h"
#include "slipstick/model.h"
#include "slipstick/run.h"

namespace slipstick {

/// Checks every step and event of a run against the laws, with kinematics of its own. A run without
/// a trajectory is checked at its events only, and its balance stays zero.
[[nodiscard]] RunVerdict check_run(const Model& model, const SimulationOptions& options,
                                   const Run& run);

/// Checks every run of a tree and keeps the verdicts. A run that breaks a law ends as a failure
/// that says which. Every event gets its balance.
void check_tree(const Model& model, const SimulationOptions& options, RunTree& tree);

/// Only gives every event its balance, and a table of the motion its work (tables.h).
void balance_tree(const Model& model, const SimulationOptions& options, RunTree& tree);

/// A motion alone, checked as it goes: its trajectory is not kept.
[[nodiscard]] Run simulate_and_check(const Model& model, const State& initial,
                                     SimulationOptions options);

/// Joins the verdicts of two runs, of which the second continues the first.
[[nodiscard]] RunVerdict join_verdicts(const RunVerdict& first, const RunVerdict& second);

/// Checks the solutions of the contact problem at a state by plain arithmetic: equations of motion,
/// Signorini's and Coulomb's laws in accelerations.
[[nodiscard]] Check check_solutions(const Model& model, const State& state,
                                    std::span<const ModeSolution> solutions);

/// One line: passed or not, and the largest errors.
[[nodiscard]] std::string describe_check(const Model& model, const Check& check);

/// One line: where the energy came from and where it went.
[[nodiscard]] std::string describe_balance(const Balance& balance);

/// One sentence: law, contact, time and size.
[[nodiscard]] std::string describe_violation(const Model& model, const Violation& violation);

}  // namespace slipstick
