#include "slipstick/analysis/stability/stability_report.h"

#include <numbers>
#include <utility>

namespace slipstick {

std::vector<double> make_sample_angles(int count) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(std::numbers::pi * ((i + 0.5) / count - 0.5));
  return out;
}

StabilityReport make_stability_report(const TwoContactBody& body, const StabilityQuestion& question,
                                      const Tolerances& tolerances) {
  Stability stability = find_stability(body, tolerances);
  ZeroOrder dynamics(stability.maps_swapped ? make_swapped(body) : body, tolerances);
  StabilityReport out{body, std::move(stability), std::move(dynamics), {}, {}, {}, {}};
  if (out.stability.has_maps()) {
    for (const double angle : question.angles) {
      out.samples.push_back({angle, eval_return(out.dynamics, angle)});
    }
  }
  out.margins = find_margins(body, tolerances);
  out.uncertain = question.uncertain;
  if (question.uncertain.empty()) return out;
  std::vector<Interval> box;
  for (const UncertainParameter& parameter : question.uncertain) box.push_back(parameter.range);
  out.box = find_box_verdict(question.make_body, box, tolerances);
  return out;
}

}  // namespace slipstick
