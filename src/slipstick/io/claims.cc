#include "slipstick/io/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "slipstick/core/input_error.h"
#include "slipstick/io/table_reader.h"
#include "slipstick/io/toml_text.h"
#include "slipstick/model/expression.h"

namespace slipstick {
namespace {

Claim read_claim(Document& document, const toml::table& item) {
  const TableReader table(document, item, "claims",
                          {"where", "claim", "printed", "unit", "tolerance", "run", "from",
                           "computed", "erratum", "why", "under_determined"});
  Claim out;
  out.where = table.text("where");
  out.claim = table.text("claim");
  out.printed = table.text("printed");
  out.unit = table.text("unit", "");
  if (table.has("tolerance")) out.tolerance = table.number_above("tolerance", 0.0, true);
  out.erratum = table.text("erratum", "");
  out.why = table.text("why", "");
  out.under_determined = table.flag("under_determined", false);
  if (out.under_determined && out.why.empty()) {
    throw InputError(table.where(), "expected `why` beside `under_determined`, got none");
  }
  if (!table.has("run") && out.under_determined) return out;
  out.source = read_call_values(table);
  out.computed = table.text("computed");
  if (is_place(out.computed)) {
    check_place(table.where("computed"), out.source, out.computed);
  } else {
    (void)Expression(table.where("computed"), out.computed, list_names(out.source), {});
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

Json compute(const Claim& claim, const CallAnswers& answers) {
  const CallValues& source = claim.source;
  check_answers(source, answers);
  if (is_place(claim.computed)) return find_value(source, answers, claim.computed);
  std::vector<double> values;
  for (const auto& [name, place] : source.from) {
    const Json value = find_value(source, answers, place);
    if (!value.is_number() && !value.is_boolean()) {
      throw InputError(place, "expected a number, got " + value.dump());
    }
    values.push_back(value.is_boolean() ? (value.get<bool>() ? 1.0 : 0.0) : value.get<double>());
  }
  return Expression(source.place, claim.computed, list_names(source), {}).eval(values);
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
  const TableReader table(document, root, "paper",
                          {"paper", "key", "title", "about", "symbols", "claims", "figures"});
  Paper out;
  out.number = table.text("paper");
  out.key = table.text("key");
  out.title = table.text("title");
  out.about = table.text("about");
  out.symbols = table.text("symbols", "");
  table.for_each(
      "claims", [&](const toml::table& item) { out.claims.push_back(read_claim(document, item)); });
  table.for_each("figures", [&](const toml::table& item) {
    out.figures.push_back(read_figure(document, item));
  });
  if (out.claims.empty() && out.figures.empty()) {
    throw InputError(file, "expected at least one claim or figure, got none");
  }
  return out;
}

ClaimJudgement judge(const Claim& claim, const CallAnswers& answers) {
  const auto number = parse_number(claim.printed);
  ClaimJudgement out;
  out.printed = number ? Json(number->value) : Json(claim.printed);
  out.why = claim.why;
  if (!claim.source.runs.empty()) {
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

std::vector<std::string> list_runs(const Paper& paper) {
  std::vector<std::string> out;
  const auto add = [&](const std::vector<std::string>& runs) {
    out.insert(out.end(), runs.begin(), runs.end());
  };
  for (const Claim& claim : paper.claims) add(claim.source.runs);
  for (const Figure& figure : paper.figures) add(list_runs(figure));
  return out;
}

JudgedPaper judge(const Paper& paper, const CallAnswers& answers) {
  JudgedPaper out{paper, {}, {}};
  for (const Claim& claim : paper.claims) out.judgements.push_back(judge(claim, answers));
  for (const Figure& figure : paper.figures) out.drawings.push_back(draw(figure, answers));
  return out;
}

bool JudgedPaper::has_failed() const {
  return std::any_of(judgements.begin(), judgements.end(),
                     [](const ClaimJudgement& judgement) {
                       return judgement.verdict == ClaimVerdict::kFailed;
                     }) ||
         std::any_of(drawings.begin(), drawings.end(),
                     [](const DrawnFigure& drawing) { return drawing.failed; });
}

std::string make_claims_json(std::span<const JudgedPaper> papers) {
  Json titles = Json::array();
  Json claims = Json::array();
  Json figures = Json::array();
  for (const JudgedPaper& judged : papers) {
    const Paper& paper = judged.paper;
    titles.push_back({{"paper", paper.number},
                      {"key", paper.key},
                      {"title", paper.title},
                      {"about", paper.about},
                      {"symbols", paper.symbols}});
    for (std::size_t i = 0; i < paper.claims.size(); ++i) {
      const Claim& claim = paper.claims[i];
      const ClaimJudgement& judgement = judged.judgements[i];
      claims.push_back({{"paper", paper.number},
                        {"key", paper.key},
                        {"where", claim.where},
                        {"claim", claim.claim},
                        {"printed", judgement.printed},
                        {"computed", judgement.computed},
                        {"unit", claim.unit},
                        {"verdict", find_word(kClaimVerdicts, judgement.verdict)},
                        {"why", judgement.why},
                        {"printed_as", claim.printed},
                        {"runs", make_calls(claim.source)},
                        {"from", claim.source.from},
                        {"expression", claim.computed}});
    }
    for (const DrawnFigure& drawing : judged.drawings) {
      Json figure{{"paper", paper.number}};
      figure.update(drawing.document);
      figures.push_back(figure);
    }
  }
  return print({{"papers", titles}, {"claims", claims}, {"figures", figures}});
}

}  // namespace slipstick
