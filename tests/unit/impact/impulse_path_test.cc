/// Impacts at one contact: closed forms, invariants over random data, and a second route that
/// integrates the impulse law in small steps.

#include "slipstick/impact/impulse_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace slipstick {
namespace {

constexpr ImpactLaw kLaws[] = {ImpactLaw::kInelastic, ImpactLaw::kPoisson, ImpactLaw::kNewton,
                               ImpactLaw::kStronge};

/// G of a random body: positive definite.
ContactImpact make_random(std::mt19937& random) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  ContactImpact out;
  out.G.nn = 0.2 + 2.0 * unit(random);
  out.G.tt = 0.2 + 2.0 * unit(random);
  out.G.nt = (2.0 * unit(random) - 1.0) * 0.98 * std::sqrt(out.G.nn * out.G.tt);
  out.gap_rate = -0.1 - unit(random);
  out.slip = 4.0 * unit(random) - 2.0;
  out.mu = 2.0 * unit(random);
  out.restitution = unit(random);
  return out;
}

/// Work of both impulses, from G: the change of kinetic energy.
double eval_work(const ContactImpact& in, const ContactImpulse& out) {
  return out.impulse_n * in.gap_rate + out.impulse_t * in.slip +
         0.5 * (in.G.nn * out.impulse_n * out.impulse_n +
                2.0 * in.G.nt * out.impulse_n * out.impulse_t +
                in.G.tt * out.impulse_t * out.impulse_t);
}

TEST(ImpulsePath, WithoutFrictionEveryLawIsNewtons) {
  for (const ImpactLaw law : {ImpactLaw::kPoisson, ImpactLaw::kNewton, ImpactLaw::kStronge}) {
    const ContactImpulse out =
        solve_contact_impact({{0.5, 0.2, 1.0}, -3.0, 1.5, 0.0, 0.7, law, false}).value();
    EXPECT_NEAR(out.gap_rate, 2.1, 1e-15);
    EXPECT_NEAR(out.impulse_n, 1.7 * 3.0 / 0.5, 1e-14);
    EXPECT_EQ(out.impulse_t, 0.0);
  }
}

TEST(ImpulsePath, RandomImpactsObeyTheLaws) {
  std::mt19937 random(1);
  int reversals = 0;
  for (int i = 0; i < 20000; ++i) {
    ContactImpact in = make_random(random);
    in.law = kLaws[i % 4];
    const ContactImpulse out = solve_contact_impact(in).value();
    const double scale = std::abs(in.gap_rate) + std::abs(in.slip);
    ASSERT_GE(out.impulse_n, out.compression);
    ASSERT_GT(out.compression, 0.0);
    ASSERT_LE(std::abs(out.impulse_t), in.mu * out.impulse_n * (1.0 + 1e-12) + 1e-15);
    // The velocities are those of the impulses.
    ASSERT_NEAR(out.gap_rate, in.gap_rate + in.G.nn * out.impulse_n + in.G.nt * out.impulse_t,
                1e-11 * scale);
    ASSERT_NEAR(out.slip, in.slip + in.G.nt * out.impulse_n + in.G.tt * out.impulse_t,
                1e-11 * scale);
    ASSERT_GE(out.gap_rate, 0.0);
    if (in.slip * out.slip < 0.0) ++reversals;
    if (in.law == ImpactLaw::kNewton) {
      ASSERT_NEAR(out.gap_rate, -in.restitution * in.gap_rate, 1e-12 * scale);
    } else {
      ASSERT_LE(eval_work(in, out), 1e-12 * scale * scale);  // no law of these creates energy
    }
  }
  EXPECT_GT(reversals, 50);
}

/// Second route: Coulomb's law in small steps of the normal impulse, compression and restitution
/// by their definitions.
ContactImpulse solve_by_steps(const ContactImpact& in, double step) {
  ContactImpulse out;
  double v = in.gap_rate;
  double slip = in.slip;
  double work = 0.0;
  double compression_work = 0.0;
  bool compressed = false;
  const auto is_over = [&] {
    if (!compressed) return false;
    if (in.law == ImpactLaw::kPoisson) {
      return out.impulse_n >= (1.0 + in.restitution) * out.compression;
    }
    if (in.law == ImpactLaw::kStronge) {
      return work - compression_work >= -in.restitution * in.restitution * compression_work;
    }
    return true;
  };
  while (!is_over()) {
    const double hold = -in.G.nt / in.G.tt - slip / (in.G.tt * step);  // stops the slip at once
    const double friction = std::clamp(hold, -in.mu, in.mu);
    const double v_old = v;
    v += step * (in.G.nn + in.G.nt * friction);
    slip += step * (in.G.nt + in.G.tt * friction);
    out.impulse_n += step;
    out.impulse_t += step * friction;
    work += 0.5 * (v + v_old) * step;
    if (!compressed && v >= 0.0) {
      compressed = true;
      out.compression = out.impulse_n;
      compression_work = work;
    }
  }
  out.gap_rate = v;
  out.slip = slip;
  return out;
}

TEST(ImpulsePath, AgreesWithSmallSteps) {
  std::mt19937 random(2);
  for (int i = 0; i < 60; ++i) {
    ContactImpact in = make_random(random);
    in.law = i % 3 == 0 ? ImpactLaw::kInelastic
                        : (i % 3 == 1 ? ImpactLaw::kPoisson : ImpactLaw::kStronge);
    const ContactImpulse exact = solve_contact_impact(in).value();
    const ContactImpulse stepped = solve_by_steps(in, exact.impulse_n * 1e-5);
    SCOPED_TRACE(i);
    // One step of the clock moves the end of the impact, the end of slip and the work.
    const double tolerance = 1e-4 * (std::abs(in.gap_rate) + std::abs(in.slip) + exact.gap_rate);
    EXPECT_NEAR(stepped.gap_rate, exact.gap_rate, tolerance);
    EXPECT_NEAR(stepped.slip, exact.slip, tolerance);
    EXPECT_NEAR(stepped.impulse_n, exact.impulse_n, 1e-3 * exact.impulse_n);
  }
}

/// A body with p < 0 for this slip: G_nn < mu G_nt.
ContactImpact make_paradoxical() {
  return {{1.0, 0.9, 1.0}, 0.0, 0.8, 1.5, 0.4, ImpactLaw::kPoisson, false};
}

TEST(ImpulsePath, WithoutCollisionSlipEndsAndPoissonRebounds) {
  const ContactImpact in = make_paradoxical();
  const ContactImpulse out = solve_contact_impact(in).value();
  // Slip ends at P1 = slip/(mu G_tt - G_nt); then v_n rises with G_nn - G_nt^2/G_tt.
  const double first = 0.8 / (1.5 - 0.9);
  const double depth = (1.0 - 1.5 * 0.9) * first;
  const double slope = 1.0 - 0.81;
  const double compression = first - depth / slope;
  EXPECT_NEAR(out.compression, compression, 1e-14);
  EXPECT_NEAR(out.impulse_n, 1.4 * compression, 1e-14);
  EXPECT_NEAR(out.gap_rate, 0.4 * compression * slope, 1e-14);
  EXPECT_EQ(out.slip, 0.0);
  EXPECT_LT(eval_work(in, out), 0.0);
}

TEST(ImpulsePath, WithoutCollisionInelasticHasAnImpulse) {
  ContactImpact in = make_paradoxical();
  in.law = ImpactLaw::kInelastic;
  const ContactImpulse out = solve_contact_impact(in).value();
  EXPECT_GT(out.impulse_n, 0.0);
  EXPECT_EQ(out.gap_rate, 0.0);
  EXPECT_EQ(out.slip, 0.0);
}

TEST(ImpulsePath, StrongeReturnsTheEnergyOfCompression) {
  ContactImpact in = make_paradoxical();
  in.law = ImpactLaw::kStronge;
  for (const double e : {0.0, 0.3, 0.7, 1.0}) {
    in.restitution = e;
    const ContactImpulse out = solve_contact_impact(in).value();
    // Triangle of v_n over P_n: compression stores depth * compression / 2, restitution returns
    // gap_rate^2 / (2 slope), e^2 times as much.
    const double slope = 1.0 - 0.81;
    const double depth = -(1.0 - 1.5 * 0.9) * 0.8 / (1.5 - 0.9);
    EXPECT_NEAR(out.gap_rate * out.gap_rate / (2.0 * slope), e * e * 0.5 * depth * out.compression,
                1e-14);
  }
}

TEST(ImpulsePath, JamIsTheLimitOfSmallNegativeP) {
  for (const ImpactLaw law : {ImpactLaw::kPoisson, ImpactLaw::kStronge, ImpactLaw::kNewton}) {
    ContactImpact jam{{1.0, 0.8, 1.0}, 0.0, 0.5, 1.25, 0.6, law, true};  // p = 1 - 1.25 * 0.8 = 0
    ContactImpact near = jam;
    near.jammed = false;
    near.mu = 1.25 * (1.0 + 1e-12);
    const ContactImpulse limit = solve_contact_impact(jam).value();
    const ContactImpulse close = solve_contact_impact(near).value();
    // Stronge's rebound vanishes with the square root of p, the rest linearly.
    EXPECT_NEAR(limit.impulse_n, close.impulse_n, 1e-5);
    EXPECT_NEAR(limit.gap_rate, close.gap_rate, 1e-5);
    EXPECT_EQ(limit.slip, 0.0);
    // The whole sliding phase counts as compression, without work.
    EXPECT_NEAR(limit.compression, 0.5 / (1.25 - 0.8), 1e-14);
    EXPECT_EQ(limit.gap_rate > 0.0, law == ImpactLaw::kPoisson);
  }
}

/// One degree of freedom: all velocities are multiples of one, G = (1, k, k^2), and a contact that
/// sticks (mu |k| >= 1) cannot move at all.
ContactImpact make_hinged(double surface_speed, ImpactLaw law) {
  constexpr double kRatio = -0.7;
  constexpr double kGapRate = -0.3;
  return {{1.0, kRatio, kRatio * kRatio},
          kGapRate,
          kRatio * kGapRate - surface_speed,
          1.9,
          0.6,
          law,
          false};
}

TEST(ImpulsePath, WedgedContactDoesNotRebound) {
  // Slip and gap rate vanish together at P_n = 0.3/p, p = 1 + mu k s; no further impulse moves it.
  for (const ImpactLaw law : kLaws) {
    const ContactImpulse out = solve_contact_impact(make_hinged(0.0, law)).value();
    EXPECT_NEAR(out.compression, 0.3 / (1.0 + 1.9 * 0.7), 1e-15);
    EXPECT_EQ(out.gap_rate, 0.0);
    EXPECT_EQ(out.slip, 0.0);
    EXPECT_EQ(out.replaced, law == ImpactLaw::kNewton || law == ImpactLaw::kStronge);
    EXPECT_LE(out.impulse_n, 1.6 * out.compression);
  }
}

TEST(ImpulsePath, HingedContactOnAMovingSurface) {
  for (const ImpactLaw law : kLaws) {
    // The slip ends while the contact still falls, and then nothing can stop it.
    EXPECT_FALSE(solve_contact_impact(make_hinged(0.05, law)));
    // It ends while the contact rises, at the gap rate 0.05/0.7; no impulse gives it more.
    const ContactImpulse out = solve_contact_impact(make_hinged(-0.05, law)).value();
    EXPECT_LE(out.gap_rate, 0.05 / 0.7 * (1.0 + 1e-14));
    EXPECT_EQ(out.replaced, law == ImpactLaw::kNewton);
  }
}

TEST(ImpulsePath, NewtonCanCreateEnergy) {
  // Slip reverses into a direction in which friction feeds the bounce: [Or2014] names the defect.
  std::mt19937 random(3);
  int created = 0;
  for (int i = 0; i < 5000; ++i) {
    ContactImpact in = make_random(random);
    in.law = ImpactLaw::kNewton;
    in.restitution = 1.0;
    if (eval_work(in, solve_contact_impact(in).value()) > 1e-9) ++created;
  }
  EXPECT_GT(created, 0);
}

/// The pieces follow each other: slopes by Coulomb's law, compression before restitution, and the
/// ends that the law found.
TEST(ImpulsePath, LegsObeyCoulombsLaw) {
  std::mt19937 random(3);
  for (int i = 0; i < 5000; ++i) {
    ContactImpact in = make_random(random);
    in.law = kLaws[i % 4];
    const ContactImpulse found = solve_contact_impact(in).value();
    const std::vector<PathLeg> legs = list_legs(in, found);
    ASSERT_FALSE(legs.empty());
    ASSERT_LE(legs.size(), 3U);
    PathLeg from{false, 0, 0.0, 0.0, in.gap_rate, in.slip};
    for (const PathLeg& leg : legs) {
      const double n = leg.impulse_n - from.impulse_n;
      const double t = leg.impulse_t - from.impulse_t;
      const double scale = std::abs(in.gap_rate) + std::abs(in.slip);
      ASSERT_GT(n, 0.0);
      ASSERT_GE(leg.restores, from.restores);
      ASSERT_NEAR(leg.gap_rate - from.gap_rate, in.G.nn * n + in.G.nt * t, 1e-9 * scale);
      ASSERT_NEAR(leg.slip - from.slip, in.G.nt * n + in.G.tt * t, 1e-9 * scale);
      if (leg.slip_sign != 0) {
        ASSERT_NEAR(t, -leg.slip_sign * in.mu * n, 1e-12 * (1.0 + n));
        ASSERT_GE(leg.slip_sign * (from.slip + leg.slip), 0.0);
      } else {
        ASSERT_LE(std::abs(t), in.mu * n * (1.0 + 1e-9));
        ASSERT_NEAR(leg.slip, 0.0, 1e-12 * scale);
      }
      ASSERT_LE(leg.restores ? leg.gap_rate * -1.0 : leg.gap_rate, 1e-12 * scale);
      from = leg;
    }
    ASSERT_EQ(from.impulse_n, found.impulse_n);
    ASSERT_EQ(from.gap_rate, found.gap_rate);
    ASSERT_EQ(from.slip, found.slip);
  }
}

}  // namespace
}  // namespace slipstick
