#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/analysis/jamming/slip_family.h"
#include "slipstick/analysis/outcomes/decisions.h"
#include "slipstick/analysis/parallel_for.h"
#include "slipstick/core/scales.h"
#include "slipstick/jam.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model/scale.h"

namespace slipstick {
namespace {

/// How sliding with one slip ends.
struct EndAtSlip {
  JamOutcome outcome = JamOutcome::kStick;
  double time = 0.0;
  bool jams = false;

  [[nodiscard]] bool lasts() const {
    return outcome != JamOutcome::kStick && outcome != JamOutcome::kSlipReversal;
  }
};

class SlipSearch {
 public:
  SlipSearch(const Model& model, const State& initial, const JamQuestion& question,
             const SlidingContact& contact)
      : question_(question), contact_(contact), family_(model, initial, contact) {
    const VecQ scale = make_coordinate_scale(model);
    const ContactDynamics at =
        eval_contact_dynamics(model, initial, std::span(&contact.contact, 1));
    natural_ = model.length_scale *
               eval_rate_scale(scale, VecQ::Zero(initial.v.size()), at.free_acceleration);
  }

  void find(CriticalSlip& out) {
    out.by_translation = family_.by_translation();
    out.surface = family_.surface();
    if (!family_.can_vary()) {
      const Why why{WhyCode::kNotComputed,
                    "the base is fixed, and the surface's speed is a formula of time"};
      out.jams.why = out.lasts.why = why;
      return;
    }
    const double fastest = find_fastest();
    const std::vector<EndAtSlip> scan = find_scan(fastest);
    out.fast = scan.back().outcome;
    const auto jams = [](const EndAtSlip& end) { return end.jams; };
    const auto lasts = [](const EndAtSlip& end) { return end.lasts(); };
    out.jams = find_threshold(scan, fastest, jams);
    out.lasts = find_threshold(scan, fastest, lasts);
    refine(out);
    const std::string_view word = find_word(kJamOutcomes, out.fast);
    if (!out.jams.slip) {
      out.jams.why = {WhyCode::kNotFound,
                      fmt::format("no slip up to {:.4g} m/s jams: at that slip sliding ends by {}",
                                  fastest, word)};
    }
    if (!out.lasts.slip) {
      out.lasts.why = {
          WhyCode::kNotFound,
          fmt::format("with every slip up to {:.4g} m/s the slip ends first", fastest)};
    }
  }

 private:
  static constexpr std::size_t kPoints = 24;  // of the scan: outcomes over the slip are few

  [[nodiscard]] EndAtSlip eval(double slip) const {
    const SlipFamily::Member at = family_.make(slip);
    if (list_sliding_contacts(*at.model, at.state).empty()) return {};
    const SlidingMotion motion = find_sliding_end(*at.model, at.state, question_);
    const SlidingEnd* jam = motion.find_jam();
    return {motion.end().outcome, motion.end().time, jam != nullptr};
  }

  /// A slip at which twice as much changes nothing, or else a very great one.
  [[nodiscard]] double find_fastest() const {
    double slip = std::max(family_.own_slip(), natural_);
    constexpr int kDoublings = 12;  // to 4000 times the speed that gravity or springs give
    EndAtSlip end = eval(slip);
    for (int k = 0; k < kDoublings; ++k) {
      const EndAtSlip next = eval(2.0 * slip);
      const bool is_same = next.outcome == end.outcome && end.lasts() &&
                           std::abs(next.time - end.time) <= kTimeRoom * std::abs(end.time);
      if (is_same) break;
      slip *= 2.0;
      end = next;
    }
    return slip;
  }

  [[nodiscard]] std::vector<EndAtSlip> find_scan(double fastest) const {
    std::vector<EndAtSlip> out(kPoints + 1);
    parallel_for(kPoints, [&](std::size_t i) {
      out[i + 1] = eval(fastest * static_cast<double>(i + 1) / kPoints);
    });
    return out;  // without slip nothing slides: stick
  }

  /// The first change of the scan to what `holds`.
  [[nodiscard]] SlipThreshold find_threshold(
      const std::vector<EndAtSlip>& scan, double fastest,
      const std::function<bool(const EndAtSlip&)>& holds) const {
    SlipThreshold out;
    const auto first = std::find_if(scan.begin(), scan.end(), holds);
    if (first == scan.end()) return out;
    const auto place = static_cast<double>(first - scan.begin());
    double low = fastest * (place - 1.0) / kPoints;
    double high = fastest * place / kPoints;
    EndAtSlip below = *(first - 1);
    bisect(low, high, below, holds);
    if (high <= kSameVelocity * fastest) {  // so does every slip that is one
      out.slip = 0.0;
      out.error = high;
      return out;
    }
    out.slip = 0.5 * (low + high);
    // Events other than jams are decided with the tolerances of states, jams by refine().
    out.error = std::max(0.5 * (high - low), find_state_tolerance() * *out.slip);
    if (below.outcome == JamOutcome::kMarginal) {
      // Rounding decides in a band below: it is part of the error.
      double outside = fastest * (place - 1.0) / kPoints;
      double inside = low;
      EndAtSlip ignored;
      bisect(outside, inside, ignored,
             [](const EndAtSlip& end) { return end.outcome == JamOutcome::kMarginal || end.jams; });
      out.error = std::max(out.error, *out.slip - outside);
    }
    return out;
  }

  /// Where the slip ends just at the jam, the way to p = 0 has lost digits, and rounding decides in
  /// a narrow band between the slips that end first and those that jam. What is left of the slip at
  /// jams above the band vanishes at the border: a parabola through three of them gives it.
  void refine(CriticalSlip& out) const {
    if (!out.jams.slip || !out.lasts.slip) return;
    const double jams = *out.jams.slip;
    const double lasts = *out.lasts.slip;
    constexpr double kBand = 1e-5;  // of the slip: far above what rounding decides
    constexpr double kStep = 1e-4;  // of the slip: clear of the band
    if (std::abs(jams - lasts) > kBand * jams) return;
    std::array<double, 3> left{};
    for (std::size_t k = 0; k < left.size(); ++k) {
      const std::optional<double> slip =
          find_slip_at_jam(jams * (1.0 + kStep * static_cast<double>(k + 1)));
      if (!slip) return;
      left[k] = *slip;
    }
    const double step = kStep * jams;
    const double bend = 0.5 * (left[2] - 2.0 * left[1] + left[0]);
    const double slope = left[1] - left[0];
    if (!(slope > 0.0)) return;
    const double straight = -left[0] / slope;  // steps after the first point
    const double bent = straight - bend * straight * (straight - 1.0) / slope;
    const double border = jams + step * (1.0 + bent);
    if (std::abs(border - lasts) > kBand * jams || std::abs(border - jams) > kBand * jams) return;
    const double error = step * std::abs(bent - straight) + kResultRounding * jams;
    out.jams.slip = out.lasts.slip = border;
    out.jams.error = out.lasts.error = error;
  }

  /// What is left of the slip where it jams; nothing if it does not.
  [[nodiscard]] std::optional<double> find_slip_at_jam(double slip) const {
    const SlipFamily::Member at = family_.make(slip);
    const SlidingMotion motion = find_sliding_end(*at.model, at.state, question_);
    const SlidingEnd* jam = motion.find_jam();
    if (jam == nullptr) return std::nullopt;
    return contact_.slip_sign *
           eval_contact_kinematics(*at.model, jam->state).slip[contact_.contact];
  }

  void bisect(double& low, double& high, EndAtSlip& below,
              const std::function<bool(const EndAtSlip&)>& holds) const {
    while (high - low > kResultRounding * high) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) return;
      const EndAtSlip end = eval(middle);
      if (holds(end)) {
        high = middle;
      } else {
        low = middle;
        below = end;
      }
    }
  }

  const JamQuestion& question_;
  SlidingContact contact_;
  SlipFamily family_;
  double natural_ = 1.0;  ///< a speed that gravity or springs give [m/s]
};

}  // namespace

CriticalSlip find_critical_slip(const Model& model, const State& initial,
                                const JamQuestion& question) {
  CriticalSlip out;
  const std::vector<SlidingContact> sliding = list_sliding_contacts(model, initial);
  if (sliding.empty()) static_cast<void>(find_sliding_end(model, initial, question));  // throws
  const auto rubs = [&](const SlidingContact& slider) {
    return model.contacts[static_cast<std::size_t>(slider.contact)].mu > 0.0;
  };
  const auto first = std::find_if(sliding.begin(), sliding.end(), rubs);
  out.contact = first != sliding.end() ? *first : sliding.front();
  SlipSearch(model, initial, question, out.contact).find(out);
  return out;
}

}  // namespace slipstick
