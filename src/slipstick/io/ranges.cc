#include "slipstick/io/ranges.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "slipstick/core/nearest_name.h"
#include "slipstick/errors.h"
#include "slipstick/io/model/run_formulas.h"
#include "slipstick/model/expression.h"
#include "slipstick/model/model.h"

namespace slipstick {
namespace {

/// The parts of NAME=A:B[:C].
struct RangeText {
  std::string where, name;
  std::vector<std::string> parts;
};

std::vector<std::string> split_at_colons(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t start = 0;;) {
    const auto colon = text.find(':', start);
    out.push_back(text.substr(start, colon - start));
    if (colon == std::string::npos) return out;
    start = colon + 1;
  }
}

void check_parts(const RangeText& range, std::size_t parts, const std::string& text,
                 const char* form) {
  if (range.parts.size() == parts) return;
  throw InputError(range.where, fmt::format("expected {}, got '{}'", form, text));
}

RangeText split(const std::string& option, const std::string& text, std::size_t parts,
                const char* form) {
  RangeText out{option + " " + text, "", {}};
  const auto equals = text.find('=');
  if (equals != std::string::npos && equals != 0) {
    out.name = text.substr(0, equals);
    out.parts = split_at_colons(text.substr(equals + 1));
  }
  check_parts(out, parts, text, form);
  return out;
}

void check_rising(const std::string& where, double low, double high) {
  if (low < high) return;
  throw InputError(where, fmt::format("expected a rising range, got {} to {}", low, high));
}

int read_count(const LoadedModel& loaded, const std::string& where, const std::string& text) {
  const double count = eval_in_model(loaded, where, text);
  constexpr double kMost = 100000.0;  // bounds time and memory
  if (count != std::floor(count) || count < 2.0 || count > kMost) {
    throw InputError(where, fmt::format("expected 2 to {} points, got {}", kMost, text));
  }
  return static_cast<int>(count);
}

}  // namespace

double eval_in_model(const LoadedModel& loaded, const std::string& where, const std::string& text) {
  const double value = Expression(where, text, {}, list_parameters(loaded)).eval({});
  if (!std::isfinite(value)) {
    throw InputError(where, "expected a finite number, got one that is not from '" + text + "'");
  }
  return value;
}

NamedRange parse_range(const LoadedModel& loaded, const std::string& option,
                       const std::string& text) {
  const RangeText range = split(option, text, 2, "NAME=A:B");
  const auto& [where, name, parts] = range;
  std::vector<std::string> known = make_variable_names(loaded.model->coordinates);
  known.erase(known.begin());  // time
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) {
    throw InputError(where, "expected a coordinate or its rate, got '" + name + "'" +
                                make_suggestion(name, known));
  }
  NamedRange out;
  const auto index = static_cast<int>(found - known.begin());
  out.is_rate = index >= loaded.model->size();
  out.coordinate = index % loaded.model->size();
  out.low = eval_in_model(loaded, where, parts[0]);
  out.high = eval_in_model(loaded, where, parts[1]);
  check_rising(where, out.low, out.high);
  return out;
}

ParameterRange parse_parameter_range(const LoadedModel& loaded, const std::string& option,
                                     const std::string& text, RangeForm form) {
  const bool counted = form == RangeForm::kGrid;
  const RangeText range =
      counted ? split(option, text, 3, "NAME=A:B:N") : split(option, text, 2, "NAME=A:B");
  const auto& [where, name, parts] = range;
  std::vector<std::string> known;
  for (const Setting& setting : loaded.parameters) known.push_back(setting.name);
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    throw InputError(where,
                     "expected a parameter, got '" + name + "'" + make_suggestion(name, known));
  }
  ParameterRange out{name, eval_in_model(loaded, where, parts[0]),
                     eval_in_model(loaded, where, parts[1]), 0};
  if (form != RangeForm::kPath) {
    check_rising(where, out.low, out.high);
  } else if (out.low == out.high) {
    throw InputError(where, fmt::format("expected two different values, got {} twice", out.low));
  }
  if (counted) out.count = read_count(loaded, where, parts[2]);
  return out;
}

std::vector<double> parse_grid(const LoadedModel& loaded, const std::string& option,
                               const std::string& text) {
  const RangeText range{option + " " + text, "", split_at_colons(text)};
  check_parts(range, 3, text, "A:B:N");
  const double low = eval_in_model(loaded, range.where, range.parts[0]);
  const double high = eval_in_model(loaded, range.where, range.parts[1]);
  check_rising(range.where, low, high);
  const int count = read_count(loaded, range.where, range.parts[2]);
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) out.push_back(low + (high - low) * i / (count - 1));
  return out;
}

namespace {

/// What a name may stand for.
struct KnownNames {
  std::string what;  ///< in words
  std::vector<std::string> names;
};

KnownNames list_settable(const LoadedModel& loaded) {
  KnownNames out{"a parameter, coordinate or rate of this model", {}};
  for (const Setting& setting : loaded.parameters) out.names.push_back(setting.name);
  for (const Setting& setting : loaded.initial_values) out.names.push_back(setting.name);
  return out;
}

void check_known(const KnownNames& known, const std::string& where, const std::string& name) {
  const auto& names = known.names;
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  throw InputError(
      where, "expected " + known.what + ", got '" + name + "'" + make_suggestion(name, names));
}

/// Throws InputError unless the model has a parameter, coordinate or rate of this name.
void check_settable(const LoadedModel& loaded, const std::string& where, const std::string& name) {
  check_known(list_settable(loaded), where, name);
}

/// The texts between the commas of "(A, B)", not those inside of other brackets.
std::vector<std::string> split_arguments(const std::string& text) {
  std::vector<std::string> out(1);
  int depth = 0;
  for (const char c : text.substr(1, text.size() - 2)) {
    depth += c == '(' ? 1 : (c == ')' ? -1 : 0);
    if (c == ',' && depth == 0) {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

struct DistributionForm {
  std::string_view word;
  DistributionKind kind;
  std::string_view arguments;
  std::size_t count;
};
constexpr std::array<DistributionForm, 4> kDistributionForms{
    {{"uniform", DistributionKind::kUniform, "uniform(A, B)", 2},
     {"normal", DistributionKind::kNormal, "normal(MEAN, DEVIATION)", 2},
     {"triangular", DistributionKind::kTriangular, "triangular(A, MODE, B)", 3},
     {"truncated", DistributionKind::kTruncated, "truncated(MEAN, DEVIATION, A, B)", 4}}};

/// Fills in the numbers and checks their order.
Distribution make_distribution(const std::string& where, const DistributionForm& form,
                               const std::vector<double>& numbers) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Distribution out;
  switch (form.kind) {
    case DistributionKind::kUniform:
      out = make_uniform(numbers[0], numbers[1]);
      break;
    case DistributionKind::kNormal:
      out = {form.kind, -kInfinity, kInfinity, numbers[0], numbers[1]};
      break;
    case DistributionKind::kTriangular:
      out = {form.kind, numbers[0], numbers[2], numbers[1], 0.0};
      break;
    case DistributionKind::kTruncated:
      out = {form.kind, numbers[2], numbers[3], numbers[0], numbers[1]};
      break;
  }
  check_rising(where, out.low, out.high);
  const bool has_deviation =
      form.kind == DistributionKind::kNormal || form.kind == DistributionKind::kTruncated;
  if (has_deviation && !(out.deviation > 0.0)) {
    throw InputError(where, fmt::format("expected a deviation above 0, got {}", out.deviation));
  }
  if (form.kind == DistributionKind::kTriangular &&
      !(out.low <= out.middle && out.middle <= out.high)) {
    throw InputError(
        where, fmt::format("expected a mode from {} to {}, got {}", out.low, out.high, out.middle));
  }
  // With less of the normal distribution between the bounds its quantiles have no digits.
  if (form.kind == DistributionKind::kTruncated && !(out.quantile(0.25) < out.quantile(0.75))) {
    throw InputError(where, "expected bounds within 37 deviations of the mean, got none there");
  }
  return out;
}

OutcomeAxis parse_axis(const LoadedModel& loaded, const std::string& option,
                       const std::string& text, int count, const KnownNames& known) {
  constexpr const char* kForm = "NAME=A:B, NAME=A:B:N or NAME=A:B:N:log";
  const auto colons = static_cast<std::size_t>(std::count(text.begin(), text.end(), ':'));
  const RangeText range = split(option, text, std::clamp<std::size_t>(colons + 1, 2, 4), kForm);
  const auto& [where, name, parts] = range;
  check_known(known, where, name);
  OutcomeAxis out{name, {}, count, false};
  out.range.low = eval_in_model(loaded, where, parts[0]);
  out.range.high = eval_in_model(loaded, where, parts[1]);
  check_rising(where, out.range.low, out.range.high);
  if (parts.size() > 2) out.count = read_count(loaded, where, parts[2]);
  if (parts.size() > 3) {
    if (parts[3] != "log") throw InputError(where, "expected 'log', got '" + parts[3] + "'");
    if (!(out.range.low > 0.0)) {
      throw InputError(
          where, fmt::format("expected a range above 0 for log, got one from {}", out.range.low));
    }
    out.logarithmic = true;
  }
  return out;
}

}  // namespace

std::vector<CoordinateRange> parse_coordinate_ranges(const LoadedModel& loaded,
                                                     const std::string& option,
                                                     const std::vector<std::string>& texts) {
  std::vector<CoordinateRange> out;
  for (const std::string& text : texts) {
    const NamedRange range = parse_range(loaded, option, text);
    const std::string where = option + " " + text;
    if (range.is_rate) throw InputError(where, "expected a coordinate, got a rate");
    for (const CoordinateRange& other : out) {
      if (other.coordinate == range.coordinate) {
        throw InputError(where, "expected each coordinate once, got one twice");
      }
    }
    out.push_back({range.coordinate, range.low, range.high});
  }
  return out;
}

std::vector<CoordinateRange> replace_ranges(std::vector<CoordinateRange> ranges,
                                            std::span<const CoordinateRange> over) {
  for (const CoordinateRange& given : over) {
    std::erase_if(ranges,
                  [&](const CoordinateRange& own) { return own.coordinate == given.coordinate; });
    ranges.push_back(given);
  }
  std::sort(ranges.begin(), ranges.end(), [](const CoordinateRange& a, const CoordinateRange& b) {
    return a.coordinate < b.coordinate;
  });
  return ranges;
}

OutcomeAxis parse_outcome_axis(const LoadedModel& loaded, const std::string& option,
                               const std::string& text, int count) {
  return parse_axis(loaded, option, text, count, list_settable(loaded));
}

OutcomeAxis parse_size_axis(const LoadedModel& loaded, const std::string& option,
                            const std::string& text, int count,
                            const std::vector<std::string>& names) {
  return parse_axis(loaded, option, text, count,
                    {fmt::format("one of {}", fmt::join(names, ", ")), names});
}

std::vector<OutcomeAxis> parse_outcome_axes(const LoadedModel& loaded, const std::string& option,
                                            const std::vector<std::string>& texts) {
  const int count = texts.size() < 2 ? 101 : (texts.size() == 2 ? 41 : 11);
  std::vector<OutcomeAxis> out;
  for (const std::string& text : texts) {
    OutcomeAxis axis = parse_outcome_axis(loaded, option, text, count);
    for (const OutcomeAxis& other : out) {
      if (other.name == axis.name) {
        throw InputError(option + " " + text,
                         "expected every name once, got '" + axis.name + "' twice");
      }
    }
    out.push_back(std::move(axis));
  }
  return out;
}

UncertainName parse_uncertain(const LoadedModel& loaded, const std::string& option,
                              const std::string& text) {
  const std::string where = option + " " + text;
  const auto equals = text.find('=');
  const std::string written = equals == std::string::npos ? "" : text.substr(equals + 1);
  const auto bracket = written.find('(');
  const std::string word = written.substr(0, bracket);
  const auto form = std::find_if(kDistributionForms.begin(), kDistributionForms.end(),
                                 [&](const DistributionForm& known) { return known.word == word; });
  if (form == kDistributionForms.end()) {
    const RangeText range = split(option, text, 2,
                                  "NAME=A:B, or NAME= and uniform(A, B), normal(MEAN, DEVIATION), "
                                  "triangular(A, MODE, B) or truncated(MEAN, DEVIATION, A, B)");
    check_settable(loaded, where, range.name);
    const std::vector<double> ends{eval_in_model(loaded, where, range.parts[0]),
                                   eval_in_model(loaded, where, range.parts[1])};
    return {range.name, written, make_distribution(where, kDistributionForms[0], ends)};
  }
  const std::string name = text.substr(0, equals);
  check_settable(loaded, where, name);
  std::vector<std::string> arguments;
  if (bracket != std::string::npos && written.back() == ')') {
    arguments = split_arguments(written.substr(bracket));
  }
  if (arguments.size() != form->count) {
    throw InputError(where, fmt::format("expected {}, got '{}'", form->arguments, written));
  }
  std::vector<double> numbers;
  for (const std::string& argument : arguments) {
    numbers.push_back(eval_in_model(loaded, where, argument));
  }
  return {name, written, make_distribution(where, *form, numbers)};
}

}  // namespace slipstick
