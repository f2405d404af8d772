#include "slipstick/analysis/gait/gait.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/analysis/gait/section.h"
#include "slipstick/analysis/gait/step_variation.h"
#include "slipstick/sim/scale.h"

namespace slipstick {
namespace {

/// The motion over one period from a state on the section.
struct Period {
  State start;
  std::vector<Step> steps;
  [[nodiscard]] bool complete() const { return steps.back().complete; }
  [[nodiscard]] const State& end() const { return steps.back().run.state; }
  [[nodiscard]] const SectionShape& shape() const { return steps.back().shape; }
};

class OrbitFinder {
 public:
  OrbitFinder(const Model& model, const GaitOptions& options) : model_(model), options_(options) {}

  OrbitSearch find(const State& guess) {
    Period period = follow(guess);
    if (!period.complete()) return fail("from the initial state", period);
    rate_ =
        eval_rate_scale(make_coordinate_scale(model_), period.end().v, VecQ::Zero(model_.size()));
    period = start_on_section(std::move(period));
    constexpr int kMostRounds = 200;
    for (int i = 0; i < kMostRounds; ++i) {
      if (!period.complete()) return fail(fmt::format("after {} periods", maps_), period);
      const double before = eval_distance(period);
      constexpr double kConverged = 1e-12;
      if (before <= kConverged) return finish(std::move(period));
      auto next = make_newton_step(period);
      if (!next) {
        // What Newton's method cannot improve near a fixed point is rounding.
        constexpr double kRounding = 1e-10;
        if (before <= kRounding) return finish(std::move(period));
        next = follow(period.end());
      }
      period = std::move(*next);
    }
    return {{}, fmt::format("no periodic motion was found within {} periods", maps_)};
  }

 private:
  Period follow(const State& start) {
    ++maps_;
    Period out{start, {}};
    out.start.time = 0.0;
    State state = out.start;
    for (int i = 0; i < options_.steps; ++i) {
      out.steps.push_back(take_step(model_, state, options_.simulation));
      if (!out.complete()) break;
      state = out.end();
    }
    return out;
  }

  [[nodiscard]] Section section_of(const Period& period) const {
    return {model_, period.shape(), rate_};
  }
  [[nodiscard]] double eval_distance(const Period& period) const {
    const Section section = section_of(period);
    return (section.scale(period.end()) - section.scale(period.start)).norm();
  }

  /// From the guess itself if it is near the section, else from where its first step ended.
  Period start_on_section(Period first) {
    const Section section = section_of(first);
    const State nearest = section.project(first.start);
    constexpr double kNear = 0.1;
    const double moved = (section.scale(nearest) - section.scale(first.start)).norm();
    constexpr double kRounding = 1e-14;
    if (moved <= kRounding) return first;
    if (moved <= kNear) {
      Period out = follow(nearest);
      if (out.complete()) return out;
    }
    return follow(first.end());
  }

  /// Derivative of the map in the section's tangent directions; nothing if there is none.
  std::optional<Eigen::MatrixXd> find_derivative(const Period& period, const Section& section,
                                                 const Eigen::MatrixXd& tangents) {
    ++derivatives_;
    std::vector<Variation> columns;
    for (Eigen::Index j = 0; j < tangents.cols(); ++j) {
      columns.push_back(section.unscale(tangents.col(j)));
    }
    for (const Step& step : period.steps) {
      VariedStep varied = vary_step(model_, step, std::move(columns));
      if (!varied.obstacle.empty()) {
        obstacle_ = std::move(varied.obstacle);
        return std::nullopt;
      }
      columns = std::move(varied.end);
    }
    Eigen::MatrixXd out(tangents.cols(), tangents.cols());
    for (Eigen::Index j = 0; j < out.cols(); ++j) {
      out.col(j) = tangents.transpose() * section.scale(columns[static_cast<std::size_t>(j)]);
    }
    return out;
  }

  /// A shorter step where the full one does not lead nearer; nothing if none does.
  std::optional<Period> make_newton_step(const Period& period) {
    const Section section = section_of(period);
    const Eigen::MatrixXd tangents = section.find_tangents(period.start);
    const auto derivative = find_derivative(period, section, tangents);
    if (!derivative) return std::nullopt;
    const Eigen::VectorXd excess =
        tangents.transpose() * (section.scale(period.end()) - section.scale(period.start));
    const Eigen::Index size = excess.size();
    const Eigen::MatrixXd A = Eigen::MatrixXd::Identity(size, size) - *derivative;
    const Eigen::VectorXd x = A.fullPivLu().solve(excess);
    if (!x.allFinite()) return std::nullopt;
    const double before = eval_distance(period);
    constexpr double kShortest = 1.0 / 64.0;
    for (double part = 1.0; part >= kShortest; part *= 0.5) {
      const State moved = move(period.start, section.unscale(part * (tangents * x)));
      Period next = follow(section.project(moved));
      if (next.complete() && eval_distance(next) < (1.0 - 0.5 * part) * before) return next;
    }
    return std::nullopt;
  }

  OrbitSearch finish(Period period) {
    const Section section = section_of(period);
    const Eigen::MatrixXd tangents = section.find_tangents(period.start);
    const auto derivative = find_derivative(period, section, tangents);
    if (!derivative) {
      return {{}, "the return map of the motion found has no derivative: " + obstacle_};
    }
    Orbit out;
    const Eigen::VectorXcd values = derivative->eigenvalues();
    out.multipliers.assign(values.begin(), values.end());
    std::stable_sort(out.multipliers.begin(), out.multipliers.end(), [](auto a, auto b) {
      constexpr double kSame = 1e-12;  // a pair: the one above the axis first
      const double difference = std::abs(a) - std::abs(b);
      return std::abs(difference) > kSame ? difference > 0.0 : a.imag() > b.imag();
    });
    out.residual = eval_distance(period);
    out.state = period.start;
    out.steps = std::move(period.steps);
    out.maps = maps_;
    out.derivatives = derivatives_;
    return {std::move(out), {}};
  }

  [[nodiscard]] static OrbitSearch fail(const std::string& when, const Period& period) {
    return {{}, when + " " + period.steps.back().failure};
  }

  const Model& model_;
  const GaitOptions& options_;
  double rate_ = 1.0;
  int maps_ = 0, derivatives_ = 0;
  std::string obstacle_;
};

}  // namespace

double Orbit::period() const {
  double out = 0.0;
  for (const Step& step : steps) out += step.duration();
  return out;
}

bool Orbit::stable() const { return multipliers.empty() || std::abs(multipliers.front()) < 1.0; }

OrbitSearch find_orbit(const Model& model, const State& guess, const GaitOptions& options) {
  return OrbitFinder(model, options).find(guess);
}

}  // namespace slipstick
