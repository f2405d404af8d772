#include "slipstick/gait_answer.h"

#include <fmt/format.h>

#include "slipstick/check.h"

namespace slipstick {
namespace {

/// The gait at the start of the path. It is reached from the gait at the parameter's own value, for
/// which the initial state was made.
OrbitSearch reach_start(const GaitPath& path, const GaitOptions& options) {
  OrbitSearch found = find_orbit(*path.at_own.model, path.at_own.initial, options);
  if (!found.orbit || path.own == path.from) return found;
  const Branch way = continue_orbit(path.family, *found.orbit,
                                    {options, path.own, path.from, 1000, path.keep_going});
  if (way.end) {
    return {{},
            {way.end.code, fmt::format("from the gait at {} = {:.6g}, {}", path.parameter, path.own,
                                       way.end.sentence)}};
  }
  return find_orbit(*path.family(path.from), way.points.back().state, options);
}

/// Times in the middle of equal parts, because the names change at the ends.
std::vector<double> list_times(double period, int phases) {
  std::vector<double> out;
  for (int i = 0; i < phases; ++i) out.push_back(period * (i + 0.5) / phases);
  return out;
}

/// The verdict of the gait's run includes the runs of the maps.
void join_check(const Check& check, GaitAnswer& answer) {
  std::optional<RunVerdict>& verdict = answer.search.orbit->walk.run.verdict;
  if (verdict) verdict = join_verdicts(*verdict, {check, {}});
}

void follow_slips(const Model& model, const GaitSlips& slips, bool checks, GaitAnswer& answer) {
  const Orbit& orbit = *answer.search.orbit;
  answer.slips = {list_times(orbit.period(), slips.phases), slips.slips, checks};
  answer.slip_map = find_slip_map(model, orbit, answer.slips, slips.keep_going);
  join_check(answer.slip_map->check, answer);
}

void follow_perturbations(const Model& model, const GaitPerturbation& asked, bool checks,
                          GaitAnswer& answer) {
  const Orbit& orbit = *answer.search.orbit;
  answer.perturbation = asked.what;
  answer.perturbations = {list_times(orbit.period(), asked.phases), asked.sizes, checks};
  answer.perturbation_map =
      find_perturbation_map(model, orbit, asked.what, answer.perturbations, asked.keep_going);
  join_check(answer.perturbation_map->check, answer);
}

/// The branch, and the branch of twice the period if one leaves it.
void follow_branch(const GaitPath& path, const GaitOptions& options, GaitAnswer& answer) {
  const ContinuationOptions along{options, path.from, path.to, 1000, path.keep_going};
  answer.parameter = path.parameter;
  answer.branch = continue_orbit(path.family, *answer.search.orbit, along);
  if (!path.follows_doubled) return;
  for (const Bifurcation& found : answer.branch->bifurcations) {
    if (found.type != BifurcationType::kPeriodDoubling) continue;
    answer.doubled = follow_doubled(path.family, found, along);
    return;
  }
}

}  // namespace

GaitAnswer find_gait(const GaitStart& start, const GaitQuestion& question) {
  GaitAnswer out;
  out.search = find_orbit(*start.model, start.initial, question.gait);
  if (!out.search.orbit && question.path) out.search = reach_start(*question.path, question.gait);
  if (!out.search.orbit) return out;
  Run& run = out.search.orbit->walk.run;
  if (question.checks) run.verdict = check_run(*start.model, question.gait.simulation, run);
  out.report = make_gait_report(*start.model, *out.search.orbit);
  if (question.slips) follow_slips(*start.model, *question.slips, question.checks, out);
  if (question.perturbation) {
    follow_perturbations(*start.model, *question.perturbation, question.checks, out);
  }
  if (question.path) follow_branch(*question.path, question.gait, out);
  return out;
}

}  // namespace slipstick
