#include "gait_perturb.h"

#include <fmt/format.h>

#include <map>

#include "slipstick/core/parse_word.h"
#include "slipstick/errors.h"
#include "slipstick/io/ranges.h"

namespace slipstick::cli {

GaitPerturbation read_perturbation(const LoadedModel& loaded, const std::vector<std::string>& words,
                                   std::optional<int> phases) {
  const auto kind = parse_word<PerturbationKind>("--perturb", words[0], kPerturbationKinds);
  const std::string option = "--perturb " + words[0];
  const std::string where = option + " " + words[1];
  constexpr int kSizes = 21;
  GaitPerturbation out;
  out.sizes = parse_size_axis(loaded, option, words[1], kSizes,
                              list_perturbation_names(*loaded.model, kind));
  if (out.sizes.logarithmic) throw InputError(where, "expected NAME=A:B:N, got a range with log");
  out.what = make_perturbation(*loaded.model, kind, out.sizes.name);
  if (kind == PerturbationKind::kSeparation && out.what.contact >= 0 && out.sizes.range.low < 0.0) {
    throw InputError(where,
                     fmt::format("expected heights from 0 m on, got {} m", out.sizes.range.low));
  }
  out.phases = phases.value_or(out.phases);
  constexpr double kMostPoints = 1e6;
  if (static_cast<double>(out.sizes.count) * out.phases > kMostPoints) {
    throw InputError(where, fmt::format("expected at most a million points, got {} x {}",
                                        out.sizes.count, out.phases));
  }
  return out;
}

std::string describe_perturbations(const GaitAnswer& answer) {
  const PerturbationMap& map = *answer.perturbation_map;
  const OutcomeAxis& sizes = answer.perturbations.sizes;
  std::string out =
      fmt::format("\n{} of {} by {:.6g} to {:.6g} at {} times\n",
                  find_word(kPerturbationKinds, answer.perturbation.kind), answer.perturbation.name,
                  sizes.range.low, sizes.range.high, map.phases.size());
  if (!map.complete()) out += "interrupted before all of them\n";
  std::map<std::string, long> counts;
  std::map<std::string, std::string> whys;
  long derivatives = 0;
  for (const PerturbationPhase& phase : map.phases) {
    for (const int cell : phase.sizes.cells) {
      if (cell >= 0) ++counts[phase.sizes.labels[static_cast<std::size_t>(cell)]];
    }
    derivatives += phase.derivative ? 1 : 0;
    if (phase.no_derivative) whys.emplace(phase.no_derivative.sentence, "");
  }
  for (const auto& [label, count] : counts) out += fmt::format("  {:<32} {}\n", label, count);
  if (map.periods == 0) out += "the gait is unstable, so it is never regained\n";
  for (const double direction : {1.0, -1.0}) {
    if (direction > 0.0 ? !(sizes.range.high > 0.0) : !(sizes.range.low < 0.0)) continue;
    const auto basin = find_basin(map, direction);
    if (!basin) {
      out += fmt::format("  not regained at all times after small sizes {} 0\n",
                         direction > 0.0 ? "above" : "below");
      continue;
    }
    const bool is_whole = *basin == (direction > 0.0 ? sizes.range.high : sizes.range.low);
    out += fmt::format("  regained at all times up to {:.9g}{}\n", *basin,
                       is_whole ? ", the end of the range" : "");
  }
  out += fmt::format("judged after {} periods; linear answer at {} of {} times\n", map.periods,
                     derivatives, map.phases.size());
  for (const auto& [why, nothing] : whys) out += "  none where " + why + "\n";
  return out;
}

}  // namespace slipstick::cli
