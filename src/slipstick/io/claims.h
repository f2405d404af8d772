#pragma once

/// What a paper printed, and which calls of the program compute it (papers/README.md).

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/core/words.h"
#include "slipstick/io/json_parts.h"

namespace slipstick {

struct Claim {
  std::string where, claim;   ///< equation, table or figure; what is claimed, in words
  std::string printed, unit;  ///< a number as it was printed, or words
  std::optional<double> tolerance;
  std::vector<std::string> runs;            ///< calls, without the program's name
  std::map<std::string, std::string> from;  ///< names of values: places in the documents
  std::string computed;                     ///< an expression of the names, or one pointer
  std::string erratum, why;
  bool under_determined = false;
  std::string place;  ///< "file:line", for messages
};

struct Paper {
  std::string number, key, title, about;
  std::vector<Claim> claims;
};

/// Throws InputError if a field is missing, unknown or of another type, or `computed` is not an
/// expression of the names.
[[nodiscard]] Paper parse_paper(const std::string& file, const std::string& text);

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

/// What became of a call: its document, or why there is none.
struct CallAnswer {
  Json document;
  std::string failure;
};

struct ClaimJudgement {
  ClaimVerdict verdict = ClaimVerdict::kFailed;
  Json printed, computed;  ///< numbers or texts; null: nothing was computed
  std::string why;
};

/// `answers`: one per run of the claim.
[[nodiscard]] ClaimJudgement judge(const Claim& claim, std::span<const CallAnswer> answers);

/// The document of `reproduce`.
struct JudgedClaim {
  const Paper* paper = nullptr;
  const Claim* claim = nullptr;
  ClaimJudgement judgement;
};
[[nodiscard]] std::string make_claims_json(std::span<const JudgedClaim> claims);

}  // namespace slipstick
