#include "slipstick/io/model/table_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "slipstick/core/nearest_name.h"
#include "slipstick/errors.h"

namespace slipstick {
namespace {

std::string list_words(std::span<const std::string_view> words) {
  std::string out;
  for (const auto word : words) out += (out.empty() ? "'" : ", '") + std::string(word) + "'";
  return out;
}

}  // namespace

std::string make_place(const Document& document, const toml::node& node) {
  const auto line = node.source().begin.line;
  return line > 0 ? fmt::format("{}:{}", document.file, line) : document.file;
}

std::string describe_node(const toml::node& node) {
  if (const auto* text = node.as_string()) return "'" + text->get() + "'";
  if (const auto* integer = node.as_integer()) return fmt::format("{}", integer->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* array = node.as_array()) return fmt::format("a list of {}", array->size());
  return node.is_table() ? "a table" : "a date or time";
}

Definition make_definition(const toml::node& node, std::string where) {
  if (const auto* integer = node.as_integer()) {
    return {std::move(where), static_cast<double>(integer->get())};
  }
  if (const auto* number = node.as_floating_point()) return {std::move(where), number->get()};
  if (const auto* text = node.as_string()) return {std::move(where), text->get()};
  throw InputError(where, "expected a number or an expression, got " + describe_node(node));
}

TableReader::TableReader(Document& document, const toml::table& table, std::string label,
                         std::initializer_list<std::string_view> keys)
    : document_(&document), table_(&table), label_(std::move(label)) {
  for (const auto& [key, node] : table) {
    if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
    const std::vector<std::string> known(keys.begin(), keys.end());
    const std::string suggestion = make_suggestion(key.str(), known);
    throw InputError(where(key.str()),
                     fmt::format("unknown key '{}', expected {}{}{}", key.str(),
                                 known.size() == 1 ? "" : "one of ", list_words(keys), suggestion));
  }
}

std::string TableReader::where() const {
  return make_place(*document_, *table_) + (label_.empty() ? "" : ": " + label_);
}

std::string TableReader::where(std::string_view key) const {
  const toml::node* node = table_->get(key);
  const std::string place = make_place(*document_, node != nullptr ? *node : *table_);
  return fmt::format("{}: {}{}{}", place, label_, label_.empty() ? "" : ".", key);
}

const toml::node& TableReader::required(std::string_view key) const {
  const toml::node* node = table_->get(key);
  if (node == nullptr) throw InputError(where(), fmt::format("missing key '{}'", key));
  return *node;
}

std::string TableReader::text(std::string_view key) const {
  const toml::node& node = required(key);
  const auto* value = node.as_string();
  if (value == nullptr) throw InputError(where(key), "expected a text, got " + describe_node(node));
  if (value->get().empty()) throw InputError(where(key), "expected a text, got an empty one");
  return value->get();
}

std::string TableReader::text(std::string_view key, std::string fallback) const {
  return has(key) ? text(key) : std::move(fallback);
}

bool TableReader::flag(std::string_view key, bool fallback) const {
  if (!has(key)) return fallback;
  const toml::node& node = required(key);
  const auto* value = node.as_boolean();
  if (value == nullptr) {
    throw InputError(where(key), "expected true or false, got " + describe_node(node));
  }
  return value->get();
}

double TableReader::number_at(const toml::node& node, const PlaceMaker& place) const {
  if (const auto* integer = node.as_integer()) return static_cast<double>(integer->get());
  if (const auto* number = node.as_floating_point())
    return Scope::check_finite(number->get(), place);
  if (const auto* text = node.as_string()) return document_->scope.eval_text(text->get(), place);
  throw InputError(place(), "expected a number or an expression, got " + describe_node(node));
}

double TableReader::number(std::string_view key) const {
  return number_at(required(key), [this, &key] { return where(key); });
}

double TableReader::number(std::string_view key, double fallback) const {
  return has(key) ? number(key) : fallback;
}

double TableReader::number_above(std::string_view key, double least, bool inclusive) const {
  const double value = number(key);
  if (value > least || (inclusive && value == least)) return value;
  throw InputError(where(key), fmt::format("expected a number {} {}, got {}",
                                           inclusive ? ">=" : ">", least, value));
}

Vec2 TableReader::point_at(const toml::node& node, const PlaceMaker& place) const {
  const auto* pair = node.as_array();
  if (pair == nullptr || pair->size() != 2) {
    throw InputError(place(), "expected two numbers [x, y], got " + describe_node(node));
  }
  return {number_at((*pair)[0], [&place] { return place() + "[0]"; }),
          number_at((*pair)[1], [&place] { return place() + "[1]"; })};
}

Vec2 TableReader::point(std::string_view key) const {
  return point_at(required(key), [this, &key] { return where(key); });
}
Vec2 TableReader::point(std::string_view key, const Vec2& fallback) const {
  return has(key) ? point(key) : fallback;
}

std::vector<std::vector<Vec2>> TableReader::point_lists(std::string_view key) const {
  std::vector<std::vector<Vec2>> out;
  if (!has(key)) return out;
  const auto list_at = [](const toml::node& node, const std::string& place) -> const toml::array& {
    if (const auto* list = node.as_array()) return *list;
    throw InputError(place, "expected a list, got " + describe_node(node));
  };
  for (const toml::node& item : list_at(required(key), where(key))) {
    const std::string place = fmt::format("{}[{}]", where(key), out.size());
    std::vector<Vec2> points;
    for (const toml::node& point : list_at(item, place)) {
      points.push_back(
          point_at(point, [&] { return fmt::format("{}[{}]", place, points.size()); }));
    }
    out.push_back(std::move(points));
  }
  return out;
}

std::vector<std::string> TableReader::texts(std::string_view key) const {
  const toml::node& node = required(key);
  if (const auto* text = node.as_string()) return {text->get()};
  const auto* list = node.as_array();
  if (list == nullptr) throw InputError(where(key), "expected a list, got " + describe_node(node));
  std::vector<std::string> out;
  for (const toml::node& item : *list) {
    const auto* text = item.as_string();
    if (text == nullptr) {
      throw InputError(where(key), "expected a list of texts, got " + describe_node(item));
    }
    out.push_back(text->get());
  }
  return out;
}

Function TableReader::function_at(const toml::node& node, const std::string& where) const {
  const auto* text = node.as_string();
  if (text == nullptr) return number_at(node, [&where] { return where; });
  // Reuses the function of this text, unless its parameters have other values now.
  if (const BoundFunction* known = document_->scope.find_bound(text->get())) {
    // Bits are compared, because 0 and -0 differ in 1/x.
    const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    const bool same =
        std::all_of(known->parameters.begin(), known->parameters.end(), [&](const auto& used) {
          return bits(document_->parameters.at(used.first)) == bits(used.second);
        });
    if (same) return known->function;
  }
  return make_function(text->get(), where);
}

Function TableReader::make_function(const std::string& text, const std::string& where) const {
  const std::vector<std::string> variables = make_variable_names(document_->coordinates);
  BoundFunction out;
  const PlaceMaker place = [&where] { return where; };
  for (const std::string& name : document_->scope.open_formula(text, place).names()) {
    const auto parameter = document_->parameters.find(name);
    if (parameter != document_->parameters.end()) {
      out.parameters.emplace_back(*parameter);
      continue;
    }
    if (std::find(variables.begin(), variables.end(), name) != variables.end()) continue;
    std::vector<std::string> known = variables;
    for (const auto& parameter : document_->parameters) known.push_back(parameter.first);
    throw InputError(where, "expected known names in '" + text + "', got '" + name + "'" +
                                make_suggestion(name, known));
  }
  out.function = Function(Expression(where, text, variables, document_->parameters));
  if (out.function.is_constant()) return document_->scope.eval_text(text, place);  // checks for NaN
  document_->scope.keep_bound(text, out);
  return out.function;
}

Function TableReader::function(std::string_view key, double fallback) const {
  return has(key) ? function_at(required(key), where(key)) : Function(fallback);
}

std::size_t TableReader::word(std::string_view key, std::span<const std::string_view> words,
                              std::size_t fallback) const {
  if (!has(key)) return fallback;
  const std::string given = text(key);
  const auto found = std::find(words.begin(), words.end(), given);
  if (found == words.end()) {
    const std::vector<std::string> known(words.begin(), words.end());
    throw InputError(where(key), fmt::format("expected one of {}, got '{}'{}", list_words(words),
                                             given, make_suggestion(given, known)));
  }
  return static_cast<std::size_t>(found - words.begin());
}

const toml::table& TableReader::table(std::string_view key) const {
  const toml::node& node = required(key);
  const auto* out = node.as_table();
  if (out == nullptr) throw InputError(where(key), "expected a table, got " + describe_node(node));
  return *out;
}

void TableReader::for_each(std::string_view key,
                           const std::function<void(const toml::table&)>& read) const {
  if (!has(key)) return;
  const toml::node& node = required(key);
  const auto* list = node.as_array();
  if (list == nullptr) {
    throw InputError(where(key), "expected a list of tables, got " + describe_node(node));
  }
  for (const toml::node& item : *list) {
    if (!item.is_table()) {
      throw InputError(where(key), "expected a list of tables, got " + describe_node(item));
    }
    read(*item.as_table());
  }
}

}  // namespace slipstick
