/// Every outcome of random impacts against the laws, by plain arithmetic on G and M^-1 W; redundant
/// contacts, exact ties, contacts without friction and bilateral ones among them.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

#include "slipstick/impact/simultaneous.h"
#include "slipstick/mode_letters.h"

namespace slipstick {
namespace {

/// Contacts of one mechanism with unit masses: W has a column per contact direction.
ImpactProblem make_problem(const Eigen::MatrixXd& W, const VecQ& v, const Vec2C& surface) {
  const auto k = static_cast<int>(W.cols() / 2);
  ImpactProblem out;
  ContactProblem& contacts = out.contacts;
  contacts.M_inverse_W = W;
  contacts.G = W.transpose() * W;
  contacts.free_acceleration = v;
  contacts.a_free = W.transpose() * v - surface;
  contacts.a_scale = W.cwiseAbs().transpose() * v.cwiseAbs() + surface.cwiseAbs();
  contacts.lock_G.resize(0, 2 * k);
  contacts.lock_free.resize(0);
  out.restitution = VecC::Zero(k);
  for (int i = 0; i < k; ++i) {
    contacts.closed.push_back({i, 0.0, 0.0, 0, false});
    contacts.status.push_back(ContactStatus::kClosed);
  }
  return out;
}

class RandomImpacts {
 public:
  explicit RandomImpacts(unsigned seed) : random_(seed) {}

  double draw() { return unit_(random_); }

  ImpactProblem make(int kind) {
    const int k = 2 + static_cast<int>(std::abs(draw()) * 2.99);
    const int n = 3 + (kind % 2);
    Eigen::MatrixXd W(n, 2 * k);
    for (Eigen::Index i = 0; i < W.size(); ++i) W(i) = draw();
    if (kind % 3 == 0) {  // feet of one body on one line
      W = Eigen::MatrixXd::Zero(n, 2 * k);
      for (int i = 0; i < k; ++i) {
        W(0, 2 * i + 1) = 1.0;
        W(1, 2 * i) = 1.0;
        W(2, 2 * i) = 0.5 * i - 0.25 * (k - 1);
        W(2, 2 * i + 1) = 0.4;
      }
    }
    VecQ v(n);
    for (Eigen::Index i = 0; i < n; ++i) v[i] = draw();
    if (kind % 6 == 0) v[2] = 0.0;  // lands flat
    if (kind % 12 == 0) v[0] = 0.0;
    ImpactProblem out = make_problem(W, v, Vec2C::Zero(2 * k));
    for (ClosedContact& contact : out.contacts.closed) {
      contact.mu = contact.mu_s = std::max(0.0, 1.5 * draw());
      contact.bilateral = kind % 5 == 4 && draw() > 0.0;
    }
    return out;
  }

  static bool collides(const ImpactProblem& problem) {
    for (int i = 0; i < problem.contacts.closed_count(); ++i) {
      if (problem.contacts.a_free[2 * i] < -1e-3) return true;
    }
    return false;
  }

 private:
  std::mt19937 random_;
  std::uniform_real_distribution<double> unit_{-1.0, 1.0};
};

/// Momentum, signs and cones; returns the contact velocities after the impact.
Vec2C check_impulses(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  const ContactProblem& contacts = problem.contacts;
  const int k = contacts.closed_count();
  Vec2C impulse(2 * k);
  for (int i = 0; i < k; ++i) {
    impulse[2 * i] = outcome.impulse_n[i];
    impulse[2 * i + 1] = outcome.impulse_t[i];
  }
  const double small = 1e-8 * (1.0 + impulse.cwiseAbs().maxCoeff());
  const VecQ v = contacts.free_acceleration + contacts.M_inverse_W * impulse;
  EXPECT_LT((v - outcome.v_plus).cwiseAbs().maxCoeff(), small);
  const Vec2C after = contacts.a_free + contacts.G * impulse;
  for (int i = 0; i < k; ++i) {
    const ClosedContact& contact = contacts.closed[static_cast<std::size_t>(i)];
    const double normal = contact.bilateral ? std::abs(impulse[2 * i]) : impulse[2 * i];
    EXPECT_GE(normal, -small);
    // Friction of both stages adds up where a bilateral contact changes its side between them.
    if (!outcome.pushes_and_pulls || !contact.bilateral) {
      EXPECT_LE(std::abs(impulse[2 * i + 1]), contact.mu * normal + small);
    }
    EXPECT_GE(after[2 * i], -small);
    if (contact.bilateral) {
      EXPECT_LE(std::abs(after[2 * i]), small);
    }
  }
  return after;
}

double eval_work(const ImpactProblem& problem, const ImpactOutcome& outcome, const Vec2C& after) {
  double out = 0.0;
  for (int i = 0; i < problem.contacts.closed_count(); ++i) {
    out += 0.5 * outcome.impulse_n[i] * (problem.contacts.a_free[2 * i] + after[2 * i]);
    out += 0.5 * outcome.impulse_t[i] * (problem.contacts.a_free[2 * i + 1] + after[2 * i + 1]);
  }
  return out;
}

TEST(OutcomeLaws, InelasticOutcomesObeyThem) {
  RandomImpacts random(11);
  int families = 0;
  int tried = 0;
  for (int kind = 0; kind < 1500; ++kind) {
    const ImpactProblem problem = random.make(kind);
    if (!RandomImpacts::collides(problem)) continue;
    SCOPED_TRACE(kind);
    const auto outcomes = find_inelastic_outcomes(problem, {});
    const bool unilateral = kind % 5 != 4;
    // [Or2021] sec. II: contacts that only push always have an outcome.
    if (unilateral) {
      ASSERT_FALSE(outcomes.empty());
    }
    ++tried;
    for (std::size_t a = 0; a < outcomes.size(); ++a) {
      const ImpactOutcome& outcome = outcomes[a];
      const Vec2C after = check_impulses(problem, outcome);
      const double small = 1e-8 * (1.0 + outcome.impulse_n.cwiseAbs().maxCoeff());
      for (int i = 0; i < problem.contacts.closed_count(); ++i) {
        const ClosedContact& contact = problem.contacts.closed[static_cast<std::size_t>(i)];
        const double normal = std::abs(outcome.impulse_n[i]);
        EXPECT_LE(std::abs(after[2 * i] * normal), small);
        // Friction opposes the slip that is left.
        const double slip = after[2 * i + 1];
        EXPECT_NEAR(outcome.impulse_t[i] * slip, -contact.mu * normal * std::abs(slip), small);
      }
      EXPECT_LE(eval_work(problem, outcome, after), small);
      if (outcome.family) ++families;
      for (std::size_t b = 0; b < a; ++b) {  // each once
        EXPECT_GT((outcome.v_plus - outcomes[b].v_plus).cwiseAbs().maxCoeff(), 1e-10);
      }
    }
  }
  EXPECT_GT(tried, 500);
  EXPECT_GT(families, 50);
}

TEST(OutcomeLaws, PoissonOutcomesObeyThemAndTellGainsOfEnergy) {
  RandomImpacts random(12);
  int gains = 0;
  int preferred_gains = 0;
  for (int kind = 0; kind < 600; ++kind) {
    ImpactProblem problem = random.make(kind);
    if (!RandomImpacts::collides(problem)) continue;
    for (double& e : problem.restitution) e = std::abs(random.draw());
    SCOPED_TRACE(kind);
    const auto outcomes = find_poisson_outcomes(problem, {});
    if (kind % 5 != 4) {
      ASSERT_FALSE(outcomes.empty());
    }
    bool some_lose = false;
    for (const ImpactOutcome& outcome : outcomes) some_lose |= !outcome.creates_energy;
    for (const ImpactOutcome& outcome : outcomes) {
      const Vec2C after = check_impulses(problem, outcome);
      const double small = 1e-8 * (1.0 + outcome.impulse_n.cwiseAbs().maxCoeff());
      const double work = eval_work(problem, outcome, after);
      if (work > small) {
        EXPECT_TRUE(outcome.creates_energy);
      }
      if (work < -small) {
        EXPECT_FALSE(outcome.creates_energy);
      }
      gains += work > small ? 1 : 0;
    }
    if (outcomes.empty()) continue;
    EXPECT_EQ(outcomes.front().creates_energy, !some_lose);
    preferred_gains += outcomes.front().creates_energy ? 1 : 0;
  }
  RecordProperty("gains", gains);
  RecordProperty("preferred_gains", preferred_gains);
}

/// Fremond's law without collision: friction opposes the sum of the slips before and after.
TEST(OutcomeLaws, FremondsOutcomesOpposeTheMeanSlip) {
  RandomImpacts random(13);
  int found = 0;
  for (int kind = 0; kind < 2000; ++kind) {
    ImpactProblem problem = random.make(kind);
    // No gap rate before: the velocities within the surfaces only.
    Eigen::MatrixXd normals(problem.contacts.M_inverse_W.rows(), problem.contacts.closed_count());
    for (int i = 0; i < problem.contacts.closed_count(); ++i) {
      normals.col(i) = problem.contacts.M_inverse_W.col(2 * i);
    }
    Eigen::FullPivLU<Eigen::MatrixXd> lu(normals.transpose());
    lu.setThreshold(1e-9);
    if (lu.dimensionOfKernel() == 0) continue;
    const Eigen::MatrixXd W = problem.contacts.M_inverse_W;
    const VecQ v = lu.kernel().col(0).normalized();
    const PerContact<ClosedContact> closed = problem.contacts.closed;
    problem = make_problem(W, v, Vec2C::Zero(W.cols()));
    problem.contacts.closed = closed;
    for (int i = 0; i < problem.contacts.closed_count(); ++i) problem.contacts.a_free[2 * i] = 0.0;
    for (ClosedContact& contact : problem.contacts.closed) contact.mu *= 3.0;
    problem.collides = false;
    problem.opposes_mean_slip = true;
    SCOPED_TRACE(kind);
    for (const ImpactOutcome& outcome : find_inelastic_outcomes(problem, {})) {
      ++found;
      const Vec2C after = check_impulses(problem, outcome);
      const double small = 1e-7 * (1.0 + outcome.impulse_n.cwiseAbs().maxCoeff());
      EXPECT_GT((outcome.v_plus - v).cwiseAbs().maxCoeff(), 1e-10);  // an impulse acts
      for (int i = 0; i < problem.contacts.closed_count(); ++i) {
        const double sum = problem.contacts.a_free[2 * i + 1] + after[2 * i + 1];
        const double limit = problem.contacts.closed[static_cast<std::size_t>(i)].mu *
                             std::abs(outcome.impulse_n[i]);
        EXPECT_NEAR(outcome.impulse_t[i] * sum, -limit * std::abs(sum), small);
      }
    }
  }
  EXPECT_GT(found, 10);
}

/// Five feet of one body land flat: the impulses' sum and moment are known, how the feet share them
/// is not. Each foot carries from nothing to the most that balance allows.
TEST(OutcomeLaws, FlatLandingHasAFamilyOfImpulses) {
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(3, 10);
  for (int i = 0; i < 5; ++i) {
    W(1, 2 * i) = W(0, 2 * i + 1) = 1.0;
    W(2, 2 * i) = i - 2.0;
    W(2, 2 * i + 1) = 0.5;
  }
  ImpactProblem problem = make_problem(W, VecQ{{0.0, -1.0, 0.0}}, Vec2C::Zero(10));
  for (ClosedContact& contact : problem.contacts.closed) contact.mu = contact.mu_s = 0.5;
  const auto outcomes = find_inelastic_outcomes(problem, {});
  ASSERT_EQ(outcomes.size(), 1U);
  EXPECT_EQ(to_letters(outcomes[0].modes), "SSSSS");
  ASSERT_TRUE(outcomes[0].family);
  const ImpulseFamily& family = *outcomes[0].family;
  EXPECT_EQ(family.dimension, 7);  // ten impulses, three equations
  EXPECT_TRUE(family.velocity_is_unique);
  // P_t = 0 and P_n sum to 1 with moment 0: the middle foot alone carries 1, an outer one 1/2.
  EXPECT_NEAR(family.impulse_n[2].second, 1.0, 1e-8);
  EXPECT_NEAR(family.impulse_n[0].second, 0.5, 1e-8);
  EXPECT_NEAR(family.impulse_n[0].first, 0.0, 1e-8);
  for (int i = 0; i < 5; ++i) EXPECT_GT(outcomes[0].impulse_n[i], 1e-3);  // well inside
}

}  // namespace
}  // namespace slipstick
