#include "slipstick/analysis/paradox/jam_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <nlopt.hpp>
#include <numbers>
#include <random>

#include "slipstick/analysis/paradox/jam_friction.h"
#include "slipstick/core/differentiate.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model/scale.h"

namespace slipstick {
namespace {

/// What a configuration says about jams at its own friction mu_P: alpha = a.x, beta = l.x and
/// b = b0 + x^T B x for the rates x of the free coordinates and the follower, in their units per
/// unit of time, that keep the contact closed: n.x = 0.
struct JamForms {
  double mu = 0.0;
  double mobility = 0.0;  ///< G_nn, the size of p's terms
  double gap = 0.0;       ///< in lengths
  double b0 = 0.0;
  Eigen::VectorXd n, a, l;
  Eigen::MatrixXd B;

  /// All three are at most zero if x or a multiple of it jams: alpha - beta, beta, and x^T B x with
  /// the sign of b0.
  [[nodiscard]] Eigen::Vector3d eval(const Eigen::VectorXd& x) const {
    const double beta = l.dot(x);
    const double form = x.dot(B * x) / B.norm();
    return {(a.dot(x) - beta) / mobility, beta / mobility, b0 < 0.0 ? -form : form};
  }
};

class JamSearch {
 public:
  JamSearch(const ParadoxProblem& problem, const JamSpace& space)
      : problem_(problem), space_(space), index_{problem.sliding.front().contact} {}

  [[nodiscard]] bool is_quadratic() const {
    const JamSpace& space = space_;
    const Eigen::VectorXd rates = Eigen::VectorXd::LinSpaced(size(), 1.0, 2.0);
    return std::all_of(space.starts.begin(), space.starts.end(), [&](const VecQ& q) {
      const double rest = eval_b(q, VecQ::Zero(q.size()));
      const Eigen::VectorXd x = project(rates, eval_normal(q));
      const VecQ v = find_rate_unit(problem_, rest) * make_velocity(x);
      const double scale = 1e-9 * (std::abs(rest) + std::abs(eval_b(q, 2.0 * v)));
      return std::abs(eval_b(q, v) - eval_b(q, -v)) <= scale &&
             std::abs(eval_b(q, 2.0 * v) - rest - 4.0 * (eval_b(q, v) - rest)) <= scale;
    });
  }

  /// The free coordinates on which p or b depend.
  [[nodiscard]] std::vector<CoordinateRange> list_deciding() const {
    std::vector<bool> decides(space_.free.size(), false);
    for (const VecQ& q : space_.starts) {
      const JamForms forms = make_forms(q);
      // One rate at a time, the follower keeping the contact closed.
      const Eigen::Index follower = size() - 1;
      Eigen::MatrixXd T = Eigen::MatrixXd::Identity(size(), follower);
      T.row(follower) = -forms.n.head(follower) / forms.n[follower];
      const Eigen::VectorXd a = T.transpose() * forms.a;
      const Eigen::VectorXd l = T.transpose() * forms.l;
      const Eigen::MatrixXd B = T.transpose() * forms.B * T;
      for (Eigen::Index i = 0; i < follower; ++i) {
        const bool counts = std::abs(a[i]) > kNothing * a.norm() ||
                            std::abs(l[i]) > kNothing * l.norm() ||
                            B.col(i).norm() > kNothing * B.norm();
        if (counts) decides[static_cast<std::size_t>(i)] = true;
      }
    }
    std::vector<CoordinateRange> out;
    for (std::size_t i = 0; i < decides.size(); ++i) {
      if (decides[i]) out.push_back(space_.free[i]);
    }
    return out;
  }

  [[nodiscard]] std::optional<LeastJam> find() const {
    std::optional<LeastJam> best;
    for (const Candidate& candidate : list_candidates()) {
      // First well inside the strict inequalities, then up to them. So a point at which the
      // feasible set is only touched is not found.
      Eigen::VectorXd point = candidate.point;
      if (!descend(point, kMargin)) continue;
      const double inside = find_forms(point).mu;
      if (!descend(point, 0.0)) continue;
      const double mu = find_forms(point).mu;
      if (inside - mu > 0.02 * mu) continue;
      keep_lesser(problem_, {mu, make_configuration(point)}, best);
    }
    return best;
  }

 private:
  /// Free coordinates and the follower in their units, then their rates.
  struct Candidate {
    double mu;
    Eigen::VectorXd point;
  };
  static constexpr double kMargin = 1e-4;   // of the scaled forms: surely inside
  static constexpr double kNothing = 1e-7;  // of differences

  [[nodiscard]] Eigen::Index size() const {
    return static_cast<Eigen::Index>(space_.free.size()) + 1;
  }

  [[nodiscard]] int coordinate(Eigen::Index i) const {
    const auto k = static_cast<std::size_t>(i);
    return k < space_.free.size() ? space_.free[k].coordinate : space_.follower;
  }

  [[nodiscard]] double eval_b(const VecQ& q, const VecQ& v) const {
    return eval_contact_dynamics(*problem_.model, {problem_.initial.time, q, v}, index_).a_free[0];
  }

  [[nodiscard]] VecQ make_velocity(const Eigen::VectorXd& x) const {
    VecQ v = VecQ::Zero(problem_.initial.q.size());
    for (Eigen::Index i = 0; i < size(); ++i) {
      v[coordinate(i)] = x[i] * problem_.unit[coordinate(i)];
    }
    return v;
  }

  /// Gradient of the gap in lengths, over the free coordinates and the follower.
  [[nodiscard]] Eigen::VectorXd eval_normal(const VecQ& q) const {
    const ContactKinematics contacts =
        eval_contact_kinematics(*problem_.model, {problem_.initial.time, q, VecQ::Zero(q.size())});
    Eigen::VectorXd out(size());
    for (Eigen::Index i = 0; i < size(); ++i) {
      out[i] =
          contacts.W_n(coordinate(i), index_[0]) * problem_.unit[coordinate(i)] / problem_.length;
    }
    return out;
  }

  /// The rates nearest to x that keep the contact closed.
  [[nodiscard]] static Eigen::VectorXd project(const Eigen::VectorXd& x,
                                               const Eigen::VectorXd& normal) {
    return x - normal.dot(x) / normal.squaredNorm() * normal;
  }

  [[nodiscard]] JamForms make_forms(const VecQ& q) const {
    const VecQ rest = VecQ::Zero(q.size());
    const auto eval = [&](const VecQ& at) {
      return eval_contact_dynamics(*problem_.model, {problem_.initial.time, at, rest}, index_);
    };
    const ContactDynamics here = eval(q);
    JamForms out;
    out.mu = here.G(0, 0) / std::abs(here.G(0, 1));
    out.mobility = here.G(0, 0);
    out.b0 = here.a_free[0];
    const State at_rest{problem_.initial.time, q, rest};
    out.gap = eval_contact_kinematics(*problem_.model, at_rest).gap[index_[0]] / problem_.length;
    out.n = eval_normal(q);
    const double friction = here.G(0, 1) < 0.0 ? -out.mu : out.mu;
    const VecQ w = here.M_inverse_W.col(0) - friction * here.M_inverse_W.col(1);
    // At velocities for which the parts of b are of the same size, they keep their digits.
    const double rate = find_rate_unit(problem_, out.b0);
    const double w_size = eval_rate_scale(problem_.unit, w) / rate;
    std::vector<VecQ> basis;
    for (Eigen::Index i = 0; i < size(); ++i) {
      basis.push_back(make_velocity(Eigen::VectorXd::Unit(size(), i)));
    }
    // The quadratic part of b as a symmetric form, by differences, which are exact for it.
    const auto form = [&](const VecQ& x, const VecQ& y) {
      return 0.25 * (eval_b(q, x + y) - eval_b(q, x - y));
    };
    out.a.resize(size());
    out.l.resize(size());
    out.B.resize(size(), size());
    for (Eigen::Index i = 0; i < size(); ++i) {
      const VecQ& x = basis[static_cast<std::size_t>(i)];
      const auto p = [&](double t) {
        const ContactDynamics at = eval(q + t * x);
        return at.G(0, 0) - friction * at.G(0, 1);
      };
      out.a[i] = find_derivative(p, 0.0, 0.02);
      out.l[i] = -2.0 * form(rate * x, w / w_size) * (w_size / rate);
      for (Eigen::Index j = 0; j < size(); ++j) {
        out.B(i, j) = form(rate * x, rate * basis[static_cast<std::size_t>(j)]);
      }
    }
    return out;
  }

  /// The forms at the configuration of a point. The last ones are kept: a step of the optimiser
  /// asks for the same few configurations many times.
  [[nodiscard]] const JamForms& find_forms(const Eigen::VectorXd& point) const {
    constexpr std::size_t kKept = 64;
    const std::vector<double> key(point.begin(), point.begin() + size());
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    if (known_.size() >= kKept) known_.clear();
    return known_.emplace(key, make_forms(make_configuration(point))).first->second;
  }

  [[nodiscard]] VecQ make_configuration(const Eigen::VectorXd& point) const {
    VecQ q = space_.starts.front();
    for (Eigen::Index i = 0; i < size(); ++i) {
      q[coordinate(i)] = point[i] * problem_.unit[coordinate(i)];
    }
    return q;
  }

  /// The feasible starts with the least friction, each with its velocity farthest inside the
  /// conditions.
  [[nodiscard]] std::vector<Candidate> list_candidates() const {
    constexpr int kDirections = 400;
    constexpr std::size_t kCandidates = 12;
    std::mt19937_64 random(1);  // any directions; a fixed seed gives the same every time
    std::normal_distribution<double> normal;
    std::vector<Candidate> out;
    for (const VecQ& q : space_.starts) {
      const JamForms forms = make_forms(q);
      if (!std::isfinite(forms.mu) || forms.b0 == 0.0 || forms.B.norm() == 0.0) continue;
      double deepest = -kMargin;
      Eigen::VectorXd point;
      for (int k = 0; k < kDirections; ++k) {
        Eigen::VectorXd x(size());
        for (double& rate : x) rate = normal(random);
        x = project(x, forms.n).normalized();
        const double worst = forms.eval(x).maxCoeff();
        if (worst >= deepest) continue;
        deepest = worst;
        point.resize(2 * size());
        for (Eigen::Index i = 0; i < size(); ++i) {
          point[i] = q[coordinate(i)] / problem_.unit[coordinate(i)];
        }
        point.tail(size()) = x;
      }
      if (point.size() > 0) out.push_back({forms.mu, point});
    }
    std::sort(out.begin(), out.end(),
              [](const Candidate& x, const Candidate& y) { return x.mu < y.mu; });
    if (out.size() > kCandidates) out.resize(kCandidates);
    return out;
  }

  /// A function of a point in the form NLopt needs, with the gradient by differences.
  struct Term {
    std::function<double(const Eigen::VectorXd&)> eval;

    static double call(unsigned count, const double* x, double* gradient, void* opaque) {
      const Term& term = *static_cast<const Term*>(opaque);
      Eigen::VectorXd point = Eigen::Map<const Eigen::VectorXd>(x, count);
      constexpr double kStep = 1e-5;  // scaled: errors of 1e-10, noise of 1e-11
      for (unsigned i = 0; gradient != nullptr && i < count; ++i) {
        point[i] = x[i] + kStep;
        const double above = term.eval(point);
        point[i] = x[i] - kStep;
        gradient[i] = (above - term.eval(point)) / (2.0 * kStep);
        point[i] = x[i];
      }
      return term.eval(point);
    }
  };

  /// Local minimum of mu_P over points whose inequalities hold with a margin; false if none is
  /// found.
  bool descend(Eigen::VectorXd& point, double margin) const {
    const auto count = static_cast<unsigned>(point.size());
    const auto rates = [this](const Eigen::VectorXd& at) { return at.tail(size()); };
    Term friction{[this](const Eigen::VectorXd& at) { return std::min(find_forms(at).mu, 1e3); }};
    std::array<Term, 3> equalities{
        Term{[&](const Eigen::VectorXd& at) { return rates(at).squaredNorm() - 1.0; }},
        Term{[&](const Eigen::VectorXd& at) { return find_forms(at).n.dot(rates(at)); }},
        Term{[&](const Eigen::VectorXd& at) { return find_forms(at).gap; }}};
    std::array<Term, 3> inequalities;
    for (std::size_t i = 0; i < 3; ++i) {
      inequalities[i].eval = [this, i, margin, rates](const Eigen::VectorXd& at) {
        return find_forms(at).eval(rates(at))[static_cast<Eigen::Index>(i)] + margin;
      };
    }
    constexpr double kSlack = 1e-9;  // of the scaled constraints: what the optimiser may miss
    nlopt::opt optimiser(nlopt::LD_SLSQP, count);
    // Rates are of unit length; one turn for a follower that is an angle, no bounds for a slide.
    constexpr double kNone = std::numeric_limits<double>::infinity();
    std::vector<double> low(count, -2.0);
    std::vector<double> high(count, 2.0);
    const auto follower = static_cast<std::size_t>(space_.follower);
    const bool turns = problem_.model->tree.elements[follower].is_angle;
    low[space_.free.size()] = turns ? -std::numbers::pi : -kNone;
    high[space_.free.size()] = turns ? std::numbers::pi : kNone;
    if (space_.follows) {
      const double unit = problem_.unit[space_.follower];
      low[space_.free.size()] = space_.follows->low / unit;
      high[space_.free.size()] = space_.follows->high / unit;
    }
    for (std::size_t i = 0; i < space_.free.size(); ++i) {
      const double unit = problem_.unit[space_.free[i].coordinate];
      low[i] = space_.free[i].low / unit;
      high[i] = space_.free[i].high / unit;
    }
    optimiser.set_lower_bounds(low);
    optimiser.set_upper_bounds(high);
    optimiser.set_min_objective(&Term::call, &friction);
    for (Term& term : equalities) optimiser.add_equality_constraint(&Term::call, &term, kSlack);
    for (Term& term : inequalities) optimiser.add_inequality_constraint(&Term::call, &term, kSlack);
    optimiser.set_ftol_rel(1e-12);
    optimiser.set_xtol_rel(1e-10);
    optimiser.set_maxeval(200);
    std::vector<double> x(point.begin(), point.end());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i], low[i], high[i]);
    double value = 0.0;
    try {
      optimiser.optimize(x, value);
    } catch (const nlopt::roundoff_limited&) {
      // The optimiser has reached rounding; x holds the best point.
    } catch (const std::runtime_error&) {
      return false;
    }
    point = Eigen::Map<const Eigen::VectorXd>(x.data(), point.size());
    const JamForms& forms = find_forms(point);
    constexpr double kMet = 1e-6;  // of forms of unit size: what the optimiser leaves
    const double off = std::max(std::abs(forms.gap), std::abs(forms.n.dot(rates(point))));
    return off <= kMet && forms.eval(rates(point)).maxCoeff() <= kMet - margin;
  }

  const ParadoxProblem& problem_;
  const JamSpace& space_;
  std::array<int, 1> index_;
  mutable std::map<std::vector<double>, JamForms> known_;
};

}  // namespace

std::vector<CoordinateRange> find_deciding_coordinates(const ParadoxProblem& problem,
                                                       const JamSpace& space) {
  return JamSearch(problem, space).list_deciding();
}

JamFriction find_jam_friction(const ParadoxProblem& problem, const JamSpace& space) {
  const JamSearch search(problem, space);
  if (!search.is_quadratic()) return {std::nullopt, false};
  return {search.find(), true};
}

}  // namespace slipstick
