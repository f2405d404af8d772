#pragma once

/// Text of an expression to its code. Internal to expression.cc.

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "slipstick/model/expression_code.h"

namespace slipstick {

/// The meaning of a name in an expression.
struct VariableIndex {
  int index = 0;
};
using NameMeaning = std::variant<double, VariableIndex>;

/// Gives the meaning of a name that is no constant of the language; nothing if it has none.
using LookUp = std::function<std::optional<NameMeaning>(const std::string& name)>;

/// x^2 of a variable is x*x, which is faster, or pow(x, 2), as it is of a constant. The last digits
/// of the two may differ.
enum class Squares { kAreProducts, kArePowers };

/// Throws InputError at `where` if the text is not one expression. Takes memory in proportion to
/// the text, and does not recurse.
[[nodiscard]] ExpressionCode parse_expression(const std::string& where, const std::string& text,
                                              const LookUp& look_up, Squares squares);

/// A function or constant of the language.
[[nodiscard]] bool is_word_of_expressions(const std::string& name);

}  // namespace slipstick
