#pragma once

/// Impacts that accumulate in finite time.

#include <optional>
#include <vector>

#include "slipstick/sim/run.h"

namespace slipstick {

/// One impact of a possible accumulation.
struct Bounce {
  State after;
  double rebound = 0.0;  ///< gap rate after [m/s]
  bool sticks = false;   ///< without slip after
};

struct ZenoLimit {
  State state;  ///< where the bounces end
  bool sticks = false;
  ZenoRecord record;
};

/// Watches successive bounces of the same contacts.
class ZenoWatch {
 public:
  void add(const std::vector<int>& contacts, const Bounce& bounce);
  void clear() { bounces_.clear(); }

  /// The limit, once the bounces are small and the extrapolations to it agree.
  [[nodiscard]] std::optional<ZenoLimit> find_limit() const;

 private:
  [[nodiscard]] std::optional<State> extrapolate(std::size_t last) const;

  std::vector<int> contacts_;
  std::vector<Bounce> bounces_;
};

}  // namespace slipstick
