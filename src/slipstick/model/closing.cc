#include "slipstick/model/closing.h"

#include <Eigen/QR>
#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

#include "slipstick/core/scales.h"
#include "slipstick/model/dynamics.h"

namespace slipstick {
namespace {

/// Gaps are closed to this part of their lever arms: a few roundings of the longest [m].
double find_closed_gap(const Model& model, int contact) {
  const Contact& c = model.contacts[static_cast<std::size_t>(contact)];
  return kClosedGap * c.length + c.blur;
}

ContactKinematics eval_at(const Model& model, const VecQ& q) {
  return eval_contact_kinematics(model, {0.0, q, VecQ::Zero(q.size())});
}

VecC make_gaps(const ContactKinematics& contacts, std::span<const Closing> closings) {
  VecC out(static_cast<Eigen::Index>(closings.size()));
  for (Eigen::Index i = 0; i < out.size(); ++i) {
    out[i] = contacts.gap[closings[static_cast<std::size_t>(i)].contact];
  }
  return out;
}

using Jacobian = BoundedMatrix<kMaxContacts, kMaxContacts>;

/// Gap rates of the closings' contacts per rate of the closings' coordinates.
Jacobian make_jacobian(const ContactKinematics& contacts, std::span<const Closing> closings) {
  const auto k = static_cast<Eigen::Index>(closings.size());
  Jacobian out(k, k);
  for (Eigen::Index i = 0; i < k; ++i) {
    for (Eigen::Index j = 0; j < k; ++j) {
      out(i, j) = contacts.W_n(closings[static_cast<std::size_t>(j)].coordinate,
                               closings[static_cast<std::size_t>(i)].contact);
    }
  }
  return out;
}

ClosingResult make_result(const Model& model, const VecQ& q, std::span<const Closing> closings) {
  const VecC gaps = make_gaps(eval_at(model, q), closings);
  Eigen::Index worst = 0;
  gaps.cwiseAbs().maxCoeff(&worst);
  ClosingResult out{q, true, closings[static_cast<std::size_t>(worst)].contact, gaps[worst]};
  out.closed = std::abs(out.gap) <= 10.0 * find_closed_gap(model, out.open_contact);
  for (const Closing& closing : closings) {
    if (!closing.between) continue;
    const double value = q[closing.coordinate];
    out.closed &= closing.between->first <= value && value <= closing.between->second;
  }
  return out;
}

VecQ find_bracketed(const Model& model, VecQ q, const Closing& closing) {
  const auto gap = [&](double value) {
    q[closing.coordinate] = value;
    return eval_at(model, q).gap[closing.contact];
  };
  const auto [low, high] = *closing.between;
  const double gap_low = gap(low);
  const double gap_high = gap(high);
  // An end that closes the contact to rounding is the root, whatever the sign of the rounding.
  const double closed = find_closed_gap(model, closing.contact);
  if (std::abs(gap_high) <= closed || std::abs(gap_low) <= closed) {
    q[closing.coordinate] = std::abs(gap_low) <= std::abs(gap_high) ? low : high;
    return q;
  }
  if ((gap_low > 0.0) == (gap_high > 0.0)) {
    q[closing.coordinate] = std::abs(gap_low) < std::abs(gap_high) ? low : high;
    return q;
  }
  std::uintmax_t iterations = 200;
  const auto exact = [](double a, double b) { return std::nextafter(a, b) == b || a == b; };
  const auto [a, b] =
      boost::math::tools::toms748_solve(gap, low, high, gap_low, gap_high, exact, iterations);
  q[closing.coordinate] = std::abs(gap(a)) <= std::abs(gap(b)) ? a : b;
  return q;
}

VecQ find_by_newton(const Model& model, VecQ q, std::span<const Closing> closings) {
  for (const Closing& closing : closings) {
    q[closing.coordinate] = closing.near;
  }
  constexpr int kMaxIterations = 100;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    const ContactKinematics contacts = eval_at(model, q);
    const VecC gaps = make_gaps(contacts, closings);
    if (gaps.cwiseAbs().maxCoeff() == 0.0) break;
    const VecC step = make_jacobian(contacts, closings).colPivHouseholderQr().solve(-gaps);
    double factor = 1.0;
    VecQ next = q;
    const auto improves = [&] {
      for (Eigen::Index i = 0; i < step.size(); ++i) {
        const int c = closings[static_cast<std::size_t>(i)].coordinate;
        next[c] = q[c] + factor * step[i];
      }
      return make_gaps(eval_at(model, next), closings).norm() < gaps.norm();
    };
    bool better = improves();
    for (int halving = 0; !better && halving < 30; ++halving) {
      factor *= 0.5;
      better = improves();
    }
    if (!better) break;  // at rounding level, or stuck: the caller looks at the gaps
    q = next;
  }
  return q;
}

}  // namespace

ClosingResult solve_closing(const Model& model, const VecQ& q, std::span<const Closing> closings) {
  if (closings.empty()) return {q, true, -1, 0.0};
  const bool bracketed = closings.size() == 1 && closings.front().between;
  return make_result(
      model,
      bracketed ? find_bracketed(model, q, closings.front()) : find_by_newton(model, q, closings),
      closings);
}

bool solve_closing_rates(const Model& model, std::span<const Closing> closings, State& state) {
  if (closings.empty()) return true;
  for (const Closing& closing : closings) state.v[closing.coordinate] = 0.0;
  const ContactKinematics contacts = eval_contact_kinematics(model, state);
  const auto k = static_cast<Eigen::Index>(closings.size());
  VecC rates(k);
  for (Eigen::Index i = 0; i < k; ++i) {
    const int c = closings[static_cast<std::size_t>(i)].contact;
    rates[i] = contacts.gap_rate[c];
  }
  const Jacobian jacobian = make_jacobian(contacts, closings);
  const VecC solution = jacobian.colPivHouseholderQr().solve(-rates);
  for (Eigen::Index i = 0; i < k; ++i) {
    state.v[closings[static_cast<std::size_t>(i)].coordinate] = solution[i] + 0.0;  // no -0
  }
  // Relative to the terms of all gap rates at the rates found. If the Jacobian is regular, only
  // rounding is left.
  double scale = 0.0;
  for (const Closing& closing : closings) {
    const auto row = contacts.W_n.col(closing.contact).cwiseAbs();
    scale = std::max(scale, row.dot(state.v.cwiseAbs()));
  }
  return (jacobian * solution + rates).cwiseAbs().maxCoeff() <= kResultRounding * scale;
}

}  // namespace slipstick
