#include "slipstick/io/model/model_spec_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include "slipstick/core/nearest_name.h"
#include "slipstick/errors.h"

namespace slipstick {
namespace {

TableReader read_root(Document& document, const toml::table& root) {
  return {document,
          root,
          "",
          {"name", "title", "source", "description", "coordinates", "gravity", "parameters",
           "require", "bodies", "surfaces", "contacts", "springs", "torsion_springs", "forces",
           "relabel", "gait", "range", "initial", "observe"}};
}

/// Checks the conditions that the file sets on its own parameters.
void check_requirements(const TableReader& root) {
  if (!root.has("require")) return;
  for (const std::string& condition : root.texts("require")) {
    const std::string where = root.where("require");
    if (root.document().scope.eval({where, condition}) != 0.0) continue;
    std::string values;
    for (const std::string& name : find_expression_names(where, condition)) {
      if (!root.document().scope.has(name)) continue;
      values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", name,
                            root.document().scope.eval_name(name));
    }
    throw InputError(where, fmt::format("expected {}, got {}", condition, values));
  }
}

TableReader read_body_table(Document& document, const toml::table& table) {
  const std::string name = table["name"].value_or(std::string("?"));
  return {document,
          table,
          "bodies." + name,
          {"name", "mass", "inertia", "gyration", "com", "point_masses", "shape", "joint"}};
}

TableReader read_joint_table(const TableReader& body, const std::string& label) {
  return {
      body.document(),
      body.table("joint"),
      label + ".joint",
      {"type", "parent", "at", "axis", "angle", "measured", "sense", "coordinate", "coordinates"}};
}

/// Type and coordinates: all of a joint except its numbers.
JointSpec read_joint_names(const TableReader& joint) {
  JointSpec out;
  if (!joint.has("type")) throw InputError(joint.where(), "missing key 'type'");
  out.type = static_cast<JointType>(
      joint.word("type", Words<5>{"fixed", "revolute", "prismatic", "translation", "free"}, 0));
  static constexpr std::array<std::size_t, 5> kCounts{0, 1, 1, 2, 3};
  const std::size_t count = kCounts[static_cast<std::size_t>(out.type)];
  if (count == 1) {
    out.coordinates = {joint.text("coordinate")};
  } else if (count > 1) {
    out.coordinates = joint.texts("coordinates");
  }
  const char* unused = count == 1 ? "coordinates" : "coordinate";
  if (joint.has(unused) || (count == 0 && joint.has("coordinates"))) {
    throw InputError(joint.where(count == 0 && joint.has("coordinates") ? "coordinates" : unused),
                     fmt::format("expected {} for this joint", count == 0   ? "no coordinate"
                                                               : count == 1 ? "`coordinate`"
                                                                            : "`coordinates`"));
  }
  if (out.coordinates.size() != count) {
    throw InputError(joint.where("coordinates"),
                     fmt::format("expected {} names, got {}", count, out.coordinates.size()));
  }
  return out;
}

JointSpec read_joint(const TableReader& joint) {
  JointSpec out = read_joint_names(joint);
  out.parent = joint.text("parent", kWorld);
  const bool in_world = out.type == JointType::kFree || out.type == JointType::kTranslation;
  if (in_world && out.parent != kWorld) {
    throw InputError(joint.where("parent"),
                     "expected 'world' for a free or translation joint, got '" + out.parent + "'");
  }
  out.at = joint.point("at", Vec2::Zero());
  if (out.type == JointType::kPrismatic) {
    out.axis = joint.point("axis");
  } else if (joint.has("axis")) {
    throw InputError(joint.where("axis"), "expected no axis for this joint");
  }
  out.angle = joint.number("angle", 0.0);
  const bool turns = out.type == JointType::kRevolute || out.type == JointType::kFree;
  for (const char* key : {"measured", "sense"}) {
    if (turns || !joint.has(key)) continue;
    throw InputError(joint.where(key), fmt::format("expected no `{}` for this joint: it has no "
                                                   "angle among its coordinates",
                                                   key));
  }
  out.absolute = joint.word("measured", Words<2>{"relative", "absolute"}, 0) == 1;
  out.clockwise = joint.word("sense", Words<2>{"counter-clockwise", "clockwise"}, 0) == 1;
  return out;
}

BodySpec read_body(Document& document, const toml::table& table) {
  const TableReader body = read_body_table(document, table);
  BodySpec out;
  out.name = body.text("name");
  out.where = body.where();
  if (out.name == kWorld) throw InputError(body.where("name"), "'world' is the fixed frame's name");
  if (body.has("mass")) {
    const double mass = body.number_above("mass", 0.0, false);
    if (body.has("inertia") == body.has("gyration")) {
      throw InputError(out.where, body.has("inertia")
                                      ? "expected `inertia` or `gyration` beside `mass`, got both"
                                      : "expected `inertia` or `gyration` beside `mass`, got none");
    }
    out.masses.push_back({mass, body.point("com", Vec2::Zero())});
    out.inertia = body.has("inertia")
                      ? body.number_above("inertia", 0.0, false)
                      : mass * std::pow(body.number_above("gyration", 0.0, true), 2);
    if (!std::isfinite(out.inertia)) {
      throw InputError(body.where("gyration"), "expected a finite inertia, got infinity");
    }
  } else {
    for (const char* key : {"inertia", "gyration", "com"}) {
      if (body.has(key)) throw InputError(body.where(key), "expected `mass` beside it, got none");
    }
  }
  body.for_each("point_masses", [&](const toml::table& item) {
    const TableReader mass(document, item, "bodies." + out.name + ".point_masses", {"mass", "at"});
    out.masses.push_back({mass.number_above("mass", 0.0, false), mass.point("at")});
  });
  out.hulls = body.point_lists("shape");
  out.joint = read_joint(read_joint_table(body, "bodies." + out.name));
  return out;
}

/// Checks that a key is given only together with another one that it needs.
void check_beside(const TableReader& table, std::string_view key, std::string_view other) {
  if (!table.has(key) || table.has(other)) return;
  throw InputError(table.where(key), fmt::format("expected `{}` beside it, got none", other));
}
/// Checks that at least one of two keys is given.
void check_either(const TableReader& table, std::string_view key, std::string_view other) {
  if (table.has(key) || table.has(other)) return;
  throw InputError(table.where(), fmt::format("expected `{}` or `{}`, got none", key, other));
}

/// `mu` style keys: >= 0.
double read_non_negative(const TableReader& table, std::string_view key, double fallback) {
  return table.has(key) ? table.number_above(key, 0.0, true) : fallback;
}

SurfaceSpec read_surface(Document& document, const toml::table& item) {
  const std::string label = "surfaces." + item["name"].value_or(std::string("?"));
  const TableReader table(document, item, label, {"name", "point", "normal", "speed"});
  SurfaceSpec out;
  out.name = table.text("name");
  out.where = table.where();
  out.point = table.point("point", Vec2::Zero());
  out.normal = table.point("normal", Vec2::UnitY());
  out.speed_where = table.where("speed");
  out.speed = table.function("speed", 0.0);
  if (!out.speed.is_constant()) {
    for (const std::string& name :
         find_expression_names(table.where("speed"), table.text("speed"))) {
      if (name != "t" && !document.parameters.contains(name)) {
        throw InputError(table.where("speed"),
                         "expected a function of t alone, got one of '" + name + "'");
      }
    }
  }
  return out;
}

ContactSpec read_contact(Document& document, const toml::table& item) {
  const std::string label = "contacts." + item["name"].value_or(std::string("?"));
  const TableReader table(document, item, label,
                          {"name", "body", "point", "radius", "surface", "mu", "mu_s",
                           "restitution", "law", "jump", "bilateral", "active_when"});
  ContactSpec out;
  out.name = table.text("name");
  out.where = table.where();
  out.body = table.text("body");
  if (out.body == kWorld) {
    throw InputError(table.where("body"), "expected the name of a body, got 'world'");
  }
  out.surface = table.text("surface");
  out.point = table.point("point", Vec2::Zero());
  out.radius = read_non_negative(table, "radius", 0.0);
  out.mu = read_non_negative(table, "mu", 0.0);
  out.mu_s = read_non_negative(table, "mu_s", out.mu);
  if (out.mu_s < out.mu) {
    throw InputError(table.where("mu_s"),
                     fmt::format("expected static friction >= mu = {}, got {}", out.mu, out.mu_s));
  }
  out.restitution = read_non_negative(table, "restitution", 0.0);
  if (out.restitution > 1.0) {
    throw InputError(table.where("restitution"),
                     fmt::format("expected a number in [0, 1], got {}", out.restitution));
  }
  out.jump = read_non_negative(table, "jump", 0.0);
  out.law = static_cast<ImpactLaw>(table.word("law", kImpactLaws, 0));
  out.bilateral = table.flag("bilateral", false);
  out.active_when_where = table.where("active_when");
  if (table.has("active_when")) out.active_when = table.function("active_when", 1.0);
  return out;
}

Anchor read_anchor(const TableReader& table, std::string_view key) {
  const TableReader anchor(table.document(), table.table(key), std::string(key), {"body", "at"});
  return {anchor.text("body", kWorld), anchor.point("at", Vec2::Zero())};
}

void read_springs(Document& document, const TableReader& root, ModelSpec& out) {
  root.for_each("springs", [&](const toml::table& item) {
    const TableReader table(document, item, "springs",
                            {"from", "to", "stiffness", "length", "damping"});
    check_beside(table, "length", "stiffness");
    check_either(table, "stiffness", "damping");
    out.linear_springs.push_back(
        {table.where(), read_anchor(table, "from"), read_anchor(table, "to"),
         read_non_negative(table, "stiffness", 0.0), read_non_negative(table, "length", 0.0),
         read_non_negative(table, "damping", 0.0)});
  });
  root.for_each("torsion_springs", [&](const toml::table& item) {
    const TableReader table(document, item, "torsion_springs",
                            {"body", "to", "stiffness", "angle", "damping"});
    check_beside(table, "angle", "stiffness");
    check_either(table, "stiffness", "damping");
    out.torsion_springs.push_back({table.where(), table.text("body"), table.text("to", kWorld),
                                   read_non_negative(table, "stiffness", 0.0),
                                   table.number("angle", 0.0),
                                   read_non_negative(table, "damping", 0.0)});
  });
}

void read_force(Document& document, const toml::table& item, ModelSpec& out) {
  const TableReader table(document, item, "forces",
                          {"coordinate", "value", "body", "at", "force", "torque"});
  if (table.has("coordinate") == table.has("body")) {
    throw InputError(table.where(), "expected either `coordinate` or `body`, got both or none");
  }
  if (table.has("coordinate")) {
    for (const char* key : {"at", "force", "torque"}) {
      if (table.has(key)) throw InputError(table.where(key), "expected only with `body`");
    }
    if (!table.has("value")) throw InputError(table.where(), "missing key 'value'");
    out.coordinate_forces.push_back({table.where(), table.text("coordinate"), table.where("value"),
                                     table.function("value", 0.0)});
    return;
  }
  if (table.has("value")) throw InputError(table.where("value"), "expected only with `coordinate`");
  check_beside(table, "at", "force");
  check_either(table, "force", "torque");
  PointForceSpec force;
  force.where = table.where();
  force.force_where = table.where("force");
  force.torque_where = table.where("torque");
  force.at = {table.text("body"), table.point("at", Vec2::Zero())};
  if (table.has("force")) {
    const auto* pair = item.get("force")->as_array();
    if (pair == nullptr || pair->size() != 2) {
      throw InputError(table.where("force"), "expected two numbers or expressions [x, y], got " +
                                                 describe_node(*item.get("force")));
    }
    force.x = table.function_at((*pair)[0], table.where("force"));
    force.y = table.function_at((*pair)[1], table.where("force"));
  }
  force.torque = table.function("torque", 0.0);
  out.point_forces.push_back(std::move(force));
}

int find_contact(const ModelSpec& spec, const std::string& where, const std::string& name) {
  for (std::size_t i = 0; i < spec.contacts.size(); ++i) {
    if (spec.contacts[i].name == name) return static_cast<int>(i);
  }
  throw InputError(where, "expected the name of a contact, got '" + name + "'");
}

/// New names of contacts. A contact that is not named in `contacts` keeps its name unless another
/// one takes it. In that case it has no new name (-1), and is open until its gap is evaluated
/// again.
std::vector<int> read_contact_map(const TableReader& table, const ModelSpec& spec) {
  std::vector<int> out(spec.contacts.size());
  std::vector<bool> taken(spec.contacts.size(), false);
  std::vector<bool> named(spec.contacts.size(), false);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<int>(i);
  if (!table.has("contacts")) return out;
  const std::string where = table.where("contacts");
  for (const auto& [key, node] : table.table("contacts")) {
    const auto from = static_cast<std::size_t>(find_contact(spec, where, std::string(key.str())));
    if (!node.is_string()) {
      throw InputError(where, "expected the name of a contact, got " + describe_node(node));
    }
    const int to = find_contact(spec, where, node.as_string()->get());
    if (taken[static_cast<std::size_t>(to)]) {
      throw InputError(where,
                       "expected names used once, got '" + node.as_string()->get() + "' twice");
    }
    out[from] = to;
    named[from] = true;
    taken[static_cast<std::size_t>(to)] = true;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!named[i] && taken[i]) out[i] = -1;
  }
  return out;
}

void read_relabel(Document& document, const toml::table& item, ModelSpec& out) {
  const TableReader table(document, item, "relabel", {"after", "contacts", "set"});
  RelabelSpec relabel;
  relabel.where = table.where();
  relabel.contact = table.text("after");
  relabel.contacts = read_contact_map(table, out);
  const std::vector<std::string> variables = make_variable_names(document.coordinates);
  const toml::table& set = table.table("set");
  for (const auto& [key, node] : set) {
    if (std::count(variables.begin() + 1, variables.end(), std::string(key.str())) == 0) {
      throw InputError(table.where("set"), "expected a coordinate or its rate, got '" +
                                               std::string(key.str()) + "'" +
                                               make_suggestion(key.str(), variables));
    }
  }
  const std::size_t n = document.coordinates.size();
  for (std::size_t i = 1; i < variables.size(); ++i) {
    const toml::node* node = set.get(variables[i]);
    const std::string where = table.where("set") + "." + variables[i];
    Function value = node != nullptr ? table.function_at(*node, where)
                                     : Function(Expression(where, variables[i], variables, {}));
    (i <= n ? relabel.coordinates : relabel.rates).push_back(std::move(value));
  }
  out.relabels.push_back(std::move(relabel));
}

}  // namespace

std::vector<std::string> read_coordinate_names(Document& document, const toml::table& root) {
  const TableReader reader = read_root(document, root);
  std::vector<std::string> in_order_of_bodies;
  reader.for_each("bodies", [&](const toml::table& table) {
    const TableReader body = read_body_table(document, table);
    const JointSpec joint = read_joint_names(read_joint_table(body, "bodies." + body.text("name")));
    for (const std::string& coordinate : joint.coordinates) {
      const std::string where = read_joint_table(body, "bodies." + body.text("name")).where();
      if (document.coordinate_places.contains(coordinate)) {
        throw InputError(where,
                         "expected coordinates used once, got a second '" + coordinate + "'");
      }
      document.coordinate_places[coordinate] = where;
      in_order_of_bodies.push_back(coordinate);
    }
  });
  if (!reader.has("coordinates")) return in_order_of_bodies;
  std::vector<std::string> listed = reader.texts("coordinates");
  if (!std::is_permutation(listed.begin(), listed.end(), in_order_of_bodies.begin(),
                           in_order_of_bodies.end())) {
    throw InputError(reader.where("coordinates"),
                     "expected `coordinates` to list each joint's coordinates once, got others");
  }
  return listed;
}

std::vector<Observable> read_observables(Document& document, const toml::table& root) {
  const TableReader reader = read_root(document, root);
  std::vector<Observable> out;
  reader.for_each("observe", [&](const toml::table& item) {
    const std::string name = item["name"].value_or(std::string("?"));
    const TableReader table(document, item, "observe." + name, {"name", "expr", "unit"});
    out.push_back({table.where(), table.text("name"), table.text("expr"), table.text("unit", "")});
    out.back().where = table.where("expr");
  });
  return out;
}

ModelSpec read_model_spec(Document& document, const toml::table& root) {
  const TableReader reader = read_root(document, root);
  check_requirements(reader);
  ModelSpec out;
  out.where = document.file;
  out.name = reader.text("name", std::filesystem::path(document.file).stem().string());
  const bool hidden = out.name.starts_with('.') || out.name.starts_with('-');
  if (hidden || out.name.find('/') != std::string::npos) {  // the name is used for a directory
    throw InputError(
        reader.where("name"),
        "expected a name without '/' that starts with a letter, got '" + out.name + "'");
  }
  out.title = reader.text("title", out.name);
  out.source = reader.text("source", "-");
  out.coordinates = document.coordinates;
  out.gravity = reader.point("gravity", Vec2::Zero());
  reader.for_each(
      "bodies", [&](const toml::table& item) { out.bodies.push_back(read_body(document, item)); });
  reader.for_each("surfaces", [&](const toml::table& item) {
    out.surfaces.push_back(read_surface(document, item));
  });
  reader.for_each("contacts", [&](const toml::table& item) {
    out.contacts.push_back(read_contact(document, item));
  });
  read_springs(document, reader, out);
  reader.for_each("forces", [&](const toml::table& item) { read_force(document, item, out); });
  reader.for_each("relabel", [&](const toml::table& item) { read_relabel(document, item, out); });
  if (reader.has("gait")) {
    const TableReader gait(document, reader.table("gait"), "gait", {"section", "advance"});
    out.gait = GaitSpec{gait.where("section"), gait.text("section"), gait.where("advance"),
                        gait.text("advance", "")};
  }
  return out;
}

}  // namespace slipstick
