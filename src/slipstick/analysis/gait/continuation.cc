#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <utility>

#include "slipstick/analysis/gait/return_map.h"
#include "slipstick/analysis/gait/section.h"
#include "slipstick/core/scales.h"
#include "slipstick/errors.h"
#include "slipstick/gait_branch.h"
#include "slipstick/why.h"

namespace slipstick {
namespace {

/// A solved point of the branch.
struct Solved {
  double parameter = 0.0;
  Orbit orbit;
  std::string sequence;
};

double eval_product(const std::vector<std::complex<double>>& multipliers,
                    std::complex<double> shift) {
  std::complex<double> out = 1.0;
  for (const auto& value : multipliers) out *= value + shift;
  return out.real();
}

/// Changes sign where a multiplier passes -1, where one passes +1, or where a pair passes the unit
/// circle (also where two real ones become reciprocal, which is not a bifurcation).
double eval_test(BifurcationType type, const std::vector<std::complex<double>>& multipliers) {
  if (type == BifurcationType::kPeriodDoubling) return eval_product(multipliers, 1.0);
  if (type == BifurcationType::kFold) return eval_product(multipliers, -1.0);
  std::complex<double> out = 1.0;
  for (std::size_t i = 0; i < multipliers.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) out *= multipliers[i] * multipliers[j] - 1.0;
  }
  return out.real();
}

bool has_pair_on_circle(const std::vector<std::complex<double>>& multipliers) {
  return std::any_of(multipliers.begin(), multipliers.end(), [](const auto& value) {
    constexpr double kNearCircle = 1e-4;  // of 1: a pair this near may cross unseen
    return value.imag() != 0.0 && std::abs(std::abs(value) - 1.0) < kNearCircle;
  });
}

/// True if the sequences differ in a contact that comes down in only one of them.
bool is_grazing(const std::string& a, const std::string& b) {
  const auto count = [](const std::string& text, const std::string& word) {
    int out = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      ++out;
    }
    return out;
  };
  for (const char* word : {"impact", "touchdown", "liftoff"}) {
    if (count(a, word) != count(b, word)) return true;
  }
  return false;
}

class Continuation {
 public:
  Continuation(const GaitFamily& family, const ContinuationOptions& options, const State& start)
      : family_(family),
        options_(options),
        range_(std::abs(options.to - options.from)),
        first_(family(options.from)),
        rate_(find_section_rate(*first_, start)),
        units_(*first_, {}, rate_) {}

  Branch follow(Solved start, double direction) {
    keep(start);
    Solved last = std::move(start);
    // Direction in scaled coordinates: state, then parameter over the range.
    Eigen::VectorXd along = Eigen::VectorXd::Zero(2 * first_->size() + 1);
    along[along.size() - 1] = direction;
    double step = kFirstStep;
    while (static_cast<int>(out_.points.size()) < options_.max_points) {
      const double limited = limit(last, along, step);
      auto next = correct(last, along, limited);
      if (!next || !is_near(last, along, limited, *next)) {
        step = 0.5 * limited;
        if (step < kShortestStep) {
          const Why why = find_obstacle(last.parameter, along[along.size() - 1]);
          out_.end = {why ? why.code : WhyCode::kNotFound,
                      fmt::format("the branch ends at {:.10g}: {}", last.parameter, why.sentence)};
          break;
        }
        continue;
      }
      along = make_point(*next) - make_point(last);
      const double length = along.norm();
      along /= length;
      find_bifurcations(last, along, length, *next);
      keep(*next);
      last = std::move(*next);
      if (auto tangent = find_tangent(last)) {
        along = tangent->dot(along) < 0.0 ? Eigen::VectorXd(-*tangent) : *tangent;
      }
      if (has_left(last)) break;
      if (options_.keep_going && !options_.keep_going(last.parameter)) {
        out_.end = {WhyCode::kInterrupted, "interrupted"};
        break;
      }
      step = std::min(kGrowth * limited, kLongestStep);
    }
    if (static_cast<int>(out_.points.size()) == options_.max_points) {
      out_.end = {WhyCode::kTooManySteps, fmt::format("after {} points", options_.max_points)};
    }
    return std::move(out_);
  }

 private:
  static constexpr double kFirstStep = 0.01;       // scaled arc length
  static constexpr double kLongestStep = 0.1;      // the same: longer ones may miss a bend
  static constexpr double kShortestStep = 1e-9;    // the same: 100 times an orbit's accuracy
  static constexpr double kGrowth = 1.5;           // after a step that converged at once
  static constexpr double kOrbitAccuracy = 1e-11;  // scaled: what is known of a periodic orbit
  /// If the direction has a smaller component along the parameter, state and parameter are
  /// corrected together.
  static constexpr double kSteep = 0.2;  // of the direction's length

  [[nodiscard]] Section make_section(const Model& model, const Orbit& orbit) const {
    return {model, orbit.walk.shape, rate_};
  }
  [[nodiscard]] Eigen::VectorXd make_point(const Solved& solved) const {
    Eigen::VectorXd out(2 * first_->size() + 1);
    out << units_.scale(solved.orbit.state), solved.parameter / range_;
    return out;
  }

  void keep(const Solved& solved) {
    out_.points.push_back(make_branch_point(solved));
    out_.maps += solved.orbit.maps;
    out_.derivatives += solved.orbit.derivatives;
  }
  [[nodiscard]] static BranchPoint make_branch_point(const Solved& solved) {
    return {solved.parameter,         solved.orbit.state,    solved.orbit.period(),
            solved.orbit.multipliers, solved.orbit.stable(), solved.sequence};
  }

  [[nodiscard]] bool has_left(const Solved& at) const {
    const double low = std::min(options_.from, options_.to);
    const double high = std::max(options_.from, options_.to);
    if (out_.points.size() < 2) return false;
    return at.parameter <= low || at.parameter >= high;
  }
  /// The step, shortened if it would pass the border of the range.
  [[nodiscard]] double limit(const Solved& from, const Eigen::VectorXd& along, double step) const {
    const double slope = along[along.size() - 1];
    const double border =
        slope > 0.0 ? std::max(options_.from, options_.to) : std::min(options_.from, options_.to);
    const double rest = (border - from.parameter) / range_;
    if (std::abs(slope) < kSteep || std::abs(slope * step) < std::abs(rest)) return step;
    return rest / slope;
  }

  /// The point of the branch at this distance, in the plane across the direction. If the direction
  /// is mostly that of the parameter: the point at that parameter.
  std::optional<Solved> correct(const Solved& from, const Eigen::VectorXd& along, double step) {
    try {
      return std::abs(along[along.size() - 1]) >= kSteep ? correct_state(from, along, step)
                                                         : correct_all(from, along, step);
    } catch (const InputError& error) {
      failure_ = {WhyCode::kNoModel, error.what()};
      return std::nullopt;
    }
  }

  std::optional<Solved> correct_state(const Solved& from, const Eigen::VectorXd& along,
                                      double step) {
    double parameter = from.parameter + step * along[along.size() - 1] * range_;
    for (const double border : {options_.from, options_.to}) {
      if (std::abs(parameter - border) <= kSolveRounding * range_) parameter = border;
    }
    const auto model = family_(parameter);
    const State guess = move(from.orbit.state, units_.unscale(step * along.head(along.size() - 1)));
    OrbitSearch found = refine_orbit(*model, guess, from.orbit.walk.shape, options_.gait);
    return take(parameter, *model, std::move(found));
  }

  std::optional<Solved> take(double parameter, const Model& model, OrbitSearch found) {
    if (!found.orbit) {
      failure_ = std::move(found.why);
      return std::nullopt;
    }
    std::string sequence = describe_sequence(model, *found.orbit);
    return Solved{parameter, std::move(*found.orbit), std::move(sequence)};
  }

  /// Newton's method on state and parameter. The effect of the parameter on the map is a difference
  /// quotient, which slows the convergence but does not move its limit.
  std::optional<Solved> correct_all(const Solved& from, const Eigen::VectorXd& along, double step) {
    const Eigen::Index last = along.size() - 1;
    double parameter = from.parameter + step * along[last] * range_;
    State state = move(from.orbit.state, units_.unscale(step * along.head(last)));
    const Eigen::VectorXd target = make_point(from) + step * along;
    constexpr int kMostRounds = 12;
    for (int i = 0; i < kMostRounds; ++i) {
      const auto model = family_(parameter);
      const Section section = make_section(*model, from.orbit);
      state = section.project(state);
      const auto residual = eval_residual(*model, section, state);
      if (!residual) return std::nullopt;
      Eigen::VectorXd offset(target.size());
      offset << section.scale(state), parameter / range_;
      offset -= target;
      const double distance = along.dot(offset);
      if (residual->excess.norm() <= kOrbitAccuracy && std::abs(distance) <= kOrbitAccuracy) {
        return take(parameter, *model,
                    refine_orbit(*model, state, from.orbit.walk.shape, options_.gait));
      }
      const double shift = 1e-7 * range_;
      const auto moved = family_(parameter + shift);
      const Section moved_section = make_section(*moved, from.orbit);
      const State moved_state = moved_section.project(state);
      const auto moved_residual = eval_residual(*moved, moved_section, moved_state);
      if (!moved_residual) return std::nullopt;
      const Eigen::MatrixXd& tangents = residual->tangents;
      const Eigen::Index size = tangents.cols();
      Eigen::MatrixXd A(size + 1, size + 1);
      Eigen::VectorXd right(size + 1);
      A.topLeftCorner(size, size) = residual->derivative - Eigen::MatrixXd::Identity(size, size);
      A.topRightCorner(size, 1) =
          tangents.transpose() * (moved_residual->excess - residual->excess) / (shift / range_);
      A.bottomLeftCorner(1, size) = along.head(last).transpose() * tangents;
      A(size, size) = along[last];
      right << -(tangents.transpose() * residual->excess), -distance;
      const Eigen::VectorXd x = A.fullPivLu().solve(right);
      if (!x.allFinite()) return std::nullopt;
      state = move(state, section.unscale(tangents * x.head(size)));
      parameter += x[size] * range_;
    }
    failure_ = {WhyCode::kNoConvergence, "Newton's method does not converge"};
    return std::nullopt;
  }

  /// Direction of the branch: changes of state and parameter after which a period still returns to
  /// its start. Nothing if there are no models further on.
  std::optional<Eigen::VectorXd> find_tangent(const Solved& at) {
    try {
      const double shift = 1e-7 * range_;
      const auto moved = family_(at.parameter + shift);
      const Section section = make_section(*moved, at.orbit);
      const State state = section.project(at.orbit.state);
      const Walk period = walk(*moved, state, options_.gait.steps, options_.gait.simulation);
      ++out_.maps;
      if (!period.complete) return std::nullopt;
      const Eigen::VectorXd excess = section.scale(period.run.state) - section.scale(state);
      const Eigen::MatrixXd& tangents = at.orbit.tangents;
      const Eigen::Index size = tangents.cols();
      Eigen::MatrixXd A(size, size + 1);
      A << at.orbit.derivative - Eigen::MatrixXd::Identity(size, size),
          tangents.transpose() * excess / (shift / range_);
      const Eigen::VectorXd x = A.fullPivLu().kernel().col(0);
      Eigen::VectorXd out(2 * first_->size() + 1);
      out << tangents * x.head(size) + x[size] *
                                           (section.scale(state) - section.scale(at.orbit.state)) /
                                           (shift / range_),
          x[size];
      return out.normalized();
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

  struct Residual {
    Eigen::VectorXd excess;  ///< after a period, scaled
    Eigen::MatrixXd tangents, derivative;
  };
  std::optional<Residual> eval_residual(const Model& model, const Section& section,
                                        const State& state) {
    const ReturnEvaluation map = eval_return_map(model, section, state, options_.gait);
    ++out_.maps;
    ++out_.derivatives;
    if (map.why) {
      failure_ = map.why;
      return std::nullopt;
    }
    return Residual{section.scale(map.end) - section.scale(state), map.tangents, map.derivative};
  }

  /// If there is no model a little further on, that is the reason for the end.
  [[nodiscard]] Why find_obstacle(double parameter, double direction) const {
    try {
      (void)family_(parameter + std::copysign(kFirstStep * range_, direction));
    } catch (const InputError& error) {
      return {WhyCode::kNoModel, error.what()};
    }
    return failure_;
  }

  /// True if the point found continues this branch and is not on another one.
  bool is_near(const Solved& from, const Eigen::VectorXd& along, double step, const Solved& found) {
    const double off = (make_point(found) - make_point(from) - step * along).norm();
    constexpr double kOffBranch = 0.5;  // of the step
    if (off <= kOffBranch * step || out_.points.size() < 2) return true;
    failure_ = {WhyCode::kOtherBranch, "the orbits found do not continue the branch"};
    return false;
  }

  // --- bifurcations between two points ---

  void find_bifurcations(const Solved& from, const Eigen::VectorXd& along, double length,
                         const Solved& to) {
    if (from.sequence != to.sequence) return find_border(from, along, length, to);
    for (const BifurcationType type : {BifurcationType::kPeriodDoubling, BifurcationType::kFold,
                                       BifurcationType::kNeimarkSacker}) {
      const double before = eval_test(type, from.orbit.multipliers);
      const double after = eval_test(type, to.orbit.multipliers);
      if (!(before * after < 0.0)) continue;
      if (locate(type, from, along, length, before, after)) continue;
      out_.notes.push_back(fmt::format("{} between {:.10g} and {:.10g}, not located: {}",
                                       find_word(kBifurcationTypes, type), from.parameter,
                                       to.parameter, failure_.sentence));
    }
  }

  /// False if a point of the branch that the search needs was not found.
  bool locate(BifurcationType type, const Solved& from, const Eigen::VectorXd& along, double length,
              double before, double after) {
    std::optional<Solved> found;
    bool failed = false;
    const auto test = [&](double distance) {
      auto at = correct(from, along, distance);
      if (!at) {
        failed = true;
        return 0.0;
      }
      found = std::move(at);
      return eval_test(type, found->orbit.multipliers);
    };
    const auto close_enough = [&](double low, double high) {
      return std::abs(high - low) <= kOrbitAccuracy;
    };
    std::uintmax_t rounds = 60;
    const auto [low, high] =
        boost::math::tools::toms748_solve(test, 0.0, length, before, after, close_enough, rounds);
    if (!failed) (void)test(0.5 * (low + high));
    if (failed) return false;
    if (type != BifurcationType::kNeimarkSacker || has_pair_on_circle(found->orbit.multipliers)) {
      out_.bifurcations.push_back({type, make_branch_point(*found), {}, {}});
    }
    return true;
  }

  void find_border(const Solved& from, const Eigen::VectorXd& along, double length,
                   const Solved& to) {
    double low = 0.0;
    BranchPoint at = make_branch_point(from);
    std::string before = from.sequence;
    // One after the other: first the change of the sequence at `low`, then the next one.
    constexpr int kMost = 20;
    for (int i = 0; i < kMost && low < length && before != to.sequence; ++i) {
      double high = length;
      BranchPoint beyond = make_branch_point(to);
      while (high - low > kOrbitAccuracy) {
        const double middle = 0.5 * (low + high);
        const auto found = correct(from, along, middle);
        if (found && found->sequence == before) {
          low = middle;
          at = make_branch_point(*found);
        } else {
          high = middle;
          if (found) beyond = make_branch_point(*found);
        }
      }
      const BifurcationType type = is_grazing(before, beyond.sequence) ? BifurcationType::kGrazing
                                                                       : BifurcationType::kBorder;
      // Changes that the laws cannot separate are one border. The laws decide to 1e-10 of
      // the terms involved, and the parameter may be part of such a term.
      constexpr double kOne = 1e-8;  // of the parameter: a hundred times what the laws decide to
      const bool same = !out_.bifurcations.empty() && out_.bifurcations.back().after == before &&
                        std::abs(at.parameter - out_.bifurcations.back().at.parameter) <=
                            kOne * std::max(range_, std::abs(at.parameter));
      if (same) {
        out_.bifurcations.back().after = beyond.sequence;
      } else {
        out_.bifurcations.push_back({type, at, before, beyond.sequence});
      }
      before = beyond.sequence;
      at = std::move(beyond);
      low = high;
    }
  }

  const GaitFamily& family_;
  const ContinuationOptions& options_;
  double range_;                        ///< of the parameter
  std::shared_ptr<const Model> first_;  ///< at the start
  double rate_;
  Section units_;  ///< of the branch's own coordinates
  Why failure_;    ///< of the last attempt
  Branch out_;
};

}  // namespace

Branch continue_orbit(const GaitFamily& family, const Orbit& start,
                      const ContinuationOptions& options) {
  std::string sequence = describe_sequence(*family(options.from), start);
  return Continuation(family, options, start.state)
      .follow({options.from, start, std::move(sequence)}, options.to > options.from ? 1.0 : -1.0);
}

std::optional<Branch> follow_doubled(const GaitFamily& family, const Bifurcation& doubling,
                                     const ContinuationOptions& options) {
  ContinuationOptions doubled = options;
  doubled.gait.steps = 2 * options.gait.steps;
  const auto at_doubling = family(doubling.at.parameter);
  const OrbitSearch single = find_orbit(*at_doubling, doubling.at.state, options.gait);
  if (!single.orbit) return std::nullopt;
  const Section section(*at_doubling, single.orbit->walk.shape, 1.0);
  // The direction whose multiplier is -1.
  const Eigen::Index size = single.orbit->derivative.cols();
  const Eigen::MatrixXd A = single.orbit->derivative + Eigen::MatrixXd::Identity(size, size);
  const Eigen::VectorXd flip =
      single.orbit->tangents * A.jacobiSvd(Eigen::ComputeFullV).matrixV().col(size - 1);
  const double range = std::abs(options.to - options.from);
  for (const double part : {1e-3, -1e-3}) {
    const double parameter = doubling.at.parameter + part * (options.to - options.from);
    const auto model = family(parameter);
    for (double amplitude = 3e-3; amplitude < 1.0; amplitude *= 1.5) {
      const State guess = move(single.orbit->state, section.unscale(amplitude * flip));
      OrbitSearch found = refine_orbit(*model, guess, single.orbit->walk.shape, doubled.gait);
      if (!found.orbit) continue;
      const State half =
          walk(*model, found.orbit->state, options.gait.steps, options.gait.simulation).run.state;
      constexpr double kSameOrbit = 1e-5;  // scaled: the single orbit, found again
      if ((section.scale(half) - section.scale(found.orbit->state)).norm() < kSameOrbit) continue;
      doubled.from = parameter;
      if (part < 0.0) doubled.to = options.from;
      if (!(std::abs(doubled.to - doubled.from) > 1e-9 * range)) return std::nullopt;
      return continue_orbit(family, *found.orbit, doubled);
    }
  }
  return std::nullopt;
}

}  // namespace slipstick
