#include "physics/transformed_model.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>
#include <vector>

namespace slipstick::testkit {
namespace {

std::string print(const toml::table& table) {
  std::ostringstream out;
  out << table;
  return out.str();
}

/// Calls `change` for each table of a list; nothing if there is no such list.
template <class F>
void for_each(toml::table& root, const char* key, F&& change) {
  if (toml::array* list = root[key].as_array()) {
    for (toml::node& node : *list) change(*node.as_table());
  }
}

/// Every coordinate, as the joints name them.
std::vector<std::string> list_coordinates(toml::table& root) {
  std::vector<std::string> out;
  for_each(root, "bodies", [&](toml::table& body) {
    toml::table& joint = *body["joint"].as_table();
    if (const auto one = joint["coordinate"].value<std::string>()) out.push_back(*one);
    if (const toml::array* several = joint["coordinates"].as_array()) {
      for (const toml::node& name : *several) out.push_back(*name.value<std::string>());
    }
  });
  return out;
}

/// The negative of a number or an expression, as an expression.
std::string negative(const toml::node& node) {
  const auto text = node.value_exact<std::string>();
  return "-(" + (text ? *text : fmt::format("{}", *node.value<double>())) + ")";
}

void negate(toml::table& table, const std::string& key) {
  toml::node* node = table.get(key);
  if (node == nullptr) return;
  if (toml::table* closing = node->as_table()) return negate(*closing, "near");
  table.insert_or_assign(key, negative(*node));
}

/// Negates the first of two numbers.
void mirror_point(toml::table& table, const char* key) {
  if (toml::array* pair = table[key].as_array()) {
    pair->replace(pair->cbegin(), negative((*pair)[0]));
  }
}

/// Turns a joint round; returns its coordinate along x, if it has one.
std::string mirror_joint(toml::table& joint) {
  mirror_point(joint, "at");
  mirror_point(joint, "axis");
  negate(joint, "angle");
  const std::string type = *joint["type"].value<std::string>();
  if (type == "revolute" || type == "free") {
    const bool clockwise = joint["sense"].value_or(std::string()) == "clockwise";
    joint.insert_or_assign("sense", clockwise ? "counter-clockwise" : "clockwise");
  }
  const bool moves_along_x = type == "free" || type == "translation";
  return moves_along_x ? *joint["coordinates"][0].value<std::string>() : "";
}

/// A number or an expression times a factor.
std::string scaled(const toml::node& node, double factor) {
  const auto text = node.value_exact<std::string>();
  return fmt::format("({})*{:.17g}", text ? *text : fmt::format("{:.17g}", *node.value<double>()),
                     factor);
}

/// Scales a number, an expression, or each of a list of them.
void scale(toml::table& table, const std::string& key, double factor) {
  toml::node* node = table.get(key);
  if (node == nullptr) return;
  toml::array* list = node->as_array();
  if (list == nullptr) {
    table.insert_or_assign(key, scaled(*node, factor));
    return;
  }
  toml::array out;
  for (const toml::node& part : *list) out.push_back(scaled(part, factor));
  table.insert_or_assign(key, std::move(out));
}

/// Coordinates that are lengths.
std::vector<std::string> list_translations(toml::table& root) {
  std::vector<std::string> out;
  for_each(root, "bodies", [&](toml::table& body) {
    toml::table& joint = *body["joint"].as_table();
    const std::string type = *joint["type"].value<std::string>();
    if (type == "prismatic") out.push_back(*joint["coordinate"].value<std::string>());
    if (type != "free" && type != "translation") return;
    for (std::size_t i = 0; i < 2; ++i) {
      out.push_back(*joint["coordinates"][i].value<std::string>());
    }
  });
  return out;
}

void rescale_bodies(toml::table& root, const Units& units) {
  for_each(root, "bodies", [&](toml::table& body) {
    scale(body, "mass", units.mass);
    scale(body, "inertia", units.mass * units.length * units.length);
    scale(body, "gyration", units.length);
    scale(body, "com", units.length);
    for_each(body, "point_masses", [&](toml::table& mass) {
      scale(mass, "mass", units.mass);
      scale(mass, "at", units.length);
    });
    scale(*body["joint"].as_table(), "at", units.length);
    body.erase("shape");  // for pictures
  });
}

void rescale_loads(toml::table& root, const Units& units,
                   const std::vector<std::string>& translations) {
  const double force = units.mass * units.length / (units.time * units.time);
  for_each(root, "springs", [&](toml::table& spring) {
    for (const char* end : {"from", "to"}) scale(*spring[end].as_table(), "at", units.length);
    scale(spring, "length", units.length);
    scale(spring, "stiffness", force / units.length);
    scale(spring, "damping", force / units.length * units.time);
  });
  for_each(root, "torsion_springs", [&](toml::table& spring) {
    scale(spring, "stiffness", force * units.length);
    scale(spring, "damping", force * units.length * units.time);
  });
  for_each(root, "forces", [&](toml::table& load) {
    scale(load, "at", units.length);
    scale(load, "force", force);
    scale(load, "torque", force * units.length);
    const std::string along = load["coordinate"].value_or(std::string());
    const bool is_length = std::count(translations.begin(), translations.end(), along) > 0;
    scale(load, "value", is_length ? force : force * units.length);
  });
}

void rescale_initial(toml::table& root, const Units& units,
                     const std::vector<std::string>& translations) {
  toml::table* initial = root["initial"].as_table();
  if (initial == nullptr) return;
  for (const std::string& name : list_coordinates(root)) {
    const bool is_length = std::count(translations.begin(), translations.end(), name) > 0;
    const double unit = is_length ? units.length : 1.0;
    if (toml::table* closing = (*initial)[name].as_table()) {
      scale(*closing, "near", unit);
      scale(*closing, "between", unit);
    } else {
      scale(*initial, name, unit);
    }
    scale(*initial, name + "_dot", unit / units.time);
  }
}

}  // namespace

std::string rescale(const std::string& text, const Units& units) {
  toml::table root = toml::parse(text);
  const std::vector<std::string> translations = list_translations(root);
  scale(root, "gravity", units.length / (units.time * units.time));
  rescale_bodies(root, units);
  for_each(root, "surfaces", [&](toml::table& surface) {
    scale(surface, "point", units.length);
    scale(surface, "speed", units.length / units.time);
  });
  for_each(root, "contacts", [&](toml::table& contact) {
    scale(contact, "point", units.length);
    scale(contact, "radius", units.length);
    scale(contact, "jump", 1.0 / units.time);
  });
  rescale_loads(root, units, translations);
  rescale_initial(root, units, translations);
  for (const char* key : {"relabel", "gait"}) root.erase(key);
  return print(root);
}

std::string turn_bilateral_normals(const std::string& text) {
  toml::table root = toml::parse(text);
  std::vector<std::string> bilateral;
  for_each(root, "contacts", [&](toml::table& contact) {
    if (!contact["bilateral"].value_or(false)) return;
    bilateral.push_back(*contact["surface"].value<std::string>());
  });
  for_each(root, "surfaces", [&](toml::table& surface) {
    const std::string name = *surface["name"].value<std::string>();
    if (std::count(bilateral.begin(), bilateral.end(), name) == 0) return;
    if (surface.contains("normal")) {
      scale(surface, "normal", -1.0);
    } else {
      surface.insert("normal", toml::array{0, -1});
    }
    scale(surface, "speed", -1.0);
  });
  return print(root);
}

std::string cut_bodies(const std::string& text) {
  toml::table root = toml::parse(text);
  std::vector<toml::table> halves;
  for_each(root, "bodies", [&](toml::table& body) {
    if (!body.contains("mass")) return;
    scale(body, "mass", 0.5);
    scale(body, "inertia", 0.5);
    toml::table half = body;
    const std::string name = *body["name"].value<std::string>();
    half.insert_or_assign("name", name + "_half");
    half.insert_or_assign("joint", toml::table{{"type", "fixed"}, {"parent", name}});
    half.erase("point_masses");
    half.erase("shape");
    halves.push_back(std::move(half));
  });
  for (toml::table& half : halves) root["bodies"].as_array()->push_back(std::move(half));
  return print(root);
}

std::string add_far_contact(const std::string& text, double distance) {
  toml::table root = toml::parse(text);
  const std::string body = *root["bodies"][0]["name"].value<std::string>();
  root["surfaces"].as_array()->push_back(
      toml::table{{"name", "far"}, {"point", toml::array{0, -distance}}});
  root["contacts"].as_array()->push_back(
      toml::table{{"name", "far"}, {"body", body}, {"surface", "far"}, {"mu", 0.3}});
  return print(root);
}

std::string reorder(const std::string& text, std::mt19937_64& random) {
  toml::table root = toml::parse(text);
  std::vector<std::string> coordinates = list_coordinates(root);
  std::shuffle(coordinates.begin(), coordinates.end(), random);
  toml::array names;
  for (const std::string& name : coordinates) names.push_back(name);
  root.insert_or_assign("coordinates", std::move(names));
  for (const char* key :
       {"bodies", "surfaces", "contacts", "springs", "torsion_springs", "forces"}) {
    std::vector<toml::table> tables;
    for_each(root, key, [&](toml::table& table) { tables.push_back(table); });
    if (tables.empty()) continue;
    std::shuffle(tables.begin(), tables.end(), random);
    toml::array list;
    for (toml::table& table : tables) list.push_back(std::move(table));
    root.insert_or_assign(key, std::move(list));
  }
  return print(root);
}

std::string mirror(const std::string& text) {
  toml::table root = toml::parse(text);
  std::vector<std::string> along_x;
  mirror_point(root, "gravity");
  for_each(root, "bodies", [&](toml::table& body) {
    mirror_point(body, "com");
    for_each(body, "point_masses", [](toml::table& mass) { mirror_point(mass, "at"); });
    along_x.push_back(mirror_joint(*body["joint"].as_table()));
  });
  for_each(root, "surfaces", [](toml::table& surface) {
    mirror_point(surface, "point");
    mirror_point(surface, "normal");
    negate(surface, "speed");
  });
  for_each(root, "contacts", [](toml::table& contact) { mirror_point(contact, "point"); });
  for_each(root, "springs", [](toml::table& spring) {
    for (const char* end : {"from", "to"}) mirror_point(*spring[end].as_table(), "at");
  });
  for_each(root, "torsion_springs", [](toml::table& spring) { negate(spring, "angle"); });
  for_each(root, "forces", [&](toml::table& force) {
    mirror_point(force, "at");
    mirror_point(force, "force");
    negate(force, "torque");
    const std::string coordinate = force["coordinate"].value_or(std::string());
    if (std::count(along_x.begin(), along_x.end(), coordinate) > 0) negate(force, "value");
  });
  if (toml::table* initial = root["initial"].as_table()) {
    for (const std::string& x : along_x) {
      negate(*initial, x);
      negate(*initial, x + "_dot");
    }
  }
  return print(root);
}

}  // namespace slipstick::testkit
