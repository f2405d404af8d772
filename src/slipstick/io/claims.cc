#include "slipstick/io/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "slipstick/errors.h"
#include "slipstick/io/model/table_reader.h"
#include "slipstick/io/model/toml_text.h"
#include "slipstick/model/expression.h"

namespace slipstick {
namespace {

/// Limit of calls in one file: five times as many as the longest built-in paper has.
constexpr std::size_t kMaxCalls = 1500;

/// Control characters could imitate the program's own output on a terminal.
void check_plain(const std::string& where, const std::string& text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::any_of(text.begin(), text.end(), is_control)) {
    throw InputError(where, "expected text in one line, got a control character");
  }
}

std::string read_plain(const TableReader& table, std::string_view key) {
  std::string out = table.text(key);
  check_plain(table.where(key), out);
  return out;
}

std::string read_plain(const TableReader& table, std::string_view key, const char* fallback) {
  return table.has(key) ? read_plain(table, key) : fallback;
}

/// Names that `computed` may use, in the order of their values.
std::vector<std::string> list_all_names(const Claim& claim) {
  std::vector<std::string> out = list_names(claim.source);
  for (const ClaimInput& input : claim.inputs) out.push_back(input.name);
  return out;
}

ClaimKind read_kind(const TableReader& table, const Claim& claim) {
  const bool number = parse_printed_number(claim.printed).has_value();
  const auto usual = number ? ClaimKind::kPrinted : ClaimKind::kStatement;
  const auto out =
      static_cast<ClaimKind>(table.word("kind", kClaimKinds, static_cast<std::size_t>(usual)));
  if (out != ClaimKind::kStatement && !number) {
    throw InputError(table.where("printed"),
                     fmt::format("expected a number in a claim of kind '{}', got '{}'",
                                 find_word(kClaimKinds, out), claim.printed));
  }
  return out;
}

void read_words(const TableReader& table, Claim& claim) {
  if (table.has("words")) {
    const std::vector<std::string> words = table.texts("words");
    if (words.size() != 2 || words[0] == words[1]) {
      throw InputError(table.where("words"), "expected two words, for false and true, got others");
    }
    claim.words = {words[0], words[1]};
  }
  for (const std::string& word : claim.words) check_plain(table.where("words"), word);
  if (std::find(claim.words.begin(), claim.words.end(), claim.printed) == claim.words.end()) {
    throw InputError(table.where("printed"),
                     fmt::format("expected '{}' or '{}' in a statement that an expression decides, "
                                 "got '{}'",
                                 claim.words[0], claim.words[1], claim.printed));
  }
}

void read_computed(const TableReader& table, Claim& claim) {
  claim.source = read_call_values(table);
  claim.inputs = read_claim_inputs(table);
  for (const ClaimInput& input : claim.inputs) {
    if (claim.source.from.count(input.name) == 0) continue;
    throw InputError(table.where("inputs"),
                     "expected names that `from` does not have, got '" + input.name + "'");
  }
  (void)fill_in(claim.source, list_combinations(claim.inputs).front());
  claim.computed = table.text("computed");
  if (is_place(claim.computed)) {
    check_place(table.where("computed"), claim.source, claim.computed);
    return;
  }
  (void)Expression(table.where("computed"), claim.computed, list_all_names(claim), {});
  if (claim.kind == ClaimKind::kStatement) read_words(table, claim);
}

Claim read_claim(Document& document, const toml::table& item) {
  const TableReader table(
      document, item, "claims",
      {"kind", "where", "claim", "printed", "unit", "tolerance", "inputs", "run", "from",
       "computed", "words", "erratum", "fault", "why", "under_determined"});
  Claim out;
  out.where = read_plain(table, "where");
  out.claim = read_plain(table, "claim");
  out.printed = read_plain(table, "printed");
  out.kind = read_kind(table, out);
  out.unit = read_plain(table, "unit", "");
  if (table.has("tolerance")) out.tolerance = table.number_above("tolerance", 0.0, true);
  out.erratum = read_plain(table, "erratum", "");
  out.fault = read_plain(table, "fault", "");
  out.why = read_plain(table, "why", "");
  out.under_determined = table.flag("under_determined", false);
  if (out.under_determined && out.why.empty()) {
    throw InputError(table.where(), "expected `why` beside `under_determined`, got none");
  }
  if (!out.fault.empty() && out.erratum.empty()) {
    throw InputError(table.where("fault"), "expected `erratum` beside `fault`, got none");
  }
  if (table.has("run") || !out.under_determined) read_computed(table, out);
  return out;
}

double eval_number(const std::string& place, const Json& value) {
  if (!value.is_number() && !value.is_boolean()) {
    throw InputError(place, "expected a number, got " + value.dump());
  }
  return value.is_boolean() ? (value.get<bool>() ? 1.0 : 0.0) : value.get<double>();
}

Json compute(const Claim& claim, const InputValues& inputs, const CallAnswers& answers) {
  const CallValues source = fill_in(claim.source, inputs);
  check_answers(source, answers);
  if (is_place(claim.computed)) {
    Json out = find_value(source, answers, claim.computed);
    if (!out.is_structured()) return out;
    throw InputError(claim.computed, "expected a number or a word, got a list or an object");
  }
  std::vector<double> values;
  for (const auto& [name, place] : source.from) {
    values.push_back(eval_number(place, find_value(source, answers, place)));
  }
  for (const ClaimInput& input : claim.inputs) values.push_back(inputs.at(input.name));
  const double out =
      Expression(source.place, claim.computed, list_all_names(claim), {}).eval(values);
  if (std::isnan(out)) throw InputError(source.place, "expected a number, got nan");
  if (claim.kind != ClaimKind::kStatement) return out;
  return claim.words[out != 0.0 ? 1 : 0];
}

ClaimValue make_value(const Json& computed) {
  ClaimValue out{computed.is_string() ? computed.get<std::string>() : computed.dump(), {}};
  if (computed.is_number()) out.number = computed.get<double>();
  return out;
}

Json make_case_list(const std::vector<ClaimCase>& cases) {
  Json out = Json::array();
  for (const auto& [at, computed] : cases) out.push_back({{"at", at}, {"computed", computed}});
  return out;
}

Json make_counts(const ClaimCounts& counts) {
  Json out;
  for (std::size_t kind = 0; kind < kClaimKinds.size(); ++kind) {
    for (std::size_t verdict = 0; verdict < kClaimVerdicts.size(); ++verdict) {
      out[std::string(kClaimKinds[kind])][std::string(kClaimVerdicts[verdict])] =
          counts.claims[kind][verdict];
    }
  }
  out["faults"] = counts.faults;
  return out;
}

}  // namespace

Paper parse_paper(const std::string& file, const std::string& text) {
  const toml::table root = parse_toml(file, text, "claims of a paper");
  Document document;
  document.file = file;
  const TableReader table(document, root, "paper",
                          {"paper", "key", "title", "about", "symbols", "claims", "figures"});
  Paper out;
  out.number = read_plain(table, "paper");
  out.key = read_plain(table, "key");
  out.title = read_plain(table, "title");
  out.about = read_plain(table, "about");
  out.symbols = read_plain(table, "symbols", "");
  table.for_each(
      "claims", [&](const toml::table& item) { out.claims.push_back(read_claim(document, item)); });
  table.for_each("figures", [&](const toml::table& item) {
    out.figures.push_back(read_figure(document, item));
  });
  if (out.claims.empty() && out.figures.empty()) {
    throw InputError(file, "expected at least one claim or figure, got none");
  }
  const std::vector<std::string> runs = list_runs(out);
  const std::size_t calls = std::set<std::string>(runs.begin(), runs.end()).size();
  if (calls > kMaxCalls) {
    throw InputError(file, fmt::format("expected at most {} calls, got {}", kMaxCalls, calls));
  }
  return out;
}

ClaimJudgement judge(const Claim& claim, const CallAnswers& answers) {
  const auto number = parse_printed_number(claim.printed);
  const bool is_number = number && claim.kind != ClaimKind::kStatement;
  ClaimJudgement out;
  out.printed = is_number ? Json(number->value) : Json(claim.printed);
  out.why = claim.why;
  if (claim.source.runs.empty()) {
    out.verdict = ClaimVerdict::kUnderDetermined;
    return out;
  }
  try {
    for (const InputValues& at : list_combinations(claim.inputs)) {
      out.cases.push_back({at, compute(claim, at, answers)});
    }
  } catch (const InputError& error) {
    out.cases.clear();
    out.why = error.what();
    return out;
  }
  out.computed = out.cases.front().computed;
  std::vector<ClaimValue> values;
  for (const ClaimCase& one : out.cases) values.push_back(make_value(one.computed));
  const ClaimFinding finding = judge_values(claim, values);
  out.verdict = finding.verdict;
  out.why = finding.why;
  if (claim.inputs.empty()) out.cases.clear();
  return out;
}

std::vector<std::string> list_runs(const Paper& paper) {
  std::vector<std::string> out;
  const auto add = [&](const std::vector<std::string>& runs) {
    out.insert(out.end(), runs.begin(), runs.end());
  };
  for (const Claim& claim : paper.claims) {
    for (const InputValues& at : list_combinations(claim.inputs)) {
      add(fill_in(claim.source, at).runs);
    }
  }
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

ClaimCounts count_claims(std::span<const JudgedPaper> papers) {
  ClaimCounts out;
  for (const JudgedPaper& judged : papers) {
    std::vector<PrintedClaim> claims;
    for (const PrintedClaim& claim : judged.paper.claims) claims.push_back(claim);
    std::vector<ClaimVerdict> verdicts;
    for (const ClaimJudgement& one : judged.judgements) verdicts.push_back(one.verdict);
    add_counts(claims, verdicts, out);
  }
  return out;
}

Json make_claims_json(std::span<const JudgedPaper> papers) {
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
      claims.push_back(
          {{"paper", paper.number},
           {"key", paper.key},
           {"kind", find_word(kClaimKinds, claim.kind)},
           {"where", claim.where},
           {"claim", claim.claim},
           {"printed", judgement.printed},
           {"computed", judgement.computed},
           {"unit", claim.unit},
           {"verdict", find_word(kClaimVerdicts, judgement.verdict)},
           {"why", judgement.why},
           {"fault", claim.fault},
           {"printed_as", claim.printed},
           {"runs", make_calls(fill_in(claim.source, list_combinations(claim.inputs).front()))},
           {"from", claim.source.from},
           {"expression", claim.computed},
           {"words", claim.words},
           {"cases", make_case_list(judgement.cases)}});
    }
    for (const DrawnFigure& drawing : judged.drawings) {
      Json figure{{"paper", paper.number}};
      figure.update(drawing.document);
      figures.push_back(figure);
    }
  }
  return {{"papers", titles},
          {"counts", make_counts(count_claims(papers))},
          {"claims", claims},
          {"figures", figures}};
}

}  // namespace slipstick
