/// Values are those of the C++ expression beside them.

#include "slipstick/model/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "angles.h"
#include "slipstick/errors.h"
#include "slipstick/model/expression_code.h"
#include "slipstick/model/function.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using testkit::kPi;

double eval(const std::string& text, const Constants& constants = {}) {
  return Expression("here", text, {}, constants).eval({});
}

/// The message of the InputError of compiling `text` over x and y.
std::string refuse_expression(const std::string& text) {
  try {
    const Expression expression("here", text, {"x", "y"}, {{"a", 2.0}});
    ADD_FAILURE() << "expected InputError for '" << text << "'";
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string refuse_names(const std::string& text) {
  try {
    (void)find_expression_names("here", text);
    ADD_FAILURE() << "expected InputError for '" << text << "'";
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ExpressionTest, Numbers) {
  EXPECT_EQ(eval("2"), 2.0);
  EXPECT_EQ(eval(" 2.5\t"), 2.5);
  EXPECT_EQ(eval(".5"), 0.5);
  EXPECT_EQ(eval("5."), 5.0);
  EXPECT_EQ(eval("1e3"), 1e3);
  EXPECT_EQ(eval("1.5E-3"), 1.5e-3);
  EXPECT_EQ(eval("0.1"), 0.1) << "read to the nearest double";
  EXPECT_EQ(eval("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(eval("3.141592653589793"), kPi);
}

TEST(ExpressionTest, Constants) {
  EXPECT_EQ(eval("pi"), kPi);
  EXPECT_EQ(eval("deg"), kPi / 180.0);
  EXPECT_EQ(eval("32*deg"), 32 * (kPi / 180.0));
  EXPECT_EQ(eval("a*b", {{"a", 3.0}, {"b", 0.5}}), 1.5);
}

TEST(ExpressionTest, Precedence) {
  EXPECT_EQ(eval("1 + 2*3"), 7.0);
  EXPECT_EQ(eval("(1 + 2)*3"), 9.0);
  EXPECT_EQ(eval("8/2/2"), 2.0) << "from the left";
  EXPECT_EQ(eval("1/2*3"), 1.5);
  EXPECT_EQ(eval("3 - 2 - 1"), 0.0);
  EXPECT_EQ(eval("2^3^2"), 512.0) << "from the right";
  EXPECT_EQ(eval("-2^2"), -4.0) << "the power binds tighter than the sign";
  EXPECT_EQ(eval("2^-2"), 0.25);
  EXPECT_EQ(eval("2*-3"), -6.0);
  EXPECT_EQ(eval("2 - -3"), 5.0);
  EXPECT_EQ(eval("+3"), 3.0);
  EXPECT_EQ(eval("-(1 + 2)"), -3.0);
}

TEST(ExpressionTest, ComparisonAndChoice) {
  EXPECT_EQ(eval("1 < 2"), 1.0);
  EXPECT_EQ(eval("1 > 2"), 0.0);
  EXPECT_EQ(eval("2 <= 2"), 1.0);
  EXPECT_EQ(eval("1 >= 2"), 0.0);
  EXPECT_EQ(eval("2 == 2"), 1.0);
  EXPECT_EQ(eval("2 != 2"), 0.0);
  EXPECT_EQ(eval("1 + 1 > 1"), 1.0) << "sums first";
  EXPECT_EQ(eval("1 < 2 && 2 < 1"), 0.0);
  EXPECT_EQ(eval("1 < 2 || 2 < 1"), 1.0);
  EXPECT_EQ(eval("1 || 0 && 0"), 1.0) << "and first";
  EXPECT_EQ(eval("1 < 2 ? 3 : 4"), 3.0);
  EXPECT_EQ(eval("0 ? 1 : 0 ? 4 : 5"), 5.0);
}

TEST(ExpressionTest, Functions) {
  EXPECT_EQ(eval("sin(0.3)"), std::sin(0.3));
  EXPECT_EQ(eval("cos(0.3)"), std::cos(0.3));
  EXPECT_EQ(eval("tan(0.3)"), std::tan(0.3));
  EXPECT_EQ(eval("asin(0.3)"), std::asin(0.3));
  EXPECT_EQ(eval("acos(0.3)"), std::acos(0.3));
  EXPECT_EQ(eval("atan(0.3)"), std::atan(0.3));
  EXPECT_EQ(eval("atan2(1, -2)"), std::atan2(1.0, -2.0));
  EXPECT_EQ(eval("sinh(0.3)"), std::sinh(0.3));
  EXPECT_EQ(eval("cosh(0.3)"), std::cosh(0.3));
  EXPECT_EQ(eval("tanh(0.3)"), std::tanh(0.3));
  EXPECT_NEAR(eval("asinh(0.3)"), std::asinh(0.3), 1e-16);
  EXPECT_NEAR(eval("acosh(1.3)"), std::acosh(1.3), 1e-15);
  EXPECT_NEAR(eval("atanh(0.3)"), std::atanh(0.3), 1e-15);
  EXPECT_EQ(eval("exp(1)"), std::exp(1.0));
  EXPECT_EQ(eval("log(10)"), std::log(10.0)) << "natural";
  EXPECT_EQ(eval("ln(10)"), std::log(10.0));
  EXPECT_EQ(eval("log2(8)"), 3.0);
  EXPECT_EQ(eval("log10(1000)"), std::log10(1000.0));
  EXPECT_EQ(eval("sqrt(2)"), std::sqrt(2.0));
  EXPECT_EQ(eval("abs(-2)"), 2.0);
  EXPECT_EQ(eval("sign(-2)"), -1.0);
  EXPECT_EQ(eval("sign(0)"), 0.0);
  EXPECT_EQ(eval("rint(2.7)"), 3.0);
  EXPECT_EQ(eval("min(3, 1, 2)"), 1.0);
  EXPECT_EQ(eval("max(3, 1, 2)"), 3.0);
  EXPECT_EQ(eval("sum(3, 1, 2)"), 6.0);
  EXPECT_EQ(eval("avg(3, 1, 2)"), 2.0);
}

/// NaN and infinity are values here; whoever needs a finite number refuses them.
TEST(ExpressionTest, NotFinite) {
  EXPECT_TRUE(std::isinf(eval("1/0")));
  EXPECT_TRUE(std::isnan(eval("sqrt(-1)")));
  EXPECT_TRUE(std::isnan(eval("0/0")));
}

TEST(ExpressionTest, VariablesInTheGivenOrder) {
  const Expression expression("here", "k*(x - 2*y)", {"y", "x", "unused"}, {{"k", 10.0}});
  EXPECT_EQ(expression.variable_count(), 3U);
  EXPECT_EQ(expression.eval(std::vector<double>{1.0, 5.0, 0.0}), 30.0);
  EXPECT_EQ(expression.eval(std::vector<double>{2.0, 5.0, 9.0}), 10.0) << "no memory";
  EXPECT_EQ(expression.text(), "k*(x - 2*y)");
}

TEST(ExpressionTest, NeedsOneValuePerVariable) {
  const Expression expression("here", "x", {"x", "y"}, {});
  EXPECT_THROW((void)expression.eval(std::vector<double>{1.0}), std::invalid_argument);
  EXPECT_THROW((void)expression.eval(std::vector<double>{1.0, 2.0, 3.0}), std::invalid_argument);
}

TEST(ExpressionTest, KnowsWhatItUses) {
  const Expression expression("here", "a + sin(x)", {"x", "y"}, {{"a", 1.0}});
  EXPECT_FALSE(expression.is_constant());
  EXPECT_TRUE(expression.uses("x"));
  EXPECT_FALSE(expression.uses("y"));
  EXPECT_FALSE(expression.uses("a")) << "not a variable";
  EXPECT_TRUE(Expression("here", "2*a + pi", {"x", "y"}, {{"a", 1.0}}).is_constant());
  EXPECT_FALSE(Expression("here", "0*x", {"x"}, {}).is_constant()) << "the text names x";
}

TEST(ExpressionTest, CopiesAreIndependent) {
  std::optional<Expression> original(std::in_place, "here", "x*x + a",
                                     std::vector<std::string>{"x"}, Constants{{"a", 1.0}});
  EXPECT_EQ(original->eval(std::vector<double>{2.0}), 5.0);
  const Expression copy(*original);
  Expression assigned("there", "y", {"y"}, {});
  assigned = *original;
  EXPECT_EQ(copy.eval(std::vector<double>{3.0}), 10.0);
  EXPECT_EQ(original->eval(std::vector<double>{4.0}), 17.0);
  EXPECT_EQ(copy.eval(std::vector<double>{3.0}), 10.0);
  original.reset();  // no longer used; the sanitizer would detect a use
  EXPECT_EQ(copy.eval(std::vector<double>{5.0}), 26.0);
  EXPECT_EQ(assigned.eval(std::vector<double>{6.0}), 37.0);
  EXPECT_TRUE(copy.uses("x"));
  EXPECT_EQ(copy.text(), "x*x + a");
  const Expression moved(std::move(assigned));
  EXPECT_EQ(moved.eval(std::vector<double>{7.0}), 50.0);
}

TEST(ExpressionTest, SelfAssignment) {
  Expression expression("here", "x + 1", {"x"}, {});
  const Expression& same = expression;
  expression = same;
  EXPECT_EQ(expression.eval(std::vector<double>{1.0}), 2.0);
}

TEST(ExpressionTest, VectorOfCopiesGrows) {
  std::vector<Expression> many;
  for (int i = 0; i < 20; ++i)
    many.emplace_back("here", "x^2", std::vector<std::string>{"x"}, Constants{});
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(many[static_cast<std::size_t>(i)].eval(std::vector<double>{double(i)}), i * i);
  }
}

/// Any value but 0 is true, for constants and variables.
TEST(ExpressionTest, LogicOfNumbers) {
  EXPECT_EQ(eval("0.5 && 1"), 1.0);
  EXPECT_EQ(eval("0.5 || 0"), 1.0);
  EXPECT_EQ(eval("0 || -0.2"), 1.0);
  EXPECT_EQ(eval("0 && 3"), 0.0);
  const Expression expression("here", "x && y || 0", {"x", "y"}, {});
  EXPECT_EQ(expression.eval(std::vector<double>{0.5, 0.1}), 1.0);
  EXPECT_EQ(expression.eval(std::vector<double>{0.5, 0.0}), 0.0);
}

TEST(ExpressionTest, ChoicesWithinExpressions) {
  EXPECT_EQ(eval("(1 ? 2 : 3) + 4"), 6.0);
  EXPECT_EQ(eval("(0 ? 2 : 3) + 4"), 7.0);
  EXPECT_EQ(eval("1 ? 0 ? 1 : 2 : 3"), 2.0);
  EXPECT_EQ(eval("max(0 ? 5 : 1, 1 ? 4 : 9)"), 4.0);
  EXPECT_EQ(eval("2*(1 > 0 ? -1 : 1)^3"), -2.0);
}

/// Derivatives of the functions beside them.
TEST(ExpressionTest, RatesAreExact) {
  const double x = 0.3;
  const auto differentiate = [&](const std::string& text) {
    const Expression expression("here", text, {"x"}, {});
    const std::vector<Dual> at{Dual(x, 1.0)};
    const Dual out = expression.eval_dual(at);
    EXPECT_EQ(out.value, expression.eval(std::vector<double>{x})) << text;
    return out.rate;
  };
  const auto expect = [&](const std::string& text, double rate) {
    EXPECT_NEAR(differentiate(text), rate, 1e-15 * (1.0 + std::abs(rate))) << text;
  };
  expect("3*x - x/2 + 7", 2.5);
  expect("1/x", -1.0 / (x * x));
  expect("x^2", 2.0 * x);
  expect("x^3", 3.0 * x * x);
  expect("2^x", std::log(2.0) * std::pow(2.0, x));
  expect("x^x", (std::log(x) + 1.0) * std::pow(x, x));
  expect("(x - 0.3)^2", 0.0);
  expect("sin(x)*cos(x)", std::cos(2.0 * x));
  expect("tan(x)", 1.0 / (std::cos(x) * std::cos(x)));
  expect("asin(x)", 1.0 / std::sqrt(1.0 - x * x));
  expect("acos(x)", -1.0 / std::sqrt(1.0 - x * x));
  expect("atan(x)", 1.0 / (1.0 + x * x));
  expect("atan2(x, 2)", 2.0 / (4.0 + x * x));
  expect("sinh(x) + cosh(x)", std::exp(x));
  expect("tanh(x)", 1.0 / (std::cosh(x) * std::cosh(x)));
  expect("asinh(x)", 1.0 / std::sqrt(1.0 + x * x));
  expect("acosh(1 + x)", 1.0 / std::sqrt((1.0 + x) * (1.0 + x) - 1.0));
  expect("atanh(x)", 1.0 / (1.0 - x * x));
  expect("exp(2*x)", 2.0 * std::exp(2.0 * x));
  expect("log(x)", 1.0 / x);
  expect("log2(x)", 1.0 / (x * std::log(2.0)));
  expect("log10(x)", 1.0 / (x * std::log(10.0)));
  expect("sqrt(x)", 0.5 / std::sqrt(x));
  expect("abs(-x)", 1.0);
  expect("sign(x) + rint(x) + (x > 0)", 0.0);
  expect("max(x, 2*x) - min(x, 5)", 1.0);
  expect("avg(x, 3*x)", 2.0);
  expect("x > 0 ? 4*x : x", 4.0);
}

/// The other route: the names as constants, folded when the text is compiled.
TEST(OpenExpressionTest, SameBitsAsConstants) {
  const std::vector<double> values{0.1, 1.7, -2.3};
  const Constants constants{{"a", values[0]}, {"b", values[1]}, {"c", values[2]}};
  for (const std::string text :
       {"a", "-a*b/c", "a^2 + b^2 + c^2", "sqrt(a^2 + b)*3^b", "a < b ? c : a", "(a < b ? c : a)^2",
        "b^(a < b ? 2 : 3)", "max(a, b, c) - avg(a, b, c)", "atan2(a, c)*deg + 2*pi*b",
        "a && b || c", "sum(a, b, 2*3, c)/7", "c - (b - a) - 1/3"}) {
    const OpenExpression open("here", text);
    std::vector<double> used;
    for (const std::string& name : open.names()) used.push_back(constants.at(name));
    EXPECT_EQ(open.eval(used), eval(text, constants)) << text;
  }
}

/// Squares by pow() and by a product differ in the last digit for one number of a thousand.
TEST(OpenExpressionTest, SquaresOfManyNumbers) {
  for (const std::string text : {"a^2", "(a < 0 ? 1 : a)^2"}) {
    const OpenExpression open("here", text);
    for (int i = 1; i <= 3000; ++i) {
      const double a = std::fmod(i * 0.618033988749895, 1.0);
      EXPECT_EQ(open.eval(std::vector<double>{a}), eval(text, {{"a", a}})) << text << ", a = " << a;
    }
  }
}

TEST(OpenExpressionTest, NamesSortedAndOnce) {
  EXPECT_THAT(OpenExpression("here", "z*b + sin(z)*pi").names(), ElementsAre("b", "z"));
  EXPECT_THROW(OpenExpression("here", "a +"), InputError);
}

TEST(ExpressionErrorTest, NamesThePlace) {
  EXPECT_THAT(refuse_expression("1 +"), StartsWith("here: expected an expression, got '1 +' ("));
}

TEST(ExpressionErrorTest, Syntax) {
  for (const char* text :
       {"1 +",   "(1",        "1)",    "()",    "1 2",   "2x",  "* 3",     "2**3",    "sin 1",
        "sin()", "sin(1, 2)", "max()", "1 ? 2", "x % y", "!x",  "1;2",     "x'",      "0x1F",
        "1e",    "1e999",     "{1}",   "[1]",   "#1",    "a b", "1 === 1", "1 <== 2", "\\"}) {
    SCOPED_TRACE(text);
    const std::string message = refuse_expression(text);
    EXPECT_THAT(message, StartsWith("here: expected an expression, got '"));
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

TEST(ExpressionErrorTest, UnknownNames) {
  EXPECT_THAT(refuse_expression("z"), HasSubstr("'z'"));
  EXPECT_THAT(refuse_expression("_pi"), HasSubstr("'_pi'"))
      << "no constants beside those documented";
  EXPECT_THAT(refuse_expression("_e"), HasSubstr("'_e'"));
  EXPECT_THAT(refuse_expression("rnd(1)"), HasSubstr("rnd"));
  EXPECT_THAT(refuse_expression("x(1)"), HasSubstr("x(1)")) << "a variable is no function";
}

TEST(ExpressionErrorTest, NotOneValue) {
  EXPECT_THAT(refuse_expression("1, 2"), HasSubstr("expected one value, got a list in '1, 2'"));
  EXPECT_THAT(refuse_expression("x, y, a"), HasSubstr("got a list"));
  EXPECT_THAT(refuse_expression("(1, 2)"), StartsWith("here: expected"));
}

TEST(ExpressionErrorTest, Assignments) {
  for (const char* text : {"x = 1", "x=1", "a = 2", "z = 3", "x = y = 1", "=", "= 1",
                           "x =", "(x = 2) + 1", "1 => 2", "x < = 1"}) {
    SCOPED_TRACE(text);
    EXPECT_THAT(refuse_expression(text),
                HasSubstr("got an assignment in '" + std::string(text) + "'"));
    EXPECT_THAT(refuse_names(text), HasSubstr("got an assignment"));
  }
}

TEST(ExpressionErrorTest, EmptyText) {
  EXPECT_THAT(refuse_expression(""), HasSubstr("expected an expression, got an empty text"));
  EXPECT_THAT(refuse_expression(" \t\n"), HasSubstr("expected an expression, got an empty text"));
}

TEST(ExpressionErrorTest, OtherCharacters) {
  for (const std::string& text :
       {std::string("3\u00b72"), std::string("\u03c0"), std::string("1\n+2"), std::string("\x01"),
        std::string("\xff"), std::string("1\0+2", 4), std::string("\"a\"")}) {
    EXPECT_THAT(refuse_expression(text), HasSubstr("expected an expression in plain ASCII"));
    EXPECT_THAT(refuse_names(text), HasSubstr("expected an expression in plain ASCII"));
  }
}

TEST(ExpressionErrorTest, Length) {
  const std::string longest(3999, ' ');
  EXPECT_EQ(eval(longest + "1"), 1.0);
  EXPECT_THAT(refuse_expression(longest + "12"),
              HasSubstr("expected an expression of at most 4000 characters, got 4001"));
  EXPECT_EQ(eval(std::string(1999, '(') + "1" + std::string(1999, ')')), 1.0);
  EXPECT_THAT(refuse_expression(std::string(10000, '(')), HasSubstr("got 10000"));
  std::string tower = "x";
  for (int i = 0; i < 300; ++i) tower += "^x";
  EXPECT_THAT(refuse_expression(tower), HasSubstr("more than 250 values wait for each other"));
  std::string sum = "1";
  for (int i = 0; i < 1900; ++i) sum += "+1";
  EXPECT_EQ(eval(sum), 1901.0);
}

/// With the rate along that of x.
TEST(ExpressionSwitchTest, ChangesItsSignWhereTheFormulaTurns) {
  const auto eval_all = [](const std::string& text, double x) {
    const Expression expression("here", text, {"x"}, {});
    const std::vector<Dual> values{{x, 2.0}};
    std::vector<double> out;
    for (std::size_t i = 0; i < expression.switch_count(); ++i) {
      const Dual at = expression.eval_switch(i, values);
      out.push_back(at.value);
      out.push_back(at.rate);
    }
    return out;
  };
  EXPECT_THAT(eval_all("x^2", 3.0), IsEmpty());
  EXPECT_THAT(eval_all("x > 1 && x^2 < 16", 3.0), ElementsAre(2.0, 2.0, -7.0, 12.0));
  EXPECT_THAT(eval_all("abs(x - 1) + min(x, 5)", 3.0), ElementsAre(2.0, 2.0, -2.0, 2.0));
  EXPECT_THAT(eval_all("atan2(2*x, -1)", 3.0), ElementsAre(6.0, 4.0));
  EXPECT_GT(eval_all("rint(x)", 2.49).at(0), 0.0);
  EXPECT_LT(eval_all("rint(x)", 2.51).at(0), 0.0);
}

TEST(ExpressionNamesTest, FoundSortedAndOnce) {
  EXPECT_THAT(find_expression_names("here", "b*sin(a) + b - _c1 + theta_dot"),
              ElementsAre("_c1", "a", "b", "theta_dot"));
  EXPECT_THAT(find_expression_names("here", "2*pi + deg"), IsEmpty());
  EXPECT_THAT(find_expression_names("here", "a > 1 ? b : c"), ElementsAre("a", "b", "c"))
      << "of both branches";
}

TEST(ExpressionNamesTest, BadTextIsRefused) {
  EXPECT_THAT(refuse_names("1 +"), StartsWith("here: expected an expression, got '1 +' ("));
  EXPECT_THAT(refuse_names(""), HasSubstr("empty"));
}

TEST(ExpressionNamesTest, FreeNames) {
  for (const char* name : {"a", "A", "theta1", "theta_dot", "T", "Pi", "e", "x_", "Sin", "world"}) {
    EXPECT_TRUE(is_free_name(name)) << name;
  }
  for (const char* name : {"", "t", "pi", "deg", "sin", "sqrt", "min", "sum", "rint", "1a", "_a",
                           "a-b", "a b", "a.b", "\u03b8", "a\n", "+"}) {
    EXPECT_FALSE(is_free_name(name)) << name;
  }
  EXPECT_TRUE(is_free_name(std::string(60, 'a')));
  EXPECT_FALSE(is_free_name(std::string(61, 'a')));
}

/// Every free name can be used as one, also if it starts like a number's exponent or a function.
TEST(ExpressionNamesTest, FreeNamesWork) {
  for (const char* name :
       {"e", "E", "e1", "sinus", "pix", "degree", "maxi", "tt", "x_dot", "and", "or", "if"}) {
    EXPECT_EQ(eval(std::string("2*") + name + " + 1", {{name, 3.0}}), 7.0) << name;
  }
}

TEST(FunctionTest, ConstantsAreValues) {
  const Function number(2.5);
  EXPECT_TRUE(number.is_constant());
  EXPECT_EQ(number.eval({}), 2.5);
  const Function constant(Expression("here", "2*a", {"t", "x", "x_dot"}, {{"a", 4.0}}));
  EXPECT_TRUE(constant.is_constant());
  EXPECT_EQ(constant.eval(std::vector<double>{1.0, 2.0, 3.0}), 8.0);
  EXPECT_TRUE(Function().is_zero());
  EXPECT_FALSE(constant.is_zero());
}

TEST(FunctionTest, VariablesAreTimeCoordinatesRates) {
  const std::vector<std::string> coordinates{"x", "theta"};
  const std::vector<std::string> names = make_variable_names(coordinates);
  EXPECT_THAT(names, ElementsAre("t", "x", "theta", "x_dot", "theta_dot"));
  const Function function(
      Expression("here", "t + 10*x + 100*theta + 1000*x_dot + 10000*theta_dot", names, {}));
  EXPECT_FALSE(function.is_constant());
  EXPECT_FALSE(function.is_zero());
  EXPECT_EQ(function.eval(std::vector<double>{1, 2, 3, 4, 5}), 54321.0);
}

/// Where the least of n values changes is looked for in the operands of each comparison. In pairs,
/// and pairs of pairs, each value is in log2(n) operands at most: 9 of 400.
TEST(Expression, LeastOfManyValuesHasShortOperands) {
  constexpr int kValues = 400;
  std::string text = "min(x";
  for (int i = 1; i < kValues; ++i) text += ", x - " + std::to_string(i * 7 % kValues);
  const Expression least("here", text + ")", {"x"}, {});
  const double x = 1000.0;
  EXPECT_EQ(least.eval({&x, 1}), x - (kValues - 1));
  const ExpressionCode& code = least.code();
  EXPECT_EQ(code.switches.size(), kValues - 1U);
  int operands = 0;
  for (const SwitchCode& at : code.switches) operands += at.last - at.first;
  EXPECT_LE(operands, 9 * static_cast<int>(code.instructions.size()));
}

}  // namespace
}  // namespace slipstick
