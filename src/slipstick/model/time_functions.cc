#include "slipstick/model/time_functions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/core/scales.h"
#include "slipstick/model/expression_code.h"

namespace slipstick {
namespace {

using Enclosure = BasicDual<RealInterval>;

// --- when formulas change ---

/// One place in a formula of t alone where it changes. Its label is the same until it does.
class TimeSwitch {
 public:
  TimeSwitch(const ExpressionCode& code, const SwitchCode& at)
      : code_(code.instructions.data()), at_(at) {}

  [[nodiscard]] double find_label(double t) const { return make_label<double>(t); }
  [[nodiscard]] bool is_constant(const RealInterval& t) const {
    const auto label = make_label<RealInterval>(t);
    return label.low == label.high;
  }
  /// True if the compared value only rises or only falls.
  [[nodiscard]] bool is_monotonic(const RealInterval& t) const {
    const Enclosure time(t, RealInterval(1.0));
    auto difference = eval<Enclosure>(at_.first, at_.middle, time);
    if (at_.middle < at_.last && at_.op != Op::kAtan2) {
      difference -= eval<Enclosure>(at_.middle, at_.last, time);
    }
    return !difference.rate.contains(0.0);
  }

 private:
  template <class Scalar>
  [[nodiscard]] Scalar eval(int first, int last, const Scalar& t) const {
    return eval_code<Scalar>(code_, first, last, &t);
  }
  template <class Scalar>
  [[nodiscard]] Scalar make_label(const Scalar& t) const {
    const auto first = eval<Scalar>(at_.first, at_.middle, t);
    switch (at_.op) {
      case Op::kAbs:
      case Op::kSign:
        return eval_sign(first);
      case Op::kRint:
        return eval_unary(Op::kRint, first);
      case Op::kAtan2:  // its cut
        return eval_less(first, Scalar(0.0));
      case Op::kMin:
      case Op::kMax:
        return eval_less(first, eval<Scalar>(at_.middle, at_.last, t));
      default:  // a comparison, with its operator behind its operands
        return eval<Scalar>(at_.first, at_.last + 1, t);
    }
  }

  const Instruction* code_;
  SwitchCode at_;
};

/// Calls `see` with every formula of the model that names t; `by_rate`: a surface's speed.
template <class See>
void for_each_formula_of_time(const Model& model, const See& see) {
  const auto visit = [&](const Function& function, bool by_rate) {
    if (function.uses("t")) see(*function.expression(), by_rate);
  };
  for (const Surface& surface : model.surfaces) visit(surface.speed, true);
  for (const CoordinateForce& force : model.coordinate_forces) visit(force.value, false);
  for (const PointForce& force : model.point_forces) {
    for (const Function* part : {&force.x, &force.y, &force.torque}) visit(*part, false);
  }
}

struct Names {
  bool time = false, state = false;
};
Names find_names(const ExpressionCode& code, const SwitchCode& at) {
  Names out;
  for (int i = at.first; i < at.last; ++i) {
    const Instruction& instruction = code.instructions[static_cast<std::size_t>(i)];
    if (reads_variable(instruction.op)) (instruction.index == 0 ? out.time : out.state) = true;
  }
  return out;
}

/// Calls `see` with every place where a formula changes, conditions of contacts included.
template <class See>
void for_each_switch(const Model& model, const See& see) {
  const auto visit = [&](const Expression& expression) {
    for (const SwitchCode& at : expression.code().switches) see(expression.code(), at);
  };
  for_each_formula_of_time(model, [&](const Expression& formula, bool) { visit(formula); });
  for (const Contact& contact : model.contacts) {
    if (contact.active_when && contact.active_when->uses("t")) {
      visit(*contact.active_when->expression());
    }
  }
}

/// The last time with a label, between a time that has it and one that has not.
double find_last_with(const TimeSwitch& at, double label, double low, double high) {
  while (true) {
    const double middle = low + 0.5 * (high - low);
    if (!(low < middle && middle < high)) return low;
    (at.find_label(middle) == label ? low : high) = middle;
  }
}

/// What a formula may change unseen, of the largest value over the run; of those looked at, where
/// it is not bounded.
constexpr double kLittle = 1e-11;  // a tenth of what the laws decide to

/// The last time before the label changes for the first time in [from, to].
std::optional<double> find_change(const TimeSwitch& at, double from, double to) {
  constexpr int kMostPieces = 5000;     // then single looks must do
  constexpr double kNarrowest = 1e-12;  // of the range: narrower pieces are looked at by their ends
  const double label = at.find_label(from);
  std::vector<RealInterval> pieces{{from, to}};  // the earliest one last
  for (int count = 0; !pieces.empty() && count < kMostPieces; ++count) {
    const RealInterval piece = pieces.back();
    pieces.pop_back();
    if (at.is_constant(piece) && at.find_label(piece.high) == label) continue;
    const bool narrow = piece.high - piece.low <= kNarrowest * (to - from);
    if (narrow || at.is_monotonic(piece)) {
      if (at.find_label(piece.high) == label) continue;
      return find_last_with(at, label, piece.low, piece.high);
    }
    const double middle = 0.5 * (piece.low + piece.high);
    pieces.emplace_back(middle, piece.high);
    pieces.emplace_back(piece.low, middle);
  }
  if (pieces.empty()) return std::nullopt;
  constexpr int kLooks = 5000;
  const double start = pieces.back().low;
  double last = start;
  for (int i = 1; i <= kLooks; ++i) {
    const double next = start + (to - start) * i / kLooks;
    if (at.find_label(next) != label) return find_last_with(at, label, last, next);
    last = next;
  }
  return std::nullopt;
}

// --- what a step may miss ---

template <class Scalar>
Scalar eval_at(const Expression& formula, const State& state, const Scalar& time) {
  std::array<Scalar, 1 + 2 * kMaxCoordinates> values;
  const auto n = static_cast<std::size_t>(state.q.size());
  values[0] = time;
  for (std::size_t i = 0; i < n; ++i) {
    values[1 + i] = Scalar(state.q[static_cast<Eigen::Index>(i)]);
    values[1 + n + i] = Scalar(state.v[static_cast<Eigen::Index>(i)]);
  }
  const ExpressionCode& code = formula.code();
  return eval_code(code.instructions.data(), 0, static_cast<int>(code.instructions.size()),
                   values.data());
}

RealInterval enclose(const Expression& formula, bool by_rate, const State& state,
                     const RealInterval& t) {
  const auto out = eval_at<Enclosure>(formula, state, {t, RealInterval(1.0)});
  return by_rate ? out.rate : out.value;
}

double eval_watched(const Expression& formula, bool by_rate, const State& state, double t) {
  const Dual out = eval_at<Dual>(formula, state, {t, 1.0});
  return by_rate ? out.rate : out.value;
}

}  // namespace

std::optional<TimeStop> find_time_stop(const Model& model, double from, double until) {
  std::optional<double> first;
  for_each_switch(model, [&](const ExpressionCode& code, const SwitchCode& at) {
    const Names names = find_names(code, at);
    if (!names.time || names.state) return;
    const auto change = find_change(TimeSwitch(code, at), from, first.value_or(until));
    if (change) first = *change;
  });
  if (!first) return std::nullopt;
  // Comparisons in other formulas that change at the same time do so within a few roundings of it.
  constexpr double kTiny = 1e-18;  // of the run: after zero
  const double rounding = 2.0 * kNumberRounding * std::abs(*first) + kTiny * std::abs(until);
  // A function that is zero at the start, such as abs(sin(t)), changes just after it, at times so
  // small that no step ends there.
  return TimeStop{*first - from <= rounding ? from : *first, *first + rounding};
}

bool has_mixed_comparisons(const Model& model) {
  bool out = false;
  for_each_switch(model, [&](const ExpressionCode& code, const SwitchCode& at) {
    const Names names = find_names(code, at);
    out = out || (names.time && names.state);
  });
  return out;
}

TimeWatch::TimeWatch(const Model& model, const State& state, double until) {
  for_each_formula_of_time(model, [&](const Expression& formula, bool by_rate) {
    const RealInterval range = enclose(formula, by_rate, state, {state.time, until});
    const double size = range.magnitude();
    watched_.push_back({&formula, by_rate, std::isfinite(size) ? kLittle * size : 0.0});
  });
}

std::optional<double> TimeWatch::find_hidden(const State& state, double from, double to) const {
  std::optional<double> out;
  for (const Watched& watched : watched_) {
    const auto hidden = find_hidden(watched, state, from, out.value_or(to));
    if (hidden) out = hidden;
  }
  return out;
}

std::optional<double> TimeWatch::find_hidden(const Watched& watched, const State& state,
                                             double from, double to) {
  constexpr int kLooks = 8;         // about as dense as the stages of a step
  constexpr double kBetween = 0.1;  // of the change: what a smooth formula does between them
  constexpr std::size_t kMostPieces = 128;
  const auto eval = [&](double t) {
    return eval_watched(*watched.formula, watched.by_rate, state, t);
  };
  RealInterval seen(eval(from));
  for (int i = 1; i <= kLooks; ++i) {
    const double value = eval(from + (to - from) * i / kLooks);
    seen = {std::min(seen.low, value), std::max(seen.high, value)};
  }
  const double margin =
      kBetween * (seen.high - seen.low) + std::max(watched.little, kLittle * seen.magnitude());
  const RealInterval allowed(seen.low - margin, seen.high + margin);
  std::vector<RealInterval> pieces{{from, to}};  // halves behind all others: wide ones come first
  for (std::size_t i = 0; i < pieces.size() && i < kMostPieces; ++i) {
    const RealInterval piece = pieces[i];
    const RealInterval range = enclose(*watched.formula, watched.by_rate, state, piece);
    if (allowed.low <= range.low && range.high <= allowed.high) continue;
    const double middle = 0.5 * (piece.low + piece.high);
    if (!allowed.contains(eval(middle))) return middle;
    pieces.emplace_back(piece.low, middle);
    pieces.emplace_back(middle, piece.high);
  }
  return std::nullopt;
}

}  // namespace slipstick
