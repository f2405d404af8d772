#include <string_view>

#include "slipstick/io/model/run_formulas.h"
#include "slipstick/io/page/page.h"
#include "slipstick/io/run_text.h"

namespace slipstick {

bool has_viewer() { return !viewer_page().empty(); }

MotionDocument make_run_motion(const LoadedModel& loaded, const State& start,
                               const std::vector<const Run*>& runs) {
  const Model& model = *loaded.model;
  const ObservableRows observed = make_observable_rows(loaded);
  std::vector<MotionRows> rows;
  rows.reserve(runs.size());
  for (const Run* run : runs) rows.push_back(make_smooth_rows(model, *run, observed));
  prepend_state(model, start, rows.front());
  return make_motion(model, rows);
}

std::string make_run_page(const LoadedModel& loaded, const RunTree& tree,
                          const std::string& command) {
  std::vector<const Run*> runs;
  for (const BranchRun& branch : tree.runs) runs.push_back(&branch.run);
  std::string out;
  write_page(&loaded,
             {"", "simulate", command, make_run_json(loaded, tree),
              make_run_motion(loaded, loaded.initial, runs)},
             [&out](std::string_view part) { out += part; });
  return out;
}

}  // namespace slipstick
