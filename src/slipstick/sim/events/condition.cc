#include "slipstick/sim/events/condition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "slipstick/core/roots.h"
#include "slipstick/core/scales.h"
#include "slipstick/errors.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model/scale.h"
#include "slipstick/sim/singular/passage.h"

namespace slipstick {
namespace {

/// Where a comparison may change within the stretch.
struct ComparisonRoot {
  double theta = 0.0;
  std::size_t comparison = 0;
};

/// The roots of one comparison; nothing if it is rounding all along.
std::optional<std::vector<ComparisonRoot>> find_comparison_roots(const ConditionSearch& search,
                                                                 std::size_t index,
                                                                 const MotionBlur& blur) {
  const auto eval = [&](double theta) {
    return search.condition.formula.eval_switch(index, search.model, search.mode, search.at(theta),
                                                blur);
  };
  constexpr int kLooks = 16;  // parts; between them the interpolants of find_roots look closer
  bool is_seen = false;
  std::vector<ComparisonRoot> out;
  Blurred last = eval(0.0);
  for (int i = 1; i <= kLooks; ++i) {
    const double from = search.end * (i - 1) / kLooks;
    const double to = search.end * i / kLooks;
    const Blurred next = eval(to);
    is_seen |= !last.is_zero() || !next.is_zero();
    const bool is_finite = std::isfinite(last.value) && std::isfinite(next.value);
    last = next;
    if (!is_finite) continue;
    const auto value = [&](double theta) { return eval(theta).value; };
    for (const double theta : find_roots(value, from, to, kSolveRounding)) {
      out.push_back({theta, index});
    }
  }
  if (!is_seen) return std::nullopt;
  return out;
}

}  // namespace

bool is_condition(const std::string& text) {
  constexpr std::array<std::string_view, 6> kWords{"<", ">", "==", "!=", "&&", "||"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

std::shared_ptr<const Condition> make_condition(const Model& model,
                                                const std::map<std::string, double>& parameters,
                                                const std::string& where, const std::string& text) {
  for (const char* equality : {"==", "!="}) {
    if (text.find(equality) == std::string::npos) continue;
    throw InputError(where, "expected a condition with <, <=, > or >=, got '" + text +
                                "': a motion meets a single value for an instant only");
  }
  MotionFormula formula(model, parameters, where, text);
  if (text.find_first_of("<>") == std::string::npos) {
    throw InputError(where,
                     "expected a condition with a comparison such as 'x > 2', got '" + text + "'");
  }
  return std::make_shared<const Condition>(Condition{std::move(formula)});
}

const std::string& condition_text(const Condition& condition) { return condition.formula.text(); }

MotionBlur find_blur(const Model& model, const Mode& mode, const State& state,
                     const Condition& condition) {
  MotionBlur out{kSolveRounding, eval_rate_scale(make_coordinate_scale(model), state.v), 0.0};
  out.rate = std::max(out.rate, std::sqrt(model.gravity.norm() / model.length_scale));
  if (!condition.formula.needs_mode() || mode.closed.empty()) return out;
  const Vec2C forces = eval_natural_field(model, mode, state).impulse_rate;
  if (forces.allFinite()) out.force = forces.cwiseAbs().maxCoeff();
  return out;
}

bool holds(const Condition& condition, const Model& model, const Mode& mode, const State& state) {
  const MotionBlur blur = find_blur(model, mode, state, condition);
  return find_truth(condition.formula.eval_blurred(model, mode, state, blur)) == Truth::kTrue;
}

double eval_comparison(const ConditionSearch& search, std::size_t index, const State& state) {
  return search.condition.formula.eval_switch(index, search.model, search.mode, state, {}).value;
}

std::optional<ConditionStart> find_first_true(const ConditionSearch& search) {
  const MotionFormula& formula = search.condition.formula;
  const MotionBlur blur = find_blur(search.model, search.mode, search.at(0.0), search.condition);
  std::vector<ComparisonRoot> roots;
  bool is_seen = false;
  for (std::size_t i = 0; i < formula.switch_count(); ++i) {
    const auto found = find_comparison_roots(search, i, blur);
    if (!found) continue;
    is_seen = true;
    roots.insert(roots.end(), found->begin(), found->end());
  }
  if (!is_seen) return std::nullopt;
  std::sort(roots.begin(), roots.end(),
            [](const ComparisonRoot& a, const ComparisonRoot& b) { return a.theta < b.theta; });
  ConditionStart start;
  for (std::size_t i = 0; i <= roots.size(); ++i) {
    const double to = i < roots.size() ? roots[i].theta : search.end;
    const State middle = search.at(0.5 * (start.theta + to));
    const Blurred value = formula.eval_blurred(search.model, search.mode, middle, blur);
    if (to > start.theta && find_truth(value) == Truth::kTrue) return start;
    if (i < roots.size()) start = {roots[i].theta, roots[i].comparison};
  }
  return std::nullopt;
}

}  // namespace slipstick
