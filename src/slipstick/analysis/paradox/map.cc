#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

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

/// Evaluates points of the map. Signed values of a point: orientations, then b of every contact.
class CaseMapper {
 public:
  CaseMapper(const ParadoxProblem& problem, const MapAxis& first, const MapAxis& second)
      : problem_(problem), axes_{first, second} {
    std::vector<int> driven;
    for (std::size_t i = 0; i < 2; ++i) {
      const MapAxis& axis = axes_[i];
      if (!axis.is_rate) driven.push_back(axis.coordinate);
      for (int k = 0; k < axis.count; ++k) {
        points_[i].push_back(axis.low + (axis.high - axis.low) * k / (axis.count - 1));
      }
    }
    followers_ = choose_followers(problem, driven, FollowFirst::kFile);
    for (const SlidingContact& contact : problem.sliding) indices_.push_back(contact.contact);
    moves_gaps_ = find_moves_gaps();
    value_count_ = indices_.size() == 1
                       ? 2
                       : eval_orientations(problem, problem.initial.q).size() + indices_.size();
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

  /// Writes the values at a state and returns its case: by the signs of p and b, or, with several
  /// contacts, by counting the solutions of the LCP.
  int eval(const State& state, double* out) const {
    if (indices_.size() == 1) {
      const auto [p, b] =
          eval_sliding_response(*problem_.model, state, indices_[0], problem_.sliding[0].slip_sign);
      out[0] = p;
      out[1] = b;
      return p > 0.0 ? (b < 0.0 ? 1 : 2) : (b > 0.0 ? 3 : 4);
    }
    return eval_several(state, out);
  }
  /// One value at a point of the plane, or nothing where the contacts cannot close.
  [[nodiscard]] std::optional<double> eval(double x, double y, std::size_t which,
                                           State& guess) const {
    if (!find_state(x, y, guess)) return std::nullopt;
    std::vector<double> values(value_count_);
    (void)eval(guess, values.data());
    return values[which];
  }

  [[nodiscard]] bool follows(int coordinate) const {
    return std::any_of(followers_.begin(), followers_.end(), [coordinate](const Closing& closing) {
      return closing.coordinate == coordinate;
    });
  }
  [[nodiscard]] const MapAxis& axis(std::size_t i) const { return axes_[i]; }
  [[nodiscard]] double value_at(std::size_t i, int index) const {
    return points_[i][static_cast<std::size_t>(index)];
  }
  [[nodiscard]] bool moves_gaps() const { return moves_gaps_; }
  [[nodiscard]] std::size_t value_count() const { return value_count_; }
  [[nodiscard]] std::size_t contact_count() const { return indices_.size(); }
  [[nodiscard]] const State& initial() const { return problem_.initial; }
  [[nodiscard]] const Model& model() const { return *problem_.model; }
  [[nodiscard]] int contact(std::size_t i) const { return indices_[i]; }

 private:
  int eval_several(const State& state, double* out) const {
    const std::vector<double> orientations = eval_orientations(problem_, state.q);
    double* out_b = std::copy(orientations.begin(), orientations.end(), out);
    const ContactDynamics dynamics = eval_contact_dynamics(*problem_.model, state, indices_);
    const auto k = static_cast<Eigen::Index>(indices_.size());
    Eigen::MatrixXd P(k, k);
    Eigen::VectorXd b(k);
    for (Eigen::Index j = 0; j < k; ++j) {
      const auto c = static_cast<std::size_t>(j);
      const double mu = problem_.model->contacts[static_cast<std::size_t>(indices_[c])].mu;
      const double friction = problem_.sliding[c].slip_sign * mu;
      out_b[j] = b[j] = dynamics.a_free[2 * j];
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
  std::array<std::vector<double>, 2> points_;
  std::vector<Closing> followers_;
  std::vector<int> indices_;
  bool moves_gaps_ = true;
  std::size_t value_count_ = 0;
};

/// Cases and values at all points, row by row.
struct Grid {
  std::size_t width = 0, value_count = 0;
  std::vector<std::vector<int>> cases;
  std::vector<double> values;  ///< of a point next to each other; unset in case 0

  [[nodiscard]] std::size_t index_of(std::size_t i, std::size_t j, std::size_t which) const {
    return (j * width + i) * value_count + which;
  }
};

/// Along a row the closing starts from the last point that closed.
void fill_row(const CaseMapper& mapper, int row, Grid& grid) {
  const auto j = static_cast<std::size_t>(row);
  const double y = mapper.value_at(1, row);
  std::vector<int>& cases = grid.cases[j];
  double* values = &grid.values[grid.index_of(0, j, 0)];
  State closed = mapper.initial();
  State state = closed;
  for (int i = 0; i < mapper.axis(0).count; ++i, values += grid.value_count) {
    if (mapper.find_state(mapper.value_at(0, i), y, state)) {
      if (mapper.moves_gaps()) closed = state;
      cases[static_cast<std::size_t>(i)] = mapper.eval(state, values);
    } else {
      state = closed;
    }
  }
}

/// A copy of the problem with its own model: expressions have scratch space of their own.
struct OwnedProblem {
  explicit OwnedProblem(const ParadoxProblem& from) : model(*from.model), problem(from) {
    problem.model = &model;
  }
  OwnedProblem(const OwnedProblem& other) : OwnedProblem(other.problem) {}
  OwnedProblem(OwnedProblem&&) = delete;
  OwnedProblem& operator=(const OwnedProblem&) = delete;
  OwnedProblem& operator=(OwnedProblem&&) = delete;
  ~OwnedProblem() = default;

  Model model;
  ParadoxProblem problem;
};

/// Rows are independent of each other, so it does not matter which thread has which.
Grid fill_grid(const ParadoxProblem& problem, const MapAxis& first, const MapAxis& second) {
  const auto width = static_cast<std::size_t>(first.count);
  const auto height = static_cast<std::size_t>(second.count);
  const std::size_t count = CaseMapper(problem, first, second).value_count();
  Grid grid{width, count, std::vector(height, std::vector<int>(width, 0)),
            std::vector<double>(width * height * count)};
  tbb::enumerable_thread_specific<OwnedProblem> owned(problem);
  tbb::parallel_for(tbb::blocked_range<int>(0, second.count), [&](const auto& rows) {
    const CaseMapper mapper(owned.local().problem, first, second);
    for (int j = rows.begin(); j < rows.end(); ++j) fill_row(mapper, j, grid);
  });
  return grid;
}

/// Marching squares over the grid for one of the values, with crossings refined on the edges.
class Contour {
 public:
  Contour(const CaseMapper& mapper, const Grid& grid, std::size_t which)
      : mapper_(mapper), grid_(grid), which_(which) {}

  std::vector<std::vector<Vec2>> find() {
    const int nx = mapper_.axis(0).count;
    const int ny = mapper_.axis(1).count;
    Signs below = list_signs(0);
    for (int j = 0; j + 1 < ny; ++j) {
      Signs above = list_signs(j + 1);
      for (int i = 0; i + 1 < nx; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const int positive = below[k] + below[k + 1] + above[k] + above[k + 1];
        if (positive != 0 && positive != 4) add_cell(i, j);  // few of them
      }
      below = std::move(above);
    }
    return chain();
  }

 private:
  /// An edge of the grid: from (i, j) to the right (0) or up (1).
  using Edge = std::array<int, 3>;

  [[nodiscard]] bool positive(int i, int j) const {
    const auto column = static_cast<std::size_t>(i);
    return grid_.values[grid_.index_of(column, static_cast<std::size_t>(j), which_)] > 0.0;
  }
  [[nodiscard]] bool closes(int i, int j) const {
    return grid_.cases[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] != 0;
  }

  /// 1 where a row's value is positive, 0 elsewhere.
  using Signs = std::vector<unsigned char>;
  [[nodiscard]] Signs list_signs(int j) const {
    Signs out(grid_.width);
    const double* values = grid_.values.data();  // a copy, since a char might point to the grid
    const std::size_t step = grid_.value_count;
    std::size_t at = grid_.index_of(0, static_cast<std::size_t>(j), which_);
    for (unsigned char& sign : out) {
      sign = values[at] > 0.0 ? 1 : 0;
      at += step;
    }
    return out;
  }

  void add_cell(int i, int j) {
    if (!closes(i, j) || !closes(i + 1, j) || !closes(i, j + 1) || !closes(i + 1, j + 1)) return;
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
      const std::optional<double> centre = mapper_.eval(x, y, which_, guess);
      const bool with_first = centre && (*centre > 0.0) == positive(i, j);
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
      return mapper_.eval(point.x(), point.y(), which_, guess).value_or(0.0);
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

  const CaseMapper& mapper_;
  const Grid& grid_;
  std::size_t which_;
  std::map<Edge, std::vector<Edge>> links_;
};

std::string name_value(const CaseMapper& mapper, std::size_t which, std::size_t count) {
  const std::size_t contacts = mapper.contact_count();
  if (contacts == 1) return which == 0 ? "p = 0" : "b = 0";
  const std::size_t orientations = count - contacts;
  if (which < orientations) return "minor " + std::to_string(which + 1) + " of P = 0";
  const auto contact = static_cast<std::size_t>(mapper.contact(which - orientations));
  return "b of " + mapper.model().contacts[contact].name + " = 0";
}

/// p and b at a point of the plane, the other coordinates and rates as in `guess`.
using CaseValues = std::array<double, 2>;
std::optional<CaseValues> find_values(const CaseMapper& mapper, double x, double y, State guess) {
  if (!mapper.find_state(x, y, guess)) return std::nullopt;
  CaseValues out{};
  (void)mapper.eval(guess, out.data());
  return out;
}

bool are_same(const CaseValues& a, const CaseValues& b) {
  constexpr double kSame = 1e-9;
  return std::abs(a[0] - b[0]) <= kSame * std::abs(b[0]) &&
         std::abs(a[1] - b[1]) <= kSame * std::abs(b[1]);
}

/// The initial state with one coordinate or rate changed that is neither an axis nor follows.
std::vector<State> list_moved_off(const ParadoxProblem& problem, const CaseMapper& mapper,
                                  const MapAxis& first, const MapAxis& second) {
  std::vector<State> out;
  for (int i = 0; i < problem.model->size(); ++i) {
    for (const bool is_rate : {false, true}) {
      const auto is_axis = [&](const MapAxis& axis) {
        return axis.coordinate == i && axis.is_rate == is_rate;
      };
      if (is_axis(first) || is_axis(second) || mapper.follows(i)) continue;
      out.push_back(problem.initial);
      (is_rate ? out.back().v : out.back().q)[i] += 0.37;  // any number that is no symmetry
    }
  }
  return out;
}

}  // namespace

bool is_plane_of_cases(const ParadoxProblem& problem, const MapAxis& first, const MapAxis& second) {
  if (problem.sliding.size() != 1 || problem.model->depends_on_time) return false;
  const CaseMapper mapper(problem, first, second);
  for (const double part : {0.2, 0.5, 0.8}) {
    const double x = first.low + part * (first.high - first.low);
    const double y = second.low + (1.0 - part) * (second.high - second.low);
    const auto plain = find_values(mapper, x, y, problem.initial);
    if (!plain) continue;
    for (const State& moved : list_moved_off(problem, mapper, first, second)) {
      const auto other = find_values(mapper, x, y, moved);
      if (!other || !are_same(*other, *plain)) return false;
    }
  }
  return true;
}

ParadoxMap find_paradox_map(const ParadoxProblem& problem, const MapAxis& first,
                            const MapAxis& second) {
  const CaseMapper mapper(problem, first, second);
  Grid grid = fill_grid(problem, first, second);
  ParadoxMap out;
  for (std::size_t which = 0; which < grid.value_count; ++which) {
    for (auto& line : Contour(mapper, grid, which).find()) {
      out.boundaries.push_back({name_value(mapper, which, grid.value_count), std::move(line)});
    }
  }
  out.regions = std::move(grid.cases);
  return out;
}

}  // namespace slipstick
