#include "slipstick/io/call_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "slipstick/core/input_error.h"

namespace slipstick {
namespace {

/// A pointer and the call it points into: "1:/end/time", or "/end/time" of call 0.
struct Place {
  std::size_t run = 0;
  std::string pointer;
};

Place parse_place(const std::string& where, const CallValues& values, const std::string& text) {
  Place out;
  const std::size_t start = text.starts_with('/') ? 0 : text.find(':') + 1;
  if (start > 0) std::from_chars(text.data(), text.data() + start - 1, out.run);
  if (!is_place(text) || out.run >= values.runs.size()) {
    throw InputError(where, fmt::format("expected /POINTER or N:/POINTER with N below {}, got '{}'",
                                        values.runs.size(), text));
  }
  out.pointer = text.substr(start);
  return out;
}

std::optional<Json> follow(const Json& document, const std::string& pointer) {
  const std::size_t star = pointer.find("/*");
  if (star == std::string::npos) {
    const bool counts = pointer.ends_with("/#");
    const Json::json_pointer path(pointer.substr(0, pointer.size() - (counts ? 2 : 0)));
    if (!document.contains(path)) return std::nullopt;
    return counts ? Json(document.at(path).size()) : document.at(path);
  }
  const auto list = follow(document, pointer.substr(0, star));
  if (!list || !list->is_array()) return std::nullopt;
  Json out = Json::array();
  for (const Json& entry : *list) {
    out.push_back(follow(entry, pointer.substr(star + 2)).value_or(nullptr));
  }
  return out;
}

}  // namespace

CallValues read_call_values(const TableReader& table) {
  CallValues out;
  out.place = table.where();
  out.runs = table.texts("run");
  if (!table.has("from")) return out;
  for (const auto& [name, value] : table.table("from")) {
    const auto* pointer = value.as_string();
    if (pointer == nullptr) {
      throw InputError(table.where("from"), "expected texts, got " + describe_node(value));
    }
    check_place(table.where("from"), out, pointer->get());
    out.from[std::string(name.str())] = pointer->get();
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

Json make_calls(const CallValues& values) {
  Json out = Json::array();
  for (const std::string& run : values.runs) out.push_back("slipstick " + run);
  return out;
}

}  // namespace slipstick
