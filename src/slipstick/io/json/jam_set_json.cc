#include "slipstick/io/json/jam_set_json.h"

#include <algorithm>
#include <utility>

#include "slipstick/io/json/outcomes_json.h"

namespace slipstick {
namespace {

Json make_optional(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// The least and the greatest of the values at points of an interval.
Json make_spread_in(const JamSet& set, const OutcomeInterval& interval,
                    const std::vector<std::optional<double>>& values) {
  std::optional<double> least;
  std::optional<double> most;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double at = set.axes[0].value(i);
    if (!values[i] || at < interval.from || at > interval.to) continue;
    least = least ? std::min(*least, *values[i]) : *values[i];
    most = most ? std::max(*most, *values[i]) : *values[i];
  }
  if (!least) return nullptr;
  return Json::array({*least, *most});
}

void add_slips_along(const JamSet& set, Json& out) {
  Json jams = Json::array();
  Json lasts = Json::array();
  for (const auto& slip : set.slips.jams) jams.push_back(make_optional(slip));
  for (const auto& slip : set.slips.lasts) lasts.push_back(make_optional(slip));
  out["critical_slip"] = std::move(jams);
  out["least_slip"] = std::move(lasts);
  for (std::size_t i = 0; i < set.map.intervals.size(); ++i) {
    const OutcomeInterval& interval = set.map.intervals[i];
    out["intervals"][i]["critical_slip"] = make_spread_in(set, interval, set.slips.jams);
    out["intervals"][i]["least_slip"] = make_spread_in(set, interval, set.slips.lasts);
  }
}

Json make_prevention_border(const PreventionBorder& border) {
  return {
      {"now", border.is_free ? "impossible" : "possible"},
      {"value", make_optional(border.value)},
      {"error", border.value ? Json(border.error) : Json(nullptr)},
      {"impossible", border.value ? Json(border.is_free_above ? "above" : "below") : Json(nullptr)},
      {"reason", border.value ? Json(nullptr) : Json(border.why.sentence)}};
}

Json make_friction_curve(const std::vector<FrictionAt>& curve) {
  Json out{{"value", Json::array()},
           {"mu", Json::array()},
           {"mu_min", Json::array()},
           {"mu_jam", Json::array()}};
  for (const FrictionAt& at : curve) {
    out["value"].push_back(at.value);
    out["mu"].push_back(at.why ? Json(nullptr) : Json(at.mu));
    out["mu_min"].push_back(make_optional(at.mu_min));
    out["mu_jam"].push_back(make_optional(at.mu_jam));
  }
  return out;
}

}  // namespace

Json make_jam_set_json(const LoadedModel& loaded, const JamSet& set) {
  OutcomesAnswer answer;
  answer.verb = "jam";
  answer.call = set.call;
  answer.axes = set.axes;
  answer.map = set.map;
  Json out = make_outcomes_json(loaded, answer, false);
  out.erase("model");
  if (!set.slips.jams.empty()) add_slips_along(set, out);
  return out;
}

Json make_prevention_json(const PreventionAnswer& answer) {
  const Prevention& prevention = answer.prevention;
  return {{"parameter", answer.parameter},
          {"value", prevention.present.value},
          {"mu", prevention.present.mu},
          {"mu_min", make_optional(prevention.present.mu_min)},
          {"mu_jam", make_optional(prevention.present.mu_jam)},
          {"paradox", make_prevention_border(prevention.paradox)},
          {"jam", make_prevention_border(prevention.jam)},
          {"curve", make_friction_curve(prevention.curve)}};
}

}  // namespace slipstick
