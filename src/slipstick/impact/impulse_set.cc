#include "slipstick/impact/impulse_set.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/core/linear_program.h"
#include "slipstick/core/scales.h"

namespace slipstick {
namespace {

/// More rows than unknowns are possible: two sets at once.
using EquationRows = BoundedMatrix<2 * kMaxImpulses, kMaxImpulses>;
using Eigen::Index;

/// Largest t <= 1 that rows `from` to `to` of A y <= b leave as slack while the others keep at
/// least zero; `y` is where it is attained. Nothing if the program has no solution.
std::optional<double> find_largest_slack(const ImpulseMembers& members, Index from, Index to,
                                         Eigen::VectorXd& y) {
  const Index m = members.A.rows();
  const Index d = members.A.cols();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(m + 1, d + 1);
  A.topLeftCorner(m, d) = members.A;
  A.col(d).segment(from, to - from).setOnes();
  A(m, d) = 1.0;
  Eigen::VectorXd b(m + 1);
  b << members.b, 1.0;
  const LinearProgramResult result = solve_linear_program(A, b, Eigen::VectorXd::Unit(d + 1, d));
  if (result.status != LinearProgramStatus::kOptimal) return std::nullopt;
  y = result.x.head(d);
  return result.value;
}

struct EquationSolution {
  VecI x;
  Eigen::MatrixXd Z;
};

/// Rows are divided by their largest entries, so that pivots compare with one.
std::optional<EquationSolution> solve_equations(const ImpulseSet& set, Index unknowns,
                                                const SetTolerances& tolerances) {
  const auto rows = static_cast<Index>(set.equations.size());
  EquationRows E(rows, unknowns);
  BoundedVector<2 * kMaxImpulses> r(rows);
  Index count = 0;
  for (const LinearForm& equation : set.equations) {
    const double largest = equation.a.cwiseAbs().maxCoeff();
    if (!(largest > tolerances.rank)) {  // a velocity that no impulse changes
      if (std::abs(equation.c) > tolerances.equation * set.size) return std::nullopt;
      continue;
    }
    E.row(count) = equation.a.transpose() / largest;
    r[count++] = -equation.c / largest;
  }
  EquationSolution out{VecI::Zero(unknowns), {}};
  if (count == 0) {
    out.Z = Eigen::MatrixXd::Identity(unknowns, unknowns);
    return out;
  }
  E.conservativeResize(count, Eigen::NoChange);
  r.conservativeResize(count);
  Eigen::FullPivLU<EquationRows> lu(E);
  lu.setThreshold(tolerances.rank);
  out.x = lu.solve(r);
  const double residual = (E.lazyProduct(out.x) - r).cwiseAbs().maxCoeff();
  if (!(residual <= tolerances.equation * (set.size + out.x.cwiseAbs().maxCoeff()))) {
    return std::nullopt;
  }
  if (lu.rank() == unknowns) {
    out.Z.resize(unknowns, 0);
  } else {
    out.Z = lu.kernel();
    out.Z.colwise().normalize();
  }
  return out;
}

/// True if a single point satisfies the conditions.
bool satisfies(const ImpulseSet& set, const VecI& x, const SetTolerances& tolerances) {
  const auto holds = [&](const LinearForm& form, double least) {
    return form.eval(x) >= least * form.eval_scale(x);
  };
  return std::all_of(set.strict.begin(), set.strict.end(),
                     [&](const LinearForm& form) {
                       const double scale = form.eval_scale(x);
                       return scale > 0.0 ? form.eval(x) > tolerances.strict * scale
                                          : tolerances.strict < 0.0;
                     }) &&
         std::all_of(set.inequalities.begin(), set.inequalities.end(),
                     [&](const LinearForm& form) { return holds(form, -tolerances.slack); });
}

/// The points at which each inequality is largest, and the inequalities that are zero everywhere.
struct Extremes {
  Eigen::VectorXd sum;  ///< of the points
  int count = 0;
  Eigen::MatrixXd tight;
};

Extremes find_extremes(const ImpulseMembers& members) {
  const Index d = members.Z.cols();
  Extremes out{Eigen::VectorXd::Zero(d), 0, Eigen::MatrixXd(0, d)};
  for (Index i = 0; i < members.A.rows(); ++i) {
    Eigen::VectorXd y;
    const auto slack = find_largest_slack(members, i, i + 1, y);
    if (!slack) continue;
    out.sum += y;
    ++out.count;
    if (*slack > kProgramZero) continue;
    out.tight.conservativeResize(out.tight.rows() + 1, Eigen::NoChange);
    out.tight.row(out.tight.rows() - 1) = members.A.row(i);
  }
  return out;
}

}  // namespace

LinearForm add(const LinearForm& first, double factor, const LinearForm& second) {
  return {first.a + factor * second.a, first.c + factor * second.c,
          first.scale + std::abs(factor) * second.scale};
}

void ImpulseSet::append(const ImpulseSet& other) {
  equations.insert(equations.end(), other.equations.begin(), other.equations.end());
  inequalities.insert(inequalities.end(), other.inequalities.begin(), other.inequalities.end());
  strict.insert(strict.end(), other.strict.begin(), other.strict.end());
  size = std::max(size, other.size);
}

std::optional<ImpulseMembers> find_members(const ImpulseSet& set, const SetTolerances& tolerances) {
  const Index unknowns = set.equations.front().a.size();
  auto solution = solve_equations(set, unknowns, tolerances);
  if (!solution) return std::nullopt;
  ImpulseMembers out;
  out.x = solution->x;
  out.Z = std::move(solution->Z);
  if (out.Z.cols() == 0) {
    if (!satisfies(set, out.x, tolerances)) return std::nullopt;
    return out;
  }
  const double size = set.size + out.x.cwiseAbs().maxCoeff();
  out.unit = size > 0.0 ? size : 1.0;
  out.strict_count = static_cast<Index>(set.strict.size());
  out.slack = tolerances.slack;
  const auto m = out.strict_count + static_cast<Index>(set.inequalities.size());
  out.A.resize(m, out.Z.cols());
  out.b.resize(m);
  for (Index i = 0; i < m; ++i) {
    const LinearForm& form = i < out.strict_count
                                 ? set.strict[static_cast<std::size_t>(i)]
                                 : set.inequalities[static_cast<std::size_t>(i - out.strict_count)];
    // A contact at rest has no velocity for comparison, so the effect of the impulses is the unit.
    const double divisor = form.eval_scale(out.x) + form.a.cwiseAbs().maxCoeff() * out.unit;
    if (!(divisor > 0.0)) {
      out.A.row(i).setZero();
      out.b[i] = i < out.strict_count ? -1.0 : 0.0;
      continue;
    }
    out.A.row(i) = -(form.a.transpose() * out.Z) * (out.unit / divisor);
    out.b[i] = form.eval(out.x) / divisor + (i < out.strict_count ? 0.0 : tolerances.slack);
  }
  Eigen::VectorXd y;
  const auto slack = find_largest_slack(out, 0, out.strict_count > 0 ? out.strict_count : m, y);
  if (!slack) return std::nullopt;
  if (out.strict_count > 0 ? *slack <= tolerances.strict : *slack < -tolerances.slack) {
    return std::nullopt;
  }
  return out;
}

void centre(ImpulseMembers& members) {
  if (members.Z.cols() == 0) return;
  // The tolerance is reduced as far as members remain, because the set may be empty but for
  // rounding.
  const Index m = members.b.size();
  Eigen::VectorXd y;
  const double left = find_largest_slack(members, members.strict_count, m, y).value_or(0.0);
  members.b.tail(m - members.strict_count).array() -= std::clamp(left, 0.0, members.slack);
  const Extremes extremes = find_extremes(members);
  if (extremes.count == 0) return;
  y = extremes.sum / extremes.count;
  members.x += members.unit * (members.Z * y);
  members.b = (members.b - members.A * y).cwiseMax(0.0);
  const Eigen::MatrixXd& tight = extremes.tight;
  if (tight.rows() == 0) return;
  Eigen::FullPivLU<Eigen::MatrixXd> lu(tight);
  lu.setThreshold(kProgramError);
  if (tight.cwiseAbs().maxCoeff() <= kProgramError) return;
  const Eigen::MatrixXd free = lu.rank() == tight.cols()
                                   ? Eigen::MatrixXd(tight.cols(), 0)
                                   : Eigen::MatrixXd(lu.kernel().colwise().normalized());
  members.Z = (members.Z * free).eval();
  members.A = (members.A * free).eval();
}

Range find_range(const ImpulseMembers& members, const LinearForm& form) {
  const double at = form.eval(members.x);
  if (members.Z.cols() == 0) return {at, at};
  const Eigen::VectorXd gradient = members.Z.transpose() * form.a;
  const double length = gradient.norm();
  if (!(length > kNoGradient * form.a.norm())) return {at, at};
  const auto extreme = [&](double sign) {
    const auto result = solve_linear_program(members.A, members.b, sign / length * gradient);
    return result.status == LinearProgramStatus::kOptimal ? result.value * members.unit * length
                                                          : std::numeric_limits<double>::infinity();
  };
  return {at - extreme(-1.0), at + extreme(1.0)};
}

}  // namespace slipstick
