#include "slipstick/model/contact_dynamics.h"

#include "slipstick/model/forces.h"

namespace slipstick {
namespace {

/// L D L' of a positive definite matrix, on its lower triangle.
struct Factor {
  MatQ L;
  std::array<double, kMaxCoordinates> inverse_pivot;

  /// False if a pivot is not positive.
  bool compute() {
    const Eigen::Index n = L.rows();
    std::array<double, kMaxCoordinates> scaled;
    for (Eigen::Index j = 0; j < n; ++j) {
      double pivot = L(j, j);
      for (Eigen::Index k = 0; k < j; ++k) {
        const auto i = static_cast<std::size_t>(k);
        scaled[i] = L(j, k) / inverse_pivot[i];
        pivot -= L(j, k) * scaled[i];
      }
      if (!(pivot > 0.0)) return false;
      const double inverse = 1.0 / pivot;
      inverse_pivot[static_cast<std::size_t>(j)] = inverse;
      for (Eigen::Index i = j + 1; i < n; ++i) {
        double value = L(i, j);
        for (Eigen::Index k = 0; k < j; ++k) value -= L(i, k) * scaled[static_cast<std::size_t>(k)];
        L(i, j) = value * inverse;
      }
    }
    return true;
  }

  void solve(double* x) const {
    const Eigen::Index n = L.rows();
    for (Eigen::Index i = 1; i < n; ++i) {
      for (Eigen::Index k = 0; k < i; ++k) x[i] -= L(i, k) * x[k];
    }
    for (Eigen::Index i = n - 1; i >= 0; --i) {
      x[i] *= inverse_pivot[static_cast<std::size_t>(i)];
      for (Eigen::Index k = i + 1; k < n; ++k) x[i] -= L(k, i) * x[k];
    }
  }
};

/// One contact direction in the coordinates of the centroidal tree.
struct Direction {
  Vec2 along;  ///< unit vector: acts on the centre of mass
  double bias = 0.0;
  std::array<double, kMaxCoordinates> gradient, response;  ///< J and M^-1 J
};

/// Everything in the coordinates of the centroidal tree.
class Evaluation {
 public:
  Evaluation(const Model& model, const State& state)
      : model_(model), frame_(model.centroidal), size_(frame_.tree.size()) {
    const StateInTree full = make_state_in_tree(model, state);
    VecQ z(size_);
    VecQ z_rate(size_);
    for (int i = 0; i < size_; ++i) {
      z[i] = full.z[frame_.coordinates[static_cast<std::size_t>(i)]];
      z_rate[i] = full.z_rate[frame_.coordinates[static_cast<std::size_t>(i)]];
    }
    tree_state_ = eval_tree_state(frame_.tree, z, z_rate);
    VecQ h;
    eval_tree_dynamics(frame_.tree, tree_state_, factor_.L, h);
    if (frame_.has_base) {
      centre_bias_.x() =
          eval_row_gradient(frame_.tree, tree_state_, frame_.centre_x, centre_x_.data());
      centre_bias_.y() =
          eval_row_gradient(frame_.tree, tree_state_, frame_.centre_y, centre_y_.data());
      centre_ = model.gravity;
    }
    if (has_applied_forces(model)) apply(eval_applied_forces(model, state), h);
    regular_ = factor_.compute();
    for (int i = 0; i < size_; ++i) free_[static_cast<std::size_t>(i)] = -h[i];
    factor_.solve(free_.data());
  }

  [[nodiscard]] bool regular() const { return regular_; }

  void add_contact(const State& state, int index, Direction& normal, Direction& tangent) const {
    const Contact& contact = model_.contacts[static_cast<std::size_t>(index)];
    const Surface& surface = model_.surfaces[static_cast<std::size_t>(contact.surface)];
    add_direction(surface.normal, contact.normal_from_centre, normal);
    add_direction(surface.tangent, contact.tangent_from_centre, tangent);
    if (contact.radius != 0.0 && contact.turn_from_centre.frame != kWorldFrame) {
      const auto f = static_cast<std::size_t>(contact.turn_from_centre.frame);
      tangent.gradient[f] += contact.radius * frame_.tree.elements[f].sense;
    }
    if (!surface.speed.is_constant()) tangent.bias -= eval_surface_acceleration(surface, state);
    respond(normal);
    respond(tangent);
  }

  /// Acceleration of one contact direction per unit force along another.
  [[nodiscard]] double eval_coupling(const Direction& a, const Direction& b) const {
    double out = frame_.has_base ? a.along.dot(b.along) / frame_.mass : 0.0;
    for (int i = 0; i < size_; ++i) {
      out += a.gradient[static_cast<std::size_t>(i)] * b.response[static_cast<std::size_t>(i)];
    }
    return out;
  }

  [[nodiscard]] double eval_free(const Direction& a) const {
    double out = a.bias + (frame_.has_base ? a.along.dot(centre_) : 0.0);
    for (int i = 0; i < size_; ++i) {
      out += a.gradient[static_cast<std::size_t>(i)] * free_[static_cast<std::size_t>(i)];
    }
    return out;
  }

  /// v' of the model from the accelerations of centre and tree; `bias` 1 for motion, 0 for a
  /// response to a force.
  template <class Column>
  void write(const Vec2& centre, const double* rates, double bias, Column&& out) const {
    for (int i = 0; i < size_; ++i) {
      out[frame_.coordinates[static_cast<std::size_t>(i)]] = rates[i];
    }
    if (!frame_.has_base) return;
    double x = centre.x() - bias * centre_bias_.x();
    double y = centre.y() - bias * centre_bias_.y();
    for (int i = 0; i < size_; ++i) {
      x -= centre_x_[static_cast<std::size_t>(i)] * rates[i];
      y -= centre_y_[static_cast<std::size_t>(i)] * rates[i];
    }
    out[frame_.base_x] = x;
    out[frame_.base_y] = y;
  }

  template <class Column>
  void write_free(Column&& out) const {
    write(centre_, free_.data(), 1.0, out);
  }
  template <class Column>
  void write_response(const Direction& direction, Column&& out) const {
    write(direction.along / frame_.mass, direction.response.data(), 0.0, out);
  }

 private:
  /// Moves generalised forces of the model to the centre of mass.
  void apply(const VecQ& force, VecQ& h) {
    for (int i = 0; i < size_; ++i) h[i] -= force[frame_.coordinates[static_cast<std::size_t>(i)]];
    if (!frame_.has_base) return;
    const Vec2 on_base(force[frame_.base_x], force[frame_.base_y]);
    centre_ += on_base / frame_.mass;
    for (int i = 0; i < size_; ++i) {
      const auto k = static_cast<std::size_t>(i);
      h[i] += on_base.x() * centre_x_[k] + on_base.y() * centre_y_[k];
    }
  }

  void add_direction(const Vec2& along, const Row& row, Direction& out) const {
    out.along = along;
    out.bias = eval_row_gradient(frame_.tree, tree_state_, row, out.gradient.data());
  }

  void respond(Direction& direction) const {
    std::copy_n(direction.gradient.begin(), size_, direction.response.begin());
    factor_.solve(direction.response.data());
  }

  const Model& model_;
  const CentroidalTree& frame_;
  int size_;
  TreeState tree_state_;
  Factor factor_;
  bool regular_ = true;
  std::array<double, kMaxCoordinates> free_;                 ///< accelerations of the tree
  std::array<double, kMaxCoordinates> centre_x_, centre_y_;  ///< gradient of the centre of mass
  Vec2 centre_ = Vec2::Zero();                               ///< acceleration of the centre of mass
  Vec2 centre_bias_ = Vec2::Zero();  ///< its part relative to the base at z'' = 0
};

}  // namespace

ContactDynamics eval_contact_dynamics(const Model& model, const State& state,
                                      std::span<const int> contacts) {
  ContactDynamics out;
  const Evaluation evaluation(model, state);
  out.regular = evaluation.regular();
  if (!out.regular) return out;
  const auto n = static_cast<Eigen::Index>(model.size());
  const auto k = static_cast<Eigen::Index>(contacts.size());
  std::array<Direction, 2 * kMaxContacts> directions;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    evaluation.add_contact(state, contacts[i], directions[2 * i], directions[2 * i + 1]);
  }
  out.free_acceleration.resize(n);
  out.M_inverse_W.resize(n, 2 * k);
  out.G.resize(2 * k, 2 * k);
  out.a_free.resize(2 * k);
  evaluation.write_free(out.free_acceleration);
  for (Eigen::Index j = 0; j < 2 * k; ++j) {
    const Direction& direction = directions[static_cast<std::size_t>(j)];
    evaluation.write_response(direction, out.M_inverse_W.col(j));
    out.a_free[j] = evaluation.eval_free(direction);
    for (Eigen::Index i = 0; i <= j; ++i) {
      out.G(i, j) = out.G(j, i) =
          evaluation.eval_coupling(directions[static_cast<std::size_t>(i)], direction);
    }
  }
  if (!model.tree.coordinates_are_internal) {
    out.free_acceleration = (model.tree.C_inverse * out.free_acceleration).eval();
    out.M_inverse_W = (model.tree.C_inverse * out.M_inverse_W).eval();
  }
  return out;
}

}  // namespace slipstick
