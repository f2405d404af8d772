#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/model/expression.h"

namespace slipstick {

/// A number, or an expression of time and state: variables `t`, then the coordinates, then their
/// rates (`theta_dot`), in the model's order.
class Function {
 public:
  Function(double value = 0.0) : value_(value) {}  // NOLINT(google-explicit-constructor)
  explicit Function(Expression expression) {
    if (expression.is_constant()) {
      const std::vector<double> unused(expression.variable_count(), 0.0);
      value_ = expression.eval(unused);
    } else {
      expression_ = std::move(expression);
    }
  }

  [[nodiscard]] double eval(std::span<const double> values) const {
    return expression_ ? expression_->eval(values) : value_;
  }
  /// The same with its exact rate along the rates of the values.
  [[nodiscard]] Dual eval_dual(std::span<const Dual> values) const {
    return expression_ ? expression_->eval_dual(values) : Dual(value_);
  }
  [[nodiscard]] bool is_constant() const { return !expression_; }
  [[nodiscard]] bool uses(const std::string& variable) const {
    return expression_ && expression_->uses(variable);
  }
  /// Nothing for a constant.
  [[nodiscard]] const std::optional<Expression>& expression() const { return expression_; }
  [[nodiscard]] bool is_zero() const { return !expression_ && value_ == 0.0; }

 private:
  double value_ = 0.0;
  std::optional<Expression> expression_;
};

/// The names of a Function's variables for these coordinates.
[[nodiscard]] std::vector<std::string> make_variable_names(
    std::span<const std::string> coordinates);

/// The name of a coordinate's rate.
[[nodiscard]] inline std::string rate_name(const std::string& coordinate) {
  return coordinate + "_dot";
}

}  // namespace slipstick
