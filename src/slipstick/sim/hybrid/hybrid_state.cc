#include "slipstick/sim/hybrid/hybrid_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/core/scales.h"
#include "slipstick/model/scale.h"
#include "slipstick/sim/events/pace.h"

namespace slipstick {

Laws make_laws(const SimulationOptions& options) {
  return {options.law, options.until, options.tolerance, {}};
}

HybridState make_start(const Model& model, const State& initial, const Laws& laws) {
  HybridState out{initial, ContactSet(model.contacts.size()), {}, {}, {}, {}, {}, {}, {}, {}, {},
                  {}};
  out.moved = eval_speeds(model, initial);
  out.fastest = eval_rates(model, initial);
  find_stop(model, laws, out);
  if (out.stop && out.stop->before == out.state.time) {  // the formulas hold at one instant only
    out.state.time = out.stop->after;
    find_stop(model, laws, out);
  }
  const ContactKinematics kinematics = eval_contact_kinematics(model, out.state);
  const ContactProblem problem =
      make_contact_problem(model, out.state, kinematics, laws.tolerances);
  std::vector<int> colliding;
  for (int i = 0; i < model.contact_count(); ++i) {
    const ContactStatus status = problem.status[static_cast<std::size_t>(i)];
    if (status == ContactStatus::kColliding) colliding.push_back(i);
    // At zero gap and opening, as after a rebound.
    if (status == ContactStatus::kOpen && is_at_zero(model, i, kinematics.gap[i], laws)) {
      out.contacts.open(i, 1);
    }
  }
  for (const ClosedContact& contact : problem.closed) {
    out.contacts.close(model, contact.index, contact.slip_sign);
  }
  const ModeWord word = out.contacts.make_word();
  if (colliding.empty()) {
    out.pending = SeeksMode{word};
  } else {
    out.pending = Collides{std::move(colliding), word};
  }
  return out;
}

bool is_at_once(const Model& model, const HybridState& at) {
  return (at.state.time - at.last_decision) * eval_rate(model, at.state) <= kSameTime;
}

void find_stop(const Model& model, const Laws& laws, HybridState& at) {
  at.stop.reset();
  if (!model.depends_on_time) return;
  // Changes at the end of the run count, too, because steps look slightly beyond it.
  at.stop = find_time_stop(model, at.state.time, laws.until + kSumRounding * laws.until);
  if (at.stop && !(at.stop->before <= laws.until)) at.stop.reset();
}

void note_motion(const Model& model, const State& start, HybridState& at) {
  const VecQ scale = make_coordinate_scale(model);
  if (at.acceleration.size() != scale.size()) return;
  const VecQ push = spread_over_groups(model, at.acceleration.cwiseAbs().cwiseQuotient(scale));
  at.moved = eval_speeds(model, start)
                 .cwiseMax(eval_speeds(model, at.state))
                 .cwiseMax((at.state.time - start.time) * push);
  at.fastest = at.moved.cwiseMax(eval_rates(model, at.state)).cwiseMax(push.cwiseSqrt());
}

bool HybridState::operator==(const HybridState& other) const {
  return state == other.state && contacts == other.contacts && mode == other.mode &&
         opening == other.opening && forces == other.forces && pending == other.pending &&
         stop == other.stop && bounces == other.bounces && struck == other.struck &&
         are_equal(fastest, other.fastest) && are_equal(moved, other.moved) &&
         are_equal(acceleration, other.acceleration) && last_decision == other.last_decision &&
         decisions == other.decisions && tried == other.tried;
}

bool is_same_state(const Model& model, const State& a, const State& b, double rate) {
  const VecQ scale = make_coordinate_scale(model);
  const auto differ = [&](const VecQ& x, const VecQ& y) {
    return (x - y).cwiseAbs().cwiseQuotient(scale).maxCoeff();
  };
  return std::abs(a.time - b.time) * rate <= kSameState && differ(a.q, b.q) <= kSameState &&
         differ(a.v, b.v) <= kSameState * rate;
}

bool has_same_future(const Model& model, const HybridState& a, const HybridState& b) {
  const bool same_signs = std::equal(
      a.mode.closed.begin(), a.mode.closed.end(), b.mode.closed.begin(), b.mode.closed.end(),
      [](const ClosedMode& x, const ClosedMode& y) { return x.force_sign == y.force_sign; });
  return a.mode.word == b.mode.word && same_signs && a.pending.index() == b.pending.index() &&
         a.forces.has_value() == b.forces.has_value() &&
         is_same_state(model, a.state, b.state, a.fastest.maxCoeff());
}

VecQ eval_speeds(const Model& model, const State& state) {
  return spread_over_groups(model, state.v.cwiseAbs().cwiseQuotient(make_coordinate_scale(model)));
}

VecQ eval_rates(const Model& model, const State& state) {
  const double g = model.gravity.norm();
  return eval_speeds(model, state).cwiseMax((g * model.lengths.cwiseInverse()).cwiseSqrt());
}

double eval_rate(const Model& model, const State& state) {
  return eval_rates(model, state).maxCoeff();
}

double find_speed(const Model& model, int contact, const VecQ& rates) {
  const Contact& c = model.contacts[static_cast<std::size_t>(contact)];
  return c.group >= 0 ? c.length * rates[c.group] : 0.0;
}

bool is_at_zero(const Model& model, int contact, double gap, const Laws& laws) {
  const Contact& c = model.contacts[static_cast<std::size_t>(contact)];
  return std::abs(gap) <= laws.tolerances.closure * c.length + c.blur;
}

}  // namespace slipstick
