#include "slipstick/sim/mode/mode_step.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "slipstick/core/scales.h"
#include "slipstick/model/scale.h"
#include "slipstick/sim/mode/held_field.h"
#include "slipstick/why.h"

namespace slipstick {
namespace {

constexpr double kOrderInverse = 1.0 / 8.0;  // of the method's error

/// Longest step where a comparison contains both time and state [s]. A change of it that lasts for
/// a hundredth of the run is then not missed while everything is at rest.
double find_longest_step(const Model& model, double until) {
  constexpr double kPartOfRun = 0.005;  // half of the hundredth
  const bool limits = model.depends_on_time && has_mixed_comparisons(model);
  return limits ? kPartOfRun * until : std::numeric_limits<double>::infinity();
}

}  // namespace

ModeStep::ModeStep(const Model& model, const Mode& mode, std::optional<SmoothForces> forces,
                   double last, bool is_stop, const SimulationOptions& options, RunCounts& counts)
    : model_(model),
      mode_(mode),
      options_(options),
      counts_(counts),
      n_(static_cast<std::size_t>(model.size())),
      method_(2 * n_ + 1 + 2 * mode.closed.size(),
              2 * n_ + (model.depends_on_time || forces ? 1 : 0)),
      scale_(make_coordinate_scale(model)),
      last_(last),
      latest_(is_stop ? last : std::numeric_limits<double>::infinity()),
      longest_(find_longest_step(model, options.until)),
      held_(model.has_light_parts && !mode.stretched && !mode.redundant && !mode.closed.empty()),
      forces_(std::move(forces)) {}

void ModeStep::start(const State& state) {
  find_latest(state);
  start_method(pack(state));
  eval_contact_kinematics(model_, state, contacts_[first_]);
  mass_ = find_mass();
  weight_ = mass_ * model_.gravity.norm();
  first_force_ = find_largest_force(method_.slope()) / (rate() > 0.0 ? rate() : 1.0);
  least_rate_ = 1.0 / (options_.until - state.time);
  set_rate_scale();
  next_ = std::pow(options_.tolerance, kOrderInverse) / rate_scale_;
  if (!std::isfinite(next_)) next_ = options_.until - state.time;  // nothing moves
  if (model_.depends_on_time) watch_.emplace(model_, state, options_.until);
}

/// Steps in stretched time go beyond the end of the run. Formulas that are not defined there keep
/// their last values.
void ModeStep::find_latest(const State& state) {
  if (!model_.depends_on_time || latest_ <= last_) return;
  State beyond = state;
  for (double part = kSumRounding; part <= 1.0; part *= 10.0) {
    beyond.time = last_ + part * (last_ - state.time);
    if (!find_undefined_formula(model_, beyond).empty()) latest_ = last_;
  }
}

Why ModeStep::advance() {
  set_rate_scale();
  leave_passage();
  while (true) {
    if (!regular_)
      return {WhyCode::kSingular, "the mass matrix or the contact equations are singular"};
    crossed_ = false;
    drifted_ = false;
    const double length = limit(next_);
    const double error = make(length);
    if (error <= 1.0) finish();
    const auto hidden = error <= 1.0 && watch_ ? find_hidden() : std::nullopt;
    if (error <= 1.0 && !crossed_ && !drifted_ && !hidden) {
      ++counts_.steps;
      advanced_ = length;
      determinant_at_end_ = determinant_;
      next_ = length * choose_growth(std::max(error, 1e-10));
      return {};
    }
    ++counts_.rejected;
    next_ = length * (hidden ? *hidden : choose_shrinkage(error));
    if (!(next_ > kNumberRounding * (std::abs(time()) + 1.0 / rate_scale_))) {
      return {WhyCode::kStepTooSmall, "the step size fell to rounding"};
    }
    regular_ = true;
  }
}

/// The part of the step after which a load leaves the values that the step has evaluated.
std::optional<double> ModeStep::find_hidden() const {
  const State end = unpack(method_.end());
  const auto at = watch_->find_hidden(end, time(), end.time);
  if (!at) return std::nullopt;
  return (*at - time()) / (end.time - time());
}

bool ModeStep::can_be_shortened() const {
  constexpr double kShortestCut = 1e-9;  // of the motion's own time
  return advanced_ * rate_scale_ > kShortestCut;
}

void ModeStep::shorten(double part) {
  --counts_.steps;
  ++counts_.rejected;
  next_ = part * advanced_;
  regular_ = true;
}

void ModeStep::repeat(double length) {
  make(length);
  finish();
}

void ModeStep::interpolate(bool counts) {
  const long evaluations = counts_.evaluations;
  const bool regular = regular_;
  method_.write_interpolant(field(), interpolant_);
  if (counts) return;
  counts_.evaluations = evaluations;
  regular_ = regular;
}

void ModeStep::go_on() {
  method_.go_on();
  find_side(determinant_at_end_);
  first_ = 1 - first_;
  largest_force_ = std::max(largest_force_, force_scale());
}

void ModeStep::restore(const Finished& step) {
  method_ = step.method;
  contacts_[1 - first_] = step.contacts_at_end;
  regular_ = true;
}

// --- the system ---

void ModeStep::start_method(const Vector& y) {
  side_ = 0.0;
  method_.start(y, field());
  find_side(determinant_);
}

/// Finds the sign of d once it is clear of rounding.
void ModeStep::find_side(double determinant) {
  if (side_ == 0.0 && is_resolved(determinant)) side_ = std::copysign(1.0, determinant);
}

ModeStep::Vector ModeStep::pack(const State& state) const {
  Vector y{};
  for (std::size_t i = 0; i < n_; ++i) {
    y[i] = state.q[static_cast<Eigen::Index>(i)];
    y[n_ + i] = state.v[static_cast<Eigen::Index>(i)];
  }
  y[2 * n_] = state.time;
  return y;
}

State ModeStep::unpack(const Vector& y) const {
  using Numbers = Eigen::Map<const VecQ>;
  return {std::min(y[2 * n_], latest_), Numbers(y.data(), model_.size()),
          Numbers(y.data() + n_, model_.size())};
}

/// The slope at y from the dynamics there.
[[gnu::always_inline]] inline void ModeStep::write_slope(const Vector& y, Vector& slope) {
  ++counts_.evaluations;
  double* acceleration = slope.data() + n_;
  double* impulse_rate = slope.data() + 2 * n_ + 1;
  ModePace pace;
  if (forces_) {
    write_forced_field(y[2 * n_], pace, acceleration, impulse_rate);
  } else if (held_) {
    pace.regular = write_held_field(model_, mode_, unpack(y), acceleration, impulse_rate);
  } else {
    write_mode_field(mode_, dynamics_, pace, acceleration, impulse_rate);
  }
  determinant_ = pace.determinant;
  crossed_ |= determinant_ * side_ < -kNumberRounding;
  if (!pace.regular) {
    regular_ = false;
    slope.fill(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  for (std::size_t i = 0; i < n_; ++i) slope[i] = pace.rate * y[n_ + i];
  slope[2 * n_] = pace.rate;
}

void ModeStep::eval(const Vector& y, Vector& slope) {
  eval_contact_dynamics(model_, view(y), as_span(mode_.indices), dynamics_);
  write_slope(y, slope);
}

/// The field with known forces, in natural time.
void ModeStep::write_forced_field(double time, ModePace& pace, double* acceleration,
                                  double* impulse_rate) const {
  pace.regular = dynamics_.regular;
  if (!pace.regular) return;
  const Vec2C forces = forces_->eval(time);
  Eigen::Map<Vec2C>(impulse_rate, forces.size()) = forces;
  Eigen::Map<VecQ>(acceleration, model_.size()) =
      dynamics_.free_acceleration + dynamics_.M_inverse_W * forces;
}

/// At the end of the time span of the forces, continues with the mode's own equations in stretched
/// time. A remainder of rounding size does not get a step of its own.
void ModeStep::leave_passage() {
  constexpr double kLeft = 1e-3;  // of the passage's length
  if (!forces_ || forces_->end() - time() >= kLeft * forces_->length) return;
  forces_.reset();
  start_method(Vector(method_.start()));
  next_ /= rate();
}

// --- a step ---

/// Returns the error over the tolerance.
double ModeStep::make(double length) {
  return method_.step(length, controlled(), find_allowed_errors(length), field());
}

/// Evaluates the motion of all contacts at the step's end, and the slope there. The end is first
/// projected onto the closed contacts, unless the steps stay on them anyway.
void ModeStep::finish() {
  if (!drifts_) {
    const bool crossed = crossed_;
    const bool regular = regular_;
    method_.finish([this](const Vector& y, Vector& slope) {
      const auto choose = [this](const ContactKinematics&) { return as_span(mode_.indices); };
      eval_contacts(model_, view(y), std::ref(choose), contacts_[1 - first_], dynamics_);
      write_slope(y, slope);
    });
    drifts_ = find_drift(contacts_[1 - first_]).is_seen();
    if (!drifts_) return;
    crossed_ = crossed;
    regular_ = regular;
  }
  project_end();
  method_.finish(field());
}

void ModeStep::project_end() {
  Vector& end = method_.end();
  State at = unpack(end);
  ContactKinematics& contacts = contacts_[1 - first_];
  constexpr int kRepeats = 4;
  for (int i = 0; i < kRepeats; ++i) {
    eval_contact_kinematics(model_, at, contacts);
    const Drift drift = find_drift(contacts);
    if (i == 0) {
      drifted_ = std::max(drift.gap, drift.rate) > most_drift();
      drifts_ = drift.is_seen();
    }
    // The last stage was at the step's end, too; its dynamics differ by less than the step's error.
    project_onto_mode(mode_, contacts, dynamics_, at);
    constexpr double kNearGap = 1e-12;   // a turn by it changes the gap rate as much
    constexpr double kNearRates = 1e-9;  // of which the projection leaves a step's error
    if (drift.gap <= kNearGap && drift.rate <= kNearRates) break;
  }
  for (std::size_t i = 0; i < n_; ++i) {
    end[i] = at.q[static_cast<Eigen::Index>(i)];
    end[n_ + i] = at.v[static_cast<Eigen::Index>(i)];
  }
}

/// The drift off the closed contacts, in units of the motion's own.
ModeStep::Drift ModeStep::find_drift(const ContactKinematics& contacts) const {
  Drift out;
  for (const ClosedMode& mode : mode_.closed) {
    const int i = mode.contact;
    out.gap = std::max(out.gap, std::abs(contacts.gap[i]));
    out.rate = std::max(out.rate, std::abs(contacts.gap_rate[i]));
    if (mode.sticks()) out.rate = std::max(out.rate, std::abs(contacts.slip[i]));
  }
  return {out.gap / model_.length_scale, out.rate / (model_.length_scale * rate_scale_)};
}

/// Far more than a step's error: a jump of a surface's speed.
double ModeStep::most_drift() const {
  constexpr double kTimes = 1e4;  // the steps' error: far more than a step that is accepted drifts
  constexpr double kLeastDrift = 1e-6;  // of lengths and rates, also with loose steps
  return std::max(kLeastDrift, kTimes * options_.tolerance);
}

/// Limits the step: not far beyond the end or a change of formulas; exactly to it in natural time.
/// It also limits the turning, because gaps and slips change with the sines of angles while a
/// freely turning angle itself has no integration error.
double ModeStep::limit(double length) const {
  constexpr double kMostTurn = 0.5;  // of a body in a step [rad], by the turning at its start
  const Eigen::Map<const VecQ> q_rate(method_.slope().data(), model_.size());
  const Eigen::Map<const VecQ> v_rate(method_.slope().data() + n_, model_.size());
  const double turn = std::max(eval_turn_scale(model_, q_rate),
                               std::sqrt(rate() * eval_turn_scale(model_, v_rate)));
  if (turn * length > kMostTurn) length = kMostTurn / turn;
  const double left = last_ - time();
  if (forces_) return std::min({length, left, longest_, forces_->end() - time()});
  if (!mode_.stretched) return std::min({length, left, longest_});
  const double beyond = last_ < options_.until ? 1.0 : 2.0;
  return rate() > 0.0 ? std::min(length, std::min(beyond * left, longest_) / rate()) : length;
}

/// Ratio of the next step's length to this one's, from the last two errors (proportional-integral
/// control [Hairer1996] section IV.2), because a rejected step costs as much as an accepted one.
/// The powers 1/8 and 1/32 are computed as repeated square roots, which is faster than with a
/// logarithm.
double ModeStep::choose_growth(double error) {
  constexpr double kSafety = 0.9;  // of the length that meets the tolerance: few steps are rejected
  const double root = std::sqrt(std::sqrt(std::sqrt(last_fourth_root_ / error)));
  last_fourth_root_ = std::sqrt(std::sqrt(error));
  return std::clamp(kSafety * root, 0.3, 5.0);
}

/// The same for a rejected step. Beyond d = 0, or off the contacts, the error says nothing.
double ModeStep::choose_shrinkage(double error) const {
  if (crossed_ || drifted_) return 0.5;
  return std::isfinite(error) ? std::max(0.2, 0.9 * std::pow(error, -kOrderInverse)) : 0.1;
}

// --- scales ---

void ModeStep::set_rate_scale() {
  const Eigen::Map<const VecQ> v(method_.start().data() + n_, model_.size());
  const Eigen::Map<const VecQ> a(method_.slope().data() + n_, model_.size());
  // If a motion pauses, its past gives the scale.
  constexpr double kMemory = 1e-3;  // of the last step's rate: forgotten after a few steps
  rate_scale_ = std::max({eval_rate_scale(scale_, v, a), kMemory * rate_scale_, least_rate_});
}

/// The largest mass that a closed contact feels, at the last evaluation of the dynamics [kg].
double ModeStep::find_mass() const {
  double out = 0.0;
  for (Eigen::Index i = 0; dynamics_.regular && i < dynamics_.G.rows(); i += 2) {
    out = std::max(out, 1.0 / dynamics_.G(i, i));
  }
  return out;
}

double ModeStep::force_scale() const {
  return std::max({rate() * natural_force_scale(), find_largest_force(method_.slope()),
                   find_largest_force(method_.slope_at_end())});
}

bool ModeStep::has_unbounded_force() const {
  constexpr double kUnbounded = 1e4;  // times: no load does that while steps stay tiny
  const Eigen::Map<const VecQ> v(method_.start().data() + n_, model_.size());
  const double rate = eval_rate_scale(scale_, v);
  const double explained =
      std::max({weight_, first_force_, mass_ * model_.length_scale * rate * rate});
  return find_largest_force(method_.slope()) > kUnbounded * explained;
}

double ModeStep::natural_force_scale() const {
  return std::max(weight_, mass_ * model_.length_scale * rate_scale_ * rate_scale_);
}

/// The largest force among the impulse rates of a slope.
double ModeStep::find_largest_force(const Vector& slope) const {
  double out = 0.0;
  for (std::size_t i = 2 * n_ + 1; i < 2 * n_ + 1 + 2 * mode_.closed.size(); ++i) {
    out = std::max(out, std::abs(slope[i]));
  }
  return out;
}

/// True if contact forces may change while the motion does not show it. Loads that depend on time
/// change them at rest. Springs and other loads change them in uniform motion, for example of a
/// body that sticks to a belt and stretches a spring; with sliding friction the change would show
/// in the motion. A family's member bends where the load of wedged contacts passes through zero.
bool ModeStep::forces_change_alone() const {
  const bool loads = model_.depends_on_time || (model_.has_forces && !mode_.stretched);
  return loads || mode_.redundant;
}

/// Number of components under error control. It includes the impulses if forces may change alone,
/// and if they are computed from the motion in stretched time.
std::size_t ModeStep::controlled() const {
  const bool forces = mode_.stretched || forces_change_alone();
  return 2 * n_ + 1 + (forces ? 2 * mode_.closed.size() : 0);
}

/// The allowed error of each component.
ModeStep::Vector ModeStep::find_allowed_errors(double length) const {
  Vector out;
  const Vector& y = method_.start();
  const double tolerance = options_.tolerance;
  // In a step over many of the motion's own lengths, the distance determines the rounding.
  const auto eval_way = [&](std::size_t i) {
    constexpr double kOfWay = 0.01;  // of the way in the step
    return kOfWay * std::abs(length * method_.slope()[i]);
  };
  for (std::size_t i = 0; i < n_; ++i) {
    const double size = scale_[static_cast<Eigen::Index>(i)];
    out[i] = tolerance * std::max({size, std::abs(y[i]), eval_way(i)});
    out[n_ + i] = tolerance * std::max(size * rate_scale_, std::abs(y[n_ + i]));
  }
  out[2 * n_] = tolerance * std::max(1.0 / rate_scale_, eval_way(2 * n_));
  constexpr std::size_t kBlock = 4;
  std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(2 * n_ + 1),
              2 * mode_.closed.size() + kBlock - 1, find_allowed_impulse(length));
  return out;
}

/// The allowed error of an impulse; infinite if there is no force for comparison.
double ModeStep::find_allowed_impulse(double length) const {
  double out = std::numeric_limits<double>::infinity();
  const double over_run = std::max(weight_, largest_force_);
  if (forces_change_alone() && over_run > 0.0) {
    out = options_.tolerance * over_run / rate_scale_;
  }
  const double over_step =
      length * std::max(rate() * natural_force_scale(), find_largest_force(method_.slope()));
  constexpr double kForces = 1e-3;  // part of the forces in a step
  if (mode_.stretched && over_step > 0.0) out = std::min(out, kForces * over_step);
  return out;
}

}  // namespace slipstick
