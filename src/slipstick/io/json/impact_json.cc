#include "slipstick/io/json/impact_json.h"

#include "slipstick/io/json/json.h"
#include "slipstick/io/json/run_json.h"
#include "slipstick/mode_letters.h"

namespace slipstick {
namespace {

const std::string& name_contact(const Model& model, int contact) {
  return model.contact_names[static_cast<std::size_t>(contact)];
}

Json name_contacts(const Model& model, const std::vector<int>& contacts) {
  Json out = Json::array();
  for (const int i : contacts) out.push_back(name_contact(model, i));
  return out;
}

Json make_impulse_point(const ImpulsePoint& point) {
  return {{"impulse_n", point.impulse_n},
          {"impulse_t", point.impulse_t},
          {"gap_rate", point.gap_rate},
          {"slip", point.slip}};
}

Json make_path(const Model& model, const std::vector<ImpactPiece>& path) {
  Json out = Json::array();
  for (const ImpactPiece& piece : path) {
    out.push_back({{"phase", find_word(kImpactPhases, piece.phase)},
                   {"contact", name_contact(model, piece.contact)},
                   {"motion", to_letter(piece.motion)},
                   {"impulse_n", piece.impulse_n},
                   {"impulse_t", piece.impulse_t},
                   {"end", make_impulse_point(piece.end)}});
  }
  return out;
}

Json make_planes(const Model& model, const std::vector<ImpulsePlane>& planes) {
  const auto make_line = [](const ImpulseLine& line) {
    return Json{{"c", line.c}, {"n", line.n}, {"t", line.t}};
  };
  Json out = Json::array();
  for (const ImpulsePlane& plane : planes) {
    out.push_back({{"contact", name_contact(model, plane.contact)},
                   {"mu", plane.mu},
                   {"start", make_impulse_point(plane.start)},
                   {"sticking", make_line(plane.sticking)},
                   {"compressed", make_line(plane.compressed)}});
  }
  return out;
}

Json make_pushed(const Model& model, const std::vector<PushedContact>& pushed) {
  Json out = Json::array();
  for (const PushedContact& contact : pushed) {
    out.push_back(
        {{"contact", name_contact(model, contact.contact)}, {"gap_rate", contact.gap_rate}});
  }
  return out;
}

Json make_law_outcome(const Model& model, const LawOutcome& outcome) {
  const ImpactRecord& record = outcome.record;
  return {{"law", find_word(kImpactLaws, outcome.law)},
          {"contacts", name_contacts(model, outcome.contacts)},
          {"modes_before", to_letters(outcome.modes_before)},
          {"modes_after", to_letters(outcome.modes_after)},
          {"velocity_after", make_by_coordinate(model, outcome.after.v, "")},
          {"impulse_n", make_list(record.impulse_n)},
          {"impulse_t", make_list(record.impulse_t)},
          {"family", record.family ? make_impulse_family(model, *record.family) : Json(nullptr)},
          {"largest_jump", outcome.largest_jump ? Json(*outcome.largest_jump) : Json(nullptr)},
          {"energy_before", outcome.energy_before},
          {"energy_after", outcome.energy_after},
          {"work_of_surface", record.work_of_surface},
          {"path", make_path(model, outcome.path)},
          {"planes", make_planes(model, outcome.planes)},
          {"pushed", make_pushed(model, outcome.pushed)},
          {"notes", outcome.notes}};
}

void add_why(const Why& why, Json& out) {
  out["reason"] = why ? Json(why.sentence) : Json(nullptr);
  out["code"] = why ? Json(find_word(kWhyCodes, why.code)) : Json(nullptr);
}

}  // namespace

Json make_impact_json(const LoadedModel& loaded, const ImpactAnswer& answer) {
  const Model& model = *loaded.model;
  Json out{{"model", model.name},
           {"state", make_state(model, loaded.initial)},
           {"class", class_name(answer.classification)},
           {"kind", find_word(kImpactKinds, answer.kind)},
           {"contacts", name_contacts(model, answer.contacts)},
           {"only", answer.only ? Json(name_contact(model, *answer.only)) : Json(nullptr)},
           {"outcomes", Json::array()},
           {"laws", Json::array()}};
  add_why(answer.why, out);
  for (const LawOutcome& outcome : answer.outcomes) {
    out["outcomes"].push_back(make_law_outcome(model, outcome));
  }
  for (const LawAnswer& law : answer.laws) {
    Json told{{"law", find_word(kImpactLaws, law.law)}, {"outcomes", law.count}};
    add_why(law.why, told);
    told["runs_use"] = law.runs_use ? Json(find_word(kImpactLaws, *law.runs_use)) : Json(nullptr);
    out["laws"].push_back(std::move(told));
  }
  out["check"] = make_check(model, answer.check);
  return out;
}

}  // namespace slipstick
