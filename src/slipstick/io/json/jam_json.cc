#include "slipstick/io/json/jam_json.h"

#include <string>

#include "slipstick/io/json/json.h"
#include "slipstick/mode_letters.h"

namespace slipstick {
namespace {

std::string find_outcome_word(JamOutcome outcome) {
  return std::string(find_word(kJamOutcomes, outcome));
}

const std::string& find_contact_name(const Model& model, int contact) {
  return model.contact_names[static_cast<std::size_t>(contact)];
}

/// The keys of one end of sliding.
Json make_sliding_end(const Model& model, const SlidingEnd& end) {
  Json contacts = Json::array();
  for (const int contact : end.contacts) contacts.push_back(find_contact_name(model, contact));
  Json out{{"outcome", find_outcome_word(end.outcome)},
           {"time", end.time},
           {"state", make_state(model, end.state)},
           {"exponent", end.exponent ? make_number(*end.exponent) : Json(nullptr)},
           {"contacts", std::move(contacts)}};
  if (end.outcome == JamOutcome::kMarginal) {
    Json candidates = Json::array();
    for (const JamOutcome other : end.candidates) candidates.push_back(find_outcome_word(other));
    out["candidates"] = std::move(candidates);
  }
  if (end.coordinate >= 0) {
    out["coordinate"] = model.coordinates[static_cast<std::size_t>(end.coordinate)];
  }
  for (const Why& why : end.reasons) out["reason"] = why.sentence;
  return out;
}

void add_threshold(const std::string& key, const SlipThreshold& threshold, Json& out) {
  out[key] = threshold.slip ? Json(*threshold.slip) : Json(nullptr);
  out[key + "_error"] = threshold.slip ? Json(threshold.error) : Json(nullptr);
  out[key + "_reason"] = threshold.slip ? Json(nullptr) : Json(threshold.why.sentence);
}

void add_slips(const Model& model, const CriticalSlip& slip, Json& out) {
  add_threshold("critical_slip", slip.jams, out);
  add_threshold("least_slip", slip.lasts, out);
  const bool moves_surface = !slip.by_translation && slip.surface >= 0;
  out["slip_varied"] = {
      {"contact", find_contact_name(model, slip.contact.contact)},
      {"direction", to_letter(make_slip_mode(slip.contact.slip_sign))},
      {"by", moves_surface
                 ? "surface " + model.surfaces[static_cast<std::size_t>(slip.surface)].name
                 : std::string("translation")},
      {"outcome_at_great_slip", find_outcome_word(slip.fast)}};
}

Json make_jam_point(const Model& model, const JamPoint& point) {
  return {{"state", make_state(model, point.state)},
          {"slip", point.slip},
          {"p", point.p},
          {"b", point.b},
          {"eigenvalues", {make_number(point.alpha), make_number(point.beta)}},
          {"gamma", make_number(point.gamma)},
          {"ratio", make_number(point.ratio())},
          {"exponent", make_number(point.exponent())},
          {"type", find_word(kJamPointTypes, point.type)},
          {"unbounded_force", point.type == JamPointType::kJam},
          {"in_range", point.in_range}};
}

void add_reach(const Model& model, const JamReach& reach, Json& out) {
  Json points = Json::array();
  for (const JamPoint& point : reach.points.points) points.push_back(make_jam_point(model, point));
  out["points"] = std::move(points);
  const Why& why = reach.why ? reach.why : reach.points.why;
  out["points_reason"] = why ? Json(why.sentence) : Json(nullptr);
  const auto make = [&](const std::optional<CriticalFriction>& critical) {
    return critical && !reach.why ? make_friction_numbers(model, *critical) : Json(nullptr);
  };
  const Json reachable = make(reach.reachable);
  for (const char* key : {"mu_min", "at", "mu_jam", "mu_jam_at"}) {
    out[key] = reachable.is_null() ? Json(nullptr) : reachable[key];
  }
  out["mu_jam_reason"] =
      reachable.is_null() ? Json(reach.why.sentence) : reachable["mu_jam_reason"];
  out["unrestricted"] = make(reach.unrestricted);
}

Json make_rows(const std::vector<JamRow>& rows) {
  Json out{{"time", Json::array()},    {"p", Json::array()},        {"b", Json::array()},
           {"force_n", Json::array()}, {"centre_t", Json::array()}, {"centre_n", Json::array()}};
  for (const JamRow& row : rows) {
    out["time"].push_back(row.time);
    out["p"].push_back(make_number(row.p));
    out["b"].push_back(make_number(row.b));
    out["force_n"].push_back(make_number(row.force_n));
    out["centre_t"].push_back(row.centre ? make_number(row.centre->x()) : Json(nullptr));
    out["centre_n"].push_back(row.centre ? make_number(row.centre->y()) : Json(nullptr));
  }
  return out;
}

}  // namespace

Json make_jam_json(const LoadedModel& loaded, const JamAnswer& answer) {
  const Model& model = *loaded.model;
  Json out{{"model", model.name}};
  out.update(make_sliding_end(model, answer.motion.end()));
  Json then = Json::array();
  for (std::size_t i = 1; i < answer.motion.ends.size(); ++i) {
    then.push_back(make_sliding_end(model, answer.motion.ends[i]));
  }
  out["then"] = std::move(then);
  add_slips(model, answer.slip, out);
  out["jam"] = answer.jam ? make_jam_point(model, *answer.jam) : Json(nullptr);
  out["range"] = make_coordinate_ranges(model, answer.range);
  add_reach(model, answer.reach, out);
  out["motion"] = make_rows(answer.rows);
  return out;
}

Json make_resting_jam_json(const LoadedModel& loaded) {
  Json out{{"model", loaded.model->name}, {"outcome", nullptr}};
  for (const char* key : {"time", "state", "exponent", "critical_slip", "least_slip"}) {
    out[key] = nullptr;
  }
  out["reason"] = "no contact slides at the state";
  return out;
}

}  // namespace slipstick
