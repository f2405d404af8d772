#include "slipstick/families.h"

#include <optional>
#include <utility>

namespace slipstick {

MakeBody make_body_family(LoadedModel loaded, std::vector<std::string> names,
                          const Tolerances& tolerances) {
  return [loaded = std::move(loaded), names = std::move(names),
          tolerances](std::span<const double> values) {
    const LoadedModel other = make_with_parameters(loaded, names, values);
    return make_two_contact_body(*other.model, other.initial, tolerances);
  };
}

ParadoxFamily make_paradox_family(LoadedModel loaded, const MapAxis& first, const MapAxis& second,
                                  SlipDirection direction) {
  std::vector<std::string> names;
  std::string coordinate;
  for (const MapAxis* axis : {&first, &second}) {
    if (!axis->parameter.empty()) names.push_back(axis->parameter);
    if (axis->is_coordinate()) coordinate = name_axis(*loaded.model, *axis);
  }
  return [loaded = std::move(loaded), names = std::move(names), coordinate = std::move(coordinate),
          direction](std::span<const double> parameters, std::optional<double> initial) {
    std::vector<std::string> given = names;
    std::vector<double> values(parameters.begin(), parameters.end());
    if (initial) {
      given.push_back(coordinate);
      values.push_back(*initial);
    }
    const LoadedModel other = make_with_parameters(loaded, given, values);
    return ParadoxModel{other.model, make_paradox_problem(*other.model, other.initial,
                                                          other.closings, direction, Tolerances{})};
  };
}

std::function<std::shared_ptr<const Model>(double)> make_family(LoadedModel loaded,
                                                                std::string name) {
  return [loaded = std::move(loaded), name = std::move(name)](double value) {
    return make_with_parameters(loaded, {name}, std::span(&value, 1)).model;
  };
}

std::function<std::shared_ptr<const Model>(double)> make_family_between(
    LoadedModel loaded, std::vector<std::string> names, std::span<const double> values) {
  std::vector<Interval> ways;
  for (std::size_t i = 0; i < names.size(); ++i) {
    ways.push_back({values[i], values[i]});
    for (const auto* settings : {&loaded.parameters, &loaded.initial_values}) {
      for (const Setting& own : *settings) {
        if (own.name == names[i]) ways.back().low = own.value;
      }
    }
  }
  return
      [loaded = std::move(loaded), names = std::move(names), ways = std::move(ways)](double part) {
        std::vector<double> at;
        for (const Interval& way : ways) at.push_back(way.low + part * (way.high - way.low));
        return make_with_parameters(loaded, names, at).model;
      };
}

}  // namespace slipstick
