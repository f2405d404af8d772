#pragma once

/// A page that shows a result in a browser: the viewer (viewer/) with the result's document in it,
/// docs/formats.md#pages.

#include <string>
#include <vector>

#include "slipstick/io/byte_sink.h"
#include "slipstick/io/page/scene_json.h"
#include "slipstick/model_file.h"
#include "slipstick/page.h"

namespace slipstick {

/// The viewer's page with a place for the document; empty if the program was built without it.
[[nodiscard]] std::string viewer_page();

struct PageParts {
  std::string title;  ///< of a page without a model
  std::string verb;
  std::string command;  ///< repeats the result
  Json result;          ///< the document of the verb
  MotionDocument motion;
};

/// `loaded` is null for a page that is not about one model. Throws InputError if the program was
/// built without the viewer.
void write_page(const LoadedModel* loaded, PageParts parts, const ByteSink& sink);

/// What a page shows of runs that begin at this state.
[[nodiscard]] MotionDocument make_run_motion(const LoadedModel& loaded, const State& start,
                                             const std::vector<const Run*>& runs);

}  // namespace slipstick
