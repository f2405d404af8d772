#include "slipstick/analysis/stability/zero_order.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>

#include "slipstick/errors.h"
#include "slipstick/mode_letters.h"

namespace slipstick {
namespace {

using Eigen::Index;
using Eigen::RowVector3d;

constexpr ContactMask mask(int contact) { return contact == 0 ? kFirst : kSecond; }

/// Rows of z1, z2, x2 among n1, t1, n2, t2.
constexpr std::array<Index, 3> kRates{0, 2, 3};

/// Generalised forces (x, y, turn) of unit contact forces.
Eigen::Matrix<double, 3, 4> make_directions(const TwoContactBody& body) {
  Eigen::Matrix<double, 3, 4> out;
  for (Index i = 0; i < 2; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Vec2 tangent = turn_right(body.normal[k]);
    out.col(2 * i) << body.normal[k], cross(body.lever[k], body.normal[k]);
    out.col(2 * i + 1) << tangent, cross(body.lever[k], tangent);
  }
  return out;
}

}  // namespace

ZeroOrder::ZeroOrder(const TwoContactBody& body, const Tolerances& tolerances)
    : mu_(body.mu), tolerance_(tolerances.marginal) {
  const Vec2 apart = body.lever[1] - body.lever[0];
  const double size = std::max(body.lever[0].norm(), body.lever[1].norm());
  if (apart.norm() <= tolerances.closure * size) {
    throw InputError("two contacts", "expected two points, got contacts that coincide");
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (std::abs(cross(body.normal[i], apart)) > tolerances.closure * apart.norm()) continue;
    throw InputError("two contacts",
                     "expected normals across the line between the contacts, got one along it");
  }
  const Eigen::Vector3d inverse_mass(1.0 / body.mass, 1.0 / body.mass, 1.0 / body.inertia);
  const Eigen::Matrix<double, 3, 4> W = make_directions(body);
  const Eigen::Vector3d load(body.force.x(), body.force.y(), body.torque);
  G_ = W.transpose() * inverse_mass.asDiagonal() * W;
  G3_ = G_(kRates, Eigen::all);
  const Eigen::Matrix3d independent = W(Eigen::all, kRates);
  free_ = independent.transpose() * inverse_mass.cwiseProduct(load);
  // Loads that balance exactly leave rounding errors of the load. A force through the centre of
  // mass still has its moment about the contacts.
  const double force = body.force.norm();
  const Eigen::Vector3d sizes(force, force, std::abs(body.torque) + force * size);
  free_scale_ = independent.cwiseAbs().transpose() * inverse_mass.cwiseProduct(sizes);
  slip1_ = independent.inverse() * W.col(1);
  for (Index i = 0; i < 2; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Vec2 force = i == 0 ? apart : Vec2(-apart);
    internal_[2 * i] = force.dot(body.normal[k]);
    internal_[2 * i + 1] = force.dot(turn_right(body.normal[k]));
  }
  stuck_ = -slip1_[1] / slip1_[2];

  using enum ContactMode;
  // Of contact 1 while contact 2 slips along +t, and along -t.
  const ContactMode together = slip1_[2] > 0.0 ? kSlipPlus : kSlipMinus;
  const ContactMode against = slip1_[2] > 0.0 ? kSlipMinus : kSlipPlus;
  add_map(PairMode::kSS, {kStick, kStick});
  add_map(PairMode::kSlipMinus, {against, kSlipMinus});
  add_map(PairMode::kSlipPlus, {together, kSlipPlus});
  add_map(PairMode::kFS, {kFree, kStick});
  add_map(PairMode::kSF, {kStick, kFree});
  add_map(PairMode::kFN, {kFree, kSlipMinus});
  add_map(PairMode::kFP, {kFree, kSlipPlus});
  add_map(PairMode::kNF, {kSlipMinus, kFree});
  add_map(PairMode::kPF, {kSlipPlus, kFree});
  add_map(PairMode::kFF, {kFree, kFree});
  for (const ContactMask closed : {kFirst, kSecond, kBoth}) {
    for (const int sign : {-1, 0, 1}) {
      const PairState state{closed, sign};
      answers_[(closed - 1) * 3 + static_cast<std::size_t>(sign + 1)] = find_answer(state);
    }
  }
}

void ZeroOrder::add_map(PairMode mode, std::array<ContactMode, 2> modes) {
  PairMap& map = maps_[static_cast<std::size_t>(mode)];
  for (std::size_t i = 0; i < 2; ++i) {
    if (is_closed(modes[i])) map.active |= mask(static_cast<int>(i));
    map.slip[i] = eval_slip_sign(modes[i]);
  }
  map.exists = solve_forces(modes, map);
  if (!map.exists) return;
  map.after = Eigen::Matrix3d::Identity() + G3_ * map.force;
  for (Index column = 0; column < 3; ++column) {
    ContactRates rates = map.after.col(column);
    clean(mode, rates);
    map.after.col(column) = rates;
  }
  map.acceleration = map.after * free_;
  clean(mode, map.acceleration);
  if (mode == PairMode::kSS) return add_stick_rows(map);
  for (int i = 0; i < 2; ++i) add_rows(i, modes[static_cast<std::size_t>(i)], map);
}

/// Solves the mode's equations for unit free rates. Unknowns: the normal forces of closed contacts
/// (with their friction, if they slip) and the tangential forces of sticking ones, at most two.
/// False if the equations are singular. If both contacts stick, the result is one member of the
/// family of forces; add_stick_rows tests whether any member is admissible.
bool ZeroOrder::solve_forces(std::array<ContactMode, 2> modes, PairMap& map) const {
  if (modes == std::array{ContactMode::kStick, ContactMode::kStick}) {
    map.force = -G3_.transpose() * (G3_ * G3_.transpose()).inverse();
    return true;
  }
  Eigen::Matrix<double, 4, 2> directions;  // forces per unknown
  directions.setZero();
  std::array<Index, 2> held{};  // what each unknown keeps at zero
  std::size_t count = 0;
  for (Index i = 0; i < 2; ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (!is_closed(modes[k])) continue;
    directions(2 * i, static_cast<Index>(count)) = 1.0;
    directions(2 * i + 1, static_cast<Index>(count)) = -map.slip[k] * mu_[k];
    held[count++] = 2 * i;
    if (is_sliding(modes[k])) continue;
    directions(2 * i + 1, static_cast<Index>(count)) = 1.0;
    held[count++] = 2 * i + 1;
  }
  Eigen::Matrix<double, 4, 3> unit;  // all contact rates from the independent ones
  unit << RowVector3d::UnitX(), slip1_, RowVector3d::UnitY(), RowVector3d::UnitZ();
  map.force.setZero();
  if (count == 1) {
    const double response = G_.row(held[0]) * directions.col(0);
    if (std::abs(response) <= tolerance_ * G_(held[0], held[0])) return false;
    map.force = -directions.col(0) * unit.row(held[0]) / response;
  } else if (count == 2) {
    const Eigen::Matrix2d E = G_(held, Eigen::all) * directions;
    const double size = E.row(0).norm() * E.row(1).norm();
    if (std::abs(E.determinant()) <= tolerance_ * size) return false;
    map.force = -directions * (E.inverse() * unit(held, Eigen::all));
  }
  return true;
}

/// The inequalities of one contact's mode.
void ZeroOrder::add_rows(int contact, ContactMode mode, PairMap& map) const {
  const auto k = static_cast<std::size_t>(contact);
  const RowVector3d normal = map.force.row(2 * contact);
  const RowVector3d tangent = map.force.row(2 * contact + 1);
  if (!is_closed(mode)) {
    map.rows.push_back({map.after.row(contact), mask(contact), RowKind::kGap});
  } else if (!is_sliding(mode)) {
    map.rows.push_back({mu_[k] * normal - tangent, mask(contact), RowKind::kCone});
    map.rows.push_back({mu_[k] * normal + tangent, mask(contact), RowKind::kCone});
  } else {
    map.rows.push_back({normal, mask(contact), RowKind::kForce});
    const bool told_by_other = contact == 0 && map.active == kBoth;
    const RowVector3d slip = contact == 0 ? RowVector3d(slip1_ * map.after) : map.after.row(2);
    if (!told_by_other) map.rows.push_back({map.slip[k] * slip, mask(contact), RowKind::kSlip});
  }
}

/// Both contacts stick if some member of the family force + s internal lies in both cones: each
/// lower bound of s must be below each upper one. A cone without width also needs f_n >= 0.
void ZeroOrder::add_stick_rows(PairMap& map) const {
  struct Side {
    RowVector3d value;
    double along = 0.0;
  };
  boost::container::static_vector<Side, 6> lower, upper;
  const auto add = [&](const RowVector3d& value, double along) {
    if (along > 0.0) lower.push_back({value, along});
    if (along < 0.0) upper.push_back({value, -along});
    if (along == 0.0) map.rows.push_back({value, kBoth, RowKind::kCone});
  };
  for (Index i = 0; i < 2; ++i) {
    const double mu = mu_[static_cast<std::size_t>(i)];
    const RowVector3d normal = map.force.row(2 * i);
    const RowVector3d tangent = map.force.row(2 * i + 1);
    for (const double sign : {-1.0, 1.0}) {
      add(mu * normal + sign * tangent, mu * internal_[2 * i] + sign * internal_[2 * i + 1]);
    }
    if (mu == 0.0) add(normal, internal_[2 * i]);
  }
  for (const Side& low : lower) {
    for (const Side& high : upper) {
      const RowVector3d value = low.value * high.along + high.value * low.along;
      // The two sides of a cone without width coincide and give no condition.
      if (!value.isZero(0.0)) map.rows.push_back({value, kBoth, RowKind::kCone});
    }
  }
}

/// Sets what a mode keeps at zero to zero.
void ZeroOrder::clean(PairMode mode, ContactRates& rates) const {
  const PairMap& map = this->map(mode);
  if ((map.active & kFirst) != 0) rates[0] = 0.0;
  if ((map.active & kSecond) != 0) rates[1] = 0.0;
  if (mode == PairMode::kSS || mode == PairMode::kFS) rates[2] = 0.0;
  if (mode == PairMode::kSF) rates[2] = stuck_ * rates[1];
}

/// Closed contacts may open; slipping ones keep their direction; contacts at rest may take any
/// mode; open ones stay open.
bool ZeroOrder::can_follow(const PairState& state, const PairMap& map) const {
  if ((map.active & ~state.closed) != 0) return false;
  if (state.slip_sign == 0) return true;
  const int sign1 = state.closed == kBoth && slip1_[2] < 0.0 ? -state.slip_sign : state.slip_sign;
  if ((map.active & kFirst) != 0 && map.slip[0] != sign1) return false;
  return (map.active & kSecond) == 0 || map.slip[1] == state.slip_sign;
}

PairAnswer ZeroOrder::find_answer(const PairState& state) const {
  PairAnswer out;
  for (std::size_t i = 0; i < kPairModes; ++i) {
    const PairMap& map = maps_[i];
    if (!map.exists || !can_follow(state, map)) continue;
    bool holds = true;
    bool clear = true;
    for (const ModeRow& row : map.rows) {
      if ((row.contacts & ~state.closed) != 0) continue;
      if (row.kind == RowKind::kSlip && state.slip_sign != 0) continue;
      const double value = row.value * free_;
      const double small = tolerance_ * row.value.cwiseAbs() * free_scale_;
      holds = holds && value >= -small;
      clear = clear && value > small;
    }
    if (holds) (clear ? out.modes : out.marginal).push_back(static_cast<PairMode>(i));
  }
  return out;
}

ModeWord ZeroOrder::make_word(PairMode mode) const {
  const PairMap& map = this->map(mode);
  ModeWord out(2);
  for (std::size_t i = 0; i < 2; ++i) {
    if ((map.active & mask(static_cast<int>(i))) == 0) continue;
    out.set(i, make_slip_mode(map.slip[i]));
  }
  return out;
}

std::string ZeroOrder::describe_marginal(const PairState& state, PairMode mode) const {
  const std::string word = to_letters(make_word(mode));
  std::string out;
  for (const ModeRow& row : map(mode).rows) {
    if ((row.contacts & ~state.closed) != 0) continue;
    const double value = row.value * free_;
    if (std::abs(value) > tolerance_ * row.value.cwiseAbs() * free_scale_) continue;
    const int contact = row.contacts == kSecond ? 2 : 1;
    const std::string what =
        row.kind == RowKind::kGap     ? fmt::format("z{}''({}) = 0", contact, word)
        : row.kind == RowKind::kForce ? fmt::format("f_n{}({}) = 0", contact, word)
        : row.kind == RowKind::kSlip  ? fmt::format("x{}''({}) = 0", contact, word)
                                      : fmt::format("the force of {} is on a friction cone", word);
    if (out.find(what) == std::string::npos) out += (out.empty() ? "" : ", ") + what;
  }
  return out;
}

}  // namespace slipstick
