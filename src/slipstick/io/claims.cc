#include "slipstick/io/claims.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "slipstick/core/input_error.h"
#include "slipstick/io/table_reader.h"
#include "slipstick/io/toml_text.h"
#include "slipstick/model/expression.h"

namespace slipstick {
namespace {

/// "/POINTER" or "N:/POINTER"; a division starts with neither.
bool is_place(const std::string& text) {
  const std::size_t after = text.find_first_not_of("0123456789");
  return text.starts_with('/') || text.compare(std::min(after, text.size()), 2, ":/") == 0;
}

std::vector<std::string> list_names(const Claim& claim) {
  std::vector<std::string> out;
  for (const auto& [name, pointer] : claim.from) out.push_back(name);
  return out;
}

/// A pointer and the run it points into: "1:/end/time", or "/end/time" of run 0.
struct Place {
  std::size_t run = 0;
  std::string pointer;
};

Place parse_place(const std::string& where, const Claim& claim, const std::string& text) {
  Place out;
  const std::size_t start = text.starts_with('/') ? 0 : text.find(':') + 1;
  if (start > 0) std::from_chars(text.data(), text.data() + start - 1, out.run);
  if (!is_place(text) || out.run >= claim.runs.size()) {
    throw InputError(where, fmt::format("expected /POINTER or N:/POINTER with N below {}, got '{}'",
                                        claim.runs.size(), text));
  }
  out.pointer = text.substr(start);
  return out;
}

Claim read_claim(Document& document, const toml::table& item) {
  const TableReader table(document, item, "claims",
                          {"where", "claim", "printed", "unit", "tolerance", "run", "from",
                           "computed", "erratum", "why", "under_determined"});
  Claim out;
  out.place = table.where();
  out.where = table.text("where");
  out.claim = table.text("claim");
  out.printed = table.text("printed");
  out.unit = table.text("unit", "");
  if (table.has("tolerance")) out.tolerance = table.number_above("tolerance", 0.0, true);
  out.erratum = table.text("erratum", "");
  out.why = table.text("why", "");
  out.under_determined = table.flag("under_determined", false);
  if (out.under_determined && out.why.empty()) {
    throw InputError(out.place, "expected `why` beside `under_determined`, got none");
  }
  if (!table.has("run") && out.under_determined) return out;
  out.runs = table.texts("run");
  out.computed = table.text("computed");
  if (table.has("from")) {
    for (const auto& [name, value] : table.table("from")) {
      const auto* pointer = value.as_string();
      if (pointer == nullptr) {
        throw InputError(table.where("from"), "expected texts, got " + describe_node(value));
      }
      out.from[std::string(name.str())] = pointer->get();
    }
  }
  for (const auto& [name, pointer] : out.from) {
    (void)parse_place(table.where("from"), out, pointer);
  }
  if (is_place(out.computed)) {
    (void)parse_place(table.where("computed"), out, out.computed);
  } else {
    (void)Expression(table.where("computed"), out.computed, list_names(out), {});
  }
  return out;
}

/// A printed number, and half a unit of its last digit.
struct PrintedNumber {
  double value = 0.0, half_digit = 0.0;
};

std::optional<PrintedNumber> parse_number(const std::string& text) {
  const char* end = text.data() + text.size();
  PrintedNumber out;
  const auto [stopped, error] = std::from_chars(text.data(), end, out.value);
  if (error != std::errc() || stopped != end) return std::nullopt;
  const std::size_t exponent_at = std::min(text.find_first_of("eE"), text.size());
  const std::size_t point = text.find('.');
  const double decimals = point < exponent_at ? static_cast<double>(exponent_at - point - 1) : 0.0;
  const double exponent = exponent_at < text.size() ? std::stod(text.substr(exponent_at + 1)) : 0.0;
  out.half_digit = 0.5 * std::pow(10.0, exponent - decimals);
  return out;
}

/// The value at a pointer, or with "/#" at its end how many entries are there. Throws InputError if
/// there is none.
Json find_value(const Claim& claim, std::span<const CallAnswer> answers, const std::string& text) {
  const Place place = parse_place(claim.place, claim, text);
  const bool counts = place.pointer.ends_with("/#");
  const Json::json_pointer pointer(
      place.pointer.substr(0, place.pointer.size() - (counts ? 2 : 0)));
  const Json& document = answers[place.run].document;
  if (!document.contains(pointer)) {
    throw InputError(claim.runs[place.run],
                     "expected " + place.pointer + " in its document, got none");
  }
  return counts ? Json(document.at(pointer).size()) : document.at(pointer);
}

Json compute(const Claim& claim, std::span<const CallAnswer> answers) {
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i].failure.empty()) throw InputError(claim.runs[i], answers[i].failure);
  }
  if (is_place(claim.computed)) return find_value(claim, answers, claim.computed);
  std::vector<double> values;
  for (const auto& [name, pointer] : claim.from) {
    const Json value = find_value(claim, answers, pointer);
    if (!value.is_number() && !value.is_boolean()) {
      throw InputError(pointer, "expected a number, got " + value.dump());
    }
    values.push_back(value.is_boolean() ? (value.get<bool>() ? 1.0 : 0.0) : value.get<double>());
  }
  return Expression(claim.place, claim.computed, list_names(claim), {}).eval(values);
}

bool agree(const Claim& claim, const Json& computed) {
  const auto number = parse_number(claim.printed);
  if (!number || !computed.is_number()) {
    return claim.printed == (computed.is_string() ? computed.get<std::string>() : computed.dump());
  }
  // The printed digits are rounded: a value just at half a digit may have been rounded either way.
  const double slack = 1e-9 * std::abs(number->value);
  const double tolerance = claim.tolerance.value_or(number->half_digit) + slack;
  return std::abs(computed.get<double>() - number->value) <= tolerance;
}

}  // namespace

Paper parse_paper(const std::string& file, const std::string& text) {
  const toml::table root = parse_toml(file, text, "claims of a paper");
  Document document;
  document.file = file;
  const TableReader table(document, root, "paper", {"paper", "key", "title", "about", "claims"});
  Paper out{table.text("paper"), table.text("key"), table.text("title"), table.text("about"), {}};
  table.for_each(
      "claims", [&](const toml::table& item) { out.claims.push_back(read_claim(document, item)); });
  if (out.claims.empty()) throw InputError(file, "expected at least one claim, got none");
  return out;
}

ClaimJudgement judge(const Claim& claim, std::span<const CallAnswer> answers) {
  const auto number = parse_number(claim.printed);
  ClaimJudgement out;
  out.printed = number ? Json(number->value) : Json(claim.printed);
  out.why = claim.why;
  if (!claim.runs.empty()) {
    try {
      out.computed = compute(claim, answers);
    } catch (const InputError& error) {
      out.why = error.what();
      return out;
    }
  }
  if (claim.under_determined) {
    out.verdict = ClaimVerdict::kUnderDetermined;
  } else if (agree(claim, out.computed)) {
    out.verdict = ClaimVerdict::kAgrees;
  } else {
    out.verdict = claim.erratum.empty() ? ClaimVerdict::kDiffers : ClaimVerdict::kErratum;
    if (!claim.erratum.empty()) out.why = claim.erratum;
  }
  return out;
}

std::string make_claims_json(std::span<const JudgedClaim> claims) {
  Json list = Json::array();
  for (const JudgedClaim& item : claims) {
    Json runs = Json::array();
    for (const std::string& run : item.claim->runs) runs.push_back("slipstick " + run);
    list.push_back({{"paper", item.paper->number},
                    {"key", item.paper->key},
                    {"where", item.claim->where},
                    {"claim", item.claim->claim},
                    {"printed", item.judgement.printed},
                    {"computed", item.judgement.computed},
                    {"unit", item.claim->unit},
                    {"verdict", find_word(kClaimVerdicts, item.judgement.verdict)},
                    {"why", item.judgement.why},
                    {"printed_as", item.claim->printed},
                    {"runs", runs},
                    {"from", item.claim->from},
                    {"expression", item.claim->computed}});
  }
  Json papers = Json::array();
  const Paper* last = nullptr;
  for (const JudgedClaim& item : claims) {
    if (item.paper == last) continue;
    last = item.paper;
    papers.push_back({{"paper", last->number},
                      {"key", last->key},
                      {"title", last->title},
                      {"about", last->about}});
  }
  return print({{"papers", papers}, {"claims", list}});
}

}  // namespace slipstick
