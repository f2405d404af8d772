/// Periodic motion: closed forms of the rimless wheel, derivatives against differences.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "angles.h"
#include "slipstick/analysis/gait/gait_report.h"
#include "slipstick/analysis/gait/section.h"
#include "slipstick/analysis/gait/step_variation.h"
#include "slipstick/io/model_file.h"
#include "slipstick/sim/mode_variation.h"

namespace slipstick {
namespace {

using testkit::kPi;

OrbitSearch search(const LoadedModel& loaded) {
  return find_orbit(loaded.model, loaded.initial, {});
}

/// Derivative of one step along a direction by central differences, with two steps extrapolated.
Eigen::VectorXd differentiate_step(const Model& model, const Section& section, const State& start,
                                   const Eigen::VectorXd& direction) {
  const auto map = [&](double s) {
    const State moved = section.project(move(start, section.unscale(s * direction)));
    return section.scale(take_step(model, moved, {}).run.state);
  };
  const auto difference = [&](double h) -> Eigen::VectorXd {
    return (map(h) - map(-h)) / (2.0 * h);
  };
  constexpr double kStep = 1e-3;
  return (4.0 * difference(kStep / 2.0) - difference(kStep)) / 3.0;
}

TEST(Gait, DerivativesEqualDifferences) {
  for (const auto& [name, overrides] : std::vector<std::pair<const char*, std::vector<Override>>>{
           {"compass-biped", {}},
           {"compass-biped", {{"mu", "0.16"}}},
           {"compass-biped", {{"Ic", "0.3"}, {"foot_radius", "0.1"}}},
           {"rimless-wheel", {}}}) {
    SCOPED_TRACE(name);
    const LoadedModel loaded = read_model(name, overrides);
    const OrbitSearch found = search(loaded);
    ASSERT_TRUE(found.orbit) << found.reason;
    const Orbit& orbit = *found.orbit;
    const Section section(loaded.model, orbit.steps[0].shape, 1.0);
    const Eigen::MatrixXd tangents = section.find_tangents(orbit.state);
    ASSERT_GT(tangents.cols(), 0);
    for (Eigen::Index j = 0; j < tangents.cols(); ++j) {
      const VariedStep varied =
          vary_step(loaded.model, orbit.steps[0], {section.unscale(tangents.col(j))});
      EXPECT_EQ(varied.obstacle, "");
      const Eigen::VectorXd exact = section.scale(varied.end[0]);
      const Eigen::VectorXd estimate =
          differentiate_step(loaded.model, section, orbit.state, tangents.col(j));
      EXPECT_LT((exact - estimate).norm(), 1e-7) << exact << "\n\n" << estimate;
    }
  }
}

TEST(Gait, Biped) {
  const OrbitSearch found = search(read_model("compass-biped", {}));
  ASSERT_TRUE(found.orbit) << found.reason;
  std::printf("maps %d derivatives %d residual %g\n", found.orbit->maps, found.orbit->derivatives,
              found.orbit->residual);
  for (auto m : found.orbit->multipliers) std::printf("%.12f %.12f\n", m.real(), m.imag());
  const LoadedModel loaded = read_model("compass-biped", {});
  const GaitReport r = make_gait_report(loaded.model, *found.orbit);
  std::printf(
      "%.15g %.15g %.15g period %.15g step %.15g mu %.15g at %.10g ratio %.15g fmin %.10g at %g "
      "energy %.12g %.12g %.3g\n",
      found.orbit->state.q[0], found.orbit->state.v[0], found.orbit->state.v[1],
      found.orbit->period(), *r.step_length, r.mu_stick->value, r.mu_stick->time, *r.impulse_ratio,
      r.least_force->value, r.least_force->time, r.energy.gravity, r.energy.impacts,
      r.energy.friction);
  for (auto& e : r.exposure)
    std::printf("exposure %g %g %g\n", e.slip_sign, e.time.low, e.time.high);
}

}  // namespace
}  // namespace slipstick
