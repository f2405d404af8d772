#include "slipstick/io/json/outcomes_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "slipstick/io/csv_field.h"
#include "slipstick/io/hdf5/hdf5_parts.h"
#include "slipstick/io/json/number_text.h"

namespace slipstick {
namespace {

// --- JSON ---

Json make_label(const OutcomeMap& map, int label) {
  return label < 0 ? Json(nullptr) : Json(map.labels[static_cast<std::size_t>(label)]);
}
Json make_labels(const OutcomeMap& map, const std::array<int, 2>& labels) {
  return Json::array({make_label(map, labels[0]), make_label(map, labels[1])});
}

Json make_axes(const std::vector<OutcomeAxis>& axes) {
  Json out = Json::array();
  for (const OutcomeAxis& axis : axes) {
    Json values = Json::array();
    for (int i = 0; i < axis.count; ++i) values.push_back(axis.value(static_cast<std::size_t>(i)));
    out.push_back({{"name", axis.name},
                   {"spacing", axis.logarithmic ? "log" : "linear"},
                   {"values", std::move(values)}});
  }
  return out;
}

/// Rows of the second axis; one list for one axis.
template <class Value>
Json make_grid(const std::vector<OutcomeAxis>& axes, std::size_t size, const Value& value) {
  Json rows = Json::array();
  const auto columns = static_cast<std::size_t>(axes[0].count);
  for (std::size_t i = 0; i < size; ++i) {
    if (i % columns == 0) rows.push_back(Json::array());
    rows.back().push_back(value(i));
  }
  return axes.size() == 1 ? rows[0] : rows;
}

Json make_intervals(const OutcomeMap& map) {
  Json out = Json::array();
  for (const OutcomeInterval& interval : map.intervals) {
    out.push_back({{"from", interval.from},
                   {"to", interval.to},
                   {"outcome", make_label(map, interval.label)}});
  }
  return out;
}

Json make_thresholds(const OutcomeMap& map) {
  Json out = Json::array();
  for (const OutcomeThreshold& threshold : map.thresholds) {
    out.push_back({{"value", threshold.value},
                   {"between", make_labels(map, threshold.between)},
                   {"error", threshold.error},
                   {"decided_by_rounding", threshold.decided_by_rounding}});
  }
  return out;
}

void add_borders(const OutcomeMap& map, Json& out) {
  Json borders = Json::array();
  for (const OutcomeBorder& border : map.borders) {
    borders.push_back(
        {{"between", make_labels(map, border.between)}, {"points", make_points(border.points)}});
  }
  Json corners = Json::array();
  for (const OutcomeCorner& corner : map.corners) {
    Json labels = Json::array();
    for (const int label : corner.labels) labels.push_back(make_label(map, label));
    corners.push_back({{"at", make_point(corner.at)}, {"outcomes", std::move(labels)}});
  }
  out["borders"] = std::move(borders);
  out["corners"] = std::move(corners);
}

Json make_contours(const OutcomeMap& map) {
  Json out = Json::array();
  for (const OutcomeContour& contour : map.contours) {
    out.push_back({{"level", contour.level}, {"points", make_points(contour.points)}});
  }
  return out;
}

Json make_whys(const OutcomeMap& map) {
  Json out = Json::object();
  for (std::size_t i = 0; i < map.whys.size(); ++i) {
    if (!map.whys[i].empty()) out[map.labels[i]] = map.whys[i];
  }
  return out;
}

/// How often each outcome is that of a point.
Json make_counts(const OutcomeMap& map) {
  std::vector<long> counts(map.labels.size());
  for (const int cell : map.cells) {
    if (cell >= 0) ++counts[static_cast<std::size_t>(cell)];
  }
  Json out = Json::object();
  for (std::size_t i = 0; i < counts.size(); ++i) out[map.labels[i]] = counts[i];
  return out;
}

void add_points(const OutcomesAnswer& answer, Json& out) {
  const OutcomeMap& map = answer.map;
  if (answer.axes.size() > 2) {
    Json cases = Json::array();
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
      const std::vector<double> values = list_values_at(answer.axes, i);
      Json at = Json::object();
      for (std::size_t k = 0; k < values.size(); ++k) at[answer.axes[k].name] = values[k];
      Json row{{"at", std::move(at)}, {"outcome", make_label(map, map.cells[i])}};
      if (std::isfinite(map.numbers[i])) row["value"] = map.numbers[i];
      cases.push_back(std::move(row));
    }
    out["cases"] = std::move(cases);
    return;
  }
  out["grid"] = make_grid(answer.axes, map.cells.size(), [&](std::size_t i) {
    return map.cells[i] < 0 ? Json(nullptr) : Json(map.cells[i]);
  });
  if (has_numbers(map)) {
    out["values"] = make_grid(answer.axes, map.numbers.size(),
                              [&](std::size_t i) { return make_number(map.numbers[i]); });
  }
}

void add_map(const OutcomesAnswer& answer, bool is_summary, Json& out) {
  const OutcomeMap& map = answer.map;
  if (answer.axes.empty()) {
    out["outcome"] = map.cells.empty() ? Json(nullptr) : make_label(map, map.cells[0]);
    if (has_numbers(map)) out["value"] = map.numbers[0];
    if (const Json whys = make_whys(map); !whys.empty()) out["why"] = whys;
    return;
  }
  out["labels"] = map.labels;
  out["counts"] = make_counts(map);
  if (!is_summary) add_points(answer, out);
  if (answer.axes.size() == 1) {
    out["intervals"] = make_intervals(map);
    out["thresholds"] = make_thresholds(map);
  } else if (answer.axes.size() == 2) {
    add_borders(map, out);
    if (has_numbers(map)) out["contours"] = make_contours(map);
  }
  if (const Json whys = make_whys(map); !whys.empty()) out["why"] = whys;
  out["unresolved"] = map.unresolved;
  out["evaluations"] = map.found;
  out["complete"] = map.complete;
}

Json make_side(const std::optional<OutcomeSide>& side) {
  if (!side) return nullptr;
  return {{"distance", side->distance}, {"outcome", side->label}, {"error", side->error}};
}

Json make_margins(const std::vector<OutcomeMargin>& margins) {
  Json out = Json::array();
  for (const OutcomeMargin& margin : margins) {
    out.push_back({{"parameter", margin.name},
                   {"value", margin.value},
                   {"searched", {margin.searched.low, margin.searched.high}},
                   {"below", make_side(margin.below)},
                   {"above", make_side(margin.above)}});
  }
  return out;
}

// --- CSV ---

/// The values of the axes at a point, a comma behind each.
std::string make_csv_place(const OutcomesAnswer& answer, std::size_t point) {
  std::string out;
  for (const double value : list_values_at(answer.axes, point)) {
    append_number(value, out);
    out += ",";
  }
  return out;
}

std::string make_csv_row(const OutcomesAnswer& answer, std::size_t point) {
  std::string out = make_csv_place(answer, point);
  const OutcomeMap& map = answer.map;
  const int cell = map.cells[point];
  if (cell >= 0) out += make_csv_field(map.labels[static_cast<std::size_t>(cell)]);
  if (has_numbers(map)) {
    out += ",";
    if (std::isfinite(map.numbers[point])) append_number(map.numbers[point], out);
  }
  return out + "\n";
}

/// A row per point and outcome.
std::string make_share_rows(const OutcomesAnswer& answer, std::size_t point) {
  const std::string place = make_csv_place(answer, point);
  std::string out;
  for (const OutcomeShare& share : answer.shares[point].shares) {
    out += place + make_csv_field(share.label) + ",";
    append_number(share.share, out);
    out += ",";
    append_number(share.error, out);
    out += "\n";
  }
  return out;
}

// --- HDF5 ---

std::vector<std::size_t> find_shape(const std::vector<OutcomeAxis>& axes) {
  std::vector<std::size_t> out;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    out.push_back(static_cast<std::size_t>(axis->count));
  }
  return out;
}

void add_hdf5_borders(const OutcomeMap& map, Hdf5Group& root) {
  Hdf5Group borders = root.add_group("borders");
  for (std::size_t k = 0; k < map.borders.size(); ++k) {
    Hdf5Group group = borders.add_group(std::to_string(k));
    const auto& between = map.borders[k].between;
    group.set("between", make_hdf5(std::vector<std::int64_t>{between[0], between[1]}));
    group.add("points", make_points_array(map.borders[k].points));
  }
}

void add_hdf5_thresholds(const OutcomeMap& map, Hdf5Group& root) {
  Hdf5Group thresholds = root.add_group("thresholds");
  std::vector<double> values;
  std::vector<double> errors;
  std::vector<std::int64_t> between;
  for (const OutcomeThreshold& threshold : map.thresholds) {
    values.push_back(threshold.value);
    errors.push_back(threshold.error);
    between.insert(between.end(), {threshold.between[0], threshold.between[1]});
  }
  const std::size_t count = values.size();
  thresholds.add("value", make_hdf5(std::move(values)));
  thresholds.add("error", make_hdf5(std::move(errors)));
  thresholds.add("between", Hdf5Array{{count, 2}, std::move(between)});
}

}  // namespace

bool has_numbers(const OutcomeMap& map) {
  return std::any_of(map.numbers.begin(), map.numbers.end(),
                     [](double number) { return std::isfinite(number); });
}

std::vector<double> list_values_at(const std::vector<OutcomeAxis>& axes, std::size_t point) {
  std::vector<double> out;
  for (const OutcomeAxis& axis : axes) {
    const auto count = static_cast<std::size_t>(axis.count);
    out.push_back(axis.value(point % count));
    point /= count;
  }
  return out;
}

Json make_shares(const OutcomeShares& shares) {
  Json out = Json::object();
  for (const OutcomeShare& share : shares.shares) {
    out[share.label] = Json::array({share.share, share.error});
  }
  return out;
}

Json make_spread(const NumberSpread& spread) {
  return {{"mean", spread.mean},   {"error", spread.error},   {"deviation", spread.deviation},
          {"low", spread.low},     {"median", spread.median}, {"high", spread.high},
          {"least", spread.least}, {"most", spread.most}};
}

Json make_outcomes_json(const LoadedModel& loaded, const OutcomesAnswer& answer, bool is_summary) {
  Json out{{"model", loaded.model->name}, {"of", answer.verb}};
  if (!answer.key.empty()) out["key"] = answer.key;
  out["call"] = answer.call;
  if (!answer.axes.empty()) out["axes"] = make_axes(answer.axes);
  if (answer.uncertain.empty()) {
    add_map(answer, is_summary, out);
  } else {
    for (const UncertainName& name : answer.uncertain) out["uncertain"][name.name] = name.written;
    out["draws"] = answer.shares.front().draws;
    const auto make_at = [&](std::size_t i) { return make_shares(answer.shares[i]); };
    const auto make_numbers_at = [&](std::size_t i) {
      return answer.shares[i].numbers ? make_spread(*answer.shares[i].numbers) : Json(nullptr);
    };
    const bool is_list = !answer.axes.empty();
    const std::size_t size = answer.shares.size();
    const bool as_rows = answer.axes.size() == 2;
    const auto make_all = [&](const auto& make) {
      if (!is_list) return make(0);
      if (as_rows) return make_grid(answer.axes, size, make);
      Json list = Json::array();
      for (std::size_t i = 0; i < size; ++i) list.push_back(make(i));
      return list;
    };
    out["shares"] = make_all(make_at);
    if (answer.shares.front().numbers) out["numbers"] = make_all(make_numbers_at);
  }
  if (!answer.margins.empty()) out["margins"] = make_margins(answer.margins);
  return out;
}

void write_outcomes_hdf5(const LoadedModel& loaded, const OutcomesAnswer& answer,
                         const ByteSink& sink) {
  Hdf5Writer writer;
  Hdf5Group root = writer.root();
  write_header("outcomes", loaded, root);
  root.set("of", make_hdf5(answer.verb));
  root.set("call", make_hdf5(answer.call));
  if (!answer.key.empty()) root.set("key", make_hdf5(answer.key));
  Hdf5Group axes = root.add_group("axes");
  for (std::size_t k = 0; k < answer.axes.size(); ++k) {
    const OutcomeAxis& axis = answer.axes[k];
    Hdf5Group group = axes.add_group(std::to_string(k));
    group.set("name", make_hdf5(axis.name));
    std::vector<double> values;
    for (int i = 0; i < axis.count; ++i) values.push_back(axis.value(static_cast<std::size_t>(i)));
    group.add("values", make_hdf5(std::move(values)));
  }
  const std::vector<std::size_t> shape = find_shape(answer.axes);
  if (answer.uncertain.empty()) {
    const OutcomeMap& map = answer.map;
    root.add("labels", make_hdf5(map.labels));
    root.add("outcome", {shape, std::vector<std::int64_t>(map.cells.begin(), map.cells.end())});
    if (has_numbers(map)) root.add("value", Hdf5Array{shape, map.numbers});
    if (answer.axes.size() == 1) add_hdf5_thresholds(map, root);
    if (answer.axes.size() == 2) add_hdf5_borders(map, root);
  } else {
    std::vector<std::string> labels;
    for (const OutcomeShares& point : answer.shares) {
      for (const OutcomeShare& share : point.shares) labels.push_back(share.label);
    }
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    std::vector<double> shares(labels.size() * answer.shares.size());
    for (std::size_t i = 0; i < answer.shares.size(); ++i) {
      for (const OutcomeShare& share : answer.shares[i].shares) {
        const auto at = std::lower_bound(labels.begin(), labels.end(), share.label);
        shares[i * labels.size() + static_cast<std::size_t>(at - labels.begin())] = share.share;
      }
    }
    std::vector<std::size_t> with_labels = shape;
    with_labels.push_back(labels.size());
    root.add("labels", make_hdf5(labels));
    root.add("share", Hdf5Array{std::move(with_labels), std::move(shares)});
  }
  writer.write(sink);
}

void write_outcomes_csv(const OutcomesAnswer& answer, const ByteSink& sink) {
  std::string names;
  for (const OutcomeAxis& axis : answer.axes) names += make_csv_field(axis.name) + ",";
  names += "outcome";
  const bool has_shares = !answer.uncertain.empty();
  if (has_shares) names += ",share,error";
  if (!has_shares && has_numbers(answer.map)) names += ",value";
  sink(names + "\n");
  const std::size_t size = has_shares ? answer.shares.size() : answer.map.cells.size();
  for (std::size_t i = 0; i < size; ++i) {
    sink(has_shares ? make_share_rows(answer, i) : make_csv_row(answer, i));
  }
}

}  // namespace slipstick
