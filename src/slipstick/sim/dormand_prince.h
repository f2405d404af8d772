#pragma once

/// One step of the Dormand-Prince method of order 8 for an autonomous system y' = f(y), with an
/// interpolant of order 7 that is computed only when asked for. No heap; the size is bounded at
/// compile time and known at run time.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "slipstick/sim/dormand_prince_table.h"

namespace slipstick {

/// y over one step, as a polynomial of theta in [0, 1].
template <std::size_t max_size>
struct StepInterpolant {
  std::array<double, max_size> start;
  std::array<std::array<double, max_size>, dormand_prince::kCoefficients> c;

  /// Component i [Hairer1993] eq. (II.6.20): start + x (c0 + (1 - x) (c1 + x (c2 + ...))).
  [[nodiscard]] double eval(std::size_t i, double theta) const {
    double sum = 0.0;
    for (std::size_t k = dormand_prince::kCoefficients; k-- > 0;) {
      sum = (sum + c[k][i]) * (k % 2 == 0 ? theta : 1.0 - theta);
    }
    return start[i] + sum;
  }

  /// d(component i)/d(theta).
  [[nodiscard]] double eval_rate(std::size_t i, double theta) const {
    double sum = 0.0;
    double rate = 0.0;
    for (std::size_t k = dormand_prince::kCoefficients; k-- > 0;) {
      const bool even = k % 2 == 0;
      const double inner = sum + c[k][i];
      rate = rate * (even ? theta : 1.0 - theta) + (even ? inner : -inner);
      sum = inner * (even ? theta : 1.0 - theta);
    }
    return rate;
  }
};

template <std::size_t max_size>
class DormandPrince {
 public:
  using Vector = std::array<double, max_size>;

  explicit DormandPrince(std::size_t size) : size_(size) {}

  /// Starts at y; `f(y, slope)` fills the slope.
  template <class F>
  void start(const Vector& y, F&& f) {
    y_ = y;
    f(y_, stages_[0]);
  }
  /// Starts where the last step ended, after `end` was corrected there and `slope_at_end` known.
  void go_on() {
    y_ = end_;
    stages_[0] = stages_[dormand_prince::kStages];
  }

  /// Makes a step of this length; returns its error in units of `scale` over the first
  /// scale-many components (1: as large as the scale).
  template <class F>
  double step(double length, std::size_t controlled, const Vector& scale, F&& f) {
    length_ = length;
    run_stages(f, std::make_index_sequence<dormand_prince::kStages - 1>{});
    double fifth = 0.0;
    double third = 0.0;
    for (std::size_t i = 0; i < size_; ++i) {
      end_[i] = y_[i] + length * combine(dormand_prince::kB, i);
      if (i >= controlled) continue;
      const double e5 = combine(dormand_prince::kError5, i) / scale[i];
      const double e3 = combine(dormand_prince::kError3, i) / scale[i];
      fifth += e5 * e5;
      third += e3 * e3;
    }
    const double both = fifth + 0.01 * third;
    if (both == 0.0) return 0.0;
    return std::abs(length) * fifth / std::sqrt(both * static_cast<double>(controlled));
  }

  [[nodiscard]] const Vector& start() const { return y_; }
  [[nodiscard]] const Vector& slope() const { return stages_[0]; }
  /// The step's result; may be moved by as much as its error before `finish`.
  [[nodiscard]] Vector& end() { return end_; }
  [[nodiscard]] const Vector& end() const { return end_; }
  [[nodiscard]] const Vector& slope_at_end() const { return stages_[dormand_prince::kStages]; }
  [[nodiscard]] double length() const { return length_; }

  /// Evaluates the slope at the end.
  template <class F>
  void finish(F&& f) {
    f(end_, stages_[dormand_prince::kStages]);
  }

  /// Interpolant of the finished step: three more evaluations.
  template <class F>
  [[nodiscard]] StepInterpolant<max_size> make_interpolant(F&& f) {
    run_stage<13>(f);
    run_stage<14>(f);
    run_stage<15>(f);
    StepInterpolant<max_size> out;
    out.start = y_;
    for (std::size_t i = 0; i < size_; ++i) {
      const double change = end_[i] - y_[i];
      const double at_start = length_ * stages_[0][i];
      const double at_end = length_ * stages_[dormand_prince::kStages][i];
      out.c[0][i] = change;
      out.c[1][i] = at_start - change;
      out.c[2][i] = 2.0 * change - at_end - at_start;
      for (std::size_t k = 0; k < dormand_prince::kDense.size(); ++k) {
        out.c[3 + k][i] = length_ * combine(dormand_prince::kDense[k], i);
      }
    }
    return out;
  }

 private:
  /// sum_j weights_j stage_j of component i; stages 2 to 5 serve only the later stages.
  template <std::size_t count>
  [[nodiscard]] double combine(const std::array<double, count>& weights, std::size_t i) const {
    double sum = weights[0] * stages_[0][i];
    for (std::size_t j = 5; j < count; ++j) sum += weights[j] * stages_[j][i];
    return sum;
  }

  template <std::size_t stage, class F>
  void run_stage(F& f) {
    constexpr std::size_t kFirst = stage * (stage - 1) / 2;
    Vector at;
    for (std::size_t i = 0; i < size_; ++i) {
      at[i] = y_[i] + length_ * add_weighted<kFirst>(i, std::make_index_sequence<stage>{});
    }
    f(at, stages_[stage]);
  }
  /// Weights that are zero cost nothing.
  template <std::size_t first, std::size_t... j>
  [[nodiscard]] double add_weighted(std::size_t i, std::index_sequence<j...>) const {
    double sum = 0.0;
    ((dormand_prince::kA[first + j] != 0.0
          ? void(sum += dormand_prince::kA[first + j] * stages_[j][i])
          : void()),
     ...);
    return sum;
  }
  template <class F, std::size_t... i>
  void run_stages(F& f, std::index_sequence<i...>) {
    (run_stage<i + 1>(f), ...);
  }

  std::size_t size_;
  double length_ = 0.0;
  Vector y_{}, end_{};
  std::array<Vector, dormand_prince::kAllStages> stages_{};
};

}  // namespace slipstick
