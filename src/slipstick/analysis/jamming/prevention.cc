#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "slipstick/analysis/parallel_for.h"
#include "slipstick/core/roots.h"
#include "slipstick/core/scales.h"
#include "slipstick/jam_design.h"

namespace slipstick {
namespace {

/// The friction that something needs, less the model's own, as a part of that; infinite if no
/// friction is enough. At zero and above it is impossible.
using Surplus = std::function<double(const FrictionAt&)>;

bool has_frictions(const FrictionAt& at) { return !at.why; }

double eval_surplus(const std::optional<double>& needed, double mu) {
  return needed ? *needed / mu - 1.0 : std::numeric_limits<double>::infinity();
}

/// The border between two values of which one is free.
PreventionBorder locate_border(const PreventionQuestion& question, const Surplus& surplus,
                               const FrictionAt& low, const FrictionAt& high) {
  double below = low.value;
  double above = high.value;
  const bool is_free_above = surplus(high) >= 0.0;
  const double enough = kResultRounding * (question.searched.high - question.searched.low);
  PreventionBorder out;
  out.is_free_above = is_free_above;
  if (std::isfinite(surplus(low)) && std::isfinite(surplus(high))) {
    bool is_smooth = true;
    const double zero = find_zero_between(
        [&](double value) {
          const FrictionAt at = question.find(value);
          is_smooth = is_smooth && has_frictions(at) && std::isfinite(surplus(at));
          return is_smooth ? surplus(at) : 0.0;
        },
        below, above);
    if (is_smooth) {
      out.value = zero;
      out.error = enough;
      return out;
    }
  }
  while (above - below > enough) {
    const double middle = 0.5 * (below + above);
    if (middle <= below || middle >= above) break;
    const FrictionAt at = question.find(middle);
    if (!has_frictions(at)) break;
    const bool is_free = surplus(at) >= 0.0;
    (is_free == is_free_above ? above : below) = middle;
  }
  out.value = 0.5 * (below + above);
  out.error = 0.5 * (above - below);
  return out;
}

/// The change nearest to the present value.
PreventionBorder find_prevention_border(const PreventionQuestion& question,
                                        const std::vector<FrictionAt>& points,
                                        const FrictionAt& present, const Surplus& surplus,
                                        const char* what) {
  PreventionBorder out;
  const auto is_free = [&](const FrictionAt& at) { return surplus(at) >= 0.0; };
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const FrictionAt& low = points[i];
    const FrictionAt& high = points[i + 1];
    if (!has_frictions(low) || !has_frictions(high) || is_free(low) == is_free(high)) continue;
    const double nearest = std::clamp(question.value, low.value, high.value);
    if (out.value && std::abs(nearest - question.value) >= std::abs(*out.value - question.value)) {
      continue;
    }
    const PreventionBorder found = locate_border(question, surplus, low, high);
    const bool is_nearer = !out.value || std::abs(*found.value - question.value) <
                                             std::abs(*out.value - question.value);
    if (is_nearer) out = found;
  }
  out.is_free = has_frictions(present) && is_free(present);
  if (!out.value) {
    const bool always = std::all_of(points.begin(), points.end(), [&](const FrictionAt& at) {
      return !has_frictions(at) || is_free(at);
    });
    out.why = {WhyCode::kNotFound,
               fmt::format("{} is {}possible at all values from {:.6g} to {:.6g}", what,
                           always ? "im" : "", question.searched.low, question.searched.high)};
  }
  return out;
}

}  // namespace

Prevention find_prevention(const PreventionQuestion& question) {
  Prevention out;
  const auto count = static_cast<std::size_t>(question.count);
  const Interval& range = question.searched;
  out.curve.resize(count);
  parallel_for(count, [&](std::size_t i) {
    const double part = static_cast<double>(i) / static_cast<double>(count - 1);
    out.curve[i] = question.find((1.0 - part) * range.low + part * range.high);
  });
  out.present = question.find(question.value);
  std::vector<FrictionAt> points = out.curve;
  if (question.value > range.low && question.value < range.high) {
    const auto after =
        std::lower_bound(points.begin(), points.end(), question.value,
                         [](const FrictionAt& at, double value) { return at.value < value; });
    points.insert(after, out.present);
  }
  out.paradox = find_prevention_border(
      question, points, out.present,
      [](const FrictionAt& at) { return eval_surplus(at.mu_min, at.mu); }, "the paradox");
  out.jam = find_prevention_border(
      question, points, out.present,
      [](const FrictionAt& at) { return eval_surplus(at.mu_jam, at.mu); },
      "a jam with unbounded force");
  return out;
}

}  // namespace slipstick
