#pragma once

#include <string>

#include "slipstick/errors.h"
#include "slipstick/io/claims.h"
#include "slipstick/why.h"

namespace slipstick::testkit {

/// Why a file of claims and figures is refused.
[[nodiscard]] inline std::string refuse_paper(const std::string& file, const std::string& text) {
  try {
    (void)parse_paper(file, text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace slipstick::testkit
