#pragma once

/// NAME=A:B and A:B:N of the command line, and distributions.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "slipstick/model_file.h"
#include "slipstick/uncertainty.h"

namespace slipstick {

/// Value of an expression in the model's parameters. Throws InputError if it is not finite.
[[nodiscard]] double eval_in_model(const LoadedModel& loaded, const std::string& where,
                                   const std::string& text);

struct NamedRange {
  int coordinate = 0;
  bool is_rate = false;
  double low = 0.0, high = 0.0;
};

/// Parses NAME=A:B with expressions in the model's parameters; `option` starts error messages.
/// Throws InputError for an unknown name, an empty or reversed range, or a bad expression.
[[nodiscard]] NamedRange parse_range(const LoadedModel& loaded, const std::string& option,
                                     const std::string& text);

/// Parses COORD=A:B, each coordinate once. Throws InputError as above, and for a rate.
[[nodiscard]] std::vector<CoordinateRange> parse_coordinate_ranges(
    const LoadedModel& loaded, const std::string& option, const std::vector<std::string>& texts);

/// The ranges, with those of `over` in place of others of the same coordinates.
[[nodiscard]] std::vector<CoordinateRange> replace_ranges(std::vector<CoordinateRange> ranges,
                                                          std::span<const CoordinateRange> over);

/// NAME=A:B or NAME=A:B:N of a parameter.
struct ParameterRange {
  std::string name;
  double low = 0.0, high = 0.0;
  int count = 0;  ///< points, ends included; 0: none given
};

enum class RangeForm {
  kRange,  ///< NAME=A:B with A < B
  kGrid,   ///< NAME=A:B:N with A < B and at least two points
  kPath,   ///< NAME=A:B, from A to B in either direction
};

/// Parses one. Throws InputError as above.
[[nodiscard]] ParameterRange parse_parameter_range(const LoadedModel& loaded,
                                                   const std::string& option,
                                                   const std::string& text, RangeForm form);

/// Parses A:B:N with A < B: N equally spaced values, ends included. Throws InputError as above.
[[nodiscard]] std::vector<double> parse_grid(const LoadedModel& loaded, const std::string& option,
                                             const std::string& text);

/// Points of each axis unless the user says how many, by the number of axes.
[[nodiscard]] int find_usual_count(std::size_t axes);

/// Parses NAME=A:B, NAME=A:B:N or NAME=A:B:N:log of a parameter, coordinate or rate; `count` points
/// where none are given. Throws InputError as above.
[[nodiscard]] OutcomeAxis parse_outcome_axis(const LoadedModel& loaded, const std::string& option,
                                             const std::string& text, int count);

/// The same for sizes of what these names stand for.
[[nodiscard]] OutcomeAxis parse_size_axis(const LoadedModel& loaded, const std::string& option,
                                          const std::string& text, int count,
                                          const std::vector<std::string>& names);

/// Parses several, of different names: 101 points for one axis, 41 each for two, 11 for more, where
/// none are given.
[[nodiscard]] std::vector<OutcomeAxis> parse_outcome_axes(const LoadedModel& loaded,
                                                          const std::string& option,
                                                          const std::vector<std::string>& texts);

/// NAME=DISTRIBUTION of a parameter, coordinate or rate.
struct UncertainName {
  std::string name;
  std::string written;  ///< the distribution's text
  Distribution distribution;
};

/// Parses NAME=A:B, NAME=uniform(A, B), normal(MEAN, DEVIATION), triangular(A, MODE, B) or
/// truncated(MEAN, DEVIATION, A, B). Throws InputError as above.
[[nodiscard]] UncertainName parse_uncertain(const LoadedModel& loaded, const std::string& option,
                                            const std::string& text);

}  // namespace slipstick
