#pragma once

/// Contacts close and slips end where that takes no impulse, up to rounding of the velocities.

#include "slipstick/sim/hybrid/hybrid_state.h"

namespace slipstick {

/// Takes the velocities off the surfaces of these contacts, and the slips of those that stick.
void hold(const Model& model, const ContactSet& contacts, HybridState& at);

/// Touching contacts close without an impulse; slips that ended are zero, also those that ended
/// with another's: two feet of one body.
void stop_contacts(const Model& model, const PerContact<int>& touching,
                   const PerContact<int>& stopping, const Laws& laws, HybridState& at);

/// The signs of slips that a correction of the velocities may have changed. What rounding has left
/// of a slip is none.
void read_slips(const Model& model, const Laws& laws, HybridState& at);

/// Closes open contacts that are at their surfaces and neither leave nor fall: whether they open is
/// for the forces to decide. They opened just before, or came there with others.
void close_touching(const Model& model, const Laws& laws, HybridState& at);

/// Closes contacts that rebound slower than a part of the motion's speed: such a flight would be as
/// low as the rounding of its gap. To close one contact may slow the rebound of another. True if a
/// rebound was fast enough to be worth a note.
[[nodiscard]] bool end_bounces(const Model& model, double slow, const Laws& laws, HybridState& at);
inline constexpr const char* kEndedRebound = "a rebound too slow to follow was ended";

}  // namespace slipstick
