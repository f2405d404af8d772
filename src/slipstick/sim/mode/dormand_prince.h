#pragma once

/// One step of the Dormand-Prince method of order 8 for an autonomous system y' = f(y), with an
/// interpolant of order 7 that is computed only when asked for. No heap; the size is bounded at
/// compile time and known at run time.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

#include "slipstick/sim/mode/dormand_prince_table.h"
#include "slipstick/sim/mode/nested_polynomial.h"

namespace slipstick {

/// y over one step.
template <std::size_t max_size>
using StepInterpolant =
    NestedPolynomial<std::array<std::array<double, max_size>, 1 + dormand_prince::kCoefficients>>;

template <std::size_t max_size>
class DormandPrince {
 public:
  using Vector = std::array<double, max_size>;
  static_assert(max_size % 4 == 0, "components are worked on in blocks of four");

  explicit DormandPrince(std::size_t size) : DormandPrince(size, size) {}
  /// `inputs`: f depends only on this many of the first components; the others are not set when it
  /// is called. `wide`: sums in registers that hold a whole block, if the processor has them.
  DormandPrince(std::size_t size, std::size_t inputs, bool wide = true)
      : size_(size), inputs_(inputs), wide_(wide && has_wide_registers()) {}

  /// Starts at y; `f(y, slope)` fills the slope.
  template <class F>
  void start(const Vector& y, F&& f) {
    y_ = y;
    f(y_, stages_[0]);
  }
  /// Starts where the last step ended, after `end` was corrected and `slope_at_end` is known.
  void go_on() {
    copy(end_, y_);
    copy(stages_[dormand_prince::kStages], stages_[0]);
  }

  /// Makes a step of this length. Returns its error divided by the allowed one, over the first
  /// `controlled` components. The allowed errors must fill their last block.
  /// The step's result; before `finish` it may be changed by as much as its error.
  template <class F>
  double step(double length, std::size_t controlled, const Vector& allowed, F&& f) {
    return in_registers([&]() __attribute__((always_inline)) {
      return make_step(length, controlled, allowed, f);
    });
  }

  [[nodiscard]] const Vector& start() const { return y_; }
  [[nodiscard]] const Vector& slope() const { return stages_[0]; }
  /// The step's result; may be moved by as much as its error before `finish`.
  [[nodiscard]] Vector& end() { return end_; }
  [[nodiscard]] const Vector& end() const { return end_; }
  [[nodiscard]] const Vector& slope_at_end() const { return stages_[dormand_prince::kStages]; }
  /// Slopes of stages within the step, to fourth order.
  [[nodiscard]] const Vector& slope_at_third() const { return stages_[5]; }
  [[nodiscard]] const Vector& slope_at_three_fifths() const { return stages_[9]; }
  [[nodiscard]] double length() const { return length_; }

  /// Evaluates the slope at the end.
  template <class F>
  void finish(F&& f) {
    f(end_, stages_[dormand_prince::kStages]);
  }

  /// Interpolant of the finished step: three more evaluations.
  template <class F>
  void write_interpolant(F&& f, StepInterpolant<max_size>& out) {
    in_registers([&]() __attribute__((always_inline)) { make_interpolant(f, out); });
  }

 private:
  using Block [[gnu::vector_size(32)]] = double;

  [[nodiscard]] static bool has_wide_registers() {
#ifdef __x86_64__
    return __builtin_cpu_supports("avx") != 0;
#else
    return false;
#endif
  }

  /// Runs some work with or without wide registers. Both round alike, so results are the same on
  /// every machine. All parts of the work are inlined, because separate functions would not be
  /// compiled for wide registers.
  template <class F>
  auto in_registers(const F& work) const {
    return wide_ ? in_wide_registers(work) : work();
  }
  template <class F>
#ifdef __x86_64__
  [[gnu::target("avx"), gnu::noinline]]
#endif
  auto
  in_wide_registers(const F& work) const {
    return work();
  }

  template <class F>
  [[gnu::always_inline]] void for_each_block(const F& f) const {
    for_each_block(size_, f);
  }
  template <class F>
  [[gnu::always_inline]] static void for_each_block(std::size_t size, const F& f) {
    for (std::size_t at = 0; at < size; at += 4) f(at);
  }

  // Blocks are passed by reference. By value, the calling convention would depend on wide
  // registers.
  [[gnu::always_inline]] static void get(const Vector& y, std::size_t at, Block& out) {
    std::memcpy(&out, y.data() + at, sizeof out);
  }
  [[gnu::always_inline]] static void set(Vector& y, std::size_t at, const Block& block) {
    std::memcpy(y.data() + at, &block, sizeof block);
  }
  [[gnu::always_inline]] void copy(const Vector& from, Vector& to) const {
    for_each_block([&](std::size_t at) __attribute__((always_inline)) {
      Block block;
      get(from, at, block);
      set(to, at, block);
    });
  }
  [[gnu::always_inline]] static void add(double weight, const Vector& y, std::size_t at,
                                         Block& sum) {
    Block block;
    get(y, at, block);
    sum += weight * block;
  }

  /// sum_j weights_j stage_j of a block, for the first stages. Without loops the weights are
  /// constants, zero weights cost nothing, and sums stay in registers.
  template <std::size_t... j>
  [[gnu::always_inline]] void combine(const double* weights, std::index_sequence<0, j...>,
                                      std::size_t at, Block& sum) const {
    get(stages_[0], at, sum);
    sum *= weights[0];
    ((weights[j] != 0.0 ? add(weights[j], stages_[j], at, sum) : void()), ...);
  }
  template <std::size_t count>
  [[gnu::always_inline]] void combine(const std::array<double, count>& weights, std::size_t at,
                                      Block& sum) const {
    combine(weights.data(), std::make_index_sequence<count>{}, at, sum);
  }

  template <std::size_t stage, class F>
  [[gnu::always_inline]] void run_stage(Vector& y, F& f) {
    constexpr const double* kWeights = dormand_prince::kA.data() + stage * (stage - 1) / 2;
    for_each_block(
        inputs_, [&](std::size_t at) __attribute__((always_inline)) {
          Block block;
          get(y_, at, block);
          if constexpr (stage > 1) {
            Block sum;
            combine(kWeights, std::make_index_sequence<stage - 1>{}, at, sum);
            block += length_ * sum;
          }
          set(y, at, block);
        });
    // f has just written the last slope, number by number. To read it in blocks, the processor
    // would wait until all of it is in the cache.
    const double last_weight = length_ * kWeights[stage - 1];
    const Vector& last = stages_[stage - 1];
    for (std::size_t i = 0; i < inputs_; ++i) y[i] += last_weight * last[i];
    f(y, stages_[stage]);
  }
  template <class F, std::size_t... stages>
  [[gnu::always_inline]] void run_stages(F& f, std::index_sequence<stages...>) {
    Vector y;
    copy(y_, y);
    (run_stage<stages>(y, f), ...);
  }

  template <class F>
  [[gnu::always_inline]] double make_step(double length, std::size_t controlled,
                                          const Vector& allowed, F& f) {
    length_ = length;
    run_stages(f, std::index_sequence<1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11>{});
    Vector e5;  // over what is allowed
    Vector e3;
    for_each_block([&](std::size_t at) __attribute__((always_inline)) {
      Block start;
      Block size;
      Block sum;
      Block fifth;
      Block third;
      get(y_, at, start);
      get(allowed, at, size);
      // All sums before all writes, so that each stage is read once.
      combine(dormand_prince::kB, at, sum);
      combine(dormand_prince::kError5, at, fifth);
      combine(dormand_prince::kError3, at, third);
      set(end_, at, start + length * sum);
      set(e5, at, fifth / size);
      set(e3, at, third / size);
    });
    double fifth = 0.0;
    double third = 0.0;
    for (std::size_t i = 0; i < controlled; ++i) {
      fifth += e5[i] * e5[i];
      third += e3[i] * e3[i];
    }
    const double both = fifth + 0.01 * third;
    if (both == 0.0) return 0.0;
    return std::abs(length) * fifth / std::sqrt(both * static_cast<double>(controlled));
  }

  template <class F>
  [[gnu::always_inline]] void make_interpolant(F& f, StepInterpolant<max_size>& out) {
    run_stages(f, std::index_sequence<13, 14, 15>{});
    for_each_block([&](std::size_t at) __attribute__((always_inline)) {
      Block start;
      Block change;
      Block at_start;
      Block at_end;
      get(y_, at, start);
      get(end_, at, change);
      get(stages_[0], at, at_start);
      get(stages_[dormand_prince::kStages], at, at_end);
      change -= start;
      at_start *= length_;
      at_end *= length_;
      set(out.rows[0], at, start);
      set(out.rows[1], at, change);
      set(out.rows[2], at, at_start - change);
      set(out.rows[3], at, 2.0 * change - at_end - at_start);
      Block d0;
      Block d1;
      Block d2;
      Block d3;
      combine(dormand_prince::kDense[0], at, d0);
      combine(dormand_prince::kDense[1], at, d1);
      combine(dormand_prince::kDense[2], at, d2);
      combine(dormand_prince::kDense[3], at, d3);
      set(out.rows[4], at, length_ * d0);
      set(out.rows[5], at, length_ * d1);
      set(out.rows[6], at, length_ * d2);
      set(out.rows[7], at, length_ * d3);
    });
  }

  std::size_t size_, inputs_;
  bool wide_;
  double length_ = 0.0;
  Vector y_{}, end_{};
  std::array<Vector, dormand_prince::kAllStages> stages_{};
};

}  // namespace slipstick
