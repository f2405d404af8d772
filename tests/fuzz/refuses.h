#pragma once

#include <cstdlib>
#include <string>

#include "slipstick/errors.h"

namespace slipstick::fuzz {

/// Calls `read`: it returns, or throws a sentence; anything else ends the program.
template <class Read>
void expect_accepted_or_refused(Read&& read) {
  try {
    read();
  } catch (const InputError& error) {
    if (std::string(error.what()).empty()) std::abort();
  }
}

}  // namespace slipstick::fuzz
