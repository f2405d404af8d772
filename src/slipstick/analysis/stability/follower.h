#pragma once

/// Zero-order motion from one blow to the next, computed with numbers or with forms of the first
/// blow.

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/analysis/stability/blow_forms.h"
#include "slipstick/core/scales.h"

namespace slipstick {

/// What a follower of plain numbers keeps: nothing.
struct PlainPath {
  using Number = double;
  using Square = double;

  static double make_row(const Eigen::RowVector3d& row, const std::array<double, 3>& rates) {
    return row[0] * rates[0] + row[1] * rates[1] + row[2] * rates[2];
  }
  static double make_time(double time, double /*form*/) { return time; }
  double root(double radicand) { return std::sqrt(radicand); }
  void collapse(double /*speed*/) {}
  void note(double /*margin*/) {}
};

/// `Keeper` defines the types of velocities and lengths. Every decision on the way is passed to it
/// as a number that vanishes where the path changes.
template <class Keeper>
class Follower {
 public:
  using Number = typename Keeper::Number;
  using Square = typename Keeper::Square;

  Follower(const ZeroOrder& dynamics, Keeper& keeper, const Number& closing, const Number& slip)
      : dynamics_(dynamics), keeper_(keeper), rates_{Number{}, -closing, slip} {}

  PathEnd follow(Path& path) {
    while (true) {
      const std::optional<PairMode> impact = strike();
      if (!impact) return PathEnd::kParadox;
      if (!push(path, {*impact, true})) return PathEnd::kTooLong;
      if (const std::optional<PathEnd> end = move_to_blow(path)) return *end;
    }
  }

  [[nodiscard]] Number closing() const { return -rates_[1]; }
  [[nodiscard]] Number slip() const { return rates_[2]; }

 private:
  enum class Move { kNever, kStop, kRest, kBlow, kSection };

  static constexpr double kNever = std::numeric_limits<double>::infinity();  // [s]
  static constexpr ContactMask mask(std::size_t i) { return i == 0 ? kFirst : kSecond; }

  /// Something that may happen next.
  struct Event {
    double time = kNever;
    Number exact{};  ///< the same time
    Number speed{};  ///< of a fall, at the blow [m/s]
  };

  /// Impact of the touching contacts, by the first mode that satisfies its inequalities. Where two
  /// modes meet on a whole interval (by a symmetry), rounding may reject both.
  std::optional<PairMode> strike() {
    const std::optional<PairMode> exact = strike_within(0.0);
    return exact ? exact : strike_within(kSumRounding);
  }

  std::optional<PairMode> strike_within(double rounding) {
    for (std::size_t i = 0; i < kPairModes; ++i) {
      const auto mode = static_cast<PairMode>(i);
      const PairMap& map = dynamics_.map(mode);
      if (!map.exists || map.active == 0 || (map.active & ~touching_) != 0) continue;
      if (!accepts(map, rounding)) continue;
      const std::array<Number, 3> before = rates_;
      for (Eigen::Index k = 0; k < 3; ++k) {
        rates_[static_cast<std::size_t>(k)] = Keeper::make_row(map.after.row(k), before);
      }
      clean(mode);
      state_ = {map.active, (map.active & kSecond) != 0 ? map.slip[1] : map.slip[0]};
      return mode;
    }
    return std::nullopt;
  }

  /// A mode that is rejected is recorded by the inequality that it breaks most.
  bool accepts(const PairMap& map, double rounding) {
    const ModeRow* worst = nullptr;
    double least = 0.0;
    for (const ModeRow& row : map.rows) {
      if ((row.contacts & ~touching_) != 0) continue;
      double value = 0.0;
      double size = 0.0;
      for (Eigen::Index k = 0; k < 3; ++k) {
        const double term = row.value[k] * value_of(rates_[static_cast<std::size_t>(k)]);
        value += term;
        size += std::abs(term);
      }
      if (value >= least - rounding * size) continue;
      least = value;
      worst = &row;
    }
    if (worst != nullptr) {
      keeper_.note(Keeper::make_row(worst->value, rates_));
      return false;
    }
    for (const ModeRow& row : map.rows) {
      if ((row.contacts & ~touching_) == 0) keeper_.note(Keeper::make_row(row.value, rates_));
    }
    return true;
  }

  /// First positive root of gap + rate t + acceleration t^2 / 2, without cancellation.
  Event find_fall(std::size_t i, double acceleration) {
    const Number& rate = rates_[i];
    const double r = value_of(rate);
    const double gap = value_of(gaps_[i]);
    if (gap == 0.0) {
      if (r <= 0.0 || acceleration >= 0.0) return {};
      return {-2.0 * r / acceleration, rate * (-2.0 / acceleration), rate};
    }
    const Square radicand = rate * rate - gaps_[i] * (2.0 * acceleration);
    if (value_of(radicand) < 0.0 || (acceleration >= 0.0 && r >= 0.0)) return {};
    const Number speed = keeper_.root(radicand);
    const double v = value_of(speed);
    const double time = r > 0.0 ? (r + v) / -acceleration : 2.0 * gap / (v - r);
    return {time, Keeper::make_time(time, (rate + speed) * (-1.0 / acceleration)), speed};
  }

  Event find_stop(const PairMap& map) {
    if (map.slip[0] == 0 && map.slip[1] == 0) return {};
    const bool second = map.slip[1] != 0;
    const Number slip = second ? rates_[2] : Keeper::make_row(dynamics_.slip1(), rates_);
    const double slowing =
        second ? map.acceleration[2] : dynamics_.slip1().dot(map.acceleration.transpose());
    // The value of a slip that starts from rest is rounding error; its sign follows from the mode.
    if ((second ? map.slip[1] : map.slip[0]) * slowing >= 0.0) return {};
    return {-value_of(slip) / slowing, slip * (-1.0 / slowing), {}};
  }

  static bool push(Path& path, PathStep step) {
    if (path.size() == kMaxPath) return false;
    path.push_back(step);
    return true;
  }

  /// Moves from phase to phase up to the next blow; returns the path's end if that comes first.
  std::optional<PathEnd> move_to_blow(Path& path) {
    while (true) {
      const auto& modes = dynamics_.answer(state_).modes;
      if (modes.size() != 1) return PathEnd::kParadox;
      if (!push(path, {modes[0], false})) return PathEnd::kTooLong;
      if (modes[0] == PairMode::kSS) return PathEnd::kSticks;
      switch (move_in(modes[0])) {
        case Move::kStop:
          break;
        case Move::kBlow:
          return std::nullopt;
        case Move::kNever:
          return PathEnd::kEscapes;
        case Move::kRest:
          return PathEnd::kSlides;
        case Move::kSection:
          return PathEnd::kReturns;
      }
    }
  }

  /// The end of a slip and the falls of both contacts.
  using Events = std::array<Event, 3>;

  Events find_events(const PairMap& map) {
    Events out{find_stop(map), {}, {}};
    for (std::size_t i = 0; i < 2; ++i) {
      if ((map.active & mask(i)) != 0) continue;
      out[i + 1] = find_fall(i, map.acceleration[static_cast<Eigen::Index>(i)]);
    }
    return out;
  }

  /// Moves to the next event of a mode.
  Move move_in(PairMode mode) {
    const PairMap& map = dynamics_.map(mode);
    const Events events = find_events(map);
    const Event& next =
        *std::min_element(events.begin(), events.end(),
                          [](const Event& a, const Event& b) { return a.time < b.time; });
    if (next.time == kNever) return Move::kNever;
    if (map.active == kBoth) return Move::kRest;
    for (const Event& other : events) {
      const bool later = other.time > next.time && other.time < kNever;
      if (later) keeper_.note(other.exact - next.exact);
    }
    advance(map, next);
    land(map, events, next.time);
    clean(mode);
    const bool stops = events[0].time == next.time;
    if (stops) stop(map);
    if (stops && touching_ == map.active) return Move::kStop;
    // If the other contact sticks, only one direction of motion is left, whatever the start.
    if (mode == PairMode::kFS) keeper_.collapse(events[1].speed);
    if (mode == PairMode::kSF) keeper_.collapse(events[2].speed);
    const bool on_section = events[2].time == next.time && map.active == kFirst;
    return on_section ? Move::kSection : Move::kBlow;
  }

  /// Contacts whose fall ends at this time are then at their surfaces, like the active ones.
  void land(const PairMap& map, const Events& events, double time) {
    touching_ = map.active;
    for (std::size_t i = 0; i < 2; ++i) {
      const Event& fall = events[i + 1];
      if (fall.time != time) continue;
      gaps_[i] = Square{};
      rates_[i] = -fall.speed;
      touching_ |= mask(i);
    }
  }

  /// The slip has ended: from here on, what sticking keeps at zero is exactly zero.
  void stop(const PairMap& map) {
    if (map.slip[1] != 0) rates_[2] = Number{};
    if (map.slip[0] != 0) clean(PairMode::kSF);
    state_ = {map.active, 0};
  }

  void advance(const PairMap& map, const Event& event) {
    for (std::size_t i = 0; i < 3; ++i) {
      const double a = map.acceleration[static_cast<Eigen::Index>(i)];
      if (i < 2 && (map.active & mask(i)) == 0) {
        gaps_[i] = gaps_[i] + event.exact * (rates_[i] + event.exact * (0.5 * a));
      }
      rates_[i] = rates_[i] + event.exact * a;
    }
  }

  /// Sets the rates that a mode keeps at zero to zero, because rounding there would move exact
  /// fixed points.
  void clean(PairMode mode) {
    const ContactMask active = dynamics_.map(mode).active;
    if ((active & kFirst) != 0) rates_[0] = Number{};
    if ((active & kSecond) != 0) rates_[1] = Number{};
    if (mode == PairMode::kSS || mode == PairMode::kFS) rates_[2] = Number{};
    if (mode == PairMode::kSF) rates_[2] = rates_[1] * dynamics_.stuck();
  }

  const ZeroOrder& dynamics_;
  Keeper& keeper_;
  std::array<Square, 2> gaps_{};
  std::array<Number, 3> rates_;
  ContactMask touching_ = kBoth;
  PairState state_;
};

}  // namespace slipstick
