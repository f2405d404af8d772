#pragma once

/// Pieces that several JSON documents share.

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/classify.h"
#include "slipstick/io/byte_sink.h"
#include "slipstick/model/model.h"

namespace slipstick {

using Json = nlohmann::ordered_json;

template <class Vector>
[[nodiscard]] Json make_list(const Vector& values) {
  Json out = Json::array();
  for (Eigen::Index i = 0; i < values.size(); ++i) out.push_back(values[i]);
  return out;
}

/// JSON has no infinity and no NaN: null.
[[nodiscard]] inline Json make_number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// An end that does not exist is null.
[[nodiscard]] inline Json make_range(const std::pair<double, double>& range) {
  return Json::array({make_number(range.first), make_number(range.second)});
}
[[nodiscard]] inline Json make_ranges(const std::vector<std::pair<double, double>>& ranges) {
  Json out = Json::array();
  for (const auto& range : ranges) out.push_back(make_range(range));
  return out;
}

[[nodiscard]] inline Json make_point(const Vec2& point) { return {point.x(), point.y()}; }
[[nodiscard]] inline Json make_points(const std::vector<Vec2>& points) {
  Json out = Json::array();
  for (const Vec2& point : points) out.push_back(make_point(point));
  return out;
}

/// Values by the coordinates' names.
[[nodiscard]] Json make_by_coordinate(const Model& model, const VecQ& values, const char* suffix);
[[nodiscard]] Json make_state(const Model& model, const State& state);

/// P of the sliding contacts, row by row; null if none slides.
[[nodiscard]] Json make_sliding_mobility(const Sliding& sliding);
[[nodiscard]] Json make_minors(const Model& model, const Sliding& sliding);

/// The document's text, indented or in one line, with a newline at the end. Bytes that are not
/// UTF-8 (in a file's name, say) are replaced by U+FFFD.
[[nodiscard]] std::string print(const Json& json);
[[nodiscard]] std::string print_line(const Json& json);
/// The same line, written in parts, for documents with long texts.
void write_line(const Json& json, const ByteSink& sink);

}  // namespace slipstick
