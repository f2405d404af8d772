#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "slipstick/model/expression.h"

namespace slipstick {

/// A number, or the text of an expression for one, with the place it was written at.
struct Definition {
  std::string where;
  std::variant<double, std::string> value;
};

/// The named values of one model: parameters, and initial values of coordinates and rates. Each is
/// evaluated when first asked for, from the others it names.
class Scope {
 public:
  void define(const std::string& name, Definition definition);
  /// A name without a value at this stage: using it is an error that says why.
  void withhold(const std::string& name, std::string reason);

  [[nodiscard]] bool has(const std::string& name) const { return entries_.contains(name); }
  /// Value of a name. Throws InputError for a cycle, an unknown name, NaN or infinity.
  [[nodiscard]] double eval_name(const std::string& name);
  [[nodiscard]] double eval(const Definition& definition);
  /// The definition as written, for listings.
  [[nodiscard]] const Definition& definition(const std::string& name) const;

 private:
  struct Entry {
    Definition definition;
    std::optional<std::string> withheld;
    std::optional<double> value;
    bool being_evaluated = false;
  };
  /// Deeper chains of names are refused: nobody writes them, and the stack is finite.
  static constexpr int kMaxDepth = 100;

  std::map<std::string, Entry> entries_;
  int depth_ = 0;
};

}  // namespace slipstick
