#include "slipstick/io/hdf5/paradox_map_file.h"

#include <string>
#include <vector>

#include "slipstick/io/hdf5/hdf5_parts.h"

namespace slipstick {
namespace {

void add_axis(const Model& model, const MapAxis& axis, Hdf5Group group) {
  group.set("name", make_hdf5(name_axis(model, axis)));
  group.set("from", make_hdf5(axis.low));
  group.set("to", make_hdf5(axis.high));
}

Hdf5Array make_regions(const ParadoxMap& map) {
  std::vector<std::int8_t> values;
  const std::size_t columns = map.regions.front().size();
  values.reserve(map.regions.size() * columns);
  for (const std::vector<int>& row : map.regions) {
    for (const int region : row) values.push_back(static_cast<std::int8_t>(region));
  }
  return {{map.regions.size(), columns}, std::move(values)};
}

}  // namespace

void write_map_hdf5(const LoadedModel& loaded, const MapAxis& first, const MapAxis& second,
                    const ParadoxMap& map, const ByteSink& sink) {
  Hdf5Writer writer;
  Hdf5Group root = writer.root();
  write_header("paradox", loaded, root);
  root.set("cases",
           make_hdf5(std::vector<std::string>{"contacts cannot close", "slides", "separates",
                                              "indeterminate", "inconsistent"}));
  Hdf5Group axes = root.add_group("axes");
  add_axis(*loaded.model, first, axes.add_group("0"));
  add_axis(*loaded.model, second, axes.add_group("1"));
  root.add("regions", make_regions(map));
  Hdf5Group boundaries = root.add_group("boundaries");
  for (std::size_t k = 0; k < map.boundaries.size(); ++k) {
    Hdf5Group group = boundaries.add_group(std::to_string(k));
    group.set("what", make_hdf5(map.boundaries[k].what));
    group.add("points", make_points_array(map.boundaries[k].points));
  }
  writer.write(sink);
}

}  // namespace slipstick
