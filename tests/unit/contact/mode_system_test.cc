/// Assumptions that is_ruled_out rejects are rejected by their whole system, too.

#include "slipstick/contact/mode_system.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cases.h"
#include "unit/contact/random_problems.h"

namespace slipstick {
namespace {

/// Calls f with every choice of an option per contact.
template <class F>
void for_each_choice(const ContactProblem& problem, Options& chosen, const F& f) {
  if (chosen.size() == problem.closed.size()) return f();
  for (const Option& option : list_options(problem.closed[chosen.size()])) {
    chosen.push_back(option);
    for_each_choice(problem, chosen, f);
    chosen.pop_back();
  }
}

TEST(ModeSystem, what_is_ruled_out_breaks_an_inequality_of_the_whole_system) {
  constexpr int kProblems = testkit::cases(20000);
  RandomProblems random(11);
  int ruled_out = 0;
  int left = 0;
  for (int trial = 0; trial < kProblems; ++trial) {
    const ContactProblem problem = make_problem(random.draw().equations);
    const ScaledProblem scaled = make_scaled(problem);
    Options options;
    for_each_choice(problem, options, [&] {
      if (!is_ruled_out(scaled, options)) {
        ++left;
        return;
      }
      ++ruled_out;
      const Tolerances tolerances;
      const ModeSystem system = make_system(scaled, options);
      const LinearSolution linear = solve_equations(system, scaled.force_scale, tolerances);
      ASSERT_TRUE(linear.exists && linear.Z.cols() == 0) << "problem " << trial;
      ASSERT_TRUE(std::any_of(system.inequalities.begin(), system.inequalities.end(),
                              [&](const Inequality& inequality) {
                                return inequality.eval(linear.x) <
                                       -100.0 * tolerances.marginal *
                                           inequality.eval_scale(linear.x);
                              }))
          << "problem " << trial;
    });
  }
  // Two of three are; the rest are solutions, marginal, singular or too large.
  EXPECT_GT(ruled_out, left);
}

}  // namespace
}  // namespace slipstick
