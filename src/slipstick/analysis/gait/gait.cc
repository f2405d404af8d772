#include "slipstick/gait.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/analysis/gait/return_map.h"
#include "slipstick/analysis/gait/section.h"
#include "slipstick/analysis/gait/walk_variation.h"
#include "slipstick/core/scales.h"
#include "slipstick/mode_letters.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {
namespace {

/// The motion over one period from a state on the section.
struct Period {
  State start;
  Walk walk;
  [[nodiscard]] bool complete() const { return walk.complete; }
  [[nodiscard]] const State& end() const { return walk.run.state; }
  [[nodiscard]] const SectionShape& shape() const { return walk.shape; }
};

class OrbitFinder {
 public:
  OrbitFinder(const Model& model, const GaitOptions& options) : model_(model), options_(options) {}

  OrbitSearch find(const State& guess) {
    Period period = follow_on(guess);
    if (!period.complete()) return explain(guess);
    rate_ = find_section_rate(model_, period.end());
    // The guess's first step may end in another mode than a step of the gait nearby.
    if (const SectionShape own = find_shape(model_, guess); own != period.shape()) {
      fixed_shape_ = own;
      auto found = solve(follow(guess), kShortestPart);
      fixed_shape_.reset();
      if (found) return finish(std::move(*found));
    }
    period = start_on_section(std::move(period));
    constexpr int kMostRounds = 200;
    for (int i = 0; i < kMostRounds; ++i) {
      if (!period.complete()) return explain(guess);
      if (eval_distance(period) <= kConverged) return finish(std::move(period));
      const bool is_close = eval_distance(period) <= kNoBetter;
      auto next = make_newton_step(period, is_close ? 1.0 : kShortestPart);
      if (!next) {
        if (is_close) return finish(std::move(period));
        next = follow_on(period.end());
      }
      period = std::move(*next);
    }
    return explain(guess);
  }

  ReturnEvaluation eval(const Section& section, const State& state) {
    const Period period = follow(state);
    if (!period.complete())
      return {{}, {}, {}, explain_failure(model_, period.walk.run, period.walk.duration())};
    if (!find_derivative(period, section)) return {{}, {}, {}, why_};
    return {period.end(), tangents_, derivative_, {}};
  }

  OrbitSearch refine(const State& near, const SectionShape& shape) {
    rate_ = find_section_rate(model_, near);
    Period period = follow(Section(model_, shape, rate_).project(near));
    if (!period.complete())
      return {{}, explain_failure(model_, period.walk.run, period.walk.duration())};
    auto found = solve(std::move(period), 1.0);
    if (found) return finish(std::move(*found));
    if (why_) return {{}, why_};
    return {{}, {WhyCode::kNoConvergence, "Newton's method does not converge"}};
  }

 private:
  /// Distances after a period in scaled coordinates: small enough, and so small that rounding may
  /// keep Newton's method from improving them.
  static constexpr double kConverged = 3e-14;          // scaled: small enough
  static constexpr double kNoBetter = 1e-10;           // scaled: may be rounding
  static constexpr double kShortestPart = 1.0 / 64.0;  // of a Newton step: six halvings

  /// Newton's method with steps down to this part of their length.
  std::optional<Period> solve(Period period, double shortest) {
    derivative_.resize(0, 0);
    constexpr int kMostRounds = 20;
    for (int i = 0; i < kMostRounds && period.complete(); ++i) {
      if (eval_distance(period) <= kConverged) return period;
      auto next = make_newton_step(period, shortest);
      if (!next) break;
      period = std::move(*next);
    }
    if (period.complete() && eval_distance(period) <= kNoBetter) return period;
    return std::nullopt;
  }

  Period follow(const State& start) {
    ++maps_;
    Period out{start, walk(model_, start, options_.steps, options_.simulation)};
    out.start.time = 0.0;
    return out;
  }

  /// If a state is just before an impact, the state after the impact is used.
  Period follow_on(const State& start) {
    Period out = follow(start);
    return out.walk.starts_with_impact() ? follow(State(out.end())) : out;
  }

  [[nodiscard]] Section section_of(const Period& period) const {
    return {model_, fixed_shape_.value_or(period.shape()), rate_};
  }
  [[nodiscard]] double eval_distance(const Period& period) const {
    const Section section = section_of(period);
    return (section.scale(period.end()) - section.scale(period.start)).norm();
  }

  /// Starts from the guess itself if it is near the section, else from the end of its first step.
  Period start_on_section(Period first) {
    const Section section = section_of(first);
    const State nearest = section.project(first.start);
    constexpr double kNearStart = 0.1;  // scaled: further away it is another motion
    const double moved = (section.scale(nearest) - section.scale(first.start)).norm();
    if (moved <= kSumRounding) return first;
    if (moved <= kNearStart) {
      Period out = follow(nearest);
      if (out.complete()) return out;
    }
    return follow_on(first.end());
  }

  /// Derivative of the map in the section's tangent directions; false if there is none.
  bool find_derivative(const Period& period, const Section& section) {
    tangents_ = section.find_tangents(period.start);
    ++derivatives_;
    std::vector<Variation> columns;
    for (Eigen::Index j = 0; j < tangents_.cols(); ++j) {
      columns.push_back(section.unscale(tangents_.col(j)));
    }
    const VariedWalk varied = vary_walk(model_, period.walk, std::move(columns));
    if (varied.why) {
      why_ = varied.why;
      derivative_.resize(0, 0);
      return false;
    }
    derivative_.resize(tangents_.cols(), tangents_.cols());
    for (Eigen::Index j = 0; j < derivative_.cols(); ++j) {
      derivative_.col(j) =
          tangents_.transpose() * section.scale(varied.end[static_cast<std::size_t>(j)]);
    }
    return true;
  }

  /// A Newton step. It reuses the derivative if the state has hardly moved since. If the full step
  /// does not reduce the residual, shorter ones are tried, down to `shortest`; nothing if none
  /// does.
  std::optional<Period> make_newton_step(const Period& period, double shortest) {
    const Section section = section_of(period);
    const double before = eval_distance(period);
    constexpr double kSameDerivative = 1e-5;  // scaled: so near the derivative hardly changes
    const bool reuses = before <= kSameDerivative && derivative_.size() > 0;
    if (!reuses && !find_derivative(period, section)) return std::nullopt;
    const Eigen::VectorXd excess =
        tangents_.transpose() * (section.scale(period.end()) - section.scale(period.start));
    const Eigen::Index size = excess.size();
    if (size == 0) return std::nullopt;
    const Eigen::MatrixXd A = Eigen::MatrixXd::Identity(size, size) - derivative_;
    Eigen::VectorXd x = A.fullPivLu().solve(excess);
    if (!x.allFinite()) return std::nullopt;
    constexpr double kLongestNewton = 0.5;  // beyond, the linear map is no guide
    if (x.norm() > kLongestNewton) x *= kLongestNewton / x.norm();
    for (double part = 1.0; part >= shortest; part *= 0.5) {
      const State moved = move(period.start, section.unscale(part * (tangents_ * x)));
      Period next = follow_on(section.project(moved));
      const double after = next.complete() ? eval_distance(next) : before;
      constexpr double kSlow = 0.05;  // of the distance before: Newton's method does better
      if (after > kSlow * before) derivative_.resize(0, 0);  // not good enough for another step
      if (after < (1.0 - 0.5 * part) * before) return next;
    }
    return reuses ? make_newton_step(period, shortest) : std::nullopt;
  }

  OrbitSearch finish(Period period) {
    if (!find_derivative(period, section_of(period))) {
      return {
          {},
          {why_.code, "the return map of the motion found has no derivative: " + why_.sentence}};
    }
    Orbit out;
    if (derivative_.size() > 0) {  // else the section is a single state
      const Eigen::VectorXcd values = derivative_.eigenvalues();
      out.multipliers.assign(values.begin(), values.end());
    }
    std::stable_sort(out.multipliers.begin(), out.multipliers.end(), [](auto a, auto b) {
      constexpr double kSamePair = 1e-12;  // a pair: the one above the axis first
      const double difference = std::abs(a) - std::abs(b);
      return std::abs(difference) > kSamePair ? difference > 0.0 : a.imag() > b.imag();
    });
    out.residual = eval_distance(period);
    out.state = period.start;
    out.tangents = tangents_;
    out.derivative = derivative_;
    out.walk = std::move(period.walk);
    out.maps = maps_;
    out.derivatives = derivatives_;
    return {std::move(out), {}};
  }

  /// Describes the motion from the guess if no orbit was found.
  [[nodiscard]] OrbitSearch explain(const State& guess) const {
    constexpr int kMostSteps = 100;
    State state = guess;
    double time = 0.0;
    for (int made = 0; made < kMostSteps; ++made) {
      const Walk step = walk(model_, state, 1, options_.simulation);
      time += step.duration();
      if (step.run.end.reason != EndReason::kSection) {
        const Why why = explain_failure(model_, step.run, time);
        return {{},
                {why.code,
                 fmt::format("from the initial state, after {} steps {}", made, why.sentence)}};
      }
      state = step.run.state;
    }
    return {{},
            {WhyCode::kNoRepetition,
             fmt::format("the motion from the initial state goes on for {} steps, but none of "
                         "them was found to repeat",
                         kMostSteps)}};
  }

  const Model& model_;
  const GaitOptions& options_;
  double rate_ = 1.0;
  std::optional<SectionShape> fixed_shape_;  ///< instead of the last step's
  Eigen::MatrixXd tangents_, derivative_;    ///< the last found
  int maps_ = 0, derivatives_ = 0;
  Why why_;
};

}  // namespace

bool Orbit::stable() const { return multipliers.empty() || std::abs(multipliers.front()) < 1.0; }

std::string describe_sequence(const Model& model, const Orbit& orbit) {
  std::string out = to_letters(orbit.walk.run.trajectory->modes.front().word);
  for (const Event& event : orbit.walk.run.events) {
    out += fmt::format(", {}", find_word(kEventTypes, event.type));
    for (const int i : event.contacts) {
      out += " " + model.contact_names[static_cast<std::size_t>(i)];
    }
    out += " " + to_letters(event.modes_after);
  }
  return out;
}

OrbitSearch find_orbit(const Model& model, const State& guess, const GaitOptions& options) {
  return OrbitFinder(model, options).find(guess);
}

ReturnEvaluation eval_return_map(const Model& model, const Section& section, const State& state,
                                 const GaitOptions& options) {
  return OrbitFinder(model, options).eval(section, state);
}

OrbitSearch refine_orbit(const Model& model, const State& near, const SectionShape& shape,
                         const GaitOptions& options) {
  return OrbitFinder(model, options).refine(near, shape);
}

}  // namespace slipstick
