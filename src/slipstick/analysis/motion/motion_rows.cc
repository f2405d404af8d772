#include "slipstick/analysis/motion/motion_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "slipstick/contact/contact_problem.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/sim/singular/passage.h"

namespace slipstick {

ContactRow eval_contact_row(const Model& model, const Mode& mode, const State& state) {
  const ContactKinematics contacts = eval_contact_kinematics(model, state);
  const ModeField field = eval_natural_field(model, mode, state);
  const VecC none = VecC::Zero(model.contact_count());
  ContactRow out{contacts.gap, contacts.slip, none, none};
  for (std::size_t j = 0; j < mode.closed.size(); ++j) {
    const auto row = static_cast<Eigen::Index>(2 * j);
    out.force_n[mode.closed[j].contact] = field.impulse_rate[row];
    out.force_t[mode.closed[j].contact] = field.impulse_rate[row + 1];
  }
  return out;
}

std::vector<const Event*> list_jams(const std::vector<Event>& events) {
  std::vector<const Event*> out;
  for (const Event& event : events) {
    if (event.type == EventType::kJam) out.push_back(&event);
  }
  return out;
}

std::vector<int> list_unbounded(const std::vector<const Event*>& jams, double time,
                                const ModeWord& modes) {
  constexpr double kKnown = 1e-12;  // of its time a jam is known to; closer the force is rounding
  std::vector<int> out;
  for (const Event* event : jams) {
    if (event->modes_before != modes) continue;
    if (!(std::abs(event->time - time) <= kKnown * std::abs(event->time))) continue;
    out.insert(out.end(), event->contacts.begin(), event->contacts.end());
  }
  return out;
}

void mark_unbounded(const std::vector<int>& contacts, const ModeWord& modes, ContactRow& row) {
  const double unbounded = std::numeric_limits<double>::infinity();
  for (const int i : contacts) {
    row.force_n[i] = row.force_n[i] < 0.0 ? -unbounded : unbounded;  // a slide may pull
    const bool forward = modes[static_cast<std::size_t>(i)] == ContactMode::kSlipPlus;
    row.force_t[i] = forward ? -unbounded : unbounded;
  }
}

double eval_surface_travel(const Surface& surface, double from, const State& state) {
  const auto eval = [&](double time) {
    return eval_function(surface.speed, {time, state.q, state.v});
  };
  const double mean = (eval(from) + 4.0 * eval(0.5 * (from + state.time)) + eval(state.time)) / 6.0;
  return (state.time - from) * mean;
}

State make_state_at(const Model& model, const MotionRows& rows, std::size_t row) {
  const int n = model.size();
  const std::size_t at = row * static_cast<std::size_t>(n);
  return {rows.time[row], Eigen::Map<const Eigen::VectorXd>(rows.q.data() + at, n),
          Eigen::Map<const Eigen::VectorXd>(rows.v.data() + at, n)};
}

ContactRow make_contacts_at(const Model& model, const MotionRows& rows, const State& state,
                            std::size_t row) {
  if (rows.eval_contacts) return rows.eval_contacts(state, row);
  const int count = model.contact_count();
  const auto view = [&](const std::vector<double>& values) -> VecC {
    return Eigen::Map<const Eigen::VectorXd>(values.data() + row * static_cast<std::size_t>(count),
                                             count);
  };
  return {view(rows.gap), view(rows.slip), view(rows.force_n), view(rows.force_t)};
}

MotionRows make_rows(const Model& model, std::span<const State> states) {
  MotionRows out;
  const auto add = [](const auto& values, std::vector<double>& to) {
    to.insert(to.end(), values.begin(), values.end());
  };
  for (const State& state : states) {
    const ContactKinematics contacts = eval_contact_kinematics(model, state);
    ModeWord word(model.contacts.size());
    for (const ClosedContact& contact :
         make_contact_problem(model, state, contacts, Tolerances{}).closed) {
      word.set(static_cast<std::size_t>(contact.index), make_slip_mode(contact.slip_sign));
    }
    const auto found = std::find(out.words.begin(), out.words.end(), word);
    out.mode.push_back(found - out.words.begin());
    if (found == out.words.end()) out.words.push_back(word);
    out.time.push_back(state.time);
    add(state.q, out.q);
    add(state.v, out.v);
    add(contacts.gap, out.gap);
    add(contacts.slip, out.slip);
  }
  out.force_n.assign(out.gap.size(), 0.0);
  out.force_t.assign(out.gap.size(), 0.0);
  return out;
}

void prepend_state(const Model& model, const State& state, MotionRows& rows) {
  if (rows.size() > 0) {
    const State first = make_state_at(model, rows, 0);
    if (first.q == state.q && first.v == state.v) return;
  }
  MotionRows start = make_rows(model, std::span(&state, 1));
  const auto found = std::find(rows.words.begin(), rows.words.end(), start.words[0]);
  rows.mode.insert(rows.mode.begin(), found - rows.words.begin());
  if (found == rows.words.end()) rows.words.push_back(start.words[0]);
  for (std::vector<double> MotionRows::*column :
       {&MotionRows::time, &MotionRows::q, &MotionRows::v}) {
    (rows.*column).insert((rows.*column).begin(), (start.*column).begin(), (start.*column).end());
  }
  rows.observables.insert(rows.observables.begin(), rows.observed.size(),
                          std::numeric_limits<double>::quiet_NaN());
  if (rows.eval_contacts) {
    rows.eval_contacts =
        [first = make_contacts_at(model, start, state, 0), others = std::move(rows.eval_contacts)](
            const State& at, std::size_t row) { return row == 0 ? first : others(at, row - 1); };
    return;
  }
  for (std::vector<double> MotionRows::*column :
       {&MotionRows::gap, &MotionRows::slip, &MotionRows::force_n, &MotionRows::force_t}) {
    (rows.*column).insert((rows.*column).begin(), (start.*column).begin(), (start.*column).end());
  }
}

}  // namespace slipstick
