#include "slipstick/model/expression_parser.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <map>
#include <numbers>
#include <string_view>
#include <utility>

#include "slipstick/errors.h"

namespace slipstick {
namespace {

/// Limit of the length; no formula is longer.
constexpr std::size_t kMaxLength = 4000;

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
        i > 0 && std::string_view("=<>!").find(text[i - 1]) != std::string_view::npos;
    const bool comparison_starts = i + 1 < text.size() && text[i + 1] == '=';
    if (!comparison_ends && !comparison_starts) {
      throw InputError(where, "expected an expression, got an assignment in '" + text + "'");
    }
  }
}

/// How many values a function takes: one, two, or any number from one on.
enum class Arity { kOne, kTwo, kAny };

struct FunctionWord {
  std::string_view name;
  Op op;
  Arity arity = Arity::kOne;
  bool is_mean = false;
};

constexpr std::array<FunctionWord, 26> kFunctions{{
    {"sin", Op::kSin},
    {"cos", Op::kCos},
    {"tan", Op::kTan},
    {"asin", Op::kAsin},
    {"acos", Op::kAcos},
    {"atan", Op::kAtan},
    {"atan2", Op::kAtan2, Arity::kTwo},
    {"sinh", Op::kSinh},
    {"cosh", Op::kCosh},
    {"tanh", Op::kTanh},
    {"asinh", Op::kAsinh},
    {"acosh", Op::kAcosh},
    {"atanh", Op::kAtanh},
    {"exp", Op::kExp},
    {"log", Op::kLog},
    {"ln", Op::kLog},
    {"log2", Op::kLog2},
    {"log10", Op::kLog10},
    {"sqrt", Op::kSqrt},
    {"abs", Op::kAbs},
    {"sign", Op::kSign},
    {"rint", Op::kRint},
    {"min", Op::kMin, Arity::kAny},
    {"max", Op::kMax, Arity::kAny},
    {"sum", Op::kAdd, Arity::kAny},
    {"avg", Op::kAdd, Arity::kAny, true},
}};

const FunctionWord* find_function_word(std::string_view name) {
  const auto found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                  [&](const FunctionWord& word) { return word.name == name; });
  return found == kFunctions.end() ? nullptr : &*found;
}

std::optional<double> find_constant_word(std::string_view name) {
  if (name == "pi") return std::numbers::pi;
  if (name == "deg") return std::numbers::pi / 180.0;
  return std::nullopt;
}

struct OperatorWord {
  std::string_view text;
  Op op;
  int precedence;
};
constexpr int kOfSigns = 6;   ///< unary: looser than ^, tighter than *
constexpr int kOfPowers = 7;  ///< from the right
/// Longer ones first.
constexpr std::array<OperatorWord, 13> kOperators{{
    {"||", Op::kOr, 1},
    {"&&", Op::kAnd, 2},
    {"<=", Op::kLessEqual, 3},
    {">=", Op::kGreaterEqual, 3},
    {"==", Op::kEqual, 3},
    {"!=", Op::kNotEqual, 3},
    {"<", Op::kLess, 3},
    {">", Op::kGreater, 3},
    {"+", Op::kAdd, 4},
    {"-", Op::kSubtract, 4},
    {"*", Op::kMultiply, 5},
    {"/", Op::kDivide, 5},
    {"^", Op::kPower, kOfPowers},
}};

/// Reads operands and operators in turns and keeps the operators that wait for their right operand
/// on a stack [Dijkstra's shunting yard]; no recursion, so that brackets may nest as the text's
/// length allows.
class ExpressionParser {
 public:
  ExpressionParser(const std::string& where, const std::string& text, const LookUp& look_up,
                   Squares squares)
      : where_(where), text_(text), look_up_(look_up), squares_(squares) {
    out_.text = text;
  }

  ExpressionCode parse() {
    while (skip_blanks()) {
      if (wants_operand_) {
        read_operand();
      } else {
        read_operator();
      }
    }
    if (wants_operand_) fail("a value is missing at its end");
    close_group();
    if (!waiting_.empty()) {
      fail(waiting_.back().kind == Kind::kBracket ? "a ')' is missing" : "a ':' is missing");
    }
    if (is_list_) throw InputError(where_, "expected one value, got a list in '" + text_ + "'");
    std::sort(out_.used.begin(), out_.used.end());
    out_.used.erase(std::unique(out_.used.begin(), out_.used.end()), out_.used.end());
    return std::move(out_);
  }

 private:
  enum class Kind { kSign, kOperator, kBracket, kChoice, kOtherwise };
  struct Waiting {
    Kind kind = Kind::kOperator;
    Op op = Op::kAdd;
    int precedence = 0;
    const FunctionWord* function = nullptr;  ///< whose bracket it is
    int values = 1;                          ///< in a function's bracket so far
    int code = 0;                            ///< of a choice: the jump that has no target yet
  };

  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(where_, "expected an expression, got '" + text_ + "' (" + reason + ")");
  }

  bool skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size();
  }
  bool take(std::string_view word) {
    if (std::string_view(text_).substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  [[nodiscard]] std::string show_here() const {
    return "'" + text_.substr(at_, 1) + "' at character " + std::to_string(at_ + 1);
  }

  // --- operands ---

  void read_operand() {
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (std::isdigit(c) != 0 || c == '.') return read_number();
    if (std::isalpha(c) != 0 || c == '_') return read_name();
    if (take("(")) return wait({Kind::kBracket});
    if (take("-")) return wait({Kind::kSign, Op::kNegate, kOfSigns});
    if (take("+")) return;
    fail("expected a value, found " + show_here());
  }

  void read_number() {
    double value = 0.0;
    const char* end = text_.data() + text_.size();
    const auto [past, error] = std::from_chars(text_.data() + at_, end, value);
    if (error == std::errc::result_out_of_range) fail("a number is beyond what doubles hold");
    if (error != std::errc()) fail("expected a value, found " + show_here());
    at_ = static_cast<std::size_t>(past - text_.data());
    push_operand({Op::kNumber, 0, value});
  }

  void read_name() {
    const std::size_t from = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) {
      ++at_;
    }
    const std::string name = text_.substr(from, at_ - from);
    const bool is_call = skip_blanks() && text_[at_] == '(';
    const FunctionWord* function = find_function_word(name);
    if (function != nullptr && !is_call) fail("a '(' is missing after '" + name + "'");
    if (function != nullptr) {
      ++at_;
      return wait({Kind::kBracket, function->op, 0, function});
    }
    if (is_call) fail("there is no function '" + name + "'");
    if (const auto constant = find_constant_word(name)) {
      return push_operand({Op::kNumber, 0, *constant});
    }
    const auto meaning = look_up_(name);
    if (!meaning) fail("unknown name '" + name + "'");
    if (const double* value = std::get_if<double>(&*meaning)) {
      return push_operand({Op::kNumber, 0, *value});
    }
    out_.used.push_back(name);
    push_operand({Op::kVariable, std::get<VariableIndex>(*meaning).index, 0.0});
  }

  void push_operand(const Instruction& instruction) {
    starts_.push_back(size());
    out_.instructions.push_back(instruction);
    if (static_cast<int>(starts_.size()) > kMaxExpressionDepth) {
      fail("more than " + std::to_string(kMaxExpressionDepth) + " values wait for each other");
    }
    wants_operand_ = false;
  }

  // --- operators ---

  void read_operator() {
    if (take(")")) return close_bracket();
    if (take(",")) return next_value();
    if (take("?")) return start_choice();
    if (take(":")) return start_otherwise();
    for (const OperatorWord& word : kOperators) {
      if (!take(word.text)) continue;
      const bool from_right = word.precedence == kOfPowers;
      emit_while([&](const Waiting& waiting) {
        return from_right ? waiting.precedence > word.precedence
                          : waiting.precedence >= word.precedence;
      });
      return wait({Kind::kOperator, word.op, word.precedence});
    }
    fail("expected an operator, found " + show_here());
  }

  void wait(const Waiting& waiting) {
    waiting_.push_back(waiting);
    wants_operand_ = true;
  }

  /// Emits the waiting operators that bind tighter.
  template <class Binds>
  void emit_while(const Binds& binds) {
    while (!waiting_.empty()) {
      const Waiting& last = waiting_.back();
      const bool is_operator = last.kind == Kind::kSign || last.kind == Kind::kOperator;
      if (!is_operator || !binds(last)) return;
      emit(last.op, last.kind == Kind::kSign ? 1 : 2);
      waiting_.pop_back();
    }
  }
  void emit_operators() {
    emit_while([](const Waiting&) { return true; });
  }

  /// Emits all operators since the last bracket or '?'.
  void close_group() {
    emit_operators();
    while (!waiting_.empty() && waiting_.back().kind == Kind::kOtherwise) {
      out_.instructions[static_cast<std::size_t>(waiting_.back().code)].index = size();
      starts_.pop_back();  // both branches are one value, which starts with the condition
      starts_.pop_back();
      waiting_.pop_back();
      emit_operators();
    }
  }

  void close_bracket() {
    close_group();
    if (waiting_.empty()) fail("a '(' is missing");
    if (waiting_.back().kind == Kind::kChoice) fail("a ':' is missing");
    const Waiting bracket = waiting_.back();
    waiting_.pop_back();
    if (bracket.function == nullptr) return;
    const FunctionWord& function = *bracket.function;
    if (function.arity == Arity::kAny) {
      combine(bracket);
      for (int left = count_groups(bracket); left > 1; --left) emit(function.op, 2);
      if (!function.is_mean) return;
      push_operand({Op::kNumber, 0, static_cast<double>(bracket.values)});
      return emit(Op::kDivide, 2);
    }
    const int values = function.arity == Arity::kOne ? 1 : 2;
    if (bracket.values != values) {
      fail("'" + std::string(function.name) + "' takes " + std::to_string(values) +
           (values == 1 ? " value" : " values") + ", not " + std::to_string(bracket.values));
    }
    emit(function.op, values);
  }

  void next_value() {
    close_group();
    if (!waiting_.empty() && waiting_.back().kind == Kind::kChoice) fail("a ':' is missing");
    wants_operand_ = true;
    if (waiting_.empty() || waiting_.back().function == nullptr) {
      is_list_ = true;
      starts_.pop_back();  // the result is not used: a list is refused at its end
      return;
    }
    Waiting& bracket = waiting_.back();
    if (bracket.function->arity == Arity::kAny) combine(bracket);
    ++bracket.values;
  }

  /// A function of any number of values combines the first ones at once. The least and the greatest
  /// value are found in pairs, and pairs of pairs: where they change is looked for in each operand,
  /// and operands that hold all values so far would make that cubic in their number.
  void combine(const Waiting& bracket) {
    if (!combines_in_pairs(bracket)) {
      if (bracket.values > 1) emit(bracket.op, 2);
      return;
    }
    for (int values = bracket.values; values % 2 == 0; values /= 2) emit(bracket.op, 2);
  }
  /// That wait to be combined.
  [[nodiscard]] static int count_groups(const Waiting& bracket) {
    return combines_in_pairs(bracket) ? std::popcount(static_cast<unsigned>(bracket.values)) : 1;
  }
  [[nodiscard]] static bool combines_in_pairs(const Waiting& bracket) {
    return bracket.op == Op::kMin || bracket.op == Op::kMax;
  }

  void start_choice() {
    emit_operators();
    Waiting choice{Kind::kChoice};
    choice.code = size();
    out_.instructions.push_back({Op::kBranch, 0, 0.0});
    wait(choice);
  }

  void start_otherwise() {
    close_group();
    if (waiting_.empty() || waiting_.back().kind != Kind::kChoice) fail("a '?' is missing");
    Waiting& choice = waiting_.back();
    const int branch = std::exchange(choice.code, size());
    out_.instructions.push_back({Op::kJump, 0, 0.0});
    out_.instructions[static_cast<std::size_t>(branch)].index = size();
    choice.kind = Kind::kOtherwise;
    wants_operand_ = true;
  }

  // --- code ---

  [[nodiscard]] int size() const { return static_cast<int>(out_.instructions.size()); }

  void emit(Op op, int operands) {
    const int last = starts_.back();
    if (operands == 2) starts_.pop_back();
    const int first = starts_.back();
    if (is_number(last, size()) && (operands == 1 || is_number(first, last))) {
      return fold(op, operands);
    }
    add_switch(op, first, operands == 2 ? last : size());
    if (operands == 2 && size() - last == 1 && op >= Op::kAdd && op <= Op::kDivide) {
      return join(op, out_.instructions.back());
    }
    if (op == Op::kPower && squares_ == Squares::kAreProducts && is_number(last, size()) &&
        out_.instructions.back().number == 2.0) {
      out_.instructions.back() = {Op::kSquare, 0, 0.0};
    } else {
      out_.instructions.push_back({op, 0, 0.0});
    }
  }

  /// Makes one instruction of a number or variable and the operator behind it.
  void join(Op op, Instruction& leaf) {
    const auto shift = [&](Op from) {
      return static_cast<Op>(static_cast<int>(from) + static_cast<int>(op) -
                             static_cast<int>(Op::kAdd));
    };
    leaf.op = shift(leaf.op == Op::kNumber ? Op::kAddNumber : Op::kAddVariable);
  }

  /// The code in this range is a number and nothing else.
  [[nodiscard]] bool is_number(int first, int last) const {
    return last - first == 1 &&
           out_.instructions[static_cast<std::size_t>(first)].op == Op::kNumber;
  }

  /// Computes at once what is constant.
  void fold(Op op, int operands) {
    auto& code = out_.instructions;
    code.push_back({op, 0, 0.0});
    const int first = size() - 1 - operands;
    const auto value = eval_code<double>(code.data(), first, size(), nullptr);
    code.resize(static_cast<std::size_t>(first) + 1);
    code.back() = {Op::kNumber, 0, value};
  }

  void add_switch(Op op, int first, int middle) {
    switch (op) {
      case Op::kLess:
      case Op::kGreater:
      case Op::kLessEqual:
      case Op::kGreaterEqual:
      case Op::kEqual:
      case Op::kNotEqual:
      case Op::kAbs:
      case Op::kSign:
      case Op::kRint:
      case Op::kAtan2:
      case Op::kMin:
      case Op::kMax:
        out_.switches.push_back({op, first, middle, size()});
        break;
      default:
        break;
    }
  }

  const std::string& where_;
  const std::string& text_;
  const LookUp& look_up_;
  Squares squares_;
  ExpressionCode out_;
  std::vector<Waiting> waiting_;
  std::vector<int> starts_;  ///< where the code of each operand on the stack starts
  std::size_t at_ = 0;
  bool wants_operand_ = true;
  bool is_list_ = false;
};

}  // namespace

ExpressionCode parse_expression(const std::string& where, const std::string& text,
                                const LookUp& look_up, Squares squares) {
  check_text(where, text);
  return ExpressionParser(where, text, look_up, squares).parse();
}

bool is_word_of_expressions(const std::string& name) {
  return find_function_word(name) != nullptr || find_constant_word(name).has_value();
}

}  // namespace slipstick
