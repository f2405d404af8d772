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
  if (const toml::node* node = table.get(key)) table.insert_or_assign(key, negative(*node));
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

}  // namespace

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
