#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "slipstick/core/dual.h"

namespace slipstick {

struct ExpressionCode;
struct Blurred;

/// Names with fixed values in an expression, besides `pi` and `deg` (radians per degree).
using Constants = std::map<std::string, double>;

/// A compiled arithmetic expression over named variables, e.g. "k*(theta1 - theta2)". Evaluation
/// neither allocates nor changes anything. Copies share the code, also between threads.
class Expression {
 public:
  /// Compiles `text`. Throws InputError at `where` if it is not one arithmetic expression over
  /// `variables` and `constants`.
  Expression(const std::string& where, const std::string& text,
             const std::vector<std::string>& variables, const Constants& constants);

  /// Value at `values`, one per variable in the order given to the constructor.
  [[nodiscard]] double eval(std::span<const double> values) const;
  /// The same with its exact rate along the rates of the values.
  [[nodiscard]] Dual eval_dual(std::span<const Dual> values) const;
  /// The same with a bound on its error (blurred.h).
  [[nodiscard]] Blurred eval_blurred(std::span<const Blurred> values) const;

  /// Number of places where the formula changes: comparisons, and functions that bend or jump.
  [[nodiscard]] std::size_t switch_count() const;
  /// True if its value may jump where its variables do not: sign, rint, atan2, comparisons and what
  /// they decide.
  [[nodiscard]] bool may_jump() const;
  /// A value that changes its sign where this place is passed, such as `a - b` of `a < b`.
  [[nodiscard]] Dual eval_switch(std::size_t index, std::span<const Dual> values) const;
  [[nodiscard]] Blurred eval_switch(std::size_t index, std::span<const Blurred> values) const;

  /// True if the text names none of the variables.
  [[nodiscard]] bool is_constant() const;
  /// True if the text names this variable.
  [[nodiscard]] bool uses(const std::string& variable) const;
  [[nodiscard]] const std::string& text() const;
  [[nodiscard]] std::size_t variable_count() const;
  [[nodiscard]] const ExpressionCode& code() const { return *code_; }

 private:
  std::shared_ptr<const ExpressionCode> code_;
};

/// A compiled expression whose names get their values at each evaluation: the same double as that
/// of an Expression with these names as constants.
class OpenExpression {
 public:
  /// Throws InputError at `where` if the text is not an expression.
  OpenExpression(const std::string& where, const std::string& text);

  /// The names in the text, known or not, sorted.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Value at `values`, one per name in their order.
  [[nodiscard]] double eval(std::span<const double> values) const;

 private:
  std::vector<std::string> names_;
  std::string text_;
  std::shared_ptr<const ExpressionCode> code_;  ///< nothing: the text is parsed each time
};

/// Finds the names an expression uses, known or not, sorted; throws InputError at `where` if the
/// text is not an expression.
[[nodiscard]] std::vector<std::string> find_expression_names(const std::string& where,
                                                             const std::string& text);

/// True for a letter followed by letters, digits and underscores that is not the name of a
/// function or constant of the expression language, nor `t` (time, s).
[[nodiscard]] bool is_free_name(const std::string& name);

}  // namespace slipstick
