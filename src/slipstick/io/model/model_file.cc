#include "slipstick/model_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "slipstick/contact/contact_problem.h"
#include "slipstick/core/nearest_name.h"
#include "slipstick/errors.h"
#include "slipstick/families.h"
#include "slipstick/io/model/builtin_models.h"
#include "slipstick/io/model/model_source.h"
#include "slipstick/io/model/model_spec_reader.h"
#include "slipstick/io/model/run_formulas.h"
#include "slipstick/io/model/toml_text.h"
#include "slipstick/io/text_file.h"
#include "slipstick/model/closing.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model/forces.h"
#include "slipstick/model/frozen_model.h"
#include "slipstick/observe.h"
#include "slipstick/tolerances.h"

namespace slipstick {

struct ParsedModel {
  toml::table root;
  Document document;  ///< with the coordinates' names and the formulas, without any value
};

namespace {

/// NAME=VALUE, set by a program.
struct GivenValue {
  std::string name;
  double value = 0.0;
};

/// Values that replace definitions of the file.
struct Replacements {
  std::span<const Override> expressions;
  std::span<const GivenValue> values;
};

/// How a coordinate or rate starts: by a value, or by closing a contact.
struct Start {
  Definition definition{"", 0.0};
  const toml::table* closing = nullptr;
  std::string where;
  bool given = false;
};

/// Reads a model in the order its parts depend on each other.
class ModelReader {
 public:
  ModelReader(const ParsedModel& parsed, const Replacements& replacements)
      : root_(parsed.root), replacements_(replacements), document_(parsed.document) {}

  ModelSpec read_spec() {
    define_parameters();
    define_starts();
    apply_overrides();
    withhold_rates();
    for (const std::string& name : parameter_names_) {
      document_.parameters[name] = document_.scope.eval_name(name);
    }
    return read_model_spec(document_, root_);
  }

  LoadedModel read() {
    const ModelSpec spec = read_spec();
    const auto model = std::make_shared<Model>(make_model(spec));
    LoadedModel out{model, {}, {}, {}, {}, {}, {}};
    set_initial(out);
    check_functions(spec, out.initial);
    check_initial(*model, out.initial);
    list_settings(out);
    out.range = read_range(*model);
    out.observables = read_observables(document_, root_);
    return out;
  }
  /// The formulas that were compiled on the way.
  [[nodiscard]] Formulas take_formulas() { return document_.scope.take_formulas(); }

 private:
  void check_name(const std::string& where, const std::string& name) const {
    if (!is_free_name(name)) {
      throw InputError(where,
                       "expected a name of letters, digits and '_' that is not one of the "
                       "expression language, got '" +
                           name + "'");
    }
  }

  void define_parameters() {
    const toml::node* node = root_.get("parameters");
    if (node == nullptr) return;
    const toml::table* table = node->as_table();
    if (table == nullptr) {
      throw InputError(make_place(document_, *node) + ": parameters",
                       "expected a table, got " + describe_node(*node));
    }
    // toml++ sorts keys; listings follow the file.
    std::vector<std::pair<toml::source_position, std::string>> in_file_order;
    for (const auto& [key, value] : *table) {
      const std::string name(key.str());
      const std::string where = make_place(document_, value) + ": parameters." + name;
      check_name(where, name);
      document_.scope.define(name, make_definition(value, where));
      in_file_order.emplace_back(value.source().begin, name);
    }
    std::sort(in_file_order.begin(), in_file_order.end());
    for (const auto& entry : in_file_order) parameter_names_.push_back(entry.second);
  }

  void define_starts() {
    std::vector<std::string> names = document_.coordinates;
    for (const std::string& coordinate : document_.coordinates) {
      names.push_back(rate_name(coordinate));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string& name = names[i];
      const std::string where =
          document_.coordinate_places.at(document_.coordinates[i % document_.coordinates.size()]);
      check_name(where, name);
      if (starts_.contains(name)) {
        throw InputError(
            where, "expected names used once, got '" + name + "' for a coordinate and for a rate");
      }
      if (document_.scope.has(name)) {
        throw InputError(document_.scope.definition(name).where,
                         "expected a name used once, got a coordinate or rate of the same name");
      }
      starts_[name] = {};
      document_.scope.define(name, {where, 0.0});
    }
    if (!root_.contains("initial")) return;
    const toml::node& node = *root_.get("initial");
    if (!node.is_table()) {
      throw InputError(make_place(document_, node) + ": initial",
                       "expected a table, got " + describe_node(node));
    }
    for (const auto& [key, value] : *node.as_table()) {
      const std::string name(key.str());
      const std::string where = make_place(document_, value) + ": initial." + name;
      if (!starts_.contains(name)) {
        throw InputError(where, "expected a coordinate or its rate, got '" + name + "'" +
                                    make_suggestion(name, names));
      }
      Start& start = starts_[name];
      start.given = true;
      start.where = where;
      if (value.is_table()) {
        if (std::count(document_.coordinates.begin(), document_.coordinates.end(), name) == 0) {
          throw InputError(where, "expected a number or an expression for a rate, got a table");
        }
        start.closing = value.as_table();
        document_.scope.withhold(name, "it follows from closing a contact");
      } else {
        start.definition = make_definition(value, where);
        document_.scope.define(name, start.definition);
      }
    }
  }

  void apply_overrides() {
    for (const Override& override : replacements_.expressions) {
      replace(override.name,
              {"--set " + override.name + "=" + override.expression, override.expression});
    }
    for (const GivenValue& given : replacements_.values) {
      replace(given.name, {fmt::format("--set {}={}", given.name, given.value), given.value});
    }
  }

  void replace(const std::string& name, const Definition& definition) {
    if (!document_.scope.has(name)) {
      std::vector<std::string> known = parameter_names_;
      for (const auto& start : starts_) known.push_back(start.first);
      throw InputError(definition.where,
                       "expected a parameter, coordinate or rate of this model, got '" + name +
                           "'" + make_suggestion(name, known));
    }
    document_.scope.define(name, definition);
    if (const auto found = starts_.find(name); found != starts_.end()) {
      found->second = {definition, nullptr, definition.where, true};
    }
  }

  /// Rates that follow from a closing have no value before it is solved.
  void withhold_rates() {
    for (const std::string& coordinate : document_.coordinates) {
      if (follows(coordinate)) {
        document_.scope.withhold(rate_name(coordinate), "it follows from closing a contact");
      }
    }
  }

  /// True if the coordinate's rate is found by closing the contact that gave the coordinate.
  [[nodiscard]] bool follows(const std::string& coordinate) const {
    return starts_.at(coordinate).closing != nullptr && !starts_.at(rate_name(coordinate)).given;
  }

  /// "file:line: initial".
  [[nodiscard]] std::string initial_place() const {
    const toml::node* node = root_.get("initial");
    return make_place(document_, node != nullptr ? *node : root_) + ": initial";
  }

  Closing read_closing(const Model& model, int coordinate, const Start& start) {
    const TableReader table(document_, *start.closing,
                            "initial." + model.coordinates[static_cast<std::size_t>(coordinate)],
                            {"close", "near", "between"});
    Closing out;
    out.coordinate = coordinate;
    const std::string contact = table.text("close");
    out.contact = model.find_contact(contact);
    if (out.contact < 0) {
      throw InputError(table.where("close"),
                       "expected the name of a contact, got '" + contact + "'");
    }
    out.near = table.number("near", 0.0);
    if (table.has("between")) {
      const Vec2 between = table.point("between");
      if (!(between.x() < between.y())) {
        throw InputError(
            table.where("between"),
            fmt::format("expected a rising interval, got [{}, {}]", between.x(), between.y()));
      }
      out.between = {between.x(), between.y()};
      if (!table.has("near")) out.near = between.mean();
    }
    return out;
  }

  void set_initial(LoadedModel& loaded) {
    const Model& model = *loaded.model;
    const int n = model.size();
    State& state = loaded.initial;
    state.q = VecQ::Zero(n);
    state.v = VecQ::Zero(n);
    std::vector<Closing> closings;
    for (int i = 0; i < n; ++i) {
      const std::string& name = model.coordinates[static_cast<std::size_t>(i)];
      const Start& start = starts_.at(name);
      if (start.closing != nullptr) {
        closings.push_back(read_closing(model, i, start));
      } else {
        state.q[i] = document_.scope.eval_name(name);
      }
    }
    close_contacts(model, closings, state);
    loaded.closings = closings;
    for (int i = 0; i < n; ++i) {
      const std::string& name = model.coordinates[static_cast<std::size_t>(i)];
      if (starts_.at(name).closing != nullptr) {
        document_.scope.define(name, {starts_.at(name).where, state.q[i]});
      }
    }
    // A rate that is not given follows from the contact that gave its coordinate.
    std::vector<Closing> rate_closings;
    for (int i = 0; i < n; ++i) {
      const std::string& name = model.coordinates[static_cast<std::size_t>(i)];
      if (!follows(name)) {
        state.v[i] = document_.scope.eval_name(rate_name(name));
        continue;
      }
      rate_closings.push_back(*std::find_if(closings.begin(), closings.end(),
                                            [i](const Closing& c) { return c.coordinate == i; }));
    }
    if (!solve_closing_rates(model, rate_closings, state)) {
      throw InputError(initial_place(),
                       "expected rates that keep the closing contacts closed, got none");
    }
  }

  void close_contacts(const Model& model, std::span<const Closing> closings, State& state) const {
    check_closings(model, closings);
    const ClosingResult result = solve_closing(model, state.q, closings);
    if (result.closed) {
      state.q = result.q;
      return;
    }
    const Contact& open = model.contacts[static_cast<std::size_t>(result.open_contact)];
    const bool closes = std::abs(result.gap) <= Tolerances{}.closure * open.length + open.blur;
    for (const Closing& closing : closings) {
      const double value = result.q[closing.coordinate];
      if (!closes || !closing.between ||
          (closing.between->first <= value && value <= closing.between->second)) {
        continue;
      }
      throw InputError(
          place_of(model, closing),
          fmt::format("expected a value between {:.6g} and {:.6g}, got {:.6g} where the "
                      "contacts close",
                      closing.between->first, closing.between->second, value));
    }
    throw InputError(initial_place(),
                     fmt::format("expected that contact '{}' can be closed, got a gap of {:.6g} "
                                 "m at the nearest configuration found",
                                 model.contacts[static_cast<std::size_t>(result.open_contact)].name,
                                 result.gap));
  }

  /// One coordinate per contact.
  void check_closings(const Model& model, std::span<const Closing> closings) const {
    for (std::size_t i = 0; i < closings.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (closings[i].contact != closings[j].contact) continue;
        const auto contact = static_cast<std::size_t>(closings[i].contact);
        throw InputError(place_of(model, closings[j]),
                         "expected one coordinate to close contact '" +
                             model.contacts[contact].name + "', got two");
      }
    }
  }

  [[nodiscard]] const std::string& place_of(const Model& model, const Closing& closing) const {
    return starts_.at(model.coordinates[static_cast<std::size_t>(closing.coordinate)]).where;
  }

  /// Checks that forces, speeds and conditions have finite values at the start.
  static void check_functions(const ModelSpec& spec, const State& state) {
    const auto check = [&](const std::string& where, const Function& function) {
      const double value = eval_function(function, state);
      if (!std::isfinite(value)) {
        throw InputError(where, fmt::format("expected a finite value at the start, got {}", value));
      }
    };
    for (const SurfaceSpec& surface : spec.surfaces) check(surface.speed_where, surface.speed);
    for (const ContactSpec& contact : spec.contacts) {
      if (contact.active_when) check(contact.active_when_where, *contact.active_when);
    }
    for (const CoordinateForceSpec& force : spec.coordinate_forces) {
      check(force.value_where, force.value);
    }
    for (const PointForceSpec& force : spec.point_forces) {
      check(force.force_where, force.x);
      check(force.force_where, force.y);
      check(force.torque_where, force.torque);
    }
  }

  /// Checks that no contact penetrates at the start, that bilateral contacts are closed and stay
  /// so, and that M is regular. Notes whether the model has light parts.
  void check_initial(Model& model, const State& state) const {
    const double closure = Tolerances{}.closure;
    const std::string where = initial_place();
    constexpr double kMassless = 1e-13;  // of a unit diagonal
    const LightestMotion lightest = find_lightest_motion(model, state.q);
    if (!(lightest.inertia > kMassless)) {
      const std::string& name = model.coordinates[static_cast<std::size_t>(lightest.coordinate)];
      throw InputError(document_.coordinate_places.at(name),
                       "expected a regular mass matrix, got a singular one: nothing resists '" +
                           name + "' (a massless end body?)");
    }
    constexpr double kLight = 1e-4;  // M^-1 has lost four digits
    model.has_light_parts = lightest.inertia < kLight;
    const ContactKinematics contacts = eval_contact_kinematics(model, state);
    const ContactProblem problem = make_contact_problem(model, state, contacts, Tolerances());
    for (int i = 0; i < model.contact_count(); ++i) {
      const Contact& contact = model.contacts[static_cast<std::size_t>(i)];
      if (!eval_is_active(model, i, state)) continue;
      const double closed = closure * contact.length + contact.blur;
      if (!contact.bilateral && contacts.gap[i] < -closed) {
        throw InputError(where, fmt::format("expected contact '{}' to start outside its surface, "
                                            "got a penetration of {:.6g} m",
                                            contact.name, -contacts.gap[i]));
      }
      if (!contact.bilateral) continue;
      if (std::abs(contacts.gap[i]) > closed) {
        throw InputError(where, fmt::format("expected bilateral contact '{}' to start closed, got "
                                            "a gap of {:.6g} m",
                                            contact.name, contacts.gap[i]));
      }
      if (problem.status[static_cast<std::size_t>(i)] != ContactStatus::kClosed) {
        throw InputError(where, fmt::format("expected bilateral contact '{}' to stay closed, got "
                                            "a gap rate of {:.6g} m/s",
                                            contact.name, contacts.gap_rate[i]));
      }
    }
  }

  /// The bounds of coordinates in [range], by expressions in parameters and initial values.
  std::vector<CoordinateRange> read_range(const Model& model) {
    if (!root_.contains("range")) return {};
    const toml::node& node = *root_.get("range");
    if (!node.is_table()) {
      throw InputError(make_place(document_, node) + ": range",
                       "expected a table, got " + describe_node(node));
    }
    std::vector<CoordinateRange> out;
    for (const auto& [key, value] : *node.as_table()) {
      const std::string name(key.str());
      const std::string where = make_place(document_, value) + ": range." + name;
      const int coordinate = model.find_coordinate(name);
      if (coordinate < 0) {
        throw InputError(where, "expected a coordinate, got '" + name + "'" +
                                    make_suggestion(name, model.coordinates));
      }
      const toml::array* ends = value.as_array();
      if (ends == nullptr || ends->size() != 2) {
        throw InputError(where, "expected two numbers [low, high], got " + describe_node(value));
      }
      const auto eval_end = [&](std::size_t i) {
        return document_.scope.eval(make_definition((*ends)[i], fmt::format("{}[{}]", where, i)));
      };
      out.push_back({coordinate, eval_end(0), eval_end(1)});
      if (!(out.back().low < out.back().high)) {
        throw InputError(where, fmt::format("expected a rising range, got [{}, {}]", out.back().low,
                                            out.back().high));
      }
    }
    std::sort(out.begin(), out.end(), [](const CoordinateRange& a, const CoordinateRange& b) {
      return a.coordinate < b.coordinate;
    });
    return out;
  }

  std::string describe_start(const std::string& name) const {
    const Start& start = starts_.at(name);
    if (start.closing != nullptr) {
      return "closes " + (*start.closing)["close"].value_or(std::string());
    }
    return describe(start.definition);
  }
  static std::string describe(const Definition& definition) {
    if (const double* number = std::get_if<double>(&definition.value)) {
      return fmt::format("{}", *number);
    }
    return std::get<std::string>(definition.value);
  }

  void list_settings(LoadedModel& loaded) {
    for (const std::string& name : parameter_names_) {
      loaded.parameters.push_back(
          {name, describe(document_.scope.definition(name)), document_.parameters.at(name)});
    }
    const auto& coordinates = loaded.model->coordinates;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      loaded.initial_values.push_back({coordinates[i], describe_start(coordinates[i]),
                                       loaded.initial.q[static_cast<Eigen::Index>(i)]});
    }
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const std::string rate = rate_name(coordinates[i]);
      const std::string& shown = follows(coordinates[i]) ? coordinates[i] : rate;
      loaded.initial_values.push_back(
          {rate, describe_start(shown), loaded.initial.v[static_cast<Eigen::Index>(i)]});
    }
  }

  const toml::table& root_;
  Replacements replacements_;
  Document document_;
  std::vector<std::string> parameter_names_;
  std::map<std::string, Start> starts_;
};

}  // namespace

LoadedModel parse_model(const std::string& file, const std::string& text,
                        std::span<const Override> overrides) {
  auto parsed = std::make_shared<ParsedModel>();
  parsed->root = parse_toml(file, text, "a model");
  Document& document = parsed->document;
  document.file = file;
  document.coordinates = read_coordinate_names(document, parsed->root);
  ModelReader reader(*parsed, {overrides, {}});
  LoadedModel out = reader.read();
  check_observables(*out.model, list_parameters(out), out.observables);
  document.scope = Scope(std::make_shared<const Formulas>(reader.take_formulas()));
  out.source = {file, text, {overrides.begin(), overrides.end()}, false, std::move(parsed)};
  return out;
}

ModelSpec make_model_spec(const ModelSource& source) {
  return ModelReader(*source.parsed, {source.overrides, {}}).read_spec();
}

LoadedModel make_with_parameters(const LoadedModel& loaded, const std::vector<std::string>& names,
                                 std::span<const double> values) {
  ModelSource source = loaded.source;
  source.zero_order = false;
  const auto is_given = [&](const Override& other) {
    return std::find(names.begin(), names.end(), other.name) != names.end();
  };
  std::erase_if(source.overrides, is_given);
  std::vector<GivenValue> given;
  for (std::size_t i = 0; i < names.size(); ++i) given.push_back({names[i], values[i]});
  LoadedModel out = ModelReader(*source.parsed, {source.overrides, given}).read();
  for (const GivenValue& set : given) {
    source.overrides.push_back({set.name, fmt::format("{}", set.value)});
  }
  out.source = std::move(source);
  return out;
}

LoadedModel read_model(const std::string& name_or_path, std::span<const Override> overrides) {
  std::vector<std::string> names;
  for (const BuiltinModel& builtin : builtin_models()) {
    if (builtin.name == name_or_path) {
      return parse_model(name_or_path, std::string(builtin.text), overrides);
    }
    names.emplace_back(builtin.name);
  }
  std::error_code error;  // ignored: with a name too long or a loop of links there is no file
  if (!std::filesystem::exists(name_or_path, error)) {
    throw InputError(name_or_path, "expected a built-in model or a model file, got neither" +
                                       make_suggestion(name_or_path, names));
  }
  return parse_model(name_or_path, read_text_file(name_or_path), overrides);
}

std::vector<std::string> list_settings(const ModelSource& source) {
  std::vector<std::string> out;
  out.reserve(source.overrides.size());
  for (const Override& setting : source.overrides) {
    out.push_back(setting.name + "=" + setting.expression);
  }
  return out;
}

void freeze(LoadedModel& loaded) {
  loaded.model = std::make_shared<const Model>(make_frozen_model(*loaded.model, loaded.initial));
  loaded.source.zero_order = true;
}

}  // namespace slipstick
