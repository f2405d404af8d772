#pragma once

/// Impacts that accumulate in a finite time: one contact that bounces, or several in turn (a box
/// that rocks to rest).

#include <optional>
#include <utility>
#include <vector>

#include "slipstick/run.h"

namespace slipstick {

/// One impact of a possible accumulation.
struct Impact {
  std::vector<int> contacts;  ///< that collided
  ModeWord slips;             ///< of those, after it: none free, also where they leave again
  ModeWord modes;             ///< of all contacts, after it
  State after;

  [[nodiscard]] bool operator==(const Impact&) const = default;
};

struct ZenoLimit {
  State state;                 ///< where the impacts end
  std::vector<int> colliding;  ///< contacts of the last round
  std::vector<int> sticking;   ///< those without slip after it
  ZenoRecord record;
};

/// Watches successive impacts for a repeating pattern that becomes ever faster.
class ZenoWatch {
 public:
  ZenoWatch() = default;
  explicit ZenoWatch(std::vector<Impact> impacts) : impacts_(std::move(impacts)) {}

  [[nodiscard]] const std::vector<Impact>& impacts() const { return impacts_; }
  void add(Impact impact);
  void clear() { impacts_.clear(); }
  /// Forgets the impacts of an accumulation. It may be one of several that accumulate themselves
  /// between the impacts of another contact.
  void drop(const ZenoRecord& record);

  /// The limit, once the impacts follow each other quickly and the extrapolations agree.
  /// `duration`: the motion's own time [s], which sets the rounding. `keeps_names`: false where
  /// coordinates get new names at impacts; then speeds of successive impacts cannot be compared.
  [[nodiscard]] std::optional<ZenoLimit> find_limit(double duration, bool keeps_names) const;

  [[nodiscard]] bool operator==(const ZenoWatch&) const = default;

 private:
  [[nodiscard]] std::optional<ZenoLimit> find_limit(double duration, bool keeps_names,
                                                    std::size_t period) const;
  [[nodiscard]] double eval_shortest_flight(std::size_t period) const;
  [[nodiscard]] std::size_t skip_pause(std::size_t first, std::size_t period) const;
  struct Extrapolation;
  [[nodiscard]] std::optional<Extrapolation> extrapolate(std::size_t first, std::size_t last,
                                                         std::size_t period) const;

  std::vector<Impact> impacts_;
};

}  // namespace slipstick
