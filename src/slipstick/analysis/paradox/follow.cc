#include "slipstick/analysis/paradox/follow.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "slipstick/core/roots.h"
#include "slipstick/errors.h"
#include "slipstick/model/dynamics.h"

namespace slipstick {
namespace {

ContactKinematics eval_at(const ParadoxProblem& problem, const VecQ& q) {
  return eval_contact_kinematics(*problem.model, {problem.initial.time, q, VecQ::Zero(q.size())});
}

/// Gradients of the holding gaps per unit of the active coordinates, in units of length, one row
/// per contact.
Eigen::MatrixXd make_jacobian(const ParadoxProblem& problem, const ContactKinematics& contacts,
                              const std::vector<int>& active) {
  Eigen::MatrixXd out(problem.holding.size(), active.size());
  for (Eigen::Index i = 0; i < out.rows(); ++i) {
    for (Eigen::Index j = 0; j < out.cols(); ++j) {
      const int c = active[static_cast<std::size_t>(j)];
      out(i, j) = contacts.W_n(c, problem.holding[static_cast<std::size_t>(i)]) * problem.unit[c] /
                  problem.length;
    }
  }
  return out;
}

/// Unit tangent of the curve at q, on the side of `previous`; nothing where the curve is singular.
std::optional<Eigen::VectorXd> find_tangent(const ParadoxProblem& problem, const VecQ& q,
                                            const std::vector<int>& active,
                                            const Eigen::VectorXd& previous) {
  Eigen::MatrixXd J = make_jacobian(problem, eval_at(problem, q), active);
  J.rowwise().normalize();
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(J);
  if (lu.rank() < J.rows()) return std::nullopt;
  Eigen::VectorXd tangent = lu.kernel().col(0).normalized();
  if (tangent.dot(previous) < 0.0) tangent = -tangent;
  return tangent;
}

constexpr double kRegular = 1e-9;  // pivots of rows of unit length; below, gaps do not follow

/// True if these coordinates can close every holding contact.
bool is_regular(const ParadoxProblem& problem, const ContactKinematics& contacts,
                const std::vector<int>& coordinates) {
  if (coordinates.size() != problem.holding.size()) return false;
  Eigen::MatrixXd J = make_jacobian(problem, contacts, coordinates);
  J.rowwise().normalize();
  Eigen::FullPivLU<Eigen::MatrixXd> lu(J);
  lu.setThreshold(kRegular);
  return lu.isInvertible();
}

/// Such coordinates, without the driven ones; empty if there are none.
std::vector<int> find_pivots(const ParadoxProblem& problem, const ContactKinematics& contacts,
                             std::span<const int> driven) {
  std::vector<int> left;
  for (int i = 0; i < problem.model->size(); ++i) {
    if (std::find(driven.begin(), driven.end(), i) == driven.end()) left.push_back(i);
  }
  if (left.empty()) return {};
  Eigen::MatrixXd J = make_jacobian(problem, contacts, left);
  J.rowwise().normalize();
  Eigen::FullPivLU<Eigen::MatrixXd> lu(J);
  lu.setThreshold(kRegular);
  if (lu.rank() < J.rows()) return {};
  std::vector<int> out;
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    out.push_back(left[static_cast<std::size_t>(lu.permutationQ().indices()[i])]);
  }
  return out;
}

/// Follows the curve one way until the range's end, a fold, or a singular point.
class ManifoldFollower {
 public:
  ManifoldFollower(const ParadoxProblem& problem, const CoordinateRange& along,
                   std::vector<int> active)
      : problem_(problem), along_(along), active_(std::move(active)) {}

  std::vector<Chart> run(double direction) {
    std::vector<Chart> out;
    VecQ q = problem_.initial.q;
    Eigen::VectorXd tangent = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(active_.size()));
    tangent[0] = direction;
    double step = kLargestStep;
    for (int i = 0; i < kMostCharts; ++i) {
      const auto next_tangent = find_tangent(problem_, q, active_, tangent);
      if (!next_tangent || (*next_tangent)[0] * direction <= kFold) return out;
      tangent = *next_tangent;
      Chart chart{q, active_, tangent, 0.0, step};
      while (!accept(chart)) {
        chart.high *= 0.5;
        if (chart.high < kSmallestStep) return out;
      }
      const bool at_end = stop_at_range(chart, direction);
      const bool at_fold = !at_end && stop_at_fold(chart, direction);
      q = chart.find_closed(problem_, chart.high);
      if (start_at_range(chart, direction)) out.push_back(chart);
      if (at_end || at_fold) return out;
      step = std::min(kLargestStep, 2.0 * chart.high);
    }
    throw std::domain_error(
        "paradox: the closed contacts could not be followed along the range in " +
        std::to_string(kMostCharts) + " steps");
  }

 private:
  static constexpr double kLargestStep = 0.5;    // of the curve's length in units of coordinates
  static constexpr double kSmallestStep = 1e-9;  // of it too: nothing is followed beyond
  static constexpr int kMostCharts = 10000;      // twice what the longest range needs
  static constexpr double kFold = 1e-9;          // part of the tangent left along the coordinate

  /// True if the contacts close along the chart, and the tangent turns little enough for its
  /// parameter to be a good one. Points on the way are tested too, because the curve may turn
  /// quickly and back.
  [[nodiscard]] bool accept(const Chart& chart) const {
    constexpr int kParts = 4;
    constexpr double kTurn = 0.8;  // cosine
    for (int i = kParts; i > 0; --i) {
      const auto q = chart.find_configuration(problem_, chart.high * i / kParts);
      if (!q) return false;
      const auto tangent = find_tangent(problem_, *q, active_, chart.tangent);
      if (!tangent || !(tangent->dot(chart.tangent) > kTurn)) return false;
    }
    return true;
  }

  [[nodiscard]] double coordinate_at(const Chart& chart, double s) const {
    return chart.find_closed(problem_, s)[along_.coordinate];
  }

  /// Cuts off the part of the chart before the range; false if nothing is left.
  bool start_at_range(Chart& chart, double direction) const {
    const double start = direction > 0.0 ? along_.low : along_.high;
    const auto within = [&](double s) { return direction * (coordinate_at(chart, s) - start); };
    if (within(chart.high) < 0.0) return false;
    if (within(chart.low) < 0.0) chart.low = find_zero_between(within, chart.low, chart.high);
    return true;
  }

  /// Cuts off the part of the chart behind the range.
  bool stop_at_range(Chart& chart, double direction) const {
    const double end = direction > 0.0 ? along_.high : along_.low;
    const auto beyond = [&](double s) { return direction * (coordinate_at(chart, s) - end); };
    if (beyond(chart.high) < 0.0) return false;
    if (beyond(chart.low) >= 0.0) {
      chart.high = chart.low;
    } else {
      chart.high = find_zero_between(beyond, chart.low, chart.high);
    }
    return true;
  }

  /// Shortens the chart to the point where the coordinate stops changing along the curve.
  bool stop_at_fold(Chart& chart, double direction) const {
    const auto speed = [&](double s) {
      const auto tangent =
          find_tangent(problem_, chart.find_closed(problem_, s), active_, chart.tangent);
      return tangent ? direction * (*tangent)[0] : 0.0;
    };
    if (speed(chart.high) > 0.0) return false;
    chart.high = find_zero_between(speed, chart.low, chart.high);
    return true;
  }

  const ParadoxProblem& problem_;
  CoordinateRange along_;
  std::vector<int> active_;
};

}  // namespace

std::vector<Closing> choose_followers(const ParadoxProblem& problem, std::span<const int> driven,
                                      FollowFirst first) {
  const ContactKinematics contacts = eval_at(problem, problem.initial.q);
  std::vector<int> used(driven.begin(), driven.end());
  const auto is_used = [&](int i) { return std::find(used.begin(), used.end(), i) != used.end(); };
  const auto find_mover = [&](int contact, bool only_translations) {
    int best = -1;
    double largest = 0.0;
    for (int i = 0; i < problem.model->size(); ++i) {
      const Element& element = problem.model->tree.elements[static_cast<std::size_t>(i)];
      const bool translation = !element.is_angle && element.frame == kWorldFrame;
      const double size = std::abs(contacts.W_n(i, contact)) * problem.unit[i];
      if (is_used(i) || size <= largest || (only_translations && !translation)) continue;
      largest = size;
      best = i;
    }
    return best;
  };
  const auto find_named = [&](int contact) {
    for (const Closing& closing : problem.closings) {
      if (closing.contact == contact && !is_used(closing.coordinate)) return closing.coordinate;
    }
    return -1;
  };
  std::vector<int> chosen;
  for (const int contact : problem.holding) {
    int best = first == FollowFirst::kTranslation ? find_mover(contact, true) : -1;
    if (best < 0) best = find_named(contact);
    if (best < 0) best = find_mover(contact, false);
    if (best < 0) break;
    used.push_back(best);
    chosen.push_back(best);
  }
  if (!is_regular(problem, contacts, chosen)) chosen = find_pivots(problem, contacts, driven);
  std::vector<Closing> out;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    out.push_back({chosen[i], problem.holding[i], problem.initial.q[chosen[i]], std::nullopt});
  }
  return out;
}

std::optional<VecQ> Chart::find_configuration(const ParadoxProblem& problem, double s) const {
  VecQ q = start;
  const auto size = static_cast<Eigen::Index>(active.size());
  const auto move = [&](const Eigen::VectorXd& by) {
    for (Eigen::Index j = 0; j < size; ++j) {
      const int c = active[static_cast<std::size_t>(j)];
      q[c] += by[j] * problem.unit[c];
    }
  };
  move(s * tangent);
  constexpr int kMaxIterations = 12;
  constexpr double kSettled = 1e-12;  // rad or lengths: above rounding, below the digits printed
  const double rounding = eval_rounding(problem, q);
  double last = 0.0;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    const ContactKinematics contacts = eval_at(problem, q);
    Eigen::MatrixXd A(size, size);
    A.topRows(size - 1) = make_jacobian(problem, contacts, active);
    A.row(size - 1) = tangent;
    Eigen::VectorXd r = Eigen::VectorXd::Zero(size);
    for (Eigen::Index i = 0; i + 1 < size; ++i) {
      r[i] = -contacts.gap[problem.holding[static_cast<std::size_t>(i)]] / problem.length;
    }
    r[size - 1] = s;
    for (Eigen::Index j = 0; j < size; ++j) {
      const int c = active[static_cast<std::size_t>(j)];
      r[size - 1] -= tangent[j] * (q[c] - start[c]) / problem.unit[c];
    }
    const Eigen::VectorXd step = A.partialPivLu().solve(r);
    const double length = step.norm();
    if (!std::isfinite(length)) return std::nullopt;
    if (iteration > 2 && length > 0.5 * last && length > kSettled + rounding) {
      return std::nullopt;
    }
    move(step);
    if (length <= rounding || (iteration > 0 && length <= 10.0 * rounding)) return q;
    last = length;
  }
  return last <= kSettled + 10.0 * rounding ? std::optional<VecQ>(q) : std::nullopt;
}

VecQ Chart::find_closed(const ParadoxProblem& problem, double s) const {
  if (const auto q = find_configuration(problem, s)) return *q;
  const auto driven = static_cast<std::size_t>(active.front());
  throw std::domain_error(
      fmt::format("paradox: the closed contacts could not be followed along {} near {:.9g}",
                  problem.model->coordinates[driven], start[active.front()]));
}

VecQ Chart::find_direction(const ParadoxProblem& problem, const VecQ& q) const {
  const auto size = static_cast<Eigen::Index>(active.size());
  Eigen::MatrixXd A(size, size);
  A.topRows(size - 1) = make_jacobian(problem, eval_at(problem, q), active);
  A.row(size - 1) = tangent;
  const Eigen::VectorXd rates = A.partialPivLu().solve(Eigen::VectorXd::Unit(size, size - 1));
  VecQ out = VecQ::Zero(q.size());
  for (Eigen::Index j = 0; j < size; ++j) {
    const int c = active[static_cast<std::size_t>(j)];
    out[c] = rates[j] * problem.unit[c];
  }
  return out;
}

double eval_rounding(const ParadoxProblem& problem, const VecQ& q) {
  double size = 1.0 + q.cwiseAbs().cwiseQuotient(problem.unit).maxCoeff();
  for (const int contact : problem.holding) {
    const Row& normal = problem.model->contacts[static_cast<std::size_t>(contact)].normal;
    size = std::max(size, std::abs(normal.offset) / problem.length);
  }
  constexpr double kRoundings = 4.0;  // of one Newton step
  return kRoundings * std::numeric_limits<double>::epsilon() * size;
}

void check_range(const ParadoxProblem& problem, const CoordinateRange& along) {
  constexpr double kMostUnits = 2000.0;  // each takes two steps or more
  const double start = problem.initial.q[along.coordinate];
  const double unit = problem.unit[along.coordinate];
  const double way = std::max(along.high, start) - std::min(along.low, start);
  if (way <= kMostUnits * unit) return;
  const auto k = static_cast<std::size_t>(along.coordinate);
  const bool is_angle = problem.model->tree.elements[k].is_angle;
  throw InputError(
      problem.model->coordinates[k],
      fmt::format("expected a range within {:.6g} {} of the initial value {:.6g}, got "
                  "{:.6g} to {:.6g}",
                  kMostUnits * unit, is_angle ? "rad" : "m", start, along.low, along.high));
}

std::vector<Chart> follow_branch(const ParadoxProblem& problem, const CoordinateRange& along,
                                 const std::vector<int>& active) {
  ManifoldFollower follower(problem, along, active);
  std::vector<Chart> down = follower.run(-1.0);
  std::vector<Chart> out(down.rbegin(), down.rend());
  const std::vector<Chart> up = follower.run(1.0);
  out.insert(out.end(), up.begin(), up.end());
  return out;
}

std::vector<Chart> follow_coordinate(const ParadoxProblem& problem, const CoordinateRange& along) {
  check_range(problem, along);
  const std::array<int, 1> driven{along.coordinate};
  const std::vector<Closing> followers = choose_followers(problem, driven, FollowFirst::kFile);
  if (followers.empty()) {
    const auto k = static_cast<std::size_t>(along.coordinate);
    throw InputError(problem.model->coordinates[k],
                     "expected a coordinate that the closed contacts leave free, got one that they "
                     "hold");
  }
  std::vector<int> active{along.coordinate};
  for (const Closing& follower : followers) active.push_back(follower.coordinate);
  return follow_branch(problem, along, active);
}

}  // namespace slipstick
