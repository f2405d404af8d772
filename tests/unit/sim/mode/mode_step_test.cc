/// Where steps within a mode end.

#include "slipstick/sim/mode/mode_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/model_file.h"
#include "slipstick/sim/mode/trajectory.h"
#include "slipstick/simulate.h"

namespace slipstick {
namespace {

/// Follows the first mode of a model for some steps.
void check_steps(const LoadedModel& loaded, double tolerance) {
  SimulationOptions options;
  options.until = 1e-3;
  const Mode mode = simulate(*loaded.model, loaded.initial, options).trajectory->modes.at(0);
  options.until = 1.0;
  options.tolerance = tolerance;
  RunCounts counts;
  ModeStep step(*loaded.model, mode, std::nullopt, options.until, false, options, counts);
  step.start(loaded.initial);
  constexpr int kSteps = 10;
  for (int i = 0; i < kSteps && !step.advance(); ++i) {
    const ModeStep::Vector& end = step.method().end();
    const ContactKinematics contacts = eval_contact_kinematics(*loaded.model, step.unpack(end));
    const double length = loaded.model->length_scale;
    const double speed = length * step.rate_scale();
    for (const ClosedMode& closed : mode.closed) {
      EXPECT_NEAR(contacts.gap[closed.contact], 0.0, 1e-14 * length);
      EXPECT_NEAR(contacts.gap_rate[closed.contact], 0.0, 1e-13 * speed);
      if (!closed.sticks()) continue;
      EXPECT_NEAR(contacts.slip[closed.contact], 0.0, 1e-13 * speed);
    }
    // Of the end, up to its last projection.
    EXPECT_LT((step.contacts_at_end().gap - contacts.gap).cwiseAbs().maxCoeff(),
              (tolerance + 1e-14) * length);
    ModeStep::Vector slope{};
    step.eval(end, slope);
    for (std::size_t k = 0; k <= step.time_index(); ++k) {
      EXPECT_EQ(step.method().slope_at_end()[k], slope[k]);
    }
    step.go_on();
  }
  EXPECT_GT(counts.steps, 2);
}

/// Coordinates of the contact itself and of the centre of mass: steps keep a linear gap by
/// themselves, others they leave.
TEST(ModeStep, EndsOnTheClosedContacts) {
  for (const char* model : {"rimless-wheel", "compass-biped", "painleve-bar", "two-link-rail"}) {
    for (const double tolerance : {1e-4, 1e-9, 1e-13}) {
      SCOPED_TRACE(model);
      SCOPED_TRACE(tolerance);
      check_steps(read_model(model, {}), tolerance);
    }
  }
}

}  // namespace
}  // namespace slipstick
