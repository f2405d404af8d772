#include "slipstick/gait_report.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <functional>
#include <utility>

#include "slipstick/core/roots.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/sim/mode/mode.h"
#include "slipstick/sim/mode/mode_equations.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {
namespace {

/// The minimum of a function of theta over one integration step: sampled, then refined about the
/// least sample.
std::pair<double, double> find_minimum(const std::function<double(double)>& f, double end) {
  constexpr int kSamples = 8;
  int least = 0;
  double value = f(0.0);
  for (int i = 1; i <= kSamples; ++i) {
    const double sample = f(end * i / kSamples);
    if (sample < value) {
      least = i;
      value = sample;
    }
  }
  const double low = end * std::max(least - 1, 0) / kSamples;
  const double high = end * std::min(least + 1, kSamples) / kSamples;
  const auto refined = boost::math::tools::brent_find_minima(f, low, high, 30);
  const double at = end * least / kSamples;
  return refined.second < value ? refined : std::pair(at, value);
}

void keep_least(const Extreme& found, std::optional<Extreme>& least) {
  if (!least || found.value < least->value) least = found;
}

class Reporter {
 public:
  Reporter(const Model& model, const Orbit& orbit) : model_(model), orbit_(orbit) {}

  GaitReport make() {
    const Run& run = orbit_.walk.run;
    for (const Segment& piece : run.trajectory->segments) {
      look_at(run.trajectory->modes[piece.mode], piece);
    }
    add_energy();
    for (const Event& event : run.events) add_impact(event);
    if (least_stick_) {
      out_.mu_stick = least_stick_;
      out_.mu_stick->value = -out_.mu_stick->value;
    }
    join_exposure();
    return std::move(out_);
  }

 private:
  [[nodiscard]] State eval(const Segment& piece, double theta) const {
    return eval_state(piece.polynomial, model_.size(), theta);
  }
  [[nodiscard]] double time_of(const Segment& piece, double theta) const {
    return piece.polynomial.eval(static_cast<std::size_t>(2 * model_.size()), theta);
  }

  void look_at(const Mode& mode, const Segment& piece) {
    for (std::size_t i = 0; i < mode.closed.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(2 * i);
      const auto eval_forces = [&](double theta) {
        const ModeField field = eval_mode_field(model_, mode, eval(piece, theta));
        return Vec2(field.impulse_rate[row] / field.rate, field.impulse_rate[row + 1] / field.rate);
      };
      const int contact = mode.closed[i].contact;
      const auto normal = [&](double theta) { return eval_forces(theta).x(); };
      const auto [at, least] = find_minimum(normal, piece.theta_end);
      keep_least({least, time_of(piece, at), contact}, out_.least_force);
      if (!mode.closed[i].sticks()) continue;
      const auto ratio = [&](double theta) {
        const Vec2 force = eval_forces(theta);
        return -std::abs(force.y()) / force.x();
      };
      const auto [where, largest] = find_minimum(ratio, piece.theta_end);
      keep_least({largest, time_of(piece, where), contact}, least_stick_);
      for (const double sign : {1.0, -1.0}) look_for_paradox(piece, contact, sign);
    }
  }

  /// Tests whether a slip that begins here would have p < 0.
  void look_for_paradox(const Segment& piece, int contact, double sign) {
    const auto respond = [&](double theta) {
      return eval_sliding_response(model_, eval(piece, theta), contact, sign);
    };
    const auto p = [&](double theta) { return respond(theta).p; };
    for (const Interval& found : find_negative_intervals(p, 0.0, piece.theta_end)) {
      Exposure exposure{contact, sign, to_time(piece, found), {}, {}};
      const auto b = [&](double theta) { return respond(theta).b; };
      const auto minus_b = [&](double theta) { return -respond(theta).b; };
      for (const Interval& part : find_negative_intervals(b, found.low, found.high)) {
        exposure.inconsistent.push_back(to_time(piece, part));
      }
      for (const Interval& part : find_negative_intervals(minus_b, found.low, found.high)) {
        exposure.indeterminate.push_back(to_time(piece, part));
      }
      out_.exposure.push_back(std::move(exposure));
    }
  }
  [[nodiscard]] Interval to_time(const Segment& piece, const Interval& theta) const {
    return {time_of(piece, theta.low), time_of(piece, theta.high)};
  }

  /// Joins intervals that touch.
  void join_exposure() {
    const double slack = 1e-9 * orbit_.period();
    std::vector<Exposure> joined;
    for (Exposure& piece : out_.exposure) {
      const auto before = std::find_if(joined.begin(), joined.end(), [&](const Exposure& other) {
        return other.contact == piece.contact && other.slip_sign == piece.slip_sign &&
               piece.time.low - other.time.high <= slack && other.time.low <= piece.time.low;
      });
      if (before == joined.end()) {
        joined.push_back(std::move(piece));
        continue;
      }
      before->time.high = std::max(before->time.high, piece.time.high);
      for (auto part : {&Exposure::inconsistent, &Exposure::indeterminate}) {
        auto& all = (*before).*part;
        all.insert(all.end(), (piece.*part).begin(), (piece.*part).end());
        all = join_intervals(std::move(all), slack);
      }
    }
    out_.exposure = std::move(joined);
  }

  void add_impact(const Event& event) {
    if (!event.impact) return;
    out_.energy.impacts += event.energy_before - event.energy_after;
    for (int i = 0; i < model_.contact_count(); ++i) {
      const double normal = event.impact->impulse_n[i];
      if (!(normal > 0.0)) continue;
      const double ratio = std::abs(event.impact->impulse_t[i]) / normal;
      out_.impulse_ratio = std::max(out_.impulse_ratio.value_or(0.0), ratio);
    }
  }

  /// Summed piece by piece, because names and coordinates may change between pieces.
  void add_energy() {
    double kinetic = 0.0;
    double gravity = 0.0;
    for (const Segment& piece : orbit_.walk.run.trajectory->segments) {
      const State from = eval(piece, 0.0);
      const State to = eval(piece, piece.theta_end);
      kinetic += eval_kinetic_energy(model_, to) - eval_kinetic_energy(model_, from);
      gravity += eval_gravity_work(to) - eval_gravity_work(from);
    }
    out_.energy.gravity = gravity;
    out_.energy.friction = gravity - kinetic;
    if (const int advance = model_.gait->advance; advance >= 0) {
      out_.step_length = orbit_.walk.run.state.q[advance] - orbit_.state.q[advance];
    }
  }
  [[nodiscard]] double eval_gravity_work(const State& state) const {
    const StateInTree at = make_state_in_tree(model_, state);
    const TreeState tree = eval_tree_state(model_.tree, at.z, at.z_rate);
    return eval_row(model_.tree, tree, model_.tree.weight).value;
  }

  const Model& model_;
  const Orbit& orbit_;
  std::optional<Extreme> least_stick_;
  GaitReport out_;
};

}  // namespace

GaitReport make_gait_report(const Model& model, const Orbit& orbit) {
  return Reporter(model, orbit).make();
}

}  // namespace slipstick
