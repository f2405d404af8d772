#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "slipstick/model/expression.h"
#include "slipstick/model/function.h"

namespace slipstick {

/// A number, or the text of an expression for one, with the place it was written at.
struct Definition {
  std::string where;
  std::variant<double, std::string> value;
};

/// Makes the place that starts an error message. It is called only for an error, because making the
/// text of each place would take time.
using PlaceMaker = std::function<std::string()>;

/// A function of the state, with the parameters in its formula and their values.
struct BoundFunction {
  std::vector<std::pair<std::string, double>> parameters;
  Function function;
};

/// The compiled formulas of one file, by their text.
struct Formulas {
  std::unordered_map<std::string, OpenExpression> open;
  std::unordered_map<std::string, BoundFunction> bound;
};

/// The named values of one model: parameters, and initial values of coordinates and rates. Each is
/// evaluated when first asked for, from the others it names.
class Scope {
 public:
  Scope() = default;
  /// With the formulas of an earlier scope of the same file, which then need not be compiled again.
  explicit Scope(std::shared_ptr<const Formulas> known) : known_(std::move(known)) {}

  void define(const std::string& name, Definition definition);
  /// Declares a name that has no value at this stage. Using it is an error that gives the reason.
  void withhold(const std::string& name, std::string reason);

  [[nodiscard]] bool has(const std::string& name) const { return entries_.contains(name); }
  /// Value of a name. Throws InputError for a cycle, an unknown name, NaN or infinity.
  [[nodiscard]] double eval_name(const std::string& name);
  [[nodiscard]] double eval(const Definition& definition);
  [[nodiscard]] double eval_text(const std::string& text, const PlaceMaker& place);
  /// Returns the number. Throws InputError for NaN or infinity.
  static double check_finite(double number, const PlaceMaker& place);
  /// The definition as written, for listings.
  [[nodiscard]] const Definition& definition(const std::string& name) const;

  /// Compiles a formula unless that was done before.
  [[nodiscard]] const OpenExpression& open_formula(const std::string& text,
                                                   const PlaceMaker& place);
  /// A function of this text that was made before, or nothing.
  [[nodiscard]] const BoundFunction* find_bound(const std::string& text) const;
  void keep_bound(const std::string& text, BoundFunction function);
  /// All that was compiled for this scope.
  [[nodiscard]] Formulas take_formulas() { return std::move(own_); }

 private:
  struct Entry {
    Definition definition;
    std::optional<std::string> withheld;
    std::optional<double> value;
    bool being_evaluated = false;
  };
  /// Limits the length of a chain of names, so that the recursion cannot exhaust the stack.
  static constexpr int kMaxDepth = 100;

  std::map<std::string, Entry> entries_;
  std::shared_ptr<const Formulas> known_;
  Formulas own_;
  int depth_ = 0;
};

}  // namespace slipstick
