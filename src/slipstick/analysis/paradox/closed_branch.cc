#include "slipstick/analysis/paradox/closed_branch.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <deque>

#include "slipstick/analysis/paradox/follow.h"
#include "slipstick/model/dynamics.h"

namespace slipstick {
namespace {

/// The closing equations for the followers, in units of coordinates and of length.
class ClosingFollower {
 public:
  ClosingFollower(const ParadoxProblem& problem, std::span<const Closing> followers)
      : problem_(problem), followers_(followers) {}

  /// Takes q to the driven values by one predicted and corrected step; false if the distance is too
  /// long for one step. `turn` is the sign of the Jacobian's determinant, which is constant on a
  /// branch.
  bool step(std::span<const int> driven, const Eigen::VectorXd& by, double turn, VecQ& q) {
    eval(q);
    Eigen::VectorXd rate = Eigen::VectorXd::Zero(size());
    for (std::size_t k = 0; k < driven.size(); ++k) {
      for (Eigen::Index i = 0; i < size(); ++i) {
        rate[i] += contacts_.W_n(driven[k], contact(i)) * by[static_cast<Eigen::Index>(k)];
      }
    }
    move(-J_.partialPivLu().solve(rate / problem_.length), q);
    for (std::size_t k = 0; k < driven.size(); ++k) {
      q[driven[k]] += by[static_cast<Eigen::Index>(k)];
    }
    return correct(q) && eval_turn() == turn;
  }

  /// Sign of the determinant at a configuration.
  double eval_turn(const VecQ& q) {
    eval(q);
    return eval_turn();
  }

 private:
  [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(followers_.size()); }
  [[nodiscard]] int contact(Eigen::Index i) const {
    return followers_[static_cast<std::size_t>(i)].contact;
  }
  [[nodiscard]] int coordinate(Eigen::Index i) const {
    return followers_[static_cast<std::size_t>(i)].coordinate;
  }

  void eval(const VecQ& q) {
    eval_contact_kinematics(*problem_.model, State{problem_.initial.time, q, VecQ::Zero(q.size())},
                            contacts_);
    J_.resize(size(), size());
    gaps_.resize(size());
    for (Eigen::Index i = 0; i < size(); ++i) {
      gaps_[i] = contacts_.gap[contact(i)] / problem_.length;
      for (Eigen::Index j = 0; j < size(); ++j) {
        J_(i, j) = contacts_.W_n(coordinate(j), contact(i)) * problem_.unit[coordinate(j)] /
                   problem_.length;
      }
    }
  }

  [[nodiscard]] double eval_turn() const {
    const double determinant = J_.determinant();
    return determinant > 0.0 ? 1.0 : (determinant < 0.0 ? -1.0 : 0.0);
  }

  void move(const Eigen::VectorXd& by, VecQ& q) const {
    for (Eigen::Index i = 0; i < size(); ++i) {
      q[coordinate(i)] += by[i] * problem_.unit[coordinate(i)];
    }
  }

  /// Newton's method. It must start near enough to converge directly.
  bool correct(VecQ& q) {
    constexpr int kMostIterations = 10;
    constexpr double kFarthestCorrection = 0.05;  // a step that is corrected more is made shorter
    const double rounding = eval_rounding(problem_, q);
    double last = kFarthestCorrection;
    for (int i = 0; i < kMostIterations; ++i) {
      eval(q);
      const Eigen::VectorXd by = -J_.partialPivLu().solve(gaps_);
      const double length = by.norm();
      if (!(length <= last)) return i > 1 && last <= 100.0 * rounding;
      move(by, q);
      if (length <= rounding) return true;
      last = std::max(0.5 * length, rounding);
    }
    return false;
  }

  const ParadoxProblem& problem_;
  std::span<const Closing> followers_;
  ContactKinematics contacts_;
  Eigen::MatrixXd J_;
  Eigen::VectorXd gaps_;
};

}  // namespace

bool follow_to(const ParadoxProblem& problem, std::span<const Closing> followers,
               std::span<const int> driven, std::span<const double> targets, VecQ& q) {
  Eigen::VectorXd way(driven.size());
  double length = 0.0;  // in units
  for (std::size_t k = 0; k < driven.size(); ++k) {
    const double by = targets[k] - q[driven[k]];
    way[static_cast<Eigen::Index>(k)] = by;
    length = std::max(length, std::abs(by) / problem.unit[driven[k]]);
  }
  const auto arrive = [&] {
    for (std::size_t k = 0; k < driven.size(); ++k) q[driven[k]] = targets[k];
    return true;
  };
  if (followers.empty()) return arrive();
  ClosingFollower follower(problem, followers);
  const double turn = follower.eval_turn(q);
  if (turn == 0.0) return length == 0.0;
  constexpr double kLongest = 0.25;   // rad or length per step
  constexpr double kShortest = 1e-6;  // of the way; nearer to a fold nothing is followed
  constexpr double kMostSteps = 1e5;  // bounds the search; no range that is accepted needs as many
  if (length > kLongest * kMostSteps) return false;
  const double longest = length > kLongest ? kLongest / length : 1.0;
  double done = 0.0;
  double part = longest;
  while (done < 1.0) {
    part = std::min(part, 1.0 - done);
    VecQ next = q;
    if (follower.step(driven, part * way, turn, next)) {
      q = next;
      done = part >= 1.0 - done ? 1.0 : done + part;
      part = std::min(longest, 2.0 * part);
    } else {
      part *= 0.5;
      if (part < kShortest * longest) return false;
    }
  }
  return arrive();
}

ClosedBranch::ClosedBranch(const ParadoxProblem& problem, std::array<MapAxis, 2> axes,
                           std::vector<Closing> followers)
    : problem_(problem), axes_(axes), followers_(std::move(followers)) {
  for (std::size_t k = 0; k < 2; ++k) {
    counts_[k] = axes_[k].is_coordinate() ? axes_[k].count : 1;
    if (axes_[k].is_coordinate()) driven_.push_back(axes_[k].coordinate);
  }
  const auto points = static_cast<std::size_t>(counts_[0]) * static_cast<std::size_t>(counts_[1]);
  closed_.assign(points, 0);
  following_.assign(points * followers_.size(), 0.0);
  if (const auto start = find_start()) spread(*start);
}

std::size_t ClosedBranch::index_of(int i, int j) const {
  const auto column = static_cast<std::size_t>(axes_[0].is_coordinate() ? i : 0);
  const auto row = static_cast<std::size_t>(axes_[1].is_coordinate() ? j : 0);
  return row * static_cast<std::size_t>(counts_[0]) + column;
}

double ClosedBranch::value_at(std::size_t axis, int i) const { return axes_[axis].value_at(i); }

std::vector<double> ClosedBranch::list_targets(double x, double y) const {
  std::vector<double> out;
  if (axes_[0].is_coordinate()) out.push_back(x);
  if (axes_[1].is_coordinate()) out.push_back(y);
  return out;
}

void ClosedBranch::store(int i, int j, const VecQ& q) {
  const std::size_t index = index_of(i, j);
  closed_[index] = 1;
  for (std::size_t k = 0; k < followers_.size(); ++k) {
    following_[index * followers_.size() + k] = q[followers_[k].coordinate];
  }
}

std::optional<VecQ> ClosedBranch::find_at(int i, int j) const {
  const std::size_t index = index_of(i, j);
  if (closed_[index] == 0) return std::nullopt;
  VecQ q = problem_.initial.q;
  if (axes_[0].is_coordinate()) q[axes_[0].coordinate] = value_at(0, i);
  if (axes_[1].is_coordinate()) q[axes_[1].coordinate] = value_at(1, j);
  for (std::size_t k = 0; k < followers_.size(); ++k) {
    q[followers_[k].coordinate] = following_[index * followers_.size() + k];
  }
  return q;
}

std::optional<VecQ> ClosedBranch::find_near(int i, int j, double x, double y) const {
  std::optional<VecQ> q = find_at(i, j);
  if (!q || !follow_to(problem_, followers_, driven_, list_targets(x, y), *q)) return std::nullopt;
  return q;
}

/// The point of the grid nearest to the initial state, or the nearest of some others, that can be
/// reached along a straight line.
std::optional<std::array<int, 2>> ClosedBranch::find_start() {
  constexpr int kTries = 16;  // per axis
  struct Candidate {
    double distance = 0.0;
    std::array<int, 2> at{};
  };
  std::array<std::vector<int>, 2> points;
  for (std::size_t k = 0; k < 2; ++k) {
    const int last = counts_[k] - 1;
    const MapAxis& axis = axes_[k];
    const double part = (problem_.initial.q[axis.coordinate] - axis.low) / (axis.high - axis.low);
    points[k].push_back(static_cast<int>(std::lround(std::clamp(part, 0.0, 1.0) * last)));
    for (int n = 0; n < std::min(kTries, counts_[k]); ++n) {
      points[k].push_back(last * n / std::max(1, std::min(kTries, counts_[k]) - 1));
    }
  }
  std::vector<Candidate> candidates;
  for (const int j : points[1]) {
    for (const int i : points[0]) {
      double distance = 0.0;
      for (std::size_t k = 0; k < 2; ++k) {
        if (!axes_[k].is_coordinate()) continue;
        const double away = value_at(k, k == 0 ? i : j) - problem_.initial.q[axes_[k].coordinate];
        distance = std::hypot(distance, away / problem_.unit[axes_[k].coordinate]);
      }
      candidates.push_back({distance, {i, j}});
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  for (const Candidate& candidate : candidates) {
    const auto [i, j] = candidate.at;
    VecQ q = problem_.initial.q;
    if (!follow_to(problem_, followers_, driven_, list_targets(value_at(0, i), value_at(1, j)), q))
      continue;
    store(i, j, q);
    return candidate.at;
  }
  return std::nullopt;
}

void ClosedBranch::spread(std::array<int, 2> start) {
  std::deque<std::array<int, 2>> front{start};
  while (!front.empty()) {
    const auto [i, j] = front.front();
    front.pop_front();
    for (const auto& [di, dj] : {std::array{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      const int to_i = i + di;
      const int to_j = j + dj;
      if (to_i < 0 || to_j < 0 || to_i >= counts_[0] || to_j >= counts_[1]) continue;
      if (closed_[index_of(to_i, to_j)] != 0) continue;
      const auto q = find_near(i, j, value_at(0, to_i), value_at(1, to_j));
      if (!q) continue;
      store(to_i, to_j, *q);
      front.push_back({to_i, to_j});
    }
  }
}

}  // namespace slipstick
