#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/sim/hybrid/go_on.h"
#include "slipstick/sim/hybrid/motion.h"

namespace slipstick {
namespace {

/// Grows the tree depth first.
class Growth {
 public:
  explicit Growth(const SimulationOptions& options) : options_(options) {
    tree_.branching = is_branching(options);
  }

  void follow(Motion motion, int parent, const Choice& choice, int depth) {
    const auto id = static_cast<int>(tree_.runs.size());
    starts_.emplace_back(id, motion);
    motion.go_on();
    tree_.runs.push_back({parent, choice.word, {}, motion.take_run(), choice.text});
    if (tree_.runs.back().run.end.reason != EndReason::kBranch) return;
    if (const auto same = find_same(branchings_, motion)) return merge(id, *same);
    branchings_.emplace_back(id, motion);
    for (const Transition& next : motion.ways()) {
      if (depth == options_.max_depth || static_cast<int>(tree_.runs.size()) == options_.max_runs) {
        tree_.limited = true;
        tree_.runs[static_cast<std::size_t>(id)].run.end.reason = EndReason::kBranchLimit;
        return;
      }
      Motion branch = motion.follow(next);
      if (const auto same = find_same(starts_, branch)) {
        tree_.runs.push_back({id, next.choice.word, {}, branch.take_run(), next.choice.text});
        merge(static_cast<int>(tree_.runs.size()) - 1, *same);
      } else {
        follow(std::move(branch), id, next.choice, depth + 1);
      }
    }
  }

  [[nodiscard]] RunTree take() { return std::move(tree_); }

 private:
  using Numbered = std::vector<std::pair<int, Motion>>;

  [[nodiscard]] static std::optional<int> find_same(const Numbered& among, const Motion& motion) {
    const auto found = std::find_if(among.begin(), among.end(), [&](const auto& other) {
      return other.second.has_same_future(motion);
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
  Motion motion(model, initial, options);
  motion.go_on();
  return motion.take_run();
}

Run simulate(const Model& model, HybridState& at, const SimulationOptions& options) {
  Motion motion(model, std::move(at), options);
  motion.go_on();
  Run out = motion.take_run();
  at = motion.at();
  return out;
}

RunTree simulate_tree(const Model& model, const State& initial, const SimulationOptions& options) {
  Motion motion(model, initial, options);
  motion.settle();
  Growth growth(options);
  growth.follow(std::move(motion), -1, {}, 0);
  return growth.take();
}

}  // namespace slipstick
