/// A second route to the motion in one mode: Boost.Odeint's Runge-Kutta-Fehlberg pair of order 8(7)
/// with tight tolerances, over accelerations from the full saddle-point system of M and W.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <boost/numeric/odeint.hpp>
#include <random>

#include "slipstick/mode_letters.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model_file.h"
#include "slipstick/sim/mode/trajectory.h"
#include "slipstick/simulate.h"

namespace slipstick {
namespace {

using Vector = std::vector<double>;

/// q' = v, and [M -W G; J 0] [v'; f] = [-h; -bias] with f_t = -s mu f_n where a contact slides.
class SaddlePoint {
 public:
  SaddlePoint(const Model& model, const ModeWord& word) : model_(model), word_(word) {}

  void operator()(const Vector& y, Vector& slope, double time) const {
    const int n = model_.size();
    State state{time, VecQ(n), VecQ(n)};
    for (int i = 0; i < n; ++i) {
      state.q[i] = y[static_cast<std::size_t>(i)];
      state.v[i] = y[static_cast<std::size_t>(n + i)];
    }
    const Dynamics dynamics = eval_dynamics(model_, state);
    std::vector<Eigen::VectorXd> forces;  // directions of the unknown forces
    std::vector<Eigen::VectorXd> rows;    // accelerations that vanish
    std::vector<double> biases;
    for (int i = 0; i < model_.contact_count(); ++i) {
      const ContactMode mode = word_[static_cast<std::size_t>(i)];
      if (mode == ContactMode::kFree) continue;
      const double mu = model_.contacts[static_cast<std::size_t>(i)].mu;
      const double friction = -eval_slip_sign(mode) * mu;
      forces.emplace_back(dynamics.contacts.W_n.col(i) + friction * dynamics.contacts.W_t.col(i));
      rows.emplace_back(dynamics.contacts.W_n.col(i));
      biases.push_back(dynamics.contacts.bias_n[i]);
      if (mode != ContactMode::kStick) continue;
      forces.emplace_back(dynamics.contacts.W_t.col(i));
      rows.emplace_back(dynamics.contacts.W_t.col(i));
      biases.push_back(dynamics.contacts.bias_t[i]);
    }
    const auto m = static_cast<Eigen::Index>(rows.size());
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m);
    Eigen::VectorXd b(n + m);
    A.topLeftCorner(n, n) = dynamics.M;
    b.head(n) = -dynamics.h;
    for (Eigen::Index j = 0; j < m; ++j) {
      A.col(n + j).head(n) = -forces[static_cast<std::size_t>(j)];
      A.row(n + j).head(n) = rows[static_cast<std::size_t>(j)].transpose();
      b[n + j] = -biases[static_cast<std::size_t>(j)];
    }
    const Eigen::VectorXd x = A.fullPivLu().solve(b);
    for (int i = 0; i < n; ++i) {
      slope[static_cast<std::size_t>(i)] = state.v[i];
      slope[static_cast<std::size_t>(n + i)] = x[i];
    }
  }

 private:
  const Model& model_;
  ModeWord word_;
};

/// Largest difference of the two routes over the time before the first event, at most `until`.
double compare(const LoadedModel& loaded, double until, ModeWord* word = nullptr) {
  SimulationOptions options;
  options.until = until;
  const auto run = simulate(*loaded.model, loaded.initial, options);
  double end = until;
  for (const Event& event : run.events) {
    if (event.time > 0.0) {
      end = event.time;
      break;
    }
  }
  const ModeWord mode = run.trajectory->modes.at(0).word;
  if (word != nullptr) *word = mode;
  end *= 0.999;
  const int n = loaded.model->size();
  const TrajectorySample start = run.trajectory.eval(0.0);
  Vector y(static_cast<std::size_t>(2 * n));
  for (int i = 0; i < n; ++i) {
    y[static_cast<std::size_t>(i)] = start.state.q[i];
    y[static_cast<std::size_t>(n + i)] = start.state.v[i];
  }
  namespace odeint = boost::numeric::odeint;
  const SaddlePoint system(*loaded.model, mode);
  odeint::integrate_adaptive(
      odeint::make_controlled(1e-13, 1e-13, odeint::runge_kutta_fehlberg78<Vector>()), system, y,
      0.0, end, end * 1e-3);
  const TrajectorySample at = run.trajectory.eval(end);
  double worst = 0.0;
  for (int i = 0; i < n; ++i) {
    worst = std::max(worst, std::abs(y[static_cast<std::size_t>(i)] - at.state.q[i]));
    worst = std::max(worst, std::abs(y[static_cast<std::size_t>(n + i)] - at.state.v[i]));
  }
  return worst;
}

TEST(SecondIntegrator, BuiltInModels) {
  EXPECT_LT(compare(read_model("compass-biped", {}), 2.0), 1e-9);
  EXPECT_LT(compare(read_model("rimless-wheel", {}), 2.0), 1e-10);
  EXPECT_LT(compare(read_model("jamming-chain-level", {}), 1.0), 1e-9);
  EXPECT_LT(compare(read_model("two-contact-body", std::vector<Override>{{"x_dot", "0.3"}}), 1.0),
            1e-9);
}

TEST(SecondIntegrator, RandomWheelsAndArmsInTheModesTheyChoose) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::string seen;
  for (int i = 0; i < 40; ++i) {
    const auto number = [&](double middle, double spread) {
      return std::to_string(middle + spread * unit(random));
    };
    const std::vector<Override> wheel{{"theta", number(0.0, 0.2)},
                                      {"theta_dot", i % 10 == 9 ? "1.5" : number(0.3, 0.5)},
                                      {"x_dot", i % 2 == 0 ? "0" : number(0.0, 0.8)},
                                      {"kappa", number(0.3, 0.2)},
                                      {"mu", number(0.4, 0.3)}};
    ModeWord word;
    EXPECT_LT(compare(read_model("rimless-wheel", wheel), 0.5, &word), 1e-9) << i;
    seen += to_letter(word[0]);
    const std::vector<Override> arm{{"theta1", number(0.45, 0.12)},
                                    {"rail_speed", number(0.0, 0.5)},
                                    {"mu", number(0.2, 0.15)},
                                    {"c", number(0.01, 0.005)}};
    EXPECT_LT(compare(read_model("two-link-rail", arm), 0.3, &word), 1e-8) << i;
    seen += to_letter(word[0]);
  }
  for (const char letter : {'F', 'S', 'P', 'N'}) {
    EXPECT_NE(seen.find(letter), std::string::npos) << letter << " never chosen: " << seen;
  }
}

}  // namespace
}  // namespace slipstick
