#include "slipstick/analysis/stability/stability_report.h"

#include <numbers>

#include "slipstick/analysis/stability/box.h"
#include "slipstick/analysis/stability/margins.h"

namespace slipstick {

std::vector<double> make_sample_angles(int count) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(std::numbers::pi * ((i + 0.5) / count - 0.5));
  return out;
}

StabilityReport make_stability_report(const TwoContactBody& body, const StabilityQuestion& question,
                                      const Tolerances& tolerances) {
  const Stability found = find_stability(body, tolerances);
  StabilityReport out{body, found, found.maps.minus, found.maps.plus, {}, {}, {}, {}, {}};
  if (found.has_maps()) {
    const ZeroOrder dynamics(found.maps_swapped ? make_swapped(body) : body, tolerances);
    for (const double angle : question.angles) {
      out.samples.push_back({angle, eval_return(dynamics, angle)});
    }
    out.maps = std::make_shared<const StabilityMaps>(StabilityMaps{dynamics, found.maps});
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
