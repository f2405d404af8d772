/// Rates along a change of state against extrapolated differences, on random trees.

#include "slipstick/model/variation.h"

#include <gtest/gtest.h>

#include <random>

#include "cases.h"
#include "slipstick/core/differentiate.h"
#include "slipstick/core/dual.h"
#include "unit/model/random_tree.h"

namespace slipstick {
namespace {

TEST(Dual, RulesOfDifferentiation) {
  const auto f = [](auto x) {
    using std::cos, std::hypot, std::sin;
    return hypot(sin(x) * x - 2.0, cos(x) / (x + 3.0)) + -x;
  };
  for (const double x : {-1.3, 0.2, 0.9, 4.0}) {
    const Dual value = f(Dual(x, 1.0));
    EXPECT_EQ(value.value, f(x));
    EXPECT_NEAR(value.rate, find_derivative(f, x, 0.1), 1e-11);
  }
}

/// A random model with a held motion, and a direction in which its state changes.
struct VariationCase {
  Model model;
  State state;
  Variation variation;
  VecQ acceleration;
  std::vector<int> contacts;
  Vec2C force;

  explicit VariationCase(int seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    model = make_model(make_random_spec(random, 1 + seed % 5));
    state = make_random_state(random, model);
    const State other = make_random_state(random, model);
    variation = {other.q, other.v};
    acceleration = make_random_state(random, model).q;
    for (int i = 0; i < model.contact_count(); ++i) contacts.push_back(i);
    force.resize(2 * model.contact_count());
    std::normal_distribution<double> normal;
    for (double& entry : force) entry = normal(random);
  }
  [[nodiscard]] State moved(double s) const {
    return {state.time, state.q + s * variation.q, state.v + s * variation.v};
  }
  template <class F>
  [[nodiscard]] double differentiate(const F& f) const {
    return find_derivative([&](double s) { return f(moved(s)); }, 0.0, 0.05);
  }
  /// M x + (h) - W f.
  [[nodiscard]] VecQ eval_balance(const State& at, bool with_h) const {
    const Dynamics dynamics = eval_dynamics(model, at);
    VecQ out = dynamics.M * acceleration;
    if (with_h) out += dynamics.h;
    for (int i = 0; i < model.contact_count(); ++i) {
      out -= dynamics.contacts.W_n.col(i) * force[2 * i];
      out -= dynamics.contacts.W_t.col(i) * force[2 * i + 1];
    }
    return out;
  }
};

TEST(Variation, EqualsDifferencesOnRandomTrees) {
  for (int seed = 1; seed <= testkit::cases(200); ++seed) {
    SCOPED_TRACE(seed);
    const VariationCase at(seed);
    const HeldMotion held{at.contacts, at.acceleration, at.force};
    const MotionVariation motion = eval_motion_variation(at.model, at.state, held, at.variation);
    const VecQ jump = eval_jump_variation(at.model, at.state, held, at.variation.q);
    for (int i = 0; i < at.model.size(); ++i) {
      const double force =
          at.differentiate([&](const State& s) { return at.eval_balance(s, true)[i]; });
      const double impulse =
          at.differentiate([&](const State& s) { return at.eval_balance(s, false)[i]; });
      EXPECT_NEAR(motion.force[i], force, 1e-8 * (1.0 + std::abs(force)));
      EXPECT_NEAR(jump[i], impulse, 1e-8 * (1.0 + std::abs(impulse)));
    }
    const KinematicVariation contacts = eval_kinematic_variation(at.model, at.state, at.variation);
    for (int i = 0; i < at.model.contact_count(); ++i) {
      const auto rate = [&](auto part) {
        return at.differentiate(
            [&](const State& s) { return (eval_contact_kinematics(at.model, s).*part)[i]; });
      };
      const auto accelerate = [&](auto gradient, auto bias) {
        return at.differentiate([&](const State& s) {
          const ContactKinematics k = eval_contact_kinematics(at.model, s);
          return (k.*gradient).col(i).dot(at.acceleration) + (k.*bias)[i];
        });
      };
      const double normal = accelerate(&ContactKinematics::W_n, &ContactKinematics::bias_n);
      const double tangential = accelerate(&ContactKinematics::W_t, &ContactKinematics::bias_t);
      EXPECT_NEAR(contacts.gap[i], rate(&ContactKinematics::gap), 1e-8);
      EXPECT_NEAR(contacts.gap_rate[i], rate(&ContactKinematics::gap_rate), 1e-8);
      EXPECT_NEAR(contacts.slip[i], rate(&ContactKinematics::slip), 1e-8);
      EXPECT_NEAR(motion.acceleration[2 * i], normal, 1e-8 * (1.0 + std::abs(normal)));
      EXPECT_NEAR(motion.acceleration[2 * i + 1], tangential, 1e-8 * (1.0 + std::abs(tangential)));
    }
  }
}

}  // namespace
}  // namespace slipstick
