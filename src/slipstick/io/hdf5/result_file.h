#pragma once

/// What the program needs of result files beside result_file.h (include/slipstick): writing them
/// part by part, their rows, and their document.

#include <string>
#include <vector>

#include "slipstick/io/byte_sink.h"
#include "slipstick/io/json/json_parts.h"
#include "slipstick/io/run_rows.h"
#include "slipstick/result_file.h"

namespace slipstick {

/// make_result_file() part by part.
void write_result_file(const LoadedModel& loaded, const RunRequest& request, const RunTree& tree,
                       const ByteSink& sink);

/// The rows of the runs in a file that was parsed before.
[[nodiscard]] std::vector<MotionRows> parse_motion_rows(const std::string& file,
                                                        const std::string& bytes,
                                                        const ResultFile& result);

/// The document of `show --json`.
[[nodiscard]] Json make_result_json(const ResultFile& result);

}  // namespace slipstick
