#include "slipstick/sim/mode/motion_formula.h"

#include <algorithm>
#include <cmath>

#include "slipstick/core/nearest_name.h"
#include "slipstick/errors.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model/scale.h"
#include "slipstick/sim/singular/passage.h"

namespace slipstick {

struct MotionFormula::Values {
  const Model& model;
  const State& state;
  ContactKinematics contacts;
  VecQ acceleration;
  VecC force_n, force_t;
  double kinetic = 0.0, potential = 0.0;
};

std::map<std::string, MotionFormula::Quantity> MotionFormula::list_names(const Model& model) {
  std::map<std::string, Quantity> out;
  for (int i = 0; i < model.contact_count(); ++i) {
    const std::string& name = model.contacts[static_cast<std::size_t>(i)].name;
    out["gap_" + name] = {Kind::kGap, i};
    out["gap_rate_" + name] = {Kind::kGapRate, i};
    out["slip_" + name] = {Kind::kSlip, i};
    out["force_n_" + name] = {Kind::kForceN, i};
    out["force_t_" + name] = {Kind::kForceT, i};
  }
  out["kinetic_energy"] = {Kind::kKinetic, 0};
  out["potential_energy"] = {Kind::kPotential, 0};
  out["energy"] = {Kind::kEnergy, 0};
  for (int i = 0; i < model.size(); ++i) {
    const std::string& name = model.coordinates[static_cast<std::size_t>(i)];
    out[name + "_ddot"] = {Kind::kAcceleration, i};
  }
  for (int i = 0; i < model.size(); ++i) {
    const std::string& name = model.coordinates[static_cast<std::size_t>(i)];
    out[name] = {Kind::kCoordinate, i};
    out[rate_name(name)] = {Kind::kRate, i};
  }
  out["t"] = {Kind::kTime, 0};
  return out;
}

std::vector<std::string> MotionFormula::list_known(const Model& model) {
  std::vector<std::string> out;
  for (const auto& entry : list_names(model)) out.push_back(entry.first);
  return out;
}

MotionFormula::MotionFormula(const Model& model, const Constants& parameters,
                             const std::string& where, const std::string& text)
    : expression_(where, "0", {}, {}) {
  const std::map<std::string, Quantity> known = list_names(model);
  std::vector<std::string> variables;
  const auto is_own = [&](const Quantity& quantity) {
    return quantity.kind == Kind::kTime || quantity.kind == Kind::kCoordinate ||
           quantity.kind == Kind::kRate;
  };
  for (const std::string& name : find_expression_names(where, text)) {
    const auto found = known.find(name);
    const bool is_parameter = parameters.contains(name);
    if (found == known.end() && !is_parameter) {
      std::vector<std::string> names;
      for (const auto& entry : known) names.push_back(entry.first);
      for (const auto& entry : parameters) names.push_back(entry.first);
      throw InputError(where, "expected known names in '" + text + "', got '" + name + "'" +
                                  make_suggestion(name, names));
    }
    if (found == known.end() || (is_parameter && !is_own(found->second))) continue;
    variables.push_back(name);
    quantities_.push_back(found->second);
    const Kind kind = found->second.kind;
    needs_contacts_ |= kind == Kind::kGap || kind == Kind::kGapRate || kind == Kind::kSlip;
    const bool is_force = kind == Kind::kForceN || kind == Kind::kForceT;
    needs_field_ |= is_force || kind == Kind::kAcceleration;
    has_rate_ &= !is_force && kind != Kind::kAcceleration && kind != Kind::kKinetic &&
                 kind != Kind::kPotential && kind != Kind::kEnergy;
  }
  expression_ = Expression(where, text, variables, parameters);
}

MotionFormula::Values MotionFormula::eval_all(const Model& model, const Mode& mode,
                                              const State& state, bool with_rates) const {
  Values out{
      model, state, {}, {}, VecC::Zero(model.contact_count()), VecC::Zero(model.contact_count())};
  const auto uses = [&](Kind kind) {
    return std::any_of(quantities_.begin(), quantities_.end(),
                       [&](const Quantity& quantity) { return quantity.kind == kind; });
  };
  if (needs_contacts_) {
    eval_contact_kinematics(model, state, out.contacts);
    for (const ClosedMode& closed : mode.closed) {
      out.contacts.gap[closed.contact] = out.contacts.gap_rate[closed.contact] = 0.0;
      if (closed.sticks()) out.contacts.slip[closed.contact] = 0.0;
    }
  }
  const bool has_energy = uses(Kind::kEnergy);
  if (has_energy || uses(Kind::kKinetic)) out.kinetic = eval_kinetic_energy(model, state);
  if (has_energy || uses(Kind::kPotential)) out.potential = eval_potential_energy(model, state.q);
  if (!needs_field_ && !with_rates) return out;
  const ModeField field = eval_natural_field(model, mode, state);
  out.acceleration = field.acceleration;
  for (std::size_t j = 0; j < mode.closed.size(); ++j) {
    const auto row = static_cast<Eigen::Index>(2 * j);
    out.force_n[mode.closed[j].contact] = field.impulse_rate[row];
    out.force_t[mode.closed[j].contact] = field.impulse_rate[row + 1];
  }
  return out;
}

double MotionFormula::eval_quantity(const Quantity& quantity, const Values& at) {
  switch (quantity.kind) {
    case Kind::kTime:
      return at.state.time;
    case Kind::kCoordinate:
      return at.state.q[quantity.index];
    case Kind::kRate:
      return at.state.v[quantity.index];
    case Kind::kAcceleration:
      return at.acceleration[quantity.index];
    case Kind::kGap:
      return at.contacts.gap[quantity.index];
    case Kind::kGapRate:
      return at.contacts.gap_rate[quantity.index];
    case Kind::kSlip:
      return at.contacts.slip[quantity.index];
    case Kind::kForceN:
      return at.force_n[quantity.index];
    case Kind::kForceT:
      return at.force_t[quantity.index];
    case Kind::kKinetic:
      return at.kinetic;
    case Kind::kPotential:
      return at.potential;
    case Kind::kEnergy:
      break;
  }
  return at.kinetic + at.potential;
}

/// d/dt; of a contact from d(gap_rate)/dt = W_n^T v' + bias_n and the like.
double MotionFormula::eval_rate(const Quantity& quantity, const Values& at) {
  const int i = quantity.index;
  switch (quantity.kind) {
    case Kind::kTime:
      return 1.0;
    case Kind::kCoordinate:
      return at.state.v[i];
    case Kind::kRate:
      return at.acceleration[i];
    case Kind::kGap:
      return at.contacts.gap_rate[i];
    case Kind::kGapRate:
      return at.contacts.W_n.col(i).dot(at.acceleration) + at.contacts.bias_n[i];
    case Kind::kSlip:
      return at.contacts.W_t.col(i).dot(at.acceleration) + at.contacts.bias_t[i];
    default:
      return 0.0;  // not known: has_rate() is false
  }
}

/// A size beside which a quantity is small: its own value, a length of the mechanism, or what that
/// is worth at the rate of the motion.
double MotionFormula::find_scale(const Quantity& quantity, const Values& at,
                                 const MotionBlur& blur) {
  const double size = std::abs(eval_quantity(quantity, at));
  const auto k = static_cast<std::size_t>(quantity.index);
  switch (quantity.kind) {
    case Kind::kCoordinate:
      return size + make_coordinate_scale(at.model)[quantity.index];
    case Kind::kRate:
      return size + make_coordinate_scale(at.model)[quantity.index] * blur.rate;
    case Kind::kAcceleration:
      return size + make_coordinate_scale(at.model)[quantity.index] * blur.rate * blur.rate;
    case Kind::kGap:
      return size + at.model.contacts[k].length;
    case Kind::kGapRate:
    case Kind::kSlip:
      return size + at.model.contacts[k].length * blur.rate;
    case Kind::kForceN:
    case Kind::kForceT:
      return size + blur.force;
    default:
      return size;
  }
}

double MotionFormula::eval(const Model& model, const Mode& mode, const State& state) const {
  const Values at = eval_all(model, mode, state, false);
  std::vector<double> values;
  for (const Quantity& quantity : quantities_) values.push_back(eval_quantity(quantity, at));
  return expression_.eval(values);
}

Dual MotionFormula::eval_dual(const Model& model, const Mode& mode, const State& state) const {
  const Values at = eval_all(model, mode, state, true);
  std::vector<Dual> values;
  for (const Quantity& quantity : quantities_) {
    values.emplace_back(eval_quantity(quantity, at), eval_rate(quantity, at));
  }
  return expression_.eval_dual(values);
}

std::vector<Blurred> MotionFormula::list_blurred(const Model& model, const Mode& mode,
                                                 const State& state, const MotionBlur& blur) const {
  const Values at = eval_all(model, mode, state, false);
  std::vector<Blurred> out;
  for (const Quantity& quantity : quantities_) {
    out.emplace_back(eval_quantity(quantity, at), blur.part * find_scale(quantity, at, blur));
  }
  return out;
}

Blurred MotionFormula::eval_blurred(const Model& model, const Mode& mode, const State& state,
                                    const MotionBlur& blur) const {
  return expression_.eval_blurred(list_blurred(model, mode, state, blur));
}

Blurred MotionFormula::eval_switch(std::size_t index, const Model& model, const Mode& mode,
                                   const State& state, const MotionBlur& blur) const {
  const std::vector<Blurred> values = list_blurred(model, mode, state, blur);
  return expression_.eval_switch(index, std::span<const Blurred>(values));
}

}  // namespace slipstick
