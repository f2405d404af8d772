#include "slipstick/analysis/gait/walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "slipstick/core/scales.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/sim/mode/trajectory.h"
#include "slipstick/simulate.h"

namespace slipstick {
namespace {

bool has(const std::vector<int>& list, int contact) {
  return std::find(list.begin(), list.end(), contact) != list.end();
}

/// A speed of the contacts, relative to which rates count as zero [m/s].
double eval_speed(const ContactKinematics& contacts) {
  return contacts.slip.cwiseAbs().maxCoeff() + contacts.gap_rate.cwiseAbs().maxCoeff();
}

SectionShape find_shape_after(const Model& model, const Event& impact, const State& after) {
  SectionShape out;
  const ContactKinematics contacts = eval_contact_kinematics(model, after);
  const double speed = eval_speed(contacts);
  const Relabel* relabel = find_relabel(model, impact.contacts);
  const auto rename = [&](int contact) {
    return relabel == nullptr ? contact : relabel->contacts[static_cast<std::size_t>(contact)];
  };
  for (int i = 0; i < model.contact_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const bool collided =
        std::find(impact.contacts.begin(), impact.contacts.end(), i) != impact.contacts.end();
    const int name = rename(i);
    const bool at_zero =  // the new names may have given it a gap
        name >= 0 && std::abs(contacts.gap[name]) <= kClosure * model.length_scale;
    if ((collided || is_closed(impact.modes_before[k])) && at_zero && !has(out.closed, name)) {
      out.closed.push_back(name);
    }
    if (!is_closed(impact.modes_after[k])) continue;
    out.held.push_back(i);
    // A foot that the impact stops may begin to slide at the same instant.
    if (std::abs(contacts.slip[i]) <= kClosure * speed) out.sticking.push_back(i);
  }
  std::sort(out.closed.begin(), out.closed.end());
  return out;
}

/// The modes of the contacts at the end: a mechanism whose foot slides on will not step.
std::string describe_last_mode(const Model& model, const Run& run) {
  if (run.trajectory->segments.empty()) return {};
  const ModeWord& word = run.trajectory->modes[run.trajectory->segments.back().mode].word;
  std::string out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (!is_closed(word[i])) continue;
    out += fmt::format("{}{} {}", out.empty() ? ": " : ", ", model.contact_names[i],
                       is_sliding(word[i]) ? "slides" : "sticks");
  }
  return out.empty() ? ": all contacts are open" : out;
}

}  // namespace

const Relabel* find_relabel(const Model& model, const std::vector<int>& contacts) {
  for (const Relabel& relabel : model.relabels) {
    if (std::find(contacts.begin(), contacts.end(), relabel.contact) != contacts.end()) {
      return &relabel;
    }
  }
  return nullptr;
}

SectionShape find_shape(const Model& model, const State& state) {
  SectionShape out;
  const ContactKinematics contacts = eval_contact_kinematics(model, state);
  const double speed = kClosure * eval_speed(contacts);
  for (int i = 0; i < model.contact_count(); ++i) {
    if (std::abs(contacts.gap[i]) > kClosure * model.length_scale) continue;
    out.closed.push_back(i);
    if (std::abs(contacts.gap_rate[i]) > speed) continue;
    out.held.push_back(i);
    if (std::abs(contacts.slip[i]) <= speed) out.sticking.push_back(i);
  }
  return out;
}

bool Walk::starts_with_impact() const {
  return std::any_of(run.events.begin(), run.events.end(), [](const Event& event) {
    return event.type == EventType::kImpact && event.time == 0.0;
  });
}

const Event& Walk::impact() const {
  return *std::find_if(run.events.rbegin(), run.events.rend(),
                       [](const Event& event) { return event.type == EventType::kImpact; });
}

Why explain_failure(const Model& model, const Run& run, double time) {
  std::string out;
  switch (run.end.reason) {
    case EndReason::kTime:
      out = fmt::format("there is no further step until {:.6g} s{}", time,
                        describe_last_mode(model, run));
      break;
    case EndReason::kRest:
      out = fmt::format("the motion comes to rest at {:.6g} s", time);
      break;
    case EndReason::kSection:
      out = "a contact collides at the very start of the step";
      break;
    case EndReason::kInterrupted:
      out = fmt::format("the motion becomes too fast to follow at {:.6g} s", time);
      break;
    default:
      out = fmt::format("the motion ends at {:.6g} s: {}", time,
                        find_word(kEndReasons, run.end.reason));
  }
  if (run.end.why) out += " (" + run.end.why.sentence + ")";
  const bool stopped = run.end.reason == EndReason::kInterrupted;
  return {stopped ? WhyCode::kTooManySteps : WhyCode::kNoReturn, std::move(out)};
}

Walk walk(const Model& model, const State& start, int steps, const SimulationOptions& options) {
  SimulationOptions until_section = options;
  until_section.section = model.gait->contact;
  until_section.crossings = steps;
  // A state far from any gait may move so fast that its run would need all memory.
  int integrated = 0;
  until_section.keep_going = [&](double time) {
    constexpr int kMost = 20000;
    return ++integrated < kMost && (!options.keep_going || options.keep_going(time));
  };
  State initial = start;
  initial.time = 0.0;
  Walk out{simulate(model, initial, until_section), false, {}};
  out.complete = out.run.end.reason == EndReason::kSection && !out.starts_with_impact();
  if (out.complete) out.shape = find_shape_after(model, out.impact(), out.run.state);
  return out;
}

}  // namespace slipstick
