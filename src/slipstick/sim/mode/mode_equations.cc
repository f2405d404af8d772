#include "slipstick/sim/mode/mode_equations.h"

#include <cmath>

#include "slipstick/core/scales.h"

namespace slipstick {
namespace {

/// Entries of forces and accelerations that the mode sets to zero acceleration.
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
