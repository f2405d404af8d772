/// The hot path does not touch the heap: global operator new counts while a test asks it to.

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "slipstick/classify.h"
#include "slipstick/contact/modes.h"
#include "slipstick/io/model/builtin_models.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model_file.h"

namespace {

bool counting = false;     // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
int allocation_count = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

// GCC does not see that these operators belong together unless it puts them into one another.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

// The plain and the nothrow forms together: sanitizers want each pair from one hand.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  if (counting) ++allocation_count;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size) {
  void* memory = operator new(size, std::nothrow);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

namespace slipstick {
namespace {

template <class F>
int count_allocations(const F& f) {
  allocation_count = 0;
  counting = true;
  f();
  counting = false;
  return allocation_count;
}

TEST(Allocation, TheCounterCounts) {
  std::vector<int> list;
  EXPECT_EQ(count_allocations([&] { list.resize(100); }), 1);
}

TEST(Allocation, NoneInAnEvaluation) {
  constexpr std::array<int, 1> kFirst{0};
  for (const BuiltinModel& builtin : builtin_models()) {
    const LoadedModel loaded = read_model(std::string(builtin.name), {});
    EXPECT_EQ(count_allocations([&] { (void)eval_dynamics(*loaded.model, loaded.initial); }), 0)
        << builtin.name;
    EXPECT_EQ(count_allocations(
                  [&] { (void)eval_contact_dynamics(*loaded.model, loaded.initial, kFirst); }),
              0)
        << builtin.name;
    EXPECT_EQ(count_allocations(
                  [&] { (void)eval_sliding_response(*loaded.model, loaded.initial, 0, 1.0); }),
              0)
        << builtin.name;
    EXPECT_EQ(
        count_allocations([&] { (void)eval_contact_kinematics(*loaded.model, loaded.initial); }), 0)
        << builtin.name;
  }
}

/// One closed contact, and no decision is close there. The lists of the public answer are
/// std::vectors, so that users need no other library: two of them are not empty.
TEST(Allocation, NoneInTheContactProblemOfOneContact) {
  for (const char* name : {"compass-biped", "rimless-wheel"}) {
    const LoadedModel loaded = read_model(name, {});
    const Tolerances tolerances;
    const auto solve = [&] {
      ContactKinematics kinematics;
      const ContactProblem problem =
          make_contact_problem(*loaded.model, loaded.initial, tolerances, kinematics);
      (void)find_consistent_modes(problem, loaded.model->contact_names, tolerances);
    };
    EXPECT_EQ(count_allocations(solve), 0) << name;
    EXPECT_EQ(count_allocations([&] { (void)classify(*loaded.model, loaded.initial, tolerances); }),
              2)
        << name;
  }
}

}  // namespace
}  // namespace slipstick
