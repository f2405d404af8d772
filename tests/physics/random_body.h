#pragma once

#include <random>
#include <vector>

#include "slipstick/analysis/stability/two_contact_body.h"
#include "slipstick/model_file.h"

namespace slipstick::testkit {

/// Bodies on two contacts with everything drawn at random, as settings of `two-contact-body`: on a
/// slope, or on supports of any direction with a torque as well.
class RandomBodies {
 public:
  explicit RandomBodies(unsigned seed) : engine_(seed) {}

  [[nodiscard]] double draw(double low, double high);
  [[nodiscard]] LoadedModel draw_model();
  /// Without the detour of a model, and with feet at different heights.
  [[nodiscard]] TwoContactBody draw_body();

 private:
  std::mt19937 engine_;
};

[[nodiscard]] TwoContactBody reduce(const LoadedModel& loaded);

}  // namespace slipstick::testkit
