#include "slipstick/model/contact_dynamics.h"

#include <limits>

#include "slipstick/model/forces.h"
#include "slipstick/model/placed_contacts.h"

namespace slipstick {
namespace {

using std::size_t;

/// M and h in the coordinates of the centroidal tree, with M factored.
template <int fixed_size>
class Evaluation : public PlacedTree<fixed_size> {
 public:
  using Placed = PlacedTree<fixed_size>;
  using Placed::at, Placed::dot, Placed::each, Placed::frame, Placed::rate_squared, Placed::size;
  using typename Placed::Column, typename Placed::Turned;

  Evaluation(const Model& model, const StateView& state) : Placed(model, state) {
    if constexpr (fixed_size == kAnySize) {
      eval_tree();
    } else {
      eval_angles();
    }
    if (frame().has_base) {
      this->turn(frame().centre, centre_);
      centre_acceleration_ = model.gravity;
    }
    if (model.has_forces) apply(eval_applied_forces(model, state));
    regular_ = factor();
    each([&](size_t i) { free_[i] = -h_[i]; });
    solve(free_);
  }

  [[nodiscard]] bool regular() const { return regular_; }

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

  /// Writes v' of the model without contact forces.
  void write_free(double* out) const {
    write(free_, centre_acceleration_ - Vec2(centre_.bias_x, centre_.bias_y), out);
  }
  /// Writes the part of v' that is due to a unit force along a direction.
  void write_response(const Column& rates, const Vec2& along, double* out) const {
    write(rates, frame().inverse_mass * along, out);
  }

 private:
  /// M and h of angles: M_ef = D_ef, h_e = sum_f C_ef times the square of f's rate.
  void eval_angles() {
    each([&](size_t i) {
      const Vec2& weight = frame().weight[i];
      h_[i] = weight.x() * at().sine[i] - weight.y() * at().cosine[i];
      L_[triangle_index(i, i)] = frame().inertia[i];
    });
    each([&](size_t f) {
      each(0, f, [&](size_t e) {
        const CentroidalTree::Moments& moments = frame().moments[triangle_index(f, e)];
        const double cosine = at().cosine[e] * at().cosine[f] + at().sine[e] * at().sine[f];
        const double sine = at().sine[f] * at().cosine[e] - at().cosine[f] * at().sine[e];
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
    eval_tree_dynamics(frame().tree, at(), M, h);
    each([&](size_t i) {
      const auto row = static_cast<Eigen::Index>(i);
      h_[i] = h[row];
      each(0, i + 1,
           [&](size_t k) { L_[triangle_index(i, k)] = M(row, static_cast<Eigen::Index>(k)); });
    });
  }

  /// Moves generalised forces of the model to the centre of mass.
  void apply(const VecQ& force) {
    const double* on = force.data();
    each([&](size_t i) { h_[i] -= frame().senses[i] * on[frame().coordinates[i]]; });
    if (!frame().has_base) return;
    const Vec2 on_base(on[frame().base_x], on[frame().base_y]);
    centre_acceleration_ += frame().inverse_mass * on_base;
    each([&](size_t i) { h_[i] += on_base.x() * centre_.x[i] + on_base.y() * centre_.y[i]; });
  }

  /// L D L^T in place of M; false if a pivot is not positive or has no inverse.
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
      positive &= pivot >= std::numeric_limits<double>::min();
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

  /// v' of the model. The base moves like its centre of mass, minus the motion of that centre
  /// relative to the base.
  void write(const Column& rates, const Vec2& centre, double* out) const {
    each([&](size_t i) {
      out[frame().coordinates[i]] = frame().senses[i] * rates[i] + 0.0;  // no -0
    });
    if (!frame().has_base) return;
    out[frame().base_x] = centre.x() - dot(centre_.x, rates);
    out[frame().base_y] = centre.y() - dot(centre_.y, rates);
  }

  std::array<double, triangle_index(Placed::kMaxSize, 0)> L_;
  Column h_, pivot_, inverse_pivot_;
  Column free_;    ///< accelerations of the tree without contact forces
  Turned centre_;  ///< centre of mass from the base
  Vec2 centre_acceleration_ = Vec2::Zero();
  bool regular_ = true;
};

/// A contact's directions J and responses M^-1 J, along its normal and its tangent.
template <class Column>
struct Response {
  Column J_n, J_t, to_n, to_t;
  const CentroidalContact* contact;
};

template <int fixed_size>
void write_contact_dynamics(const Model& model, const StateView& state,
                            const Evaluation<fixed_size>& evaluation, std::span<const int> contacts,
                            ContactDynamics& out) {
  using Column = typename Evaluation<fixed_size>::Column;
  out.regular = evaluation.regular();
  if (!out.regular) return;
  const auto n = static_cast<Eigen::Index>(model.size());
  const auto k = static_cast<Eigen::Index>(2 * contacts.size());
  out.free_acceleration.resize(n);
  out.M_inverse_W.resize(n, k);
  out.G.resize(k, k);
  out.a_free.resize(k);
  evaluation.write_free(out.free_acceleration.data());
  const double inverse_mass = model.centroidal.inverse_mass;
  std::array<Response<Column>, kMaxContacts> responses;
  for (size_t i = 0; i < contacts.size(); ++i) {
    const CentroidalContact& contact = model.centroidal.contacts[static_cast<size_t>(contacts[i])];
    typename Evaluation<fixed_size>::Turned arm;
    evaluation.turn_contact(state, contact, contact.arm, arm);
    Response<Column>& b = responses[i];
    b = {arm.y, arm.x, arm.y, arm.x, &contact};
    evaluation.solve(b.to_n);
    evaluation.solve(b.to_t);
    const auto row = static_cast<Eigen::Index>(2 * i);
    out.a_free[row] = evaluation.eval_free(arm.y, arm.bias_y, contact.normal);
    out.a_free[row + 1] = evaluation.eval_free(arm.x, arm.bias_x, contact.tangent);
    evaluation.write_response(b.to_n, contact.normal, &out.M_inverse_W.coeffRef(0, row));
    evaluation.write_response(b.to_t, contact.tangent, &out.M_inverse_W.coeffRef(0, row + 1));
    out.G(row, row) = inverse_mass + evaluation.dot(b.J_n, b.to_n);
    out.G(row, row + 1) = out.G(row + 1, row) = evaluation.dot(b.J_n, b.to_t);
    out.G(row + 1, row + 1) = inverse_mass + evaluation.dot(b.J_t, b.to_t);
    for (size_t j = 0; j < i; ++j) {
      const Response<Column>& a = responses[j];
      const auto col = static_cast<Eigen::Index>(2 * j);
      const auto couple = [&](Eigen::Index r, Eigen::Index c, double tree, const Vec2& along_a,
                              const Vec2& along_b) {
        out.G(r, c) = out.G(c, r) = inverse_mass * along_a.dot(along_b) + tree;
      };
      const CentroidalContact& other = *a.contact;
      couple(row, col, evaluation.dot(a.J_n, b.to_n), other.normal, contact.normal);
      couple(row, col + 1, evaluation.dot(a.J_t, b.to_n), other.tangent, contact.normal);
      couple(row + 1, col, evaluation.dot(a.J_n, b.to_t), other.normal, contact.tangent);
      couple(row + 1, col + 1, evaluation.dot(a.J_t, b.to_t), other.tangent, contact.tangent);
    }
  }
}

/// `flatten` inlines all functions of an evaluation. Without it a third of the time goes into
/// calls.
template <int fixed_size>
[[gnu::flatten]] void place_and_write(const Model& model, const StateView& state,
                                      std::span<const int> contacts, ContactDynamics& out) {
  write_contact_dynamics(model, state, Evaluation<fixed_size>(model, state), contacts, out);
}

template <int fixed_size>
[[gnu::flatten]] void place_and_write(const Model& model, const StateView& state,
                                      const ChooseContacts& choose, ContactKinematics& kinematics,
                                      ContactDynamics& dynamics) {
  const Evaluation<fixed_size> evaluation(model, state);
  write_contact_kinematics<fixed_size>(model, state, evaluation, kinematics);
  if (!model.tree.coordinates_are_internal) convert_gradients(model, kinematics);
  write_contact_dynamics(model, state, evaluation, choose(kinematics), dynamics);
}

/// Accelerations of the model's coordinates, from those of internal ones.
void convert_accelerations(const Model& model, ContactDynamics& out) {
  out.free_acceleration = (model.tree.C_inverse * out.free_acceleration).eval();
  out.M_inverse_W = (model.tree.C_inverse * out.M_inverse_W).eval();
}

template <int fixed_size>
[[gnu::flatten]] SlidingResponse eval_response(const Model& model, const StateView& state,
                                               int index, double slip_sign) {
  const Evaluation<fixed_size> evaluation(model, state);
  const double none = std::numeric_limits<double>::quiet_NaN();
  if (!evaluation.regular()) return {none, none};
  const CentroidalContact& contact = model.centroidal.contacts[static_cast<size_t>(index)];
  typename Evaluation<fixed_size>::Turned arm;
  evaluation.turn_contact(state, contact, contact.arm, arm);
  const double friction = slip_sign * model.contacts[static_cast<size_t>(index)].mu;
  auto response = arm.y;
  evaluation.each([&](size_t i) { response[i] -= friction * arm.x[i]; });
  evaluation.solve(response);
  return {model.centroidal.inverse_mass + evaluation.dot(arm.y, response),
          evaluation.eval_free(arm.y, arm.bias_y, contact.normal)};
}

}  // namespace

ContactDynamics eval_contact_dynamics(const Model& model, const StateView& state,
                                      std::span<const int> contacts) {
  ContactDynamics out;
  eval_contact_dynamics(model, state, contacts, out);
  return out;
}

void eval_contact_dynamics(const Model& model, const StateView& state,
                           std::span<const int> contacts, ContactDynamics& out) {
  with_tree_size(model, [&](auto size) { place_and_write<size()>(model, state, contacts, out); });
  if (out.regular && !model.tree.coordinates_are_internal) convert_accelerations(model, out);
}

void eval_contacts(const Model& model, const StateView& state, const ChooseContacts& choose,
                   ContactKinematics& kinematics, ContactDynamics& dynamics) {
  resize(model, kinematics);
  with_tree_size(model, [&](auto size) {
    place_and_write<size()>(model, state, choose, kinematics, dynamics);
  });
  if (dynamics.regular && !model.tree.coordinates_are_internal) {
    convert_accelerations(model, dynamics);
  }
}

SlidingResponse eval_sliding_response(const Model& model, const StateView& state, int contact,
                                      double slip_sign) {
  return with_tree_size(
      model, [&](auto size) { return eval_response<size()>(model, state, contact, slip_sign); });
}

}  // namespace slipstick
