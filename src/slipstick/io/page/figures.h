#pragma once

/// Figures of a paper, drawn again from calls of the program (papers/README.md).

#include <optional>
#include <string>
#include <vector>

#include "slipstick/io/call_values.h"
#include "slipstick/words.h"

namespace slipstick {

struct FigureAxis {
  std::string label, unit;
  std::optional<double> from, to;  ///< the range shown; without it all values
  bool log = false;
};

enum class CurveStyle { kLine, kDashed, kDots };
inline constexpr Words<3> kCurveStyles{"line", "dashed", "dots"};

/// A curve through the points (x, y), which are expressions of the named values, or constants if
/// there is no call. With several expressions each entry of the values gives a line of its own,
/// through as many points: a picture of a mechanism.
struct FigureCurve {
  std::string name;
  CallValues source;
  std::vector<std::string> x, y;
  CurveStyle style = CurveStyle::kLine;
};

/// Words over a plane, as `paradox --map` and `stability-map` compute them; `x` and `y` are
/// expressions of a place on its axes, whose coordinates are called `x` and `y`.
struct FigureMap {
  CallValues source;           ///< one call
  std::string words, borders;  ///< places of the grid and of the lines {points}
  std::string details;         ///< place of a grid of second words; may be empty
  std::string x, y;
};

/// A line at x or y, or a point.
struct FigureMark {
  std::string text;
  std::optional<double> x, y;
};

struct Figure {
  std::string where, shows;
  std::string why;  ///< what the reader should know about the data, may be empty
  FigureAxis x, y;
  bool equal_scales = false;  ///< a metre is as long along x as along y
  std::vector<FigureCurve> curves;
  std::optional<FigureMap> map;
  std::vector<FigureMark> printed;  ///< numbers of the paper
  std::vector<FigureMark> marks;    ///< what the reader needs beside them, e.g. assumed values
};

/// Throws InputError if a field is missing, unknown or of another type.
[[nodiscard]] Figure read_figure(Document& document, const toml::table& item);

/// The calls that a figure needs.
[[nodiscard]] std::vector<std::string> list_runs(const Figure& figure);

/// The figure's entry in the document of `reproduce`. A part that could not be computed has
/// `failure` instead of its values; `failed` says whether there is one.
// NOLINTNEXTLINE(bugprone-exception-escape): as CallAnswer
struct DrawnFigure {
  Json document;
  bool failed = false;
};
[[nodiscard]] DrawnFigure draw(const Figure& figure, const CallAnswers& answers);

}  // namespace slipstick
