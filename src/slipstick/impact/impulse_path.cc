#include "slipstick/impact/impulse_path.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/core/scales.h"

namespace slipstick {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();  // [N s]: no end

int sign_of(double value) { return value > 0.0 ? 1 : (value < 0.0 ? -1 : 0); }

/// Rates per unit normal impulse in one piece of the path.
struct PathPiece {
  double length = kEndless;  ///< of normal impulse, until the slip vanishes
  double gap_rate = 0.0, slip = 0.0, impulse_t = 0.0;
};

/// At most two pieces: sliding as before, then sticking or sliding the other way.
class ImpulsePath {
 public:
  explicit ImpulsePath(const ContactImpact& impact) : impact_(impact) {
    const ImpactMobility& G = impact.G;
    const int s = sign_of(impact.slip);
    if (s != 0) {
      first_ = make_slide(s);
      if (impact.jammed) first_.gap_rate = 0.0;
      if (first_.slip * s < 0.0) first_.length = -impact.slip / first_.slip;
    } else {
      first_.length = 0.0;
    }
    if (std::abs(G.nt) <= impact.mu * G.tt) {
      const double stick = G.tt > 0.0 ? G.nt / G.tt : 0.0;
      const double slope = G.nn - G.nt * stick;
      // One degree of freedom: normal and tangent depend on each other, and what is left is
      // rounding.
      constexpr double kWedged = 1e-11;  // of G_nn: what is left of it; M^-1 has lost some digits
      wedges_ = slope <= kWedged * G.nn;
      second_ = {kEndless, wedges_ ? 0.0 : slope, 0.0, -stick};
    } else {
      second_ = make_slide(sign_of(G.nt));
    }
  }

  /// True if the contact sticks after this impulse and no further one moves it.
  [[nodiscard]] bool is_wedged(double impulse) const { return wedges_ && impulse >= first_.length; }

  /// Normal impulse at which sliding as before ends.
  [[nodiscard]] double corner() const { return first_.length; }
  /// Sign of the slip before the corner and beyond it; 0: the contact sticks.
  [[nodiscard]] int sign_before() const { return sign_of(impact_.slip); }
  [[nodiscard]] int sign_after() const { return sign_of(second_.slip); }

  [[nodiscard]] double eval_gap_rate(double impulse) const {
    const double before = std::min(impulse, first_.length);
    return impact_.gap_rate + first_.gap_rate * before + second_.gap_rate * (impulse - before);
  }
  [[nodiscard]] double eval_slip(double impulse) const {
    if (impulse < first_.length) return impact_.slip + first_.slip * impulse;
    return second_.slip * (impulse - first_.length);
  }
  [[nodiscard]] double eval_impulse_t(double impulse) const {
    const double before = std::min(impulse, first_.length);
    return first_.impulse_t * before + second_.impulse_t * (impulse - before);
  }

  /// Normal impulse at which the gap rate rises to `target` >= 0, the last one if there are two;
  /// infinite if there is none.
  [[nodiscard]] double find_gap_rate(double target) const {
    // With one degree of freedom on a fixed surface slip and gap rate vanish together.
    if (std::abs(eval_at_corner() - target) <= -kResultRounding * impact_.gap_rate)
      return first_.length;
    if (eval_at_corner() > target && first_.gap_rate > 0.0) {
      return (target - impact_.gap_rate) / first_.gap_rate;
    }
    return first_.length + (target - eval_at_corner()) / second_.gap_rate;
  }

  /// Work of the normal force up to an impulse [J].
  [[nodiscard]] double eval_work(double impulse) const {
    const double before = std::min(impulse, first_.length);
    const double after = impulse - before;
    const double corner = impact_.gap_rate + first_.gap_rate * before;
    return before * 0.5 * (impact_.gap_rate + corner) +
           after * (corner + 0.5 * second_.gap_rate * after);
  }

  /// Impulse after `compression` at which the normal force has returned this work (>= 0).
  [[nodiscard]] double find_work(double compression, double work) const {
    double at = compression;
    if (compression < first_.length) {
      const double in_first = eval_work(first_.length) - eval_work(compression);
      if (first_.length == kEndless || in_first >= work) {
        return compression + std::sqrt(2.0 * work / first_.gap_rate);
      }
      work -= in_first;
      at = first_.length;
    }
    if (!(work > 0.0)) return at;
    const double rate = eval_gap_rate(at);  // work = rate x + slope x^2/2
    const double slope = second_.gap_rate;
    return at + 2.0 * work / (rate + std::sqrt(rate * rate + 2.0 * slope * work));
  }

 private:
  [[nodiscard]] PathPiece make_slide(int s) const {
    const ImpactMobility& G = impact_.G;
    const double friction = s * impact_.mu;
    return {kEndless, G.nn - friction * G.nt, G.nt - friction * G.tt, -friction};
  }
  [[nodiscard]] double eval_at_corner() const {
    return first_.length == kEndless ? kEndless
                                     : impact_.gap_rate + first_.gap_rate * first_.length;
  }

  const ContactImpact& impact_;
  PathPiece first_, second_;
  bool wedges_ = false;  ///< sticking leaves the gap rate as it is
};

double find_total_impulse(const ContactImpact& impact, const ImpulsePath& path,
                          double compression) {
  const double e = impact.restitution;
  switch (impact.law) {
    case ImpactLaw::kPoisson:
      return (1.0 + e) * compression;
    case ImpactLaw::kNewton:
      return e > 0.0 && impact.gap_rate < 0.0 ? path.find_gap_rate(-e * impact.gap_rate)
                                              : compression;
    case ImpactLaw::kStronge:
      if (e > 0.0 && path.is_wedged(compression)) return kEndless;  // the energy is not returned
      return path.find_work(compression, -e * e * path.eval_work(compression));
    case ImpactLaw::kInelastic:
    case ImpactLaw::kFremond:
      break;
  }
  return compression;
}

}  // namespace

std::optional<ContactImpulse> solve_contact_impact(const ContactImpact& impact) {
  const ImpulsePath path(impact);
  ContactImpulse out;
  out.compression = path.find_gap_rate(0.0);
  if (!std::isfinite(out.compression)) return std::nullopt;
  out.impulse_n = find_total_impulse(impact, path, out.compression);
  out.replaced = !std::isfinite(out.impulse_n);
  if (out.replaced) out.impulse_n = (1.0 + impact.restitution) * out.compression;
  out.impulse_t = path.eval_impulse_t(out.impulse_n);
  out.slip = path.eval_slip(out.impulse_n);
  // Compression alone ends with gap rate zero by definition; rounding would leave a remainder.
  const bool rebounds = out.impulse_n > out.compression && !path.is_wedged(out.compression);
  out.gap_rate = rebounds ? std::max(0.0, path.eval_gap_rate(out.impulse_n)) : 0.0;
  return out;
}

std::vector<PathLeg> list_legs(const ContactImpact& impact, const ContactImpulse& found) {
  const ImpulsePath path(impact);
  const double shortest = kResultRounding * found.impulse_n;
  std::vector<double> ends{std::min(path.corner(), found.impulse_n),
                           std::min(found.compression, found.impulse_n), found.impulse_n};
  std::sort(ends.begin(), ends.end());
  std::vector<PathLeg> out;
  double start = 0.0;
  for (const double end : ends) {
    if (end - start <= shortest) continue;
    const double middle = 0.5 * (start + end);
    const bool slides_on = middle < path.corner();
    out.push_back({middle > found.compression, slides_on ? path.sign_before() : path.sign_after(),
                   end, path.eval_impulse_t(end), path.eval_gap_rate(end), path.eval_slip(end)});
    // Zero by definition; rounding would leave a remainder.
    if (std::abs(end - path.corner()) <= shortest) out.back().slip = 0.0;
    if (std::abs(end - found.compression) <= shortest) out.back().gap_rate = 0.0;
    start = end;
  }
  if (out.empty()) return out;
  out.back().gap_rate = found.gap_rate;
  out.back().slip = found.slip;
  return out;
}

}  // namespace slipstick
