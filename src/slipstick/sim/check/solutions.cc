/// Solutions of the contact problem at a state, against the laws.

#include <algorithm>
#include <cmath>

#include "slipstick/check.h"
#include "slipstick/sim/check/findings.h"
#include "slipstick/sim/check/mechanism.h"
#include "slipstick/sim/check/tolerances.h"

namespace slipstick {
namespace check {
namespace {

class SolutionCheck {
 public:
  SolutionCheck(const Model& model, const State& state, const ModeSolution& solution,
                Mechanism& mechanism, Findings& findings)
      : model_(model), state_(state), solution_(solution), findings_(findings) {
    mechanism.place(state, solution.acceleration.data(), 1.0, placed_);
    length_ = mechanism.find_size();
  }

  void run() {
    check_motion();
    for (int i = 0; i < model_.contact_count(); ++i) check_contact(i);
  }

 private:
  /// M v' + h = W f; sets the scale [sqrt(J)/s].
  void check_motion() {
    double left = 0.0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(model_.size()); ++i) {
      double sum = placed_.balance[i];
      double size = placed_.size[i];
      for (int j = 0; j < model_.contact_count(); ++j) {
        const ContactMotion& at = placed_.contacts[static_cast<std::size_t>(j)];
        const double normal = at.W_n[i] * solution_.force_n[j];
        const double tangential = at.W_t[i] * solution_.force_t[j];
        sum -= normal + tangential;
        size += std::abs(normal) + std::abs(tangential);
      }
      left = std::max(left, std::abs(sum) / placed_.root[i]);
      scale_ += size / placed_.root[i];
      speed_ += placed_.root[i] * std::abs(state_.v[static_cast<Eigen::Index>(i)]);
    }
    if (scale_ > 0.0) {
      note("equations of motion", -1, left / scale_, &Check::Worst::momentum);
    }
  }

  void check_contact(int index) {
    const ContactMotion& at = placed_.contacts[static_cast<std::size_t>(index)];
    const ContactMode mode = solution_.modes[static_cast<std::size_t>(index)];
    if (!(scale_ > 0.0)) return;
    double bend = at.bias_n;
    double turn = at.bias_t;
    for (std::size_t i = 0; i < static_cast<std::size_t>(model_.size()); ++i) {
      bend += at.W_n[i] * solution_.acceleration[static_cast<Eigen::Index>(i)];
      turn += at.W_t[i] * solution_.acceleration[static_cast<Eigen::Index>(i)];
    }
    const bool moves = at.mobility_n > kNoNormal * at.mobility_t;
    const double unit_n = scale_ * (moves ? at.mobility_n : at.mobility_t);
    if (!is_closed(mode)) {
      const double force = std::abs(solution_.force_n[index]) + std::abs(solution_.force_t[index]);
      note("complementarity", index, force > 0.0 ? 1.0 : 0.0);
      const bool on_surface = at.exists && std::abs(at.gap) <= kOnSurface * length_ &&
                              std::abs(at.gap_rate) <= kOnSurface * speed_ * at.mobility_n;
      if (on_surface && unit_n > 0.0)
        note("gap acceleration", index, std::max(0.0, -bend / unit_n));
      return;
    }
    if (unit_n > 0.0) note("gap acceleration", index, std::abs(bend) / unit_n);
    check_forces(index, mode, turn);
  }

  void check_forces(int index, ContactMode mode, double turn) {
    const ContactMotion& at = placed_.contacts[static_cast<std::size_t>(index)];
    const Contact& contact = model_.contacts[static_cast<std::size_t>(index)];
    const Surface& surface = model_.surfaces[static_cast<std::size_t>(contact.surface)];
    const double force_n = solution_.force_n[index];
    const double force_t = solution_.force_t[index];
    const double force = scale_ / std::max(at.mobility_n, at.mobility_t) + std::abs(force_n);
    if (!contact.bilateral) {
      note("normal force", index, std::max(0.0, -force_n / force), &Check::Worst::normal_force);
    }
    // At a dead centre a contact cannot move along its surface, and the rest is rounding.
    const double unit_t = scale_ * std::max(at.mobility_n, at.mobility_t);
    const bool has_bend = surface.speed.is_constant() && unit_t > 0.0;
    double outside = std::abs(force_t);
    if (mode == ContactMode::kStick && contact.mu_s > 0.0) {
      outside = std::max(0.0, std::abs(force_t) - contact.mu_s * std::abs(force_n));
      if (has_bend) note("stick", index, std::abs(turn) / unit_t);
    } else if (contact.mu_s > 0.0) {
      const double sign = eval_slip_sign(mode);
      outside = std::abs(force_t + sign * contact.mu * std::abs(force_n));
      const double slip = speed_ * at.mobility_t + std::abs(at.surface_speed);
      const bool rests = std::abs(at.slip) <= kOnSurface * slip;
      if (rests && has_bend) note("slip", index, std::max(0.0, -sign * turn / unit_t));
      if (!rests) note("slip", index, std::max(0.0, -sign * at.slip / slip));
    }
    note("friction", index, outside / force, &Check::Worst::cone);
  }

  void note(const char* law, int contact, double size, double Check::Worst::*worst = nullptr) {
    findings_.note(law, contact, state_.time, size, kSolved, worst);
  }

  const Model& model_;
  const State& state_;
  const ModeSolution& solution_;
  Findings& findings_;
  Placed placed_;
  double length_ = 0.0;
  double scale_ = 0.0, speed_ = 0.0;
};

}  // namespace
}  // namespace check

Check check_solutions(const Model& model, const State& state,
                      std::span<const ModeSolution> solutions) {
  Check out;
  check::Findings findings(out);
  check::Mechanism mechanism(model);
  for (const ModeSolution& solution : solutions) {
    check::SolutionCheck(model, state, solution, mechanism, findings).run();
  }
  return out;
}

}  // namespace slipstick
