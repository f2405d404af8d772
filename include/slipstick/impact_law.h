#pragma once

/// The impact laws that a contact can have.
///
///     slipstick::SimulationOptions options;
///     options.law = slipstick::ImpactLaw::kNewton;  // instead of the contacts' own

#include "slipstick/words.h"

namespace slipstick {

/// The law of an impact (docs/theory/impact.md).
enum class ImpactLaw {
  kInelastic,  ///< the impact ends with the compression
  kPoisson,    ///< impulse of expansion = restitution times that of compression
  kNewton,     ///< gap rate after = -restitution times that before
  kStronge,    ///< work of expansion = -restitution^2 times that of compression
  kFremond,    ///< inelastic; at a jam a jump of bounded size
};
/// Their words in model files and options.
inline constexpr Words<5> kImpactLaws{"inelastic", "poisson", "newton", "stronge", "fremond"};

}  // namespace slipstick
