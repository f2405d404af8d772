#include "slipstick/io/page/scene_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "slipstick/contact/sliding.h"
#include "slipstick/io/page/base64.h"
#include "slipstick/io/page/phase_regions.h"
#include "slipstick/mode_letters.h"
#include "slipstick/model/dynamics.h"

namespace slipstick {
namespace {

Json make_body(const BodyFrame& body) {
  Json hulls = Json::array();
  for (const std::vector<Vec2>& points : body.hulls) hulls.push_back(make_points(points));
  Json masses = Json::array();
  for (const PointMass& mass : body.masses) {
    masses.push_back({mass.at.x(), mass.at.y(), mass.mass});
  }
  return {{"name", body.name}, {"hulls", hulls}, {"masses", masses}};
}

Json make_body_point(const BodyPoint& point) {
  return {{"body", point.body}, {"at", make_point(point.at)}};
}

/// Largest distance between points of one body [m].
double find_size(const Skeleton& skeleton) {
  double out = 0.0;
  for (const BodyFrame& body : skeleton.bodies) {
    std::vector<Vec2> points;
    for (const auto& hull : body.hulls) points.insert(points.end(), hull.begin(), hull.end());
    for (const Vec2& a : points) {
      for (const Vec2& b : points) out = std::max(out, (a - b).norm());
    }
  }
  return out > 0.0 ? out : 1.0;
}

bool moves(const Surface& surface) { return !surface.speed.is_zero(); }

/// Quantities and poses of one run, column by column.
class MotionColumns {
 public:
  MotionColumns(const Model& model, const MotionRows& rows) : model_(model), rows_(rows) {
    const auto is_angle = [&](std::size_t k) { return model.skeleton.tree.elements[k].is_angle; };
    for (std::size_t k = 0; k < model.coordinates.size(); ++k) {
      add(model.coordinates[k], "coordinate", is_angle(k) ? "rad" : "m");
    }
    for (std::size_t k = 0; k < model.coordinates.size(); ++k) {
      add(rate_name(model.coordinates[k]), "rate", is_angle(k) ? "rad/s" : "m/s");
    }
    constexpr std::array<std::array<const char*, 2>, 6> kOfContacts{{{"gap", "m"},
                                                                     {"slip", "m/s"},
                                                                     {"force_n", "N"},
                                                                     {"force_t", "N"},
                                                                     {"p", "1/kg"},
                                                                     {"b", "m/s²"}}};
    for (const auto& [group, unit] : kOfContacts) {
      for (std::size_t i = 0; i < model.contacts.size(); ++i) {
        add(fmt::format("{}_{}", group, model.contacts[i].name), group, unit);
        quantities_.back()["contact"] = i;
      }
    }
    add("kinetic_energy", "energy", "J");
    add("potential_energy", "energy", "J");
    add("energy", "energy", "J");
    for (const Observable& observable : rows.observed) {
      add(observable.name, "observable", observable.unit.c_str());
    }
    poses_.resize(3 * model.skeleton.bodies.size());
    travel_.resize(model.surfaces.size());
    columns_.resize(quantities_.size());
  }

  void reserve(std::size_t count) {
    time_.reserve(count);
    mode_.reserve(count);
    for (auto* columns : {&columns_, &poses_}) {
      for (std::vector<float>& column : *columns) column.reserve(count);
    }
  }

  void append(std::size_t row) {
    const ModeWord& word = rows_.words[static_cast<std::size_t>(rows_.mode[row])];
    const State state = make_state_at(model_, rows_, row);
    time_.push_back(state.time);
    mode_.push_back(static_cast<std::uint16_t>(rows_.mode[row]));
    std::size_t column = 0;
    const auto put = [&](double value) { columns_[column++].push_back(static_cast<float>(value)); };
    const auto put_all = [&](const auto& values) {
      for (Eigen::Index i = 0; i < values.size(); ++i) put(values[i]);
    };
    put_all(state.q);
    put_all(state.v);
    const ContactRow contacts = make_contacts_at(model_, rows_, state, row);
    for (const VecC* values :
         {&contacts.gap, &contacts.slip, &contacts.force_n, &contacts.force_t}) {
      put_all(*values);
    }
    const SlidingRow sliding = eval_sliding_row(model_, word, state);
    put_all(sliding.p);
    put_all(sliding.b);
    const double kinetic = eval_kinetic_energy(model_, state);
    put(kinetic);
    const double potential = eval_potential_energy(model_, state.q);
    put(potential);
    put(kinetic + potential);
    for (std::size_t i = 0; i < rows_.observed.size(); ++i) {
      put(rows_.observables[row * rows_.observed.size() + i]);
    }
    append_places(state);
  }

  /// Frees each column as soon as it has become text.
  [[nodiscard]] Json make_json() {
    const auto take = [](std::vector<float>& column) {
      return encode_base64(std::exchange(column, {}));
    };
    for (std::size_t i = 0; i < columns_.size(); ++i) quantities_[i]["data"] = take(columns_[i]);
    Json poses = Json::array();
    for (std::size_t i = 0; i < poses_.size(); i += 3) {
      Json& pose = poses.emplace_back(Json::object());
      pose["x"] = take(poses_[i]);
      pose["y"] = take(poses_[i + 1]);
      pose["angle"] = take(poses_[i + 2]);
    }
    Json travel = Json::array();
    for (std::size_t i = 0; i < travel_.size(); ++i) {
      const std::vector<float> single(travel_[i].begin(), travel_[i].end());
      travel.push_back(moves(model_.surfaces[i]) ? Json(encode_base64(single)) : Json(nullptr));
    }
    Json out{{"rows", time_.size()},
             {"modes", to_letters(rows_.words)},
             {"mode", encode_base64(mode_)},
             {"time", encode_base64(time_)}};
    // The large parts are moved: a list in braces would be copied.
    out["quantities"] = std::move(quantities_);
    out["poses"] = std::move(poses);
    out["travel"] = std::move(travel);
    return out;
  }

 private:
  void add(const std::string& key, const char* group, const char* unit) {
    quantities_.push_back({{"key", key}, {"group", group}, {"unit", unit}});
  }

  void append_places(const State& state) {
    std::size_t column = 0;
    for (const Pose& pose : eval_poses(model_.skeleton, state.q)) {
      for (const double value : {pose.at.x(), pose.at.y(), pose.angle}) {
        poses_[column++].push_back(static_cast<float>(value));
      }
    }
    for (std::size_t i = 0; i < travel_.size(); ++i) append_travel(i, state);
  }

  /// Adds the travel since the row before.
  void append_travel(std::size_t surface, const State& state) {
    std::vector<double>& out = travel_[surface];
    if (out.empty()) return out.push_back(0.0);
    const double from = time_[time_.size() - 2];
    out.push_back(out.back() + eval_surface_travel(model_.surfaces[surface], from, state));
  }

  const Model& model_;
  const MotionRows& rows_;
  std::vector<double> time_;
  std::vector<std::uint16_t> mode_;
  std::vector<Json> quantities_;
  std::vector<std::vector<float>> columns_, poses_;
  std::vector<std::vector<double>> travel_;  ///< sums, hence in double precision
};

/// A row next to an event, or at an end.
bool is_at_event(const MotionRows& rows, std::size_t i) {
  if (i == 0 || i + 1 == rows.size()) return true;
  const auto differs = [&](std::size_t a, std::size_t b) {
    return rows.mode[a] != rows.mode[b] || rows.time[a] == rows.time[b];
  };
  return differs(i - 1, i) || differs(i, i + 1);
}

}  // namespace

Json make_scene(const Model& model) {
  const Skeleton& skeleton = model.skeleton;
  Json bodies = Json::array();
  Json joints = Json::array();
  for (std::size_t i = 0; i < skeleton.bodies.size(); ++i) {
    bodies.push_back(make_body(skeleton.bodies[i]));
    if (skeleton.bodies[i].hinged) {
      joints.push_back({{"body", i}, {"at", make_point(Vec2::Zero())}});
    }
  }
  Json surfaces = Json::array();
  for (const Surface& surface : model.surfaces) {
    surfaces.push_back({{"name", surface.name},
                        {"point", make_point(surface.point)},
                        {"tangent", make_point(surface.tangent)},
                        {"normal", make_point(surface.normal)},
                        {"moves", moves(surface)}});
  }
  Json contacts = Json::array();
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    const Contact& contact = model.contacts[i];
    contacts.push_back({{"name", contact.name},
                        {"body", contact.body},
                        {"surface", contact.surface},
                        {"at", make_point(skeleton.contacts[i].at)},
                        {"radius", contact.radius},
                        {"mu", contact.mu},
                        {"mu_s", contact.mu_s},
                        {"bilateral", contact.bilateral}});
  }
  Json springs = Json::array();
  for (const auto& [from, to] : skeleton.springs) {
    springs.push_back({{"from", make_body_point(from)}, {"to", make_body_point(to)}});
  }
  return {{"bodies", bodies},           {"joints", joints},
          {"surfaces", surfaces},       {"contacts", contacts},
          {"springs", springs},         {"gravity", make_point(model.gravity)},
          {"size", find_size(skeleton)}};
}

MotionDocument make_motion(const Model& model, std::span<const MotionRows> runs) {
  std::size_t count = 0;
  for (const MotionRows& rows : runs) count += rows.size();
  const std::size_t stride = count / kMostRows + 1;
  MotionDocument out{{{"runs", Json::array()}, {"regions", Json::array()}}, {}};
  out.json["regions"] = make_phase_regions(model, runs, out.notices);
  for (const MotionRows& rows : runs) {
    MotionColumns columns(model, rows);
    columns.reserve(rows.size() / stride + 1);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i % stride == 0 || is_at_event(rows, i)) columns.append(i);
    }
    out.json["runs"].push_back(columns.make_json());
  }
  if (stride > 1) {
    out.notices.push_back(fmt::format(
        "One of {} rows of {} is drawn, and every row at an event; the result file has them all.",
        stride, count));
  }
  return out;
}

}  // namespace slipstick
