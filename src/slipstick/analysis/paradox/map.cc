#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "slipstick/analysis/paradox/follow.h"
#include "slipstick/analysis/paradox/paradox.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model/dynamics.h"

namespace slipstick {
namespace {

/// Signed values at a point of the map: orientations, then b of every contact. Empty where the
/// contacts cannot close.
using Values = std::vector<double>;

class Mapper {
 public:
  Mapper(const ParadoxProblem& problem, const MapAxis& first, const MapAxis& second)
      : problem_(problem), axes_{first, second} {
    std::vector<int> driven;
    for (const MapAxis& axis : axes_) {
      if (!axis.is_rate) driven.push_back(axis.coordinate);
    }
    followers_ = choose_followers(problem, driven, FollowFirst::kFile);
    for (const SlidingContact& contact : problem.sliding) indices_.push_back(contact.contact);
    moves_gaps_ = find_moves_gaps();
  }

  /// The state at a point of the plane; `guess` starts the closing.
  [[nodiscard]] bool find_state(double x, double y, State& guess) const {
    const std::array<double, 2> values{x, y};
    for (std::size_t i = 0; i < 2; ++i) {
      (axes_[i].is_rate ? guess.v : guess.q)[axes_[i].coordinate] = values[i];
    }
    if (!moves_gaps_) return true;
    std::vector<Closing> closings = followers_;
    if (closings.empty()) return false;
    for (Closing& closing : closings) closing.near = guess.q[closing.coordinate];
    const ClosingResult result = solve_closing(*problem_.model, guess.q, closings);
    if (!result.closed) return false;
    guess.q = result.q;
    return solve_closing_rates(*problem_.model, closings, guess);
  }

  [[nodiscard]] Values eval(const State& state) const {
    const ContactDynamics dynamics = eval_contact_dynamics(*problem_.model, state, indices_);
    if (indices_.size() == 1) {
      const auto& contact = problem_.model->contacts[static_cast<std::size_t>(indices_[0])];
      const double friction = problem_.sliding[0].slip_sign * contact.mu;
      return {dynamics.G(0, 0) - friction * dynamics.G(0, 1), dynamics.a_free[0]};
    }
    Values out = eval_orientations(problem_, state.q);
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      out.push_back(dynamics.a_free[static_cast<Eigen::Index>(2 * i)]);
    }
    return out;
  }
  [[nodiscard]] Values eval(double x, double y, State& guess) const {
    return find_state(x, y, guess) ? eval(guess) : Values{};
  }

  /// Case at a state with these values: by the signs of p and b, or, with several contacts, by
  /// counting the solutions of the LCP.
  [[nodiscard]] int find_case(const State& state, const Values& values) const {
    if (indices_.size() == 1) {
      return values[0] > 0.0 ? (values[1] < 0.0 ? 1 : 2) : (values[1] > 0.0 ? 3 : 4);
    }
    const ContactDynamics dynamics = eval_contact_dynamics(*problem_.model, state, indices_);
    const auto k = static_cast<Eigen::Index>(indices_.size());
    Eigen::MatrixXd P(k, k);
    Eigen::VectorXd b(k);
    for (Eigen::Index j = 0; j < k; ++j) {
      const auto c = static_cast<std::size_t>(j);
      const double mu = problem_.model->contacts[static_cast<std::size_t>(indices_[c])].mu;
      const double friction = problem_.sliding[c].slip_sign * mu;
      b[j] = dynamics.a_free[2 * j];
      for (Eigen::Index i = 0; i < k; ++i) {
        P(i, j) = dynamics.G(2 * i, 2 * j) - friction * dynamics.G(2 * i, 2 * j + 1);
      }
    }
    int solutions = 0;
    bool separates = false;
    for (unsigned bits = 0; bits < 1U << static_cast<unsigned>(k); ++bits) {
      if (!solves(P, b, bits)) continue;
      ++solutions;
      separates = bits == 0;
    }
    if (solutions != 1) return solutions == 0 ? 4 : 3;
    return separates ? 2 : 1;
  }

  [[nodiscard]] const MapAxis& axis(std::size_t i) const { return axes_[i]; }
  [[nodiscard]] double value_at(std::size_t i, int index) const {
    const MapAxis& a = axes_[i];
    return a.low + (a.high - a.low) * index / (a.count - 1);
  }
  [[nodiscard]] std::size_t contact_count() const { return indices_.size(); }
  [[nodiscard]] const State& initial() const { return problem_.initial; }
  [[nodiscard]] const Model& model() const { return *problem_.model; }
  [[nodiscard]] int contact(std::size_t i) const { return indices_[i]; }

 private:
  /// True if closing with exactly these contacts satisfies the LCP.
  static bool solves(const Eigen::MatrixXd& P, const Eigen::VectorXd& b, unsigned bits) {
    std::vector<Eigen::Index> closed;
    for (Eigen::Index i = 0; i < b.size(); ++i) {
      if ((bits >> static_cast<unsigned>(i) & 1U) != 0U) closed.push_back(i);
    }
    const Eigen::VectorXd f_closed = P(closed, closed).partialPivLu().solve(-b(closed));
    Eigen::VectorXd f = Eigen::VectorXd::Zero(b.size());
    f(closed) = f_closed;
    if (!closed.empty() && !(f_closed.minCoeff() > 0.0)) return false;
    const Eigen::VectorXd a = b + P * f;
    for (Eigen::Index i = 0; i < b.size(); ++i) {
      const bool is_closed = (bits >> static_cast<unsigned>(i) & 1U) != 0U;
      if (!is_closed && !(a[i] > 0.0)) return false;
    }
    return true;
  }

  /// False if no axis appears in a closed contact's gap: nothing has to follow.
  [[nodiscard]] bool find_moves_gaps() const {
    const Tree& tree = problem_.model->tree;
    if (!tree.coordinates_are_internal) return true;
    for (const int index : indices_) {
      for (const Row::Term& term :
           problem_.model->contacts[static_cast<std::size_t>(index)].normal.terms) {
        if (term.cosine == 0.0 && term.sine == 0.0) continue;
        const Element& element = tree.elements[static_cast<std::size_t>(term.element)];
        for (const MapAxis& axis : axes_) {
          if (axis.coordinate == term.element || axis.coordinate == element.frame) return true;
        }
      }
    }
    return false;
  }

  const ParadoxProblem& problem_;
  std::array<MapAxis, 2> axes_;
  std::vector<Closing> followers_;
  std::vector<int> indices_;
  bool moves_gaps_ = true;
};

/// Marching squares over the grid for one of the values, with crossings refined on the edges.
class Contour {
 public:
  Contour(const Mapper& mapper, const std::vector<std::vector<Values>>& grid, std::size_t which)
      : mapper_(mapper), grid_(grid), which_(which) {}

  std::vector<std::vector<Vec2>> find() {
    const int nx = mapper_.axis(0).count;
    const int ny = mapper_.axis(1).count;
    for (int j = 0; j + 1 < ny; ++j) {
      for (int i = 0; i + 1 < nx; ++i) add_cell(i, j);
    }
    return chain();
  }

 private:
  /// An edge of the grid: from (i, j) to the right (0) or up (1).
  using Edge = std::array<int, 3>;

  [[nodiscard]] const Values& at(int i, int j) const {
    return grid_[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
  }
  [[nodiscard]] bool positive(int i, int j) const { return at(i, j)[which_] > 0.0; }

  void add_cell(int i, int j) {
    for (const auto& [a, b] : {std::pair(0, 0), {1, 0}, {0, 1}, {1, 1}}) {
      if (at(i + a, j + b).empty()) return;
    }
    std::vector<Edge> crossed;
    if (positive(i, j) != positive(i + 1, j)) crossed.push_back({i, j, 0});
    if (positive(i + 1, j) != positive(i + 1, j + 1)) crossed.push_back({i + 1, j, 1});
    if (positive(i, j + 1) != positive(i + 1, j + 1)) crossed.push_back({i, j + 1, 0});
    if (positive(i, j) != positive(i, j + 1)) crossed.push_back({i, j, 1});
    if (crossed.size() == 2) link(crossed[0], crossed[1]);
    if (crossed.size() == 4) {  // a saddle: the centre's sign says which corners belong together
      const double x = 0.5 * (mapper_.value_at(0, i) + mapper_.value_at(0, i + 1));
      const double y = 0.5 * (mapper_.value_at(1, j) + mapper_.value_at(1, j + 1));
      State guess = mapper_.initial();
      const Values centre = mapper_.eval(x, y, guess);
      const bool with_first = !centre.empty() && (centre[which_] > 0.0) == positive(i, j);
      link(crossed[0], crossed[with_first ? 1 : 3]);
      link(crossed[2], crossed[with_first ? 3 : 1]);
    }
  }

  void link(const Edge& a, const Edge& b) {
    links_[a].push_back(b);
    links_[b].push_back(a);
  }

  [[nodiscard]] Vec2 refine(const Edge& edge) const {
    const auto [i, j, up] = edge;
    Vec2 from(mapper_.value_at(0, i), mapper_.value_at(1, j));
    Vec2 to = up == 0 ? Vec2(mapper_.value_at(0, i + 1), from.y())
                      : Vec2(from.x(), mapper_.value_at(1, j + 1));
    State guess = mapper_.initial();
    const auto f = [&](double s) {
      const Vec2 point = from + s * (to - from);
      const Values values = mapper_.eval(point.x(), point.y(), guess);
      return values.empty() ? 0.0 : values[which_];
    };
    std::uintmax_t iterations = 100;
    const auto close = [](double a, double b) { return std::abs(b - a) <= 1e-12; };
    const double f_from = f(0.0);
    const double f_to = f(1.0);
    if (f_from == 0.0) return from;
    if (f_to == 0.0) return to;
    const auto [a, b] =
        boost::math::tools::toms748_solve(f, 0.0, 1.0, f_from, f_to, close, iterations);
    return from + 0.5 * (a + b) * (to - from);
  }

  /// Walks the links into polylines: open ones from their ends, then closed ones.
  std::vector<std::vector<Vec2>> chain() {
    std::vector<std::vector<Vec2>> out;
    const auto walk = [&](const Edge& start) {
      std::vector<Vec2> line;
      Edge here = start;
      while (true) {
        line.push_back(refine(here));
        auto& next = links_[here];
        if (next.empty()) break;
        const Edge to = next.back();
        next.pop_back();
        auto& back = links_[to];
        back.erase(std::find(back.begin(), back.end(), here));
        here = to;
      }
      out.push_back(std::move(line));
    };
    for (const std::size_t ends : {std::size_t{1}, std::size_t{2}}) {
      for (const auto& [edge, next] : std::map(links_)) {
        if (links_[edge].size() == ends) walk(edge);
      }
    }
    return out;
  }

  const Mapper& mapper_;
  const std::vector<std::vector<Values>>& grid_;
  std::size_t which_;
  std::map<Edge, std::vector<Edge>> links_;
};

std::string name_value(const Mapper& mapper, std::size_t which, std::size_t count) {
  const std::size_t contacts = mapper.contact_count();
  if (contacts == 1) return which == 0 ? "p = 0" : "b = 0";
  const std::size_t orientations = count - contacts;
  if (which < orientations) return "minor " + std::to_string(which + 1) + " of P = 0";
  const auto contact = static_cast<std::size_t>(mapper.contact(which - orientations));
  return "b of " + mapper.model().contacts[contact].name + " = 0";
}

}  // namespace

ParadoxMap find_paradox_map(const ParadoxProblem& problem, const MapAxis& first,
                            const MapAxis& second) {
  const Mapper mapper(problem, first, second);
  ParadoxMap out;
  std::vector<std::vector<Values>> grid(static_cast<std::size_t>(second.count));
  std::size_t count = 0;
  for (int j = 0; j < second.count; ++j) {
    State guess =
        problem.initial;  // along a row the closing starts from the last point that closed
    out.regions.emplace_back();
    for (int i = 0; i < first.count; ++i) {
      State state = guess;
      const bool closes = mapper.find_state(mapper.value_at(0, i), mapper.value_at(1, j), state);
      if (closes) guess = state;
      Values values = closes ? mapper.eval(state) : Values{};
      out.regions.back().push_back(closes ? mapper.find_case(state, values) : 0);
      count = std::max(count, values.size());
      grid[static_cast<std::size_t>(j)].push_back(std::move(values));
    }
  }
  for (std::size_t which = 0; which < count; ++which) {
    for (auto& line : Contour(mapper, grid, which).find()) {
      out.boundaries.push_back({name_value(mapper, which, count), std::move(line)});
    }
  }
  return out;
}

}  // namespace slipstick
