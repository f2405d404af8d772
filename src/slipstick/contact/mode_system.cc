#include "slipstick/contact/mode_system.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>

#include "slipstick/core/scales.h"

namespace slipstick {
namespace {

/// The equations for a fixed number of unknowns, and a test whether their solution breaks an
/// inequality.
template <int count>
class SmallSystem {
 public:
  SmallSystem(const ScaledProblem& scaled, const Options& options)
      : scaled_(scaled), options_(options) {
    const auto add = [&](Eigen::Index row, double friction) {
      row_[size_] = row;
      friction_[size_++] = friction;
    };
    for (std::size_t i = 0; i < options.size(); ++i) {
      const Option& option = options[i];
      if (!is_closed(option.mode)) continue;
      const auto row = static_cast<Eigen::Index>(2 * i);
      add(row, -option.slip() * option.force * scaled.mu[static_cast<Eigen::Index>(i)]);
      if (option.has_stick_force) add(row + 1, 0.0);
    }
  }

  /// False if the solution may lose more than four digits; it is then left to the full system.
  [[nodiscard]] bool solve() {
    if constexpr (count > 0) {
      Eigen::Matrix<double, count, count> E;
      Eigen::Matrix<double, count, 1> r;
      for (Eigen::Index i = 0; i < count; ++i) {
        for (Eigen::Index j = 0; j < count; ++j) E(i, j) = response(row_[i], j);
        r[i] = -scaled_.a_free[row_[i]];
      }
      const Eigen::Matrix<double, count, count> inverse = E.inverse();
      constexpr double kWell = 1e4;  // entries of the inverse: four digits are lost
      if (!(inverse.cwiseAbs().maxCoeff() < kWell)) return false;
      // If the matrix lacks two ranks, the closed form divides rounding by rounding.
      constexpr double kInverse = 1e-9;  // of the identity: well above rounding times kWell
      if (!(E * inverse).isIdentity(kInverse)) return false;
      x_ = inverse * r;
    }
    return true;
  }

  /// True if the solution breaks an inequality by far.
  [[nodiscard]] bool is_broken() const {
    std::size_t unknown = 0;
    for (std::size_t i = 0; i < options_.size(); ++i) {
      const Option& option = options_[i];
      const auto row = static_cast<Eigen::Index>(2 * i);
      if (!is_closed(option.mode)) {
        if (is_negative(1.0, row)) return true;
        continue;
      }
      const double normal = option.force * x_[unknown++];
      if (is_far_below(normal, scaled_.force_scale + std::abs(normal))) return true;
      if (option.has_stick_force) {
        const double limit = scaled_.mu_s[static_cast<Eigen::Index>(i)] * normal;
        const double tangential = std::abs(x_[unknown++]);
        const double size = scaled_.force_scale + std::abs(limit) + tangential;
        if (is_far_below(limit - tangential, size)) return true;
      }
      const bool rests = scaled_.problem->closed[i].slip_sign == 0;
      if (is_sliding(option.mode) && rests && is_negative(option.slip(), row + 1)) return true;
    }
    return false;
  }

 private:
  /// Acceleration per unit of an unknown.
  [[nodiscard]] double response(Eigen::Index row, Eigen::Index unknown) const {
    const Eigen::Index column = row_[unknown];
    const double friction = friction_[unknown];
    return friction == 0.0 ? scaled_.G(row, column)
                           : scaled_.G(row, column) + friction * scaled_.G(row, column + 1);
  }
  static bool is_far_below(double value, double size) { return value < -kClear * size; }
  [[nodiscard]] bool is_negative(double sign, Eigen::Index row) const {
    double value = scaled_.a_free[row];
    double size = scaled_.a_scale[row];
    for (Eigen::Index j = 0; j < count; ++j) {
      const double term = response(row, j) * x_[j];
      value += term;
      size += std::abs(term);
    }
    return is_far_below(sign * value, size);
  }

  const ScaledProblem& scaled_;
  const Options& options_;
  std::array<Eigen::Index, std::max(count, 1)> row_;
  std::array<double, std::max(count, 1)> friction_;
  Eigen::Matrix<double, std::max(count, 1), 1> x_;
  std::size_t size_ = 0;
};

template <int count>
bool breaks_by_far(const ScaledProblem& scaled, const Options& options) {
  SmallSystem<count> system(scaled, options);
  return system.solve() && system.is_broken();
}

}  // namespace

ScaledProblem make_scaled(const ContactProblem& problem) {
  const int k = problem.closed_count();
  ScaledProblem out;
  out.problem = &problem;
  out.unit = make_contact_units(problem.G);
  out.mu.resize(k);
  out.mu_s.resize(k);
  for (int i = 0; i < k; ++i) {
    const auto& contact = problem.closed[static_cast<std::size_t>(i)];
    const double ratio = out.unit[2 * i] / out.unit[2 * i + 1];
    out.mu[i] = contact.mu * ratio;
    out.mu_s[i] = contact.mu_s * ratio;
  }
  out.G = out.unit.asDiagonal() * problem.G * out.unit.asDiagonal();
  out.a_free = out.unit.cwiseProduct(problem.a_free);
  out.a_scale = out.unit.cwiseProduct(problem.a_scale);
  if (k > 0) out.force_scale = out.a_scale.maxCoeff();
  return out;
}

OptionList list_options(const ClosedContact& contact) {
  OptionList out;
  if (!contact.bilateral) out.push_back({ContactMode::kFree, 0, false});
  const bool either = contact.bilateral && contact.mu_s <= 0.0;
  for (const int sign : {-1, 0, 1}) {
    if (either ? sign != 0 : (contact.bilateral ? sign == 0 : sign != 1)) continue;
    const bool rests = contact.slip_sign == 0;
    const ContactMode mode = make_slip_mode(contact.slip_sign);
    out.push_back({mode, sign, rests && contact.mu_s > 0.0});
    if (!rests || contact.mu_s <= 0.0) continue;
    out.push_back({ContactMode::kSlipPlus, sign, false});
    out.push_back({ContactMode::kSlipMinus, sign, false});
  }
  return out;
}

ModeSystem make_system(const ScaledProblem& scaled, const Options& options) {
  const ContactProblem& problem = *scaled.problem;
  const int k = problem.closed_count();
  ModeSystem out;
  out.F = ModeSystem::Rows::Zero(2 * k, 2 * k);
  boost::container::static_vector<int, 2 * kMaxContacts> rows;
  int unknowns = 0;
  for (int i = 0; i < k; ++i) {
    const Option& option = options[static_cast<std::size_t>(i)];
    if (!is_closed(option.mode)) continue;
    out.F(2 * i, unknowns) = 1.0;
    if (is_sliding(option.mode))
      out.F(2 * i + 1, unknowns) = -option.slip() * option.force * scaled.mu[i];
    ++unknowns;
    rows.push_back(2 * i);
    if (option.has_stick_force) {
      out.F(2 * i + 1, unknowns++) = 1.0;
      rows.push_back(2 * i + 1);
    }
  }
  out.F.conservativeResize(2 * k, unknowns);
  const ModeSystem::Rows accelerations = scaled.G.lazyProduct(out.F);
  const auto locks = problem.lock_free.size();
  const auto count = static_cast<Eigen::Index>(rows.size());
  out.E.resize(count + locks, unknowns);
  out.r.resize(count + locks);
  for (Eigen::Index j = 0; j < count; ++j) {
    out.E.row(j) = accelerations.row(rows[static_cast<std::size_t>(j)]);
    out.r[j] = -scaled.a_free[rows[static_cast<std::size_t>(j)]];
  }
  if (locks > 0) {
    out.E.bottomRows(locks) = problem.lock_G * scaled.unit.asDiagonal() * out.F;
    out.r.tail(locks) = -problem.lock_free;
  }
  const auto add_force = [&](int i, const Vec2C& a, const char* what) {
    out.inequalities.push_back({a, 0.0, scaled.force_scale, i, what});
  };
  const auto add_acceleration = [&](int row, double sign, const char* what) {
    out.inequalities.push_back({sign * accelerations.row(row).transpose(),
                                sign * scaled.a_free[row], scaled.a_scale[row], row / 2, what});
  };
  for (int i = 0; i < k; ++i) {
    const Option& option = options[static_cast<std::size_t>(i)];
    if (!is_closed(option.mode)) {
      add_acceleration(2 * i, 1.0, "normal acceleration");
      continue;
    }
    const Vec2C normal = option.force * out.F.row(2 * i).transpose();
    if (option.force != 0) add_force(i, normal, "normal force");
    if (option.has_stick_force) {
      const Vec2C tangential = out.F.row(2 * i + 1).transpose();
      add_force(i, scaled.mu_s[i] * normal - tangential, "friction cone");
      add_force(i, scaled.mu_s[i] * normal + tangential, "friction cone");
    }
    if (is_sliding(option.mode) && problem.closed[static_cast<std::size_t>(i)].slip_sign == 0) {
      add_acceleration(2 * i + 1, option.slip(), "slip acceleration");
    }
  }
  return out;
}

LinearSolution solve_equations(const ModeSystem& system, double force_scale,
                               const Tolerances& tolerances) {
  LinearSolution out;
  const auto unknowns = system.E.cols();
  out.x = Vec2C::Zero(unknowns);
  out.Z.resize(unknowns, 0);
  if (unknowns == 0) {
    out.exists = system.r.size() == 0 || system.r.cwiseAbs().maxCoeff() <= tolerances.marginal;
    return out;
  }
  if (unknowns == 1 && system.E.rows() == 1) {
    const double pivot = system.E(0, 0);
    if (std::abs(pivot) > tolerances.rank * (1.0 + system.F.cwiseAbs().sum())) {
      out.x[0] = system.r[0] / pivot;
      return out;
    }
  }
  Eigen::FullPivLU<ModeSystem::Rows> lu(system.E);
  const double pivot_scale = system.F.cwiseAbs().colwise().sum().maxCoeff();
  const double largest = lu.maxPivot();
  if (largest > 0.0) lu.setThreshold(std::min(1.0, tolerances.rank * pivot_scale / largest));
  const bool regular = largest > tolerances.rank * pivot_scale;
  const auto rank = regular ? lu.rank() : 0;
  if (rank > 0) out.x = lu.solve(system.r);
  const double residual = (system.E * out.x - system.r).cwiseAbs().maxCoeff();
  out.exists = residual <= kResidual * (force_scale + out.x.cwiseAbs().maxCoeff());
  if (out.exists && rank < unknowns) {
    out.Z = rank > 0 ? Eigen::MatrixXd(lu.kernel()) : Eigen::MatrixXd::Identity(unknowns, unknowns);
    for (Eigen::Index j = 0; j < out.Z.cols(); ++j) out.Z.col(j).normalize();
    // The least member: which one the pivots leave may jump from state to state.
    out.x -= out.Z * out.Z.colPivHouseholderQr().solve(Eigen::VectorXd(out.x));
  }
  return out;
}

bool is_ruled_out(const ScaledProblem& scaled, const Options& options) {
  if (scaled.problem->lock_free.size() > 0) return false;
  int unknowns = 0;
  for (const Option& option : options) {
    if (is_closed(option.mode)) unknowns += option.has_stick_force ? 2 : 1;
  }
  switch (unknowns) {  // sizes with an inverse in closed form
    case 0:
      return breaks_by_far<0>(scaled, options);
    case 1:
      return breaks_by_far<1>(scaled, options);
    case 2:
      return breaks_by_far<2>(scaled, options);
    case 3:
      return breaks_by_far<3>(scaled, options);
    case 4:
      return breaks_by_far<4>(scaled, options);
    default:
      return false;
  }
}

}  // namespace slipstick
