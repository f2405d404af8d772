#include "slipstick/io/ranges.h"

#include <fmt/format.h>

#include <cmath>

#include "slipstick/core/input_error.h"
#include "slipstick/core/nearest_name.h"

namespace slipstick {
namespace {

double eval(const LoadedModel& loaded, const std::string& where, const std::string& text) {
  Constants constants;
  for (const Setting& setting : loaded.parameters) constants[setting.name] = setting.value;
  const double value = Expression(where, text, {}, std::move(constants)).eval({});
  if (!std::isfinite(value)) {
    throw InputError(where, "expected a finite number, got one that is not from '" + text + "'");
  }
  return value;
}

}  // namespace

NamedRange parse_range(const LoadedModel& loaded, const std::string& option,
                       const std::string& text) {
  const std::string where = option + " " + text;
  const auto equals = text.find('=');
  const auto colon = text.find(':');
  if (equals == std::string::npos || colon == std::string::npos || colon < equals || equals == 0) {
    throw InputError(where, "expected NAME=A:B, got '" + text + "'");
  }
  const std::string name = text.substr(0, equals);
  std::vector<std::string> known = make_variable_names(loaded.model.coordinates);
  known.erase(known.begin());  // time
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) {
    throw InputError(where, "expected a coordinate or its rate, got '" + name + "'" +
                                make_suggestion(name, known));
  }
  NamedRange out;
  const auto index = static_cast<int>(found - known.begin());
  out.is_rate = index >= loaded.model.size();
  out.coordinate = index % loaded.model.size();
  out.low = eval(loaded, where, text.substr(equals + 1, colon - equals - 1));
  out.high = eval(loaded, where, text.substr(colon + 1));
  if (!(out.low < out.high)) {
    throw InputError(where,
                     fmt::format("expected a rising range, got {} to {}", out.low, out.high));
  }
  return out;
}

}  // namespace slipstick
