/// Zero-order motion of bodies on two contacts: the tables of the stability theory against the
/// general contact problem and the general simulator, which know nothing of them.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <numbers>
#include <set>

#include "cases.h"
#include "physics/random_body.h"
#include "slipstick/analysis/stability/stability.h"
#include "slipstick/classify.h"
#include "slipstick/impact/simultaneous.h"
#include "slipstick/mode_letters.h"
#include "slipstick/model/frozen_model.h"
#include "slipstick/simulate.h"

namespace slipstick::testkit {
namespace {

/// Rates of the coordinates at which the contacts move with (z1', z2', x2').
VecQ find_rates(const Model& model, const State& state, const ContactRates& wanted) {
  const ContactKinematics contacts = eval_contact_kinematics(model, state);
  Eigen::Matrix3d rows;
  rows << contacts.W_n.col(0).transpose(), contacts.W_n.col(1).transpose(),
      contacts.W_t.col(1).transpose();
  return rows.inverse() * wanted;
}

/// Modes at rest by the general contact problem.
TEST(ZeroOrder, ModesAtRestAreThoseOfTheContactProblem) {
  RandomBodies bodies(11);
  int ambiguous = 0;
  int feasible = 0;
  for (int i = 0; i < cases(1500); ++i) {
    const LoadedModel loaded = bodies.draw_model();
    const ZeroOrder dynamics(reduce(loaded), Tolerances{});
    std::set<std::string> table;
    for (const PairMode mode : dynamics.answer({kBoth, 0}).modes) {
      table.insert(to_letters(dynamics.make_word(mode)));
    }
    std::set<std::string> general;
    for (const ModeSolution& mode :
         classify(*loaded.model, loaded.initial, Tolerances{}).solutions) {
      general.insert(to_letters(mode.modes));
    }
    EXPECT_EQ(table, general) << i;
    feasible += static_cast<int>(general.contains("SS"));
    ambiguous += general.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(feasible, cases(300));
  EXPECT_GT(ambiguous, 0);
}

/// Accelerations and forces of moving states by the general contact problem.
TEST(ZeroOrder, ModesInMotionAreThoseOfTheContactProblem) {
  RandomBodies bodies(12);
  for (int i = 0; i < cases(600); ++i) {
    const LoadedModel loaded = bodies.draw_model();
    const Model frozen = make_frozen_model(*loaded.model, loaded.initial);
    const ZeroOrder dynamics(reduce(loaded), Tolerances{});
    for (const int sign : {-1, 1}) {
      State state = loaded.initial;
      state.v = find_rates(frozen, state, {0.0, 0.0, static_cast<double>(sign)});
      const Classification general = classify(frozen, state, Tolerances{});
      const PairAnswer& table = dynamics.answer({kBoth, sign});
      ASSERT_EQ(table.modes.size(), general.solutions.size()) << i;
      for (const ModeSolution& solution : general.solutions) {
        const auto same = [&](PairMode mode) { return dynamics.make_word(mode) == solution.modes; };
        const auto found = std::find_if(table.modes.begin(), table.modes.end(), same);
        ASSERT_NE(found, table.modes.end()) << i << " " << to_letters(solution.modes);
        const ContactKinematics contacts = eval_contact_kinematics(frozen, state);
        const ContactRates& acceleration = dynamics.map(*found).acceleration;
        const double scale = 1.0 + solution.acceleration.cwiseAbs().maxCoeff();
        EXPECT_NEAR(contacts.W_n.col(0).dot(solution.acceleration), acceleration[0], 1e-9 * scale);
        EXPECT_NEAR(contacts.W_n.col(1).dot(solution.acceleration), acceleration[1], 1e-9 * scale);
        EXPECT_NEAR(contacts.W_t.col(1).dot(solution.acceleration), acceleration[2], 1e-9 * scale);
      }
    }
  }
}

/// The next blow of contact 2 while contact 1 is closed, by the general simulator.
std::optional<Blow> simulate_return(const Model& frozen, const State& rest, double angle) {
  State state = rest;
  const Blow blow = make_blow(angle);
  state.v = find_rates(frozen, state, {0.0, -blow.closing, blow.slip});
  SimulationOptions options;
  options.until = 1000.0;
  options.max_events = 40;
  options.keep_trajectory = false;
  const Run run = simulate(frozen, state, options);
  const ContactKinematics contacts = eval_contact_kinematics(frozen, rest);
  for (const Event& event : run.events) {
    const bool blow_of_2 = event.impact && event.time > 0.0 && is_closed(event.modes_before[0]) &&
                           !is_closed(event.modes_before[1]);
    if (!blow_of_2) continue;
    const VecQ& v = event.impact->v_minus;
    return Blow{-contacts.W_n.col(1).dot(v), contacts.W_t.col(1).dot(v)};
  }
  return std::nullopt;
}

TEST(ZeroOrder, ReturnsAreThoseOfTheSimulator) {
  RandomBodies bodies(13);
  int returns = 0;
  int ends = 0;
  for (int i = 0; i < cases(400); ++i) {
    const LoadedModel loaded = bodies.draw_model();
    const Stability stability = find_stability(reduce(loaded), Tolerances{});
    if (!stability.has_maps() || stability.maps_swapped) continue;
    const Model frozen = make_frozen_model(*loaded.model, loaded.initial);
    const ZeroOrder dynamics(reduce(loaded), Tolerances{});
    for (int k = 0; k < 4; ++k) {
      const double angle = bodies.draw(-1.5, 1.5);
      const auto table = eval_return(dynamics, angle);
      const auto simulated = simulate_return(frozen, loaded.initial, angle);
      ASSERT_EQ(table.has_value(), simulated.has_value()) << "body " << i << " angle " << angle;
      if (!table) {
        ++ends;
        continue;
      }
      ++returns;
      EXPECT_NEAR(table->reduced, simulated->angle(), 1e-8) << "body " << i << " angle " << angle;
      EXPECT_NEAR(table->growth, simulated->closing / make_blow(angle).closing,
                  1e-8 * (1.0 + table->growth));
    }
  }
  EXPECT_GT(returns, cases(200));
  EXPECT_GT(ends, cases(40));
}

/// Between its ends a piece has one path, and its closed form is what following the motion gives.
TEST(ZeroOrder, PiecesAreExact) {
  RandomBodies bodies(14);
  int looked = 0;
  int with_root = 0;
  for (int i = 0; i < cases(1500); ++i) {
    const TwoContactBody body = bodies.draw_body();
    const Stability stability = find_stability(body, Tolerances{});
    if (!stability.has_maps()) continue;
    const ZeroOrder dynamics(stability.maps_swapped ? make_swapped(body) : body, Tolerances{});
    const auto& pieces = stability.maps.pieces;
    EXPECT_EQ(pieces.front().low, -std::numbers::pi / 2);
    EXPECT_EQ(pieces.back().high, std::numbers::pi / 2);
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      const Piece& piece = pieces[p];
      if (p > 0) {
        EXPECT_EQ(piece.low, pieces[p - 1].high);
      }
      if (piece.high - piece.low < 1e-6) continue;
      for (const double part : {1e-4, 0.3, 0.8, 1.0 - 1e-4}) {
        const double angle = piece.low + part * (piece.high - piece.low);
        const BlowReturn next = follow_blow(dynamics, make_blow(angle));
        EXPECT_EQ(next.end, piece.end) << i << " " << angle;
        EXPECT_EQ(next.path, piece.path) << i << " " << angle;
        if (!piece.returns()) continue;
        const MapValue closed = eval_piece(dynamics, piece, angle);
        const double growth = next.blow.closing / make_blow(angle).closing;
        const double error = 1e-9 + 1e-12 / make_blow(angle).closing;  // cancels at grazing ends
        EXPECT_NEAR(closed.reduced, next.blow.angle(), error) << i << " " << angle;
        EXPECT_NEAR(closed.growth, growth, error * (1.0 + growth)) << i << " " << angle;
        ++looked;
        with_root += piece.closed_form && !piece.map.linear.col(2).isZero() ? 1 : 0;
      }
    }
  }
  EXPECT_GT(looked, cases(3000));
  EXPECT_GT(with_root, cases(500));
}

/// Fixed points by their definition, slopes by differences.
TEST(ZeroOrder, FixedPointsAreFixed) {
  RandomBodies bodies(15);
  int found = 0;
  for (int i = 0; i < cases(1500); ++i) {
    const TwoContactBody body = bodies.draw_body();
    const Stability stability = find_stability(body, Tolerances{});
    if (!stability.has_maps()) continue;
    const ZeroOrder dynamics(stability.maps_swapped ? make_swapped(body) : body, Tolerances{});
    for (const FixedPoint& point : stability.fixed_points) {
      const auto value = eval_return(dynamics, point.angle);
      ASSERT_TRUE(value) << i;
      EXPECT_NEAR(value->reduced, point.angle, 1e-8 * (1.0 + std::abs(point.slope))) << i;
      EXPECT_NEAR(value->growth, point.growth, 1e-8 * (1.0 + point.growth)) << i;
      constexpr double kStep = 1e-6;
      const auto right = eval_return(dynamics, point.angle + kStep);
      const auto left = eval_return(dynamics, point.angle - kStep);
      if (!right || !left) continue;
      const double slope = (right->reduced - left->reduced) / (2.0 * kStep);
      const bool smooth = follow_blow(dynamics, make_blow(point.angle + kStep)).path ==
                          follow_blow(dynamics, make_blow(point.angle - kStep)).path;
      if (smooth) {
        EXPECT_NEAR(slope, point.slope, 1e-4 * (1.0 + std::abs(point.slope))) << i;
      }
      ++found;
    }
  }
  EXPECT_GT(found, cases(300));
}

/// [Or2021] Fig. 2: every transition between impacts and modes that random bodies show, all of
/// them followed above. A blow at contact 2 over a closed contact 1 starts and ends each path.
TEST(ZeroOrder, TransitionGraph) {
  RandomBodies bodies(16);
  std::set<std::string> edges;
  for (int i = 0; i < 20000; ++i) {
    const TwoContactBody body = bodies.draw_body();
    const Stability stability = find_stability(body, Tolerances{});
    if (!stability.has_maps()) continue;
    const auto name = [](const PathStep& step) -> std::string {
      switch (step.mode) {
        case PairMode::kSS:
          return step.is_impact ? "II" : "SS";
        case PairMode::kSlipMinus:
        case PairMode::kSlipPlus:
          return step.is_impact ? "II" : "slip";
        case PairMode::kFF:
          return "FF";
        case PairMode::kSF:
          return step.is_impact ? "IF" : "SF";
        case PairMode::kNF:
        case PairMode::kPF:
          return step.is_impact ? "IF" : "XF";
        case PairMode::kFS:
          return step.is_impact ? "FI" : "FS";
        default:
          return step.is_impact ? "FI" : "FX";
      }
    };
    for (const Piece& piece : stability.maps.pieces) {
      for (std::size_t k = 0; k + 1 < piece.path.size(); ++k) {
        edges.insert(name(piece.path[k]) + ">" + name(piece.path[k + 1]));
      }
    }
  }
  for (const char* edge :
       {"FI>FF", "FI>FS", "FI>FX", "FF>IF", "FX>FS", "FX>FX", "FX>IF", "FX>II", "FS>IF", "FS>II",
        "IF>SF", "IF>XF", "XF>SF", "XF>XF", "II>SS", "II>slip", "II>XF"}) {
    EXPECT_TRUE(edges.contains(edge))
        << edge << " never taken; taken: " << ::testing::PrintToString(edges);
  }
}

}  // namespace
}  // namespace slipstick::testkit
