#include "unit/contact/random_problems.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace slipstick {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

ContactProblem make_problem(const ContactEquations& equations) {
  const auto n = equations.size();
  const auto k = equations.contact_count();
  MatrixXd W(n, 2 * k);
  VectorXd bias(2 * k);
  for (Index i = 0; i < k; ++i) {
    W.col(2 * i) = equations.W_n.col(i);
    W.col(2 * i + 1) = equations.W_t.col(i);
    bias[2 * i] = equations.bias_n[i];
    bias[2 * i + 1] = equations.bias_t[i];
  }
  const Eigen::LLT<MatrixXd> mass(equations.M);
  ContactProblem out;
  out.closed.assign(equations.contacts.begin(), equations.contacts.end());
  out.status.assign(equations.contacts.size(), ContactStatus::kClosed);
  out.free_acceleration = -mass.solve(equations.h);
  out.M_inverse_W = mass.solve(W);
  out.G = W.transpose() * out.M_inverse_W;
  out.a_free = W.transpose() * out.free_acceleration + bias;
  out.a_scale = W.cwiseAbs().transpose() * out.free_acceleration.cwiseAbs() + bias.cwiseAbs();
  out.lock_free.resize(0);
  out.lock_G.resize(0, 2 * k);
  return out;
}

std::vector<std::string> make_names(const ContactProblem& problem) {
  std::vector<std::string> names;
  for (int i = 0; i < problem.contact_count(); ++i) names.push_back("c" + std::to_string(i));
  return names;
}

double RandomProblems::draw_number(double least, double greatest) {
  // Not std::uniform_real_distribution: its results differ between standard libraries.
  const double unit = static_cast<double>(random_() >> 11U) * 0x1.0p-53;
  return least + (greatest - least) * unit;
}

int RandomProblems::draw_integer(int least, int greatest) {
  const auto count = static_cast<std::uint64_t>(greatest - least + 1);
  return least + static_cast<int>(random_() % count);
}

MatrixXd RandomProblems::draw_matrix(Index rows, Index cols) {
  MatrixXd out(rows, cols);
  for (Index j = 0; j < cols; ++j) {
    for (Index i = 0; i < rows; ++i) out(i, j) = draw_number(-1.0, 1.0);
  }
  return out;
}

ClosedContact RandomProblems::draw_contact(int index) {
  ClosedContact out;
  out.index = index;
  out.mu = draw_chance(0.1) ? 0.0 : draw_number(0.0, 2.0);
  out.mu_s = draw_chance(0.25) ? out.mu + draw_number(0.0, 1.0) : out.mu;
  out.slip_sign = draw_integer(-1, 1);
  out.bilateral = draw_chance(0.15);
  return out;
}

ContactEquations RandomProblems::draw_generic(int n, int k) {
  ContactEquations out;
  const MatrixXd A = draw_matrix(n, n);
  out.M = A * A.transpose() + draw_number(0.1, 1.0) * MatrixXd::Identity(n, n);
  out.h = draw_matrix(n, 1);
  out.W_n = draw_matrix(n, k);
  out.W_t = draw_matrix(n, k);
  out.bias_n = draw_matrix(k, 1);
  out.bias_t = draw_matrix(k, 1);
  for (int i = 0; i < k; ++i) out.contacts.push_back(draw_contact(i));
  return out;
}

void RandomProblems::make_biases_compatible(ContactEquations& equations) {
  const VectorXd motion = draw_chance(0.5) ? VectorXd(draw_matrix(equations.size(), 1))
                                           : VectorXd::Zero(equations.size());
  equations.bias_n = equations.W_n.transpose() * motion;
  equations.bias_t = equations.W_t.transpose() * motion;
}

ContactEquations RandomProblems::draw_body(bool on_one_line) {
  const int k = draw_integer(2, 3);
  ContactEquations out = draw_generic(3, k);
  const double mass = draw_number(0.5, 2.0);
  out.M = Eigen::Vector3d(mass, mass, mass * draw_number(0.2, 2.0)).asDiagonal();
  // Mostly pressed down, so that many of the bodies stay on their feet.
  out.h = Eigen::Vector3d(draw_number(-1.0, 1.0), draw_number(-0.2, 3.0), draw_number(-0.5, 0.5));
  const bool same_friction = draw_chance(0.3);
  const bool same_slip = draw_chance(0.7);
  const double height = draw_number(0.1, 1.0);
  for (int i = 0; i < k; ++i) {
    const double turn = on_one_line ? 0.0 : draw_number(-0.3, 0.3) * std::numbers::pi;
    const Vec2 normal(-std::sin(turn), std::cos(turn));
    const Vec2 tangent = turn_right(normal);
    const Vec2 at(draw_number(-1.0, 1.0), on_one_line ? -height : -draw_number(0.1, 1.0));
    out.W_n.col(i) << normal, cross(at, normal);
    out.W_t.col(i) << tangent, cross(at, tangent);
    ClosedContact& contact = out.contacts[static_cast<std::size_t>(i)];
    contact.bilateral = draw_chance(0.05);
    if (same_friction) contact.mu = out.contacts[0].mu;
    if (same_friction) contact.mu_s = out.contacts[0].mu_s;
    if (same_slip) contact.slip_sign = out.contacts[0].slip_sign;
  }
  make_biases_compatible(out);
  return out;
}

RandomProblem RandomProblems::draw(ProblemKind kind) {
  RandomProblem out{kind, {}};
  if (kind == ProblemKind::kFeet || kind == ProblemKind::kWedge) {
    out.equations = draw_body(kind == ProblemKind::kFeet);
    return out;
  }
  const double share = draw_number(0.0, 1.0);
  int k = share < 0.55 ? 1 : 2;
  if (share > 0.9) k = share < 0.98 ? 3 : 4;
  if (kind == ProblemKind::kRankDeficient) k = draw_integer(2, 3);
  const int n = draw_integer(1, 6);
  ContactEquations& equations = out.equations;
  equations = draw_generic(n, k);
  if (kind == ProblemKind::kRankDeficient) {
    const int rank = draw_integer(1, std::min(n, 2 * k - 1));
    const MatrixXd basis = draw_matrix(n, rank);
    equations.W_n = basis * draw_matrix(rank, k);
    equations.W_t = basis * draw_matrix(rank, k);
    make_biases_compatible(equations);
  }
  if (kind == ProblemKind::kZeroTangent) {
    for (int i = 0; i < k; ++i) {
      if (i > 0 && draw_chance(0.5)) continue;
      equations.W_t.col(i).setZero();
      if (draw_chance(0.7)) equations.bias_t[i] = 0.0;
    }
  }
  return out;
}

RandomProblem RandomProblems::draw() {
  const double share = draw_number(0.0, 1.0);
  if (share < 0.9) return draw(ProblemKind::kGeneric);
  if (share < 0.93) return draw(ProblemKind::kFeet);
  if (share < 0.96) return draw(ProblemKind::kWedge);
  return draw(share < 0.98 ? ProblemKind::kRankDeficient : ProblemKind::kZeroTangent);
}

ContactEquations RandomProblems::draw_sliding() {
  const int k = draw_integer(1, 4);
  ContactEquations out = draw_generic(draw_integer(k, 6), k);
  for (ClosedContact& contact : out.contacts) {
    contact.bilateral = false;
    contact.slip_sign = draw_chance(0.5) ? 1 : -1;
  }
  return out;
}

ContactEquations make_feet(const Feet& feet) {
  const auto k = static_cast<Index>(feet.positions.size());
  ContactEquations out;
  const double inertia = feet.mass * feet.gyration * feet.gyration;
  out.M = Eigen::Vector3d(feet.mass, feet.mass, inertia).asDiagonal();
  out.h = Eigen::Vector3d(-feet.force_x, -feet.force_y, 0.0);
  out.W_n.resize(3, k);
  out.W_t.resize(3, k);
  out.bias_n = VectorXd::Zero(k);
  out.bias_t = VectorXd::Zero(k);
  for (Index i = 0; i < k; ++i) {
    const auto j = static_cast<std::size_t>(i);
    out.W_n.col(i) << 0.0, 1.0, feet.positions[j];
    out.W_t.col(i) << 1.0, 0.0, feet.height;
    out.contacts.push_back({static_cast<int>(i), feet.mu[j], feet.mu[j], feet.slip_sign, false});
  }
  return out;
}

}  // namespace slipstick
