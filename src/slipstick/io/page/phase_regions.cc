#include "slipstick/io/page/phase_regions.h"

#include <fmt/format.h>

#include "slipstick/analysis/paradox/phase_regions.h"
#include "slipstick/mode_letters.h"

namespace slipstick {
namespace {

Json make_values(const MapAxis& axis) {
  Json out = Json::array();
  for (int i = 0; i < axis.count; ++i) {
    out.push_back(axis.low + (axis.high - axis.low) * i / (axis.count - 1));
  }
  return out;
}

Json make_region(const Model& model, const PhaseRegion& region) {
  Json boundaries = Json::array();
  for (const Boundary& boundary : region.map.boundaries) {
    boundaries.push_back({{"of", boundary.what.substr(0, 1)},  // "p = 0" or "b = 0"
                          {"points", make_points(boundary.points)}});
  }
  const std::string& name = model.coordinates[static_cast<std::size_t>(region.coordinate)];
  return {{"x", name},
          {"y", rate_name(name)},
          {"contact", region.sliding.contact},
          {"slip", to_letter(make_slip_mode(region.sliding.slip_sign))},
          {"values_x", make_values(region.x)},
          {"values_y", make_values(region.y)},
          {"cases", region.map.regions},
          {"boundaries", boundaries}};
}

}  // namespace

Json make_phase_regions(const Model& model, std::span<const MotionRows> runs,
                        std::vector<std::string>& notices) {
  const PhaseRegions found = find_phase_regions(model, runs);
  Json out = Json::array();
  for (const PhaseRegion& region : found.regions) out.push_back(make_region(model, region));
  for (const MissingRegion& missing : found.missing) {
    const std::string& name = model.coordinates[static_cast<std::size_t>(missing.coordinate)];
    notices.push_back(fmt::format("The Coulomb cases in the plane of {} and {} are left out: {}.",
                                  name, rate_name(name), missing.why.sentence));
  }
  return out;
}

}  // namespace slipstick
