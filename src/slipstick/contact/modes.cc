#include "slipstick/contact/modes.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "slipstick/contact/clear_modes.h"
#include "slipstick/contact/mode_system.h"
#include "slipstick/core/linear_program.h"
#include "slipstick/core/scales.h"
#include "slipstick/mode_letters.h"

namespace slipstick {
namespace {

/// An accepted solution of one assumption, in scaled forces.
struct Candidate {
  Options options;
  Vec2C x;            ///< unknowns of its system
  Vec2C force;        ///< that follows from them
  Eigen::MatrixXd Z;  ///< directions of the family in x; no columns: unique
  ModeSolution solution;
  std::vector<std::string> marginal;  ///< inequalities that hold only within tolerance
};

/// The inequalities of a family x + unit Z y as A y <= b, each divided by the size of its terms.
struct FamilyProgram {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  double unit = 1.0;  ///< size of the forces, so that the program has no units
};

FamilyProgram make_family_program(const ModeSystem& system, const Vec2C& x,
                                  const Eigen::MatrixXd& Z, double unit) {
  const auto m = static_cast<Eigen::Index>(system.inequalities.size());
  FamilyProgram out{Eigen::MatrixXd(m, Z.cols()), Eigen::VectorXd(m), unit};
  for (Eigen::Index i = 0; i < m; ++i) {
    const Inequality& inequality = system.inequalities[static_cast<std::size_t>(i)];
    const double scale = inequality.eval_scale(x);
    const double size = scale > 0.0 ? scale : 1.0;
    out.A.row(i) = -(Z.transpose() * inequality.a).transpose() * (unit / size);
    out.b[i] = inequality.eval(x) / size;
  }
  return out;
}

/// Largest slack t <= 1 of all inequalities of the family; moves x to where it is attained.
double find_family_slack(const ModeSystem& system, const Eigen::MatrixXd& Z, double unit,
                         Vec2C& x) {
  const FamilyProgram program = make_family_program(system, x, Z, unit);
  const auto m = program.A.rows();
  const auto d = Z.cols();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(m + 1, d + 1);
  A.topLeftCorner(m, d) = program.A;
  A.col(d).setOnes();
  Eigen::VectorXd b(m + 1);
  b << program.b, 1.0;
  Eigen::VectorXd c = Eigen::VectorXd::Zero(d + 1);
  c[d] = 1.0;
  const LinearProgramResult result = solve_linear_program(A, b, c);
  if (result.status != LinearProgramStatus::kOptimal) return -1.0;
  x += unit * (Z * result.x.head(d));
  return result.value;
}

/// Range of a quantity with this gradient over the family; `at` is its value at the representative.
/// A gradient that is only rounding of `reference` counts as zero.
Range find_range(const FamilyProgram& program, const Eigen::VectorXd& gradient, double reference,
                 double at) {
  const double length = gradient.norm();
  if (!(length > kNoGradient * reference)) return {at, at};
  const Eigen::VectorXd direction = gradient / length;
  const double infinity = std::numeric_limits<double>::infinity();
  const auto extreme = [&](double sign) {
    const auto result = solve_linear_program(program.A, program.b, sign * direction);
    return result.status == LinearProgramStatus::kOptimal ? result.value * program.unit * length
                                                          : infinity;
  };
  return {at - extreme(-1.0), at + extreme(1.0)};
}

class Enumeration {
 public:
  /// With no names, the marginal list contains none.
  Enumeration(const ContactProblem& problem, std::vector<std::string> names,
              const Tolerances& tolerances)
      : problem_(problem),
        names_(std::move(names)),
        tolerances_(tolerances),
        scaled_(make_scaled(problem)) {}

  ModeSolutions run() {
    try_all();
    drop_repeated();
    return finish();
  }

  std::vector<ModeCandidate> list_candidates(const std::vector<ModeWord>& without) {
    try_all();
    const auto is_left_out = [&](const Candidate& candidate) {
      return std::count(without.begin(), without.end(), candidate.solution.modes) > 0;
    };
    candidates_.erase(std::remove_if(candidates_.begin(), candidates_.end(), is_left_out),
                      candidates_.end());
    drop_members();
    std::vector<ModeCandidate> out;
    for (Candidate& candidate : candidates_) {
      if (candidate.Z.cols() > 0) describe_family(candidate);
      keep_force_signs(candidate);
      out.push_back({std::move(candidate.solution), !candidate.marginal.empty()});
    }
    return out;
  }

  [[nodiscard]] std::optional<double> eval_slack(const Options& options) const {
    const ModeSystem system = make_system(scaled_, options);
    LinearSolution linear = solve_equations(system, scaled_.force_scale, tolerances_);
    if (!linear.exists) return std::nullopt;
    if (linear.Z.cols() > 0) {
      return find_family_slack(system, linear.Z, family_unit(linear.x), linear.x);
    }
    double slack = 1.0;
    for (const Inequality& inequality : system.inequalities) {
      const double scale = inequality.eval_scale(linear.x);
      if (scale > 0.0) slack = std::min(slack, inequality.eval(linear.x) / scale);
    }
    return slack;
  }

 private:
  /// The force of a bilateral contact that is zero within tolerance keeps its assumed sign.
  void keep_force_signs(Candidate& candidate) const {
    for (std::size_t i = 0; i < problem_.closed.size(); ++i) {
      const int sign = candidate.options[i].force;
      double& force = candidate.solution.force_n[problem_.closed[i].index];
      if (problem_.closed[i].bilateral && sign != 0) force = std::copysign(force, sign);
    }
  }

  void try_all() {
    PerContact<OptionList> choices;
    for (const ClosedContact& contact : problem_.closed) choices.push_back(list_options(contact));
    PerContact<std::size_t> index(choices.size(), 0);
    Options options(choices.size());
    while (true) {
      for (std::size_t i = 0; i < choices.size(); ++i) options[i] = choices[i][index[i]];
      try_options(options);
      std::size_t i = 0;
      while (i < choices.size() && ++index[i] == choices[i].size()) index[i++] = 0;
      if (i == choices.size()) break;
    }
  }

  void try_options(const Options& options) {
    if (is_ruled_out(scaled_, options)) return;
    const ModeSystem system = make_system(scaled_, options);
    LinearSolution linear = solve_equations(system, scaled_.force_scale, tolerances_);
    if (!linear.exists) return;
    std::vector<std::string> marginal;
    if (linear.Z.cols() > 0 && !system.inequalities.empty()) {
      const double slack = find_family_slack(system, linear.Z, family_unit(linear.x), linear.x);
      if (slack < -tolerances_.marginal) return;
      if (slack <= tolerances_.marginal) {
        // No room: the family is a part of its border, where inequalities are at zero.
        marginal.push_back(
            make_note(options, system.inequalities.front(), "forces of a redundant contact"));
      }
    } else {
      for (const Inequality& inequality : system.inequalities) {
        const double value = inequality.eval(linear.x);
        const double tolerance = tolerances_.marginal * inequality.eval_scale(linear.x);
        if (value < -tolerance) return;
        if (value <= tolerance) marginal.push_back(make_note(options, inequality, inequality.what));
      }
    }
    const Vec2C force = system.F.lazyProduct(linear.x);
    candidates_.push_back({options, linear.x, force, std::move(linear.Z), {}, std::move(marginal)});
    candidates_.back().solution = make_solution(candidates_.back());
  }

  /// Size of the forces near x.
  [[nodiscard]] double family_unit(const Vec2C& x) const {
    const double size = scaled_.force_scale + x.cwiseAbs().maxCoeff();
    return size > 0.0 ? size : 1.0;
  }

  [[nodiscard]] std::string make_note(const Options& options, const Inequality& inequality,
                                      const std::string& what) const {
    ModeWord word(options.size());
    for (std::size_t i = 0; i < options.size(); ++i) word.set(i, options[i].mode);
    const int contact = problem_.closed[static_cast<std::size_t>(inequality.contact)].index;
    const auto index = static_cast<std::size_t>(contact);
    return what + " of " + (names_.empty() ? "" : names_.at(index)) + " in " + to_letters(word);
  }

  ModeSolution make_solution(const Candidate& candidate) const {
    const int k = problem_.closed_count();
    const int count = problem_.contact_count();
    ModeSolution out;
    out.modes = ModeWord(static_cast<std::size_t>(count));
    out.force_n = VecC::Zero(count);
    out.force_t = VecC::Zero(count);
    const Vec2C& scaled_force = candidate.force;
    const Vec2C force = scaled_.unit.cwiseProduct(scaled_force);
    out.acceleration = problem_.free_acceleration + problem_.M_inverse_W.lazyProduct(force);
    const Vec2C slip_terms = scaled_.a_free + scaled_.G.lazyProduct(scaled_force);
    for (int i = 0; i < k; ++i) {
      const ClosedContact& contact = problem_.closed[static_cast<std::size_t>(i)];
      const Option& option = candidate.options[static_cast<std::size_t>(i)];
      out.force_n[contact.index] = force[2 * i];
      out.force_t[contact.index] = force[2 * i + 1];
      ContactMode mode = option.mode;
      if (mode == ContactMode::kStick && !option.has_stick_force) {  // no friction: as it moves
        const double scale = scaled_.a_scale[2 * i + 1] +
                             scaled_.G.row(2 * i + 1).cwiseAbs().dot(scaled_force.cwiseAbs());
        const double a_t = slip_terms[2 * i + 1];
        mode = make_slip_mode(std::abs(a_t) <= tolerances_.marginal * scale ? 0.0 : a_t);
      }
      out.modes.set(static_cast<std::size_t>(contact.index), mode);
    }
    out.family.dimension = static_cast<int>(candidate.Z.cols());
    return out;
  }

  [[nodiscard]] bool same_acceleration(const ModeSolution& a, const ModeSolution& b) const {
    const VecQ scale = problem_.free_acceleration.cwiseAbs() +
                       problem_.M_inverse_W.cwiseAbs() * scaled_.unit.cwiseProduct(scaled_.a_scale);
    return ((a.acceleration - b.acceleration).cwiseAbs().array() <=
            kSameSolution * (scale + a.acceleration.cwiseAbs()).array())
        .all();
  }

  /// True if `other` adds nothing to `kept`: the same motion with the same forces, or with forces
  /// that belong to the family of `kept`.
  [[nodiscard]] bool covers(const Candidate& kept, const Candidate& other) const {
    const Vec2C& a = kept.force;
    const Vec2C& b = other.force;
    const double size = scaled_.force_scale + a.cwiseAbs().maxCoeff();
    if ((a - b).cwiseAbs().maxCoeff() <= kSameSolution * size) {
      return same_acceleration(kept.solution, other.solution);
    }
    if (kept.Z.cols() == 0) return false;
    // Least squares in the family's own forces, then a test of its inequalities.
    const ModeSystem system = make_system(scaled_, kept.options);
    const Eigen::MatrixXd forces = system.F * kept.Z;
    const Eigen::VectorXd y = forces.colPivHouseholderQr().solve(b - a);
    if ((forces * y - (b - a)).cwiseAbs().maxCoeff() > kSameSolution * size) return false;
    const Vec2C x = kept.x + kept.Z * y;
    return std::all_of(system.inequalities.begin(), system.inequalities.end(),
                       [&](const Inequality& inequality) {
                         return inequality.eval(x) >= -kSameSolution * inequality.eval_scale(x);
                       });
  }

  /// Of coinciding candidates keeps the one with the larger family, then with room in it, then with
  /// fewest open and most sticking contacts.
  void drop_repeated() {
    if (candidates_.size() < 2) return;
    const auto rank = [](const Candidate& c) {
      const auto& word = c.solution.modes;
      const bool has_no_room = c.Z.cols() > 0 && !c.marginal.empty();
      return std::tuple(-c.Z.cols(), has_no_room,
                        std::count(word.begin(), word.end(), ContactMode::kFree),
                        -std::count(word.begin(), word.end(), ContactMode::kStick));
    };
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
    std::vector<Candidate> kept;
    for (Candidate& candidate : candidates_) {
      const auto repeats = [&](const Candidate& other) { return covers(other, candidate); };
      if (std::none_of(kept.begin(), kept.end(), repeats)) kept.push_back(std::move(candidate));
    }
    candidates_ = std::move(kept);
  }

  /// Drops candidates whose forces are members of another's family (three feet that slide, one of
  /// them without a force). If its own inequalities leave a family no room, it is part of any
  /// family with as many directions that contains it.
  void drop_members() {
    std::vector<Candidate> kept;
    for (Candidate& candidate : candidates_) {
      const bool has_room = candidate.Z.cols() == 0 || candidate.marginal.empty();
      const auto least = candidate.Z.cols() + (has_room ? 1 : 0);
      const bool is_member =
          std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& other) {
            return other.marginal.empty() && other.Z.cols() >= least && covers(other, candidate);
          });
      if (!is_member) kept.push_back(candidate);
    }
    candidates_ = std::move(kept);
  }

  /// Orthonormal directions of a family along which the motion changes. Forces that do not change
  /// the contacts' accelerations do not change the coordinates' either: x^T G x = 0 implies W x =
  /// 0. A coordinate that no contact moves is left out, because its own terms are rounding.
  static Eigen::MatrixXd find_moving_directions(const Eigen::MatrixXd& response, double largest) {
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(response, Eigen::ComputeFullV);
    const auto count = (svd.singularValues().array() > kSameSolution * largest).count();
    return svd.matrixV().leftCols(count);
  }

  void describe_family(Candidate& candidate) const {
    ForceFamily& family = candidate.solution.family;
    const ModeSystem system = make_system(scaled_, candidate.options);
    const Eigen::MatrixXd scaled_forces = system.F * candidate.Z;
    const Eigen::MatrixXd forces = scaled_.unit.asDiagonal() * scaled_forces;
    const double largest = scaled_forces.cwiseAbs().maxCoeff();
    const VecQ scale = problem_.M_inverse_W.cwiseAbs() * scaled_.unit * largest;
    const Eigen::MatrixXd moving = find_moving_directions(scaled_.G * scaled_forces, largest);
    const Eigen::MatrixXd accelerations =
        problem_.M_inverse_W * forces * moving * moving.transpose();
    family.acceleration_is_unique = moving.cols() == 0;
    const double unit = family_unit(candidate.x);
    const FamilyProgram program = make_family_program(system, candidate.x, candidate.Z, unit);
    const ModeSolution& at = candidate.solution;
    family.force_n.assign(static_cast<std::size_t>(problem_.contact_count()), {0.0, 0.0});
    family.force_t = family.force_n;
    for (int i = 0; i < problem_.closed_count(); ++i) {
      const int c = problem_.closed[static_cast<std::size_t>(i)].index;
      family.force_n[static_cast<std::size_t>(c)] =
          find_range(program, forces.row(2 * i), scaled_.unit[2 * i] * largest, at.force_n[c]);
      family.force_t[static_cast<std::size_t>(c)] = find_range(
          program, forces.row(2 * i + 1), scaled_.unit[2 * i + 1] * largest, at.force_t[c]);
    }
    if (family.acceleration_is_unique) return;
    for (Eigen::Index j = 0; j < at.acceleration.size(); ++j) {
      family.acceleration.push_back(
          find_range(program, accelerations.row(j), scale[j], at.acceleration[j]));
    }
    // If the inequalities leave the family no width, the motion is still unique.
    const auto is_point = [&](Eigen::Index j) {
      const auto [low, high] = family.acceleration[static_cast<std::size_t>(j)];
      const double size = std::abs(problem_.free_acceleration[j]) + std::abs(at.acceleration[j]);
      return high - low <= kSameSolution * size;
    };
    for (Eigen::Index j = 0; j < at.acceleration.size(); ++j) {
      if (!is_point(j)) return;
    }
    family.acceleration_is_unique = true;
    family.acceleration.clear();
  }

  /// False if the inequalities leave a family one member only, up to rounding.
  static bool has_width(const Candidate& candidate) {
    const ModeSolution& at = candidate.solution;
    const double size =
        std::max(at.force_n.cwiseAbs().maxCoeff(), at.force_t.cwiseAbs().maxCoeff());
    const auto is_wide = [&](const Range& range) {
      return !(range.second - range.first <= kProgramZero * size);
    };
    return std::any_of(at.family.force_n.begin(), at.family.force_n.end(), is_wide) ||
           std::any_of(at.family.force_t.begin(), at.family.force_t.end(), is_wide);
  }

  ModeSolutions finish() {
    ModeSolutions out;
    for (Candidate& candidate : candidates_) {
      if (candidate.Z.cols() > 0) describe_family(candidate);
      if (!has_width(candidate)) candidate.solution.family = {};
      out.marginal.insert(out.marginal.end(), candidate.marginal.begin(), candidate.marginal.end());
      out.solutions.push_back(std::move(candidate.solution));
    }
    std::sort(out.solutions.begin(), out.solutions.end(),
              [](const ModeSolution& a, const ModeSolution& b) {
                if (a.modes != b.modes) return a.modes < b.modes;
                return std::lexicographical_compare(a.force_n.begin(), a.force_n.end(),
                                                    b.force_n.begin(), b.force_n.end());
              });
    std::sort(out.marginal.begin(), out.marginal.end());
    out.marginal.erase(std::unique(out.marginal.begin(), out.marginal.end()), out.marginal.end());
    return out;
  }

  const ContactProblem& problem_;
  std::vector<std::string> names_;
  Tolerances tolerances_;
  ScaledProblem scaled_;
  std::vector<Candidate> candidates_;
};

}  // namespace

ModeSolutions find_consistent_modes(const ContactProblem& problem,
                                    const std::vector<std::string>& contact_names,
                                    const Tolerances& tolerances) {
  ModeSolutions out;
  if (find_clear_modes(problem, out.solutions)) return out;
  return Enumeration(problem, contact_names, tolerances).run();
}

std::vector<ModeCandidate> find_mode_candidates(const ContactProblem& problem,
                                                const Tolerances& tolerances,
                                                const std::vector<ModeWord>& without) {
  ModeList clear;
  if (!without.empty() || !find_clear_modes(problem, clear)) {
    return Enumeration(problem, {}, tolerances).list_candidates(without);
  }
  std::vector<ModeCandidate> out;
  for (ModeSolution& solution : clear) out.push_back({std::move(solution), false});
  return out;
}

std::optional<double> eval_mode_slack(const ContactProblem& problem, const ModeSolution& mode,
                                      const Tolerances& tolerances) {
  Options options;
  for (const ClosedContact& contact : problem.closed) {
    const ContactMode wanted = mode.modes[static_cast<std::size_t>(contact.index)];
    const int force = std::signbit(mode.force_n[contact.index]) ? -1 : 1;
    for (const Option& option : list_options(contact)) {
      const bool closed = is_closed(option.mode);
      const bool named = option.mode == wanted || (contact.mu_s <= 0.0 && is_closed(wanted));
      if (closed != is_closed(wanted) || !named) continue;
      if (closed && contact.bilateral && option.force != 0 && option.force != force) continue;
      options.push_back(option);
      break;
    }
  }
  if (options.size() != problem.closed.size()) return std::nullopt;
  return Enumeration(problem, {}, tolerances).eval_slack(options);
}

ContactClass find_class(const ModeList& solutions) {
  if (solutions.empty()) return ContactClass::kInconsistent;
  const bool unique = solutions.size() == 1 && solutions[0].family.acceleration_is_unique;
  return unique ? ContactClass::kConsistent : ContactClass::kIndeterminate;
}

}  // namespace slipstick
