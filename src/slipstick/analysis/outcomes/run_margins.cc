#include "slipstick/analysis/outcomes/run_margins.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "slipstick/analysis/motion/motion_rows.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// What may fall to zero at a contact.
enum RunMargin { kGapLeft, kForceLeft, kFrictionLeft, kSlipLeft, kMarginCount };

/// What an event brings to zero at its contacts, and so tells nothing about other events.
RunMargin find_own_margin(EventType type) {
  switch (type) {
    case EventType::kLiftoff:
    case EventType::kJam:
      return kForceLeft;
    case EventType::kStick:
    case EventType::kSlipReversal:
      return kSlipLeft;
    case EventType::kSlip:
      return kFrictionLeft;
    default:
      return kGapLeft;
  }
}

/// Follows the least values of quantities along a motion. A value at the start of a mode counts
/// only if it is less than before and after: motions begin where something has just been zero.
class LeastValues {
 public:
  explicit LeastValues(std::size_t count) : last_(count, kNone), least_(count, kNone) {
    falls_.assign(count, false);
  }

  void start_mode() {
    finish();
    last_.assign(last_.size(), kNone);
    falls_.assign(falls_.size(), false);
  }
  void add(std::size_t i, double value) {
    if (std::isnan(value)) return;
    if (falls_[i] && value >= last_[i]) note(i, last_[i]);
    falls_[i] = value < last_[i];
    last_[i] = value;
  }
  /// Counts what still falls at the end.
  void finish() {
    for (std::size_t i = 0; i < last_.size(); ++i) {
      if (falls_[i]) note(i, last_[i]);
    }
  }
  void forget(std::size_t i) { least_[i] = kNone; }
  [[nodiscard]] std::vector<double> take() { return std::move(least_); }

 private:
  void note(std::size_t i, double value) {
    least_[i] = std::isnan(least_[i]) ? value : std::min(least_[i], value);
  }

  std::vector<double> last_, least_;
  std::vector<bool> falls_;
};

void add_row(const Model& model, const Mode& mode, const State& state, LeastValues& least) {
  const ContactRow row = eval_contact_row(model, mode, state);
  const auto add = [&](int contact, RunMargin margin, double value) {
    least.add(static_cast<std::size_t>(kMarginCount * contact + margin), value);
  };
  for (int i = 0; i < model.contact_count(); ++i) {
    if (!is_closed(mode.word[static_cast<std::size_t>(i)])) add(i, kGapLeft, row.gap[i]);
  }
  for (const ClosedMode& closed : mode.closed) {
    const int i = closed.contact;
    if (!closed.bilateral) add(i, kForceLeft, row.force_n[i]);
    if (closed.slides()) add(i, kSlipLeft, std::abs(row.slip[i]));
    if (closed.sticks()) {
      add(i, kFrictionLeft, closed.mu_s * std::abs(row.force_n[i]) - std::abs(row.force_t[i]));
    }
  }
}

}  // namespace

std::vector<double> find_run_margins(const Model& model, const Run& run, const Event* last) {
  LeastValues least(static_cast<std::size_t>(kMarginCount * model.contact_count()));
  const Mode* mode = nullptr;
  for (const Segment& segment : run.trajectory->segments) {
    if (last != nullptr && segment.from >= last->time) break;
    const Mode& own = run.trajectory->modes[segment.mode];
    if (mode != &own) least.start_mode();
    mode = &own;
    constexpr int kRows = 3;  // of a step of order eight: its quantities bend once or twice
    for (int k = 0; k < kRows; ++k) {
      const double theta = segment.theta_end * k / kRows;
      add_row(model, own, eval_state(segment.polynomial, model.size(), theta), least);
    }
  }
  least.finish();
  if (last != nullptr) {
    for (const int contact : last->contacts) {
      least.forget(static_cast<std::size_t>(kMarginCount * contact + find_own_margin(last->type)));
    }
  }
  return least.take();
}

}  // namespace slipstick
