#include "gait_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gait_perturb.h"
#include "slipstick/check.h"
#include "slipstick/model/function.h"
#include "slipstick/model/model.h"

namespace slipstick::cli {
namespace {

std::string describe_multiplier(const std::complex<double>& value) {
  std::string out = fmt::format("{:.12g}", value.real());
  if (value.imag() != 0.0)
    out += fmt::format(" {} {:.12g} i", value.imag() < 0.0 ? '-' : '+', std::abs(value.imag()));
  return out;
}

std::string describe_orbit(const Model& model, const Orbit& orbit, const GaitReport& report) {
  const auto name = [&](int contact) {
    return model.contact_names[static_cast<std::size_t>(contact)];
  };
  std::string out = fmt::format("gait            {}\n", orbit.stable() ? "stable" : "unstable");
  out += fmt::format("period          {:.12g} s\n", orbit.period());
  if (report.step_length) out += fmt::format("step length     {:.12g} m\n", *report.step_length);
  out += "state just after the impact\n";
  for (int i = 0; i < model.size(); ++i) {
    const std::string& coordinate = model.coordinates[static_cast<std::size_t>(i)];
    out += fmt::format("  {:<12} {:19.15g}   {:<16} {:19.15g}\n", coordinate,
                       orbit.state.q[i] + 0.0, rate_name(coordinate), orbit.state.v[i] + 0.0);
  }
  out += "multipliers\n";
  for (const auto& value : orbit.multipliers) {
    out += fmt::format("  {:<42} modulus {:.10g}\n", describe_multiplier(value), std::abs(value));
  }
  if (report.mu_stick) {
    out += fmt::format("mu to stick     {:.12g} ({} at {:.6g} s)\n", report.mu_stick->value,
                       name(report.mu_stick->contact), report.mu_stick->time);
  }
  if (report.impulse_ratio) {
    out += fmt::format("impulse ratio   {:.12g}\n", *report.impulse_ratio);
  }
  if (report.least_force) {
    out += fmt::format("least force     {:.6g} N ({} at {:.6g} s)\n", report.least_force->value,
                       name(report.least_force->contact), report.least_force->time);
  }
  out += fmt::format(
      "energy          gravity {:.6g} J, lost at impacts {:.6g} J, to friction and "
      "loads {:.6g} J\n",
      report.energy.gravity, report.energy.impacts, report.energy.friction);
  for (const Exposure& exposure : report.exposure) {
    out += fmt::format("exposed         {} slip of {} from {:.9g} to {:.9g} s: {}\n",
                       exposure.slip_sign > 0.0 ? "forward" : "backward", name(exposure.contact),
                       exposure.time.low, exposure.time.high,
                       exposure.indeterminate.empty()  ? "no force"
                       : exposure.inconsistent.empty() ? "several forces"
                                                       : "no force or several");
  }
  if (report.exposure.empty()) out += "exposed         nowhere\n";
  return out;
}

std::string describe_branch(const std::string& parameter, const Branch& branch) {
  std::string out = fmt::format("\n{:>16}  {:>14}  {:>12}\n", parameter, "period [s]", "modulus");
  for (const BranchPoint& point : branch.points) {
    const double modulus = point.multipliers.empty() ? 0.0 : std::abs(point.multipliers.front());
    out += fmt::format("{:16.10g}  {:14.10g}  {:12.8g}  {}\n", point.parameter, point.period,
                       modulus, point.stable ? "" : "unstable");
  }
  for (const Bifurcation& found : branch.bifurcations) {
    out += fmt::format("{} at {} = {:.12g}\n", find_word(kBifurcationTypes, found.type), parameter,
                       found.at.parameter);
    if (!found.before.empty()) {
      out += fmt::format("  from  {}\n  to    {}\n", found.before, found.after);
    }
  }
  for (const std::string& note : branch.notes) out += fmt::format("{}: {}\n", parameter, note);
  if (branch.end) out += branch.end.sentence + "\n";
  return out;
}

std::string describe_slips(const SlipGrid& grid, const SlipMap& map) {
  std::array<int, kSlipOutcomes.size()> counts{};
  std::size_t rows = 0;
  long regained = 0;
  for (std::size_t i = 0; i < grid.times.size(); ++i) {
    rows += map.outcomes[i].empty() ? 0U : 1U;
    for (const SlipOutcome outcome : map.outcomes[i]) ++counts[static_cast<std::size_t>(outcome)];
    regained += std::count(map.regained[i].begin(), map.regained[i].end(), true);
  }
  std::string out = fmt::format("\nslips of {:.6g} to {:.6g} m/s at {} times\n", grid.slips.front(),
                                grid.slips.back(), grid.times.size());
  if (!map.complete()) out += fmt::format("interrupted after {} of them\n", rows);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] > 0) out += fmt::format("  {:<14} {}\n", kSlipOutcomes[k], counts[k]);
  }
  out += fmt::format("the gait is regained after {} of {}\n", regained, rows * grid.slips.size());
  for (const double direction : {1.0, -1.0}) {
    const auto basin = find_slip_basin(grid, map, direction);
    if (!basin) continue;
    out += fmt::format("  at all times after {} slips up to {:.6g} m/s\n",
                       direction > 0.0 ? "forward" : "backward", *basin);
  }
  return out;
}

}  // namespace

std::string describe_gait(const LoadedModel& loaded, const GaitAnswer& answer) {
  std::string out = fmt::format("{}: {}\n\n", loaded.model->name, loaded.model->title);
  if (!answer.search.orbit)
    return out + fmt::format("gait            none: {}\n", answer.search.why.sentence);
  out += describe_orbit(*loaded.model, *answer.search.orbit, answer.report);
  const Run& run = answer.search.orbit->walk.run;
  if (run.verdict) out += describe_check(*loaded.model, run.verdict->check) + "\n";
  if (answer.slip_map) out += describe_slips(answer.slips, *answer.slip_map);
  if (answer.perturbation_map) out += describe_perturbations(answer);
  if (answer.branch) out += describe_branch(answer.parameter, *answer.branch);
  if (answer.doubled) {
    out += "\ntwice the period";
    out += describe_branch(answer.parameter, *answer.doubled);
  }
  return out;
}

}  // namespace slipstick::cli
