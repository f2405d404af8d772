#include "slipstick/io/hdf5/hdf5_parts.h"

#include "slipstick/model/model.h"
#include "slipstick/version.h"

namespace slipstick {

void write_header(const std::string& verb, const LoadedModel& loaded, Hdf5Group& root) {
  root.set("program", make_hdf5("slipstick " + verb));
  root.set("version", make_hdf5(std::string_view(kVersion)));
  root.set("schema", make_hdf5(std::int64_t{1}));
  root.set("model", make_hdf5(loaded.model->name));
  root.add("model_text", make_hdf5(loaded.source.text));
  root.add("settings", make_hdf5(list_settings(loaded.source)));
}

Hdf5Array make_points_array(const std::vector<Vec2>& points) {
  std::vector<double> values;
  for (const Vec2& point : points) values.insert(values.end(), {point.x(), point.y()});
  return {{points.size(), 2}, std::move(values)};
}

}  // namespace slipstick
