#pragma once

/// Result files (docs/formats.md): a run with all that is needed to show it and to repeat it.
///
///     const slipstick::RunTree tree = slipstick::make_tree(run);
///     const std::string bytes = slipstick::make_result_file(arm, {options, {}, {}, false}, tree);
///     std::ofstream("run.h5", std::ios::binary) << bytes;  // HDF5

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/model_file.h"
#include "slipstick/run.h"

namespace slipstick {

/// The schema that is written; docs/formats.md tells what each brought.
inline constexpr std::int64_t kResultSchema = 1;

/// What a run depends on besides its model.
struct RunRequest {
  SimulationOptions options;     ///< how it is simulated
  std::optional<double> sample;  ///< of trajectory.csv [s]
  /// Of an interrupted run: the number of steps and events after which it stopped.
  std::optional<std::int64_t> interrupted_after;
  bool check = false;                     ///< by check_tree
  std::vector<Observable> observables{};  ///< beside those of the model's text
};

/// The file's bytes; equal runs give equal bytes. The runs must have their trajectories.
[[nodiscard]] std::string make_result_file(const LoadedModel& loaded, const RunRequest& request,
                                           const RunTree& tree);
/// What a result file holds.
struct ResultFile {
  std::string version;                            ///< of the program that wrote it
  LoadedModel loaded;                             ///< made from the text in the file
  RunRequest request;                             ///< of the runs
  RunTree tree;                                   ///< without trajectories
  std::int64_t schema = kResultSchema;            ///< of the file
  std::size_t rows = 0, segments = 0, bytes = 0;  ///< how many it has
};

/// Throws InputError if the bytes are not a whole result file of this schema or an earlier one.
[[nodiscard]] ResultFile parse_result_file(const std::string& file, const std::string& bytes);

/// Simulates what the file asks for, up to the same step if it was interrupted.
[[nodiscard]] RunTree repeat_run(const ResultFile& result);

}  // namespace slipstick
