#pragma once

/// NAME=A:B and A:B:N of the command line, and models at points of such ranges.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "slipstick/analysis/stability/box.h"
#include "slipstick/io/model/model_file.h"

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

/// The body on two contacts as a function of these parameters. Threads may share it.
[[nodiscard]] MakeBody make_body_family(LoadedModel loaded, std::vector<std::string> names,
                                        const Tolerances& tolerances);

/// The model as a function of one of its parameters.
[[nodiscard]] std::function<Model(double)> make_family(LoadedModel loaded, std::string name);

}  // namespace slipstick
