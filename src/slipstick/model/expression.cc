#include "slipstick/model/expression.h"

#include <algorithm>
#include <cctype>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "slipstick/model/blurred.h"
#include "slipstick/model/expression_parser.h"

namespace slipstick {
namespace {

template <class Scalar>
void check_size(const ExpressionCode& code, std::span<const Scalar> values) {
  if (values.size() != code.variable_count) {
    throw std::invalid_argument("Expression::eval: one value per variable is needed");
  }
}

template <class Scalar>
Scalar eval_expression(const ExpressionCode& code, std::span<const Scalar> values) {
  check_size(code, values);
  return eval_code(code.instructions.data(), 0, static_cast<int>(code.instructions.size()),
                   values.data());
}

[[nodiscard]] Dual eval_cosine(const Dual& x) { return cos(x); }
[[nodiscard]] Blurred eval_cosine(const Blurred& x) { return eval_unary(Op::kCos, x); }

template <class Scalar>
Scalar eval_switch_of(const ExpressionCode& code, std::size_t index,
                      std::span<const Scalar> values) {
  check_size(code, values);
  const SwitchCode& at = code.switches.at(index);
  const auto eval = [&](int first, int last) {
    return eval_code(code.instructions.data(), first, last, values.data());
  };
  const Scalar first = eval(at.first, at.middle);
  if (at.op == Op::kRint) {  // jumps at odd halves
    return eval_cosine(Scalar(std::numbers::pi) * first);
  }
  // Of one operand, or atan2, which jumps where its first one changes its sign.
  if (at.middle == at.last || at.op == Op::kAtan2) return first;
  return first - eval(at.middle, at.last);
}

}  // namespace

Expression::Expression(const std::string& where, const std::string& text,
                       const std::vector<std::string>& variables, const Constants& constants) {
  const auto look_up = [&](const std::string& name) -> std::optional<NameMeaning> {
    const auto variable = std::find(variables.begin(), variables.end(), name);
    if (variable != variables.end()) {
      return VariableIndex{static_cast<int>(variable - variables.begin())};
    }
    const auto constant = constants.find(name);
    if (constant != constants.end()) return constant->second;
    return std::nullopt;
  };
  ExpressionCode code = parse_expression(where, text, look_up, Squares::kAreProducts);
  code.variable_count = variables.size();
  code_ = std::make_shared<const ExpressionCode>(std::move(code));
}

double Expression::eval(std::span<const double> values) const {
  return eval_expression(*code_, values);
}
Dual Expression::eval_dual(std::span<const Dual> values) const {
  return eval_expression(*code_, values);
}

Blurred Expression::eval_blurred(std::span<const Blurred> values) const {
  return eval_expression(*code_, values);
}

std::size_t Expression::switch_count() const { return code_->switches.size(); }
bool Expression::may_jump() const {
  return std::any_of(code_->instructions.begin(), code_->instructions.end(),
                     [](const Instruction& instruction) {
                       const Op op = instruction.op;
                       return op == Op::kBranch || (op >= Op::kLess && op <= Op::kOr) ||
                              op == Op::kSign || op == Op::kRint || op == Op::kAtan2;
                     });
}
Dual Expression::eval_switch(std::size_t index, std::span<const Dual> values) const {
  return eval_switch_of(*code_, index, values);
}
Blurred Expression::eval_switch(std::size_t index, std::span<const Blurred> values) const {
  return eval_switch_of(*code_, index, values);
}

bool Expression::is_constant() const { return code_->used.empty(); }
bool Expression::uses(const std::string& variable) const {
  return std::binary_search(code_->used.begin(), code_->used.end(), variable);
}
const std::string& Expression::text() const { return code_->text; }
std::size_t Expression::variable_count() const { return code_->variable_count; }

std::vector<std::string> find_expression_names(const std::string& where, const std::string& text) {
  const auto look_up = [](const std::string&) -> std::optional<NameMeaning> {
    return VariableIndex{};
  };
  return parse_expression(where, text, look_up, Squares::kAreProducts).used;
}

OpenExpression::OpenExpression(const std::string& where, const std::string& text)
    : names_(find_expression_names(where, text)), text_(text) {
  // In a choice `c ? a : b`, squares are products even of constants, unless the whole choice is
  // constant. Numbers of a model hardly ever contain one, so the slow way below is used.
  if (text.find('?') != std::string::npos && text.find('^') != std::string::npos) return;
  const auto look_up = [&](const std::string& name) -> std::optional<NameMeaning> {
    const auto found = std::lower_bound(names_.begin(), names_.end(), name);
    return VariableIndex{static_cast<int>(found - names_.begin())};
  };
  ExpressionCode code = parse_expression(where, text, look_up, Squares::kArePowers);
  code.variable_count = names_.size();
  code_ = std::make_shared<const ExpressionCode>(std::move(code));
}

double OpenExpression::eval(std::span<const double> values) const {
  if (code_ != nullptr) return eval_expression(*code_, values);
  Constants constants;
  for (std::size_t i = 0; i < names_.size(); ++i) constants[names_[i]] = values[i];
  return Expression(text_, text_, {}, constants).eval({});
}

bool is_free_name(const std::string& name) {
  const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  if (name.empty() || name.size() > 60 || std::isalpha(static_cast<unsigned char>(name[0])) == 0 ||
      !std::all_of(name.begin(), name.end(), is_word)) {
    return false;
  }
  return name != "t" && !is_word_of_expressions(name);
}

}  // namespace slipstick
