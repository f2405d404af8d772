#pragma once

/// A page that shows a run in a browser, in one file (docs/formats.md).
///
///     if (slipstick::has_viewer()) {
///       const slipstick::RunTree tree = slipstick::make_tree(run);
///       std::ofstream("run.html") << slipstick::make_run_page(arm, tree, "my own program");
///     }

#include <string>

#include "slipstick/model_file.h"
#include "slipstick/run.h"

namespace slipstick {

/// False if the library was built without the viewer (viewer/): there are no pages then.
[[nodiscard]] bool has_viewer();

/// The page of the runs, which must have their trajectories; `command` tells the reader how to
/// repeat them. Throws InputError if the library was built without the viewer.
[[nodiscard]] std::string make_run_page(const LoadedModel& loaded, const RunTree& tree,
                                        const std::string& command);

}  // namespace slipstick
