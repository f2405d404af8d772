#include "slipstick/sim/hybrid/transition.h"

#include <utility>

#include "slipstick/model/dynamics.h"
#include "slipstick/why.h"

namespace slipstick {

Transitions make_only(Transition way) {
  Transitions out;
  out.state = way.next.state;
  out.ways.push_back(std::move(way));
  return out;
}

Transitions make_dead_end(const State& state, EndReason reason, Why why) {
  Transitions out;
  out.state = state;
  out.end = RunEnd{reason, state.time, std::move(why)};
  return out;
}

void note_first_event(Transitions& found, const std::string& note) {
  if (!found.events.empty()) return void(found.events.front().notes.push_back(note));
  for (Transition& way : found.ways) {
    if (!way.events.empty()) way.events.front().notes.push_back(note);
  }
}

Event make_event(const Model& model, const State& state, EventType type, std::vector<int> contacts,
                 const ModeWord& before, const ModeWord& after) {
  Event out;
  out.time = state.time;
  out.type = type;
  out.contacts = std::move(contacts);
  out.modes_before = before;
  out.modes_after = after;
  out.before = out.after = state;
  out.energy_before = out.energy_after = eval_kinetic_energy(model, state);
  return out;
}

}  // namespace slipstick
