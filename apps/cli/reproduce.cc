#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "call.h"
#include "options.h"
#include "progress.h"
#include "slipstick/analysis/parallel_for.h"
#include "slipstick/core/nearest_name.h"
#include "slipstick/errors.h"
#include "slipstick/io/claims.h"
#include "slipstick/io/text_file.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

struct ReproduceOptions {
  std::vector<std::string> papers;
  std::vector<std::string> files;
  OutputOptions output;
};

/// Reading a pipe or a device could block forever.
Paper read_paper(const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_other(std::filesystem::status(file, error))) {
    throw InputError(file, "expected a file of claims, got a pipe or a device");
  }
  return parse_paper(file, read_text_file(file));
}

/// The papers of the given files, and the built-in ones named by number or key; all built-in ones
/// if neither was given.
std::vector<Paper> choose_papers(const ReproduceOptions& options) {
  std::vector<Paper> all;
  for (const BuiltinPaper& builtin : builtin_papers()) {
    all.push_back(
        parse_paper(fmt::format("papers/{}/claims.toml", builtin.name), std::string(builtin.text)));
  }
  std::vector<Paper> out;
  for (const std::string& file : options.files) out.push_back(read_paper(file));
  if (options.papers.empty() && options.files.empty()) return all;
  std::vector<std::string> known;
  for (const Paper& paper : all) known.insert(known.end(), {paper.number, paper.key});
  for (const std::string& name : options.papers) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Paper& paper) {
      return paper.number == name || paper.key == name;
    });
    if (found == all.end()) {
      throw InputError(
          name, fmt::format("expected a paper, one of {}, got '{}'{}", fmt::join(known, ", "), name,
                            make_suggestion(name, known)));
    }
    out.push_back(*found);
  }
  std::set<std::string> numbers;
  for (const Paper& paper : out) {
    if (numbers.insert(paper.number).second) continue;
    throw InputError(paper.number, "expected each paper once, got it again");
  }
  return out;
}

/// Runs every call once, however many claims use it, on all cores.
CallAnswers run_calls(const std::vector<Paper>& papers, const Interruption& interruption) {
  CallAnswers out;
  for (const Paper& paper : papers) {
    for (const std::string& run : list_runs(paper)) out[run].failure = "interrupted";
  }
  std::vector<CallAnswers::iterator> calls;
  for (auto it = out.begin(); it != out.end(); ++it) calls.push_back(it);
  Progress progress;
  std::atomic<std::size_t> done = 0;
  parallel_for(calls.size(), [&](std::size_t i) {
    if (interruption.came()) return;
    calls[i]->second = call_program(calls[i]->first);
    ++done;
    progress.tell([&] { return fmt::format("{} of {} calls", done.load(), calls.size()); });
  });
  return out;
}

std::string describe_value(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? fmt::format("{:.8g}", value.get<double>()) : value.dump();
}

/// What comes out over the inputs: the least and the largest number, or how often each word.
std::string describe(const std::vector<ClaimCase>& cases, const std::string& unit) {
  if (cases.empty()) return "";
  std::set<std::string> names;
  for (const auto& [name, value] : cases.front().at) names.insert(name);
  std::map<std::string, int> words;
  std::optional<double> least, most;
  for (const ClaimCase& one : cases) {
    if (!one.computed.is_number()) {
      ++words[describe_value(one.computed)];
      continue;
    }
    const double value = one.computed.get<double>();
    least = std::min(least.value_or(value), value);
    most = std::max(most.value_or(value), value);
  }
  std::vector<std::string> parts;
  if (least) parts.push_back(fmt::format("{:.6g} to {:.6g}{}", *least, *most, unit));
  for (const auto& [word, count] : words) {
    parts.push_back(fmt::format("{} in {} of {} cases", word, count, cases.size()));
  }
  return fmt::format("; {} over {}", fmt::join(parts, ", "), fmt::join(names, ", "));
}

/// The name of the paper's side of a claim: a printed number, a value of a formula, or words.
std::string_view describe(ClaimKind kind) {
  switch (kind) {
    case ClaimKind::kPrinted:
      return "printed";
    case ClaimKind::kFormula:
      return "its formula gives";
    case ClaimKind::kStatement:
      return "stated:";
  }
  return "";
}

std::string describe(const Claim& claim, const ClaimJudgement& judgement) {
  const std::string unit = claim.unit.empty() ? "" : " " + claim.unit;
  std::string out =
      fmt::format("{:<17} {}: {}\n{:<17}   {} {}{}, computed {}{}{}\n",
                  find_word(kClaimVerdicts, judgement.verdict), claim.where, claim.claim, "",
                  describe(claim.kind), claim.printed, unit, describe_value(judgement.computed),
                  unit, describe(judgement.cases, unit));
  if (!judgement.why.empty()) out += fmt::format("{:<17}   {}\n", "", judgement.why);
  return out;
}

/// Figures are drawn on the page. This lists those that could not be drawn.
std::string describe(const DrawnFigure& drawing) {
  if (!drawing.failed) return "";
  const std::string where = drawing.document.at("where").get<std::string>();
  std::vector<std::string> failures;
  const auto look = [&](const Json& part) {
    if (part.contains("failure")) failures.push_back(part.at("failure").get<std::string>());
  };
  for (const Json& curve : drawing.document.at("curves")) look(curve);
  if (drawing.document.contains("map")) look(drawing.document.at("map"));
  return fmt::format("{:<17} {} could not be drawn: {}\n", "failed", where,
                     fmt::join(failures, "; "));
}

/// A row per verdict, a column per kind.
std::string describe(const ClaimCounts& counts) {
  std::string rows;
  int all = 0;
  for (std::size_t verdict = 0; verdict < kClaimVerdicts.size(); ++verdict) {
    int sum = 0;
    std::string row = fmt::format("{:<17}", kClaimVerdicts[verdict]);
    for (const auto& of_kind : counts.claims) {
      row += fmt::format("{:>11}", of_kind[verdict]);
      sum += of_kind[verdict];
    }
    all += sum;
    if (sum == 0) continue;
    rows += row;
    if (kClaimVerdicts[verdict] == "erratum") {
      rows += fmt::format("   ({} distinct {})", counts.faults,
                          counts.faults == 1 ? "error" : "errors");
    }
    rows += "\n";
  }
  if (all == 0) return "";
  std::string head(17, ' ');
  for (const std::string_view kind : kClaimKinds) head += fmt::format("{:>11}", kind);
  return head + "\n" + rows;
}

std::string describe(const std::vector<JudgedPaper>& papers) {
  std::string out;
  std::size_t charts = 0;
  for (const auto& [paper, judgements, drawings] : papers) {
    out += fmt::format("{}[{}] {}\n{}\n\n", out.empty() ? "" : "\n", paper.key, paper.title,
                       paper.about);
    for (std::size_t i = 0; i < judgements.size(); ++i) {
      out += describe(paper.claims[i], judgements[i]);
    }
    for (const DrawnFigure& drawing : drawings) {
      out += describe(drawing);
      if (!drawing.failed) ++charts;
    }
  }
  out += "\n" + describe(count_claims(papers));
  if (charts > 0) {
    out += fmt::format("{} {} of figures, on the page\n", charts, charts == 1 ? "chart" : "charts");
  }
  return out;
}

int run_reproduce(const ReproduceOptions& options) {
  const std::vector<Paper> papers = choose_papers(options);
  const Interruption interruption;
  const CallAnswers answers = run_calls(papers, interruption);
  if (interruption.came()) return interruption.exit_code();
  std::vector<JudgedPaper> judged;
  judged.reserve(papers.size());
  for (const Paper& paper : papers) judged.push_back(judge(paper, answers));
  PageSource page;
  page.title = "The papers, claim by claim";
  print_result(options.output, {"reproduce", "reproduce.json", make_claims_json(judged),
                                describe(judged), page, true});
  const bool failed = std::any_of(judged.begin(), judged.end(),
                                  [](const JudgedPaper& paper) { return paper.has_failed(); });
  return failed ? kNumerics : kAnswered;
}

}  // namespace

void add_reproduce_verb(CLI::App& app, Action& run) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App* verb = app.add_subcommand(
      "reproduce", "what the papers printed beside what is computed, claim by claim");
  verb->add_option("PAPER", options->papers,
                   "papers by number or key, e.g. 003 or Fremond2007 (default: all)");
  verb->add_option("--claims", options->files, "a file of claims of your own; repeatable")
      ->allow_extra_args(false)
      ->type_name("FILE");
  add_output_options(*verb, options->output);
  verb->footer("Example:\n  slipstick reproduce 003");
  verb->callback([options, &run] { run = [options] { return run_reproduce(*options); }; });
}

}  // namespace slipstick::cli
