#include "slipstick/families.h"

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

std::function<std::shared_ptr<const Model>(double)> make_family(LoadedModel loaded,
                                                                std::string name) {
  return [loaded = std::move(loaded), name = std::move(name)](double value) {
    return make_with_parameters(loaded, {name}, std::span(&value, 1)).model;
  };
}

}  // namespace slipstick
