#include "slipstick/model/expression.h"

#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <numbers>
#include <utility>

#include "slipstick/core/input_error.h"

namespace slipstick {
namespace {

/// Longer texts are not formulas, and the parser's own limit is not far above.
constexpr std::size_t kMaxLength = 4000;

/// muParser would take "a = 1" as an assignment and "1, 2" as two results; neither is a value.
void check_text(const std::string& where, const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw InputError(where, "expected an expression, got an empty text");
  }
  if (text.size() > kMaxLength) {
    throw InputError(where, "expected an expression of at most " + std::to_string(kMaxLength) +
                                " characters, got " + std::to_string(text.size()));
  }
  const auto printable = [](char c) { return c == '\t' || (c >= ' ' && c <= '~'); };
  if (!std::all_of(text.begin(), text.end(), printable) || text.find('"') != std::string::npos) {
    throw InputError(where, "expected an expression in plain ASCII, got other characters");
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    const bool comparison_ends =
        i > 0 && std::string("=<>!").find(text[i - 1]) != std::string::npos;
    const bool comparison_starts = i + 1 < text.size() && text[i + 1] == '=';
    if (!comparison_ends && !comparison_starts) {
      throw InputError(where, "expected an expression, got an assignment in '" + text + "'");
    }
  }
}

/// muParser's message without its own framing, as the end of a sentence.
std::string describe(const mu::Parser::exception_type& error) {
  std::string message = error.GetMsg();
  while (!message.empty() && (message.back() == '.' || message.back() == '\n')) message.pop_back();
  if (!message.empty()) {
    message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  }
  return message;
}

[[noreturn]] void fail(const std::string& where, const std::string& text,
                       const mu::Parser::exception_type& error) {
  throw InputError(where, "expected an expression, got '" + text + "' (" + describe(error) + ")");
}

mu::Parser make_parser() {
  mu::Parser parser;
  parser.ClearConst();
  parser.DefineConst("pi", std::numbers::pi);
  parser.DefineConst("deg", std::numbers::pi / 180.0);
  return parser;
}

}  // namespace

struct Expression::Impl {
  std::string where, text;
  std::vector<std::string> variables;
  Constants constants;
  std::vector<double> values;
  std::vector<std::string> used;
  mu::Parser parser = make_parser();

  void compile() {
    values.assign(variables.size(), 1.0);
    try {
      for (const auto& [name, value] : constants) parser.DefineConst(name, value);
      for (std::size_t i = 0; i < variables.size(); ++i) parser.DefineVar(variables[i], &values[i]);
      parser.SetExpr(text);
      parser.Eval();
      if (parser.GetNumResults() != 1) {
        throw InputError(where, "expected one value, got a list in '" + text + "'");
      }
      for (const auto& entry : parser.GetUsedVar()) used.push_back(entry.first);
    } catch (const mu::Parser::exception_type& error) {
      fail(where, text, error);
    }
  }
};

Expression::Expression(const std::string& where, std::string text,
                       std::vector<std::string> variables, Constants constants)
    : impl_(std::make_unique<Impl>()) {
  check_text(where, text);
  impl_->where = where;
  impl_->text = std::move(text);
  impl_->variables = std::move(variables);
  impl_->constants = std::move(constants);
  impl_->compile();
}

Expression::Expression(const Expression& other)
    : Expression(other.impl_->where, other.impl_->text, other.impl_->variables,
                 other.impl_->constants) {}
Expression& Expression::operator=(const Expression& other) {
  if (this != &other) *this = Expression(other);
  return *this;
}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

double Expression::eval(std::span<const double> values) const {
  if (values.size() != impl_->values.size()) {
    throw std::invalid_argument("Expression::eval: one value per variable is needed");
  }
  std::copy(values.begin(), values.end(), impl_->values.begin());
  return impl_->parser.Eval();
}

bool Expression::is_constant() const { return impl_->used.empty(); }
bool Expression::uses(const std::string& variable) const {
  return std::find(impl_->used.begin(), impl_->used.end(), variable) != impl_->used.end();
}
const std::string& Expression::text() const { return impl_->text; }
std::size_t Expression::variable_count() const { return impl_->variables.size(); }

std::vector<std::string> find_expression_names(const std::string& where, const std::string& text) {
  check_text(where, text);
  mu::Parser parser = make_parser();
  std::vector<std::string> names;
  try {
    parser.SetExpr(text);
    for (const auto& entry : parser.GetUsedVar()) names.push_back(entry.first);
  } catch (const mu::Parser::exception_type& error) {
    fail(where, text, error);
  }
  return names;
}

bool is_free_name(const std::string& name) {
  const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  if (name.empty() || name.size() > 60 || std::isalpha(static_cast<unsigned char>(name[0])) == 0 ||
      !std::all_of(name.begin(), name.end(), is_word)) {
    return false;
  }
  const mu::Parser parser = make_parser();
  return name != "t" && !parser.GetConst().contains(name) && !parser.GetFunDef().contains(name);
}

}  // namespace slipstick
