#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "slipstick/analysis/paradox/closed_branch.h"
#include "slipstick/analysis/paradox/follow.h"
#include "slipstick/analysis/parallel_for.h"
#include "slipstick/contact/modes.h"
#include "slipstick/core/roots.h"
#include "slipstick/core/scales.h"
#include "slipstick/errors.h"
#include "slipstick/model/closing.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model/scale.h"
#include "slipstick/paradox.h"

namespace slipstick {
namespace {

/// Evaluates points of the map. The signed values of a point are the orientations, then b of every
/// contact.
class CaseMapper {
 public:
  CaseMapper(const ParadoxProblem& problem, const MapAxis& first, const MapAxis& second)
      : problem_(problem), axes_{first, second} {
    std::vector<int> driven_rates;
    for (std::size_t i = 0; i < 2; ++i) {
      const MapAxis& axis = axes_[i];
      (axis.is_rate ? driven_rates : driven_).push_back(axis.coordinate);
      for (int k = 0; k < axis.count; ++k) {
        points_[i].push_back(axis.low + (axis.high - axis.low) * k / (axis.count - 1));
      }
    }
    for (const SlidingContact& contact : problem.sliding) indices_.push_back(contact.contact);
    const Contact& first_contact = problem.model->contacts[static_cast<std::size_t>(indices_[0])];
    is_lone_ = indices_.size() == 1 && !first_contact.bilateral;
    moves_gaps_ = find_moves_gaps();
    if (moves_gaps_) followers_ = choose_followers(problem, driven_, FollowFirst::kFile);
    can_close_ = !moves_gaps_ || !followers_.empty();
    rate_followers_ = choose_rate_followers(driven_rates);
    value_count_ = is_lone_ ? 2 : problem.pieces.size() + indices_.size();
  }

  /// Sets the axes' values; the configuration already has those that are coordinates.
  void set_axes(double x, double y, State& state) const {
    const std::array<double, 2> values{x, y};
    for (std::size_t i = 0; i < 2; ++i) {
      (axes_[i].is_rate ? state.v : state.q)[axes_[i].coordinate] = values[i];
    }
  }

  /// Sets rates that keep the contacts closed, with the rates on the axes unchanged; false if there
  /// are none.
  [[nodiscard]] bool set_rates(State& state) const {
    if (!moves_gaps_) return true;
    for (const int i : rate_followers_) state.v[i] = 0.0;
    ContactKinematics contacts = eval_contact_kinematics(*problem_.model, state);
    const auto rows = static_cast<Eigen::Index>(problem_.holding.size());
    const auto columns = static_cast<Eigen::Index>(rate_followers_.size());
    Eigen::MatrixXd J(rows, columns);
    Eigen::VectorXd rates(rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const int c = problem_.holding[static_cast<std::size_t>(i)];
      rates[i] = contacts.gap_rate[c];
      for (Eigen::Index j = 0; j < columns; ++j) {
        const int k = rate_followers_[static_cast<std::size_t>(j)];
        J(i, j) = contacts.W_n(k, c) * problem_.unit[k];
      }
    }
    const Eigen::VectorXd solution = J.colPivHouseholderQr().solve(-rates);
    for (Eigen::Index j = 0; j < columns; ++j) {
      const int k = rate_followers_[static_cast<std::size_t>(j)];
      state.v[k] = solution[j] * problem_.unit[k];
    }
    for (Eigen::Index i = 0; i < rows; ++i) {
      const int c = problem_.holding[static_cast<std::size_t>(i)];
      const double left = contacts.W_n.col(c).dot(state.v);
      const double terms = contacts.W_n.col(c).cwiseAbs().dot(state.v.cwiseAbs());
      if (!(std::abs(left) <= kClosure * terms)) return false;
    }
    return true;
  }

  /// Writes the values at a state and returns its case: from the signs of p and b, or, with several
  /// contacts or a bilateral one, from the number of motions that the contact laws allow.
  int eval(const State& state, double* out) const {
    if (!is_lone_) return eval_several(state, out);
    const auto [p, b] =
        eval_sliding_response(*problem_.model, state, indices_[0], problem_.sliding[0].slip_sign);
    out[0] = p;
    out[1] = b;
    if (!std::isfinite(p) || !std::isfinite(b)) return 0;  // the mass matrix is singular there
    if (b == 0.0) return 2;  // without a force the contact stays where it is
    return p > 0.0 ? (b < 0.0 ? 1 : 2) : (b > 0.0 ? 3 : 4);
  }

  [[nodiscard]] bool follows(int coordinate) const {
    const bool in_rates =
        std::count(rate_followers_.begin(), rate_followers_.end(), coordinate) > 0;
    return in_rates || std::any_of(followers_.begin(), followers_.end(),
                                   [&](const Closing& c) { return c.coordinate == coordinate; });
  }
  [[nodiscard]] const MapAxis& axis(std::size_t i) const { return axes_[i]; }
  [[nodiscard]] double value_at(std::size_t i, int index) const {
    return points_[i][static_cast<std::size_t>(index)];
  }
  [[nodiscard]] bool can_close() const { return can_close_; }
  [[nodiscard]] const std::vector<Closing>& followers() const { return followers_; }
  [[nodiscard]] const std::vector<int>& driven() const { return driven_; }
  [[nodiscard]] std::size_t value_count() const { return value_count_; }
  [[nodiscard]] const ParadoxProblem& problem() const { return problem_; }

  /// The name of a value: "p = 0" or "b = 0"; with several contacts also the contact or the piece
  /// of the law.
  [[nodiscard]] std::string name_value(std::size_t which) const {
    const std::size_t pieces = value_count_ - indices_.size();
    if (indices_.size() == 1) return which < pieces ? "p = 0" : "b = 0";
    if (which < pieces) return "minor " + std::to_string(which + 1) + " of P = 0";
    const auto contact = static_cast<std::size_t>(indices_[which - pieces]);
    return "b of " + problem_.model->contacts[contact].name + " = 0";
  }

 private:
  int eval_several(const State& state, double* out) const {
    const std::vector<double> orientations = eval_orientations(problem_, state.q);
    double* out_b = std::copy(orientations.begin(), orientations.end(), out);
    PerContact<ClosedContact> closed;
    for (const SlidingContact& sliding : problem_.sliding) {
      const Contact& contact = problem_.model->contacts[static_cast<std::size_t>(sliding.contact)];
      closed.push_back({sliding.contact, contact.mu, contact.mu_s, sliding.slip_sign > 0.0 ? 1 : -1,
                        contact.bilateral});
    }
    const Tolerances tolerances;
    const ContactProblem contacts =
        make_contact_problem(*problem_.model, state,
                             eval_contact_kinematics(*problem_.model, state), closed, tolerances);
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      out_b[i] = contacts.a_free[2 * static_cast<Eigen::Index>(i)];
    }
    const ModeSolutions modes =
        find_consistent_modes(contacts, problem_.model->contact_names, tolerances);
    switch (find_class(modes.solutions)) {
      case ContactClass::kInconsistent:
        return 4;
      case ContactClass::kIndeterminate:
        return 3;
      case ContactClass::kConsistent:
        break;
    }
    const ModeWord& word = modes.solutions.front().modes;
    return std::any_of(word.begin(), word.end(), is_closed) ? 1 : 2;
  }

  /// The coordinates whose rates keep the contacts closed: those that close the configuration, or
  /// others if an axis gives their rates. If no choice of them is possible, all that are left.
  [[nodiscard]] std::vector<int> choose_rate_followers(const std::vector<int>& driven) const {
    std::vector<int> out;
    for (const Closing& closing : choose_followers(problem_, driven, FollowFirst::kFile)) {
      out.push_back(closing.coordinate);
    }
    if (!out.empty()) return out;
    for (int i = 0; i < problem_.model->size(); ++i) {
      if (std::find(driven.begin(), driven.end(), i) == driven.end()) out.push_back(i);
    }
    return out;
  }

  /// False if no axis appears in the gap of a closed contact, so that nothing has to follow.
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
  std::vector<int> driven_, rate_followers_, indices_;
  bool is_lone_ = true;  ///< one unilateral contact: p and b decide
  bool moves_gaps_ = true, can_close_ = true;
  std::size_t value_count_ = 0;
};

/// The mapper and the branch on which it evaluates.
struct MapPlane {
  const CaseMapper& mapper;
  const ClosedBranch& branch;

  /// The state at a place near a point of the grid, or nothing where the contacts do not close.
  [[nodiscard]] std::optional<State> find_state(int i, int j, double x, double y) const {
    const auto q = branch.find_near(i, j, x, y);
    if (!q) return std::nullopt;
    State out = mapper.problem().initial;
    out.q = *q;
    mapper.set_axes(x, y, out);
    if (!mapper.set_rates(out)) return std::nullopt;
    return out;
  }

  /// One value there; nothing if it is not finite.
  [[nodiscard]] std::optional<double> find_value(int i, int j, const Vec2& at,
                                                 std::size_t which) const {
    const auto state = find_state(i, j, at.x(), at.y());
    if (!state) return std::nullopt;
    std::vector<double> values(mapper.value_count());
    (void)mapper.eval(*state, values.data());
    if (!std::isfinite(values[which])) return std::nullopt;
    return values[which];
  }
};

/// Cases and values at all points, row by row.
struct Grid {
  std::size_t width = 0, value_count = 0;
  std::vector<std::vector<int>> cases;
  std::vector<double> values;  ///< those of one point are adjacent; not set in case 0

  [[nodiscard]] std::size_t index_of(std::size_t i, std::size_t j, std::size_t which) const {
    return (j * width + i) * value_count + which;
  }
};

void fill_row(const MapPlane& plane, int row, Grid& grid) {
  const auto j = static_cast<std::size_t>(row);
  const CaseMapper& mapper = plane.mapper;
  std::vector<int>& cases = grid.cases[j];
  double* values = &grid.values[grid.index_of(0, j, 0)];
  State state = mapper.problem().initial;
  for (int i = 0; i < mapper.axis(0).count; ++i, values += grid.value_count) {
    const auto q = plane.branch.find_at(i, row);
    if (!q) continue;
    state.q = *q;
    state.v = mapper.problem().initial.v;
    mapper.set_axes(mapper.value_at(0, i), mapper.value_at(1, row), state);
    if (mapper.set_rates(state)) cases[static_cast<std::size_t>(i)] = mapper.eval(state, values);
  }
}

/// Rows do not depend on each other, so the result does not depend on the threads.
Grid fill_grid(const ParadoxProblem& problem, const MapAxis& first, const MapAxis& second,
               const ClosedBranch& branch) {
  const auto width = static_cast<std::size_t>(first.count);
  const auto height = static_cast<std::size_t>(second.count);
  const std::size_t count = CaseMapper(problem, first, second).value_count();
  Grid grid{width, count, std::vector(height, std::vector<int>(width, 0)),
            std::vector<double>(width * height * count)};
  parallel_for(height, [&](std::size_t j) {
    const CaseMapper mapper(problem, first, second);
    fill_row({mapper, branch}, static_cast<int>(j), grid);
  });
  return grid;
}

/// Marching squares over the grid for one of the values, with crossings refined on the edges.
class Contour {
 public:
  Contour(const MapPlane& plane, const Grid& grid, std::size_t which)
      : plane_(plane), mapper_(plane.mapper), grid_(grid), which_(which) {}

  std::vector<std::vector<Vec2>> find() {
    const int nx = mapper_.axis(0).count;
    const int ny = mapper_.axis(1).count;
    Signs below = list_signs(0);
    for (int j = 0; j + 1 < ny; ++j) {
      Signs above = list_signs(j + 1);
      for (int i = 0; i + 1 < nx; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const int positive = below[k] + below[k + 1] + above[k] + above[k + 1];
        if (positive != 0 && positive != 4) add_cell(i, j);  // few cells have a crossing
      }
      below = std::move(above);
    }
    return chain();
  }

 private:
  /// An edge of the grid: from (i, j) to the right (0) or up (1).
  using Edge = std::array<int, 3>;

  [[nodiscard]] double value(int i, int j) const {
    const auto column = static_cast<std::size_t>(i);
    return grid_.values[grid_.index_of(column, static_cast<std::size_t>(j), which_)];
  }
  [[nodiscard]] bool positive(int i, int j) const { return value(i, j) > 0.0; }
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
      const std::optional<double> centre = plane_.find_value(i, j, {x, y}, which_);
      const bool with_first = centre && (*centre > 0.0) == positive(i, j);
      link(crossed[0], crossed[with_first ? 1 : 3]);
      link(crossed[2], crossed[with_first ? 3 : 1]);
    }
  }

  void link(const Edge& a, const Edge& b) {
    links_[a].push_back(b);
    links_[b].push_back(a);
  }

  /// Where the value vanishes on an edge; nothing if the contacts open on the way.
  [[nodiscard]] std::optional<Vec2> refine(const Edge& edge) const {
    const int i = edge[0];
    const int j = edge[1];
    const bool up = edge[2] != 0;
    const Vec2 from(mapper_.value_at(0, i), mapper_.value_at(1, j));
    const Vec2 to = up ? Vec2(from.x(), mapper_.value_at(1, j + 1))
                       : Vec2(mapper_.value_at(0, i + 1), from.y());
    bool opens = false;
    const auto eval_at = [&](double s) {
      if (s <= 0.0) return value(i, j);
      if (s >= 1.0) return up ? value(i, j + 1) : value(i + 1, j);
      const auto found = plane_.find_value(i, j, from + s * (to - from), which_);
      opens = opens || !found;
      return found.value_or(0.0);
    };
    const double s = find_zero_between(eval_at, 0.0, 1.0);
    if (opens) return std::nullopt;
    return from + s * (to - from);
  }

  /// Joins the links to polylines: open ones from their ends, then closed ones.
  std::vector<std::vector<Vec2>> chain() {
    std::vector<std::vector<Vec2>> out;
    const auto walk = [&](const Edge& start) {
      std::vector<Vec2> line;
      Edge here = start;
      while (true) {
        if (const auto point = refine(here)) {
          line.push_back(*point);
        } else if (!line.empty()) {
          out.push_back(std::exchange(line, {}));
        }
        auto& next = links_[here];
        if (next.empty()) break;
        const Edge to = next.back();
        next.pop_back();
        auto& back = links_[to];
        back.erase(std::find(back.begin(), back.end(), here));
        here = to;
      }
      if (!line.empty()) out.push_back(std::move(line));
    };
    for (const std::size_t ends : {std::size_t{1}, std::size_t{2}}) {
      for (const auto& [edge, next] : std::map(links_)) {
        if (links_[edge].size() == ends) walk(edge);
      }
    }
    return out;
  }

  MapPlane plane_;
  const CaseMapper& mapper_;
  const Grid& grid_;
  std::size_t which_;
  std::map<Edge, std::vector<Edge>> links_;
};

/// p and b at a point of the plane, the other coordinates and rates as in `state`.
using CaseValues = std::array<double, 2>;
std::optional<CaseValues> find_values(const CaseMapper& mapper, double x, double y, State state) {
  std::vector<Closing> closings = mapper.followers();
  for (Closing& closing : closings) closing.near = state.q[closing.coordinate];
  const ClosingResult closed = solve_closing(*mapper.problem().model, state.q, closings);
  state.q = closed.q;
  std::vector<double> targets;
  if (!mapper.axis(0).is_rate) targets.push_back(x);
  if (!mapper.axis(1).is_rate) targets.push_back(y);
  if (!closed.closed ||
      !follow_to(mapper.problem(), mapper.followers(), mapper.driven(), targets, state.q)) {
    return std::nullopt;
  }
  mapper.set_axes(x, y, state);
  if (!mapper.set_rates(state)) return std::nullopt;
  CaseValues out{};
  (void)mapper.eval(state, out.data());
  return out;
}

bool are_same(const CaseValues& a, const CaseValues& b) {
  constexpr double kSameValues = 1e-9;  // of the values: rounding of the way to them
  return std::abs(a[0] - b[0]) <= kSameValues * std::abs(b[0]) &&
         std::abs(a[1] - b[1]) <= kSameValues * std::abs(b[1]);
}

/// The unit of fast rates on the map [1/s]: from the axes' ranges, or from the initial state.
double find_fastest(const ParadoxProblem& problem, const MapAxis& first, const MapAxis& second) {
  double out = eval_rate_scale(problem.unit, problem.initial.v);
  for (const MapAxis* axis : {&first, &second}) {
    if (!axis->is_rate) continue;
    out = std::max(out, (axis->high - axis->low) / problem.unit[axis->coordinate]);
  }
  return out;
}

/// The initial state with one coordinate or rate changed that is neither on an axis nor follows.
std::vector<State> list_moved_off(const ParadoxProblem& problem, const CaseMapper& mapper,
                                  const MapAxis& first, const MapAxis& second) {
  std::vector<State> out;
  const double rate = find_fastest(problem, first, second);
  for (int i = 0; i < problem.model->size(); ++i) {
    for (const bool is_rate : {false, true}) {
      const auto is_axis = [&](const MapAxis& axis) {
        return axis.coordinate == i && axis.is_rate == is_rate;
      };
      if (is_axis(first) || is_axis(second) || mapper.follows(i)) continue;
      out.push_back(problem.initial);
      const double by = 0.37 * problem.unit[i];  // any number that is not a symmetry
      (is_rate ? out.back().v : out.back().q)[i] += is_rate ? by * rate : by;
    }
  }
  return out;
}

}  // namespace

bool is_plane_of_cases(const ParadoxProblem& problem, const MapAxis& first, const MapAxis& second) {
  if (problem.sliding.size() != 1 || problem.model->depends_on_time) return false;
  const auto contact = static_cast<std::size_t>(problem.sliding[0].contact);
  if (problem.model->contacts[contact].bilateral) return false;
  const CaseMapper mapper(problem, first, second);
  if (!mapper.can_close()) return false;
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
  if (!mapper.can_close()) {
    throw InputError(
        problem.model->name,
        "expected axes that leave the closed contacts a coordinate to follow with, got "
        "axes that fix them");
  }
  const ClosedBranch branch(problem, {first, second}, mapper.followers());
  Grid grid = fill_grid(problem, first, second, branch);
  ParadoxMap out;
  for (std::size_t which = 0; which < grid.value_count; ++which) {
    for (auto& line : Contour({mapper, branch}, grid, which).find()) {
      out.boundaries.push_back({mapper.name_value(which), std::move(line)});
    }
  }
  out.regions = std::move(grid.cases);
  return out;
}

}  // namespace slipstick
