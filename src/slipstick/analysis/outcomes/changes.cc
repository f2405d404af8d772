#include "slipstick/analysis/outcomes/changes.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <cstdint>

namespace slipstick {
namespace {

/// Between two neighbours of the grid; with more the grid is too coarse, or rounding decides.
constexpr std::size_t kMostChanges = 12;

/// The first change on the way from one place to another whose outcome differs.
OutcomeChange find_first(const FindOnWay& find, WayPoint inside, WayPoint& outside, double enough) {
  while (std::abs(outside.place - inside.place) > enough) {
    const double middle = 0.5 * (inside.place + outside.place);
    if (middle == inside.place || middle == outside.place) break;
    WayPoint found{middle, find(middle)};
    if (found.outcome.label < 0) break;
    (found.outcome.label == inside.outcome.label ? inside : outside) = std::move(found);
  }
  return {inside.place, outside.place, inside.outcome.label, outside.outcome.label,
          std::max(inside.outcome.tolerance, outside.outcome.tolerance)};
}

/// The least value that straight continuations of a margin from both sides leave between the
/// places.
double extrapolate(const WayPoint* before, const WayPoint& from, const WayPoint& to,
                   const WayPoint* after, std::size_t k) {
  const auto slope = [k](const WayPoint& a, const WayPoint& b) {
    return (b.outcome.margins[k] - a.outcome.margins[k]) / (b.place - a.place);
  };
  const double width = to.place - from.place;
  const double left = from.outcome.margins[k];
  const double right = to.outcome.margins[k];
  const double none = std::min(left, right);
  if (!std::isfinite(left) || !std::isfinite(right)) return none;
  // Falling from the left, rising to the right; a side that is not known falls as the other rises.
  double fall = before != nullptr ? -slope(*before, from) : std::nan("");
  double rise = after != nullptr ? slope(to, *after) : std::nan("");
  if (!std::isfinite(fall)) fall = rise;
  if (!std::isfinite(rise)) rise = fall;
  if (!(fall > 0.0) || !(rise > 0.0)) return none;
  const double meeting = (left - right + rise * width) / (fall + rise);
  if (!(meeting > 0.0 && meeting < width)) return none;
  return left - fall * meeting;
}

}  // namespace

OutcomeChanges find_changes(const FindOnWay& find, const WayPoint& from, const WayPoint& to,
                            double enough) {
  OutcomeChanges out;
  WayPoint at = from;
  while (at.outcome.label != to.outcome.label) {
    if (out.list.size() == kMostChanges) {
      out.is_whole = false;
      return out;
    }
    WayPoint beyond = to;
    const OutcomeChange change = find_first(find, at, beyond, enough);
    // An outcome that begins and ends within one location error is none.
    const bool joins = !out.list.empty() && change.before <= out.list.back().after;
    if (joins) {
      out.list.back().after = change.after;
      out.list.back().to = change.to;
      out.list.back().tolerance = std::max(out.list.back().tolerance, change.tolerance);
    } else {
      out.list.push_back(change);
    }
    if (change.to < 0) return out;
    at = std::move(beyond);
  }
  std::erase_if(out.list, [](const OutcomeChange& change) { return change.from == change.to; });
  return out;
}

std::optional<WayPoint> find_hidden(const FindOnWay& find, const WayPoint* before,
                                    const WayPoint& from, const WayPoint& to,
                                    const WayPoint* after) {
  const auto is_alike = [&](const WayPoint* other) {
    return other != nullptr && other->outcome.label == from.outcome.label &&
           other->outcome.margins.size() == from.outcome.margins.size();
  };
  if (!is_alike(&to)) return std::nullopt;
  before = is_alike(before) ? before : nullptr;
  after = is_alike(after) ? after : nullptr;
  for (std::size_t k = 0; k < from.outcome.margins.size(); ++k) {
    if (!(extrapolate(before, from, to, after, k) <= 0.0)) continue;
    std::optional<WayPoint> other;
    const auto margin = [&](double place) {
      if (other) return 0.0;
      WayPoint found{place, find(place)};
      if (found.outcome.label != from.outcome.label) {
        if (found.outcome.label >= 0) other = std::move(found);
        return 0.0;
      }
      return found.outcome.margins.size() > k ? found.outcome.margins[k] : 0.0;
    };
    constexpr int kBits = 16;              // of the place: 1e-5 of a cell is looked at
    std::uintmax_t most_evaluations = 24;  // a smooth margin needs ten
    boost::math::tools::brent_find_minima(margin, from.place, to.place, kBits, most_evaluations);
    if (other) return other;
  }
  return std::nullopt;
}

OutcomeChanges find_all_changes(const FindOnWay& find, const WayPoint* before, const WayPoint& from,
                                const WayPoint& to, const WayPoint* after, double enough) {
  if (from.outcome.label != to.outcome.label) return find_changes(find, from, to, enough);
  const auto hidden = find_hidden(find, before, from, to, after);
  if (!hidden) return {};
  OutcomeChanges out = find_changes(find, from, *hidden, enough);
  OutcomeChanges rest = find_changes(find, *hidden, to, enough);
  out.list.insert(out.list.end(), rest.list.begin(), rest.list.end());
  out.is_whole = out.is_whole && rest.is_whole;
  return out;
}

}  // namespace slipstick
