#include "slipstick/io/json/perturbation_json.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace slipstick {
namespace {

std::vector<double> list_sizes(const OutcomeAxis& axis) {
  std::vector<double> out;
  for (int i = 0; i < axis.count; ++i) out.push_back(axis.value(static_cast<std::size_t>(i)));
  return out;
}

/// The label of a size; nothing where the work was interrupted before it.
const std::string* find_label(const PerturbationPhase& phase, std::size_t size) {
  if (phase.sizes.cells.empty() || phase.sizes.cells[size] < 0) return nullptr;
  return &phase.sizes.labels[static_cast<std::size_t>(phase.sizes.cells[size])];
}

/// Rows of the times, with one value per size.
template <class Value>
Json make_grid(const GaitAnswer& answer, const Value& value) {
  Json out = Json::array();
  for (const PerturbationPhase& phase : answer.perturbation_map->phases) {
    out.push_back(Json::array());
    for (int j = 0; j < answer.perturbations.sizes.count; ++j) {
      const std::string* label = find_label(phase, static_cast<std::size_t>(j));
      out.back().push_back(label == nullptr ? Json(nullptr) : Json(value(*label)));
    }
  }
  return out;
}

Json make_thresholds(const PerturbationPhase& phase) {
  Json out = Json::array();
  const auto& labels = phase.sizes.labels;
  for (const OutcomeThreshold& threshold : phase.sizes.thresholds) {
    out.push_back({{"value", threshold.value},
                   {"between",
                    {labels[static_cast<std::size_t>(threshold.between[0])],
                     labels[static_cast<std::size_t>(threshold.between[1])]}},
                   {"error", threshold.error}});
  }
  return out;
}

Json make_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json make_basins(const PerturbationMap& map) {
  Json forward = Json::array();
  Json backward = Json::array();
  for (const PerturbationPhase& phase : map.phases) {
    forward.push_back(make_or_null(phase.forward));
    backward.push_back(make_or_null(phase.backward));
  }
  return {{"forward", make_or_null(find_basin(map, 1.0))},
          {"backward", make_or_null(find_basin(map, -1.0))},
          {"forward_at", std::move(forward)},
          {"backward_at", std::move(backward)}};
}

Json make_linear(const Model& model, const PerturbationMap& map) {
  Json derivatives = Json::array();
  Json whys = Json::array();
  for (const PerturbationPhase& phase : map.phases) {
    derivatives.push_back(phase.derivative ? make_state(model, *phase.derivative) : Json(nullptr));
    whys.push_back(phase.no_derivative ? Json(phase.no_derivative.sentence) : Json(nullptr));
  }
  Json multipliers = Json::array();
  for (const auto& value : map.multipliers) multipliers.push_back({value.real(), value.imag()});
  return {{"derivative", std::move(derivatives)},
          {"why", std::move(whys)},
          {"multipliers", std::move(multipliers)}};
}

}  // namespace

Json make_perturbation(const Model& model, const GaitAnswer& answer) {
  const PerturbationMap& map = *answer.perturbation_map;
  Json thresholds = Json::array();
  Json whys = Json::object();
  for (const PerturbationPhase& phase : map.phases) {
    thresholds.push_back(make_thresholds(phase));
    for (std::size_t k = 0; k < phase.sizes.whys.size(); ++k) {
      if (!phase.sizes.whys[k].empty()) whys.emplace(phase.sizes.labels[k], phase.sizes.whys[k]);
    }
  }
  return {{"kind", find_word(kPerturbationKinds, answer.perturbation.kind)},
          {"name", answer.perturbation.name},
          {"periods", map.periods},
          {"times", answer.perturbations.times},
          {"sizes", list_sizes(answer.perturbations.sizes)},
          {"outcome", make_grid(answer, find_perturbation_outcome)},
          {"fate", make_grid(answer, find_perturbation_fate)},
          {"regained", make_grid(answer, is_regained_label)},
          {"thresholds", std::move(thresholds)},
          {"why", std::move(whys)},
          {"basin", make_basins(map)},
          {"linear", make_linear(model, map)}};
}

void write_perturbation(const GaitAnswer& answer, Hdf5Group group) {
  const PerturbationMap& map = *answer.perturbation_map;
  std::vector<std::string> labels;
  std::vector<std::vector<int>> rows;
  for (const PerturbationPhase& phase : map.phases) {
    rows.emplace_back();
    if (phase.sizes.cells.empty()) continue;
    for (std::size_t j = 0; j < phase.sizes.cells.size(); ++j) {
      const std::string* label = find_label(phase, j);
      if (label == nullptr) {
        rows.back().push_back(-1);
        continue;
      }
      const auto found = std::find(labels.begin(), labels.end(), *label);
      rows.back().push_back(static_cast<int>(found - labels.begin()));
      if (found == labels.end()) labels.push_back(*label);
    }
  }
  const std::vector<double> sizes = list_sizes(answer.perturbations.sizes);
  group.set("kind",
            make_hdf5(std::string(find_word(kPerturbationKinds, answer.perturbation.kind))));
  group.set("name", make_hdf5(answer.perturbation.name));
  group.set("labels", make_hdf5(std::move(labels)));
  group.add("times", make_hdf5(answer.perturbations.times));
  group.add("outcome", make_numbers(rows, sizes.size()));
  group.add("sizes", make_hdf5(sizes));
}

}  // namespace slipstick
