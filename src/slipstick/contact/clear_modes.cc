#include "slipstick/contact/clear_modes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "slipstick/core/scales.h"

namespace slipstick {
namespace {

/// A mode that satisfies the laws.
struct ClearMode {
  ContactMode mode = ContactMode::kFree;
  double force_n = 0.0, force_t = 0.0;
};

/// Tries the modes of one unilateral contact in the order of ContactMode, in units in which both of
/// its mobilities are one: a_n = b_n + f_n + c f_t, a_t = b_t + c f_n + f_t.
class OneContact {
 public:
  explicit OneContact(const ContactProblem& problem) : contact_(problem.closed[0]) {
    const double normal = problem.G(0, 0);
    const double tangential = problem.G(1, 1);
    clear_ = normal > kImmobile * tangential && tangential > kImmobile * normal;
    if (!clear_) return;
    unit_n_ = 1.0 / std::sqrt(normal);
    unit_t_ = 1.0 / std::sqrt(tangential);
    c_ = problem.G(0, 1) * unit_n_ * unit_t_;
    b_n_ = problem.a_free[0] * unit_n_;
    b_t_ = problem.a_free[1] * unit_t_;
    size_ = std::max(problem.a_scale[0] * unit_n_, problem.a_scale[1] * unit_t_);
    mu_ = contact_.mu * unit_n_ / unit_t_;
    mu_s_ = contact_.mu_s * unit_n_ / unit_t_;
  }

  /// False if some decision is too close to call.
  bool run() {
    if (!clear_) return false;
    if (holds(b_n_, size_)) add(ContactMode::kFree, 0.0, 0.0);
    const bool rests = contact_.slip_sign == 0;
    if (rests && contact_.mu_s <= 0.0) {
      try_without_friction();
      return clear_;
    }
    if (rests || contact_.slip_sign < 0) try_slip(ContactMode::kSlipMinus);
    if (rests || contact_.slip_sign > 0) try_slip(ContactMode::kSlipPlus);
    if (rests) try_stick();
    return clear_;
  }

  [[nodiscard]] std::span<const ClearMode> modes() const { return {found_.data(), count_}; }

 private:
  void add(ContactMode mode, double f_n, double f_t) {
    found_[count_++] = {mode, unit_n_ * f_n, unit_t_ * f_t};
  }

  /// Gives up if a value computed from terms of this size is close to zero.
  void expect_clear(double value, double size) {
    // Far above the tolerances of the enumeration, which would then neither call the value marginal
    // nor find two modes with the same motion.
    clear_ &= std::abs(value) > kClear * (1.0 + mu_ + mu_s_) * size;
  }
  bool holds(double value, double size) {
    expect_clear(value, size);
    return value > 0.0;
  }

  void try_slip(ContactMode mode) {
    const double sign = eval_slip_sign(mode);
    const double pivot = 1.0 - sign * mu_ * c_;
    expect_clear(pivot, 1.0);
    const double f_n = -b_n_ / pivot;
    const double f_t = -sign * mu_ * f_n;
    const double size = size_ + std::abs(f_n) + std::abs(f_t);
    bool admissible = holds(f_n, size);
    if (contact_.slip_sign == 0) {
      admissible &= holds(sign * (b_t_ + c_ * f_n + f_t), size);
    }
    if (admissible) add(mode, f_n, f_t);
  }

  void try_stick() {
    const double determinant = 1.0 - c_ * c_;
    expect_clear(determinant, 1.0);
    const double f_n = (c_ * b_t_ - b_n_) / determinant;
    const double f_t = (c_ * b_n_ - b_t_) / determinant;
    const double size = size_ + std::abs(f_n) + std::abs(f_t);
    const bool pushes = holds(f_n, size);
    const bool below = holds(mu_s_ * f_n - f_t, size);
    const bool above = holds(mu_s_ * f_n + f_t, size);
    if (pushes && below && above) add(ContactMode::kStick, f_n, f_t);
  }

  /// The mode follows from how the contact starts to move.
  void try_without_friction() {
    const double f_n = -b_n_;
    const double size = size_ + std::abs(f_n);
    const bool pushes = holds(f_n, size);
    const bool forward = holds(b_t_ + c_ * f_n, size);
    if (pushes) add(make_slip_mode(forward ? 1.0 : -1.0), f_n, 0.0);
  }

  const ClosedContact& contact_;
  bool clear_ = true;
  double unit_n_ = 1.0, unit_t_ = 1.0;  ///< force = scaled * unit
  double c_ = 0.0, b_n_ = 0.0, b_t_ = 0.0, size_ = 0.0, mu_ = 0.0, mu_s_ = 0.0;
  std::array<ClearMode, 4> found_;
  std::size_t count_ = 0;
};

/// Fills the solution of a mode. Mode and forces are those of the only closed contact, if there is
/// one.
void write_solution(const ContactProblem& problem, const ClearMode& mode, ModeSolution& out) {
  const auto count = static_cast<Eigen::Index>(problem.contact_count());
  out.modes = ModeWord(static_cast<std::size_t>(count));
  out.force_n.setZero(count);
  out.force_t.setZero(count);
  out.acceleration = problem.free_acceleration;
  if (!is_closed(mode.mode)) return;
  const int index = problem.closed[0].index;
  out.modes.set(static_cast<std::size_t>(index), mode.mode);
  out.force_n[index] = mode.force_n;
  out.force_t[index] = mode.force_t + 0.0;  // no -0
  out.acceleration +=
      mode.force_n * problem.M_inverse_W.col(0) + mode.force_t * problem.M_inverse_W.col(1);
}

void write_solutions(const ContactProblem& problem, std::span<const ClearMode> modes,
                     ModeList& out) {
  out.resize(modes.size(), boost::container::default_init);  // overwritten below
  for (std::size_t i = 0; i < modes.size(); ++i) write_solution(problem, modes[i], out[i]);
}

}  // namespace

bool find_clear_modes(const ContactProblem& problem, ModeList& out) {
  if (problem.closed_count() > 1 || problem.lock_free.size() > 0) return false;
  if (problem.closed_count() == 0) {
    const ClearMode free;
    write_solutions(problem, {&free, 1}, out);
    return true;
  }
  if (problem.closed[0].bilateral) return false;
  OneContact contact(problem);
  if (!contact.run()) return false;
  write_solutions(problem, contact.modes(), out);
  return true;
}

}  // namespace slipstick
