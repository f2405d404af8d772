#include "jam_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "slipstick/model/function.h"
#include "slipstick/model/model.h"

namespace slipstick::cli {
namespace {

/// "theta = -0.264368 (-15.147 deg)".
std::string describe_jam_value(const Model& model, int coordinate, double value) {
  const auto k = static_cast<std::size_t>(coordinate);
  std::string out = fmt::format("{} = {:.9g}", model.coordinates[k], value);
  if (model.tree.elements[k].is_angle) {
    out += fmt::format(" ({:.4f} deg)", value * 180.0 / std::numbers::pi);
  }
  return out;
}

std::string describe_configuration(const Model& model, const VecQ& q) {
  std::string out;
  for (int i = 0; i < model.size(); ++i) {
    out += (i == 0 ? "" : ", ") + describe_jam_value(model, i, q[i]);
  }
  return out;
}

std::string describe_jam_contacts(const Model& model, const SlidingEnd& end) {
  std::string out;
  for (const int contact : end.contacts) {
    out += (out.empty() ? " of " : ", ") + model.contact_names[static_cast<std::size_t>(contact)];
  }
  return out;
}

std::string describe_sliding_end(const Model& model, const SlidingEnd& end) {
  std::string out(find_word(kJamOutcomes, end.outcome));
  if (!end.candidates.empty()) {
    out += fmt::format(" ({} or {}: less than doubles resolve decides)",
                       find_word(kJamOutcomes, end.candidates[0]),
                       find_word(kJamOutcomes, end.candidates[1]));
  }
  out += describe_jam_contacts(model, end);
  if (end.coordinate >= 0) {
    out += " at " + describe_jam_value(model, end.coordinate, end.state.q[end.coordinate]);
  }
  out += fmt::format(", t = {:.12g} s", end.time);
  if (end.exponent) out += fmt::format(", f_n ~ (t* - t)^{:.8f}", *end.exponent);
  for (const Why& why : end.reasons) out += ": " + why.sentence;
  return out + "\n";
}

std::string describe_end_state(const Model& model, const State& state) {
  std::string out;
  for (int i = 0; i < model.size(); ++i) {
    const std::string& name = model.coordinates[static_cast<std::size_t>(i)];
    out += fmt::format("  {:<10} {:<20.12g} {:<14} {:.12g}\n", name, state.q[i], rate_name(name),
                       state.v[i]);
  }
  return out;
}

std::string describe_threshold(const char* what, const SlipThreshold& threshold) {
  if (!threshold.slip) return fmt::format("{}: none, {}\n", what, threshold.why.sentence);
  return fmt::format("{}: {:.12g} m/s (+- {:.1e})\n", what, *threshold.slip, threshold.error);
}

std::string describe_critical_slips(const Model& model, const CriticalSlip& slip) {
  const bool moves_surface = !slip.by_translation && slip.surface >= 0;
  const std::string how =
      moves_surface
          ? "the surface '" + model.surfaces[static_cast<std::size_t>(slip.surface)].name + "'"
          : std::string("the whole mechanism");
  return fmt::format("\nslip varied by the speed of {}:\n", how) +
         describe_threshold("  smallest slip that jams", slip.jams) +
         describe_threshold("  smallest slip that does not end first", slip.lasts);
}

std::string describe_point(const Model& model, const JamPoint& point) {
  std::string where;
  for (int i = 0; i < model.size(); ++i) {
    if (!model.tree.elements[static_cast<std::size_t>(i)].is_angle) continue;
    where += (where.empty() ? "" : ", ") + describe_jam_value(model, i, point.state.q[i]) +
             fmt::format(", rate {:.9g}", point.state.v[i]);
  }
  return fmt::format("  {}: eigenvalues {:.9g}, {:.9g}, ratio {:.9g}, {}{}\n", where, point.alpha,
                     point.beta, point.ratio(), find_word(kJamPointTypes, point.type),
                     point.in_range ? "" : ", outside of the range");
}

std::string describe_points(const Model& model, const JamAnswer& answer) {
  std::string out = "\npoints with p = b = 0 at the model's friction\n";
  if (answer.jam) out += "  where it jams:\n  " + describe_point(model, *answer.jam);
  for (const JamPoint& point : answer.reach.points.points) out += describe_point(model, point);
  const Why& why = answer.reach.why ? answer.reach.why : answer.reach.points.why;
  return why ? out + "  " + why.sentence + "\n" : out;
}

std::string describe_reach(const Model& model, const JamAnswer& answer) {
  const JamReach& reach = answer.reach;
  if (reach.why || !reach.reachable || !reach.unrestricted) return "";
  std::string out = "\nfriction needed";
  if (answer.range.empty()) return out + "\n" + describe_frictions(model, *reach.reachable);
  out += " in the range (" + describe_shapes(model, answer.range) + ")\n";
  out += describe_frictions(model, *reach.reachable);
  return out + "without that range\n" + describe_frictions(model, *reach.unrestricted);
}

/// The least slips at points of an interval.
std::string describe_slips_in(const JamSet& set, const OutcomeInterval& interval) {
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (std::size_t i = 0; i < set.slips.lasts.size(); ++i) {
    const double at = set.axes[0].value(i);
    if (!set.slips.lasts[i] || at < interval.from || at > interval.to) continue;
    least = std::min(least, *set.slips.lasts[i]);
    most = std::max(most, *set.slips.lasts[i]);
  }
  if (!(least <= most)) return "";
  return fmt::format(" (slip that lasts: {:.6g} to {:.6g} m/s)", least, most);
}

}  // namespace

std::string describe_shapes(const Model& model, const std::vector<CoordinateRange>& range) {
  std::string out;
  for (const CoordinateRange& own : range) {
    out +=
        fmt::format("{}{} {:.6g} to {:.6g}", out.empty() ? "" : ", ",
                    model.coordinates[static_cast<std::size_t>(own.coordinate)], own.low, own.high);
  }
  return out;
}

std::string describe_frictions(const Model& model, const CriticalFriction& critical) {
  if (!std::isfinite(critical.scale)) return "  no friction makes sliding paradoxical\n";
  const double largest = *std::max_element(critical.friction.begin(), critical.friction.end());
  std::string out = fmt::format("  mu_min {:.12g} at {}\n", critical.scale * largest,
                                describe_configuration(model, critical.at));
  if (!critical.jam_scale) return out + "  no mu_jam: " + critical.no_jam.sentence + "\n";
  out += fmt::format("  mu_jam {:.9g}", *critical.jam_scale * largest);
  if (critical.jam_at.size() > 0) out += " at " + describe_configuration(model, critical.jam_at);
  return out + "\n";
}

std::string describe_jam(const Model& model, const JamAnswer& answer) {
  std::string out = fmt::format("{}: {}\n\n", model.name, model.title);
  out += "sliding ends by " + describe_sliding_end(model, answer.motion.end()) +
         describe_end_state(model, answer.motion.end().state);
  for (std::size_t i = 1; i < answer.motion.ends.size(); ++i) {
    out += "then " + describe_sliding_end(model, answer.motion.ends[i]);
  }
  return out + describe_critical_slips(model, answer.slip) + describe_points(model, answer) +
         describe_reach(model, answer);
}

std::string describe_jam_set(const JamSet& set) {
  std::string out = "\nhow sliding ends";
  for (const OutcomeAxis& axis : set.axes) {
    out +=
        fmt::format("{}{} from {:.6g} to {:.6g}", ", ", axis.name, axis.range.low, axis.range.high);
  }
  out += "\n";
  const OutcomeMap& map = set.map;
  for (const OutcomeInterval& interval : map.intervals) {
    out += fmt::format("  {:<20.12g} {:<20.12g} {}{}\n", interval.from, interval.to,
                       map.labels[static_cast<std::size_t>(interval.label)],
                       describe_slips_in(set, interval));
  }
  if (set.axes.size() > 1) {
    for (std::size_t i = 0; i < map.labels.size(); ++i) {
      const auto points = std::count(map.cells.begin(), map.cells.end(), static_cast<int>(i));
      out += fmt::format("  {:<20} {} of {} points\n", map.labels[i], points, map.cells.size());
    }
  }
  for (std::size_t i = 0; i < map.whys.size(); ++i) {
    if (!map.whys[i].empty()) out += fmt::format("  {}: {}\n", map.labels[i], map.whys[i]);
  }
  if (map.unresolved > 0) {
    out += fmt::format("  {} cells have finer borders than were followed\n", map.unresolved);
  }
  return map.complete ? out : out + "  interrupted: not all points were found\n";
}

std::string describe_prevention(const PreventionAnswer& answer) {
  const Prevention& found = answer.prevention;
  std::string out = fmt::format("\nwhat {} prevents (now {:.6g}, mu {:.6g})\n", answer.parameter,
                                found.present.value, found.present.mu);
  const auto add = [&](const char* what, const PreventionBorder& border) {
    out += fmt::format("  {}: {} now", what, border.is_free ? "impossible" : "possible");
    out += border.value ? fmt::format(", impossible {} {} = {:.12g}\n",
                                      border.is_free_above ? "above" : "below", answer.parameter,
                                      *border.value)
                        : "; " + border.why.sentence + "\n";
  };
  add("the paradox", found.paradox);
  add("a jam with unbounded force", found.jam);
  return out;
}

}  // namespace slipstick::cli
