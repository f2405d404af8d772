#include "slipstick/io/json/hybrid_state_json.h"

#include <algorithm>

#include "slipstick/errors.h"
#include "slipstick/io/parse_modes.h"

namespace nlohmann {

template <int rows, int columns, int options, int max_rows, int max_columns>
struct adl_serializer<Eigen::Matrix<double, rows, columns, options, max_rows, max_columns>> {
  using Matrix = Eigen::Matrix<double, rows, columns, options, max_rows, max_columns>;

  static void to_json(json& out, const Matrix& matrix) {
    out = {{"rows", matrix.rows()},
           {"columns", matrix.cols()},
           {"numbers", std::vector<double>(matrix.data(), matrix.data() + matrix.size())}};
  }
  static void from_json(const json& in, Matrix& matrix) {
    const auto numbers = in.at("numbers").get<std::vector<double>>();
    const auto height = in.at("rows").get<Eigen::Index>();
    const auto width = in.at("columns").get<Eigen::Index>();
    constexpr Eigen::Index kMostRows = Matrix::MaxRowsAtCompileTime;
    constexpr Eigen::Index kMostColumns = Matrix::MaxColsAtCompileTime;
    if (height < 0 || height > kMostRows || width < 0 || width > kMostColumns ||
        numbers.size() != static_cast<std::size_t>(height * width)) {
      throw slipstick::InputError("numbers", "expected as many as rows times columns");
    }
    matrix = Eigen::Map<const Matrix>(numbers.data(), height, width);
  }
};

template <class T>
struct adl_serializer<slipstick::PerContact<T>> {
  static void to_json(json& out, const slipstick::PerContact<T>& list) {
    out = std::vector<T>(list.begin(), list.end());
  }
  static void from_json(const json& in, slipstick::PerContact<T>& list) {
    const auto values = in.get<std::vector<T>>();
    if (values.size() > list.max_size()) {
      throw slipstick::InputError("contacts", "expected no more than a model may have");
    }
    list.assign(values.begin(), values.end());
  }
};

}  // namespace nlohmann

namespace slipstick {

using nlohmann::json;

// NOLINTBEGIN(readability-identifier-naming): the macros' names

void to_json(json& out, const ModeWord& word) { out = to_letters(word); }
void from_json(const json& in, ModeWord& word) {
  const auto letters = in.get<std::string>();
  const std::optional<ModeWord> parsed = parse_modes(letters);
  if (!parsed) throw InputError("modes", "expected letters F, S, P or N, got '" + letters + "'");
  word = *parsed;
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(State, time, q, v)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ClosedContact, index, mu, mu_s, slip_sign, bilateral)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ClosedMode, contact, mode, has_friction, bilateral, slip_sign,
                                   force_sign, mu, mu_s, shares)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Mode, word, closed, indices, stretched, redundant, gravity)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SmoothForces, start, length, coefficients, evaluations)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TimeStop, before, after)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Impact, contacts, slips, modes, after)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SeeksMode, before, tells_changes, completes_event)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Collides, contacts, before)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(IsStruck, contact, before, jammed)

void to_json(json& out, const Moves& /*nothing*/) { out = json::object(); }
void from_json(const json& /*nothing*/, Moves& /*nothing*/) {}

void to_json(json& out, const ContactSet& set) {
  out = {{"closed", set.closed()}, {"leaving", set.leaving()}};
}
void from_json(const json& in, ContactSet& set) {
  set = {in.at("closed").get<PerContact<ClosedContact>>(), in.at("leaving").get<PerContact<int>>()};
}

void to_json(json& out, const ZenoWatch& watch) { out = watch.impacts(); }
void from_json(const json& in, ZenoWatch& watch) {
  watch = ZenoWatch(in.get<std::vector<Impact>>());
}

/// By the number of the alternative.
void to_json(json& out, const Pending& pending) {
  out["kind"] = pending.index();
  std::visit([&](const auto& what) { out["what"] = what; }, pending);
}
template <class What>
bool read_pending(const json& in, std::size_t kind, Pending& out) {
  if (in.at("kind") != kind) return false;
  out = in.at("what").get<What>();
  return true;
}
void from_json(const json& in, Pending& out) {
  const bool known = read_pending<Moves>(in, 0, out) || read_pending<SeeksMode>(in, 1, out) ||
                     read_pending<Collides>(in, 2, out) || read_pending<IsStruck>(in, 3, out);
  if (!known) throw InputError("pending", "expected a kind from 0 to 3");
}

template <class T>
json write_optional(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}
template <class T>
void read_optional(const json& in, std::optional<T>& value) {
  value.reset();
  if (!in.is_null()) value = in.get<T>();
}

void to_json(json& out, const HybridState& at) {
  out = {{"state", at.state},
         {"contacts", at.contacts},
         {"mode", at.mode},
         {"opening", at.opening},
         {"forces", write_optional(at.forces)},
         {"pending", at.pending},
         {"stop", write_optional(at.stop)},
         {"bounces", at.bounces},
         {"struck", at.struck},
         {"fastest", at.fastest},
         {"moved", at.moved},
         {"acceleration", at.acceleration},
         {"last_decision", at.last_decision},
         {"decisions", at.decisions},
         {"tried", at.tried}};
}
void from_json(const json& in, HybridState& at) {
  in.at("state").get_to(at.state);
  in.at("contacts").get_to(at.contacts);
  in.at("mode").get_to(at.mode);
  in.at("opening").get_to(at.opening);
  read_optional(in.at("forces"), at.forces);
  in.at("pending").get_to(at.pending);
  read_optional(in.at("stop"), at.stop);
  in.at("bounces").get_to(at.bounces);
  in.at("struck").get_to(at.struck);
  in.at("fastest").get_to(at.fastest);
  in.at("moved").get_to(at.moved);
  in.at("acceleration").get_to(at.acceleration);
  in.at("last_decision").get_to(at.last_decision);
  in.at("decisions").get_to(at.decisions);
  in.at("tried").get_to(at.tried);
}
// NOLINTEND(readability-identifier-naming)

namespace {

/// Sizes and indices are those of the model's coordinates and contacts; what a motion does not have
/// yet is empty.
bool fits(const Model& model, const HybridState& at) {
  const auto are_contacts = [&](const auto& indices) {
    return std::all_of(indices.begin(), indices.end(),
                       [&](int i) { return 0 <= i && i < model.contact_count(); });
  };
  const auto has_size = [](const auto& list, int size) {
    return list.size() == 0 || static_cast<int>(list.size()) == size;
  };
  const auto is_state = [&](const State& state) {
    return state.q.size() == model.size() && state.v.size() == model.size();
  };
  if (!are_contacts(at.contacts.list()) || !are_contacts(at.mode.indices)) return false;
  for (const ClosedMode& closed : at.mode.closed) {
    if (closed.contact < 0 || closed.contact >= model.contact_count()) return false;
  }
  if (const auto* impact = std::get_if<Collides>(&at.pending)) {
    if (!are_contacts(impact->contacts)) return false;
  }
  if (const auto* impulse = std::get_if<IsStruck>(&at.pending)) {
    if (impulse->contact < -1 || impulse->contact >= model.contact_count()) return false;
  }
  return is_state(at.state) && std::all_of(at.struck.begin(), at.struck.end(), is_state) &&
         at.mode.closed.size() == at.mode.indices.size() &&
         static_cast<int>(at.contacts.leaving().size()) == model.contact_count() &&
         has_size(at.mode.word, model.contact_count()) &&
         has_size(at.opening, model.contact_count()) && has_size(at.fastest, model.size()) &&
         has_size(at.moved, model.size()) && has_size(at.acceleration, model.size());
}

}  // namespace

Json make_hybrid_state_json(const HybridState& at) { return json(at); }

HybridState parse_hybrid_state(const Model& model, const std::string& where, const Json& in) {
  try {
    HybridState out = json(in).get<HybridState>();
    if (fits(model, out)) return out;
  } catch (const json::exception& error) {
    throw InputError(where,
                     std::string("expected the state of a motion, got an error: ") + error.what());
  }
  throw InputError(where, "expected the state of a motion of '" + model.name +
                              "', got one with other coordinates or contacts");
}

}  // namespace slipstick
