#include "slipstick/io/json/json.h"

#include <algorithm>
#include <cmath>

#include "slipstick/critical_friction.h"
#include "slipstick/io/json/json_parts.h"
#include "slipstick/io/json/run_json.h"
#include "slipstick/mode_letters.h"

namespace slipstick {
namespace {

Json make_family(const Model& model, const ForceFamily& family) {
  Json out{{"dimension", family.dimension},
           {"normal_force", make_ranges(family.force_n)},
           {"tangential_force", make_ranges(family.force_t)}};
  if (!family.acceleration_is_unique) {
    Json ranges = Json::object();
    for (std::size_t i = 0; i < family.acceleration.size(); ++i) {
      ranges[model.coordinates[i]] = make_range(family.acceleration[i]);
    }
    out["acceleration"] = ranges;
  }
  return out;
}

Json make_solution(const Model& model, const ModeSolution& solution) {
  Json out{{"modes", to_letters(solution.modes)},
           {"normal_force", make_list(solution.force_n)},
           {"tangential_force", make_list(solution.force_t)},
           {"acceleration", make_by_coordinate(model, solution.acceleration, "")}};
  if (solution.family.dimension > 0) out["family"] = make_family(model, solution.family);
  return out;
}

Json make_contact(const Model& model, const Classification& classification, int i) {
  const ContactKinematics& kinematics = classification.kinematics;
  Json out{{"name", model.contacts[static_cast<std::size_t>(i)].name},
           {"status", status_name(classification.status[static_cast<std::size_t>(i)])},
           {"gap", kinematics.gap[i]},
           {"gap_rate", kinematics.gap_rate[i]},
           {"slip", kinematics.slip[i]},
           {"p", nullptr},
           {"b", nullptr}};
  for (const SlidingTerms& terms : classification.sliding.contacts) {
    if (terms.contact != i) continue;
    out["p"] = terms.p;
    out["b"] = terms.b;
  }
  return out;
}

Json make_settings(const std::vector<Setting>& settings) {
  Json out = Json::object();
  for (const Setting& setting : settings) {
    out[setting.name] = {{"value", setting.value}, {"default", setting.expression}};
  }
  return out;
}

Json make_curve(const std::vector<OrientationPoint>& curve) {
  Json values = Json::array();
  Json p = Json::array();
  for (const OrientationPoint& point : curve) {
    values.push_back(point.at);
    p.push_back(point.least);
  }
  return {{"values", values}, {"p", p}};
}

/// Friction as a multiple of `mu`; a list for one axis, rows of the second for two.
Json make_landscape(const Model& model, const FrictionLandscape& landscape, double mu) {
  if (landscape.axes.empty()) return nullptr;
  Json axes = Json::array();
  for (std::size_t axis = 0; axis < landscape.axes.size(); ++axis) {
    Json values = Json::array();
    for (int i = 0; i < landscape.count; ++i) values.push_back(landscape.value_at(axis, i));
    const auto coordinate = static_cast<std::size_t>(landscape.axes[axis].coordinate);
    axes.push_back({{"name", model.coordinates[coordinate]}, {"values", values}});
  }
  Json rows = Json::array();
  for (std::size_t i = 0; i < landscape.scale.size(); ++i) {
    if (i % static_cast<std::size_t>(landscape.count) == 0) rows.push_back(Json::array());
    rows.back().push_back(make_number(landscape.scale[i] * mu));
  }
  return {{"axes", axes}, {"mu", landscape.axes.size() == 1 ? rows[0] : rows}};
}

std::string print_part(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_long_text(const Json& json) {
  constexpr std::size_t kLong = 4096;
  return json.is_string() && json.get_ref<const std::string&>().size() > kLong;
}
bool holds_long_text(const Json& json) {
  if (!json.is_structured()) return is_long_text(json);
  return std::any_of(json.begin(), json.end(), holds_long_text);
}

/// True if no character has to be escaped in JSON.
bool is_plain(const std::string& text) {
  bool out = true;
  for (const char c : text) out &= c >= ' ' && c < '\x7f' && c != '"' && c != '\\';
  return out;
}

void write_part(const Json& json, const ByteSink& sink) {
  if (is_long_text(json) && is_plain(json.get_ref<const std::string&>())) {
    sink("\"");
    sink(json.get_ref<const std::string&>());
    sink("\"");
  } else if (!json.is_structured() || !holds_long_text(json)) {
    sink(print_part(json));
  } else {
    const bool is_object = json.is_object();
    const char* before = is_object ? "{" : "[";
    for (const auto& [key, value] : json.items()) {
      sink(before);
      if (is_object) sink(print_part(Json(key)) + ":");
      write_part(value, sink);
      before = ",";
    }
    sink(is_object ? "}" : "]");
  }
}

}  // namespace

std::string print(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string print_line(const Json& json) { return print_part(json) + "\n"; }

void write_line(const Json& json, const ByteSink& sink) {
  write_part(json, sink);
  sink("\n");
}

Json make_by_coordinate(const Model& model, const VecQ& values, const char* suffix) {
  Json out = Json::object();
  for (int i = 0; i < model.size(); ++i) {
    out[model.coordinates[static_cast<std::size_t>(i)] + suffix] = values[i];
  }
  return out;
}

Json make_state(const Model& model, const State& state) {
  Json out = make_by_coordinate(model, state.q, "");
  out.update(make_by_coordinate(model, state.v, "_dot"));
  return out;
}

const char* class_name(const Classification& classification) {
  if (!classification.list_colliding().empty()) return "colliding";
  switch (classification.contact_class) {
    case ContactClass::kConsistent:
      return "consistent";
    case ContactClass::kIndeterminate:
      return "indeterminate";
    case ContactClass::kInconsistent:
      break;
  }
  return "inconsistent";
}

const char* status_name(ContactStatus status) {
  switch (status) {
    case ContactStatus::kInactive:
      return "inactive";
    case ContactStatus::kOpen:
      return "open";
    case ContactStatus::kColliding:
      return "colliding";
    case ContactStatus::kClosed:
      break;
  }
  return "closed";
}

namespace {

/// The contacts that collide, and the call that computes the impact.
Json make_collision(const Model& model, const Classification& classification) {
  Json contacts = Json::array();
  for (const int i : classification.list_colliding()) {
    contacts.push_back(model.contact_names[static_cast<std::size_t>(i)]);
  }
  if (contacts.empty()) return nullptr;
  return {{"contacts", contacts}, {"see", "slipstick impact " + model.name}};
}

}  // namespace

Json make_sliding_mobility(const Sliding& sliding) {
  if (sliding.contacts.empty()) return nullptr;
  Json out = Json::array();
  for (Eigen::Index i = 0; i < sliding.P.rows(); ++i) {
    out.push_back(make_list(VecC(sliding.P.row(i))));
  }
  return out;
}

Json make_minors(const Model& model, const Sliding& sliding) {
  Json out = Json::array();
  for (const Minor& minor : sliding.minors) {
    Json contacts = Json::array();
    for (const int i : minor.contacts) {
      contacts.push_back(model.contact_names[static_cast<std::size_t>(i)]);
    }
    out.push_back({{"contacts", contacts}, {"value", minor.value}});
  }
  return out;
}

Json make_classify_json(const LoadedModel& loaded, const Classification& classification,
                        const Check& check) {
  const Model& model = *loaded.model;
  Json contacts = Json::array();
  for (int i = 0; i < model.contact_count(); ++i) {
    contacts.push_back(make_contact(model, classification, i));
  }
  Json solutions = Json::array();
  for (const ModeSolution& solution : classification.solutions) {
    solutions.push_back(make_solution(model, solution));
  }
  const auto& p_matrix = classification.sliding.p_matrix;
  return {{"model", model.name},
          {"state", make_state(model, loaded.initial)},
          {"class", class_name(classification)},
          {"impact", make_collision(model, classification)},
          {"solutions", solutions},
          {"contacts", contacts},
          {"P", make_sliding_mobility(classification.sliding)},
          {"minors", make_minors(model, classification.sliding)},
          {"p_matrix", p_matrix ? Json(*p_matrix) : Json(nullptr)},
          {"marginal", classification.marginal},
          {"check", make_check(model, check)}};
}

Json make_along_json(const LoadedModel& loaded, const CoordinateRange& along,
                     const ParadoxAlong& result) {
  const auto list = [](const std::vector<Interval>& intervals) {
    Json out = Json::array();
    for (const Interval& interval : intervals) out.push_back({interval.low, interval.high});
    return out;
  };
  return {{"model", loaded.model->name},
          {"along", loaded.model->coordinates[static_cast<std::size_t>(along.coordinate)]},
          {"range", {along.low, along.high}},
          {"intervals", list(result.intervals)},
          {"reachable", list(result.reachable)},
          {"curve", make_curve(result.curve)}};
}

Json make_map_json(const LoadedModel& loaded, const MapAxis& first, const MapAxis& second,
                   const ParadoxMap& map, bool with_regions) {
  Json axes = Json::array();
  for (const MapAxis* axis : {&first, &second}) {
    axes.push_back({{"name", name_axis(*loaded.model, *axis)},
                    {"from", axis->low},
                    {"to", axis->high},
                    {"count", axis->count}});
  }
  Json boundaries = Json::array();
  for (const Boundary& boundary : map.boundaries) {
    boundaries.push_back({{"what", boundary.what}, {"points", make_points(boundary.points)}});
  }
  Json counts = Json::array();
  for (int region = 0; region < 5; ++region) {
    std::int64_t count = 0;
    for (const std::vector<int>& row : map.regions) {
      count += std::count(row.begin(), row.end(), region);
    }
    counts.push_back(count);
  }
  Json out{{"model", loaded.model->name}, {"axes", axes}, {"counts", counts}};
  if (with_regions) out["regions"] = map.regions;
  out["boundaries"] = std::move(boundaries);
  out["refused"] =
      map.refused == 0 ? Json(nullptr) : Json{{"points", map.refused}, {"why", map.why}};
  return out;
}

Json make_friction_numbers(const Model& model, const CriticalFriction& critical) {
  const double largest = *std::max_element(critical.friction.begin(), critical.friction.end());
  const bool exists = std::isfinite(critical.scale);
  const bool jams = critical.jam_scale.has_value();
  const bool has_place = jams && critical.jam_at.size() > 0;
  return {{"mu_min", make_number(critical.scale * largest)},
          {"at", exists ? make_by_coordinate(model, critical.at, "") : Json(nullptr)},
          {"mu_jam", jams ? Json(*critical.jam_scale * largest) : Json(nullptr)},
          {"mu_jam_at", has_place ? make_by_coordinate(model, critical.jam_at, "") : Json(nullptr)},
          {"mu_jam_reason", jams ? Json(nullptr) : Json(critical.no_jam.sentence)}};
}

Json make_critical_friction_json(const LoadedModel& loaded, const ParadoxProblem& problem,
                                 const CriticalFriction& critical,
                                 const CriticalFriction* in_range) {
  const Model& model = *loaded.model;
  Json contacts = Json::array();
  double largest = 0.0;
  for (std::size_t i = 0; i < problem.sliding.size(); ++i) {
    const Contact& contact = model.contacts[static_cast<std::size_t>(problem.sliding[i].contact)];
    const double mu = critical.friction[i];
    largest = std::max(largest, mu);
    contacts.push_back({{"name", contact.name},
                        {"mu_min", make_number(critical.scale * mu)},
                        {"slip", to_letter(make_slip_mode(critical.slip_signs[i]))}});
  }
  const bool exists = std::isfinite(critical.scale);
  return {
      {"model", model.name},
      {"mu_min", make_number(critical.scale * largest)},
      {"at", exists ? make_by_coordinate(model, critical.at, "") : Json(nullptr)},
      {"mu_jam", critical.jam_scale ? Json(*critical.jam_scale * largest) : Json(nullptr)},
      {"mu_jam_at", make_friction_numbers(model, critical)["mu_jam_at"]},
      {"mu_jam_reason", critical.jam_scale ? Json(nullptr) : Json(critical.no_jam.sentence)},
      {"in_range", in_range != nullptr ? make_friction_numbers(model, *in_range) : Json(nullptr)},
      {"scale", make_number(critical.scale)},
      {"contacts", contacts},
      {"landscape", make_landscape(model, critical.landscape, largest)}};
}

Json make_coordinate_ranges(const Model& model, const std::vector<CoordinateRange>& range) {
  Json out = Json::object();
  for (const CoordinateRange& own : range) {
    out[model.coordinates[static_cast<std::size_t>(own.coordinate)]] = {own.low, own.high};
  }
  return out;
}

Json make_models_json(std::span<const LoadedModel> models) {
  Json list = Json::array();
  for (const LoadedModel& loaded : models) {
    Json contacts = Json::array();
    for (const Contact& contact : loaded.model->contacts) contacts.push_back(contact.name);
    list.push_back({{"name", loaded.model->name},
                    {"title", loaded.model->title},
                    {"source", loaded.model->source},
                    {"coordinates", loaded.model->coordinates},
                    {"contacts", contacts},
                    {"parameters", make_settings(loaded.parameters)},
                    {"initial", make_settings(loaded.initial_values)},
                    {"range", make_coordinate_ranges(*loaded.model, loaded.range)}});
  }
  return {{"models", list}};
}

}  // namespace slipstick
