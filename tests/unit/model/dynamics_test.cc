/// M, h and the contacts of random trees against positions alone: kinetic energy from positions
/// moved along the motion, h from Lagrange's equations, biases from velocities, all by differences.

#include "slipstick/model/dynamics.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "slipstick/core/differentiate.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model_file.h"
#include "unit/model/random_tree.h"

namespace slipstick {
namespace {

constexpr double kStep = 0.05;  // first step of the extrapolated differences

/// A second way to a point's position: walks from the body up to the world, joint by joint.
struct LinkPose {
  Vec2 origin = Vec2::Zero();
  double angle = 0.0;
};

class Walker {
 public:
  Walker(const ModelSpec& spec, const VecQ& q) : spec_(spec), q_(q) {}

  [[nodiscard]] Vec2 point(const std::string& body, const Vec2& at) const {
    const LinkPose pose = find(body);
    const double c = std::cos(pose.angle);
    const double s = std::sin(pose.angle);
    return pose.origin + Vec2(c * at.x() - s * at.y(), s * at.x() + c * at.y());
  }
  [[nodiscard]] double angle(const std::string& body) const { return find(body).angle; }

 private:
  [[nodiscard]] double value(const std::string& name) const {
    const auto found = std::find(spec_.coordinates.begin(), spec_.coordinates.end(), name);
    return q_[found - spec_.coordinates.begin()];
  }
  [[nodiscard]] LinkPose find(const std::string& name) const {
    if (name == kWorld) return {};
    const BodySpec& body = *std::find_if(spec_.bodies.begin(), spec_.bodies.end(),
                                         [&](const BodySpec& b) { return b.name == name; });
    const JointSpec& joint = body.joint;
    const LinkPose parent = find(joint.parent);
    LinkPose out{point(joint.parent, joint.at), parent.angle + joint.angle};
    const auto& names = joint.coordinates;
    if (joint.type == JointType::kPrismatic) {
      const Vec2 along = joint.axis.normalized() * value(names[0]);
      out.origin = point(joint.parent, joint.at + along);
    }
    if (joint.type == JointType::kFree || joint.type == JointType::kTranslation) {
      out.origin += Vec2(value(names[0]), value(names[1]));
    }
    if (joint.type == JointType::kFree || joint.type == JointType::kRevolute) {
      const double base = joint.absolute ? joint.angle : out.angle;
      out.angle = base + (joint.clockwise ? -1.0 : 1.0) * value(names.back());
    }
    return out;
  }

  const ModelSpec& spec_;
  const VecQ& q_;
};

/// Kinetic energy from positions at q + t v.
double find_kinetic_energy(const ModelSpec& spec, const VecQ& q, const VecQ& v) {
  double energy = 0.0;
  for (const BodySpec& body : spec.bodies) {
    const auto rate = [&](const auto& f) {
      return find_derivative([&](double t) { return f(Walker(spec, q + t * v)); }, 0.0, kStep);
    };
    for (const PointMass& mass : body.masses) {
      const double x = rate([&](const Walker& w) { return w.point(body.name, mass.at).x(); });
      const double y = rate([&](const Walker& w) { return w.point(body.name, mass.at).y(); });
      energy += 0.5 * mass.mass * (x * x + y * y);
    }
    const double turn = rate([&](const Walker& w) { return w.angle(body.name); });
    energy += 0.5 * body.inertia * turn * turn;
  }
  return energy;
}

/// Potential energy of gravity and springs, minus the work of constant forces.
double eval_potential(const ModelSpec& spec, const VecQ& q) {
  const Walker walker(spec, q);
  double out = 0.0;
  for (const BodySpec& body : spec.bodies) {
    for (const PointMass& mass : body.masses) {
      out -= mass.mass * spec.gravity.dot(walker.point(body.name, mass.at));
    }
  }
  for (const LinearSpringSpec& spring : spec.linear_springs) {
    const double length = (walker.point(spring.from.body, spring.from.at) -
                           walker.point(spring.to.body, spring.to.at))
                              .norm();
    out += 0.5 * spring.stiffness * std::pow(length - spring.length, 2);
  }
  for (const TorsionSpringSpec& spring : spec.torsion_springs) {
    const double angle = walker.angle(spring.body) - walker.angle(spring.to);
    out += 0.5 * spring.stiffness * std::pow(angle - spring.angle, 2);
  }
  for (const PointForceSpec& force : spec.point_forces) {
    const Vec2 at = walker.point(force.at.body, force.at.at);
    out -= force.x.eval({}) * at.x() + force.y.eval({}) * at.y() +
           force.torque.eval({}) * walker.angle(force.at.body);
  }
  out -= spec.coordinate_forces[0].value.eval({}) * q[0];  // of the first coordinate
  return out;
}

/// Power lost in dampers at these rates.
double eval_damping_power(const ModelSpec& spec, const VecQ& q, const VecQ& v) {
  double out = 0.0;
  for (const LinearSpringSpec& spring : spec.linear_springs) {
    const double rate = find_derivative(
        [&](double t) {
          const VecQ moved = q + t * v;
          const Walker walker(spec, moved);
          return (walker.point(spring.from.body, spring.from.at) -
                  walker.point(spring.to.body, spring.to.at))
              .norm();
        },
        0.0, kStep);
    out += spring.damping * rate * rate;
  }
  for (const TorsionSpringSpec& spring : spec.torsion_springs) {
    const double rate = find_derivative(
        [&](double t) {
          const VecQ moved = q + t * v;
          const Walker walker(spec, moved);
          return walker.angle(spring.body) - walker.angle(spring.to);
        },
        0.0, kStep);
    out += spring.damping * rate * rate;
  }
  return out;
}

class RandomTrees : public ::testing::TestWithParam<int> {
 protected:
  std::mt19937_64 random{static_cast<std::uint64_t>(GetParam())};
  ModelSpec spec = make_random_spec(random, 1 + GetParam() % 5);
  Model model = make_model(spec);
  State state = make_random_state(random, model);
  Dynamics dynamics = eval_dynamics(model, state);
};

TEST_P(RandomTrees, KineticEnergyFollowsFromPositions) {
  for (int i = 0; i < 3; ++i) {
    const State state = make_random_state(random, model);
    const double expected = find_kinetic_energy(spec, state.q, state.v);
    EXPECT_NEAR(eval_kinetic_energy(model, state), expected, 1e-8 * (1.0 + expected));
  }
  const double asymmetry = (dynamics.M - dynamics.M.transpose()).cwiseAbs().maxCoeff();
  EXPECT_LE(asymmetry, 1e-14 * dynamics.M.cwiseAbs().maxCoeff());
}

/// Lagrange: h_i = sum_jk (dM_ij/dq_k - dM_jk/dq_i / 2) v_j v_k + dV/dq_i + d(damping power /
/// 2)/dv_i.
TEST_P(RandomTrees, HFollowsFromLagrange) {
  const int n = model.size();
  const auto mass_at = [&](const VecQ& q) {
    return eval_dynamics(model, {0.0, q, VecQ::Zero(n)}).M;
  };
  const auto momentum = [&](int i, double t) -> double {
    return mass_at(state.q + t * state.v).row(i).dot(state.v);
  };
  for (int i = 0; i < n; ++i) {
    const VecQ unit = VecQ::Unit(n, i);
    const double along = find_derivative([&](double t) { return momentum(i, t); }, 0.0, kStep);
    const double energy = find_derivative(
        [&](double t) { return 0.5 * state.v.dot(mass_at(state.q + t * unit) * state.v); }, 0.0,
        kStep);
    const double potential = find_derivative(
        [&](double t) { return eval_potential(spec, state.q + t * unit); }, 0.0, kStep);
    const double damping = find_derivative(
        [&](double t) { return 0.5 * eval_damping_power(spec, state.q, state.v + t * unit); }, 0.0,
        0.5);
    const double expected = along - energy + potential + damping;
    EXPECT_NEAR(dynamics.h[i], expected, 1e-7 * (1.0 + std::abs(expected))) << "coordinate " << i;
  }
}

TEST_P(RandomTrees, ContactsFollowFromPositions) {
  const Surface& belt = model.surfaces[0];
  const ContactKinematics& contacts = dynamics.contacts;
  for (int i = 0; i < model.contact_count(); ++i) {
    const ContactSpec& contact = spec.contacts[static_cast<std::size_t>(i)];
    const auto centre = [&](const VecQ& q) {
      return Walker(spec, q).point(contact.body, contact.point);
    };
    const double gap = belt.normal.dot(centre(state.q) - belt.point) - contact.radius;
    EXPECT_NEAR(contacts.gap[i], gap, 1e-12);
    // The disc's contact point moves with its angle as well; both in one derivative.
    const auto path = [&](double t) {
      const VecQ q = state.q + t * state.v;
      return belt.tangent.dot(centre(q)) + contact.radius * Walker(spec, q).angle(contact.body);
    };
    const double slip = find_derivative(path, 0.0, kStep) - 0.3 * std::sin(2.0 * state.time);
    EXPECT_NEAR(contacts.slip[i], slip, 1e-9);
    EXPECT_NEAR(contacts.gap_rate[i], contacts.W_n.col(i).dot(state.v), 1e-12);
    // Biases: rates of gap_rate and slip along the motion with v' = 0.
    const auto moved = [&](double t) {
      return eval_contact_kinematics(model, {state.time + t, state.q + t * state.v, state.v});
    };
    EXPECT_NEAR(contacts.bias_n[i],
                find_derivative([&](double t) { return moved(t).gap_rate[i]; }, 0.0, kStep), 1e-8);
    EXPECT_NEAR(contacts.bias_t[i],
                find_derivative([&](double t) { return moved(t).slip[i]; }, 0.0, kStep), 1e-8);
  }
}

/// The hot path works from the centre of mass; M, h and W of the whole tree are the second way.
TEST_P(RandomTrees, ContactDynamicsFollowFromMAndH) {
  const std::array<int, 2> both{0, 1};
  const ContactDynamics fast = eval_contact_dynamics(model, state, both);
  ASSERT_TRUE(fast.regular);
  Eigen::MatrixXd W(model.size(), 4);
  Eigen::VectorXd bias(4);
  for (int i = 0; i < 2; ++i) {
    W.col(2 * i) = dynamics.contacts.W_n.col(i);
    W.col(2 * i + 1) = dynamics.contacts.W_t.col(i);
    bias[2 * i] = dynamics.contacts.bias_n[i];
    bias[2 * i + 1] = dynamics.contacts.bias_t[i];
  }
  const Eigen::LDLT<Eigen::MatrixXd> mass(dynamics.M);
  const Eigen::VectorXd free = -mass.solve(dynamics.h);
  const Eigen::MatrixXd response = mass.solve(W);
  const auto expect_near = [](const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    EXPECT_LE((a - b).cwiseAbs().maxCoeff(), 1e-10 * (1.0 + b.cwiseAbs().maxCoeff()));
  };
  expect_near(fast.free_acceleration, free);
  expect_near(fast.M_inverse_W, response);
  expect_near(fast.G, W.transpose() * response);
  expect_near(fast.a_free, W.transpose() * free + bias);
  // p and b alone.
  model.contacts[1].mu = 0.7;
  const SlidingResponse sliding = eval_sliding_response(model, state, 1, -1.0);
  EXPECT_NEAR(sliding.p, fast.G(2, 2) + 0.7 * fast.G(2, 3), 1e-12 * (1.0 + fast.G(2, 2)));
  EXPECT_NEAR(sliding.b, fast.a_free[2], 1e-12 * (1.0 + std::abs(fast.a_free[2])));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTrees, ::testing::Range(0, 40));

TEST(Relabelling, IsTheSameMotionToldFromTheNewStance) {
  for (const auto& [name, foot] :
       {std::pair("rimless-wheel", "0"), std::pair("rimless-wheel", "0.1"),
        std::pair("compass-biped", "0"), std::pair("compass-biped", "0.1")}) {
    const LoadedModel loaded = read_model(name, std::vector<Override>{{"foot_radius", foot}});
    std::mt19937_64 random(3);
    for (const Relabel& relabel : loaded.model->relabels) {
      const State before = make_random_state(random, *loaded.model);
      const State after = make_relabelled(*loaded.model, relabel, before);
      const ContactKinematics old_names = eval_contact_kinematics(*loaded.model, before);
      const ContactKinematics new_names = eval_contact_kinematics(*loaded.model, after);
      EXPECT_NEAR(eval_kinetic_energy(*loaded.model, before),
                  eval_kinetic_energy(*loaded.model, after),
                  1e-12 * eval_kinetic_energy(*loaded.model, before));
      for (int i = 0; i < loaded.model->contact_count(); ++i) {
        const int j = relabel.contacts[static_cast<std::size_t>(i)];
        if (j < 0) continue;
        EXPECT_NEAR(old_names.gap[i], new_names.gap[j], 1e-13) << name;
        EXPECT_NEAR(old_names.gap_rate[i], new_names.gap_rate[j], 1e-12) << name;
        EXPECT_NEAR(old_names.slip[i], new_names.slip[j], 1e-12) << name;
      }
    }
  }
}

TEST(Gap, AloneIsTheOneOfTheKinematics) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 40; ++i) {
    const Model model = make_model(make_random_spec(random, 1 + i % 5));
    const State state = make_random_state(random, model);
    const ContactKinematics contacts = eval_contact_kinematics(model, state);
    for (int c = 0; c < model.contact_count(); ++c) {
      EXPECT_NEAR(eval_gap(model, c, state.q), contacts.gap[c], 1e-13) << i;
    }
  }
}

TEST(ActiveWhen, TheBipedsSwingFootExistsOnlyAheadOfTheStanceFoot) {
  const LoadedModel loaded = read_model("compass-biped", {});
  const int swing = loaded.model->find_contact("swing");
  EXPECT_FALSE(eval_is_active(*loaded.model, swing, loaded.initial));
  State ahead = loaded.initial;
  ahead.q[0] = ahead.q[1] = 0.1;
  EXPECT_TRUE(eval_is_active(*loaded.model, swing, ahead));
  EXPECT_TRUE(eval_is_active(*loaded.model, loaded.model->find_contact("stance"), loaded.initial));
}

}  // namespace
}  // namespace slipstick
