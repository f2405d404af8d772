#pragma once

/// The case of sliding at a point of a map, with the values whose signs decide it. Internal to this
/// folder.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/paradox.h"

namespace slipstick {

/// Evaluates points of a map for one model. The signed values of a point are the orientations, then
/// b of every contact. An axis that is a parameter moves nothing: the model has its value already.
class CaseMapper {
 public:
  CaseMapper(const ParadoxProblem& problem, const MapAxis& first, const MapAxis& second);

  /// Sets the axes' values; the configuration already has those that are coordinates.
  void set_axes(double x, double y, State& state) const;
  /// Sets rates that keep the contacts closed, with the rates on the axes unchanged; false if there
  /// are none.
  [[nodiscard]] bool set_rates(State& state) const;
  /// Writes the values at a state and returns its case: from the signs of p and b, or, with several
  /// contacts or a bilateral one, from the number of motions that the contact laws allow.
  int eval(const State& state, double* out) const;
  /// The state with these values on the axes that is reached from the problem's initial state along
  /// a straight line; nothing if the contacts do not close on the way.
  [[nodiscard]] std::optional<State> find_state(double x, double y) const;

  [[nodiscard]] bool follows(int coordinate) const;
  [[nodiscard]] const MapAxis& axis(std::size_t i) const { return axes_[i]; }
  /// False if the axes fix what would have to follow the closed contacts.
  [[nodiscard]] bool can_close() const { return can_close_; }
  [[nodiscard]] const std::vector<Closing>& followers() const { return followers_; }
  /// The coordinates on the axes.
  [[nodiscard]] const std::vector<int>& driven() const { return driven_; }
  /// Values of the axes that are coordinates, in that order.
  [[nodiscard]] std::vector<double> list_targets(double x, double y) const;
  [[nodiscard]] std::size_t value_count() const { return value_count_; }
  [[nodiscard]] const ParadoxProblem& problem() const { return problem_; }

  /// The name of a value: "p = 0" or "b = 0"; with several contacts also the contact or the piece
  /// of the law.
  [[nodiscard]] std::string name_value(std::size_t which) const;

 private:
  int eval_several(const State& state, double* out) const;
  [[nodiscard]] std::vector<int> choose_rate_followers(const std::vector<int>& driven) const;
  [[nodiscard]] bool find_moves_gaps() const;

  const ParadoxProblem& problem_;
  std::array<MapAxis, 2> axes_;
  std::vector<Closing> followers_;
  std::vector<int> driven_, rate_followers_, indices_;
  bool is_lone_ = true;  ///< one unilateral contact: p and b decide
  bool moves_gaps_ = true, can_close_ = true;
  std::size_t value_count_ = 0;
};

}  // namespace slipstick
