#include "slipstick/io/json/gait_json.h"
#include "slipstick/io/json/impact_json.h"
#include "slipstick/io/json/json.h"
#include "slipstick/io/json/stability_json.h"
#include "slipstick/io/run_text.h"
#include "slipstick/json.h"

namespace slipstick {

std::string make_json_text(const LoadedModel& loaded, const Classification& answer) {
  return print(make_classify_json(loaded, answer));
}
std::string make_json_text(const LoadedModel& loaded, const RunTree& tree) {
  return print(make_run_json(loaded, tree));
}
std::string make_json_text(const LoadedModel& loaded, const CoordinateRange& along,
                           const ParadoxAlong& answer) {
  return print(make_along_json(loaded, along, answer));
}
std::string make_json_text(const LoadedModel& loaded, const MapAxis& first, const MapAxis& second,
                           const ParadoxMap& map) {
  return print(make_map_json(loaded, first, second, map));
}
std::string make_json_text(const LoadedModel& loaded, const ParadoxProblem& problem,
                           const CriticalFriction& answer) {
  return print(make_critical_friction_json(loaded, problem, answer));
}
std::string make_json_text(const LoadedModel& loaded, const StabilityReport& report) {
  return print(make_stability_json(loaded, report));
}
std::string make_json_text(const LoadedModel& loaded, const GaitAnswer& answer) {
  return print(make_gait_json(loaded, answer));
}
std::string make_json_text(const LoadedModel& loaded, const ImpactAnswer& answer) {
  return print(make_impact_json(loaded, answer));
}

}  // namespace slipstick
