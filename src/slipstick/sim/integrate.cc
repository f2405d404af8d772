#include "slipstick/sim/integrate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/model/scale.h"
#include "slipstick/sim/crossing.h"

namespace slipstick {
namespace {

using Method = DormandPrince<kMaxIntegrated>;
using Vector = Method::Vector;

class ModeIntegration {
 public:
  ModeIntegration(const Model& model, const Mode& mode, const ModeStart& start,
                  const SimulationOptions& options, const TellMinor& tell_minor, Pace& pace,
                  Run& run)
      : model_(model),
        mode_(mode),
        options_(options),
        tell_minor_(tell_minor),
        pace_(pace),
        run_(run),
        n_(static_cast<std::size_t>(model.size())),
        method_(2 * n_ + 1 + 2 * mode.closed.size()),
        scale_(make_coordinate_scale(model)),
        longest_(model.depends_on_time ? kPartOfRun * options.until
                                       : std::numeric_limits<double>::infinity()),
        last_(find_last_time(options.until)),
        guards_(list_guards(model, mode, start.opening)),
        forces_(start.forces),
        jam_(model, mode, options.tolerance) {}

  ModeEnd run(const State& start) {
    const auto field = [this](const Vector& y, Vector& slope) { eval(y, slope); };
    Vector y = pack(start);
    method_.start(y, field);
    start_minors();
    eval_contact_kinematics(model_, start, contacts_[first_]);
    weight_ = find_weight(start);
    if (options_.keep_trajectory) run_.trajectory.modes.push_back(mode_);
    least_rate_ = 1.0 / (options_.until - start.time);
    set_rate_scale(y);
    double length = std::pow(options_.tolerance, kOrderInverse) / rate_scale_;
    if (!std::isfinite(length)) length = options_.until - start.time;  // nothing moves
    bool first = true;
    while (true) {
      if (!regular_) return fail("the mass matrix or the contact equations are singular");
      length = limit(length);
      const double error = method_.step(length, controlled(), make_error_weights(), field);
      if (!(error <= 1.0)) {
        ++run_.counts.rejected;
        length *= std::isfinite(error) ? std::max(0.2, 0.9 * std::pow(error, -kOrderInverse)) : 0.1;
        if (!(length > kSmallestStep * (std::abs(time()) + 1.0 / rate_scale_))) {
          return fail("the step size fell to rounding");
        }
        regular_ = true;
        continue;
      }
      ++run_.counts.steps;
      finish_step(field);
      read_minors();
      list_doubts(first);
      make_interpolant(field);
      if (auto end = find_end(field)) return *end;
      keep(1.0);
      method_.go_on();
      largest_force_ = std::max(largest_force_, force_scale());
      first_ = 1 - first_;
      if (auto end = find_jam()) return *end;
      if (options_.keep_going && !options_.keep_going(time())) {
        return {ModeEndType::kInterrupted, unpack(method_.start()), {}, 0.0, false, {}};
      }
      if (!pace_.is_advancing(time(), rate_scale_)) return fail(Pace::kStands);
      set_rate_scale(method_.start());
      length *= choose_growth(std::max(error, 1e-10));
      length = leave_passage(length, field);
      first = false;
    }
  }

 private:
  static constexpr double kOrderInverse = 1.0 / 8.0;
  static constexpr double kSmallestStep = 1e-15;
  /// Longest step where forces or surfaces depend on time, so that nothing of theirs that lasts
  /// for a hundredth of the run is stepped over while all is at rest.
  static constexpr double kPartOfRun = 0.005;

  // --- the system ---

  [[nodiscard]] Vector pack(const State& state) const {
    Vector y{};
    for (std::size_t i = 0; i < n_; ++i) {
      y[i] = state.q[static_cast<Eigen::Index>(i)];
      y[n_ + i] = state.v[static_cast<Eigen::Index>(i)];
    }
    y[2 * n_] = state.time;
    return y;
  }
  [[nodiscard]] State unpack(const Vector& y) const {
    using Numbers = Eigen::Map<const VecQ>;
    return {y[2 * n_], Numbers(y.data(), model_.size()), Numbers(y.data() + n_, model_.size())};
  }

  void eval(const Vector& y, Vector& slope) {
    ++run_.counts.evaluations;
    const double time = y[2 * n_];
    eval_contact_dynamics(model_, {time, y.data(), y.data() + n_, model_.size()},
                          as_span(mode_.indices), dynamics_);
    double* acceleration = slope.data() + n_;
    double* impulse_rate = slope.data() + 2 * n_ + 1;
    ModePace pace;
    if (forces_) {
      write_forced_field(time, pace, acceleration, impulse_rate);
    } else {
      write_mode_field(mode_, dynamics_, pace, acceleration, impulse_rate);
    }
    if (!pace.regular) {
      regular_ = false;
      slope.fill(std::numeric_limits<double>::quiet_NaN());
      return;
    }
    for (std::size_t i = 0; i < n_; ++i) slope[i] = pace.rate * y[n_ + i];
    slope[2 * n_] = pace.rate;
  }

  // --- the start at d = 0 ---

  /// With the forces known and in natural time.
  void write_forced_field(double time, ModePace& pace, double* acceleration,
                          double* impulse_rate) const {
    pace.regular = dynamics_.regular;
    if (!pace.regular) return;
    const Vec2C forces = forces_->eval(time);
    Eigen::Map<Vec2C>(impulse_rate, forces.size()) = forces;
    Eigen::Map<VecQ>(acceleration, model_.size()) =
        dynamics_.free_acceleration + dynamics_.M_inverse_W * forces;
  }

  /// At the end of the forces' time goes on by the mode's own equations; returns the step's length,
  /// then in stretched time. What rounding may have left of the time is not worth a step.
  template <class F>
  double leave_passage(double length, F& field) {
    constexpr double kLeft = 1e-3;
    if (!forces_ || forces_->end() - time() >= kLeft * forces_->length) return length;
    forces_.reset();
    method_.start(Vector(method_.start()), field);
    return length / rate();
  }

  // --- steps ---

  [[nodiscard]] double time() const { return method_.start()[2 * n_]; }
  /// dt/d(tau) at the step's start.
  [[nodiscard]] double rate() const { return method_.slope()[2 * n_]; }

  /// Not far beyond the end; exactly to it in natural time.
  [[nodiscard]] double limit(double length) const {
    const double left = options_.until - time();
    if (forces_) return std::min({length, left, longest_, forces_->end() - time()});
    if (!mode_.stretched) return std::min({length, left, longest_});
    return rate() > 0.0 ? std::min(length, std::min(2.0 * left, longest_) / rate()) : length;
  }

  void set_rate_scale(const Vector& y) {
    const Eigen::Map<const VecQ> v(y.data() + n_, model_.size());
    const Eigen::Map<const VecQ> a(method_.slope().data() + n_, model_.size());
    // Where a motion comes to a stand for a moment its past says what is small.
    constexpr double kMemory = 1e-3;
    rate_scale_ = std::max({eval_rate_scale(scale_, v, a), kMemory * rate_scale_, least_rate_});
  }

  /// Components under error control: impulses too where forces change while nothing moves.
  [[nodiscard]] std::size_t controlled() const {
    const bool forces = std::isfinite(longest_) && std::max(weight_, largest_force_) > 0.0;
    return 2 * n_ + 1 + (forces ? 2 * mode_.closed.size() : 0);
  }

  /// What an error of each component is multiplied with to be compared with one.
  [[nodiscard]] Vector make_error_weights() const {
    Vector out;
    const Vector& y = method_.start();
    const double weight = 1.0 / options_.tolerance;
    for (std::size_t i = 0; i < n_; ++i) {
      const double size = scale_[static_cast<Eigen::Index>(i)];
      out[i] = weight / std::max(size, std::abs(y[i]));
      out[n_ + i] = weight / std::max(size * rate_scale_, std::abs(y[n_ + i]));
    }
    out[2 * n_] = weight * rate_scale_;
    const double force = std::max(weight_, largest_force_);
    constexpr std::size_t kBlock = 4;
    std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(2 * n_ + 1),
                2 * mode_.closed.size() + kBlock - 1, weight * rate_scale_ / force);
    return out;
  }

  /// Projects the step's end onto the closed contacts and evaluates the slope there.
  template <class F>
  void finish_step(F& field) {
    Vector& end = method_.end();
    State at = unpack(end);
    eval_contact_kinematics(model_, at, contacts_[1 - first_]);
    // The last stage was at the step's end, too: its dynamics differ by less than the step's error.
    project_onto_mode(mode_, contacts_[1 - first_], dynamics_, at);
    for (std::size_t i = 0; i < n_; ++i) {
      end[i] = at.q[static_cast<Eigen::Index>(i)];
      end[n_ + i] = at.v[static_cast<Eigen::Index>(i)];
    }
    method_.finish(field);
  }

  /// Three evaluations more: only where something may happen, or for the trajectory, which leaves
  /// the count of what the motion takes as it is.
  template <class F>
  void make_interpolant(F& field) {
    const bool decides = !doubts_.empty() || !minors_.empty();
    if (!decides && !options_.keep_trajectory) return;
    const long evaluations = run_.counts.evaluations;
    method_.write_interpolant(field, interpolant_);
    if (!decides) run_.counts.evaluations = evaluations;
  }

  void keep(double theta) {
    if (!options_.keep_trajectory) return;
    run_.trajectory.steps.push_back({interpolant_, theta, interpolant_.eval(2 * n_, 0.0),
                                     interpolant_.eval(2 * n_, theta),
                                     run_.trajectory.modes.size() - 1});
  }

  [[nodiscard]] ModeEnd fail(const std::string& detail) const {
    return {ModeEndType::kFailure, unpack(method_.start()), {}, 0.0, false, detail};
  }

  /// Next step's length over this one's, by the last two errors (proportional-integral control
  /// [Hairer1996] section IV.2): a rejected step costs as much as an accepted one.
  double choose_growth(double error) {
    constexpr double kSafety = 0.9;
    const double log_error = std::log2(error);  // one logarithm and one power for both
    const double log_growth = kOrderInverse * (0.2 * last_log_error_ - 0.9 * log_error);
    last_log_error_ = log_error;
    return std::clamp(kSafety * std::exp2(log_growth), 0.3, 5.0);
  }

  // --- guards ---

  /// At a state, without the interpolant's error.
  [[nodiscard]] double eval_guard(const Guard& guard, const State& state,
                                  const Vector& slope) const {
    if (guard.type == GuardType::kTime) return last_ - state.time;
    if (!is_of_forces(guard)) return eval_state_guard(model_, mode_, guard, state);
    const std::size_t i = 2 * n_ + 1 + 2 * guard.index;
    return eval_force_guard(mode_, guard, slope[i], slope[i + 1]);
  }

  /// On the interpolant; forces are the rates of its impulses.
  [[nodiscard]] double eval_guard(const Guard& guard, double theta) const {
    if (guard.type == GuardType::kTime) return last_ - interpolant_.eval(2 * n_, theta);
    if (guard.type == GuardType::kGap) {
      VecQ q(static_cast<Eigen::Index>(n_));
      interpolant_.eval_first(n_, theta, q.data());
      return eval_gap(model_, guard.contact, q);
    }
    if (!is_of_forces(guard)) {
      return eval_state_guard(model_, mode_, guard, eval_state(interpolant_, model_.size(), theta));
    }
    const std::size_t i = 2 * n_ + 1 + 2 * guard.index;
    return eval_force_guard(mode_, guard, interpolant_.eval_rate(i, theta),
                            interpolant_.eval_rate(i + 1, theta)) /
           method_.length();
  }

  [[nodiscard]] double find_noise(const Guard& guard) const {
    constexpr double kRounding = 1e-14;
    switch (guard.type) {
      case GuardType::kGap:
        return kRounding * model_.length_scale;
      case GuardType::kSlip:
        return kRounding * model_.length_scale * rate_scale_;
      case GuardType::kForce:
      case GuardType::kConePlus:
      case GuardType::kConeMinus:
        return kRounding * force_scale();
      default:
        return 0.0;
    }
  }

  /// Of the masses that the closed contacts feel [N].
  [[nodiscard]] double find_weight(const State& state) const {
    const ContactDynamics dynamics = eval_contact_dynamics(model_, state, as_span(mode_.indices));
    double out = 0.0;
    for (Eigen::Index i = 0; dynamics.regular && i < dynamics.G.rows(); i += 2) {
      out = std::max(out, model_.gravity.norm() / dynamics.G(i, i));
    }
    return out;
  }

  /// Largest of the contact forces at the step's ends and of the weight, times dt/d(tau) [N].
  [[nodiscard]] double force_scale() const {
    double out = rate() * weight_;
    for (std::size_t i = 2 * n_ + 1; i < 2 * n_ + 1 + 2 * mode_.closed.size(); ++i) {
      out = std::max({out, std::abs(method_.slope()[i]), std::abs(method_.slope_at_end()[i])});
    }
    return out;
  }

  /// What a guard does over a step.
  enum class Course {
    kClear,  ///< it does not fall to zero
    kFalls,  ///< from above zero to below, all the way
    kUnknown,
  };

  /// As far as it is plain from a few values, as it is for most guards in most steps. Where the
  /// method's error is small, a guard differs from the curves below by a few hundredths of its
  /// change at most; many times that is asked for.
  [[nodiscard]] Course find_course(const Guard& guard) const {
    const auto clear_if = [](bool clear) { return clear ? Course::kClear : Course::kUnknown; };
    switch (guard.type) {
      case GuardType::kTime:  // rises all the way
        return clear_if(last_ > method_.end()[2 * n_]);
      case GuardType::kActive:
        return clear_if(eval_is_active(model_, guard.contact, unpack(method_.end())));
      case GuardType::kSlack:
        return Course::kUnknown;
      case GuardType::kGap:
      case GuardType::kSlip:
        return find_course_by_slopes(guard);
      default:
        break;
    }
    const std::size_t i = 2 * n_ + 1 + 2 * guard.index;
    const auto eval = [&](const Vector& slope) {
      return eval_force_guard(mode_, guard, slope[i], slope[i + 1]);
    };
    const auto [low, high] =
        std::minmax({eval(method_.slope()), eval(method_.slope_at_third()),
                     eval(method_.slope_at_three_fifths()), eval(method_.slope_at_end())});
    return clear_if(low > 0.5 * (high - low));
  }

  /// By the cubic through values and slopes at the ends: it stays within the hull of its four
  /// control values, and its slope within that of their differences.
  [[nodiscard]] Course find_course_by_slopes(const Guard& guard) const {
    const auto [g0, s0] = eval_with_slope(guard, contacts_[first_], method_.slope());
    const auto [g1, s1] = eval_with_slope(guard, contacts_[1 - first_], method_.slope_at_end());
    const double rise_0 = method_.length() / 3.0 * s0;
    const double rise_1 = method_.length() / 3.0 * s1;
    const auto [low, high] = std::minmax({g0, g0 + rise_0, g1 - rise_1, g1});
    const auto [least, most] = std::minmax({rise_0, g1 - g0 - rise_0 - rise_1, rise_1});
    const double margin = 0.1 * (high - low);
    if (std::max(low, -high) > margin || least > margin) return Course::kClear;
    constexpr double kResolved = 1e3;  // times rounding
    const bool falls =
        g0 > 0.0 && g1 < 0.0 && -most > margin && margin > kResolved * find_noise(guard);
    return falls ? Course::kFalls : Course::kUnknown;
  }

  /// Value and d(value)/d(tau) of a guard on positions or velocities.
  [[nodiscard]] std::pair<double, double> eval_with_slope(const Guard& guard,
                                                          const ContactKinematics& contacts,
                                                          const Vector& slope) const {
    const int c = guard.contact;
    const double rate = slope[2 * n_];
    if (guard.type == GuardType::kGap) return {contacts.gap[c], rate * contacts.gap_rate[c]};
    const double sign = mode_.closed[guard.index].slip_sign;
    double acceleration = rate * contacts.bias_t[c];
    for (std::size_t i = 0; i < n_; ++i) {
      acceleration += contacts.W_t(static_cast<Eigen::Index>(i), c) * slope[n_ + i];
    }
    return {sign * contacts.slip[c], sign * acceleration};
  }

  /// A guard that may fall to zero within the step.
  struct Doubt {
    const Guard* guard;
    int zero_at_start;
    bool falls;  ///< all the way
  };

  void list_doubts(bool first) {
    doubts_.clear();
    for (const Guard& guard : guards_) {
      const int zero = first ? guard.zero_at_start : 0;
      const Course course = zero == 0 ? find_course(guard) : Course::kUnknown;
      if (course != Course::kClear) doubts_.push_back({&guard, zero, course == Course::kFalls});
    }
  }

  [[nodiscard]] std::optional<double> find_crossing(const Doubt& doubt) const {
    const Guard& guard = *doubt.guard;
    const int zero = doubt.zero_at_start;
    if (guard.type == GuardType::kActive) return find_deactivation(guard);
    const auto eval = [&](double theta) { return eval_guard(guard, theta); };
    if (doubt.falls) {
      const auto theta = find_crossing_of_fall(eval);
      const bool counts = theta && (guard.type != GuardType::kGap || is_active_from(guard, *theta));
      return counts ? theta : std::nullopt;
    }
    const double noise = find_noise(guard);
    if (zero == 0 && has_slipped_in(guard)) return 0.0;
    auto theta = find_first_crossing({eval, zero, true, noise});
    // Crossings of a contact that is not active are none; the next one may be.
    while (theta && guard.type == GuardType::kGap && !is_active_from(guard, *theta)) {
      const double from = *theta;
      const auto rest = [&](double u) { return eval(from + u * (1.0 - from)); };
      theta = from < 1.0 ? find_first_crossing({rest, 1, false, noise}) : std::nullopt;
      if (theta) theta = from + *theta * (1.0 - from);
    }
    return theta;
  }

  /// A contact that rounding has put below its surface, and that goes on falling.
  [[nodiscard]] bool has_slipped_in(const Guard& guard) const {
    if (guard.type != GuardType::kGap) return false;
    constexpr double kDepth = 1e-9;
    const double gap = contacts_[first_].gap[guard.contact];
    return gap < 0.0 && gap > -kDepth * model_.length_scale &&
           contacts_[first_].gap_rate[guard.contact] < 0.0 &&
           eval_is_active(model_, guard.contact, unpack(method_.start()));
  }

  /// Also if it becomes active there: an active contact does not fall below its surface.
  [[nodiscard]] bool is_active_from(const Guard& guard, double theta) const {
    constexpr double kAfter = 1e-7;
    return is_active_at(guard, theta) || is_active_at(guard, std::min(1.0, theta + kAfter));
  }

  [[nodiscard]] bool is_active_at(const Guard& guard, double theta) const {
    return eval_is_active(model_, guard.contact, eval_state(interpolant_, model_.size(), theta));
  }

  /// Where a contact that is not active at the step's end ceased to be, by halving: a condition
  /// has no slope. One that fails and holds again within a step is not seen.
  [[nodiscard]] double find_deactivation(const Guard& guard) const {
    double low = 0.0;
    double high = 1.0;
    while (std::nextafter(low, high) < high) {
      const double middle = 0.5 * (low + high);
      (is_active_at(guard, middle) ? low : high) = middle;
    }
    return high;
  }

  /// What ends the mode within the step.
  template <class F>
  std::optional<ModeEnd> find_end(F& field) {
    const std::vector<FoundChange> changes = find_minor_changes(field);
    auto event = find_event(field);
    if (auto end = tell_minor_changes(changes, event)) return end;
    return event;
  }

  template <class F>
  std::optional<ModeEnd> find_event(F& field) {
    std::vector<std::pair<double, const Guard*>> hits;
    double earliest = std::numeric_limits<double>::infinity();
    for (const Doubt& doubt : doubts_) {
      if (const auto theta = find_crossing(doubt)) {
        hits.emplace_back(*theta, doubt.guard);
        earliest = std::min(earliest, *theta);
      }
    }
    if (hits.empty()) return std::nullopt;
    const double together = kTogether / (rate_scale_ * method_.length());
    ModeEnd out{ModeEndType::kTime, {}, {}, 0.0, false, {}};
    const Guard* sharpest = nullptr;
    bool at_end = false;
    for (const auto& [theta, guard] : hits) {
      if (theta > earliest + together) continue;
      const bool is_time = guard->type == GuardType::kTime;
      at_end |= is_time;
      if (!is_time) out.type = ModeEndType::kGuards;
      out.guards.push_back(*guard);
      if (theta == earliest) sharpest = guard;
    }
    keep(earliest);
    out.state = locate(*sharpest, earliest, field);
    if (at_end) out.state.time = options_.until;
    if (options_.keep_trajectory) run_.trajectory.steps.back().to = out.state.time;
    return out;
  }

  /// The state at the event: a step of its own to where the interpolant puts it, then Newton's
  /// correction for the interpolant's error.
  template <class F>
  State locate(const Guard& guard, double theta, F& field) {
    const double whole = method_.length();
    constexpr double kStep = 1e-4;
    const double low = std::max(0.0, theta - kStep);
    const double high = std::min(1.0, theta + kStep);
    const double slope =
        (eval_guard(guard, high) - eval_guard(guard, low)) / ((high - low) * whole);
    // A gap that only touches zero has no slope to divide by.
    constexpr double kFlat = 1e3;  // times rounding, over the step
    const bool touches =
        guard.type == GuardType::kGap && std::abs(slope) * whole <= kFlat * find_noise(guard);
    const bool is_smooth =
        !touches && guard.type != GuardType::kActive && guard.type != GuardType::kSlack;
    double length = theta * whole;
    double correction = 0.0;
    constexpr int kRepeats = 6;
    constexpr double kLinear = 1e-6;   // of the step: small enough for one last linear correction
    constexpr double kLargest = 1e-2;  // beyond it the root is double
    for (int i = 0; i < kRepeats; ++i) {
      method_.step(length, controlled(), make_error_weights(), field);
      finish_step(field);
      const double value = eval_guard(guard, unpack(method_.end()), method_.slope_at_end());
      correction = is_smooth ? -value / slope : 0.0;
      if (!(std::abs(correction) <= kLargest * whole)) correction = 0.0;
      if (std::abs(correction) <= kLinear * whole) break;
      length = std::max(0.0, length + correction);
      correction = 0.0;
    }
    correction = std::max(correction, -length);  // not before the step
    Vector y = method_.end();
    for (std::size_t i = 0; i <= 2 * n_; ++i) y[i] += correction * method_.slope_at_end()[i];
    State out = unpack(y);
    project_onto_mode(model_, mode_, out);
    return out;
  }

  // --- minors of P ---

  struct FoundChange {
    double theta = 0.0;
    MinorChange change;
  };

  void start_minors() {
    minors_ = list_minors(mode_, dynamics_);
    minors_at_start_.resize(minors_.size());
    minors_at_end_.resize(minors_.size());
    read_minors();
    minors_at_start_ = minors_at_end_;
  }

  /// At the end of the step, where the dynamics have just been evaluated.
  void read_minors() {
    for (std::size_t i = 0; i < minors_.size(); ++i) {
      minors_at_end_[i] = eval_minor(mode_, dynamics_, minors_[i].subset);
    }
  }

  /// Changes of sign within the step, in order of time; the step stays as it is.
  template <class F>
  std::vector<FoundChange> find_minor_changes(F& field) {
    if (minors_.empty()) return {};
    std::vector<FoundChange> out;
    const State middle = eval_state(interpolant_, model_.size(), 0.5);
    eval_contact_dynamics(model_, middle, as_span(mode_.indices), dynamics_);
    for (std::size_t i = 0; i < minors_.size(); ++i) {
      Guard& minor = minors_[i];
      const double end = minors_at_end_[i];
      const double start = std::exchange(minors_at_start_[i], end);
      const auto [low, high] =
          std::minmax({start, eval_minor(mode_, dynamics_, minor.subset), end});
      // By the parabola through three points, as for forces.
      if (std::max(low, -high) > 0.5 * (high - low)) continue;
      if (minor.sign != 0.0) {
        add_minor_changes(minor, out);
      } else {
        minor.sign = std::copysign(1.0, end);
      }
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const FoundChange& a, const FoundChange& b) { return a.theta < b.theta; });
    for (FoundChange& found : out) locate_change(found, field);
    return out;
  }

  /// Finds a minor's changes of sign one after the other; its sign is then that at the end.
  void add_minor_changes(Guard& minor, std::vector<FoundChange>& found) const {
    constexpr double kRounding = 1e-14;
    constexpr double kPast = 1e-6;
    double from = 0.0;
    bool starts_at_zero = false;
    while (from < 1.0) {
      const auto rest = [&](double u) { return eval_guard(minor, from + u * (1.0 - from)); };
      const auto u = find_first_crossing({rest, starts_at_zero ? 1 : 0, true, kRounding});
      if (!u) return;
      from += *u * (1.0 - from);
      const double past = std::min(1.0, from + kPast);
      starts_at_zero = eval_guard(minor, past) < 0.0;
      if (starts_at_zero) {
        found.push_back({from, {{}, minor}});
        minor.sign = -minor.sign;
      } else {
        from = past;  // it only touched zero
      }
    }
  }

  template <class F>
  void locate_change(FoundChange& found, F& field) {
    const Method step = method_;
    const ContactKinematics at_end = contacts_[1 - first_];
    MinorChange& change = found.change;
    change.state = locate(change.guard, found.theta, field);
    change.guard.sign = -change.guard.sign;
    method_ = step;
    contacts_[1 - first_] = at_end;
  }

  /// Those before the event that ends the step, if one does. Gives an end if one was the last.
  std::optional<ModeEnd> tell_minor_changes(const std::vector<FoundChange>& changes,
                                            const std::optional<ModeEnd>& event) {
    for (const auto& [theta, change] : changes) {
      if (event && change.state.time >= event->state.time) break;
      if (tell_minor_(change)) continue;
      if (event && options_.keep_trajectory) run_.trajectory.steps.pop_back();
      keep(theta);
      if (options_.keep_trajectory) run_.trajectory.steps.back().to = change.state.time;
      return ModeEnd{ModeEndType::kMinor, change.state, {change.guard}, 0.0, false, {}};
    }
    return std::nullopt;
  }

  // --- jam ---

  std::optional<ModeEnd> find_jam() {
    if (!jam_.is_due(rate())) return std::nullopt;
    run_.counts.evaluations += kJamEvaluations;
    const auto end = jam_.look(unpack(method_.start()), rate(), rate_scale_);
    if (!end) return std::nullopt;
    switch (end->type) {
      case JamEndType::kJam:
        return ModeEnd{ModeEndType::kJam, end->state, {}, end->exponent, end->marginal, {}};
      case JamEndType::kPassage:
        return ModeEnd{ModeEndType::kPassage, end->state, {}, 0.0, end->marginal, {}};
      case JamEndType::kSeparation:
        return ModeEnd{ModeEndType::kSeparation, end->state, {}, 0.0, false, {}};
      case JamEndType::kSlipEnds:
        return stop_slip(end->state);
      case JamEndType::kUnknown:
        break;
    }
    return fail("sliding approaches p = 0 with no limit");
  }

  /// Slip that ends so shortly before the limit that doubles cannot tell the two times apart: the
  /// state is on the way there, and all that changes is the velocities, with the impulse left.
  [[nodiscard]] ModeEnd stop_slip(const State& limit) const {
    const State start = unpack(method_.start());
    ModeEnd out{ModeEndType::kGuards, limit, {}, 0.0, false, {}};
    double part = 1.0;
    for (const Guard& guard : guards_) {
      if (guard.type != GuardType::kSlip) continue;
      const double before = eval_state_guard(model_, mode_, guard, start);
      const double after = eval_state_guard(model_, mode_, guard, limit);
      if (!(after < 0.0)) continue;
      const double ends = std::max(0.0, before / (before - after));
      if (ends < part) out.guards.clear();
      if (ends <= part) out.guards.push_back(guard);
      part = std::min(part, ends);
    }
    out.state.time = start.time + part * (limit.time - start.time);
    out.state.q = start.q + part * (limit.q - start.q);
    out.state.v = start.v + part * (limit.v - start.v);
    return out;
  }

  const Model& model_;
  const Mode& mode_;
  const SimulationOptions& options_;
  const TellMinor& tell_minor_;
  Pace& pace_;
  Run& run_;
  std::size_t n_;
  Method method_;
  VecQ scale_;
  double longest_;  ///< step [s]
  double last_;     ///< from here on it is the end [s]
  std::vector<Guard> guards_;
  std::vector<Doubt> doubts_;
  std::vector<Guard> minors_;
  std::vector<double> minors_at_start_, minors_at_end_;  ///< of the step, without their signs
  std::optional<SmoothForces> forces_;                   ///< while the motion leaves d = 0
  Interpolant interpolant_;                              ///< of the step
  ContactDynamics dynamics_;                             ///< of the last evaluation
  /// At the ends of the step; the one at its start is number `first_`.
  std::array<ContactKinematics, 2> contacts_;
  std::size_t first_ = 0;
  double rate_scale_ = 0.0, least_rate_ = 0.0;  ///< [1/s]
  double weight_ = 0.0, largest_force_ = 0.0;   ///< [N]
  double last_log_error_ = 0.0;                 ///< to the base 2
  bool regular_ = true;
  JamWatch jam_;
};

}  // namespace

ModeEnd integrate_mode(const Model& model, const Mode& mode, const ModeStart& start,
                       const SimulationOptions& options, const TellMinor& tell_minor, Pace& pace,
                       Run& run) {
  return ModeIntegration(model, mode, start, options, tell_minor, pace, run).run(start.state);
}

}  // namespace slipstick
