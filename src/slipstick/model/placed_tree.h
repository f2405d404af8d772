#pragma once

/// The centroidal tree at a state: sines and cosines, and points turned by them. Internal to this
/// folder. Small trees of angles have their size fixed at compile time, so that loops are unrolled
/// and numbers stay in registers. docs/theory/planar-trees.md.

#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "slipstick/model/forces.h"
#include "slipstick/model/model.h"

namespace slipstick {

/// Size of a tree that is known only at run time, and may have slides.
inline constexpr int kAnySize = -1;

/// Calls f with the size of the model's tree as a constant.
template <class F>
auto with_tree_size(const Model& model, const F& f) {
  const CentroidalTree& tree = model.centroidal;
  switch (tree.only_angles ? tree.tree.size() : kAnySize) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    default:
      return f(std::integral_constant<int, kAnySize>{});
  }
}

template <int fixed_size>
class PlacedTree {
 public:
  static constexpr std::size_t kMaxSize = fixed_size == kAnySize ? kMaxCoordinates : fixed_size;
  using Column = std::array<double, kMaxSize>;  ///< one entry per element

  /// A turned point: gradients of its two components, and their accelerations at z'' = 0.
  struct Turned {
    Column x, y;
    double bias_x = 0.0, bias_y = 0.0;
    double value_y = 0.0;
  };

  PlacedTree(const Model& model, const StateView& state) : model_(model), frame_(model.centroidal) {
    if (model.tree.coordinates_are_internal) {
      place(state.q.data(), state.v.data());
    } else {
      const StateInTree full = make_state_in_tree(model, state);
      place(full.z.data(), full.z_rate.data());
    }
  }

  /// Calls f(i) for from <= i < to.
  template <class F>
  void each(std::size_t from, std::size_t to, const F& f) const {
    if constexpr (fixed_size == kAnySize) {
      for (std::size_t i = from; i < to; ++i) f(i);
    } else {
      const auto call = [&](std::size_t i) {
        if (from <= i && i < to) f(i);
      };
      [&]<std::size_t... i>(std::index_sequence<i...>) { (call(i), ...); }
      (std::make_index_sequence<kMaxSize>{});
    }
  }
  template <class F>
  void each(const F& f) const {
    each(0, size(), f);
  }

  [[nodiscard]] double dot(const Column& a, const Column& b) const {
    double out = 0.0;
    each([&](std::size_t i) { out += a[i] * b[i]; });
    return out;
  }

  /// With u = R w: an angle moves the point across u, that is by (-u_y, u_x) per unit, and adds the
  /// acceleration -rate^2 u. A slide also moves it along u.
  void turn(const Arm& arm, Turned& out) const {
    if constexpr (fixed_size == kAnySize) {
      each([&](std::size_t i) { out.x[i] = out.y[i] = 0.0; });
    }
    each([&](std::size_t e) {
      const double x = arm[e].x() * at_.cosine[e] - arm[e].y() * at_.sine[e];
      const double y = arm[e].x() * at_.sine[e] + arm[e].y() * at_.cosine[e];
      if constexpr (fixed_size == kAnySize) {
        turn_element(e, x, y, out);
      } else {
        out.x[e] = -y;
        out.y[e] = x;
        out.bias_x -= rate_squared(e) * x;
        out.bias_y -= rate_squared(e) * y;
        out.value_y += y;
      }
    });
  }

  /// The same for a contact, in the axes t, n of its surface.
  void turn_contact(const StateView& state, const CentroidalContact& contact, const Arm& arm,
                    Turned& out) const {
    turn(arm, out);
    each([&](std::size_t i) { out.x[i] += contact.roll[i]; });
    if (contact.surface_accelerates) {
      const auto surface = static_cast<std::size_t>(contact.surface);
      out.bias_x -= eval_surface_acceleration(model_.surfaces[surface], state);
    }
  }

  [[nodiscard]] const CentroidalTree& frame() const { return frame_; }
  [[nodiscard]] std::size_t size() const {
    if constexpr (fixed_size == kAnySize) return frame_.tree.elements.size();
    return kMaxSize;
  }
  [[nodiscard]] const TreeState& at() const { return at_; }
  [[nodiscard]] double rate_squared(std::size_t i) const {
    return at_.turn_rate[i] * at_.turn_rate[i];
  }
  [[nodiscard]] const Column& rates() const { return rates_; }
  /// Position of the base's origin; zero without a base.
  [[nodiscard]] const Vec2& base_position() const { return base_position_; }
  [[nodiscard]] const Vec2& base_velocity() const { return base_velocity_; }

 private:
  void place(const double* z, const double* z_rate) {
    each([&](std::size_t i) { rates_[i] = frame_.senses[i] * z_rate[frame_.coordinates[i]]; });
    if constexpr (fixed_size == kAnySize) {
      VecQ angles(frame_.tree.size());
      VecQ rates(frame_.tree.size());
      each([&](std::size_t i) {
        angles[static_cast<Eigen::Index>(i)] = frame_.senses[i] * z[frame_.coordinates[i]];
        rates[static_cast<Eigen::Index>(i)] = rates_[i];
      });
      at_ = eval_tree_state(frame_.tree, angles, rates);
    } else {
      each([&](std::size_t i) {
        const double angle = z[frame_.coordinates[i]];
        at_.cosine[i] = std::cos(angle);
        at_.sine[i] = frame_.senses[i] * std::sin(angle);
        at_.turn_rate[i] = rates_[i];
      });
    }
    if (!frame_.has_base) return;
    base_position_ = {z[frame_.base_x], z[frame_.base_y]};
    base_velocity_ = {z_rate[frame_.base_x], z_rate[frame_.base_y]};
  }

  void turn_element(std::size_t e, double x, double y, Turned& out) const {
    const Element& element = frame_.tree.elements[e];
    out.value_y += at_.amplitude[e] * y;
    if (!element.is_angle) {
      out.x[e] += x;
      out.y[e] += y;
      if (element.frame == kWorldFrame) return;
    }
    const auto turning = static_cast<std::size_t>(element.frame);
    out.x[turning] -= at_.amplitude[e] * y;
    out.y[turning] += at_.amplitude[e] * x;
    const double along = -at_.amplitude[e] * rate_squared(e);
    const double across = 2.0 * at_.amplitude_rate[e] * at_.turn_rate[e];
    out.bias_x += along * x - across * y;
    out.bias_y += along * y + across * x;
  }

  const Model& model_;
  const CentroidalTree& frame_;
  TreeState at_;
  Column rates_;
  Vec2 base_position_ = Vec2::Zero(), base_velocity_ = Vec2::Zero();
};

}  // namespace slipstick
