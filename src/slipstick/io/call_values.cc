#include "slipstick/io/call_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "slipstick/errors.h"
#include "slipstick/io/call_check.h"
#include "slipstick/model/expression.h"

namespace slipstick {
namespace {

/// A pointer and the call it points into: "1:/end/time", or "/end/time" of call 0.
struct Place {
  std::size_t run = 0;
  std::string pointer;
};

/// True if the text without "/*" and "/#" is a JSON pointer.
bool is_pointer(std::string text) {
  if (text.ends_with("/#")) text.resize(text.size() - 2);
  for (std::size_t star = text.find("/*"); star != std::string::npos; star = text.find("/*")) {
    const bool ends = star + 2 == text.size() || text[star + 2] == '/';
    if (!ends) return false;
    text.erase(star, 2);
  }
  try {
    (void)Json::json_pointer(text);
  } catch (const Json::exception&) {
    return false;
  }
  return true;
}

Place parse_place(const std::string& where, const CallValues& values, const std::string& text) {
  Place out;
  const std::size_t start = text.starts_with('/') ? 0 : text.find(':') + 1;
  bool known = is_place(text);
  if (start > 0) {
    const char* end = text.data() + start - 1;
    const auto [stopped, error] = std::from_chars(text.data(), end, out.run);
    known = known && error == std::errc() && stopped == end;
  }
  out.pointer = text.substr(start);
  if (!known || out.run >= values.runs.size() || !is_pointer(out.pointer)) {
    throw InputError(where, fmt::format("expected /POINTER or N:/POINTER with N below {}, got '{}'",
                                        values.runs.size(), text));
  }
  return out;
}

/// Null if the document has nothing at the pointer, also if an index has too many digits.
const Json* find_at(const Json& document, const std::string& pointer) {
  try {
    const Json::json_pointer path(pointer);
    return document.contains(path) ? &document.at(path) : nullptr;
  } catch (const Json::exception&) {
    return nullptr;
  }
}

std::optional<Json> follow(const Json& document, const std::string& pointer) {
  const std::size_t star = pointer.find("/*");
  const bool counts = star == std::string::npos && pointer.ends_with("/#");
  const std::size_t end = counts ? pointer.size() - 2 : std::min(star, pointer.size());
  const Json* found = find_at(document, pointer.substr(0, end));
  if (found == nullptr) return std::nullopt;
  if (counts) return found->is_structured() ? std::optional<Json>(found->size()) : std::nullopt;
  if (star == std::string::npos) return *found;
  if (!found->is_array()) return std::nullopt;
  Json out = Json::array();
  for (const Json& entry : *found) {
    out.push_back(follow(entry, pointer.substr(star + 2)).value_or(nullptr));
  }
  return out;
}

}  // namespace

CallValues read_call_values(const TableReader& table) {
  CallValues out;
  out.place = table.where();
  out.runs = table.texts("run");
  if (out.runs.empty()) throw InputError(table.where("run"), "expected a call, got none");
  for (const std::string& run : out.runs) check_call(table.where("run"), run);
  if (!table.has("from")) return out;
  for (const auto& [key, value] : table.table("from")) {
    const std::string name(key.str());
    if (!is_free_name(name) && name != "t") {
      throw InputError(table.where("from"),
                       "expected a name of letters, digits and '_' that is not one of the "
                       "expression language, got '" +
                           name + "'");
    }
    const auto* pointer = value.as_string();
    if (pointer == nullptr) {
      throw InputError(table.where("from"), "expected texts, got " + describe_node(value));
    }
    check_place(table.where("from"), out, pointer->get());
    out.from[name] = pointer->get();
  }
  return out;
}

std::vector<std::string> list_names(const CallValues& values) {
  std::vector<std::string> out;
  for (const auto& [name, pointer] : values.from) out.push_back(name);
  return out;
}

bool is_place(const std::string& text) {
  const std::size_t after = text.find_first_not_of("0123456789");
  return text.starts_with('/') || text.compare(std::min(after, text.size()), 2, ":/") == 0;
}

void check_place(const std::string& where, const CallValues& values, const std::string& text) {
  (void)parse_place(where, values, text);
}

void check_answers(const CallValues& values, const CallAnswers& answers) {
  for (const std::string& run : values.runs) {
    const std::string& failure = answers.at(run).failure;
    if (!failure.empty()) throw InputError(run, failure);
  }
}

Json find_value(const CallValues& values, const CallAnswers& answers, const std::string& text) {
  const Place place = parse_place(values.place, values, text);
  const std::string& run = values.runs[place.run];
  const auto out = follow(answers.at(run).document, place.pointer);
  if (!out) throw InputError(run, "expected " + place.pointer + " in its document, got none");
  return *out;
}

CallValues fill_in(const CallValues& values, const std::map<std::string, double>& inputs) {
  CallValues out = values;
  for (std::string& run : out.runs) {
    for (std::size_t open = run.find('{'); open != std::string::npos; open = run.find('{', open)) {
      const std::size_t close = std::min(run.find('}', open), run.size());
      const auto input = inputs.find(run.substr(open + 1, close - open - 1));
      if (input == inputs.end()) {
        throw InputError(values.place,
                         "expected {NAME} of an input, got '" + run.substr(open, 40) + "'");
      }
      run.replace(open, close + 1 - open, fmt::format("{}", input->second));
    }
  }
  return out;
}

Json make_calls(const CallValues& values) {
  Json out = Json::array();
  for (const std::string& run : values.runs) out.push_back("slipstick " + run);
  return out;
}

}  // namespace slipstick
