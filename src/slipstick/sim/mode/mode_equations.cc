#include "slipstick/sim/mode/mode_equations.h"

#include <cmath>

#include "slipstick/core/scales.h"

namespace slipstick {
namespace {

/// Rows of the tangential accelerations that the mode sets to zero.
PerContact<int> list_tangent_rows(const Mode& mode) {
  PerContact<int> out;
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    if (mode.closed[i].sticks()) out.push_back(static_cast<int>(2 * i + 1));
  }
  return out;
}

}  // namespace

Vec2C make_force_units(const Vec2C& mobility) {
  const double largest = mobility.maxCoeff();
  if (!(largest > 0.0)) return Vec2C::Ones(mobility.size());
  return mobility.unaryExpr(
      [&](double own) { return 1.0 / std::sqrt(own > kNoUnit * largest ? own : largest); });
}

PerContact<bool> find_coupled(const Mat2C& G, PerContact<bool> taken) {
  const auto size = static_cast<Eigen::Index>(taken.size());
  const auto feels = [&](Eigen::Index i, Eigen::Index j) {
    const auto mobility = [&](Eigen::Index k) { return G(2 * k, 2 * k) + G(2 * k + 1, 2 * k + 1); };
    return G.block(2 * i, 2 * j, 2, 2).cwiseAbs().maxCoeff() >
           kResultRounding * std::sqrt(mobility(i) * mobility(j));
  };
  for (bool grows = true; grows;) {
    grows = false;
    for (Eigen::Index i = 0; i < size; ++i) {
      for (Eigen::Index j = 0; j < size && !taken[static_cast<std::size_t>(i)]; ++j) {
        if (!taken[static_cast<std::size_t>(j)] || !feels(i, j)) continue;
        taken[static_cast<std::size_t>(i)] = grows = true;
      }
    }
  }
  return taken;
}

ModePart take_part(const Mode& mode, const ContactDynamics& dynamics, bool shares) {
  ModePart out;
  out.mode = mode;
  out.mode.closed.clear();
  out.mode.indices.clear();
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    if (mode.closed[i].shares != shares) continue;
    out.mode.closed.push_back(mode.closed[i]);
    out.mode.indices.push_back(mode.indices[i]);
    out.places.push_back(static_cast<Eigen::Index>(2 * i));
  }
  out.mode.redundant = shares;
  out.mode.stretched = mode.stretched && !shares;
  const auto size = static_cast<Eigen::Index>(2 * out.places.size());
  ContactDynamics& part = out.dynamics;
  part.free_acceleration = dynamics.free_acceleration;
  part.regular = dynamics.regular;
  part.M_inverse_W.resize(dynamics.M_inverse_W.rows(), size);
  part.G.resize(size, size);
  part.a_free.resize(size);
  for (Eigen::Index i = 0; i < size; i += 2) {
    const Eigen::Index row = out.places[static_cast<std::size_t>(i / 2)];
    part.M_inverse_W.middleCols(i, 2) = dynamics.M_inverse_W.middleCols(row, 2);
    part.a_free.segment(i, 2) = dynamics.a_free.segment(row, 2);
    for (Eigen::Index j = 0; j < size; j += 2) {
      part.G.block(i, j, 2, 2) =
          dynamics.G.block(row, out.places[static_cast<std::size_t>(j / 2)], 2, 2);
    }
  }
  return out;
}

void place_forces(const ModePart& part, const Vec2C& forces, Vec2C& all) {
  for (std::size_t i = 0; i < part.places.size(); ++i) {
    all.segment(part.places[i], 2) = forces.segment(static_cast<Eigen::Index>(2 * i), 2);
  }
}

ModeEquations make_mode_equations(const Mode& mode, const ContactDynamics& dynamics) {
  const auto k = static_cast<int>(mode.closed.size());
  const PerContact<int> tangents = list_tangent_rows(mode);
  const auto m = k + static_cast<int>(tangents.size());
  ModeEquations out{Mat2C::Zero(2 * k, m), Mat2C(m, m), Vec2C(m), {}, Vec2C(m), 1.0};
  for (int i = 0; i < k; ++i) {
    const ClosedMode& contact = mode.closed[static_cast<std::size_t>(i)];
    out.F(2 * i, i) = 1.0;
    if (contact.slides_with_friction()) {
      out.F(2 * i + 1, i) = -contact.slip_sign * contact.force_sign * contact.mu;
    }
  }
  for (int j = k; j < m; ++j) out.F(tangents[static_cast<std::size_t>(j - k)], j) = 1.0;
  const Mat2C accelerations = dynamics.G.lazyProduct(out.F);
  for (int i = 0; i < m; ++i) {
    const int row = i < k ? 2 * i : tangents[static_cast<std::size_t>(i - k)];
    out.rows.push_back(row);
    out.E.row(i) = accelerations.row(row);
    out.r[i] = -dynamics.a_free[row];
    out.mobility[i] = dynamics.G(row, row);
    out.determinant_scale *= out.mobility[i];
  }
  return out;
}

}  // namespace slipstick
