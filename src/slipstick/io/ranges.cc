#include "slipstick/io/ranges.h"

#include <fmt/format.h>

#include <cmath>

#include "slipstick/core/nearest_name.h"
#include "slipstick/errors.h"
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
  Constants constants;
  for (const Setting& setting : loaded.parameters) constants[setting.name] = setting.value;
  const double value = Expression(where, text, {}, constants).eval({});
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

}  // namespace slipstick
