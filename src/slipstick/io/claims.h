#pragma once

/// What a paper printed, and which calls of the program compute it (papers/README.md).

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/analysis/claims/claims.h"
#include "slipstick/io/claim_inputs.h"
#include "slipstick/io/json/json_parts.h"
#include "slipstick/io/page/figures.h"

namespace slipstick {

struct Claim : PrintedClaim {
  std::string where, claim;  ///< equation, table or figure; what is claimed, in words
  std::string unit;
  std::vector<ClaimInput> inputs;  ///< what the paper rounds or leaves open
  CallValues source;               ///< its calls may have {NAME} for an input
  std::string computed;            ///< an expression of the source's names, or one place
  std::array<std::string, 2> words{"no", "yes"};  ///< of a statement's expression: 0, else
};

struct Paper {
  std::string number, key, title, about;
  std::string symbols;  ///< what the letters of its figures and claims mean; may be empty
  std::vector<Claim> claims;
  std::vector<Figure> figures;
};

/// Throws InputError if a field is missing, unknown or of another type, a call does more than
/// answer, `computed` is not an expression of the names, or there are too many calls.
[[nodiscard]] Paper parse_paper(const std::string& file, const std::string& text);

/// The calls that its claims and figures need; some more than once.
[[nodiscard]] std::vector<std::string> list_runs(const Paper& paper);

/// A file papers/*/claims.toml, compiled into the library.
struct BuiltinPaper {
  std::string_view name;  ///< its folder
  std::string_view text;
};
/// Sorted by name. The definition is made by the build.
[[nodiscard]] std::span<const BuiltinPaper> builtin_papers();

/// The result for one choice of the inputs.
// NOLINTNEXTLINE(bugprone-exception-escape): as CallAnswer
struct ClaimCase {
  InputValues at;
  Json computed;
};

// NOLINTNEXTLINE(bugprone-exception-escape): as CallAnswer
struct ClaimJudgement {
  ClaimVerdict verdict = ClaimVerdict::kFailed;
  Json printed, computed;        ///< numbers or texts; null: nothing was computed
  std::vector<ClaimCase> cases;  ///< over the inputs; empty if the claim has none
  std::string why;
};

[[nodiscard]] ClaimJudgement judge(const Claim& claim, const CallAnswers& answers);

/// A paper with its results, in the order of its claims and figures.
struct JudgedPaper {
  Paper paper;
  std::vector<ClaimJudgement> judgements;
  std::vector<DrawnFigure> drawings;

  [[nodiscard]] bool has_failed() const;
};
[[nodiscard]] JudgedPaper judge(const Paper& paper, const CallAnswers& answers);

[[nodiscard]] ClaimCounts count_claims(std::span<const JudgedPaper> papers);

/// The document of `reproduce`.
[[nodiscard]] Json make_claims_json(std::span<const JudgedPaper> papers);

}  // namespace slipstick
