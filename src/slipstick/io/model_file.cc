#include "slipstick/io/model_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "slipstick/core/input_error.h"
#include "slipstick/core/nearest_name.h"
#include "slipstick/io/builtin_models.h"
#include "slipstick/io/model_spec_reader.h"
#include "slipstick/io/text_file.h"
#include "slipstick/model/closing.h"
#include "slipstick/model/dynamics.h"

namespace slipstick {
namespace {

/// toml++ builds one table per part of a dotted key and takes them apart by recursion.
constexpr int kMaxDots = 100;

void check_dotted_keys(const std::string& file, const std::string& text) {
  int line = 1;
  int dots = 0;
  for (const char c : text) {
    if (c == '\n') ++line;
    const bool in_key = c == '.' || c == '_' || c == '-' || c == '"' || c == '\'' || c == ' ' ||
                        c == '\t' || std::isalnum(static_cast<unsigned char>(c)) != 0;
    dots = in_key ? dots + (c == '.' ? 1 : 0) : 0;
    if (dots > kMaxDots) {
      throw InputError(fmt::format("{}:{}", file, line),
                       fmt::format("expected keys of at most {} parts, got more", kMaxDots));
    }
  }
}

toml::table parse_toml(const std::string& file, const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw InputError(file, "expected a model, got an empty file");
  }
  check_dotted_keys(file, text);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    std::string reason(error.description());
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    throw InputError(fmt::format("{}:{}", file, error.source().begin.line),
                     "expected TOML, got an error: " + reason);
  }
}

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
  ModelReader(const std::string& file, const toml::table& root, std::span<const Override> overrides)
      : root_(root), overrides_(overrides) {
    document_.file = file;
    document_.coordinates = read_coordinate_names(document_, root);
  }

  LoadedModel read() {
    define_parameters();
    define_starts();
    apply_overrides();
    for (const std::string& name : parameter_names_) {
      document_.parameters[name] = document_.scope.eval_name(name);
    }
    LoadedModel out{make_model(read_model_spec(document_, root_)), {}, {}, {}, {}};
    set_initial(out);
    check_initial(out.model, out.initial);
    list_settings(out);
    return out;
  }

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
    for (const std::string& name : names) {
      const std::string where = document_.file + ": coordinate '" + name + "'";
      check_name(where, name);
      if (document_.scope.has(name)) {
        throw InputError(where, "expected a name used once, got a parameter of the same name");
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
    for (const Override& override : overrides_) {
      const std::string where = "--set " + override.name + "=" + override.expression;
      if (!document_.scope.has(override.name)) {
        std::vector<std::string> known = parameter_names_;
        for (const auto& start : starts_) known.push_back(start.first);
        throw InputError(where, "expected a parameter, coordinate or rate of this model, got '" +
                                    override.name + "'" + make_suggestion(override.name, known));
      }
      const Definition definition{where, override.expression};
      document_.scope.define(override.name, definition);
      if (const auto found = starts_.find(override.name); found != starts_.end()) {
        found->second = {definition, nullptr, where, true};
      }
    }
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
    const Model& model = loaded.model;
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
    // A rate that nobody gave follows the contact that gave its coordinate.
    std::vector<Closing> rate_closings;
    for (int i = 0; i < n; ++i) {
      const std::string rate = rate_name(model.coordinates[static_cast<std::size_t>(i)]);
      const auto closing = std::find_if(closings.begin(), closings.end(),
                                        [i](const Closing& c) { return c.coordinate == i; });
      if (closing != closings.end() && !starts_.at(rate).given) {
        rate_closings.push_back(*closing);
        document_.scope.withhold(rate, "it follows from closing a contact");
      }
    }
    for (int i = 0; i < n; ++i) {
      const std::string rate = rate_name(model.coordinates[static_cast<std::size_t>(i)]);
      const bool follows = std::any_of(rate_closings.begin(), rate_closings.end(),
                                       [i](const Closing& c) { return c.coordinate == i; });
      if (!follows) state.v[i] = document_.scope.eval_name(rate);
    }
    if (!solve_closing_rates(model, rate_closings, state)) {
      throw InputError(document_.file + ": initial",
                       "expected rates that keep the closing contacts closed, got none");
    }
  }

  void close_contacts(const Model& model, std::span<const Closing> closings, State& state) const {
    const ClosingResult result = solve_closing(model, state.q, closings);
    if (!result.closed) {
      const auto open = static_cast<std::size_t>(result.open_contact);
      throw InputError(document_.file + ": initial",
                       fmt::format("expected that contact '{}' can be closed, got a gap of {:.6g} "
                                   "m at the nearest configuration found",
                                   model.contacts[open].name, result.gap));
    }
    state.q = result.q;
  }

  /// No penetration at the start, bilateral contacts closed and staying so, M regular.
  void check_initial(const Model& model, const State& state) const {
    constexpr double kClosed = 1e-10;  // as Tolerances::closure
    const std::string where = document_.file + ": initial";
    const ContactKinematics contacts = eval_contact_kinematics(model, state);
    for (int i = 0; i < model.contact_count(); ++i) {
      const Contact& contact = model.contacts[static_cast<std::size_t>(i)];
      if (!eval_is_active(model, i, state)) continue;
      const double closed = kClosed * model.length_scale;
      if (contacts.gap[i] < -closed) {
        throw InputError(where, fmt::format("expected contact '{}' to start outside its surface, "
                                            "got a penetration of {:.6g} m",
                                            contact.name, -contacts.gap[i]));
      }
      if (!contact.bilateral) continue;
      const double still = kClosed * contacts.W_n.col(i).cwiseAbs().dot(state.v.cwiseAbs());
      if (contacts.gap[i] > closed) {
        throw InputError(where, fmt::format("expected bilateral contact '{}' to start closed, got "
                                            "a gap of {:.6g} m",
                                            contact.name, contacts.gap[i]));
      }
      if (std::abs(contacts.gap_rate[i]) > still) {
        throw InputError(where, fmt::format("expected bilateral contact '{}' to stay closed, got "
                                            "a gap rate of {:.6g} m/s",
                                            contact.name, contacts.gap_rate[i]));
      }
    }
    if (const int singular = find_massless_coordinate(model, state.q); singular >= 0) {
      throw InputError(document_.file,
                       "expected a regular mass matrix, got a singular one: nothing resists '" +
                           model.coordinates[static_cast<std::size_t>(singular)] +
                           "' (a massless end body?)");
    }
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
    const auto& coordinates = loaded.model.coordinates;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      loaded.initial_values.push_back({coordinates[i], describe_start(coordinates[i]),
                                       loaded.initial.q[static_cast<Eigen::Index>(i)]});
    }
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const std::string rate = rate_name(coordinates[i]);
      const Start& coordinate = starts_.at(coordinates[i]);
      const bool follows = coordinate.closing != nullptr && !starts_.at(rate).given;
      loaded.initial_values.push_back({rate, describe_start(follows ? coordinates[i] : rate),
                                       loaded.initial.v[static_cast<Eigen::Index>(i)]});
    }
  }

  const toml::table& root_;
  std::span<const Override> overrides_;
  Document document_;
  std::vector<std::string> parameter_names_;
  std::map<std::string, Start> starts_;
};

}  // namespace

LoadedModel parse_model(const std::string& file, const std::string& text,
                        std::span<const Override> overrides) {
  const toml::table root = parse_toml(file, text);
  return ModelReader(file, root, overrides).read();
}

LoadedModel read_model(const std::string& name_or_path, std::span<const Override> overrides) {
  std::vector<std::string> names;
  for (const BuiltinModel& builtin : builtin_models()) {
    if (builtin.name == name_or_path) {
      return parse_model(name_or_path, std::string(builtin.text), overrides);
    }
    names.emplace_back(builtin.name);
  }
  if (!std::filesystem::exists(name_or_path)) {
    throw InputError(name_or_path, "expected a built-in model or a model file, got neither" +
                                       make_suggestion(name_or_path, names));
  }
  return parse_model(name_or_path, read_text_file(name_or_path), overrides);
}

}  // namespace slipstick
