#include "slipstick/sim/simulate.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/sim/simulation.h"

namespace slipstick {
namespace {

/// Grows the tree depth first.
class Growth {
 public:
  explicit Growth(const SimulationOptions& options) : options_(options) {
    tree_.branching = is_branching(options);
  }

  void follow(Simulation simulation, int parent, const std::string& choice, int depth) {
    const auto id = static_cast<int>(tree_.runs.size());
    starts_.emplace_back(id, simulation);
    simulation.go_on();
    tree_.runs.push_back({parent, choice, {}, simulation.take_run()});
    if (tree_.runs.back().run.end.reason != EndReason::kBranch) return;
    if (const auto same = find_same(branchings_, simulation)) return merge(id, *same);
    branchings_.emplace_back(id, simulation);
    for (const Choice& next : simulation.choices()) {
      if (depth == options_.max_depth || static_cast<int>(tree_.runs.size()) == options_.max_runs) {
        tree_.limited = true;
        tree_.runs[static_cast<std::size_t>(id)].run.end.reason = EndReason::kBranchLimit;
        return;
      }
      Simulation branch = simulation.branch(next);
      if (const auto same = find_same(starts_, branch)) {
        tree_.runs.push_back({id, next.word, {}, branch.take_run()});
        merge(static_cast<int>(tree_.runs.size()) - 1, *same);
      } else {
        follow(std::move(branch), id, next.word, depth + 1);
      }
    }
  }

  [[nodiscard]] RunTree take() { return std::move(tree_); }

 private:
  using Numbered = std::vector<std::pair<int, Simulation>>;

  [[nodiscard]] static std::optional<int> find_same(const Numbered& among,
                                                    const Simulation& simulation) {
    const auto found = std::find_if(among.begin(), among.end(), [&](const auto& other) {
      return other.second.has_same_future(simulation);
    });
    return found == among.end() ? std::nullopt : std::optional(found->first);
  }

  void merge(int id, int same) {
    BranchRun& run = tree_.runs[static_cast<std::size_t>(id)];
    run.merged_into = same;
    run.run.end = {EndReason::kMerged, run.run.state.time, {}};
  }

  const SimulationOptions& options_;
  RunTree tree_;
  Numbered starts_, branchings_;
};

}  // namespace

Run simulate(const Model& model, const State& initial, const SimulationOptions& options) {
  Simulation simulation(model, initial, options);
  simulation.start();
  simulation.go_on();
  return simulation.take_run();
}

RunTree simulate_tree(const Model& model, const State& initial, const SimulationOptions& options) {
  Simulation simulation(model, initial, options);
  simulation.start();
  Growth growth(options);
  growth.follow(std::move(simulation), -1, {}, 0);
  return growth.take();
}

}  // namespace slipstick
