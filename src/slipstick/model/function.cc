#include "slipstick/model/function.h"

namespace slipstick {

std::vector<std::string> make_variable_names(std::span<const std::string> coordinates) {
  std::vector<std::string> names{"t"};
  names.insert(names.end(), coordinates.begin(), coordinates.end());
  for (const std::string& coordinate : coordinates) names.push_back(rate_name(coordinate));
  return names;
}

}  // namespace slipstick
