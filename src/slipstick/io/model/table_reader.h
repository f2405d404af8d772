#pragma once

/// Reads one TOML table by a list of its keys, with errors that name file, line and key.

#include <toml++/toml.h>

#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/io/model/scope.h"
#include "slipstick/linalg.h"
#include "slipstick/model/function.h"

namespace slipstick {

/// What every table of one file shares.
struct Document {
  std::string file;
  Scope scope;
  std::vector<std::string> coordinates;
  std::map<std::string, std::string> coordinate_places;  ///< "file:line: joint" of each
  Constants parameters;  ///< for functions of the state, where coordinates are variables
};

class TableReader {
 public:
  /// Throws InputError if the table has a key that is not in `keys`. `label` names the table in
  /// messages, e.g. "bodies.link1".
  TableReader(Document& document, const toml::table& table, std::string label,
              std::initializer_list<std::string_view> keys);

  [[nodiscard]] bool has(std::string_view key) const { return table_->contains(key); }
  /// "file:line: label.key"; the line is the value's if present, else the table's.
  [[nodiscard]] std::string where(std::string_view key) const;
  [[nodiscard]] std::string where() const;

  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key, std::string fallback) const;
  [[nodiscard]] bool flag(std::string_view key, bool fallback) const;
  [[nodiscard]] double number(std::string_view key) const;
  [[nodiscard]] double number(std::string_view key, double fallback) const;
  /// A number in [least, most]; `least` itself only if `inclusive`.
  [[nodiscard]] double number_above(std::string_view key, double least, bool inclusive) const;
  [[nodiscard]] Vec2 point(std::string_view key, const Vec2& fallback) const;
  [[nodiscard]] Vec2 point(std::string_view key) const;
  /// A list of lists of points; empty if the key is absent.
  [[nodiscard]] std::vector<std::vector<Vec2>> point_lists(std::string_view key) const;
  /// A list of texts, or one text.
  [[nodiscard]] std::vector<std::string> texts(std::string_view key) const;
  [[nodiscard]] Function function(std::string_view key, double fallback) const;
  [[nodiscard]] Function function_at(const toml::node& node, const std::string& where) const;
  /// One of `words`; returns its index.
  [[nodiscard]] std::size_t word(std::string_view key, std::span<const std::string_view> words,
                                 std::size_t fallback) const;
  [[nodiscard]] const toml::table& table(std::string_view key) const;
  /// Calls `read` on every table of an array of tables; nothing if the key is absent.
  void for_each(std::string_view key, const std::function<void(const toml::table&)>& read) const;

  [[nodiscard]] Document& document() const { return *document_; }

 private:
  [[nodiscard]] const toml::node& required(std::string_view key) const;
  [[nodiscard]] double number_at(const toml::node& node, const PlaceMaker& place) const;
  [[nodiscard]] Vec2 point_at(const toml::node& node, const PlaceMaker& place) const;
  [[nodiscard]] Function make_function(const std::string& text, const std::string& where) const;

  Document* document_;
  const toml::table* table_;
  std::string label_;
};

/// A number or an expression at a node; throws InputError for another type.
[[nodiscard]] Definition make_definition(const toml::node& node, std::string where);

/// "file:line".
[[nodiscard]] std::string make_place(const Document& document, const toml::node& node);

/// A short description of the value of a node, for "got ...".
[[nodiscard]] std::string describe_node(const toml::node& node);

}  // namespace slipstick
