#include "slipstick/model/tree.h"

#include <algorithm>
#include <cmath>

#include "slipstick/core/dual.h"

namespace slipstick {
namespace {

/// One way an element moves masses: along R w (`along`) or along R w turned by 90 degrees
/// (`across`), times `factor`, per unit rate of coordinate `index`.
template <class Scalar>
struct Channel {
  int index = -1;
  Scalar along = 0.0, across = 0.0;
};

/// An angle moves its vectors across; a slide moves them along, and across with its frame.
template <class Scalar>
struct Channels {
  std::array<Channel<Scalar>, 2> channel;
  int count = 0;
};

template <class Scalar>
Channels<Scalar> make_channels(const Tree& tree, const BasicTreeState<Scalar>& state, int e) {
  const Element& element = tree.elements[static_cast<std::size_t>(e)];
  Channels<Scalar> out;
  if (!element.is_angle) out.channel[static_cast<std::size_t>(out.count++)] = {e, 1.0, 0.0};
  if (element.frame != kWorldFrame) {
    const Scalar factor = element.sense * state.amplitude[static_cast<std::size_t>(e)];
    out.channel[static_cast<std::size_t>(out.count++)] = {element.frame, 0.0, factor};
  }
  return out;
}

/// Adds a pair of which at least one is a slide.
template <class Scalar>
void add_pair_with_slide(const Tree& tree, const BasicTreeState<Scalar>& state,
                         const ElementPair& pair, const Scalar& D, const Scalar& C,
                         BasicMatQ<Scalar>& M, BasicVecQ<Scalar>& h) {
  const auto e = static_cast<std::size_t>(pair.first);
  const auto f = static_cast<std::size_t>(pair.second);
  // Accelerations at z'' = 0 along and across each element's vector.
  const Scalar along_e = -state.amplitude[e] * state.turn_rate[e] * state.turn_rate[e];
  const Scalar across_e = 2.0 * state.amplitude_rate[e] * state.turn_rate[e];
  const Scalar along_f = -state.amplitude[f] * state.turn_rate[f] * state.turn_rate[f];
  const Scalar across_f = 2.0 * state.amplitude_rate[f] * state.turn_rate[f];
  const Channels<Scalar> first = make_channels(tree, state, pair.first);
  const Channels<Scalar> second = make_channels(tree, state, pair.second);
  const bool same = pair.first == pair.second;
  for (int i = 0; i < first.count; ++i) {
    const Channel<Scalar>& a = first.channel[static_cast<std::size_t>(i)];
    h[a.index] += a.along * (along_f * D + across_f * C) + a.across * (across_f * D - along_f * C);
    for (int j = 0; j < second.count; ++j) {
      const Channel<Scalar>& b = second.channel[static_cast<std::size_t>(j)];
      const Scalar value = (a.along * b.along + a.across * b.across) * D +
                           (a.along * b.across - a.across * b.along) * C;
      M(a.index, b.index) += value;
      if (!same) M(b.index, a.index) += value;
    }
  }
  if (same) return;
  for (int j = 0; j < second.count; ++j) {
    const Channel<Scalar>& b = second.channel[static_cast<std::size_t>(j)];
    h[b.index] += b.along * (along_e * D - across_e * C) + b.across * (across_e * D + along_e * C);
  }
}

/// Writes the gradient of a row (tree.size() entries) and returns its bias.
template <class Scalar>
Scalar eval_row_gradient(const Tree& tree, const BasicTreeState<Scalar>& state, const Row& row,
                         Scalar* gradient) {
  std::fill_n(gradient, tree.size(), Scalar(0.0));
  Scalar bias = 0.0;
  for (const Row::Term& term : row.terms) {
    const auto e = static_cast<std::size_t>(term.element);
    const Element& element = tree.elements[e];
    const Scalar along = term.cosine * state.cosine[e] + term.sine * state.sine[e];
    const Scalar across = term.sine * state.cosine[e] - term.cosine * state.sine[e];
    const Scalar turn_rate = state.turn_rate[e];
    if (element.is_angle) {
      gradient[e] += element.sense * across;
      bias -= turn_rate * turn_rate * along;
      continue;
    }
    gradient[e] += along;
    if (element.frame == kWorldFrame) continue;
    const Scalar amplitude = state.amplitude[e];
    gradient[element.frame] += element.sense * amplitude * across;
    bias += 2.0 * state.amplitude_rate[e] * turn_rate * across -
            amplitude * turn_rate * turn_rate * along;
  }
  return bias;
}

}  // namespace

template <class Scalar>
BasicTreeState<Scalar> eval_tree_state(const Tree& tree, const BasicVecQ<Scalar>& z,
                                       const BasicVecQ<Scalar>& z_rate) {
  using std::cos, std::sin;
  BasicTreeState<Scalar> out;
  // Angles first: a slide copies its frame's sine and cosine.
  for (int i = 0; i < tree.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Element& element = tree.elements[k];
    if (!element.is_angle) continue;
    out.cosine[k] = cos(z[i]);
    out.sine[k] = element.sense * sin(z[i]);
    out.turn_rate[k] = element.sense * z_rate[i];
    out.amplitude[k] = 1.0;
    out.amplitude_rate[k] = 0.0;
  }
  for (int i = 0; i < tree.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Element& element = tree.elements[k];
    if (element.is_angle) continue;
    const bool turns = element.frame != kWorldFrame;
    const auto f = static_cast<std::size_t>(turns ? element.frame : i);
    out.cosine[k] = turns ? out.cosine[f] : Scalar(1.0);
    out.sine[k] = turns ? out.sine[f] : Scalar(0.0);
    out.turn_rate[k] = turns ? out.turn_rate[f] : Scalar(0.0);
    out.amplitude[k] = z[i];
    out.amplitude_rate[k] = z_rate[i];
  }
  return out;
}

template <class Scalar>
BasicRowValue<Scalar> eval_row(const Tree& tree, const BasicTreeState<Scalar>& state,
                               const Row& row) {
  BasicRowValue<Scalar> out;
  out.value = row.offset;
  for (const Row::Term& term : row.terms) {
    const auto e = static_cast<std::size_t>(term.element);
    const Scalar along = term.cosine * state.cosine[e] + term.sine * state.sine[e];
    const Scalar across = term.sine * state.cosine[e] - term.cosine * state.sine[e];
    out.value += state.amplitude[e] * along;
    out.rate += state.amplitude_rate[e] * along + state.amplitude[e] * state.turn_rate[e] * across;
  }
  out.gradient.resize(tree.size());
  out.bias = eval_row_gradient(tree, state, row, out.gradient.data());
  return out;
}

template <class Scalar>
void eval_tree_dynamics(const Tree& tree, const BasicTreeState<Scalar>& state, BasicMatQ<Scalar>& M,
                        BasicVecQ<Scalar>& h) {
  M = tree.M_constant.cast<Scalar>();
  h = BasicVecQ<Scalar>::Zero(tree.size());
  for (const ElementPair& pair : tree.pairs) {
    const auto e = static_cast<std::size_t>(pair.first);
    const auto f = static_cast<std::size_t>(pair.second);
    const Scalar cosine = state.cosine[e] * state.cosine[f] + state.sine[e] * state.sine[f];
    const Scalar sine = state.sine[f] * state.cosine[e] - state.cosine[f] * state.sine[e];
    // Sums over masses: D of (R w_e).(R w_f), C of (R w_e).(J R w_f), J the quarter turn.
    const Scalar D = pair.dot * cosine - pair.cross * sine;
    const Scalar C = -pair.dot * sine - pair.cross * cosine;
    const Element& first = tree.elements[e];
    const Element& second = tree.elements[f];
    if (first.is_angle && second.is_angle) {  // what most mechanisms consist of
      const Scalar value = first.sense * second.sense * D;
      M(pair.first, pair.second) += value;
      M(pair.second, pair.first) += value;
      h[pair.first] += first.sense * state.turn_rate[f] * state.turn_rate[f] * C;
      h[pair.second] -= second.sense * state.turn_rate[e] * state.turn_rate[e] * C;
    } else {
      add_pair_with_slide(tree, state, pair, D, C, M, h);
    }
  }
  if (tree.weight.terms.empty()) return;
  h -= eval_row(tree, state, tree.weight).gradient;
}

template BasicTreeState<double> eval_tree_state(const Tree&, const BasicVecQ<double>&,
                                                const BasicVecQ<double>&);
template BasicRowValue<double> eval_row(const Tree&, const BasicTreeState<double>&, const Row&);
template void eval_tree_dynamics(const Tree&, const BasicTreeState<double>&, BasicMatQ<double>&,
                                 BasicVecQ<double>&);
template BasicTreeState<Dual> eval_tree_state(const Tree&, const BasicVecQ<Dual>&,
                                              const BasicVecQ<Dual>&);
template BasicRowValue<Dual> eval_row(const Tree&, const BasicTreeState<Dual>&, const Row&);
template void eval_tree_dynamics(const Tree&, const BasicTreeState<Dual>&, BasicMatQ<Dual>&,
                                 BasicVecQ<Dual>&);

}  // namespace slipstick
