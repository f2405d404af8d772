#include "slipstick/io/json/run_json.h"

#include <cstdint>
#include <limits>

#include "slipstick/check.h"
#include "slipstick/contact/sliding.h"
#include "slipstick/core/parse_word.h"
#include "slipstick/io/parse_modes.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/observe.h"

namespace slipstick {
namespace {

Json make_contact_names(const Model& model, const std::vector<int>& contacts) {
  Json out = Json::array();
  for (const int i : contacts) out.push_back(model.contacts[static_cast<std::size_t>(i)].name);
  return out;
}

std::vector<int> parse_contacts(const Model& model, const std::string& where, const Json& names) {
  std::vector<int> out;
  for (const Json& name : names) {
    out.push_back(model.find_contact(name.get<std::string>()));
    if (out.back() < 0) {
      throw InputError(where,
                       "expected a contact of the model, got '" + name.get<std::string>() + "'");
    }
  }
  return out;
}

VecC parse_per_contact(const Model& model, const Json& list) {
  VecC out(model.contact_count());
  for (int i = 0; i < model.contact_count(); ++i) {
    out[i] = list.at(static_cast<std::size_t>(i)).get<double>();
  }
  return out;
}

/// Null where there is no number.
Json make_numbers(const VecC& values) {
  Json out = Json::array();
  for (const double value : values) out.push_back(make_number(value));
  return out;
}
VecC parse_numbers(const Model& model, const Json& list) {
  VecC out(model.contact_count());
  for (int i = 0; i < model.contact_count(); ++i) {
    const Json& value = list.at(static_cast<std::size_t>(i));
    out[i] = value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
  }
  return out;
}

VecQ parse_by_coordinate(const Model& model, const Json& values) {
  VecQ out(model.size());
  for (int i = 0; i < model.size(); ++i) {
    out[i] = values.at(model.coordinates[static_cast<std::size_t>(i)]).get<double>();
  }
  return out;
}

/// A whole number that is not negative: JSON's numbers need not fit an int.
int parse_count(const std::string& where, const Json& json, const char* key) {
  const Json& value = json.at(key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<int>::max()) {
    throw InputError(where, std::string("expected a count as '") + key + "', got " + value.dump());
  }
  return value.get<int>();
}

Range parse_range(const Json& json) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto parse = [](const Json& end, double infinite) {
    return end.is_null() ? infinite : end.get<double>();
  };
  return {parse(json.at(0), -infinity), parse(json.at(1), infinity)};
}

ImpulseFamily parse_family(const Model& model, const std::string& where, const Json& json) {
  ImpulseFamily out;
  out.dimension = parse_count(where, json, "dimension");
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    out.impulse_n.push_back(parse_range(json.at("impulse_n").at(i)));
    out.impulse_t.push_back(parse_range(json.at("impulse_t").at(i)));
  }
  for (const std::string& name : model.coordinates) {
    out.velocity.push_back(parse_range(json.at("velocity").at(name)));
    out.velocity_is_unique &= out.velocity.back().first == out.velocity.back().second;
  }
  return out;
}

ImpactRecord parse_impact(const Model& model, const std::string& where, const Json& json) {
  ImpactRecord out;
  out.law = parse_word<ImpactLaw>(where, json.at("law").get<std::string>(), kImpactLaws);
  out.impulse_n = parse_per_contact(model, json.at("impulse_n"));
  out.impulse_t = parse_per_contact(model, json.at("impulse_t"));
  out.v_minus = parse_by_coordinate(model, json.at("velocity_before"));
  out.v_plus = parse_by_coordinate(model, json.at("velocity_after"));
  json.at("work_of_surface").get_to(out.work_of_surface);
  if (json.contains("family")) out.family = parse_family(model, where, json.at("family"));
  return out;
}

State parse_state(const Model& model, double time, const Json& values) {
  State out{time, VecQ(model.size()), VecQ(model.size())};
  for (int i = 0; i < model.size(); ++i) {
    const std::string& name = model.coordinates[static_cast<std::size_t>(i)];
    out.q[i] = values.at(name).get<double>();
    out.v[i] = values.at(rate_name(name)).get<double>();
  }
  return out;
}

/// States, potential energy, and p and b of the contacts that slid, all just before the event.
void add_states(const Model& model, const Event& event, Json& out) {
  if (event.before.q.size() != model.size()) return;  // read from a file without states
  out["state_before"] = make_state(model, event.before);
  out["state_after"] = make_state(model, event.after);
  out["potential_energy"] = eval_potential_energy(model, event.before.q);
  out["p"] = make_numbers(event.sliding_before.p);
  out["b"] = make_numbers(event.sliding_before.b);
  const Sliding sliding = eval_sliding(model, event.modes_before, event.before);
  if (sliding.contacts.size() < 2) return;
  out["P"] = make_sliding_mobility(sliding);
  out["minors"] = make_minors(model, sliding);
}

Json make_balance(const Balance& balance) {
  return {{"kinetic", balance.kinetic}, {"potential", balance.potential},
          {"loads", balance.loads},     {"surfaces", balance.surfaces},
          {"impacts", balance.impacts}, {"friction", balance.friction},
          {"damping", balance.damping}, {"error", balance.error}};
}

/// Infinite where a document has null.
double parse_size(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
}
Balance parse_balance(const Json& json) {
  const auto joules = [&](const char* key) { return parse_size(json.at(key)); };
  return {joules("kinetic"), joules("potential"), joules("loads"),   joules("surfaces"),
          joules("impacts"), joules("friction"),  joules("damping"), joules("error")};
}

/// The margins that became zero, each with its contacts.
Json make_guards(const Model& model, const Event& event) {
  Json out = Json::array();
  for (const Guard& guard : event.guards) {
    const bool is_of_all = guard.type == GuardType::kMinor || guard.type == GuardType::kSlack;
    const std::vector<int> one =
        guard.contact >= 0 ? std::vector<int>{guard.contact} : std::vector<int>{};
    out.push_back({{"type", find_word(kGuardTypes, guard.type)},
                   {"contacts", make_contact_names(model, is_of_all ? event.contacts : one)}});
  }
  return out;
}

/// What a document says of them.
std::vector<Guard> parse_guards(const Model& model, const std::string& where, const Json& list) {
  std::vector<Guard> out;
  for (const Json& json : list) {
    Guard& guard = out.emplace_back();
    guard.type = parse_word<GuardType>(where, json.at("type").get<std::string>(), kGuardTypes);
    const std::vector<int> contacts = parse_contacts(model, where, json.at("contacts"));
    if (contacts.size() == 1) guard.contact = contacts[0];
  }
  return out;
}

/// Energies and work from the start until just after the event, and what has been dissipated.
void add_balance(const Event& event, Json& out) {
  if (!event.balance) return;
  const Balance& balance = *event.balance;
  out["balance"] = make_balance(balance);
  out["dissipated"] = -(balance.impacts + balance.friction + balance.damping);
}

Json make_ending(const Model& model, const Run& run) {
  Json end{{"reason", find_word(kEndReasons, run.end.reason)}, {"time", run.end.time}};
  if (run.end.why) {
    end["detail"] = run.end.why.sentence;
    end["code"] = find_word(kWhyCodes, run.end.why.code);
  }
  return {{"end", end}, {"state", make_state(model, run.state)}};
}

Json make_branch(const Model& model, const BranchRun& branch, std::size_t id) {
  Json out{{"id", id}, {"parent", nullptr}, {"choice", nullptr}};
  if (branch.parent >= 0) {
    out["parent"] = branch.parent;
    out["choice"] = branch.choice;
    if (!branch.choice_text.empty()) out["choice_text"] = branch.choice_text;
  }
  if (branch.merged_into) out["merged_into"] = *branch.merged_into;
  out["events"] = Json::array();
  for (const Event& event : branch.run.events) out["events"].push_back(make_event(model, event));
  out.update(make_ending(model, branch.run));
  if (branch.run.verdict) out.update(make_verdict(model, *branch.run.verdict));
  if (!branch.run.observables.empty()) {
    out["observables"] = make_observables(branch.run.observables);
  }
  return out;
}

}  // namespace

Json make_impulse_family(const Model& model, const ImpulseFamily& family) {
  Json velocity = Json::object();
  for (std::size_t i = 0; i < family.velocity.size(); ++i) {
    velocity[model.coordinates[i]] = make_range(family.velocity[i]);
  }
  return {{"dimension", family.dimension},
          {"impulse_n", make_ranges(family.impulse_n)},
          {"impulse_t", make_ranges(family.impulse_t)},
          {"velocity", velocity}};
}

Json make_observables(const std::vector<ObservableRecord>& observables) {
  Json out = Json::array();
  for (const ObservableRecord& record : observables) {
    Json& entry = out.emplace_back(Json::object());
    entry["name"] = record.name;
    entry["expression"] = record.expression;
    entry["unit"] = record.unit;
    if (!record.undefined.empty()) entry["undefined"] = record.undefined;
    const bool is_defined = record.undefined.empty();
    const auto number = [&](double value) { return is_defined ? Json(value) : Json(nullptr); };
    entry["start"] = number(record.start);
    entry["end"] = number(record.end);
    for (const auto& [key, found] :
         {std::pair("least", &record.least), std::pair("largest", &record.largest)}) {
      entry[key] = {{"time", number(found->time)}, {"value", number(found->value)}};
    }
    entry["events"] = Json::array();
    for (const Observed& found : record.events) {
      Json event{{"time", found.time},
                 {"type", find_word(kObservedTypes, found.type)},
                 {"value", found.value}};
      if (found.type == ObservedType::kZero) {
        event["rises"] = found.rises;
        event["jumps"] = found.jumps;
      }
      entry["events"].push_back(std::move(event));
    }
  }
  return out;
}

std::vector<ObservableRecord> parse_observables(const std::string& where, const std::string& text) {
  try {
    std::vector<ObservableRecord> out;
    for (const Json& json : Json::parse(text)) {
      ObservableRecord& record = out.emplace_back();
      json.at("name").get_to(record.name);
      json.at("expression").get_to(record.expression);
      json.at("unit").get_to(record.unit);
      if (json.contains("undefined")) {
        json.at("undefined").get_to(record.undefined);
        continue;
      }
      json.at("start").get_to(record.start);
      json.at("end").get_to(record.end);
      const auto parse_extreme = [&](const char* key, ObservedType type) {
        return Observed{type, json.at(key).at("time").get<double>(),
                        json.at(key).at("value").get<double>()};
      };
      record.least = parse_extreme("least", ObservedType::kMinimum);
      record.largest = parse_extreme("largest", ObservedType::kMaximum);
      for (const Json& event : json.at("events")) {
        Observed& found = record.events.emplace_back();
        found.type =
            parse_word<ObservedType>(where, event.at("type").get<std::string>(), kObservedTypes);
        event.at("time").get_to(found.time);
        event.at("value").get_to(found.value);
        if (event.contains("rises")) event.at("rises").get_to(found.rises);
        if (event.contains("jumps")) event.at("jumps").get_to(found.jumps);
      }
    }
    return out;
  } catch (const Json::exception& error) {
    throw InputError(where, std::string("expected observables, got an error: ") + error.what());
  }
}

ModeWord parse_mode_word(const std::string& where, const Model& model, const std::string& letters) {
  const std::optional<ModeWord> out = parse_modes(letters);
  if (out && out->size() == model.contacts.size()) return *out;
  throw InputError(where, "expected a letter F, S, P or N per contact, got '" + letters + "'");
}

Json make_check(const Model& model, const Check& check) {
  Json violations = Json::array();
  for (const Violation& violation : check.violations) {
    Json contact;
    if (violation.contact >= 0) {
      contact = model.contacts[static_cast<std::size_t>(violation.contact)].name;
    }
    violations.push_back({{"law", violation.law},
                          {"contact", contact},
                          {"time", violation.time},
                          {"size", make_number(violation.size)}});
  }
  return {{"passed", check.passed},
          {"worst",
           {{"gap", make_number(check.worst.gap)},
            {"normal_force", make_number(check.worst.normal_force)},
            {"cone", make_number(check.worst.cone)},
            {"energy", make_number(check.worst.energy)},
            {"momentum", make_number(check.worst.momentum)}}},
          {"violations", violations}};
}

Json make_verdict(const Model& model, const RunVerdict& verdict) {
  return {{"check", make_check(model, verdict.check)}, {"balance", make_balance(verdict.balance)}};
}

Json make_event(const Model& model, const Event& event) {
  Json out{{"time", event.time},
           {"type", find_word(kEventTypes, event.type)},
           {"contacts", make_contact_names(model, event.contacts)},
           {"modes_before", to_letters(event.modes_before)},
           {"modes_after", to_letters(event.modes_after)},
           {"energy_before", event.energy_before},
           {"energy_after", event.energy_after}};
  add_states(model, event, out);
  out["guards"] = make_guards(model, event);
  add_balance(event, out);
  if (event.impact) {
    out["law"] = find_word(kImpactLaws, event.impact->law);
    out["impulse_n"] = make_list(event.impact->impulse_n);
    out["impulse_t"] = make_list(event.impact->impulse_t);
    out["velocity_before"] = make_by_coordinate(model, event.impact->v_minus, "");
    out["velocity_after"] = make_by_coordinate(model, event.impact->v_plus, "");
    out["work_of_surface"] = event.impact->work_of_surface;
    if (event.impact->family) out["family"] = make_impulse_family(model, *event.impact->family);
  }
  if (event.exponent) out["exponent"] = *event.exponent;
  if (event.zeno) {
    out["impacts"] = event.zeno->impacts;
    out["round"] = event.zeno->round;
    out["ratio"] = event.zeno->ratio;
    out["time_error"] = event.zeno->time_error;
  }
  const bool chosen = !event.policy.empty();
  if (chosen || event.impact || !event.alternatives.empty())
    out["alternatives"] = event.alternatives;
  if (!event.alternatives_text.empty()) out["alternatives_text"] = event.alternatives_text;
  if (!event.taken_text.empty()) out["taken_text"] = event.taken_text;
  if (chosen) out["policy"] = event.policy;
  if (!event.notes.empty()) out["notes"] = event.notes;
  return out;
}

RunVerdict parse_verdict(const Model& model, const std::string& where, const std::string& text) {
  try {
    const Json json = Json::parse(text);
    RunVerdict out;
    const Json& check = json.at("check");
    check.at("passed").get_to(out.check.passed);
    const Json& worst = check.at("worst");
    out.check.worst = {parse_size(worst.at("gap")), parse_size(worst.at("normal_force")),
                       parse_size(worst.at("cone")), parse_size(worst.at("energy")),
                       parse_size(worst.at("momentum"))};
    for (const Json& violation : check.at("violations")) {
      const Json& contact = violation.at("contact");
      out.check.violations.push_back(
          {violation.at("law").get<std::string>(),
           contact.is_null() ? -1 : model.find_contact(contact.get<std::string>()),
           violation.at("time").get<double>(), parse_size(violation.at("size"))});
    }
    out.balance = parse_balance(json.at("balance"));
    return out;
  } catch (const Json::exception& error) {
    throw InputError(where, std::string("expected a verdict, got an error: ") + error.what());
  }
}

Event parse_event(const Model& model, const std::string& where, const Json& json) {
  try {
    Event out;
    json.at("time").get_to(out.time);
    out.type = parse_word<EventType>(where, json.at("type").get<std::string>(), kEventTypes);
    out.contacts = parse_contacts(model, where, json.at("contacts"));
    out.modes_before = parse_mode_word(where, model, json.at("modes_before").get<std::string>());
    out.modes_after = parse_mode_word(where, model, json.at("modes_after").get<std::string>());
    json.at("energy_before").get_to(out.energy_before);
    json.at("energy_after").get_to(out.energy_after);
    if (json.contains("state_before")) {
      out.before = parse_state(model, out.time, json.at("state_before"));
      out.after = parse_state(model, out.time, json.at("state_after"));
      out.sliding_before = {parse_numbers(model, json.at("p")), parse_numbers(model, json.at("b"))};
    }
    if (json.contains("guards")) out.guards = parse_guards(model, where, json.at("guards"));
    if (json.contains("balance")) out.balance = parse_balance(json.at("balance"));
    if (json.contains("law")) out.impact = parse_impact(model, where, json);
    if (json.contains("exponent")) out.exponent = json.at("exponent").get<double>();
    if (json.contains("impacts")) {
      ZenoRecord& zeno = out.zeno.emplace();
      zeno.impacts = parse_count(where, json, "impacts");
      zeno.round = parse_count(where, json, "round");
      json.at("ratio").get_to(zeno.ratio);
      json.at("time_error").get_to(zeno.time_error);
    }
    if (json.contains("policy")) json.at("policy").get_to(out.policy);
    if (json.contains("alternatives")) json.at("alternatives").get_to(out.alternatives);
    if (json.contains("alternatives_text")) {
      json.at("alternatives_text").get_to(out.alternatives_text);
    }
    if (json.contains("taken_text")) json.at("taken_text").get_to(out.taken_text);
    if (json.contains("notes")) json.at("notes").get_to(out.notes);
    return out;
  } catch (const Json::exception& error) {
    throw InputError(where, std::string("expected an event, got an error: ") + error.what());
  }
}

Json make_run_document(const Model& model, const RunTree& tree) {
  // The runs along the first choices, joined into one.
  Json events = Json::array();
  std::size_t last = 0;
  RunCounts counts;
  std::optional<RunVerdict> verdict;
  std::vector<ObservableRecord> observables;
  for (std::size_t i = 0; i < tree.runs.size(); ++i) {
    const BranchRun& run = tree.runs[i];
    counts.evaluations += run.run.counts.evaluations;
    counts.steps += run.run.counts.steps;
    if (i > 0 && (run.parent != static_cast<int>(last) || i != last + 1)) continue;
    last = i;
    if (run.run.verdict) {
      verdict = verdict ? join_verdicts(*verdict, *run.run.verdict) : *run.run.verdict;
    }
    for (std::size_t k = 0; k < run.run.observables.size(); ++k) {
      const ObservableRecord& record = run.run.observables[k];
      if (k == observables.size()) {
        observables.push_back(record);
      } else {
        observables[k] = join_observed(observables[k], record);
      }
    }
    for (const Event& event : run.run.events) events.push_back(make_event(model, event));
  }
  Json out{{"model", model.name}};
  out.update(make_ending(model, tree.runs[last].run));
  out["events"] = std::move(events);
  out["evaluations"] = counts.evaluations;
  out["steps"] = counts.steps;
  if (verdict) out.update(make_verdict(model, *verdict));
  if (!observables.empty()) out["observables"] = make_observables(observables);
  if (!tree.branching) return out;
  out["limited"] = tree.limited;
  out["runs"] = Json::array();
  for (std::size_t i = 0; i < tree.runs.size(); ++i) {
    out["runs"].push_back(make_branch(model, tree.runs[i], i));
  }
  return out;
}

}  // namespace slipstick
