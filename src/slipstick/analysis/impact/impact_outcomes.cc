#include "slipstick/impact_outcomes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/analysis/impact/impact_path.h"
#include "slipstick/analysis/impact/impact_site.h"
#include "slipstick/check.h"
#include "slipstick/contact/contact_problem.h"
#include "slipstick/core/scales.h"
#include "slipstick/errors.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/sim/check/check_impact.h"

namespace slipstick {
namespace {

std::string name_contacts(const Model& model, const std::vector<int>& contacts) {
  std::vector<std::string> names;
  for (const int i : contacts) names.push_back(model.contact_names[static_cast<std::size_t>(i)]);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// An outcome, and how the check is to follow it.
struct ListedOutcome {
  LawOutcome outcome;
  bool is_alone = false;    ///< one contact, along its path in impulse space
  bool is_jammed = false;   ///< at p = 0
  bool by_poisson = false;  ///< the law was replaced
};

class OutcomeList {
 public:
  OutcomeList(const Model& model, const ImpactSite& site, const ImpactQuestion& question)
      : model_(model), site_(site), question_(question) {}

  /// Adds the outcomes of a law to the answer.
  void add_law(ImpactLaw law, ImpactAnswer& answer) {
    std::vector<ListedOutcome> found = list_outcomes(law);
    const bool replaced =
        std::any_of(found.begin(), found.end(), [](const auto& item) { return item.by_poisson; });
    LawAnswer told{law, 0, {}, {}};
    if (replaced) {
      told.runs_use = ImpactLaw::kPoisson;
      told.why = {WhyCode::kNotFound,
                  fmt::format("{} law says how one contact rebounds, and several take part here; "
                              "runs use Poisson's law instead",
                              law == ImpactLaw::kNewton ? "Newton's" : "Stronge's")};
      found.clear();
    } else if (drop_unkept(found)) {
      told.why = {WhyCode::kNotFound,
                  "the bilateral contacts are in a dead centre and cannot stay closed with the "
                  "velocities that the law gives"};
    } else if (found.empty()) {
      told.why = {WhyCode::kNotFound, site_.kind == ImpactKind::kCollision
                                          ? "no finite impulse ends the collision"
                                          : "no finite impulse satisfies the law"};
    }
    told.count = static_cast<int>(found.size());
    for (ListedOutcome& item : found) {
      join_verdict(item, answer.check);
      answer.outcomes.push_back(std::move(item.outcome));
    }
    answer.laws.push_back(std::move(told));
  }

 private:
  /// Every outcome once: contacts that feel each other have the same ones.
  [[nodiscard]] std::vector<ListedOutcome> list_outcomes(ImpactLaw law) const {
    std::vector<ListedOutcome> out;
    const ImpactSituation at{model_, site_.start.state,    site_.start.contacts,
                             law,    question_.tolerances, question_.only.has_value()};
    if (site_.kind == ImpactKind::kCollision) {
      const std::vector<int> contacts =
          question_.only ? std::vector{*question_.only} : site_.contacts;
      for (const ImpactEffect& effect : find_collisions(at, contacts)) {
        add(make_outcome(law, contacts, effect), out);
      }
      return out;
    }
    for (const std::vector<int>* list : {&site_.contacts, &site_.further}) {
      for (const int contact : *list) {
        if (question_.only && contact != *question_.only) continue;
        const bool jammed = std::count(site_.jammed.begin(), site_.jammed.end(), contact) > 0;
        for (const ImpactEffect& effect : find_strikes(at, contact, site_.rebounding, jammed)) {
          ListedOutcome found = make_outcome(law, {contact}, effect);
          found.is_jammed = jammed;
          add(std::move(found), out);
        }
      }
      if (!out.empty()) break;
    }
    return out;
  }

  /// Leaves out velocities with which bilateral contacts cannot stay closed. True if no others are
  /// left.
  [[nodiscard]] bool drop_unkept(std::vector<ListedOutcome>& found) const {
    const auto kept = std::remove_if(found.begin(), found.end(), [&](const ListedOutcome& item) {
      return !can_stay_closed(model_, item.outcome.after);
    });
    const bool drops = kept != found.end();
    found.erase(kept, found.end());
    return drops && found.empty();
  }

  /// Leaves out what has no impulse, and what is known.
  static void add(ListedOutcome found, std::vector<ListedOutcome>& out) {
    const ImpactRecord& record = found.outcome.record;
    const bool acts = record.impulse_n.cwiseAbs().maxCoeff() > 0.0 || record.family;
    const bool known = std::any_of(out.begin(), out.end(), [&](const ListedOutcome& other) {
      return is_same(other.outcome.record, record);
    });
    if (acts && !known) out.push_back(std::move(found));
  }

  static bool is_same(const ImpactRecord& a, const ImpactRecord& b) {
    const auto is_near = [](const auto& x, const auto& y) {
      const double size = x.cwiseAbs().maxCoeff() + y.cwiseAbs().maxCoeff();
      return (x - y).cwiseAbs().maxCoeff() <= kSameVelocity * size;
    };
    return is_near(a.impulse_n, b.impulse_n) && is_near(a.impulse_t, b.impulse_t);
  }

  [[nodiscard]] ListedOutcome make_outcome(ImpactLaw law, std::vector<int> contacts,
                                           const ImpactEffect& effect) const {
    LawOutcome out;
    out.law = law;
    out.contacts = std::move(contacts);
    out.modes_before = site_.start.contacts.make_word();
    out.record = effect.record;
    out.record.law = law;
    for (int i = 0; i < model_.contact_count(); ++i) {  // what is left there is rounding
      if (out.record.impulse_n[i] == 0.0) out.record.impulse_t[i] = 0.0;
    }
    out.after = effect.state;
    out.energy_before = effect.energy_before;
    out.energy_after = effect.energy_after;
    out.largest_jump = effect.largest_jump;
    out.notes = effect.notes;
    if (out.record.family) include_member(out);
    ContactSet after = effect.contacts;
    release_others(effect, out, after);
    out.modes_after = after.make_word();
    if (site_.kind != ImpactKind::kCollision) name_struck(out);
    add_notes(out);
    add_impact_path(model_, site_.start.state, effect, out);
    return {std::move(out), effect.path.has_value(), false, effect.by_poisson};
  }

  /// Ranges contain the outcome's own values also where rounding would leave them outside.
  static void include_member(LawOutcome& out) {
    ImpulseFamily& family = *out.record.family;
    const auto include = [](const auto& values, std::vector<Range>& ranges) {
      for (std::size_t i = 0; i < ranges.size(); ++i) {
        const double value = values[static_cast<Eigen::Index>(i)];
        ranges[i] = {std::min(ranges[i].first, value), std::max(ranges[i].second, value)};
      }
    };
    include(out.record.impulse_n, family.impulse_n);
    include(out.record.impulse_t, family.impulse_t);
    if (family.velocity_is_unique) {
      for (std::size_t i = 0; i < family.velocity.size(); ++i) {
        const double value = out.after.v[static_cast<Eigen::Index>(i)];
        family.velocity[i] = {value, value};
      }
    }
    include(out.after.v, family.velocity);
  }

  /// Contacts at their surfaces that take no part move as the others drive them.
  void release_others(const ImpactEffect& effect, LawOutcome& out, ContactSet& after) const {
    const ContactKinematics now = eval_contact_kinematics(model_, effect.state);
    for (int i = 0; i < model_.contact_count(); ++i) {
      const bool acts = out.record.impulse_n[i] != 0.0 || out.record.impulse_t[i] != 0.0;
      if (acts || !is_at_surface(i)) continue;
      const int sign = find_sign(now, effect.state, i);
      const bool bilateral = model_.contacts[static_cast<std::size_t>(i)].bilateral;
      if (sign < 0 || (bilateral && sign != 0)) out.pushed.push_back({i, now.gap_rate[i]});
      if (sign != 0) {
        after.open(i, 1);
      } else if (question_.only && after.find(i) != nullptr) {
        after.close(model_, i, find_slip_sign(now, effect.state, i, 0.0, question_.tolerances));
      }
    }
  }

  [[nodiscard]] bool collides(int contact) const {
    return site_.kind == ImpactKind::kCollision &&
           std::count(site_.contacts.begin(), site_.contacts.end(), contact) > 0;
  }
  [[nodiscard]] bool is_at_surface(int contact) const {
    const ContactSet& contacts = site_.start.contacts;
    return contacts.find(contact) != nullptr || contacts.leaving(contact) == 1 || collides(contact);
  }

  /// Of a gap rate after the impact: zero up to the rounding of the speeds that it has changed.
  [[nodiscard]] int find_sign(const ContactKinematics& now, const State& after, int i) const {
    const VecQ speed = after.v.cwiseAbs() + site_.start.state.v.cwiseAbs();
    const double rounding = kResultRounding * now.W_n.col(i).cwiseAbs().dot(speed);
    if (std::abs(now.gap_rate[i]) <= rounding) return 0;
    return find_gap_rate_sign(now, after, i, 0.0, question_.tolerances);
  }

  /// Without a collision all contacts with an impulse are struck, whichever was tried.
  void name_struck(LawOutcome& out) const {
    const VecC& impulse = out.record.impulse_n;
    const double least = kResultRounding * impulse.cwiseAbs().maxCoeff();
    for (int i = 0; i < model_.contact_count(); ++i) {
      const bool known = std::count(out.contacts.begin(), out.contacts.end(), i) > 0;
      if (!known && std::abs(impulse[i]) > least) out.contacts.push_back(i);
    }
    std::sort(out.contacts.begin(), out.contacts.end());
  }

  void add_notes(LawOutcome& out) const {
    if (site_.kind == ImpactKind::kCollision && out.law == ImpactLaw::kFremond) {
      out.notes.emplace_back("a collision is inelastic under Fremond's law");
    }
    for (const PushedContact& pushed : out.pushed) {
      const char* text = pushed.gap_rate > 0.0 ? "the impulse tears contact '{}' off its surface"
                         : collides(pushed.contact)
                             ? "contact '{}' still closes at its surface"
                             : "the impulse pushes contact '{}' into its surface";
      const auto k = static_cast<std::size_t>(pushed.contact);
      out.notes.push_back(
          fmt::format(fmt::runtime(text), model_.contact_names[k]) +
          fmt::format(", at {:.6g} m/s: another impact follows", std::abs(pushed.gap_rate)));
    }
  }

  void join_verdict(const ListedOutcome& found, Check& all) const {
    const LawOutcome& outcome = found.outcome;
    Event event;
    event.time = outcome.after.time;
    event.type =
        site_.kind == ImpactKind::kCollision ? EventType::kImpact : EventType::kTangentialImpact;
    event.contacts = outcome.contacts;
    event.modes_before = outcome.modes_before;
    event.modes_after = outcome.modes_after;
    event.before = site_.start.state;
    event.after = outcome.after;
    event.energy_before = outcome.energy_before;
    event.energy_after = outcome.energy_after;
    event.impact = outcome.record;
    event.notes = outcome.notes;
    const Check one = check_impact(model_, event, {found.is_alone, found.is_jammed});
    all = join_verdicts({all, {}}, {one, {}}).check;
  }

  const Model& model_;
  const ImpactSite& site_;
  const ImpactQuestion& question_;
};

/// Throws InputError if no impulse acts at the contact that alone is to have one.
void check_only(const Model& model, const ImpactSite& site, int only) {
  std::vector<int> possible = site.contacts;
  possible.insert(possible.end(), site.further.begin(), site.further.end());
  if (std::count(possible.begin(), possible.end(), only) > 0) return;
  throw InputError("contact '" + model.contact_names[static_cast<std::size_t>(only)] + "'",
                   fmt::format("expected one at which an impulse acts here ({}), got another",
                               name_contacts(model, possible)));
}

std::vector<ImpactLaw> list_laws(const ImpactQuestion& question) {
  if (!question.laws.empty()) return question.laws;
  std::vector<ImpactLaw> out;
  for (std::size_t i = 0; i < kImpactLaws.size(); ++i) out.push_back(static_cast<ImpactLaw>(i));
  return out;
}

}  // namespace

ImpactAnswer find_impact_outcomes(const Model& model, const State& state,
                                  const ImpactQuestion& question) {
  Laws laws = make_laws({});
  laws.tolerances = question.tolerances;
  laws.until += std::max(0.0, state.time);
  ImpactAnswer out;
  out.classification = classify(model, state, question.tolerances);
  const ImpactSite site = find_impact_site(model, state, laws);
  out.kind = site.kind;
  out.contacts = site.contacts;
  out.only = question.only;
  if (site.kind == ImpactKind::kNone) {
    out.why = explain_no_impact(model, site, out.classification);
    return out;
  }
  if (question.only) check_only(model, site, *question.only);
  OutcomeList list(model, site, question);
  for (const ImpactLaw law : list_laws(question)) list.add_law(law, out);
  if (out.outcomes.empty()) {
    out.why = {WhyCode::kNotFound, out.laws.size() == 1
                                       ? out.laws[0].why.sentence
                                       : "no finite impulse satisfies any of the laws asked for"};
  }
  return out;
}

}  // namespace slipstick
