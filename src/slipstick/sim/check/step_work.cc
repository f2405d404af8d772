#include "slipstick/sim/check/step_work.h"

#include <algorithm>
#include <array>

namespace slipstick::check {
namespace {

/// Gauss's rule with five points on [-1, 1]: its order, 10, is above that of the steps.
struct GaussNode {
  double at, weight;
};
constexpr std::array<GaussNode, 5> kGauss{{{-0.9061798459386640, 0.2369268850561891},
                                           {-0.5384693101056831, 0.4786286704993665},
                                           {0.0, 0.5688888888888889},
                                           {0.5384693101056831, 0.4786286704993665},
                                           {0.9061798459386640, 0.2369268850561891}}};

}  // namespace

void add_step_work(Mechanism& mechanism, const Mode& mode, const Segment& step, double theta,
                   Balance& work) {
  const int n = mechanism.size();
  const auto time = 2 * static_cast<std::size_t>(n);
  const Gradient none{};
  Placed placed;
  for (const GaussNode& node : kGauss) {
    const double at = 0.5 * theta * (1.0 + node.at);
    const double weight = 0.5 * theta * node.weight;
    State state = eval_state(step.polynomial, n, at);
    // Formulas of time change at the end of a step, not a rounding error before it.
    state.time = std::clamp(state.time, step.from, std::max(step.from, step.to));
    mechanism.place(state, none.data(), 0.0, placed);
    const double pace = step.polynomial.eval_rate(time, at);
    work.loads += weight * pace * placed.load_power;
    work.damping += weight * pace * placed.damping_power;
    for (std::size_t j = 0; j < mode.closed.size(); ++j) {
      const ContactMotion& contact =
          placed.contacts[static_cast<std::size_t>(mode.closed[j].contact)];
      const double impulse_t = weight * step.polynomial.eval_rate(time + 2 + 2 * j, at);
      work.friction += impulse_t * contact.slip;
      work.surfaces += impulse_t * contact.surface_speed;
    }
  }
}

}  // namespace slipstick::check
