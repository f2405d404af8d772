#pragma once

/// Built-in models at the start of a motion.

#include <vector>

#include "slipstick/model_file.h"
#include "slipstick/sim/hybrid/find_transitions.h"

namespace slipstick::testkit {

/// Stays where it is: the state refers to the model.
struct Started {
  explicit Started(const char* name, const std::vector<Override>& overrides = {})
      : loaded(read_model(name, overrides)) {}
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;

  [[nodiscard]] const Model& model() const { return *loaded.model; }
  /// In the first mode that the laws admit.
  [[nodiscard]] HybridState find_moving() const {
    return find_transitions(model(), at, laws).ways.at(0).next;
  }

  LoadedModel loaded;
  Laws laws = make_laws({});
  HybridState at = make_start(*loaded.model, loaded.initial, laws);
};

}  // namespace slipstick::testkit
