#include "slipstick/io/page/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/errors.h"
#include "slipstick/model/expression.h"

namespace slipstick {
namespace {

FigureAxis read_axis(Document& document, const TableReader& figure, const char* key) {
  const TableReader table(document, figure.table(key), fmt::format("figures.{}", key),
                          {"label", "unit", "from", "to", "log"});
  FigureAxis out;
  out.label = table.text("label");
  out.unit = table.text("unit", "");
  if (table.has("from")) out.from = table.number("from");
  if (table.has("to")) out.to = table.number("to");
  out.log = table.flag("log", false);
  if (out.from.has_value() != out.to.has_value()) {
    throw InputError(table.where(), "expected both `from` and `to`, got one");
  }
  if (out.from && !(*out.from < *out.to && (*out.from > 0.0 || !out.log))) {
    throw InputError(table.where(), fmt::format("expected a rising range{}, got {} to {}",
                                                out.log ? " above 0" : "", *out.from, *out.to));
  }
  return out;
}

FigureCurve read_curve(Document& document, const toml::table& item) {
  const TableReader table(document, item, "figures.curves",
                          {"name", "run", "from", "x", "y", "style"});
  FigureCurve out;
  out.name = table.text("name");
  out.source.place = table.where();
  if (table.has("run")) {
    out.source = read_call_values(table);
  } else if (table.has("from")) {
    throw InputError(table.where("from"), "expected `run` beside `from`, got none");
  }
  out.x = table.texts("x");
  out.y = table.texts("y");
  out.style = static_cast<CurveStyle>(table.word("style", kCurveStyles, 0));
  if (out.x.empty()) throw InputError(table.where("x"), "expected an expression, got none");
  if (out.x.size() != out.y.size()) {
    throw InputError(table.where("y"), fmt::format("expected as many expressions as in `x`, {}, "
                                                   "got {}",
                                                   out.x.size(), out.y.size()));
  }
  const std::vector<std::string> names = list_names(out.source);
  for (const std::string& text : out.x) (void)Expression(table.where("x"), text, names, {});
  for (const std::string& text : out.y) (void)Expression(table.where("y"), text, names, {});
  return out;
}

FigureMap read_map(Document& document, const toml::table& item) {
  const TableReader table(document, item, "figures.map",
                          {"run", "words", "details", "borders", "x", "y"});
  FigureMap out;
  out.source = read_call_values(table);
  if (out.source.runs.size() != 1) {
    throw InputError(table.where("run"),
                     fmt::format("expected one call, got {}", out.source.runs.size()));
  }
  out.words = table.text("words");
  out.details = table.text("details", "");
  out.borders = table.text("borders");
  out.x = table.text("x", "x");
  out.y = table.text("y", "y");
  for (const char* key : {"words", "details", "borders"}) {
    if (table.has(key)) check_place(table.where(key), out.source, table.text(key));
  }
  (void)Expression(table.where("x"), out.x, {"x"}, {});
  (void)Expression(table.where("y"), out.y, {"y"}, {});
  return out;
}

FigureMark read_mark(Document& document, const toml::table& item, const char* label) {
  const TableReader table(document, item, label, {"text", "x", "y"});
  FigureMark out;
  out.text = table.text("text");
  if (table.has("x")) out.x = table.number("x");
  if (table.has("y")) out.y = table.number("y");
  if (!out.x && !out.y) throw InputError(table.where(), "expected `x`, `y` or both, got none");
  return out;
}

/// Joins the lists within a list, with null (a gap) between them.
Json flatten(const Json& list) {
  Json out = Json::array();
  for (const Json& entry : list) {
    if (!entry.is_array()) {
      out.push_back(entry);
      continue;
    }
    const Json inner = flatten(entry);
    out.insert(out.end(), inner.begin(), inner.end());
    out.push_back(nullptr);
  }
  return out;
}

/// Columns of numbers over the entries of the values; a single number holds for all entries.
class Columns {
 public:
  Columns(const CallValues& source, const CallAnswers& answers) {
    check_answers(source, answers);
    for (const auto& [name, place] : source.from) {
      const Json found = find_value(source, answers, place);
      const Json column = found.is_array() ? flatten(found) : Json::array({found});
      for (const Json& value : column) {
        if (value.is_number() || value.is_null()) continue;
        throw InputError(source.place,
                         fmt::format("expected numbers at {}, got {}", place, value.dump()));
      }
      columns_.push_back(column);
      if (!found.is_array()) continue;
      if (size_ && *size_ != column.size()) {
        throw InputError(source.place,
                         fmt::format("expected {} entries at {} as in the lists before, got {}",
                                     *size_, place, column.size()));
      }
      size_ = column.size();
    }
    if (size() > kMostEntries) {
      throw InputError(source.place,
                       fmt::format("expected at most {} entries, got {}", kMostEntries, size()));
    }
  }

  [[nodiscard]] std::size_t size() const { return size_.value_or(1); }
  /// Values of the names at an entry; NaN where there is none.
  void write(std::size_t entry, std::vector<double>& out) const {
    out.clear();
    for (const Json& column : columns_) {
      const Json& value = column[column.size() == 1 ? 0 : entry];
      out.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                    : value.get<double>());
    }
  }

 private:
  /// More than any picture shows.
  static constexpr std::size_t kMostEntries = 100000;
  std::optional<std::size_t> size_;
  std::vector<Json> columns_;
};

std::vector<Expression> compile(const FigureCurve& curve, const std::vector<std::string>& texts) {
  std::vector<Expression> out;
  out.reserve(texts.size());
  for (const std::string& text : texts) {
    out.emplace_back(curve.source.place, text, list_names(curve.source), Constants{});
  }
  return out;
}

/// Columns of x and y. Lines with several points are separated by null (a gap).
void add_points(const FigureCurve& curve, const CallAnswers& answers, Json& out) {
  const Columns columns(curve.source, answers);
  const std::vector<Expression> x = compile(curve, curve.x);
  const std::vector<Expression> y = compile(curve, curve.y);
  Json xs = Json::array();
  Json ys = Json::array();
  std::vector<double> values;
  for (std::size_t entry = 0; entry < columns.size(); ++entry) {
    columns.write(entry, values);
    for (std::size_t i = 0; i < x.size(); ++i) {
      xs.push_back(x[i].eval(values));
      ys.push_back(y[i].eval(values));
    }
    if (x.size() == 1) continue;
    xs.push_back(nullptr);
    ys.push_back(nullptr);
  }
  out["x"] = xs;
  out["y"] = ys;
}

std::vector<double> list_values(const Json& axis) {
  if (axis.contains("values")) return axis.at("values").get<std::vector<double>>();
  const double from = axis.at("from").get<double>();
  const double to = axis.at("to").get<double>();
  const auto count = axis.at("count").get<std::size_t>();
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(count - 1));
  }
  return out;
}

/// Rows of words, one for each value of y.
Json find_grid(const FigureMap& map, const CallAnswers& answers, const std::string& place,
               std::size_t columns, std::size_t rows) {
  Json out = find_value(map.source, answers, place);
  const auto is_row = [&](const Json& row) { return row.is_array() && row.size() == columns; };
  if (!out.is_array() || out.size() != rows || !std::all_of(out.begin(), out.end(), is_row)) {
    throw InputError(map.source.place, fmt::format("expected {} rows of {} words at {}, got others",
                                                   rows, columns, place));
  }
  return out;
}

std::string describe_word(const Json& word) {
  return word.is_string() ? word.get<std::string>() : word.dump();
}

void add_plane(const FigureMap& map, const CallAnswers& answers, Json& out) {
  const Expression x(map.source.place, map.x, {"x"}, {});
  const Expression y(map.source.place, map.y, {"y"}, {});
  const auto eval = [](const Expression& expression, double value) {
    return expression.eval(std::span(&value, 1));
  };
  check_answers(map.source, answers);
  const Json axes = find_value(map.source, answers, "/axes");
  if (axes.size() != 2) throw InputError(map.source.place, "expected a plane, got a line");
  out["x"] = Json::array();
  out["y"] = Json::array();
  for (const double value : list_values(axes[0])) out["x"].push_back(eval(x, value));
  for (const double value : list_values(axes[1])) out["y"].push_back(eval(y, value));
  const std::size_t columns = out["x"].size();
  const std::size_t rows = out["y"].size();
  out["words"] = find_grid(map, answers, map.words, columns, rows);
  if (!map.details.empty()) {
    const Json details = find_grid(map, answers, map.details, columns, rows);
    for (std::size_t j = 0; j < rows; ++j) {
      for (std::size_t i = 0; i < columns; ++i) {
        Json& word = out["words"][j][i];
        if (!details[j][i].is_null()) {
          word = describe_word(word) + " " + describe_word(details[j][i]);
        }
      }
    }
  }
  out["borders"] = find_value(map.source, answers, map.borders);
  for (Json& border : out["borders"]) {
    for (Json& point : border.at("points")) {
      point = {eval(x, point[0].get<double>()), eval(y, point[1].get<double>())};
    }
  }
}

/// Runs `add`. If something cannot be computed, the part gets a `failure` and the result is false.
template <class Add>
bool try_add(Json& part, const Add& add) {
  try {
    add(part);
    return true;
  } catch (const InputError& error) {
    part["failure"] = error.what();
  } catch (const Json::exception& error) {  // a document of another kind
    part["failure"] = error.what();
  }
  return false;
}

Json make_marks(const std::vector<FigureMark>& marks) {
  Json out = Json::array();
  for (const FigureMark& mark : marks) {
    Json part{{"text", mark.text}};
    if (mark.x) part["x"] = *mark.x;
    if (mark.y) part["y"] = *mark.y;
    out.push_back(part);
  }
  return out;
}

Json make_axis(const FigureAxis& axis) {
  Json out{{"label", axis.label}, {"unit", axis.unit}, {"log", axis.log}};
  if (axis.from) out["from"] = *axis.from;
  if (axis.to) out["to"] = *axis.to;
  return out;
}

}  // namespace

Figure read_figure(Document& document, const toml::table& item) {
  const TableReader table(
      document, item, "figures",
      {"where", "shows", "why", "x", "y", "equal_scales", "curves", "map", "printed", "marks"});
  Figure out;
  out.where = table.text("where");
  out.shows = table.text("shows");
  out.why = table.text("why", "");
  out.x = read_axis(document, table, "x");
  out.y = read_axis(document, table, "y");
  out.equal_scales = table.flag("equal_scales", false);
  table.for_each("curves", [&](const toml::table& curve) {
    out.curves.push_back(read_curve(document, curve));
  });
  if (table.has("map")) out.map = read_map(document, table.table("map"));
  table.for_each("printed", [&](const toml::table& mark) {
    out.printed.push_back(read_mark(document, mark, "figures.printed"));
  });
  table.for_each("marks", [&](const toml::table& mark) {
    out.marks.push_back(read_mark(document, mark, "figures.marks"));
  });
  if (out.map && (out.x.from || out.y.from || out.x.log || out.y.log)) {
    throw InputError(table.where(), "expected the axes of `map`, got `from`, `to` or `log`");
  }
  if (out.curves.empty() && !out.map) {
    throw InputError(table.where(), "expected `curves` or `map`, got none");
  }
  return out;
}

std::vector<std::string> list_runs(const Figure& figure) {
  std::vector<std::string> out;
  for (const FigureCurve& curve : figure.curves) {
    out.insert(out.end(), curve.source.runs.begin(), curve.source.runs.end());
  }
  if (figure.map) {
    out.insert(out.end(), figure.map->source.runs.begin(), figure.map->source.runs.end());
  }
  return out;
}

DrawnFigure draw(const Figure& figure, const CallAnswers& answers) {
  DrawnFigure out;
  Json curves = Json::array();
  for (const FigureCurve& curve : figure.curves) {
    Json part{{"name", curve.name},
              {"style", find_word(kCurveStyles, curve.style)},
              {"runs", make_calls(curve.source)},
              {"from", curve.source.from},
              {"expressions", {{"x", curve.x}, {"y", curve.y}}}};
    if (!try_add(part, [&](Json& to) { add_points(curve, answers, to); })) out.failed = true;
    curves.push_back(part);
  }
  out.document = {{"where", figure.where},
                  {"shows", figure.shows},
                  {"why", figure.why},
                  {"x", make_axis(figure.x)},
                  {"y", make_axis(figure.y)},
                  {"equal_scales", figure.equal_scales},
                  {"curves", curves},
                  {"printed", make_marks(figure.printed)},
                  {"marks", make_marks(figure.marks)}};
  if (figure.map) {
    Json part{{"runs", make_calls(figure.map->source)}};
    if (!try_add(part, [&](Json& to) { add_plane(*figure.map, answers, to); })) out.failed = true;
    out.document["map"] = part;
  }
  return out;
}

}  // namespace slipstick
