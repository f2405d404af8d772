/// Any text as an expression: it is accepted and gives a number, or refused with a sentence.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "slipstick/errors.h"
#include "slipstick/model/expression.h"

namespace {

void read_expression(const std::string& text) {
  for (const std::string& name : slipstick::find_expression_names("fuzz", text)) {
    if (name.empty()) std::abort();
  }
  const slipstick::Expression expression("fuzz", text, {"t", "theta", "theta_dot"},
                                         {{"l", 0.8}, {"mu", 0.35}, {"n", 10.0}});
  const slipstick::Expression copy = expression;
  for (const double theta : {0.0, -1.3, 1e300}) {
    (void)copy.eval(std::array{0.5, theta, 2.0 * theta});
    using slipstick::Dual;
    (void)copy.eval_dual(std::array{Dual(0.5, 1.0), Dual(theta, -2.0), Dual(2.0 * theta)});
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    read_expression(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const slipstick::InputError& error) {
    if (std::string(error.what()).empty()) std::abort();
  }
  return 0;
}
