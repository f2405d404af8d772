#include "slipstick/analysis/stability/stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/core/scales.h"
#include "slipstick/mode_letters.h"

namespace slipstick {
namespace {

std::string describe(const PairState& state) {
  const std::string which = state.closed == kBoth    ? "both contacts closed"
                            : state.closed == kFirst ? "contact 1 closed"
                                                     : "contact 2 closed";
  const char* slip = state.slip_sign == 0 ? "without slip" : "slipping";
  const char* sign = state.slip_sign == 0 ? "" : (state.slip_sign > 0 ? " along +t" : " along -t");
  return fmt::format("{}, {}{}", which, slip, sign);
}

/// Notes what is marginal at a state and, for a moving state, whether it is paradoxical.
void look_at(const ZeroOrder& dynamics, const PairState& state, Stability& out) {
  const PairAnswer& answer = dynamics.answer(state);
  for (const PairMode mode : answer.marginal) {
    std::string what = dynamics.describe_marginal(state, mode);
    if (std::find(out.marginal.begin(), out.marginal.end(), what) == out.marginal.end()) {
      out.marginal.push_back(std::move(what));
    }
  }
  const bool at_rest = state.closed == kBoth && state.slip_sign == 0;
  const bool none = answer.modes.empty() && answer.marginal.empty();
  if (at_rest || (!none && answer.modes.size() < 2)) return;
  std::string modes;
  for (const PairMode mode : answer.modes) modes += " " + to_letters(dynamics.make_word(mode));
  out.paradox.push_back(describe(state) + (none ? ": no mode" : ":" + modes));
}

/// Modes at rest, paradoxes and marginal decisions; true if they leave the verdict open.
bool judge_modes(const ZeroOrder& dynamics, Stability& out) {
  const PairAnswer& rest = dynamics.answer({kBoth, 0});
  for (const PairMode mode : rest.modes) {
    if (mode != PairMode::kSS) out.ambiguous_modes.push_back(dynamics.make_word(mode));
  }
  for (const ContactMask closed : {kFirst, kSecond, kBoth}) {
    for (const int sign : {-1, 0, 1}) look_at(dynamics, {closed, sign}, out);
  }
  const auto has_stick = [](const auto& modes) {
    return std::find(modes.begin(), modes.end(), PairMode::kSS) != modes.end();
  };
  if (!has_stick(rest.modes)) {
    out.verdict = has_stick(rest.marginal) ? Verdict::kMarginal : Verdict::kInfeasible;
  } else if (!out.ambiguous_modes.empty()) {
    out.verdict = Verdict::kUnstable;
    out.theorem = Theorem::k1;
  } else if (!out.paradox.empty()) {
    out.verdict = Verdict::kPainleve;
  } else if (!out.marginal.empty()) {
    out.verdict = Verdict::kMarginal;
  } else {
    return true;
  }
  return false;
}

/// [Or2021] Definition 2, for one direction of slip.
Persistence find_persistence(const ZeroOrder& dynamics, const ReturnMap& maps, int sign) {
  const PairMode slip = sign > 0 ? PairMode::kSlipPlus : PairMode::kSlipMinus;
  if (dynamics.answer({kBoth, sign}).modes[0] == slip) return Persistence::kPersistent;
  const MapEnd& end = sign > 0 ? maps.plus : maps.minus;
  const bool repels = end.kind == 2 || (end.kind == 1 && end.growth > 1.0);
  const PathStep impact{slip, true};
  const bool struck = std::any_of(maps.pieces.begin(), maps.pieces.end(), [&](const Piece& piece) {
    return std::find(piece.path.begin(), piece.path.end(), impact) != piece.path.end();
  });
  return repels && !struck ? Persistence::kWeak : Persistence::kNone;
}

struct Bounds {
  bool monotone = true;     ///< R does not decrease
  double growth_max = 0.0;  ///< over all angles with a return
};

Bounds find_bounds(const ZeroOrder& dynamics, const ReturnMap& maps) {
  Bounds out;
  double last = -std::numeric_limits<double>::infinity();
  double last_steepest = 0.0;
  for (const Piece& piece : maps.pieces) {
    if (!piece.returns()) continue;
    for (const PieceRange& range : find_ranges(dynamics, maps, piece, piece.low, piece.high)) {
      // At the ends of pieces the error of R is that of the angle times its slope.
      const double same = std::max(1e-10, kSameAngle * std::max(last_steepest, range.steepest));
      out.growth_max = std::max(out.growth_max, range.growth_max);
      out.monotone = out.monotone && range.reduced_low >= last - same &&
                     range.reduced_high >= range.reduced_low - same;
      last = range.reduced_high;
      last_steepest = range.steepest;
    }
  }
  return out;
}

/// The theorems on the maps, [Or2021] sections III and IV.
void judge_maps(const ZeroOrder& dynamics, Stability& out) {
  out.maps = find_return_map(dynamics);
  out.fixed_points = find_fixed_points(dynamics, out.maps);
  out.persistence =
      std::min(find_persistence(dynamics, out.maps, -1), find_persistence(dynamics, out.maps, 1));
  const Bounds bounds = find_bounds(dynamics, out.maps);
  out.monotone = bounds.monotone;
  const auto decide = [&](Verdict verdict, Theorem theorem) {
    out.verdict = verdict;
    out.theorem = theorem;
  };
  const double growth = out.growth();
  if (growth > 1.0 + kMarginal) return decide(Verdict::kUnstable, Theorem::k2);
  for (const FixedPoint& point : out.fixed_points) {
    if (std::abs(point.growth - 1.0) > kMarginal) continue;
    out.marginal.push_back(fmt::format("growth 1 at the fixed point {:.10g}", point.angle));
  }
  for (const MapEnd* end : {&out.maps.minus, &out.maps.plus}) {
    if (end->kind == 1 && std::abs(end->growth - 1.0) <= kMarginal) {
      out.marginal.emplace_back("growth 1 at a grazing end");
    }
  }
  if (!out.marginal.empty()) return decide(Verdict::kMarginal, Theorem::kNone);
  const auto paradox = [](const Piece& piece) {
    return piece.end == PathEnd::kParadox || piece.end == PathEnd::kTooLong;
  };
  if (std::any_of(out.maps.pieces.begin(), out.maps.pieces.end(), paradox)) {
    out.missing = {WhyCode::kNotFollowed, "some motions could not be followed to their end"};
  } else if (out.persistence == Persistence::kPersistent && bounds.growth_max < 1.0) {
    return decide(Verdict::kStable, Theorem::k3);
  } else if (out.persistence == Persistence::kNone) {
    out.missing = {WhyCode::kMayOpen,
                   "sliding on both contacts can be reached, and may end by a contact opening"};
  } else if (out.monotone) {
    return decide(Verdict::kStable, Theorem::k5);  // every fixed point has growth < 1
  } else {
    out.partition = find_stable_partition(dynamics, out.maps, out.fixed_points, out.missing);
    if (!out.partition.empty()) return decide(Verdict::kStable, Theorem::k4a);
  }
  decide(Verdict::kUndecided, Theorem::kNone);
}

}  // namespace

double StabilityAnswer::growth() const {
  double out = std::numeric_limits<double>::quiet_NaN();
  for (const FixedPoint& point : fixed_points) {
    if (!(point.growth <= out)) out = point.growth;
  }
  return out;
}

Stability find_stability(const TwoContactBody& body, const Tolerances& tolerances) {
  const ZeroOrder own(body, tolerances);
  Stability out;
  if (!judge_modes(own, out)) return out;
  // The theory of the section needs a contact 1 that free motion brings back to its surface. If the
  // first contact does not, the second does; otherwise the rest would be ambiguous.
  out.maps_swapped = own.free_acceleration()[0] >= 0.0;
  const auto make_other = [&] { return ZeroOrder(make_swapped(body), tolerances); };
  judge_maps(out.maps_swapped ? make_other() : own, out);
  if (out.verdict != Verdict::kUndecided || out.maps_swapped || own.free_acceleration()[1] >= 0.0) {
    return out;
  }
  Stability second;
  judge_maps(make_other(), second);
  if (second.verdict != Verdict::kStable && second.verdict != Verdict::kUnstable) return out;
  out.verdict_swapped = true;
  out.verdict = second.verdict;
  out.theorem = second.theorem;
  out.persistence = second.persistence;
  out.partition = second.partition;
  return out;
}

}  // namespace slipstick
