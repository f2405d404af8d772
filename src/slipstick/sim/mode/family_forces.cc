#include "slipstick/sim/mode/family_forces.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "slipstick/core/linear_program.h"
#include "slipstick/core/scales.h"

namespace slipstick {
namespace {

/// Weight of the forces' own size beside the slacks, in units of the load. It moves the middle of a
/// bounded family by a thousandth of its width.
constexpr double kHold = 1e-3;  // of the slacks' logarithms

/// The family y = y0 + Z z in units of unit mobility and of the largest force, and its inequalities
/// A z + b >= 0.
struct Family {
  Eigen::VectorXd y0;
  Eigen::MatrixXd Z;
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
};

/// Rows over the unknowns: pressure >= 0, and mu_s pressure -+ friction >= 0 where a contact
/// sticks. Each has length one.
Eigen::MatrixXd list_inequalities(const Mode& mode, const Eigen::VectorXd& unit) {
  const Eigen::Index unknowns = unit.size();
  std::vector<Eigen::VectorXd> rows;
  auto tangent = static_cast<Eigen::Index>(mode.closed.size());
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    const ClosedMode& contact = mode.closed[i];
    const auto normal = static_cast<Eigen::Index>(i);
    Eigen::VectorXd pressure = Eigen::VectorXd::Zero(unknowns);
    pressure[normal] = contact.force_sign;
    // Bilateral contacts without friction may push to either side.
    if (!contact.bilateral || contact.has_friction) rows.push_back(pressure);
    if (!contact.sticks()) continue;
    const double limit = contact.mu_s * unit[normal] / unit[tangent];
    for (const double side : {1.0, -1.0}) {
      Eigen::VectorXd cone = limit * pressure;
      cone[tangent] = side;
      rows.push_back(cone.normalized());
    }
    ++tangent;
  }
  Eigen::MatrixXd out(static_cast<Eigen::Index>(rows.size()), unknowns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out.row(static_cast<Eigen::Index>(i)) = rows[i].transpose();
  }
  return out;
}

/// Adds the inequalities that vary within the family.
void add_inequalities(const Eigen::MatrixXd& rows, Family& family) {
  const Eigen::MatrixXd A = rows * family.Z;
  const Eigen::VectorXd b = rows * family.y0;
  family.A.resize(A.rows(), A.cols());
  family.b.resize(A.rows());
  Eigen::Index count = 0;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    if (A.row(i).cwiseAbs().maxCoeff() <= kDependent) continue;
    family.A.row(count) = A.row(i);
    family.b[count++] = b[i];
  }
  family.A.conservativeResize(count, Eigen::NoChange);
  family.b.conservativeResize(count);
}

struct Start {
  Eigen::VectorXd z;
  double slack = 0.0;  ///< the least one, made as large as possible, up to 1
};

Start find_largest_slack(const Family& family) {
  const Eigen::Index m = family.A.rows();
  const Eigen::Index d = family.A.cols();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(m + 1, d + 1);
  A.topLeftCorner(m, d) = -family.A;
  A.col(d).setOnes();
  // Slacks are counted from the least one of the member z = 0. Then that member is a corner of the
  // program, which needs no search for a first one: with many feet that search may fail.
  const double least = std::min(1.0, family.b.minCoeff());
  Eigen::VectorXd b(m + 1);
  b << family.b.array() - least, 1.0 - least;
  const LinearProgramResult result = solve_linear_program(A, b, Eigen::VectorXd::Unit(d + 1, d));
  if (result.status != LinearProgramStatus::kOptimal) return {Eigen::VectorXd::Zero(d), least};
  Start out{result.x.head(d), least + result.value};
  // Along directions that change no slack, the member of the program is arbitrary, and Newton's
  // method would not return from far away. So only the part that changes slacks is kept.
  constexpr double kFar = 10.0;  // of the forces: members in the middle are nearer
  if (out.z.norm() > kFar) {
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(kDependent);
    out.z = solver.compute(family.A).solve(family.A * out.z);
  }
  return out;
}

/// Minimises the sum above by Newton's method, from a member inside. Near the minimum (a decrement
/// below 1/4) full steps converge quadratically, because the barrier is self-concordant. There
/// values of the sum are not compared, because its rounding would lose half of the digits.
Eigen::VectorXd find_middle(const Family& family, Eigen::VectorXd z) {
  const auto eval = [&](const Eigen::VectorXd& at) {
    const Eigen::ArrayXd slack = family.A * at + family.b;
    if (!(slack.minCoeff() > 0.0)) return std::numeric_limits<double>::infinity();
    return 0.5 * kHold * (family.y0 + family.Z * at).squaredNorm() - slack.log().sum();
  };
  constexpr int kMost = 300;  // steps; some ten from inside, more from a corner as thin as kThin
  constexpr double kSmallestDecrement = 1e-30;  // of the decrement, the square of a step: rounding
  // Of the decrement, the square of the length 1/4: a full step makes at most 1/9 of such a length.
  constexpr double kNearMiddle = 0.0625;
  const Eigen::Index m = family.A.rows();
  const Eigen::Index d = family.A.cols();
  const double hold = std::sqrt(kHold);
  Eigen::MatrixXd system(m + d, d);
  system.bottomRows(d) = hold * Eigen::MatrixXd::Identity(d, d);
  Eigen::VectorXd right = Eigen::VectorXd::Ones(m + d);
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMost; ++i) {
    // The step as a least-squares problem. Near the border the rows differ by many orders of
    // magnitude, and their products would lose the directions that are still free.
    system.topRows(m) = (family.A * z + family.b).cwiseInverse().asDiagonal() * family.A;
    right.tail(d) = -hold * (family.Z.transpose() * family.y0 + z);
    const Eigen::VectorXd step = system.colPivHouseholderQr().solve(right);
    const double decrement = (system * step).squaredNorm();
    if (!(decrement > kSmallestDecrement)) break;
    if (decrement < kNearMiddle) {
      if (decrement > 0.5 * last) break;  // no longer shrinks: rounding
      z += step;
      last = decrement;
      continue;
    }
    const double value = eval(z);
    double part = 1.0 / (1.0 + std::sqrt(decrement));  // damped phase
    double there = eval(z + part * step);
    while (there > value && part > 1e-6) there = eval(z + (part *= 0.5) * step);
    // Out of a thin corner the way is many times as long.
    for (double farther = 0.0; (farther = eval(z + 2.0 * part * step)) < there; there = farther) {
      part *= 2.0;
    }
    z += part * step;
  }
  return z;
}

/// The unknowns that belong to bodies of their own: groups that E does not connect. `contact`: of
/// each unknown, whose normal and tangential forces stay together.
std::vector<std::vector<Eigen::Index>> list_groups(const Eigen::MatrixXd& E,
                                                   const std::vector<std::size_t>& contact) {
  const auto size = static_cast<std::size_t>(E.rows());
  std::vector<std::size_t> group(size);
  for (std::size_t i = 0; i < size; ++i) group[i] = i;
  const auto joins = [&](std::size_t i, std::size_t j) {
    const auto entry = [&](std::size_t a, std::size_t b) {
      return std::abs(E(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)));
    };
    // E has a diagonal of one.
    return contact[i] == contact[j] || std::max(entry(i, j), entry(j, i)) > kResultRounding;
  };
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (group[i] == group[j] || !joins(i, j)) continue;
      std::replace(group.begin(), group.end(), std::max(group[i], group[j]),
                   std::min(group[i], group[j]));
    }
  }
  std::vector<std::vector<Eigen::Index>> out;
  for (std::size_t first = 0; first < size; ++first) {
    std::vector<Eigen::Index> members;
    for (std::size_t i = 0; i < size; ++i) {
      if (group[i] == first) members.push_back(static_cast<Eigen::Index>(i));
    }
    if (!members.empty()) out.push_back(std::move(members));
  }
  return out;
}

/// Those inequalities that concern some of the unknowns.
Eigen::MatrixXd take_inequalities(const Eigen::MatrixXd& rows,
                                  const std::vector<Eigen::Index>& unknowns) {
  Eigen::MatrixXd out(rows.rows(), static_cast<Eigen::Index>(unknowns.size()));
  Eigen::Index count = 0;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const Eigen::RowVectorXd row = rows(i, unknowns);
    if (row.cwiseAbs().maxCoeff() > 0.0) out.row(count++) = row;
  }
  out.conservativeResize(count, Eigen::NoChange);
  return out;
}

/// Solves E y = r by the member in the middle of the inequalities. `weight`: in the units of r.
Eigen::VectorXd find_member(const Eigen::MatrixXd& E, const Eigen::VectorXd& r,
                            const Eigen::MatrixXd& rows, double weight) {
  Eigen::JacobiSVD<Eigen::MatrixXd> solver(E, Eigen::ComputeFullU | Eigen::ComputeFullV);
  solver.setThreshold(kDependent);
  Family family;
  family.y0 = solver.solve(r);
  // Where the load of wedged contacts passes through zero, their forces stay at a small part of the
  // weight, so that they are smooth.
  constexpr double kUnloaded = 1e-2;  // of the weight: wide enough for a step to follow
  const double size = std::hypot(family.y0.norm(), kUnloaded * weight);
  if (!(size > 0.0)) return Eigen::VectorXd::Zero(r.size());
  family.y0 /= size;
  family.Z = solver.matrixV().rightCols(E.cols() - solver.rank());
  Eigen::VectorXd y = family.y0;
  if (family.Z.cols() > 0) add_inequalities(rows, family);
  if (family.Z.cols() > 0 && family.A.rows() > 0) {
    const Start start = find_largest_slack(family);
    // Beyond the border of the family its inequalities are relaxed until the slack has its size
    // again. So the member stays in the middle of what is free: with equal friction on all feet,
    // only their total friction is determined at the border, not how they share the weight.
    constexpr double kThin = 1e-9;  // of the forces: rounds the corner of |slack|
    family.b.array() += std::hypot(start.slack, kThin) - start.slack;
    y += family.Z * find_middle(family, start.z);
  }
  return size * y;
}

}  // namespace

Vec2C find_family_forces(const Mode& mode, const ModeEquations& equations) {
  const Eigen::VectorXd unit = make_force_units(equations.mobility);
  const Eigen::MatrixXd E = unit.asDiagonal() * Eigen::MatrixXd(equations.E) * unit.asDiagonal();
  const Eigen::VectorXd r = unit.cwiseProduct(Eigen::VectorXd(equations.r));
  const Eigen::MatrixXd rows = list_inequalities(mode, unit);
  std::vector<std::size_t> contact;
  for (const int row : equations.rows) contact.push_back(static_cast<std::size_t>(row / 2));
  Eigen::VectorXd y(r.size());
  // Each body by itself: one at the border of its family would blur the middle of another's.
  for (const std::vector<Eigen::Index>& group : list_groups(E, contact)) {
    const double weight = mode.gravity * unit(group).minCoeff();
    y(group) = find_member(E(group, group), r(group), take_inequalities(rows, group), weight);
  }
  return equations.F.lazyProduct(Vec2C(unit.cwiseProduct(y)));
}

}  // namespace slipstick
