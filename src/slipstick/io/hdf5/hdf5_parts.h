#pragma once

/// Pieces that several HDF5 files share.

#include <string>
#include <vector>

#include "slipstick/io/hdf5/hdf5.h"
#include "slipstick/model_file.h"
#include "slipstick/words.h"

namespace slipstick {

/// Writes what every result file begins with: the program, the model and its settings.
void write_header(const std::string& verb, const LoadedModel& loaded, Hdf5Group& root);

/// The words that the numbers of a dataset stand for, counted from 0.
template <std::size_t count>
[[nodiscard]] Hdf5Array make_list_of(const Words<count>& words) {
  return make_hdf5(std::vector<std::string>(words.begin(), words.end()));
}

/// A row for each point.
[[nodiscard]] Hdf5Array make_points_array(const std::vector<Vec2>& points);

/// Rows of this length as whole numbers. An empty row was not computed and is filled with -1.
template <class Value>
[[nodiscard]] Hdf5Array make_numbers(const std::vector<std::vector<Value>>& rows,
                                     std::size_t columns) {
  std::vector<std::int64_t> values;
  for (const auto& row : rows) {
    for (const Value value : row) values.push_back(static_cast<std::int64_t>(value));
    if (row.empty()) values.insert(values.end(), columns, -1);
  }
  return {{rows.size(), columns}, std::move(values)};
}

}  // namespace slipstick
