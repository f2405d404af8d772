#pragma once

/// Result files (docs/formats.md): a run with all that is needed to look at it and to repeat it.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/io/byte_sink.h"
#include "slipstick/io/json/json_parts.h"
#include "slipstick/io/model/model_file.h"
#include "slipstick/io/run_rows.h"
#include "slipstick/sim/run.h"

namespace slipstick {

inline constexpr std::int64_t kResultSchema = 1;

/// What a run depends on beside its model.
struct RunRequest {
  SimulationOptions options;
  std::optional<double> sample;  ///< of trajectory.csv [s]
  /// Of an interrupted run: how often it was told to keep going.
  std::optional<std::int64_t> interrupted_after;
  bool check = false;  ///< by check_tree
};

/// The file's bytes; equal runs give equal bytes. The runs must have their trajectories.
[[nodiscard]] std::string make_result_file(const LoadedModel& loaded, const RunRequest& request,
                                           const RunTree& tree);
void write_result_file(const LoadedModel& loaded, const RunRequest& request, const RunTree& tree,
                       const ByteSink& sink);

struct ResultFile {
  std::string version;  ///< of the program that wrote it
  LoadedModel loaded;   ///< made from the text in the file
  RunRequest request;
  RunTree tree;  ///< without trajectories
  std::int64_t schema = kResultSchema;
  std::size_t rows = 0, segments = 0, bytes = 0;
};

/// Throws InputError if the bytes are not a whole result file of a schema up to ours.
[[nodiscard]] ResultFile parse_result_file(const std::string& file, const std::string& bytes);

/// The rows of its runs, of a file that was parsed already.
[[nodiscard]] std::vector<MotionRows> parse_motion_rows(const std::string& file,
                                                        const std::string& bytes,
                                                        const ResultFile& result);

/// Simulates what the file asks for, up to the same step if it was interrupted.
[[nodiscard]] RunTree repeat_run(const ResultFile& result);

/// The document of `show --json`.
[[nodiscard]] Json make_result_json(const ResultFile& result);

}  // namespace slipstick
