#pragma once

/// Random mechanisms, run to the end, with the laws checked along the way.

#include <cstdint>
#include <optional>
#include <string>

#include "slipstick/run.h"

namespace slipstick::testkit {

/// A model file: 1-4 bodies on a free, sliding or turning base, 1-4 contacts on slopes and moving
/// rails, springs, every impact law.
[[nodiscard]] std::string make_random_model(std::uint64_t seed);

struct CampaignResult {
  bool accepted = false;  ///< false: the reader refused it (a contact starts in penetration)
  EndReason end = EndReason::kTime;
  int events = 0;
  std::string broken;  ///< the first law that does not hold; empty: all do
};

/// Runs one and checks Signorini and Coulomb, the gaps, and that the kinetic energy changes by the
/// work of the forces.
[[nodiscard]] CampaignResult run_campaign(const std::string& model, double until);

}  // namespace slipstick::testkit
