#pragma once

/// What a paper printed, and which calls of the program compute it (papers/README.md).

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/core/words.h"
#include "slipstick/io/figures.h"

namespace slipstick {

struct Claim {
  std::string where, claim;   ///< equation, table or figure; what is claimed, in words
  std::string printed, unit;  ///< a number as it was printed, or words
  std::optional<double> tolerance;
  CallValues source;
  std::string computed;  ///< an expression of the source's names, or one place
  std::string erratum, why;
  bool under_determined = false;
};

struct Paper {
  std::string number, key, title, about;
  std::string symbols;  ///< what the letters of its figures and claims mean; may be empty
  std::vector<Claim> claims;
  std::vector<Figure> figures;
};

/// Throws InputError if a field is missing, unknown or of another type, or `computed` is not an
/// expression of the names.
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

enum class ClaimVerdict { kAgrees, kDiffers, kUnderDetermined, kErratum, kFailed };
inline constexpr Words<5> kClaimVerdicts{"agrees", "differs", "under-determined", "erratum",
                                         "failed"};

// NOLINTNEXTLINE(bugprone-exception-escape): as CallAnswer
struct ClaimJudgement {
  ClaimVerdict verdict = ClaimVerdict::kFailed;
  Json printed, computed;  ///< numbers or texts; null: nothing was computed
  std::string why;
};

[[nodiscard]] ClaimJudgement judge(const Claim& claim, const CallAnswers& answers);

/// A paper with what came out, in the order of its claims and figures.
struct JudgedPaper {
  Paper paper;
  std::vector<ClaimJudgement> judgements;
  std::vector<DrawnFigure> drawings;

  [[nodiscard]] bool has_failed() const;
};
[[nodiscard]] JudgedPaper judge(const Paper& paper, const CallAnswers& answers);

/// The document of `reproduce`.
[[nodiscard]] std::string make_claims_json(std::span<const JudgedPaper> papers);

}  // namespace slipstick
