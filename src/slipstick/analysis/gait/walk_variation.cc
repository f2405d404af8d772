#include "slipstick/analysis/gait/walk_variation.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "slipstick/core/differentiate.h"
#include "slipstick/core/scales.h"
#include "slipstick/sim/events/guards.h"
#include "slipstick/sim/hybrid/impacts.h"
#include "slipstick/sim/mode/dormand_prince.h"
#include "slipstick/sim/mode/mode_variation.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {
namespace {

/// The mode that an event ended, and the rate of the guard that fired along any variation.
class EndedMode {
 public:
  EndedMode(const Model& model, const Mode& mode, const State& state)
      : model_(model), state_(state), varied_(model, mode, state) {}

  [[nodiscard]] Variation flow() const { return varied_.flow(); }

  /// False at a touch, where the rate is zero, and for a guard that is not a smooth function.
  [[nodiscard]] static bool has_rate(const Guard& guard) {
    switch (guard.type) {
      case GuardType::kGap:
      case GuardType::kSlip:
      case GuardType::kForce:
      case GuardType::kConePlus:
      case GuardType::kConeMinus:
        return true;
      default:
        return false;
    }
  }
  [[nodiscard]] double eval_rate(const Guard& guard, const Variation& variation) const {
    if (guard.type == GuardType::kGap || guard.type == GuardType::kSlip) {
      const KinematicVariation rates = eval_kinematic_variation(model_, state_, variation);
      return (guard.type == GuardType::kGap ? rates.gap : rates.slip)[guard.contact];
    }
    // The guard is linear in the forces: f_n, or mu_s f_n -+ f_t.
    const Vec2C force = varied_.vary(variation).force;
    const auto row = static_cast<Eigen::Index>(2 * guard.index);
    if (guard.type == GuardType::kForce) return force[row];
    const double mu_s = model_.contacts[static_cast<std::size_t>(guard.contact)].mu_s;
    const double side = guard.type == GuardType::kConePlus ? 1.0 : -1.0;
    return mu_s * force[row] - side * force[row + 1];
  }

 private:
  const Model& model_;
  const State& state_;
  VariedMode varied_;
};

/// The jump of the rates at an inelastic impact as equations that can be varied: M [v] = W F x,
/// with zero gap rate where an impulse acts, and zero slip where the contact also sticks.
class ImpactVariation {
 public:
  ImpactVariation(const Model& model, const State& before, const ImpactRecord& impact)
      : model_(model), before_(before), after_(before), impact_(impact) {
    after_.v = impact.v_plus;
    for (int i = 0; i < model.contact_count(); ++i) {
      if (impact.impulse_n[i] != 0.0) add_contact(i);
    }
    impulses_.resize(2 * static_cast<Eigen::Index>(mode_.indices.size()));
    for (std::size_t i = 0; i < mode_.indices.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(2 * i);
      impulses_[row] = impact.impulse_n[mode_.indices[i]];
      impulses_[row + 1] = impact.impulse_t[mode_.indices[i]];
    }
    equations_ =
        make_mode_equations(mode_, eval_contact_dynamics(model, before, as_span(mode_.indices)));
    system_ = HeldSystem(eval_dynamics(model, before), as_span(mode_.indices), equations_);
  }

  /// False if a contact rebounds, or if its slip changes direction in the impact.
  [[nodiscard]] bool applies() const { return applies_; }
  [[nodiscard]] const State& after() const { return after_; }

  [[nodiscard]] Variation vary(const Variation& variation) const {
    const VecQ jump = impact_.v_plus - impact_.v_minus;
    const VecQ rates = eval_jump_variation(model_, before_,
                                           {as_span(mode_.indices), jump, impulses_}, variation.q);
    // M u - W F dx = -rates, for the change u of the jump. What is held at zero after the impact
    // stays zero.
    const KinematicVariation contacts = eval_kinematic_variation(model_, after_, variation);
    Vec2C right(static_cast<Eigen::Index>(equations_.rows.size()));
    for (std::size_t i = 0; i < equations_.rows.size(); ++i) {
      const int row = equations_.rows[i];
      const int contact = mode_.indices[static_cast<std::size_t>(row / 2)];
      right[static_cast<Eigen::Index>(i)] =
          -(row % 2 == 0 ? contacts.gap_rate : contacts.slip)[contact];
    }
    return {variation.q, variation.v + system_.solve(-rates, right).rates};
  }

 private:
  /// A contact with an impulse. Its impulses obey the equations of its last mode.
  void add_contact(int contact) {
    const Contact& c = model_.contacts[static_cast<std::size_t>(contact)];
    ClosedMode mode;
    mode.contact = contact;
    mode.bilateral = c.bilateral;
    mode.force_sign = impact_.impulse_n[contact] > 0.0 ? 1.0 : -1.0;
    mode.mu = mode.mu_s = c.mu;
    mode.has_friction = c.mu > 0.0;
    const auto mode_in = [&](const ModeWord& phase) {
      return phase[static_cast<std::size_t>(contact)];
    };
    const ContactMode last = mode_in(impact_.phases.back());
    if (!is_closed(last)) applies_ = false;
    if (is_sliding(last)) {
      mode.mode = last;
      mode.slip_sign = eval_slip_sign(last);
      // If friction acted in another way in an earlier phase, it is not proportional to the whole
      // impulse.
      applies_ &= !mode.has_friction ||
                  std::all_of(impact_.phases.begin(), impact_.phases.end(),
                              [&](const ModeWord& phase) { return mode_in(phase) == last; });
    }
    mode_.closed.push_back(mode);
    mode_.indices.push_back(contact);
  }

  const Model& model_;
  const State& before_;
  State after_;
  const ImpactRecord& impact_;
  Mode mode_;
  Vec2C impulses_;
  ModeEquations equations_;
  HeldSystem system_;
  bool applies_ = true;
};

/// The jump at a collision under any law. Only its values are known, as of a formula of the model
/// file, and it is differentiated numerically like one.
class CollisionVariation {
 public:
  CollisionVariation(const Model& model, const State& before, const Event& event)
      : model_(model), before_(before), event_(event), contacts_(model.contacts.size()) {
    for (int i = 0; i < model.contact_count(); ++i) {
      const ContactMode mode = event.modes_before[static_cast<std::size_t>(i)];
      if (is_closed(mode)) contacts_.close(model, i, eval_slip_sign(mode));
    }
    const auto effect = solve(before);
    const VecQ& v_plus = event.impact->v_plus;
    if (!effect || !((effect->state.v - v_plus).norm() <= kSameVelocity * v_plus.norm())) return;
    word_ = effect->contacts.make_word();
  }

  /// Nothing at a border between two outcomes of the law.
  [[nodiscard]] std::optional<Variation> vary(const Variation& variation) const {
    const double size =
        std::max(variation.q.cwiseAbs().maxCoeff(), variation.v.cwiseAbs().maxCoeff());
    if (!(size > 0.0)) return variation;
    constexpr double kFirstStep = 0.01;  // [m, rad, m/s, rad/s]
    constexpr double kLastStep = 1e-5;   // the same; below it differences are noise
    for (double step = kFirstStep; step > kLastStep; step *= 0.25) {
      if (!eval(variation, step / size) || !eval(variation, -step / size)) continue;
      Variation out{variation.q, VecQ(model_.size())};
      for (int i = 0; i < model_.size(); ++i) {
        const auto component = [&](double s) { return eval(variation, s).value_or(before_.v)[i]; };
        out.v[i] = find_derivative(component, 0.0, step / size);
      }
      return out;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::optional<ImpactEffect> solve(const State& state) const {
    auto effects = find_collisions({model_, state, contacts_, {}, {}}, event_.contacts);
    return effects.empty() ? std::nullopt : std::optional(std::move(effects.front()));
  }
  /// The rates after the impact from a changed state; nothing if the impact ends in other modes.
  [[nodiscard]] std::optional<VecQ> eval(const Variation& variation, double s) const {
    State state = before_;
    state.q += s * variation.q;
    state.v += s * variation.v;
    const auto effect = solve(state);
    if (!effect || effect->contacts.make_word() != word_) return std::nullopt;
    return effect->state.v;
  }

  const Model& model_;
  const State& before_;
  const Event& event_;
  ContactSet contacts_;
  std::optional<ModeWord> word_;  ///< of the contacts after the impact
};

std::string describe(const Event& event) {
  return fmt::format("the event '{}' at {:.6g} s", find_word(kEventTypes, event.type), event.time);
}

void add(Variation& to, double factor, const Variation& other) {
  to.q += factor * other.q;
  to.v += factor * other.v;
}

class WalkFollower {
 public:
  WalkFollower(const Model& model, const Walk& walk, std::vector<Variation> start)
      : model_(model),
        run_(walk.run),
        columns_(std::move(start)),
        integrator_(1 + 2 * static_cast<std::size_t>(model.size()) * columns_.size()) {}

  VariedWalk follow() {
    const auto& steps = run_.trajectory->segments;
    if (steps.empty())
      return {std::move(columns_), {WhyCode::kNoDerivative, "a step without motion"}};
    skip_events_before(0.5 * (steps.front().from + steps.front().to));
    pass_start(eval(steps.front(), 0.0));
    for (std::size_t i = 0; i < steps.size() && !why_; ++i) {
      integrate(steps[i]);
      const bool last = i + 1 == steps.size();
      if (!last && steps[i + 1].mode == steps[i].mode) continue;
      pass_events(steps[i], last ? nullptr : &steps[i + 1]);
    }
    return {std::move(columns_), std::move(why_)};
  }

 private:
  static constexpr std::size_t kMost = 4 + 4 * kMaxCoordinates * kMaxCoordinates;
  using Integrator = DormandPrince<kMost>;

  [[nodiscard]] State eval(const Segment& step, double theta) const {
    return eval_state(step.polynomial, model_.size(), theta);
  }
  [[nodiscard]] const Mode& mode_of(const Segment& step) const {
    return run_.trajectory->modes[step.mode];
  }

  /// Integrates the variational equation with one step per step of the motion, whose length the
  /// error control of the motion has set. y holds theta, then the columns.
  void integrate(const Segment& step) {
    const auto n = static_cast<std::size_t>(model_.size());
    const auto slope = [&](const Integrator::Vector& y, Integrator::Vector& out) {
      const State state = eval(step, y[0]);
      const double pace = step.polynomial.eval_rate(2 * n, y[0]);  // dt/d(theta)
      const VariedMode mode(model_, mode_of(step), state);
      out[0] = 1.0;
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        const Variation variation = read(y, c);
        const VecQ acceleration = mode.vary(variation).acceleration;
        write(pace * variation.v, pace * acceleration, c, out);
      }
    };
    y_[0] = 0.0;
    for (std::size_t c = 0; c < columns_.size(); ++c) write(columns_[c].q, columns_[c].v, c, y_);
    integrator_.start(y_, slope);
    integrator_.step(step.theta_end, 0, any_error_, slope);
    for (std::size_t c = 0; c < columns_.size(); ++c) columns_[c] = read(integrator_.end(), c);
  }
  [[nodiscard]] Variation read(const Integrator::Vector& y, std::size_t column) const {
    const auto n = static_cast<std::size_t>(model_.size());
    using Values = Eigen::Map<const Eigen::VectorXd>;
    const double* at = y.data() + 1 + 2 * n * column;
    return {Values(at, model_.size()), Values(at + n, model_.size())};
  }
  void write(const VecQ& q, const VecQ& v, std::size_t column, Integrator::Vector& y) const {
    const auto n = static_cast<std::size_t>(model_.size());
    std::copy_n(q.data(), n, y.data() + 1 + 2 * n * column);
    std::copy_n(v.data(), n, y.data() + 1 + 2 * n * column + n);
  }

  void skip_events_before(double time) {
    while (next_event_ < run_.events.size() && run_.events[next_event_].time < time) ++next_event_;
  }

  /// At the start no guard has to be reached first: where a slipping foot finds no contact force,
  /// an impact without collision happens at once, also from a slightly changed state.
  void pass_start(State state) {
    for (std::size_t i = 0; i < next_event_; ++i) {
      const Event& event = run_.events[i];
      if (!event.impact) continue;
      state.v = event.impact->v_minus;
      jump(event, state);
    }
  }

  /// The events between two modes; `next` is nothing at the end of the step.
  void pass_events(const Segment& step, const Segment* next) {
    const std::size_t first = next_event_;
    if (next == nullptr) {
      next_event_ = run_.events.size();
    } else {
      skip_events_before(0.5 * (next->from + next->to));
    }
    const State before = eval(step, step.theta_end);
    const auto events = std::span(run_.events).subspan(first, next_event_ - first);
    const Guard* guard = find_guard(events);
    if (guard == nullptr) {
      refuse(events.empty() ? "a change of mode without an event" : describe(events[0]));
      return;
    }
    const EndedMode ended(model_, mode_of(step), before);
    const Variation flow = ended.flow();
    const double rate = ended.eval_rate(*guard, flow);
    // The delay of the event for each variation.
    std::vector<double> delays;
    for (Variation& column : columns_) {
      delays.push_back(-ended.eval_rate(*guard, column) / rate);
      add(column, delays.back(), flow);
    }
    State after = before;
    for (std::size_t i = first; i < next_event_; ++i) jump(run_.events[i], after);
    if (next == nullptr || why_) return;
    const State start = eval(*next, 0.0);
    const VariedMode mode(model_, mode_of(*next), start);
    for (std::size_t c = 0; c < columns_.size(); ++c) add(columns_[c], -delays[c], mode.flow());
  }

  /// The guard that ended the mode; nothing if its rate is not known.
  [[nodiscard]] static const Guard* find_guard(std::span<const Event> events) {
    for (const Event& event : events) {
      const auto found =
          std::find_if(event.guards.begin(), event.guards.end(), EndedMode::has_rate);
      if (found != event.guards.end()) return &*found;
    }
    return nullptr;
  }

  /// Records that there is no derivative across this.
  void refuse(std::string what) { why_ = {WhyCode::kNoDerivative, std::move(what)}; }

  void jump(const Event& event, State& state) {
    switch (event.type) {
      case EventType::kImpact:
      case EventType::kTangentialImpact:
        break;
      case EventType::kInconsistent:
      case EventType::kLiftoff:
      case EventType::kStick:
      case EventType::kSlip:
      case EventType::kSlipReversal:
      case EventType::kParadox:
        return;
      default:
        refuse(describe(event));
        return;
    }
    const ImpactVariation impact(model_, state, *event.impact);
    if (impact.applies()) {
      for (Variation& column : columns_) column = impact.vary(column);
    } else if (event.type == EventType::kImpact) {
      const CollisionVariation collision(model_, state, event);
      for (Variation& column : columns_) {
        const auto varied = collision.vary(column);
        if (!varied) refuse(describe(event) + " between two outcomes of its law");
        column = varied.value_or(column);
      }
    } else {
      refuse(describe(event) + " with a rebound");
    }
    if (why_) return;
    state = impact.after();
    if (event.type != EventType::kImpact) return;
    if (const Relabel* relabel = find_relabel(model_, event.contacts)) {
      for (Variation& column : columns_) {
        column = make_relabelled(model_, *relabel, state, column);
      }
      state = make_relabelled(model_, *relabel, state);
    }
  }

  const Model& model_;
  const Run& run_;
  std::vector<Variation> columns_;
  Integrator integrator_;
  Integrator::Vector y_{};
  Integrator::Vector any_error_ = [] {
    Integrator::Vector out;
    out.fill(1.0);
    return out;
  }();
  std::size_t next_event_ = 0;
  Why why_;
};

}  // namespace

VariedWalk vary_walk(const Model& model, const Walk& walk, std::vector<Variation> start) {
  return WalkFollower(model, walk, std::move(start)).follow();
}

}  // namespace slipstick
