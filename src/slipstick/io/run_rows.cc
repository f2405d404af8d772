#include "slipstick/io/run_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "slipstick/model/scale.h"

namespace slipstick {
namespace {

/// Largest |d2/d(theta)2| on [0, 1] of a segment's terms 1, x, x (1 - x), x^2 (1 - x), ...
constexpr std::array<double, Segments::kOrder> kBend{0.0, 0.0, 2.0, 4.0, 2.0, 2.0, 0.375, 0.25};

/// Divides segments so that lines between the parts' ends stay within bounds.
class Divider {
 public:
  Divider(const Trajectory& trajectory, const Segments& segments, const LinearRows& rows)
      : trajectory_(trajectory), segments_(segments) {
    for (const VecQ* errors : {&rows.error_q, &rows.error_v}) {
      errors_.insert(errors_.end(), errors->begin(), errors->end());
    }
  }

  /// A line over a part of length x departs from y by at most bend x^2/8, if time runs evenly.
  [[nodiscard]] int find_parts(std::size_t segment) const {
    double needed = 1.0;
    for (std::size_t i = 0; i < errors_.size(); ++i) {
      const double bend = eval_bend(segment, i);
      if (bend > 8.0 * errors_[i] * needed) needed = bend / (8.0 * errors_[i]);
    }
    double parts = std::ceil(segments_[segment].theta_end * std::sqrt(needed));
    if (trajectory_->modes[segments_[segment].mode].stretched) {
      while (parts < kMost && !is_close(segment, static_cast<int>(parts))) parts *= 2.0;
    }
    return static_cast<int>(std::min(parts, kMost));
  }

 private:
  static constexpr double kMost = 1e8;  // parts of a segment: fits an integer

  /// The component bends no more within the segment: |d2 y_i/d(theta)2|.
  [[nodiscard]] double eval_bend(std::size_t segment, std::size_t i) const {
    const auto& rows = segments_[segment].polynomial.rows;
    double out = 0.0;
    for (std::size_t k = 2; k < Segments::kOrder; ++k) {
      out += kBend[k] * std::abs(rows[k][i]);
    }
    return out;
  }

  /// If time does not run evenly: y minus its mean slope times t has equal values at both ends of a
  /// part, and departs from them as y departs from its line.
  [[nodiscard]] bool is_close(std::size_t segment, int parts) const {
    const std::size_t t = errors_.size();
    const double part = segments_[segment].theta_end / parts;
    const double time_bend = eval_bend(segment, t);
    for (std::size_t i = 0; i < errors_.size(); ++i) {
      const double bend = eval_bend(segment, i);
      const double allowed = 8.0 * errors_[i] / (part * part);
      for (int k = 0; k < parts; ++k) {
        const double change = std::abs(eval_change(segment, i, part * k, part * (k + 1)));
        const double time = eval_change(segment, t, part * k, part * (k + 1));
        const bool jumps = !(time > 0.0) && change <= errors_[i];  // rows at one time
        if (!jumps && !(bend * time + change * time_bend <= allowed * time)) return false;
      }
    }
    return true;
  }

  [[nodiscard]] double eval_change(std::size_t segment, std::size_t i, double from,
                                   double to) const {
    return segments_.eval(segment, i, to) - segments_.eval(segment, i, from);
  }

  const Trajectory& trajectory_;
  const Segments& segments_;
  std::vector<double> errors_;  ///< of q, then of v
};

/// Largest |v_i|/scale_i at the ends of the segments [1/s]; at least one unit in the whole run.
double find_largest_rate(const Segments& segments, const VecQ& scale) {
  if (segments.size() == 0) return 0.0;
  double out = 1.0 / (segments[segments.size() - 1].to - segments[0].from);
  State state{0.0, VecQ(scale.size()), VecQ(scale.size())};
  for (std::size_t i = 0; i < segments.size(); ++i) {
    for (const double theta : {0.0, segments[i].theta_end}) {
      if (theta > 0.0 && !segments.ends_piece(i)) continue;  // the next one starts there
      segments.eval_state(i, theta, state);
      out = std::max(out, state.v.cwiseAbs().cwiseQuotient(scale).maxCoeff());
    }
  }
  return out;
}

}  // namespace

LinearRows make_linear_rows(const Model& model, const Trajectory& trajectory,
                            const Segments& segments) {
  constexpr double kFinest = 1e-3;   // a pixel of a picture; the segments have all digits
  constexpr double kMostRows = 1e6;  // a longer table is made coarser
  const VecQ scale = make_coordinate_scale(model);
  const double rate = find_largest_rate(segments, scale);
  for (double error = kFinest;; error *= 4.0) {  // half the rows
    LinearRows out{error * scale, error * rate * scale, {}};
    const Divider divider(trajectory, segments, out);
    double rows = 0.0;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      out.parts.push_back(divider.find_parts(i));
      rows += out.parts.back();
    }
    if (rows <= kMostRows || rows <= 2.0 * static_cast<double>(segments.size())) return out;
  }
}

ModeWords make_mode_words(const Trajectory& trajectory) {
  ModeWords out;
  for (const Mode& mode : trajectory->modes) {
    const auto found = std::find(out.words.begin(), out.words.end(), mode.word);
    out.of_mode.push_back(found - out.words.begin());
    if (found == out.words.end()) out.words.push_back(mode.word);
  }
  return out;
}

namespace {

/// Rows of time, modes and coordinates; `visit` sees the state and the mode of each.
template <class Visit>
MotionRows make_state_rows(const Model& model, const Run& run, const LinearRows& linear,
                           const Visit& visit) {
  const Trajectory& trajectory = run.trajectory;
  const Segments segments(model, trajectory);
  const ModeWords words = make_mode_words(trajectory);
  MotionRows out;
  out.words = words.words;
  std::size_t count = 0;
  for (const int parts : linear.parts) count += static_cast<std::size_t>(parts) + 1;
  out.time.reserve(count);
  out.mode.reserve(count);
  for (auto* values : {&out.q, &out.v}) values->reserve(count * segments.coordinates());
  State state{0.0, VecQ(model.size()), VecQ(model.size())};
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Segment& segment = segments[i];
    const int parts = linear.parts[i];
    const int last = segments.ends_piece(i) ? parts : parts - 1;
    for (int k = 0; k <= last; ++k) {
      segments.eval_state(i, segment.theta_end * k / parts, state);
      if (k == parts) state.time = segment.to;
      out.time.push_back(state.time);
      out.mode.push_back(words.of_mode[segment.mode]);
      out.q.insert(out.q.end(), state.q.begin(), state.q.end());
      out.v.insert(out.v.end(), state.v.begin(), state.v.end());
      visit(state, segment.mode);
    }
  }
  return out;
}

ContactRow eval_run_row(const Model& model, const Run& run, const std::vector<const Event*>& jams,
                        const State& state, std::size_t mode_index) {
  const Mode& mode = run.trajectory->modes[mode_index];
  ContactRow out = eval_contact_row(model, mode, state);
  if (!jams.empty()) mark_unbounded(list_unbounded(jams, state.time, mode.word), mode.word, out);
  return out;
}

void append_observables(const Model& model, const Run& run, const std::vector<const Event*>& jams,
                        const ObservableRows& observed, const TrajectorySample& at,
                        std::vector<double>& to) {
  if (observed.list().empty()) return;
  const Mode& mode = run.trajectory->modes[at.mode];
  const bool is_bounded = list_unbounded(jams, at.state.time, mode.word).empty();
  observed.append(model, mode, at.state, is_bounded, to);
}

}  // namespace

MotionRows make_smooth_rows(const Model& model, const Run& run, const ObservableRows& observed) {
  const Segments segments(model, run.trajectory);
  LinearRows linear = make_linear_rows(model, run.trajectory, segments);
  constexpr int kFew = 400;
  const int least = std::max(kRowsPerStep, kFew / std::max(1, static_cast<int>(segments.size())));
  for (int& parts : linear.parts) parts = std::max(parts, least);
  std::vector<std::uint32_t> modes;  // of each row, in the trajectory
  const std::vector<const Event*> jams = list_jams(run.events);
  std::vector<double> observables;
  MotionRows out = make_state_rows(model, run, linear, [&](const State& state, std::size_t mode) {
    modes.push_back(static_cast<std::uint32_t>(mode));
    append_observables(model, run, jams, observed, {state, mode}, observables);
  });
  out.observed = observed.list();
  out.observables = std::move(observables);
  out.eval_contacts = [&model, &run, jams, modes = std::move(modes)](const State& state,
                                                                     std::size_t row) {
    return eval_run_row(model, run, jams, state, modes[row]);
  };
  return out;
}

MotionRows make_motion_rows(const Model& model, const Run& run, const LinearRows& linear,
                            const ObservableRows& observed) {
  const std::vector<const Event*> jams = list_jams(run.events);
  std::vector<double> gap, slip, force_n, force_t, observables;
  const auto append = [](const VecC& values, std::vector<double>& to) {
    to.insert(to.end(), values.begin(), values.end());
  };
  MotionRows out = make_state_rows(model, run, linear, [&](const State& state, std::size_t mode) {
    const ContactRow row = eval_run_row(model, run, jams, state, mode);
    append(row.gap, gap);
    append(row.slip, slip);
    append(row.force_n, force_n);
    append(row.force_t, force_t);
    append_observables(model, run, jams, observed, {state, mode}, observables);
  });
  out.observed = observed.list();
  out.observables = std::move(observables);
  out.gap = std::move(gap);
  out.slip = std::move(slip);
  out.force_n = std::move(force_n);
  out.force_t = std::move(force_t);
  return out;
}

}  // namespace slipstick
