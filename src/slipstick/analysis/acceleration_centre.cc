#include "slipstick/analysis/acceleration_centre.h"

#include "slipstick/model/dynamics.h"
#include "slipstick/model/forces.h"

namespace slipstick {

std::optional<AccelerationCentre> find_acceleration_centre(const Model& model, int contact,
                                                           const State& state,
                                                           const VecQ& acceleration) {
  const Contact& c = model.contacts[static_cast<std::size_t>(contact)];
  const Surface& surface = model.surfaces[static_cast<std::size_t>(c.surface)];
  const ContactKinematics contacts = eval_contact_kinematics(model, state);
  const double rate = eval_turn_rate_change(model, c, state.v);
  const double turn = eval_turn_rate_change(model, c, acceleration);
  const double square = rate * rate;
  const double size = turn * turn + square * square;
  if (!(size > 0.0)) return std::nullopt;
  // The acceleration of the body's point at the contact; a disc's centre lies one radius above it.
  const double a_t = contacts.W_t.col(contact).dot(acceleration) + contacts.bias_t[contact] +
                     eval_surface_acceleration(surface, state);
  const double a_n =
      contacts.W_n.col(contact).dot(acceleration) + contacts.bias_n[contact] + c.radius * square;
  // a = (turn J - rate^2) r for the vector r from the centre to the contact, J t = n, J n = -t.
  return AccelerationCentre{(square * a_t - turn * a_n) / size, (turn * a_t + square * a_n) / size};
}

}  // namespace slipstick
