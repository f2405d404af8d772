#include "unit/contact/brute_force.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kSlack = 1e-7;      // closer to an inequality than this: near-marginal
constexpr double kSingular = 1e-11;  // ratio of pivots; problems are of order 1

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// -1, 0, 1 of a letter.
int slip_of(char letter) { return letter == 'P' ? 1 : (letter == 'N' ? -1 : 0); }

std::string word_of(const Pattern& pattern) {
  std::string out;
  for (const ContactPattern& contact : pattern) out += contact.letter;
  return out;
}

enum class Frictionless { kByPattern, kByMotion };

/// A resting contact without friction has three patterns, of which one fits; or, if its letter
/// follows from the motion, one pattern: C. At a bilateral contact the sign of the force is treated
/// alike.
std::vector<ContactPattern> list_contact_patterns(const ClosedContact& contact,
                                                  Frictionless frictionless) {
  const bool by_motion = frictionless == Frictionless::kByMotion && contact.mu_s == 0.0;
  std::string letters = by_motion ? "C" : "SPN";
  if (contact.slip_sign > 0) letters = "P";
  if (contact.slip_sign < 0) letters = "N";
  std::vector<ContactPattern> out;
  if (!contact.bilateral) out.push_back({'F', 1});
  for (const char letter : letters) {
    if (contact.bilateral && by_motion) {
      out.push_back({letter, 0});
      continue;
    }
    out.push_back({letter, 1});
    if (contact.bilateral) out.push_back({letter, -1});
  }
  return out;
}

/// Every pattern that the contacts' slips allow.
std::vector<Pattern> list_patterns(const ContactEquations& equations, Frictionless frictionless) {
  std::vector<Pattern> out{{}};
  for (const ClosedContact& contact : equations.contacts) {
    std::vector<Pattern> longer;
    for (const Pattern& start : out) {
      for (const ContactPattern& next : list_contact_patterns(contact, frictionless)) {
        longer.push_back(start);
        longer.back().push_back(next);
      }
    }
    out = std::move(longer);
  }
  return out;
}

/// A z = r, and B z + c >= 0 with every row of order 1.
struct PatternSystem {
  MatrixXd A, B;
  VectorXd r, c;
};

class SystemMaker {
 public:
  SystemMaker(const ContactEquations& equations, const Pattern& pattern)
      : equations_(equations),
        n_(equations.size()),
        k_(equations.contact_count()),
        row_(equations.size()) {
    const Index size = n_ + 2 * k_;
    out_.A = MatrixXd::Zero(size, size);
    out_.r = VectorXd::Zero(size);
    out_.A.topLeftCorner(n_, n_) = equations.M;
    out_.A.block(0, n_, n_, k_) = -equations.W_n;
    out_.A.block(0, n_ + k_, n_, k_) = -equations.W_t;
    out_.r.head(n_) = -equations.h;
    out_.B = MatrixXd::Zero(4 * k_, size);
    out_.c = VectorXd::Zero(4 * k_);
    for (Index i = 0; i < k_; ++i) add(i, pattern[at(i)]);
    out_.B.conservativeResize(inequalities_, size);
    out_.c.conservativeResize(inequalities_);
  }
  [[nodiscard]] PatternSystem take() { return std::move(out_); }

 private:
  [[nodiscard]] Index normal(Index i) const { return n_ + i; }
  [[nodiscard]] Index tangent(Index i) const { return n_ + k_ + i; }

  void add(Index i, const ContactPattern& pattern) {
    const ClosedContact& contact = equations_.contacts[at(i)];
    if (pattern.letter == 'F') {
      out_.A(row_++, normal(i)) = 1.0;
      out_.A(row_++, tangent(i)) = 1.0;
      add_acceleration_inequality(equations_.W_n.col(i), equations_.bias_n[i], 1.0);
      return;
    }
    add_acceleration_equation(equations_.W_n.col(i), equations_.bias_n[i]);
    if (pattern.force_sign != 0) out_.B(inequalities_++, normal(i)) = pattern.force_sign;
    if (pattern.letter == 'S') {
      add_acceleration_equation(equations_.W_t.col(i), equations_.bias_t[i]);
      for (const double side : {1.0, -1.0}) {
        out_.B(inequalities_, normal(i)) = pattern.force_sign * contact.mu_s;
        out_.B(inequalities_++, tangent(i)) = side;
      }
      return;
    }
    const int slip = slip_of(pattern.letter);
    out_.A(row_, tangent(i)) = 1.0;
    out_.A(row_++, normal(i)) = slip * pattern.force_sign * contact.mu;
    if (contact.slip_sign == 0 && slip != 0) {
      add_acceleration_inequality(equations_.W_t.col(i), equations_.bias_t[i], slip);
    }
  }

  void add_acceleration_equation(const VectorXd& w, double bias) {
    out_.A.row(row_).head(n_) = w.transpose();
    out_.r[row_++] = -bias;
  }

  void add_acceleration_inequality(const VectorXd& w, double bias, double sign) {
    out_.B.row(inequalities_).head(n_) = sign * w.transpose();
    out_.c[inequalities_++] = sign * bias;
  }

  const ContactEquations& equations_;
  Index n_, k_;
  Index row_, inequalities_ = 0;
  PatternSystem out_;
};

enum class EquationsAre { kRegular, kIncompatible, kFamily, kUnclear };

/// Solutions z + K y of A z = r.
struct AffineSolutions {
  EquationsAre kind = EquationsAre::kRegular;
  VectorXd z;
  MatrixXd K;
};

AffineSolutions solve_equations(const PatternSystem& system) {
  AffineSolutions out;
  Eigen::FullPivLU<MatrixXd> lu(system.A);
  const VectorXd pivots = lu.matrixLU().diagonal().cwiseAbs() / lu.maxPivot();
  const auto is_unclear = [](double pivot) { return pivot > kSingular && pivot < kSlack; };
  if (std::any_of(pivots.begin(), pivots.end(), is_unclear)) {
    out.kind = EquationsAre::kUnclear;
    return out;
  }
  lu.setThreshold(kSingular);
  out.z = lu.solve(system.r);
  if (lu.isInvertible()) {
    out.K.resize(system.A.cols(), 0);
    return out;
  }
  const double residual = (system.A * out.z - system.r).cwiseAbs().maxCoeff();
  constexpr double kCompatible = 1e-10;
  if (residual > kCompatible) {
    out.kind = residual > kSlack ? EquationsAre::kIncompatible : EquationsAre::kUnclear;
    return out;
  }
  out.kind = EquationsAre::kFamily;
  out.K = lu.kernel();
  for (Index j = 0; j < out.K.cols(); ++j) out.K.col(j).normalize();
  return out;
}

/// Least B z + c, each compared with the size of its terms and of the forces.
double find_slack(const PatternSystem& system, const VectorXd& z) {
  double least = std::numeric_limits<double>::infinity();
  const double size = std::max(1.0, z.cwiseAbs().maxCoeff());
  for (Index i = 0; i < system.B.rows(); ++i) {
    least = std::min(least, (system.B.row(i).dot(z) + system.c[i]) / size);
  }
  return least;
}

/// Calls `visit` with every choice of `count` of the numbers below `total`.
template <class Visit>
void for_each_choice(Index total, Index count, const Visit& visit) {
  std::vector<Index> chosen(at(count));
  for (Index i = 0; i < count; ++i) chosen[at(i)] = i;
  while (count <= total) {
    visit(chosen);
    Index i = count - 1;
    while (i >= 0 && chosen[at(i)] == total - count + i) --i;
    if (i < 0) return;
    ++chosen[at(i)];
    for (Index j = i + 1; j < count; ++j) chosen[at(j)] = chosen[at(j - 1)] + 1;
  }
}

/// D y + e >= 0.
struct Polyhedron {
  MatrixXd D;
  VectorXd e;
};

/// With |y| <= width as well.
Polyhedron make_boxed(const Polyhedron& polyhedron, double width) {
  const Index m = polyhedron.D.rows();
  const Index d = polyhedron.D.cols();
  Polyhedron out{MatrixXd(m + 2 * d, d), VectorXd(m + 2 * d)};
  out.D.topRows(m) = polyhedron.D;
  out.D.middleRows(m, d).setIdentity();
  out.D.bottomRows(d) = -MatrixXd::Identity(d, d);
  out.e.head(m) = polyhedron.e;
  out.e.tail(2 * d).setConstant(width);
  return out;
}

/// Corners found one by one: as many rows as unknowns hold with equality.
std::vector<VectorXd> find_corners(const Polyhedron& polyhedron) {
  std::vector<VectorXd> corners;
  const Index d = polyhedron.D.cols();
  for_each_choice(polyhedron.D.rows(), d, [&](const std::vector<Index>& rows) {
    const MatrixXd D = polyhedron.D(rows, Eigen::all);
    const VectorXd e = polyhedron.e(rows);
    const Eigen::FullPivLU<MatrixXd> lu(D);
    if (lu.matrixLU().diagonal().cwiseAbs().minCoeff() < 1e-9) return;  // rows are of order 1
    const VectorXd y = lu.solve(-e);
    const VectorXd left = polyhedron.D * y + polyhedron.e;
    constexpr double kRounding = 1e-11;
    const double size = std::max(1.0, y.cwiseAbs().maxCoeff());
    if (left.minCoeff() >= -kRounding * size) corners.push_back(y);
  });
  return corners;
}

VectorXd find_mean(const std::vector<VectorXd>& points) {
  VectorXd sum = VectorXd::Zero(points.front().size());
  for (const VectorXd& point : points) sum += point;
  return sum / static_cast<double>(points.size());
}

/// Fills the ranges and the point inside; false if there are no solutions.
bool describe_family(const PatternSystem& system, const AffineSolutions& solutions,
                     BruteForceFamily& out) {
  const MatrixXd& K = solutions.K;
  Polyhedron polyhedron{system.B * K, system.B * solutions.z + system.c};
  std::vector<VectorXd> corners = find_corners(polyhedron);
  // A polyhedron that holds whole lines has no corners; those in a box stand in.
  constexpr double kWide = 1e2;
  if (corners.empty()) corners = find_corners(make_boxed(polyhedron, kWide));
  if (corners.empty()) return false;
  // Directions in which it goes on forever: the same without the constants. 0 is among them.
  polyhedron.e.setZero();
  const std::vector<VectorXd> rays = find_corners(make_boxed(polyhedron, 1.0));

  const double infinity = std::numeric_limits<double>::infinity();
  out.dimension = static_cast<int>(K.cols());
  out.least = VectorXd::Constant(solutions.z.size(), infinity);
  out.greatest = -out.least;
  for (const VectorXd& y : corners) {
    out.least = out.least.cwiseMin(solutions.z + K * y);
    out.greatest = out.greatest.cwiseMax(solutions.z + K * y);
  }
  out.inside = solutions.z + K * (find_mean(corners) + find_mean(rays));
  for (const VectorXd& y : rays) {
    const VectorXd direction = K * y;
    constexpr double kZero = 1e-8;
    for (Index i = 0; i < direction.size(); ++i) {
      if (direction[i] < -kZero) out.least[i] = -infinity;
      if (direction[i] > kZero) out.greatest[i] = infinity;
    }
  }
  return true;
}

/// The pattern's word, with C replaced by the contact's actual mode.
void name_by_motion(const ContactEquations& equations, BruteForceFamily& family) {
  family.word = word_of(family.pattern);
  for (std::size_t i = 0; i < family.word.size(); ++i) {
    if (family.word[i] != 'C') continue;
    const auto c = static_cast<Index>(i);
    const VectorXd v_dot = family.inside.head(equations.size());
    const double a_t = equations.W_t.col(c).dot(v_dot) + equations.bias_t[c];
    const double size = std::max(1.0, v_dot.cwiseAbs().maxCoeff());
    family.word[i] = std::abs(a_t) <= 1e-10 * size ? 'S' : (a_t > 0.0 ? 'P' : 'N');
  }
}

}  // namespace

BruteForceResult find_by_brute_force(const ContactEquations& equations) {
  const Index n = equations.size();
  const Index k = equations.contact_count();
  BruteForceResult out;
  for (const Pattern& pattern : list_patterns(equations, Frictionless::kByPattern)) {
    const PatternSystem system = SystemMaker(equations, pattern).take();
    const AffineSolutions solutions = solve_equations(system);
    if (solutions.kind == EquationsAre::kUnclear) out.near_marginal = true;
    if (solutions.kind == EquationsAre::kFamily) out.degenerate = true;
    if (solutions.kind != EquationsAre::kRegular) continue;
    const VectorXd& z = solutions.z;
    const double slack = find_slack(system, z);
    if (std::abs(slack) <= kSlack) out.near_marginal = true;
    if (slack <= kSlack) continue;
    out.solutions.push_back({word_of(pattern), z.head(n), z.segment(n, k), z.tail(k)});
    for (Index i = 0; i < k; ++i) {  // 0 and not the rounding of the elimination
      if (pattern[at(i)].letter == 'F') out.solutions.back().force_n[i] = 0.0;
    }
  }
  std::sort(out.solutions.begin(), out.solutions.end(),
            [](const BruteForceSolution& a, const BruteForceSolution& b) {
              if (a.word != b.word) return a.word < b.word;
              return std::lexicographical_compare(a.force_n.begin(), a.force_n.end(),
                                                  b.force_n.begin(), b.force_n.end());
            });
  return out;
}

BruteForceFamilies find_families_by_brute_force(const ContactEquations& equations) {
  BruteForceFamilies out;
  for (const Pattern& pattern : list_patterns(equations, Frictionless::kByMotion)) {
    const PatternSystem system = SystemMaker(equations, pattern).take();
    const AffineSolutions solutions = solve_equations(system);
    if (solutions.kind == EquationsAre::kUnclear) out.near_marginal = true;
    const bool exists =
        solutions.kind == EquationsAre::kRegular || solutions.kind == EquationsAre::kFamily;
    if (!exists || solutions.K.cols() > kMaxBruteForceDimension) continue;
    BruteForceFamily family{"", pattern, 0, solutions.z, solutions.z, solutions.z};
    if (solutions.K.cols() > 0 && !describe_family(system, solutions, family)) continue;
    const double slack = find_slack(system, family.inside);
    // A quantity that is zero by structure (the other foot of a rigid body sticks, too) is not a
    // close decision.
    constexpr double kStructural = 1e-11;
    if (std::abs(slack) <= kSlack && std::abs(slack) > kStructural) out.near_marginal = true;
    if (slack <= kSlack) continue;
    name_by_motion(equations, family);
    out.families.push_back(std::move(family));
  }
  return out;
}

}  // namespace slipstick
