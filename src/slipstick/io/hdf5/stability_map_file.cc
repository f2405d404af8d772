#include "slipstick/io/hdf5/stability_map_file.h"

#include "slipstick/io/hdf5/hdf5_parts.h"
#include "slipstick/io/json/json_parts.h"

namespace slipstick {
namespace {

std::vector<double> list_values(const ParameterRange& range) {
  const StabilityAxis axis{{range.low, range.high}, range.count};
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(range.count));
  for (int i = 0; i < range.count; ++i) out.push_back(axis.value(static_cast<std::size_t>(i)));
  return out;
}

/// Rows [second axis][first axis] of an enumeration, as words.
template <class Enum, std::size_t count>
Json make_words(const std::vector<std::vector<Enum>>& rows, const Words<count>& words) {
  Json out = Json::array();
  for (const auto& row : rows) {
    Json entries = Json::array();
    for (const Enum value : row) {
      const std::string_view word = find_word(words, value);
      entries.push_back(word.empty() ? Json(nullptr) : Json(word));
    }
    out.push_back(std::move(entries));
  }
  return out;
}

}  // namespace

Json make_stability_map_json(const LoadedModel& loaded, const std::vector<ParameterRange>& axes,
                             const StabilityMap& map) {
  Json out{{"model", loaded.model->name}, {"axes", Json::array()}};
  for (const ParameterRange& axis : axes) {
    out["axes"].push_back({{"name", axis.name}, {"values", list_values(axis)}});
  }
  out["verdict"] = make_words(map.verdicts, kVerdicts);
  out["theorem"] = make_words(map.theorems, kTheorems);
  out["growth"] = Json::array();
  for (const auto& row : map.growths) {
    Json entries = Json::array();
    for (const double value : row) entries.push_back(make_number(value));
    out["growth"].push_back(std::move(entries));
  }
  out["borders"] = Json::array();
  for (const StabilityBorder& border : map.borders) {
    Json points = Json::array();
    for (const Vec2& point : border.points) {
      points.push_back(axes.size() == 2 ? Json{point.x(), point.y()} : Json{point.x()});
    }
    out["borders"].push_back(
        {{"between", {find_word(kVerdicts, border.from), find_word(kVerdicts, border.to)}},
         {"points", std::move(points)}});
  }
  return out;
}

std::string make_stability_map_hdf5(const LoadedModel& loaded,
                                    const std::vector<ParameterRange>& axes,
                                    const StabilityMap& map) {
  Hdf5Writer writer;
  {
    Hdf5Group root = writer.root();
    write_header("stability-map", loaded, root);
    Hdf5Group on = root.add_group("axes");
    for (std::size_t k = 0; k < axes.size(); ++k) {
      Hdf5Group axis = on.add_group(k == 0 ? "0" : "1");
      axis.set("name", make_hdf5(axes[k].name));
      axis.add("values", make_hdf5(list_values(axes[k])));
    }
    root.set("verdicts", make_list_of(kVerdicts));
    root.set("theorems", make_list_of(kTheorems));
    const std::size_t columns = map.verdicts.front().size();
    root.add("verdict", make_numbers(map.verdicts, columns));
    root.add("theorem", make_numbers(map.theorems, columns));
    std::vector<double> growths;
    for (const auto& row : map.growths) growths.insert(growths.end(), row.begin(), row.end());
    root.add("growth", {{map.growths.size(), columns}, std::move(growths)});
    Hdf5Group borders = root.add_group("borders");
    for (std::size_t k = 0; k < map.borders.size(); ++k) {
      const StabilityBorder& border = map.borders[k];
      const std::string name = std::to_string(k);
      Hdf5Group group = borders.add_group(name);
      group.set("between",
                make_hdf5(std::vector<std::string>{std::string(find_word(kVerdicts, border.from)),
                                                   std::string(find_word(kVerdicts, border.to))}));
      group.add("points", make_points_array(border.points));
    }
  }
  return writer.make_bytes();
}

}  // namespace slipstick
