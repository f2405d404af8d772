#include "slipstick/model/expression.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <utility>

#include "slipstick/model/expression_parser.h"

namespace slipstick {
namespace {

template <class Scalar>
Scalar eval_expression(const ExpressionCode& code, std::span<const Scalar> values) {
  if (values.size() != code.variable_count) {
    throw std::invalid_argument("Expression::eval: one value per variable is needed");
  }
  return eval_code(code.instructions.data(), 0, static_cast<int>(code.instructions.size()),
                   values.data());
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
  ExpressionCode code = parse_expression(where, text, look_up);
  code.variable_count = variables.size();
  code_ = std::make_shared<const ExpressionCode>(std::move(code));
}

double Expression::eval(std::span<const double> values) const {
  return eval_expression(*code_, values);
}
Dual Expression::eval_dual(std::span<const Dual> values) const {
  return eval_expression(*code_, values);
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
  return parse_expression(where, text, look_up).used;
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
