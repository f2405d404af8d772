#pragma once

/// Outcomes of values that a question does not take, and of those at which the numerics fail.

#include <stdexcept>

#include "slipstick/errors.h"
#include "slipstick/outcomes.h"

namespace slipstick {

/// The label of a model that the question does not take.
inline constexpr const char* kRefusedLabel = "refused";
/// The label where the numerics fail, or a run breaks a law.
inline constexpr const char* kFailureLabel = "failure";

/// What `find` returns. If it throws InputError the outcome is `refused`, if std::domain_error
/// `failure`, both with the reason.
template <class Find>
[[nodiscard]] Outcome find_or_refuse(const Find& find) {
  Outcome out;
  try {
    return find();
  } catch (const InputError& error) {
    out.label = kRefusedLabel;
    out.why = error.what();
  } catch (const std::domain_error& error) {
    out.label = kFailureLabel;
    out.why = error.what();
  }
  return out;
}

}  // namespace slipstick
