#include "slipstick/critical_friction.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlopt.hpp>
#include <numbers>
#include <stdexcept>

#include "slipstick/analysis/paradox/follow.h"
#include "slipstick/analysis/paradox/jam_friction.h"
#include "slipstick/analysis/paradox/jam_search.h"
#include "slipstick/core/differentiate.h"
#include "slipstick/core/linear_program.h"
#include "slipstick/core/scales.h"
#include "slipstick/errors.h"
#include "slipstick/model/closing.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/paradox.h"
#include "slipstick/why.h"

namespace slipstick {
namespace {

constexpr double kInverseOfNever = 0.0;  ///< inverse of an infinite friction

/// The inverse of the critical friction scale at a configuration: the largest positive real
/// eigenvalue of G_nn^-1 G_nt diag(s mu), over all slip directions and pieces of the contact law. A
/// bilateral contact that pulls has -mu.
struct Objective {
  double inverse_scale = kInverseOfNever;
  unsigned slip_bits = 0;  ///< bit i set: contact i slides along -t
};

/// True if some motion keeps the contacts closed and slides each of them in the direction of its
/// bit.
bool is_possible(const ParadoxProblem& problem, const ContactKinematics& contacts, unsigned bits) {
  const auto n = contacts.W_n.rows();
  const auto k = static_cast<Eigen::Index>(problem.sliding.size());
  if (k == 1) return true;
  // Maximise t <= 1 with s_i W_t,i v >= t, W_n v = 0, v in units of the coordinates.
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3 * k + 1, n + 1);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(3 * k + 1);
  const VecQ unit = problem.unit / problem.length;
  for (Eigen::Index i = 0; i < k; ++i) {
    const int c = problem.sliding[static_cast<std::size_t>(i)].contact;
    const double sign = (bits >> static_cast<unsigned>(i) & 1U) != 0U ? -1.0 : 1.0;
    const VecQ normal = contacts.W_n.col(c).cwiseProduct(unit);
    A.row(3 * i).head(n) = normal.transpose();
    A.row(3 * i + 1).head(n) = -normal.transpose();
    A.row(3 * i + 2).head(n) = -sign * contacts.W_t.col(c).cwiseProduct(unit).transpose();
    A(3 * i + 2, n) = 1.0;
  }
  A(3 * k, n) = 1.0;
  b[3 * k] = 1.0;
  const LinearProgramResult result = solve_linear_program(A, b, Eigen::VectorXd::Unit(n + 1, n));
  return result.status == LinearProgramStatus::kOptimal && result.value > 0.5;
}

/// The search over the free coordinates; the followers are solved for at every point.
class MinimumSearch {
 public:
  /// `bounds`: of coordinates that follow, too.
  MinimumSearch(const ParadoxProblem& problem, std::span<const CoordinateRange> over,
                std::span<const CoordinateRange> bounds)
      : problem_(problem), model_(*problem.model) {
    for (const SlidingContact& contact : problem.sliding) {
      indices_.push_back(contact.contact);
      friction_.push_back(model_.contacts[static_cast<std::size_t>(contact.contact)].mu);
    }
    if (friction_.size() == 1 && friction_[0] == 0.0)
      friction_[0] = 1.0;  // any value: the scale is relative to it
    std::vector<int> driven;
    for (const CoordinateRange& range : over) driven.push_back(range.coordinate);
    followers_ = choose_followers(problem, driven, FollowFirst::kTranslation);
    if (followers_.empty()) {
      throw InputError(model_.name,
                       "expected ranges of coordinates that the closed contacts leave free, got "
                       "some that they hold");
    }
    std::vector<CoordinateRange> searched(over.begin(), over.end());
    for (const CoordinateRange& bound : bounds) {
      if (follows(bound.coordinate)) {
        bounds_.push_back(bound);
      } else if (std::find(driven.begin(), driven.end(), bound.coordinate) == driven.end()) {
        searched.push_back(bound);
      }
    }
    for (int i = 0; i < model_.size(); ++i) add_range(i, searched);
  }

  std::optional<CriticalFriction> run() const {
    CriticalFriction out;
    Objective best;
    std::vector<VecQ> starts = make_starts();
    if (starts.empty()) return std::nullopt;
    out.at = starts.front();
    out.friction = friction_;
    for (VecQ& start : starts) climb(start);
    // Of equal minima (mirror images, turns by pi) the nearest to the initial configuration is
    // taken.
    const auto distance = [&](const VecQ& q) {
      return (q - problem_.initial.q).cwiseQuotient(problem_.unit).norm();
    };
    for (const VecQ& q : starts) {
      const Objective objective = eval(q);
      const double ratio = objective.inverse_scale / best.inverse_scale - 1.0;
      constexpr double kEqual = 1e-9;  // of the scale: what the optimiser is asked for
      if (best.inverse_scale == kInverseOfNever || ratio > kEqual ||
          (ratio > -kEqual && distance(q) < distance(out.at) - 1e-6)) {
        best = objective;
        out.at = q;
      }
    }
    polish(out.at);
    best = eval(out.at);
    out.scale = best.inverse_scale > 0.0 ? 1.0 / best.inverse_scale
                                         : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      out.slip_signs.push_back((best.slip_bits >> i & 1U) != 0U ? -1.0 : 1.0);
    }
    find_jam(out);
    out.landscape = make_landscape(out.at);
    return out;
  }

 private:
  [[nodiscard]] FrictionLandscape make_landscape(const VecQ& at) const {
    FrictionLandscape out;
    if (free_.empty()) return out;
    out.axes.assign(free_.begin(), free_.begin() + (free_.size() > 1 ? 2 : 1));
    out.count = out.axes.size() == 1 ? 361 : 73;
    const int rows = out.axes.size() == 1 ? 1 : out.count;
    VecQ last = at;  // closings start from the previous point
    for (int j = 0; j < rows; ++j) {
      for (int i = 0; i < out.count; ++i) {
        VecQ q = last;
        q[out.axes[0].coordinate] = out.value_at(0, i);
        if (rows > 1) q[out.axes[1].coordinate] = out.value_at(1, j);
        const bool closed = close(q);
        out.scale.push_back(closed ? 1.0 / eval(q).inverse_scale
                                   : std::numeric_limits<double>::quiet_NaN());
        if (closed) last = q;
      }
    }
    return out;
  }

  [[nodiscard]] bool follows(int coordinate) const {
    return std::any_of(followers_.begin(), followers_.end(),
                       [&](const Closing& c) { return c.coordinate == coordinate; });
  }

  /// Angles are searched over one turn. Slides that turn with a body are searched only over a given
  /// range. Translations of the world are not searched.
  void add_range(int i, std::span<const CoordinateRange> over) {
    for (const CoordinateRange& range : over) {
      if (range.coordinate == i) {
        free_.push_back(range);
        return;
      }
    }
    const Element& element = model_.tree.elements[static_cast<std::size_t>(i)];
    if (follows(i) || !element.is_angle) return;
    free_.push_back({i, -std::numbers::pi, std::numbers::pi});
  }

  /// Finds the friction for an unbounded force, or the reason why there is none.
  void find_jam(CriticalFriction& out) const {
    if (!std::isfinite(out.scale)) {
      out.no_jam = {WhyCode::kNeverParadox, "no friction makes sliding paradoxical"};
    } else if (indices_.size() > 1) {
      out.no_jam = {WhyCode::kSeveralSlide, "several contacts slide"};
    } else {
      const int follower = followers_[0].coordinate;
      std::vector<VecQ> starts = make_starts();
      for (VecQ& start : starts) turn_to_range(model_, follower, start);
      const auto close_at = [this](VecQ& q) { return close(q); };
      JamSpace space{free_, follower, close_at, starts, {}};
      for (const CoordinateRange& bound : bounds_) space.follows = {bound.low, bound.high};
      out.deciding = find_deciding_coordinates(problem_, space);
      space.free = out.deciding;
      find_jam_over(space, out);
    }
  }

  void find_jam_over(const JamSpace& space, CriticalFriction& out) const {
    if (space.free.size() == 1) {
      const std::optional<LeastJam> least = find_jam_friction_along(problem_, space);
      if (least) {
        out.jam_scale = least->mu / friction_[0];
        out.jam_at = least->at;
      }
    } else if (!space.free.empty()) {
      const JamFriction jam = find_jam_friction(problem_, space);
      // Both are equal up to the accuracy of the search.
      if (jam.least) {
        out.jam_scale = std::max(jam.least->mu / friction_[0], out.scale);
        out.jam_at = jam.least->at;
      }
      if (!jam.quadratic) {
        out.no_jam = {WhyCode::kSpeedLoads, "not decided where loads depend on speed"};
      }
    }
    if (!out.jam_scale && !out.no_jam) {
      out.no_jam = {WhyCode::kNotFound, "no friction was found that makes the force unbounded"};
    }
  }

  [[nodiscard]] bool close(VecQ& q) const {
    std::vector<Closing> closings = followers_;
    for (Closing& closing : closings) closing.near = q[closing.coordinate];
    const ClosingResult result = solve_closing(model_, q, closings);
    q = result.q;
    return result.closed && std::all_of(bounds_.begin(), bounds_.end(),
                                        [&](const CoordinateRange& b) { return is_in(b, q); });
  }

  /// An angle counts up to full turns.
  [[nodiscard]] bool is_in(const CoordinateRange& bound, const VecQ& q) const {
    double off = q[bound.coordinate] - 0.5 * (bound.low + bound.high);
    if (model_.tree.elements[static_cast<std::size_t>(bound.coordinate)].is_angle) {
      off = std::remainder(off, 2.0 * std::numbers::pi);
    }
    const double slack = kClosure * problem_.unit[bound.coordinate];
    return std::abs(off) <= 0.5 * (bound.high - bound.low) + slack;
  }

  /// Configurations spread over the free coordinates: a regular grid in up to four dimensions; in
  /// more, as many points of an additive recurrence with irrational steps.
  [[nodiscard]] std::vector<VecQ> spread_over_ranges() const {
    constexpr std::array<int, 5> kPointsPerDimension{1, 64, 20, 10, 6};
    const std::size_t d = free_.size();
    const bool is_grid = d < kPointsPerDimension.size();
    const int points = kPointsPerDimension[std::min<std::size_t>(d, 4)];
    const int total = static_cast<int>(std::pow(points, is_grid ? static_cast<int>(d) : 4));
    double root = 2.0;  // of x^(d+1) = x + 1; its powers fill the space most evenly
    for (int i = 0; i < 60; ++i) root = std::pow(1.0 + root, 1.0 / static_cast<double>(d + 1));
    std::vector<VecQ> out;
    for (int n = 0; n < total; ++n) {
      VecQ q = problem_.initial.q;
      int rest = n;
      for (std::size_t k = d; k-- > 0;) {  // the last coordinate changes fastest
        const CoordinateRange& range = free_[k];
        // Midpoints of equal cells, so that no point is on the border or at a symmetric angle.
        const double part =
            is_grid ? (rest % points + 0.5) / points
                    : std::fmod(0.5 + n / std::pow(root, static_cast<double>(k + 1)), 1.0);
        rest /= points;
        q[range.coordinate] = range.low + (range.high - range.low) * part;
      }
      out.push_back(q);
    }
    return out;
  }

  /// Each of these configurations, closed from several first guesses, so that every branch is
  /// reached.
  [[nodiscard]] std::vector<VecQ> make_starts() const {
    const std::vector<VecQ> grid = spread_over_ranges();
    std::vector<VecQ> out;
    for (const VecQ& q : grid) {
      const auto before = out.size();
      for (const double turn : {0.0, 1.3, -1.3, 2.6, -2.6}) {
        VecQ start = q;
        bool turned = turn == 0.0;
        for (const Closing& closing : followers_) {
          if (!model_.tree.elements[static_cast<std::size_t>(closing.coordinate)].is_angle)
            continue;
          start[closing.coordinate] += turn;
          turned = true;
        }
        if (!turned || !close(start)) continue;
        const bool known = std::any_of(
            out.begin() + static_cast<std::ptrdiff_t>(before), out.end(), [&](const VecQ& other) {
              constexpr double kSamePlace = 1e-6;  // units of coordinates; closings agree to 1e-12
              return (other - start).cwiseQuotient(problem_.unit).cwiseAbs().maxCoeff() <
                     kSamePlace;
            });
        if (!known) out.push_back(start);
      }
    }
    return out;
  }

  /// An entry of G_nt; zero if it is rounding beside what else moves the contacts.
  [[nodiscard]] static double find_coupling(const ContactDynamics& dynamics, Eigen::Index normal,
                                            Eigen::Index tangent) {
    const auto mobility = [&](Eigen::Index row) {
      return dynamics.G(row - row % 2, row - row % 2) +
             dynamics.G(row - row % 2 + 1, row - row % 2 + 1);
    };
    const double out = dynamics.G(normal, tangent);
    const double terms = std::sqrt(mobility(normal) * mobility(tangent));
    return std::abs(out) > kResultRounding * terms ? out : 0.0;
  }

  [[nodiscard]] Objective eval(const VecQ& q) const {
    const State state{problem_.initial.time, q, VecQ::Zero(q.size())};
    const ContactDynamics dynamics = eval_contact_dynamics(model_, state, indices_);
    if (!dynamics.regular) {
      throw std::domain_error("critical-friction: the mass matrix is not positive definite");
    }
    if (indices_.size() == 1) {
      const double ratio = friction_[0] * find_coupling(dynamics, 0, 1) / dynamics.G(0, 0);
      return {std::abs(ratio), ratio < 0.0 ? 1U : 0U};
    }
    return eval_several(dynamics, eval_contact_kinematics(model_, state));
  }

  /// Largest positive real eigenvalue of G_nn^-1 G_nt diag(s mu) in a piece of the law.
  [[nodiscard]] double find_largest_eigenvalue(const ContactDynamics& dynamics, unsigned slip,
                                               const LawPiece& piece) const {
    std::vector<Eigen::Index> normals;
    std::vector<Eigen::Index> tangents;
    Eigen::VectorXd friction(indices_.size());
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      if (piece[i] == LawLetter::kOpen) continue;
      const bool turned = ((slip >> i & 1U) != 0U) != (piece[i] == LawLetter::kPull);
      friction[static_cast<Eigen::Index>(normals.size())] = turned ? -friction_[i] : friction_[i];
      normals.push_back(2 * static_cast<Eigen::Index>(i));
      tangents.push_back(2 * static_cast<Eigen::Index>(i) + 1);
    }
    const auto size = static_cast<Eigen::Index>(normals.size());
    const Eigen::MatrixXd normal = dynamics.G(normals, normals);
    Eigen::MatrixXd coupling(size, size);
    for (Eigen::Index j = 0; j < size; ++j) {
      for (Eigen::Index i = 0; i < size; ++i) {
        coupling(i, j) = friction[j] * find_coupling(dynamics, normals[static_cast<std::size_t>(i)],
                                                     tangents[static_cast<std::size_t>(j)]);
      }
    }
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(normal.ldlt().solve(coupling), false);
    double largest = kInverseOfNever;
    for (const auto& value : solver.eigenvalues()) {
      const bool real = std::abs(value.imag()) <= 1e-12 * std::abs(value);
      if (real) largest = std::max(largest, value.real());
    }
    return largest;
  }

  [[nodiscard]] Objective eval_several(const ContactDynamics& dynamics,
                                       const ContactKinematics& contacts) const {
    const auto k = static_cast<unsigned>(indices_.size());
    Objective best;
    for (unsigned slip = 0; slip < 1U << k; ++slip) {
      if (!is_possible(problem_, contacts, slip)) continue;
      for (const LawPiece& piece : problem_.pieces) {
        const double value = find_largest_eigenvalue(dynamics, slip, piece);
        if (value > best.inverse_scale) best = {value, slip};
      }
    }
    return best;
  }

  /// The unit of the climb's tolerances: radians, or the range of a slide.
  [[nodiscard]] double find_search_unit(const CoordinateRange& range) const {
    const auto k = static_cast<std::size_t>(range.coordinate);
    return model_.tree.elements[k].is_angle ? 1.0 : range.high - range.low;
  }

  /// Local maximum from a start, without derivatives, because with several contacts the objective
  /// has kinks.
  void climb(VecQ& q) const {
    if (free_.empty()) return;
    const auto d = static_cast<unsigned>(free_.size());
    nlopt::opt optimiser(nlopt::LN_SBPLX, d);
    std::vector<double> x;
    std::vector<double> low;
    std::vector<double> high;
    std::vector<double> step;
    for (const CoordinateRange& range : free_) {
      const double unit = find_search_unit(range);
      low.push_back(range.low / unit);
      high.push_back(range.high / unit);
      x.push_back(std::clamp(q[range.coordinate] / unit, low.back(), high.back()));
      step.push_back(0.02 * (high.back() - low.back()));
    }
    struct Data {
      const MinimumSearch* search;
      VecQ q;
    } data{this, q};
    optimiser.set_lower_bounds(low);
    optimiser.set_upper_bounds(high);
    optimiser.set_initial_step(step);
    optimiser.set_xtol_rel(1e-9);
    optimiser.set_xtol_abs(1e-9);
    optimiser.set_maxeval(2000);
    optimiser.set_max_objective(
        [](unsigned count, const double* at, double*, void* opaque) {
          auto& d = *static_cast<Data*>(opaque);
          VecQ moved = d.q;
          for (unsigned i = 0; i < count; ++i) {
            const CoordinateRange& range = d.search->free_[i];
            moved[range.coordinate] = at[i] * d.search->find_search_unit(range);
          }
          if (!d.search->close(moved)) return -1.0;
          d.q = moved;  // the next closing starts on this branch
          return d.search->eval(moved).inverse_scale;
        },
        &data);
    double value = 0.0;
    try {
      optimiser.optimize(x, value);
    } catch (const nlopt::roundoff_limited&) {
      // The optimiser has reached rounding; x holds the best point.
    }
    for (unsigned i = 0; i < d; ++i) {
      q[free_[i].coordinate] = x[i] * find_search_unit(free_[i]);
    }
    for (const Closing& closing : followers_) q[closing.coordinate] = data.q[closing.coordinate];
    VecQ closed = q;
    if (close(closed)) q = closed;
  }

  /// Newton's method on the condition for a constrained stationary point, over free and following
  /// coordinates. Its result is kept only if it is not worse. Coordinates at the end of their range
  /// stay.
  void polish(VecQ& q) const {
    std::vector<int> active;
    for (const CoordinateRange& range : free_) {
      const double margin = 1e-7 * (range.high - range.low);
      const double value = q[range.coordinate];
      if (value > range.low + margin && value < range.high - margin) {
        active.push_back(range.coordinate);
      }
    }
    if (active.empty()) return;
    for (const Closing& closing : followers_) active.push_back(closing.coordinate);
    const auto a = static_cast<Eigen::Index>(active.size());
    const auto k = static_cast<Eigen::Index>(problem_.holding.size());
    constexpr double kStep = 0.01;  // units of coordinates, as all numbers below
    const auto shifted = [&](const VecQ& at, Eigen::Index i, double t) {
      VecQ moved = at;
      const int c = active[static_cast<std::size_t>(i)];
      moved[c] += t * problem_.unit[c];
      return moved;
    };
    const auto gradient = [&](const VecQ& at) {
      Eigen::VectorXd out(a);
      for (Eigen::Index i = 0; i < a; ++i) {
        out[i] = find_derivative([&](double t) { return eval(shifted(at, i, t)).inverse_scale; },
                                 0.0, kStep);
      }
      return out;
    };
    const auto jacobian = [&](const VecQ& at) {
      const ContactKinematics contacts =
          eval_contact_kinematics(model_, {problem_.initial.time, at, VecQ::Zero(at.size())});
      Eigen::MatrixXd out(k, a);
      for (Eigen::Index i = 0; i < k; ++i) {
        for (Eigen::Index j = 0; j < a; ++j) {
          const int c = active[static_cast<std::size_t>(j)];
          out(i, j) = contacts.W_n(c, problem_.holding[static_cast<std::size_t>(i)]) *
                      problem_.unit[c] / problem_.length;
        }
      }
      return out;
    };
    for (int iteration = 0; iteration < 6; ++iteration) {
      const Eigen::VectorXd g = gradient(q);
      const Eigen::MatrixXd J = jacobian(q);
      const Eigen::VectorXd multipliers = (J * J.transpose()).ldlt().solve(J * g);
      // Hessian of the Lagrangian by differences of its gradient.
      const auto lagrangian = [&](const VecQ& at) -> Eigen::VectorXd {
        return gradient(at) - jacobian(at).transpose() * multipliers;
      };
      Eigen::MatrixXd K = Eigen::MatrixXd::Zero(a + k, a + k);
      constexpr double kDifference = 1e-4;  // units of coordinates: errors of 1e-8
      for (Eigen::Index i = 0; i < a; ++i) {
        K.col(i).head(a) =
            (lagrangian(shifted(q, i, kDifference)) - lagrangian(shifted(q, i, -kDifference))) /
            (2.0 * kDifference);
      }
      K.topRightCorner(a, k) = -J.transpose();
      K.bottomLeftCorner(k, a) = J;
      Eigen::VectorXd r(a + k);
      r << -(g - J.transpose() * multipliers), Eigen::VectorXd::Zero(k);
      const Eigen::VectorXd step = K.fullPivLu().solve(r).head(a);
      VecQ next = q;
      for (Eigen::Index i = 0; i < a; ++i) next = shifted(next, i, step[i]);
      if (!step.allFinite() || step.norm() > 0.1 || !close(next)) return;
      if (eval(next).inverse_scale < eval(q).inverse_scale * (1.0 - 1e-12)) return;
      q = next;
      if (step.norm() < 1e-12) return;
    }
  }

  const ParadoxProblem& problem_;
  const Model& model_;
  std::vector<int> indices_;
  std::vector<double> friction_;  ///< per sliding contact; the answer is a factor on it
  std::vector<Closing> followers_;
  std::vector<CoordinateRange> free_;
  std::vector<CoordinateRange> bounds_;  ///< of followers
};

}  // namespace

std::optional<CriticalFriction> find_critical_friction(const ParadoxProblem& problem,
                                                       std::span<const CoordinateRange> over) {
  return MinimumSearch(problem, over, {}).run();
}

std::optional<CriticalFriction> find_reachable_friction(const ParadoxProblem& problem,
                                                        std::span<const CoordinateRange> range,
                                                        std::span<const CoordinateRange> over) {
  return MinimumSearch(problem, over, range).run();
}

}  // namespace slipstick
