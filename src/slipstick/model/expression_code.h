#pragma once

/// An expression as postfix code for a stack of values, made once by the parser and evaluated for
/// any scalar: numbers, numbers with their rates (Dual), intervals. Internal to expression.cc and
/// time_functions.cc.

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "slipstick/core/dual.h"
#include "slipstick/core/real_interval.h"

namespace slipstick {

enum class Op : std::uint8_t {
  kNumber,
  kVariable,
  kBranch,  ///< takes a value off the stack; if it is 0, goes on at the target
  kJump,
  kNegate,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,
  kSquare,  ///< a power that is a product
  kLess,
  kGreater,
  kLessEqual,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kAnd,
  kOr,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kAsinh,
  kAcosh,
  kAtanh,
  kExp,
  kLog,
  kLog2,
  kLog10,
  kSqrt,
  kAbs,
  kSign,
  kRint,
  kAtan2,
  kMin,
  kMax,
  // The last value with a number or a variable: fewer instructions.
  kAddNumber,
  kSubtractNumber,
  kMultiplyNumber,
  kDivideNumber,
  kAddVariable,
  kSubtractVariable,
  kMultiplyVariable,
  kDivideVariable,
};

/// True if an instruction reads a variable.
[[nodiscard]] inline bool reads_variable(Op op) {
  return op == Op::kVariable || op >= Op::kAddVariable;
}

struct Instruction {
  Op op = Op::kNumber;
  std::int32_t index = 0;  ///< of a variable, or the target of a jump
  double number = 0.0;
};

/// Deeper code is refused, because the stack of values is finite.
inline constexpr int kMaxExpressionDepth = 250;

/// A part of an expression where its formula changes: a comparison, or a function with a bend or a
/// jump. Its operands are the code in [first, middle) and [middle, last); of one operand, middle is
/// last.
struct SwitchCode {
  Op op = Op::kLess;
  int first = 0, middle = 0, last = 0;
};

struct ExpressionCode {
  std::string text;
  std::size_t variable_count = 0;
  std::vector<std::string> used;  ///< names of variables in the text, sorted
  std::vector<Instruction> instructions;
  std::vector<SwitchCode> switches;
};

// --- scalars ---

[[nodiscard]] inline double eval_less(double a, double b) { return a < b ? 1.0 : 0.0; }
[[nodiscard]] inline double eval_less_equal(double a, double b) { return a <= b ? 1.0 : 0.0; }
[[nodiscard]] inline double eval_equal(double a, double b) { return a == b ? 1.0 : 0.0; }
[[nodiscard]] inline double eval_sign(double a) { return a > 0.0 ? 1.0 : (a < 0.0 ? -1.0 : 0.0); }

[[nodiscard]] inline RealInterval eval_less(const RealInterval& a, const RealInterval& b) {
  return {a.high < b.low ? 1.0 : 0.0, a.low < b.high ? 1.0 : 0.0};
}
[[nodiscard]] inline RealInterval eval_less_equal(const RealInterval& a, const RealInterval& b) {
  return {a.high <= b.low ? 1.0 : 0.0, a.low <= b.high ? 1.0 : 0.0};
}
[[nodiscard]] inline RealInterval eval_equal(const RealInterval& a, const RealInterval& b) {
  const bool always = a.low == a.high && b.low == b.high && a.low == b.low;
  return {always ? 1.0 : 0.0, a.low <= b.high && b.low <= a.high ? 1.0 : 0.0};
}
[[nodiscard]] inline RealInterval eval_sign(const RealInterval& a) {
  return {eval_sign(a.low), eval_sign(a.high)};
}

template <class T>
[[nodiscard]] BasicDual<T> eval_less(const BasicDual<T>& a, const BasicDual<T>& b) {
  return eval_less(a.value, b.value);
}
template <class T>
[[nodiscard]] BasicDual<T> eval_less_equal(const BasicDual<T>& a, const BasicDual<T>& b) {
  return eval_less_equal(a.value, b.value);
}
template <class T>
[[nodiscard]] BasicDual<T> eval_equal(const BasicDual<T>& a, const BasicDual<T>& b) {
  return eval_equal(a.value, b.value);
}
template <class T>
[[nodiscard]] BasicDual<T> eval_sign(const BasicDual<T>& a) {
  return eval_sign(a.value);
}

/// Any value but 0 is true.
enum class Truth { kFalse, kTrue, kOpen };
[[nodiscard]] inline Truth find_truth(double a) { return a != 0.0 ? Truth::kTrue : Truth::kFalse; }
[[nodiscard]] inline Truth find_truth(const RealInterval& a) {
  if (a.low == 0.0 && a.high == 0.0) return Truth::kFalse;
  return a.contains(0.0) ? Truth::kOpen : Truth::kTrue;
}
template <class T>
[[nodiscard]] Truth find_truth(const BasicDual<T>& a) {
  return find_truth(a.value);
}

/// A value that is not known at all.
template <class Scalar>
[[nodiscard]] Scalar make_unknown() {
  return Scalar(std::numeric_limits<double>::quiet_NaN());
}
template <>
[[nodiscard]] inline RealInterval make_unknown() {
  return RealInterval::everything();
}
template <>
[[nodiscard]] inline BasicDual<RealInterval> make_unknown() {
  return {RealInterval::everything(), RealInterval::everything()};
}

/// 0 or 1, or both.
template <class Scalar>
[[nodiscard]] Scalar make_truth(Truth truth) {
  if constexpr (std::is_same_v<Scalar, RealInterval> ||
                std::is_same_v<Scalar, BasicDual<RealInterval>>) {
    if (truth == Truth::kOpen) return RealInterval(0.0, 1.0);
    return RealInterval(truth == Truth::kTrue ? 1.0 : 0.0);
  } else {
    return truth == Truth::kTrue ? 1.0 : 0.0;
  }
}
[[nodiscard]] inline Truth find_and(Truth a, Truth b) {
  if (a == Truth::kFalse || b == Truth::kFalse) return Truth::kFalse;
  return a == Truth::kTrue && b == Truth::kTrue ? Truth::kTrue : Truth::kOpen;
}
[[nodiscard]] inline Truth find_or(Truth a, Truth b) {
  if (a == Truth::kTrue || b == Truth::kTrue) return Truth::kTrue;
  return a == Truth::kFalse && b == Truth::kFalse ? Truth::kFalse : Truth::kOpen;
}

// --- functions of one value, with their derivatives ---

[[nodiscard]] inline double eval_unary(Op op, double x) {
  switch (op) {
    case Op::kSin:
      return std::sin(x);
    case Op::kCos:
      return std::cos(x);
    case Op::kTan:
      return std::tan(x);
    case Op::kAsin:
      return std::asin(x);
    case Op::kAcos:
      return std::acos(x);
    case Op::kAtan:
      return std::atan(x);
    case Op::kSinh:
      return std::sinh(x);
    case Op::kCosh:
      return std::cosh(x);
    case Op::kTanh:
      return std::tanh(x);
    case Op::kAsinh:
      return std::asinh(x);
    case Op::kAcosh:
      return std::acosh(x);
    case Op::kAtanh:
      return std::atanh(x);
    case Op::kExp:
      return std::exp(x);
    case Op::kLog:
      return std::log(x);
    case Op::kLog2:
      return std::log2(x);
    case Op::kLog10:
      return std::log10(x);
    case Op::kSqrt:
      return std::sqrt(x);
    case Op::kAbs:
      return std::abs(x);
    case Op::kSign:
      return eval_sign(x);
    default:
      return std::rint(x);
  }
}

[[nodiscard]] inline RealInterval eval_unary(Op op, const RealInterval& x) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto rising = [&](double least, double most) {
    return eval_rising(x, least, most, [op](double at) { return eval_unary(op, at); });
  };
  switch (op) {
    case Op::kSin:
      return sin(x);
    case Op::kCos:
      return cos(x);
    case Op::kTan: {
      const RealInterval turns(x.low / std::numbers::pi - 0.5, x.high / std::numbers::pi - 0.5);
      if (std::floor(turns.low) != std::floor(turns.high)) return RealInterval::everything();
      return rising(-infinity, infinity);
    }
    case Op::kAsin:
      return rising(-1.0, 1.0);
    case Op::kAcos:
      return x.low < -1.0 || x.high > 1.0 ? RealInterval::everything()
                                          : RealInterval(std::acos(x.high), std::acos(x.low));
    case Op::kCosh: {
      const RealInterval size = abs(x);
      return {std::cosh(size.low), std::cosh(size.high)};
    }
    case Op::kAcosh:
      return rising(1.0, infinity);
    case Op::kAtanh:
      return rising(-1.0, 1.0);
    case Op::kLog:
    case Op::kLog2:
    case Op::kLog10:
      return rising(std::numeric_limits<double>::min(), infinity);
    case Op::kSqrt:
      return rising(0.0, infinity);
    case Op::kAbs:
      return abs(x);
    default:  // atan, sinh, tanh, asinh, exp, sign, rint
      return rising(-infinity, infinity);
  }
}

/// The derivative of a function of one value at x, where its value is f.
template <class T>
[[nodiscard]] T eval_derivative(Op op, const T& x, const T& f) {
  const T one(1.0);
  switch (op) {
    case Op::kSin:
      return eval_unary(Op::kCos, x);
    case Op::kCos:
      return -eval_unary(Op::kSin, x);
    case Op::kTan:
      return one + f * f;
    case Op::kAsin:
      return one / eval_unary(Op::kSqrt, one - x * x);
    case Op::kAcos:
      return -one / eval_unary(Op::kSqrt, one - x * x);
    case Op::kAtan:
      return one / (one + x * x);
    case Op::kSinh:
      return eval_unary(Op::kCosh, x);
    case Op::kCosh:
      return eval_unary(Op::kSinh, x);
    case Op::kTanh:
      return one - f * f;
    case Op::kAsinh:
      return one / eval_unary(Op::kSqrt, one + x * x);
    case Op::kAcosh:
      return one / eval_unary(Op::kSqrt, x * x - one);
    case Op::kAtanh:
      return one / (one - x * x);
    case Op::kExp:
      return f;
    case Op::kLog:
      return one / x;
    case Op::kLog2:
      return T(1.0 / std::numbers::ln2) / x;
    case Op::kLog10:
      return T(1.0 / std::numbers::ln10) / x;
    case Op::kSqrt:
      return T(0.5) / f;
    case Op::kAbs:
      return eval_sign(x);
    default:  // sign and rint are flat between their jumps
      return T(0.0);
  }
}

template <class T>
[[nodiscard]] BasicDual<T> eval_unary(Op op, const BasicDual<T>& x) {
  const T value = eval_unary(op, x.value);
  if (find_truth(x.rate) == Truth::kFalse) return value;  // also where the slope is infinite
  return {value, eval_derivative(op, x.value, value) * x.rate};
}

// --- functions of two values ---

[[nodiscard]] inline double eval_power(double x, double y) { return std::pow(x, y); }
[[nodiscard]] inline RealInterval eval_power(const RealInterval& x, const RealInterval& y) {
  if (y.low == y.high && std::rint(y.low) == y.low) {
    if (y.low < 0.0 && x.contains(0.0)) return RealInterval::everything();
    const RealInterval ends = RealInterval::hull({std::pow(x.low, y.low), std::pow(x.high, y.low)});
    const bool has_least = std::fmod(y.low, 2.0) == 0.0 && y.low > 0.0 && x.contains(0.0);
    return has_least ? RealInterval(0.0, ends.high) : ends;
  }
  if (x.low < 0.0 || (x.low == 0.0 && y.low < 0.0)) return RealInterval::everything();
  return RealInterval::hull({std::pow(x.low, y.low), std::pow(x.low, y.high),
                             std::pow(x.high, y.low), std::pow(x.high, y.high)});
}
/// d(x^y) = y x^(y-1) dx + x^y log(x) dy, each only where there is a dx or dy.
template <class T>
[[nodiscard]] BasicDual<T> eval_power(const BasicDual<T>& x, const BasicDual<T>& y) {
  BasicDual<T> out(eval_power(x.value, y.value));
  if (find_truth(x.rate) != Truth::kFalse) {
    out.rate = y.value * eval_power(x.value, y.value - T(1.0)) * x.rate;
  }
  if (find_truth(y.rate) != Truth::kFalse) {
    out.rate = out.rate + out.value * eval_unary(Op::kLog, x.value) * y.rate;
  }
  return out;
}

[[nodiscard]] inline double eval_square(double x) { return x * x; }
[[nodiscard]] inline RealInterval eval_square(const RealInterval& x) { return eval_power(x, 2.0); }
template <class T>
[[nodiscard]] BasicDual<T> eval_square(const BasicDual<T>& x) {
  return {eval_square(x.value), T(2.0) * x.value * x.rate};
}

[[nodiscard]] inline double eval_atan2(double y, double x) { return std::atan2(y, x); }
[[nodiscard]] inline RealInterval eval_atan2(const RealInterval& y, const RealInterval& x) {
  const bool has_cut = x.low <= 0.0 && y.contains(0.0);
  if (has_cut) return {-std::numbers::pi, std::numbers::pi};
  return RealInterval::hull({std::atan2(y.low, x.low), std::atan2(y.low, x.high),
                             std::atan2(y.high, x.low), std::atan2(y.high, x.high)});
}
template <class T>
[[nodiscard]] BasicDual<T> eval_atan2(const BasicDual<T>& y, const BasicDual<T>& x) {
  const T squares = eval_square(x.value) + eval_square(y.value);
  return {eval_atan2(y.value, x.value), (x.value * y.rate - y.value * x.rate) / squares};
}

[[nodiscard]] inline double eval_min(double a, double b) { return b < a ? b : a; }
[[nodiscard]] inline RealInterval eval_min(const RealInterval& a, const RealInterval& b) {
  return {eval_min(a.low, b.low), eval_min(a.high, b.high)};
}
/// The smaller one; of ranges that overlap the hull of both.
template <class T>
[[nodiscard]] BasicDual<T> eval_min(const BasicDual<T>& a, const BasicDual<T>& b) {
  const Truth first = find_truth(eval_less_equal(a.value, b.value));
  if (first == Truth::kTrue) return a;
  if (first == Truth::kFalse) return b;
  BasicDual<T> out(eval_min(a.value, b.value));
  if constexpr (std::is_same_v<T, RealInterval>) {
    out.rate = {std::min(a.rate.low, b.rate.low), std::max(a.rate.high, b.rate.high)};
  }
  return out;
}
template <class Scalar>
[[nodiscard]] Scalar eval_max(const Scalar& a, const Scalar& b) {
  return -eval_min(Scalar(-a), Scalar(-b));
}

// --- evaluation ---

/// Value of the code in [first, last), which is one operand. Does not allocate and stores nothing,
/// so threads may share an expression.
template <class Scalar>  // NOLINTNEXTLINE(readability-function-size): a case per instruction
[[nodiscard]] Scalar eval_code(const Instruction* code, int first, int last,
                               const Scalar* variables) {
  std::array<Scalar, kMaxExpressionDepth + 1> stack;  // below the last value
  Scalar* next = stack.data();
  Scalar top(0.0);
  const auto push = [&](const Scalar& value) {
    *next++ = top;
    top = value;
  };
  for (int i = first; i < last; ++i) {
    const Instruction& at = code[i];
    switch (at.op) {
      case Op::kNumber:
        push(Scalar(at.number));
        break;
      case Op::kVariable:
        push(variables[at.index]);
        break;
      case Op::kBranch: {
        const Truth truth = find_truth(top);
        top = *--next;
        if (truth == Truth::kFalse) i = at.index - 1;
        if (truth == Truth::kOpen) {  // the jump at the end of the first branch leads past both
          push(make_unknown<Scalar>());
          i = code[at.index - 1].index - 1;
        }
        break;
      }
      case Op::kJump:
        i = at.index - 1;
        break;
      case Op::kNegate:
        top = -top;
        break;
      case Op::kAdd:
        top = *--next + top;
        break;
      case Op::kAddNumber:
        top = top + Scalar(at.number);
        break;
      case Op::kAddVariable:
        top = top + variables[at.index];
        break;
      case Op::kSubtract:
        top = *--next - top;
        break;
      case Op::kSubtractNumber:
        top = top - Scalar(at.number);
        break;
      case Op::kSubtractVariable:
        top = top - variables[at.index];
        break;
      case Op::kMultiply:
        top = *--next * top;
        break;
      case Op::kMultiplyNumber:
        top = top * Scalar(at.number);
        break;
      case Op::kMultiplyVariable:
        top = top * variables[at.index];
        break;
      case Op::kDivide:
        top = *--next / top;
        break;
      case Op::kDivideNumber:
        top = top / Scalar(at.number);
        break;
      case Op::kDivideVariable:
        top = top / variables[at.index];
        break;
      case Op::kPower:
        top = eval_power(*--next, top);
        break;
      case Op::kSquare:
        top = eval_square(top);
        break;
      case Op::kLess:
        top = eval_less(*--next, top);
        break;
      case Op::kGreater:
        top = eval_less(top, *--next);
        break;
      case Op::kLessEqual:
        top = eval_less_equal(*--next, top);
        break;
      case Op::kGreaterEqual:
        top = eval_less_equal(top, *--next);
        break;
      case Op::kEqual:
        top = eval_equal(*--next, top);
        break;
      case Op::kNotEqual:
        top = Scalar(1.0) - eval_equal(*--next, top);
        break;
      case Op::kAnd:
        top = make_truth<Scalar>(find_and(find_truth(*--next), find_truth(top)));
        break;
      case Op::kOr:
        top = make_truth<Scalar>(find_or(find_truth(*--next), find_truth(top)));
        break;
      case Op::kAtan2:
        top = eval_atan2(*--next, top);
        break;
      case Op::kMin:
        top = eval_min(*--next, top);
        break;
      case Op::kMax:
        top = eval_max(*--next, top);
        break;
      case Op::kSin:
        top = eval_unary(Op::kSin, top);
        break;
      case Op::kCos:
        top = eval_unary(Op::kCos, top);
        break;
      case Op::kExp:
        top = eval_unary(Op::kExp, top);
        break;
      default:
        top = eval_unary(at.op, top);
    }
  }
  return top;
}

}  // namespace slipstick
