#include "slipstick/contact/clear_modes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace slipstick {
namespace {

/// A mode that may hold, in units of unit mobility.
struct Candidate {
  char letter = 'F';
  double force_n = 0.0, force_t = 0.0;
};

/// Tries the modes of one unilateral contact in alphabetical order, in units in which both of its
/// mobilities are one: a_n = b_n + f_n + c f_t, a_t = b_t + c f_n + f_t.
class OneContact {
 public:
  explicit OneContact(const ContactProblem& problem) : contact_(problem.closed[0]) {
    const double normal = problem.G(0, 0);
    const double tangential = problem.G(1, 1);
    constexpr double kMobile = 1e-12;  // below, the tangential force has no unit of its own
    clear_ = normal > 0.0 && tangential > kMobile * normal;
    if (!clear_) return;
    unit_n = 1.0 / std::sqrt(normal);
    unit_t = 1.0 / std::sqrt(tangential);
    c_ = problem.G(0, 1) * unit_n * unit_t;
    b_n_ = problem.a_free[0] * unit_n;
    b_t_ = problem.a_free[1] * unit_t;
    size_ = std::max(problem.a_scale[0] * unit_n, problem.a_scale[1] * unit_t);
    mu_ = contact_.mu * unit_n / unit_t;
    mu_s_ = contact_.mu_s * unit_n / unit_t;
  }

  /// False if some decision is too close.
  bool run() {
    if (!clear_) return false;
    if (holds(b_n_, size_)) add({'F', 0.0, 0.0});
    const bool rests = contact_.slip_sign == 0;
    if (rests && contact_.mu_s <= 0.0) {
      try_without_friction();
      return clear_;
    }
    if (rests || contact_.slip_sign < 0) try_slip('N', -1.0);
    if (rests || contact_.slip_sign > 0) try_slip('P', 1.0);
    if (rests) try_stick();
    return clear_;
  }

  [[nodiscard]] const Candidate* begin() const { return found_.data(); }
  [[nodiscard]] const Candidate* end() const { return found_.data() + count_; }
  [[nodiscard]] std::size_t count() const { return count_; }

  double unit_n = 1.0, unit_t = 1.0;  ///< force = scaled * unit

 private:
  void add(const Candidate& candidate) { found_[count_++] = candidate; }

  /// value >= 0, if it is clear; `size` is that of its terms.
  bool holds(double value, double size) {
    // Far above the enumeration's tolerances, so that it would neither call the value marginal nor
    // find two modes to be the same motion.
    constexpr double kClear = 1e-6;
    clear_ &= std::abs(value) > kClear * (1.0 + mu_ + mu_s_) * size;
    return value > 0.0;
  }

  void try_slip(char letter, double sign) {
    const double pivot = 1.0 - sign * mu_ * c_;
    const bool rises = holds(pivot, 1.0);
    const double f_n = -b_n_ / pivot;
    const double f_t = -sign * mu_ * f_n;
    const double size = size_ + std::abs(f_n) + std::abs(f_t);
    bool admissible = holds(f_n, size);
    if (contact_.slip_sign == 0) {
      admissible &= holds(sign * (b_t_ + c_ * f_n + f_t), size);
    }
    (void)rises;  // either sign of p is fine, as long as it has one
    if (admissible) add({letter, f_n, f_t});
  }

  void try_stick() {
    const double determinant = 1.0 - c_ * c_;
    (void)holds(determinant, 1.0);
    const double f_n = (c_ * b_t_ - b_n_) / determinant;
    const double f_t = (c_ * b_n_ - b_t_) / determinant;
    const double size = size_ + std::abs(f_n) + std::abs(f_t);
    const bool pushes = holds(f_n, size);
    const bool below = holds(mu_s_ * f_n - f_t, size);
    const bool above = holds(mu_s_ * f_n + f_t, size);
    if (pushes && below && above) add({'S', f_n, f_t});
  }

  /// Named by how it starts to move.
  void try_without_friction() {
    const double f_n = -b_n_;
    const double size = size_ + std::abs(f_n);
    const bool pushes = holds(f_n, size);
    const bool forward = holds(b_t_ + c_ * f_n, size);
    if (pushes) add({forward ? 'P' : 'N', f_n, 0.0});
  }

  const ClosedContact& contact_;
  bool clear_ = true;
  double c_ = 0.0, b_n_ = 0.0, b_t_ = 0.0, size_ = 0.0, mu_ = 0.0, mu_s_ = 0.0;
  std::array<Candidate, 4> found_;
  std::size_t count_ = 0;
};

void add_solution(const ContactProblem& problem, std::vector<ModeSolution>& out) {
  const auto count = static_cast<Eigen::Index>(problem.contact_count());
  ModeSolution& solution = out.emplace_back();
  solution.modes.assign(static_cast<std::size_t>(count), 'F');
  solution.force_n.setZero(count);
  solution.force_t.setZero(count);
  solution.acceleration = problem.free_acceleration;
}

}  // namespace

std::optional<std::vector<ModeSolution>> find_clear_modes(const ContactProblem& problem) {
  if (problem.closed_count() > 1 || problem.lock_free.size() > 0) return std::nullopt;
  std::vector<ModeSolution> out;
  if (problem.closed_count() == 0) {
    add_solution(problem, out);
    return out;
  }
  if (problem.closed[0].bilateral) return std::nullopt;
  OneContact modes(problem);
  if (!modes.run()) return std::nullopt;
  out.reserve(modes.count());
  const int index = problem.closed[0].index;
  for (const Candidate& candidate : modes) {
    add_solution(problem, out);
    if (candidate.letter == 'F') continue;
    ModeSolution& solution = out.back();
    const double force_n = modes.unit_n * candidate.force_n;
    const double force_t = modes.unit_t * candidate.force_t;
    solution.modes[static_cast<std::size_t>(index)] = candidate.letter;
    solution.force_n[index] = force_n;
    solution.force_t[index] = force_t;
    solution.acceleration +=
        force_n * problem.M_inverse_W.col(0) + force_t * problem.M_inverse_W.col(1);
  }
  return out;
}

}  // namespace slipstick
