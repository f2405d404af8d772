#include "slipstick/io/hdf5/segments.h"

#include <algorithm>
#include <array>

#include "slipstick/contact/contact_problem.h"
#include "slipstick/sim/mode/mode_equations.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {

void Segments::eval_state(std::size_t segment, double theta, State& out) const {
  const auto n = static_cast<Eigen::Index>(coordinates_);
  std::array<double, kMaxIntegrated> y;
  (*this)[segment].polynomial.eval_first(2 * coordinates_ + 1, theta, y.data());
  out.q = Eigen::Map<const VecQ>(y.data(), n);
  out.v = Eigen::Map<const VecQ>(y.data() + n, n);
  out.time = y[2 * coordinates_];
}

void Segments::write_coefficients(const ByteSink& sink) const {
  const std::size_t motion = 2 * coordinates_ + 1;
  std::vector<double> row(kOrder * components());
  for (const Segment& step : trajectory_->segments) {
    std::fill(row.begin(), row.end(), 0.0);
    const PerContact<ClosedMode>& closed = trajectory_->modes[step.mode].closed;
    double* place = row.data();
    for (std::size_t k = 0; k < kOrder; ++k, place += components()) {
      const double* from = step.polynomial.rows[k];
      std::copy_n(from, motion, place);
      for (std::size_t j = 0; j < closed.size(); ++j) {
        const auto contact = static_cast<std::size_t>(closed[j].contact);
        std::copy_n(from + motion + 2 * j, 2, place + motion + 2 * contact);
      }
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes may alias
    sink({reinterpret_cast<const char*>(row.data()), row.size() * sizeof(double)});
  }
}

}  // namespace slipstick
