#pragma once

/// Closes contacts and ends slips where no impulse is needed, up to rounding of the velocities.

#include "slipstick/sim/hybrid/hybrid_state.h"

namespace slipstick {

/// Makes the gap rates of these contacts zero, and the slips of those that stick.
void hold(const Model& model, const ContactSet& contacts, HybridState& at);

/// Closes touching contacts without an impulse. Slips that ended are set to zero, also if they
/// ended together with another slip (two feet of one body).
void stop_contacts(const Model& model, const PerContact<int>& touching,
                   const PerContact<int>& stopping, const Laws& laws, HybridState& at);

/// Updates the signs of slips after a correction of the velocities. A slip of rounding size is
/// zero.
void read_slips(const Model& model, const Laws& laws, HybridState& at);

/// Closes open contacts that are at their surfaces without gap rate, because they opened just
/// before or arrived with others. The forces then decide whether they open.
void close_touching(const Model& model, const Laws& laws, HybridState& at);

/// Closes contacts that rebound more slowly than a part of the motion's speed, because such a
/// flight would be as low as the rounding of its gap. Closing one contact may slow the rebound of
/// another. True if a rebound was fast enough to be worth a note.
[[nodiscard]] bool end_bounces(const Model& model, double slow, const Laws& laws, HybridState& at);
inline constexpr const char* kEndedRebound = "a rebound too slow to follow was ended";

}  // namespace slipstick
