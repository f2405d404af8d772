#include "unit/contact/contact_laws.h"

#include <fmt/format.h>

#include <cmath>

#include "slipstick/mode_letters.h"

namespace slipstick {
namespace {

class LawCheck {
 public:
  LawCheck(const ContactProblem& problem, const ModeSolution& solution, double tolerance)
      : problem_(problem), solution_(solution), tolerance_(tolerance) {
    force_.resize(2 * problem.closed_count());
    for (int i = 0; i < problem.closed_count(); ++i) {
      const int c = problem.closed[static_cast<std::size_t>(i)].index;
      force_[2 * i] = solution.force_n[c];
      force_[2 * i + 1] = solution.force_t[c];
    }
    acceleration_ = problem.a_free + problem.G * force_;
    room_ = problem.a_scale + problem.G.cwiseAbs() * force_.cwiseAbs();
    room_.array() += 1.0;
    room_ *= tolerance;
    force_room_ = tolerance * (1.0 + force_.cwiseAbs().maxCoeff());
  }

  std::string run() {
    for (int i = 0; i < problem_.closed_count() && broken_.empty(); ++i) check_contact(i);
    const VecQ expected = problem_.free_acceleration + problem_.M_inverse_W * force_;
    const VecQ terms =
        problem_.free_acceleration.cwiseAbs() + problem_.M_inverse_W.cwiseAbs() * force_.cwiseAbs();
    for (Eigen::Index i = 0; i < expected.size(); ++i) {
      require(std::abs(solution_.acceleration[i] - expected[i]) <= tolerance_ * (1.0 + terms[i]),
              "v' follows from the forces", static_cast<int>(i));
    }
    return broken_;
  }

 private:
  void require(bool holds, const char* law, int at) {
    if (!holds && broken_.empty()) {
      broken_ = fmt::format("{} at {} in {}", law, at, to_letters(solution_.modes));
    }
  }

  void check_contact(int i) {
    const ClosedContact& contact = problem_.closed[static_cast<std::size_t>(i)];
    const ContactMode mode = solution_.modes[static_cast<std::size_t>(contact.index)];
    const double f_n = force_[2 * i];
    const double f_t = force_[2 * i + 1];
    const double a_n = acceleration_[2 * i];
    const double a_t = acceleration_[2 * i + 1];
    const double room = room_[2 * i + 1];
    if (mode == ContactMode::kFree) {
      require(!contact.bilateral, "a bilateral contact stays closed", i);
      require(f_n == 0.0 && f_t == 0.0, "an open contact carries no force", i);
      require(a_n >= -room_[2 * i], "a_n >= 0", i);
      return;
    }
    require(contact.bilateral || f_n >= -force_room_, "f_n >= 0", i);
    require(std::abs(a_n) <= room_[2 * i], "a_n = 0", i);
    if (mode == ContactMode::kStick) {
      require(contact.slip_sign == 0, "only a resting contact sticks", i);
      require(std::abs(f_t) <= contact.mu_s * std::abs(f_n) + force_room_, "|f_t| <= mu_s f_n", i);
      require(std::abs(a_t) <= room, "a_t = 0", i);
      return;
    }
    const int slip = mode == ContactMode::kSlipPlus ? 1 : -1;
    require(contact.slip_sign == slip || contact.slip_sign == 0, "slip keeps its direction", i);
    require(std::abs(f_t + slip * contact.mu * std::abs(f_n)) <= force_room_, "f_t = -s mu f_n", i);
    require(contact.slip_sign != 0 || slip * a_t >= -room, "slip starts along a_t", i);
  }

  const ContactProblem& problem_;
  const ModeSolution& solution_;
  double tolerance_;
  Vec2C force_, acceleration_, room_;
  double force_room_ = 0.0;
  std::string broken_;
};

bool is_same(double a, double b, double room) { return a == b || std::abs(a - b) <= room; }

bool is_same(const std::vector<Range>& a, const std::vector<Range>& b, double room) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!is_same(a[i].first, b[i].first, room)) return false;
    if (!is_same(a[i].second, b[i].second, room)) return false;
  }
  return true;
}

bool is_same(const VecC& a, const VecC& b, double room) {
  return a.size() == b.size() && (a - b).cwiseAbs().maxCoeff() <= room;
}

/// The largest force of the solution or of its range.
double find_size(const ModeSolution& solution) {
  double size =
      std::max(solution.force_n.cwiseAbs().maxCoeff(), solution.force_t.cwiseAbs().maxCoeff());
  for (const auto* ranges : {&solution.family.force_n, &solution.family.force_t}) {
    for (const Range& range : *ranges) {
      if (std::isfinite(range.first)) size = std::max(size, std::abs(range.first));
      if (std::isfinite(range.second)) size = std::max(size, std::abs(range.second));
    }
  }
  return size;
}

std::string find_difference(const ModeSolution& a, const ModeSolution& b, double tolerance) {
  const double room = tolerance * find_size(a);
  if (a.family.dimension != b.family.dimension) return "dimension";
  if (a.family.acceleration_is_unique != b.family.acceleration_is_unique) {
    return "uniqueness of the acceleration";
  }
  const bool same = a.family.dimension == 0
                        ? is_same(a.force_n, b.force_n, room) && is_same(a.force_t, b.force_t, room)
                        : is_same(a.family.force_n, b.family.force_n, room) &&
                              is_same(a.family.force_t, b.family.force_t, room);
  return same ? "" : "forces";
}

}  // namespace

std::string find_broken_law(const ContactProblem& problem, const ModeSolution& solution,
                            double tolerance) {
  return LawCheck(problem, solution, tolerance).run();
}

std::string list_words(const ModeList& solutions) {
  std::string out;
  for (const ModeSolution& solution : solutions) {
    out += (out.empty() ? "" : " ") + to_letters(solution.modes);
  }
  return out;
}

std::string find_difference(const ModeList& expected, const ModeList& actual, double tolerance) {
  if (list_words(expected) != list_words(actual)) {
    return fmt::format("words '{}' became '{}'", list_words(expected), list_words(actual));
  }
  std::vector<bool> is_taken(actual.size(), false);
  for (const ModeSolution& solution : expected) {  // of one word in any order
    std::string difference;
    bool is_found = false;
    for (std::size_t i = 0; i < actual.size() && !is_found; ++i) {
      if (is_taken[i] || actual[i].modes != solution.modes) continue;
      difference = find_difference(solution, actual[i], tolerance);
      is_found = difference.empty();
      if (is_found) is_taken[i] = true;
    }
    if (!is_found) return difference + " of " + to_letters(solution.modes);
  }
  return "";
}

}  // namespace slipstick
