#include "slipstick/model/contact_dynamics.h"

#include <cmath>
#include <utility>

#include "slipstick/model/forces.h"

namespace slipstick {
namespace {

using std::size_t;

/// Size of a tree that is known only at run time, and may have slides.
constexpr int kAnySize = -1;

/// M, h and contact arms in the coordinates of the centroidal tree, with M factored. Small trees of
/// angles have their size fixed at compile time: all loops are laid out, and numbers stay in
/// registers. docs/theory/planar-trees.md.
template <int fixed_size>
class Evaluation {
 public:
  static constexpr size_t kMaxSize = fixed_size == kAnySize ? kMaxCoordinates : fixed_size;
  using Column = std::array<double, kMaxSize>;  ///< one entry per element

  /// A turned arm: gradients of its two components, and their accelerations at z'' = 0.
  struct Turned {
    Column x, y;
    double bias_x = 0.0, bias_y = 0.0;
  };

  Evaluation(const Model& model, const State& state) : model_(model), frame_(model.centroidal) {
    place(state);
    if constexpr (fixed_size == kAnySize) {
      eval_tree();
    } else {
      eval_angles();
    }
    if (frame_.has_base) {
      turn(frame_.centre, centre_);
      centre_acceleration_ = model.gravity;
    }
    if (model.has_forces) apply(eval_applied_forces(model, state));
    regular_ = factor();
    each([&](size_t i) { free_[i] = -h_[i]; });
    solve(free_);
  }

  [[nodiscard]] bool regular() const { return regular_; }
  [[nodiscard]] const Column& free() const { return free_; }

  /// Calls f(i) for from <= i < to.
  template <class F>
  void each(size_t from, size_t to, const F& f) const {
    if constexpr (fixed_size == kAnySize) {
      for (size_t i = from; i < to; ++i) f(i);
    } else {
      const auto call = [&](size_t i) {
        if (from <= i && i < to) f(i);
      };
      [&]<size_t... i>(std::index_sequence<i...>) { (call(i), ...); }
      (std::make_index_sequence<kMaxSize>{});
    }
  }
  template <class F>
  void each(const F& f) const {
    each(0, size(), f);
  }

  [[nodiscard]] double dot(const Column& a, const Column& b) const {
    double out = 0.0;
    each([&](size_t i) { out += a[i] * b[i]; });
    return out;
  }

  /// Gradients and biases of a contact: x along t, y along n.
  void turn_contact(const State& state, int index, Turned& out) const {
    const CentroidalContact& contact = frame_.contacts[static_cast<size_t>(index)];
    turn(contact.arm, out);
    each([&](size_t i) { out.x[i] += contact.roll[i]; });
    if (contact.surface_accelerates) {
      const auto surface = static_cast<size_t>(contact.surface);
      out.bias_x -= eval_surface_acceleration(model_.surfaces[surface], state);
    }
  }

  /// x becomes M^-1 x.
  void solve(Column& x) const {
    each([&](size_t i) { each(0, i, [&](size_t k) { x[i] -= L_[triangle_index(i, k)] * x[k]; }); });
    each([&](size_t up) {
      const size_t i = size() - 1 - up;
      x[i] *= inverse_pivot_[i];
      each(i + 1, size(), [&](size_t k) { x[i] -= L_[triangle_index(k, i)] * x[k]; });
    });
  }

  /// Acceleration of a contact along a direction without contact forces.
  [[nodiscard]] double eval_free(const Column& gradient, double bias, const Vec2& along) const {
    return bias + along.dot(centre_acceleration_) + dot(gradient, free_);
  }

  /// Writes v' of the model for accelerations `rates` of the tree while `force` (world axes) acts
  /// on its centre of mass.
  void write_motion(const Column& rates, const Vec2& force, double* out) const {
    write(rates, centre_acceleration_ + frame_.inverse_mass * force, 1.0, out);
  }
  /// Writes the part of v' that is due to a force.
  void write_response(const Column& rates, const Vec2& force, double* out) const {
    write(rates, frame_.inverse_mass * force, 0.0, out);
  }

 private:
  [[nodiscard]] size_t size() const {
    if constexpr (fixed_size == kAnySize) return frame_.tree.elements.size();
    return kMaxSize;
  }

  /// Sines and cosines of the elements' frames.
  void place(const State& state) {
    if (model_.tree.coordinates_are_internal) {
      place(state.q.data(), state.v.data());
    } else {
      const StateInTree full = make_state_in_tree(model_, state);
      place(full.z.data(), full.z_rate.data());
    }
  }
  void place(const double* z, const double* z_rate) {
    if constexpr (fixed_size == kAnySize) {
      VecQ angles(frame_.tree.size());
      VecQ rates(frame_.tree.size());
      each([&](size_t i) {
        angles[static_cast<Eigen::Index>(i)] = frame_.senses[i] * z[frame_.coordinates[i]];
        rates[static_cast<Eigen::Index>(i)] = frame_.senses[i] * z_rate[frame_.coordinates[i]];
      });
      at_ = eval_tree_state(frame_.tree, angles, rates);
    } else {
      each([&](size_t i) {
        const double angle = z[frame_.coordinates[i]];
        at_.cosine[i] = std::cos(angle);
        at_.sine[i] = frame_.senses[i] * std::sin(angle);
        at_.turn_rate[i] = z_rate[frame_.coordinates[i]];  // enters as its square only
      });
    }
  }

  [[nodiscard]] double rate_squared(size_t i) const { return at_.turn_rate[i] * at_.turn_rate[i]; }

  /// M and h of angles: M_ef = D_ef, h_e = sum_f C_ef times the square of f's rate.
  void eval_angles() {
    each([&](size_t i) {
      const Vec2& weight = frame_.weight[i];
      h_[i] = weight.x() * at_.sine[i] - weight.y() * at_.cosine[i];
      L_[triangle_index(i, i)] = frame_.inertia[i];
    });
    each([&](size_t f) {
      each(0, f, [&](size_t e) {
        const CentroidalTree::Moments& moments = frame_.moments[triangle_index(f, e)];
        const double cosine = at_.cosine[e] * at_.cosine[f] + at_.sine[e] * at_.sine[f];
        const double sine = at_.sine[f] * at_.cosine[e] - at_.cosine[f] * at_.sine[e];
        const double C = -moments.dot * sine - moments.cross * cosine;
        L_[triangle_index(f, e)] = moments.dot * cosine - moments.cross * sine;
        h_[e] += rate_squared(f) * C;
        h_[f] -= rate_squared(e) * C;
      });
    });
  }

  void eval_tree() {
    MatQ M;
    VecQ h;
    eval_tree_dynamics(frame_.tree, at_, M, h);
    each([&](size_t i) {
      const auto row = static_cast<Eigen::Index>(i);
      h_[i] = h[row];
      each(0, i + 1,
           [&](size_t k) { L_[triangle_index(i, k)] = M(row, static_cast<Eigen::Index>(k)); });
    });
  }

  /// With u = R w: an angle moves u across, that is by (-u_y, u_x), and bends its path by
  /// -rate^2 u; a slide moves along u as well.
  void turn(const Arm& arm, Turned& out) const {
    if constexpr (fixed_size == kAnySize) {
      each([&](size_t i) { out.x[i] = out.y[i] = 0.0; });
    }
    each([&](size_t e) {
      const double x = arm[e].x() * at_.cosine[e] - arm[e].y() * at_.sine[e];
      const double y = arm[e].x() * at_.sine[e] + arm[e].y() * at_.cosine[e];
      if constexpr (fixed_size == kAnySize) {
        turn_element(e, x, y, out);
      } else {
        out.x[e] = -y;
        out.y[e] = x;
        out.bias_x -= rate_squared(e) * x;
        out.bias_y -= rate_squared(e) * y;
      }
    });
  }
  void turn_element(size_t e, double x, double y, Turned& out) const {
    const Element& element = frame_.tree.elements[e];
    if (!element.is_angle) {
      out.x[e] += x;
      out.y[e] += y;
      if (element.frame == kWorldFrame) return;
    }
    const auto turning = static_cast<size_t>(element.frame);
    out.x[turning] -= at_.amplitude[e] * y;
    out.y[turning] += at_.amplitude[e] * x;
    const double along = -at_.amplitude[e] * rate_squared(e);
    const double across = 2.0 * at_.amplitude_rate[e] * at_.turn_rate[e];
    out.bias_x += along * x - across * y;
    out.bias_y += along * y + across * x;
  }

  /// Moves generalised forces of the model to the centre of mass.
  void apply(const VecQ& force) {
    const double* on = force.data();
    each([&](size_t i) { h_[i] -= frame_.senses[i] * on[frame_.coordinates[i]]; });
    if (!frame_.has_base) return;
    const Vec2 on_base(on[frame_.base_x], on[frame_.base_y]);
    centre_acceleration_ += frame_.inverse_mass * on_base;
    each([&](size_t i) { h_[i] += on_base.x() * centre_.x[i] + on_base.y() * centre_.y[i]; });
  }

  /// L D L' in place of M; false if a pivot is not positive.
  bool factor() {
    bool positive = true;
    Column scaled;
    each([&](size_t j) {
      double pivot = L_[triangle_index(j, j)];
      each(0, j, [&](size_t k) {
        const double l = L_[triangle_index(j, k)];
        scaled[k] = l * pivot_[k];
        pivot -= l * scaled[k];
      });
      positive &= pivot > 0.0;
      pivot_[j] = pivot;
      inverse_pivot_[j] = 1.0 / pivot;
      each(j + 1, size(), [&](size_t i) {
        double value = L_[triangle_index(i, j)];
        each(0, j, [&](size_t k) { value -= L_[triangle_index(i, k)] * scaled[k]; });
        L_[triangle_index(i, j)] = value * inverse_pivot_[j];
      });
    });
    return positive;
  }

  /// v' of the model; `bias` 1 for a motion, 0 for the response to a force.
  void write(const Column& rates, const Vec2& centre, double bias, double* out) const {
    each([&](size_t i) { out[frame_.coordinates[i]] = frame_.senses[i] * rates[i]; });
    if (!frame_.has_base) return;
    out[frame_.base_x] = centre.x() - bias * centre_.bias_x - dot(centre_.x, rates);
    out[frame_.base_y] = centre.y() - bias * centre_.bias_y - dot(centre_.y, rates);
  }

  const Model& model_;
  const CentroidalTree& frame_;
  TreeState at_;
  std::array<double, triangle_index(kMaxSize, 0)> L_;
  Column h_, pivot_, inverse_pivot_;
  Column free_;    ///< accelerations of the tree without contact forces
  Turned centre_;  ///< centre of mass from the base
  Vec2 centre_acceleration_ = Vec2::Zero();
  bool regular_ = true;
};

/// Calls f with the size of the model's tree as a constant.
template <class F>
void with_size(const Model& model, const F& f) {
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

/// One contact direction: J, M^-1 J, and the unit vector that pushes the centre of mass.
template <class Column>
struct Direction {
  Column gradient, response;
  double bias;
  Vec2 along;
};

/// `flatten` puts all of an evaluation into one piece of code, without which a third of the time
/// goes into calls.
template <int fixed_size>
[[gnu::flatten]] void write_contact_dynamics(const Model& model, const State& state,
                                             std::span<const int> contacts, ContactDynamics& out) {
  const Evaluation<fixed_size> evaluation(model, state);
  out.regular = evaluation.regular();
  if (!out.regular) return;
  std::array<Direction<typename Evaluation<fixed_size>::Column>, 2 * kMaxContacts> directions;
  for (size_t i = 0; i < contacts.size(); ++i) {
    typename Evaluation<fixed_size>::Turned arm;
    evaluation.turn_contact(state, contacts[i], arm);
    const CentroidalContact& contact = model.centroidal.contacts[static_cast<size_t>(contacts[i])];
    directions[2 * i] = {arm.y, arm.y, arm.bias_y, contact.normal};
    directions[2 * i + 1] = {arm.x, arm.x, arm.bias_x, contact.tangent};
    evaluation.solve(directions[2 * i].response);
    evaluation.solve(directions[2 * i + 1].response);
  }
  const auto n = static_cast<Eigen::Index>(model.size());
  const auto k = static_cast<Eigen::Index>(2 * contacts.size());
  out.free_acceleration.resize(n);
  out.M_inverse_W.resize(n, k);
  out.G.resize(k, k);
  out.a_free.resize(k);
  evaluation.write_motion(evaluation.free(), Vec2::Zero(), out.free_acceleration.data());
  for (Eigen::Index j = 0; j < k; ++j) {
    const auto& b = directions[static_cast<size_t>(j)];
    evaluation.write_response(b.response, b.along, &out.M_inverse_W.coeffRef(0, j));
    out.a_free[j] = evaluation.eval_free(b.gradient, b.bias, b.along);
    for (Eigen::Index i = 0; i <= j; ++i) {
      const auto& a = directions[static_cast<size_t>(i)];
      out.G(i, j) = out.G(j, i) = model.centroidal.inverse_mass * a.along.dot(b.along) +
                                  evaluation.dot(a.gradient, b.response);
    }
  }
}

template <int fixed_size>
[[gnu::flatten]] void write_sliding_response(const Model& model, const State& state, int index,
                                             double slip_sign, SlidingResponse& out) {
  const Evaluation<fixed_size> evaluation(model, state);
  out.regular = evaluation.regular();
  if (!out.regular) return;
  const CentroidalContact& contact = model.centroidal.contacts[static_cast<size_t>(index)];
  typename Evaluation<fixed_size>::Turned arm;
  evaluation.turn_contact(state, index, arm);
  const double friction = slip_sign * model.contacts[static_cast<size_t>(index)].mu;
  auto response = arm.y;
  evaluation.each([&](size_t i) { response[i] -= friction * arm.x[i]; });
  evaluation.solve(response);
  out.p = model.centroidal.inverse_mass + evaluation.dot(arm.y, response);
  out.b = evaluation.eval_free(arm.y, arm.bias_y, contact.normal);
}

}  // namespace

ContactDynamics eval_contact_dynamics(const Model& model, const State& state,
                                      std::span<const int> contacts) {
  ContactDynamics out;
  with_size(model, [&](auto size) { write_contact_dynamics<size()>(model, state, contacts, out); });
  if (out.regular && !model.tree.coordinates_are_internal) {
    out.free_acceleration = (model.tree.C_inverse * out.free_acceleration).eval();
    out.M_inverse_W = (model.tree.C_inverse * out.M_inverse_W).eval();
  }
  return out;
}

SlidingResponse eval_sliding_response(const Model& model, const State& state, int contact,
                                      double slip_sign) {
  SlidingResponse out;
  with_size(model, [&](auto size) {
    write_sliding_response<size()>(model, state, contact, slip_sign, out);
  });
  return out;
}

}  // namespace slipstick
