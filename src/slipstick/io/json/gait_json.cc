#include "slipstick/io/json/gait_json.h"

#include <utility>

#include "slipstick/io/hdf5/hdf5_parts.h"
#include "slipstick/io/json/json_parts.h"
#include "slipstick/io/json/perturbation_json.h"
#include "slipstick/io/json/run_json.h"

namespace slipstick {
namespace {

using Multipliers = std::vector<std::complex<double>>;

Json make_multipliers(const Multipliers& multipliers) {
  Json out = Json::array();
  for (const auto& value : multipliers) out.push_back({value.real(), value.imag()});
  return out;
}

Json make_extreme(const Model& model, const std::optional<Extreme>& extreme) {
  if (!extreme) return nullptr;
  return {{"value", extreme->value},
          {"time", extreme->time},
          {"contact", model.contact_names[static_cast<std::size_t>(extreme->contact)]}};
}

Json make_intervals(const std::vector<Interval>& intervals) {
  Json out = Json::array();
  for (const Interval& interval : intervals) out.push_back({interval.low, interval.high});
  return out;
}

/// Intervals of one slip direction, of all contacts.
Json make_exposure(const GaitReport& report, double slip_sign) {
  std::vector<Interval> out;
  for (const Exposure& exposure : report.exposure) {
    if (exposure.slip_sign == slip_sign) out.push_back(exposure.time);
  }
  return make_intervals(out);
}

Json make_exposure_cases(const Model& model, const GaitReport& report) {
  Json out = Json::array();
  for (const Exposure& exposure : report.exposure) {
    out.push_back({{"contact", model.contact_names[static_cast<std::size_t>(exposure.contact)]},
                   {"direction", exposure.slip_sign > 0.0 ? "+" : "-"},
                   {"time", {exposure.time.low, exposure.time.high}},
                   {"inconsistent", make_intervals(exposure.inconsistent)},
                   {"indeterminate", make_intervals(exposure.indeterminate)}});
  }
  return out;
}

template <class Value>
Json make_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

void add_orbit(const Model& model, const Orbit& orbit, const GaitReport& report, Json& out) {
  out["state"] = make_state(model, orbit.state);
  out["period"] = orbit.period();
  out["step_length"] = make_or_null(report.step_length);
  out["multipliers"] = make_multipliers(orbit.multipliers);
  out["stable"] = orbit.stable();
  out["mu_stick"] = nullptr;
  if (report.mu_stick) out["mu_stick"] = report.mu_stick->value;
  out["mu_stick_at"] = make_extreme(model, report.mu_stick);
  out["impulse_ratio"] = make_or_null(report.impulse_ratio);
  out["least_normal_force"] = make_extreme(model, report.least_force);
  out["energy"] = {{"gravity", report.energy.gravity},
                   {"impacts", report.energy.impacts},
                   {"friction", report.energy.friction}};
  out["exposure"] = make_exposure(report, 1.0);
  out["exposure_backward"] = make_exposure(report, -1.0);
  out["exposure_cases"] = make_exposure_cases(model, report);
  out["events"] = Json::array();
  for (const Event& event : orbit.walk.run.events)
    out["events"].push_back(make_event(model, event));
  if (orbit.walk.run.verdict) out.update(make_verdict(model, *orbit.walk.run.verdict));
  out["search"] = {
      {"maps", orbit.maps}, {"derivatives", orbit.derivatives}, {"residual", orbit.residual}};
}

Json make_branch_points(const Model& model, const Branch& branch) {
  Json out = Json::array();
  for (const BranchPoint& point : branch.points) {
    out.push_back({{"value", point.parameter},
                   {"state", make_state(model, point.state)},
                   {"period", point.period},
                   {"multipliers", make_multipliers(point.multipliers)},
                   {"stable", point.stable},
                   {"sequence", point.sequence}});
  }
  return out;
}

Json make_bifurcations(const Model& model, const std::string& parameter, const Branch& branch) {
  Json out = Json::array();
  for (const Bifurcation& found : branch.bifurcations) {
    Json entry{{"type", find_word(kBifurcationTypes, found.type)},
               {"parameter", parameter},
               {"value", found.at.parameter},
               {"state", make_state(model, found.at.state)},
               {"multipliers", make_multipliers(found.at.multipliers)}};
    if (!found.before.empty()) {
      entry["before"] = found.before;
      entry["after"] = found.after;
    }
    out.push_back(std::move(entry));
  }
  return out;
}

void add_branch(const Model& model, const std::string& parameter, const Branch& branch, Json& out) {
  out["branch"] = make_branch_points(model, branch);
  out["bifurcations"] = make_bifurcations(model, parameter, branch);
  out["branch_end"] = branch.end ? Json(branch.end.sentence) : Json(nullptr);
  out["notes"] = branch.notes;
}

Json make_slips(const SlipGrid& grid, const SlipMap& map) {
  Json outcomes = Json::array();
  Json regained = Json::array();
  for (std::size_t i = 0; i < grid.times.size(); ++i) {
    const bool computed = !map.outcomes[i].empty();
    outcomes.push_back(Json::array());
    regained.push_back(Json::array());
    for (std::size_t j = 0; j < grid.slips.size(); ++j) {
      outcomes.back().push_back(computed ? Json(find_word(kSlipOutcomes, map.outcomes[i][j]))
                                         : Json(nullptr));
      regained.back().push_back(computed ? Json(static_cast<bool>(map.regained[i][j]))
                                         : Json(nullptr));
    }
  }
  Json out;
  out["times"] = grid.times;
  out["slips"] = grid.slips;
  out["outcome"] = std::move(outcomes);
  out["regained"] = std::move(regained);
  out["basin"]["forward"] = make_or_null(find_slip_basin(grid, map, 1.0));
  out["basin"]["backward"] = make_or_null(find_slip_basin(grid, map, -1.0));
  return out;
}

void write_branch(const Branch& branch, Hdf5Group group) {
  const std::size_t count = branch.points.size();
  const auto n = static_cast<std::size_t>(branch.points.front().state.q.size());
  std::size_t widest = 0;
  for (const BranchPoint& point : branch.points)
    widest = std::max(widest, point.multipliers.size());
  std::vector<double> values;
  std::vector<double> periods;
  std::vector<double> states;
  std::vector<double> multipliers;
  std::vector<std::int64_t> stable;
  std::vector<std::string> sequences;
  for (const BranchPoint& point : branch.points) {
    values.push_back(point.parameter);
    periods.push_back(point.period);
    stable.push_back(point.stable ? 1 : 0);
    sequences.push_back(point.sequence);
    states.insert(states.end(), point.state.q.begin(), point.state.q.end());
    states.insert(states.end(), point.state.v.begin(), point.state.v.end());
    Multipliers padded = point.multipliers;
    padded.resize(widest);  // zeros, where a section has fewer dimensions
    for (const auto& value : padded)
      multipliers.insert(multipliers.end(), {value.real(), value.imag()});
  }
  group.add("value", make_hdf5(std::move(values)));
  group.add("period", make_hdf5(std::move(periods)));
  group.add("state", {{count, 2 * n}, std::move(states)});
  group.add("multipliers", {{count, widest, 2}, std::move(multipliers)});
  group.add("stable", make_hdf5(std::move(stable)));
  group.add("sequence", make_hdf5(std::move(sequences)));
  std::vector<std::string> types;
  std::vector<double> at;
  for (const Bifurcation& found : branch.bifurcations) {
    types.emplace_back(find_word(kBifurcationTypes, found.type));
    at.push_back(found.at.parameter);
  }
  if (types.empty()) return;
  group.add("bifurcation_type", make_hdf5(std::move(types)));
  group.add("bifurcation_value", make_hdf5(std::move(at)));
}

void write_slips(const SlipGrid& grid, const SlipMap& map, Hdf5Group group) {
  group.set("outcomes", make_list_of(kSlipOutcomes));
  group.add("times", make_hdf5(grid.times));
  group.add("slips", make_hdf5(grid.slips));
  group.add("outcome", make_numbers(map.outcomes, grid.slips.size()));
  group.add("regained", make_numbers(map.regained, grid.slips.size()));
}

}  // namespace

Json make_gait_json(const LoadedModel& loaded, const GaitAnswer& answer) {
  const Model& model = *loaded.model;
  Json out{{"model", model.name}};
  if (answer.search.orbit) {
    add_orbit(model, *answer.search.orbit, answer.report, out);
  } else {
    out["state"] = nullptr;
    out["reason"] = answer.search.why.sentence;
  }
  if (answer.branch) add_branch(model, answer.parameter, *answer.branch, out);
  if (answer.doubled) {
    out["doubled"] = Json::object();
    add_branch(model, answer.parameter, *answer.doubled, out["doubled"]);
  }
  if (answer.slip_map) out["slips"] = make_slips(answer.slips, *answer.slip_map);
  if (answer.perturbation_map) out["perturbation"] = make_perturbation(model, answer);
  return out;
}

std::string make_gait_hdf5(const LoadedModel& loaded, const GaitAnswer& answer) {
  Hdf5Writer writer;
  {
    Hdf5Group root = writer.root();
    write_header("gait", loaded, root);
    std::vector<std::string> names = make_variable_names(loaded.model->coordinates);
    names.erase(names.begin());  // t
    root.set("state_names", make_hdf5(std::move(names)));
    if (answer.branch) {
      root.set("parameter", make_hdf5(answer.parameter));
      write_branch(*answer.branch, root.add_group("branch"));
    }
    if (answer.doubled) write_branch(*answer.doubled, root.add_group("doubled"));
    if (answer.slip_map) write_slips(answer.slips, *answer.slip_map, root.add_group("slips"));
    if (answer.perturbation_map) write_perturbation(answer, root.add_group("perturbation"));
  }
  return writer.make_bytes();
}

}  // namespace slipstick
