#include <algorithm>
#include <cmath>

#include "slipstick/core/differentiate.h"
#include "slipstick/jam.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model/scale.h"

namespace slipstick {
namespace {

JamPointType find_type(const JamPoint& point) {
  if (!(point.alpha < 0.0)) return JamPointType::kLeaves;
  if (point.beta >= 0.0) return JamPointType::kSaddle;
  if (point.beta > point.alpha) return JamPointType::kJam;
  return point.gamma < 0.0 ? JamPointType::kPasses : JamPointType::kLiftOff;
}

}  // namespace

JamPoint eval_jam_point(const Model& model, const State& state, const SlidingContact& contact) {
  const int index = contact.contact;
  const ContactDynamics here = eval_contact_dynamics(model, state, std::span(&index, 1));
  const double mu = model.contacts[static_cast<std::size_t>(index)].mu;
  const VecQ response = here.M_inverse_W.col(0) - contact.slip_sign * mu * here.M_inverse_W.col(1);
  const auto respond = [&](const State& at) {
    return eval_sliding_response(model, at, index, contact.slip_sign);
  };
  const VecQ scale = make_coordinate_scale(model);
  const double rate = eval_rate_scale(scale, state.v, here.free_acceleration);
  constexpr double kStep = 0.02;  // of the motion's own scales: the first of shrinking steps
  // Along the motion without the contact force: the force's part is beta.
  const auto after = [&](double time) {
    return respond(
        {state.time + time, state.q + time * state.v, state.v + time * here.free_acceleration});
  };
  const auto struck = [&](double impulse) {
    return respond({state.time, state.q, state.v + impulse * response}).b;
  };
  JamPoint out{contact, state};
  const SlidingResponse at = respond(state);
  out.p = at.p;
  out.b = at.b;
  out.slip = eval_contact_kinematics(model, state).slip[index];
  out.alpha = find_derivative([&](double t) { return after(t).p; }, 0.0, kStep / rate);
  out.gamma = find_derivative([&](double t) { return after(t).b; }, 0.0, kStep / rate);
  const double kick = kStep * rate / response.cwiseAbs().cwiseQuotient(scale).maxCoeff();
  out.beta = -find_derivative(struck, 0.0, kick);
  out.type = find_type(out);
  return out;
}

}  // namespace slipstick
