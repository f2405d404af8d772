#include "slipstick/impact/simultaneous.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "slipstick/core/linear_program.h"
#include "slipstick/model/dynamics.h"

namespace slipstick {
namespace {

auto count(const ModeWord& word, char letter) {
  return std::count(word.begin(), word.end(), letter);
}

/// What one contact does in the expansion.
struct Expansion {
  bool active = false;  ///< an impulse beyond the restitution's keeps it closed
  char letter = 'S';
};

/// Expansion of one assumption about all contacts, with the restitution's normal impulses given.
class ExpansionProblem {
 public:
  ExpansionProblem(const ImpactProblem& problem, const ImpactOutcome& compression,
                   const Tolerances& tolerances)
      : contacts_(problem.contacts), compression_(compression), tolerances_(tolerances) {
    const int k = contacts_.closed_count();
    given_ = VecC(k);
    before_ = contacts_.a_free;
    Vec2C impulse(2 * k);
    for (int i = 0; i < k; ++i) {
      const int c = contacts_.closed[static_cast<std::size_t>(i)].index;
      const bool bilateral = contacts_.closed[static_cast<std::size_t>(i)].bilateral;
      given_[i] = bilateral ? 0.0 : problem.restitution[i] * compression.impulse_n[c];
      impulse[2 * i] = compression.impulse_n[c];
      impulse[2 * i + 1] = compression.impulse_t[c];
    }
    before_ += contacts_.G * impulse;
    size_ = impulse.cwiseAbs().maxCoeff();
  }

  [[nodiscard]] std::vector<ImpactOutcome> find() {
    const auto k = contacts_.closed.size();
    std::vector<Expansion> all;
    for (const bool active : {false, true}) {
      for (const char letter : {'S', 'P', 'N'}) all.push_back({active, letter});
    }
    std::vector<std::size_t> digit(k, 0);
    std::vector<Expansion> choice(k);
    while (true) {
      for (std::size_t i = 0; i < k; ++i) choice[i] = all[digit[i]];
      try_choice(choice);
      std::size_t i = 0;
      while (i < k && ++digit[i] == all.size()) digit[i++] = 0;
      if (i == k) break;
    }
    std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
      if (a.active != b.active) return a.active < b.active;
      return count(a.outcome.modes, 'S') > count(b.outcome.modes, 'S');
    });
    std::vector<ImpactOutcome> out;
    for (Found& found : found_) {
      const auto same = [&](const ImpactOutcome& other) {
        const double scale = found.outcome.v_plus.cwiseAbs().maxCoeff();
        return (found.outcome.v_plus - other.v_plus).cwiseAbs().maxCoeff() <= 1e-9 * scale;
      };
      if (std::none_of(out.begin(), out.end(), same)) out.push_back(std::move(found.outcome));
    }
    return out;
  }

 private:
  struct Found {
    ImpactOutcome outcome;
    int active = 0;
  };

  /// Sign of a contact's normal impulse: a bilateral one pushes as in the compression.
  [[nodiscard]] double side(int i) const {
    const ClosedContact& contact = contacts_.closed[static_cast<std::size_t>(i)];
    return contact.bilateral && compression_.impulse_n[contact.index] < 0.0 ? -1.0 : 1.0;
  }

  /// Unknowns: extra normal impulses of active contacts, tangential impulses of sticking ones.
  void try_choice(const std::vector<Expansion>& choice) {
    const int k = contacts_.closed_count();
    for (int i = 0; i < k; ++i) {  // bilateral contacts stay closed
      const bool bilateral = contacts_.closed[static_cast<std::size_t>(i)].bilateral;
      if (bilateral && !choice[static_cast<std::size_t>(i)].active) return;
    }
    Eigen::MatrixXd F = Eigen::MatrixXd::Zero(2 * k, 2 * k);
    Vec2C fixed = Vec2C::Zero(2 * k);
    std::vector<Eigen::Index> rows;
    int active = 0;
    for (int i = 0; i < k; ++i) {
      const Expansion& e = choice[static_cast<std::size_t>(i)];
      const double mu = contacts_.closed[static_cast<std::size_t>(i)].mu;
      const double friction = (e.letter == 'S' ? 0.0 : (e.letter == 'P' ? -mu : mu)) * side(i);
      fixed[2 * i] = given_[i];
      fixed[2 * i + 1] = friction * given_[i];
      if (e.active) {
        F(2 * i, static_cast<Eigen::Index>(rows.size())) = 1.0;
        F(2 * i + 1, static_cast<Eigen::Index>(rows.size())) = friction;
        rows.push_back(2 * i);
        ++active;
      }
      if (e.letter == 'S' && mu > 0.0) {
        F(2 * i + 1, static_cast<Eigen::Index>(rows.size())) = 1.0;
        rows.push_back(2 * i + 1);
      }
    }
    const auto m = static_cast<Eigen::Index>(rows.size());
    F.conservativeResize(2 * k, m);
    Vec2C impulse = fixed;
    if (m > 0) {
      const Eigen::MatrixXd E = (contacts_.G * F)(rows, Eigen::all);
      const Eigen::VectorXd r = -(before_ + contacts_.G * fixed)(rows);
      Eigen::FullPivLU<Eigen::MatrixXd> lu(E);
      lu.setThreshold(tolerances_.rank);
      impulse += F * lu.solve(r);
      if (lu.dimensionOfKernel() > 0) {
        const Eigen::VectorXd left = (before_ + contacts_.G * impulse)(rows);
        if (left.cwiseAbs().maxCoeff() > tolerances_.marginal * contacts_.a_scale.maxCoeff())
          return;
        spread(choice, F * lu.kernel(), impulse);
      }
    }
    accept(choice, impulse, active);
  }

  /// Redundant contacts: moves the impulses along directions that change no velocity of theirs to
  /// where the smallest of their inequalities is largest.
  void spread(const std::vector<Expansion>& choice, const Eigen::MatrixXd& directions,
              Vec2C& impulse) const {
    const int k = contacts_.closed_count();
    const auto d = directions.cols();
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3 * k + 1, d + 1);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(3 * k + 1);
    int row = 0;
    const auto demand = [&](const Eigen::VectorXd& gradient, double value) {
      A.row(row).head(d) = -gradient.transpose() * directions;  // value + gradient . x >= slack
      A(row, d) = 1.0;
      b[row++] = value;
    };
    for (int i = 0; i < k; ++i) {
      const Eigen::VectorXd normal = Eigen::VectorXd::Unit(2 * k, 2 * i);
      const Eigen::VectorXd tangent = Eigen::VectorXd::Unit(2 * k, 2 * i + 1);
      if (choice[static_cast<std::size_t>(i)].active) demand(normal, impulse[2 * i] - given_[i]);
      if (choice[static_cast<std::size_t>(i)].letter != 'S') continue;
      const double mu = contacts_.closed[static_cast<std::size_t>(i)].mu;
      for (const double side : {-1.0, 1.0}) {
        demand(mu * normal + side * tangent, mu * impulse[2 * i] + side * impulse[2 * i + 1]);
      }
    }
    A(row, d) = 1.0;  // bounded: the slack need not exceed the impulses
    b[row++] = size_;
    const LinearProgramResult best =
        solve_linear_program(A.topRows(row), b.head(row), Eigen::VectorXd::Unit(d + 1, d));
    if (best.status == LinearProgramStatus::kOptimal) impulse += directions * best.x.head(d);
  }

  void accept(const std::vector<Expansion>& choice, const Vec2C& impulse, int active) {
    const int k = contacts_.closed_count();
    const Vec2C after = before_ + contacts_.G * impulse;
    const Vec2C scale = contacts_.a_scale + contacts_.G.cwiseAbs() * impulse.cwiseAbs();
    const double small = tolerances_.marginal * (size_ + impulse.cwiseAbs().maxCoeff());
    Found found{{ModeWord(contacts_.status.size(), 'F'),
                 compression_.impulse_n,
                 compression_.impulse_t,
                 {}},
                active};
    for (int i = 0; i < k; ++i) {
      const Expansion& e = choice[static_cast<std::size_t>(i)];
      const ClosedContact& contact = contacts_.closed[static_cast<std::size_t>(i)];
      const double slack = tolerances_.marginal * scale[2 * i];
      const double extra = side(i) * (impulse[2 * i] - given_[i]);
      const bool free_sign = contact.bilateral && contact.mu <= 0.0;
      if (e.active ? extra < -small && !free_sign : after[2 * i] < -slack) return;
      const double slip = after[2 * i + 1];
      if (e.letter == 'P' && slip < 0.0) return;
      if (e.letter == 'N' && slip > 0.0) return;
      if (e.letter == 'S' && std::abs(impulse[2 * i + 1]) > contact.mu * impulse[2 * i] + small) {
        return;
      }
      found.outcome.impulse_n[contact.index] += impulse[2 * i];
      found.outcome.impulse_t[contact.index] += impulse[2 * i + 1];
      const bool opens = !e.active && after[2 * i] > slack;
      found.outcome.modes[static_cast<std::size_t>(contact.index)] = opens ? 'F' : e.letter;
    }
    Vec2C total = impulse;
    for (int i = 0; i < k; ++i) {
      const int c = contacts_.closed[static_cast<std::size_t>(i)].index;
      total[2 * i] = found.outcome.impulse_n[c];
      total[2 * i + 1] = found.outcome.impulse_t[c];
    }
    found.outcome.v_plus = contacts_.free_acceleration + contacts_.M_inverse_W * total;
    found_.push_back(std::move(found));
  }

  const ContactProblem& contacts_;
  const ImpactOutcome& compression_;
  Tolerances tolerances_;
  VecC given_;    ///< restitution's normal impulses
  Vec2C before_;  ///< contact velocities after the compression
  double size_ = 0.0;
  std::vector<Found> found_;
};

}  // namespace

ImpactProblem make_impact_problem(const Model& model, const State& state,
                                  const PerContact<int>& contacts, const Tolerances& tolerances) {
  PerContact<ClosedContact> closed;
  ImpactProblem out;
  out.restitution.resize(static_cast<Eigen::Index>(contacts.size()));
  for (const int i : contacts) {
    const Contact& contact = model.contacts[static_cast<std::size_t>(i)];
    out.restitution[static_cast<Eigen::Index>(closed.size())] = contact.restitution;
    // Friction of motion acts in impacts; the slip after the impact decides its sign.
    closed.push_back({i, contact.mu, contact.mu, 0, contact.bilateral});
  }
  const ContactKinematics kinematics = eval_contact_kinematics(model, state);
  out.contacts = make_contact_problem(model, state, kinematics, closed, tolerances);
  out.contacts.free_acceleration = state.v;
  out.contacts.lock_free.resize(0);
  out.contacts.lock_G.resize(0, out.contacts.G.cols());
  for (std::size_t j = 0; j < contacts.size(); ++j) {
    const int i = contacts[j];
    const auto row = static_cast<Eigen::Index>(2 * j);
    const VecQ speed = state.v.cwiseAbs();
    const double path_rate = kinematics.W_t.col(i).dot(state.v);
    out.contacts.a_free[row] = kinematics.gap_rate[i];
    out.contacts.a_free[row + 1] = kinematics.slip[i];
    out.contacts.a_scale[row] = kinematics.W_n.col(i).cwiseAbs().dot(speed);
    out.contacts.a_scale[row + 1] =
        kinematics.W_t.col(i).cwiseAbs().dot(speed) + std::abs(kinematics.slip[i] - path_rate);
  }
  return out;
}

std::vector<ImpactOutcome> find_inelastic_outcomes(const ImpactProblem& problem,
                                                   const Tolerances& tolerances) {
  const std::vector<std::string> no_names(problem.contacts.status.size());
  std::vector<ImpactOutcome> out;
  const double size = tolerances.marginal * problem.contacts.a_scale.maxCoeff();
  for (ModeSolution& solution :
       find_consistent_modes(problem.contacts, no_names, tolerances).solutions) {
    const VecQ change = solution.acceleration - problem.contacts.free_acceleration;
    if (!problem.collides && change.cwiseAbs().maxCoeff() <= size) continue;
    out.push_back({solution.modes, solution.force_n, solution.force_t, solution.acceleration});
  }
  std::stable_sort(out.begin(), out.end(), [](const ImpactOutcome& a, const ImpactOutcome& b) {
    if (count(a.modes, 'F') != count(b.modes, 'F')) {
      return count(a.modes, 'F') < count(b.modes, 'F');
    }
    return count(a.modes, 'S') > count(b.modes, 'S');
  });
  return out;
}

std::vector<ImpactOutcome> find_poisson_outcomes(const ImpactProblem& problem,
                                                 const Tolerances& tolerances) {
  std::vector<ImpactOutcome> compressions = find_inelastic_outcomes(problem, tolerances);
  if (compressions.empty() || problem.restitution.maxCoeff() <= 0.0) return compressions;
  return ExpansionProblem(problem, compressions.front(), tolerances).find();
}

}  // namespace slipstick
