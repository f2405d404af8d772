#include "slipstick/sim/mode/held_field.h"

#include <Eigen/LU>

namespace slipstick {

bool write_held_field(const Model& model, const Mode& mode, const State& state,
                      double* acceleration, double* force) {
  constexpr int kMost = kMaxCoordinates + 2 * kMaxContacts;
  const Dynamics dynamics = eval_dynamics(model, state);
  const int n = model.size();
  int rows = n;
  for (const ClosedMode& contact : mode.closed) rows += contact.sticks() ? 2 : 1;
  BoundedMatrix<kMost, kMost> K(rows, rows);
  BoundedVector<kMost> r(rows);
  K.setZero();
  K.topLeftCorner(n, n) = dynamics.M;
  r.head(n) = -dynamics.h;
  int row = n;
  const auto hold = [&](const auto& W, double bias) {
    K.col(row).head(n) = -W;
    K.row(row).head(n) = W.transpose();
    r[row++] = -bias;
  };
  const ContactKinematics& at = dynamics.contacts;
  for (const ClosedMode& contact : mode.closed) {
    const int c = contact.contact;
    hold(at.W_n.col(c), at.bias_n[c]);
    if (contact.sticks()) hold(at.W_t.col(c), at.bias_t[c]);
  }
  const BoundedVector<kMost> x = K.partialPivLu().solve(r);
  if (!x.allFinite()) return false;
  Eigen::Map<VecQ>(acceleration, n) = x.head(n);
  row = n;
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    force[2 * i] = x[row++];
    force[2 * i + 1] = mode.closed[i].sticks() ? x[row++] : 0.0;
  }
  return true;
}

}  // namespace slipstick
