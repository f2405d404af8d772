#include "slipstick/analysis/stability/return_map.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "slipstick/analysis/stability/follower.h"
#include "slipstick/core/scales.h"

namespace slipstick {
namespace {

/// Keeps the numbers of a path as forms of the blow from which it starts.
class PathForms {
 public:
  using Number = LinearBlowForm;
  using Square = QuadraticForm;

  static LinearBlowForm make_row(const Eigen::RowVector3d& row,
                                 const std::array<LinearBlowForm, 3>& rates) {
    return rates[0] * row[0] + rates[1] * row[1] + rates[2] * row[2];
  }

  static LinearBlowForm make_time(double time, const LinearBlowForm& form) {
    return {time, form.k};
  }

  LinearBlowForm root(const QuadraticForm& radicand) {
    const double value = std::sqrt(radicand.value);
    if (magnitude_.value != 0.0) return magnitude_ * (value / magnitude_.value);
    const Eigen::Matrix3d& k = radicand.k;
    closed_form = closed_form && !has_root_;
    has_root_ = true;
    this->radicand = {k(0, 0), 2.0 * k(0, 1), k(1, 1)};
    return {value, Eigen::Vector3d::UnitZ()};
  }
  /// From here on every number is a multiple of this one.
  void collapse(const LinearBlowForm& speed) {
    if (magnitude_.value == 0.0) magnitude_ = speed;
  }
  void note(const LinearBlowForm& margin) { margins.push_back(margin); }

  boost::container::static_vector<LinearBlowForm, 8 * kMaxPath> margins;
  BlowForm radicand = BlowForm::Zero();
  bool closed_form = true;

 private:
  LinearBlowForm magnitude_;
  bool has_root_ = false;
};

/// The map of velocities about an angle, rewritten as a map of closing and slip; `blow` is that of
/// the angle.
BlowMap turn(const BlowMap& local, const Blow& blow) {
  const double c = blow.closing;
  const double s = blow.slip;
  Eigen::Matrix3d x;  // (cos, sin, root) from (closing, slip, root)
  x << c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0;
  const BlowForm& q = local.radicand;
  Eigen::Matrix2d form;
  form << q[0], 0.5 * q[1], 0.5 * q[1], q[2];
  form = (x.topLeftCorner<2, 2>().transpose() * form * x.topLeftCorner<2, 2>()).eval();
  return {local.linear * x, {form(0, 0), 2.0 * form(0, 1), form(1, 1)}};
}

/// Growing list of pieces between -pi/2 and pi/2.
class PieceFinder {
 public:
  explicit PieceFinder(const ZeroOrder& dynamics) : dynamics_(dynamics) {}

  std::vector<Piece> find() {
    cover(-kMaxBlowAngle, kMaxBlowAngle);
    pieces_.front().low = -kMaxBlowAngle;
    pieces_.back().high = kMaxBlowAngle;
    return std::move(pieces_);
  }

 private:
  /// Finds the piece in the middle and covers the rest on both sides.
  void cover(double low, double high) {
    if (high - low <= kSameAngle) return;
    // Paths may change infinitely often toward an angle. Beyond this number of pieces the rest is
    // left out.
    constexpr std::size_t kMostPieces = 500;
    Piece piece;
    if (pieces_.size() < kMostPieces) {
      piece = find_piece(0.5 * (low + high), low, high);
    } else {
      piece.low = low;
      piece.high = high;
      piece.closed_form = false;
    }
    cover(low, piece.low);
    const double end = piece.high;
    push(piece);
    cover(end, high);
  }

  /// Neighbours share their ends; neighbours with the same path are joined.
  void push(Piece& piece) {
    // Where two impact modes meet, rounding may reject both.
    constexpr double kRefused = 1e-9;  // [rad]: wider ones are no rounding
    if (piece.end == PathEnd::kParadox && piece.high - piece.low < kRefused) return;
    if (!pieces_.empty()) {
      Piece& last = pieces_.back();
      if (last.end == piece.end && last.path == piece.path) {
        last.high = piece.high;
        return;
      }
      piece.low = last.high;
    }
    pieces_.push_back(piece);
  }

  [[nodiscard]] Piece find_piece(double angle, double low, double high) const {
    const Blow blow = make_blow(angle);
    PathForms forms;
    const LinearBlowForm closing{blow.closing, {blow.closing, -blow.slip, 0.0}};
    const LinearBlowForm slip{blow.slip, {blow.slip, blow.closing, 0.0}};
    Piece out;
    out.local = follow_forms(closing, slip, forms, out);
    out.closed_form = forms.closed_form;
    if (!forms.closed_form) {
      out.low = find_change(out, angle, low);
      out.high = find_change(out, angle, high);
      return out;
    }
    out.centre = angle;
    out.constant = is_constant(out.local);
    out.map = turn(out.local, blow);
    out.low = low;
    out.high = high;
    for (const LinearBlowForm& margin : forms.margins) {
      // Below this, a number is the rounding error of a zero that holds on the whole piece.
      if (std::abs(margin.value) <= kNumberRounding * margin.k.cwiseAbs().maxCoeff()) continue;
      for (const double from_centre : find_zero_angles(margin.k, out.local.radicand)) {
        const double zero = angle + from_centre;
        if (std::abs(zero) > kMaxBlowAngle) continue;
        if (zero > angle) out.high = std::min(out.high, zero);
        if (zero < angle) out.low = std::max(out.low, zero);
      }
    }
    if (std::max(std::abs(out.low), std::abs(out.high)) >= kMaxBlowAngle) {
      // At a grazing end `closing` vanishes. In a map of closing and slip themselves, multiples of
      // `closing` vanish exactly, too.
      PathForms global;
      out.centre = 0.0;
      out.map = out.local = follow_forms({blow.closing, Eigen::Vector3d::UnitX()},
                                         {blow.slip, Eigen::Vector3d::UnitY()}, global, out);
    }
    return out;
  }

  BlowMap follow_forms(const LinearBlowForm& closing, const LinearBlowForm& slip, PathForms& forms,
                       Piece& out) const {
    Follower<PathForms> follower(dynamics_, forms, closing, slip);
    out.path.clear();
    out.end = follower.follow(out.path);
    BlowMap map;
    map.linear << follower.closing().k.transpose(), follower.slip().k.transpose();
    map.radicand = forms.radicand;
    return map;
  }

  /// True if the next closing and slip are multiples of each other.
  static bool is_constant(const BlowMap& map) {
    const Eigen::Vector3d a = map.linear.row(0);
    const Eigen::Vector3d b = map.linear.row(1);
    return a.cross(b).norm() <= kSolveRounding * a.norm() * b.norm();
  }

  [[nodiscard]] bool has_path(const Piece& piece, double angle) const {
    const BlowReturn next = follow_blow(dynamics_, make_blow(angle));
    return next.end == piece.end && next.path == piece.path;
  }

  /// Where the path changes between an angle and an end, located to rounding.
  [[nodiscard]] double find_change(const Piece& piece, double angle, double end) const {
    constexpr int kScan = 32;
    double same = angle;
    double other = end;
    for (int i = 1; i <= kScan; ++i) {
      const double next = angle + (end - angle) * i / kScan;
      const bool at_end = i == kScan;
      if (at_end && std::abs(end) < kMaxBlowAngle) break;  // another piece begins there
      const double looked = at_end ? next - std::copysign(kSameAngle, end) : next;
      if (!has_path(piece, looked)) {
        other = looked;
        break;
      }
      if (at_end) return end;
      same = next;
    }
    while (std::abs(other - same) > kSameAngle) {
      const double middle = 0.5 * (same + other);
      (has_path(piece, middle) ? same : other) = middle;
    }
    return other;
  }

  const ZeroOrder& dynamics_;
  std::vector<Piece> pieces_;
};

MapEnd find_end(const ZeroOrder& dynamics, double side) {
  // Small enough that its square is negligible beside 1, but without underflow in the squares of
  // the events.
  constexpr double kGrazing = 1e-100;  // of the blow's speed
  const BlowReturn next = follow_blow(dynamics, {kGrazing, side});
  MapEnd out;
  out.end = next.end;
  if (next.end != PathEnd::kReturns) return out;
  out.kind = next.blow.closing < 1e-50 ? 1 : 2;
  if (out.kind == 1) {
    out.growth = next.blow.closing / kGrazing;
  } else {
    out.reduced = next.blow.angle();
    out.scaled_growth = next.blow.closing;
  }
  return out;
}

}  // namespace

MapValue eval_piece(const ZeroOrder& dynamics, const Piece& piece, double angle) {
  if (!piece.closed_form) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    return eval_return(dynamics, angle).value_or(MapValue{none, none});
  }
  const Blow blow = make_blow(angle);
  const Blow centre = make_blow(piece.centre);
  const double c = blow.closing * centre.closing + blow.slip * centre.slip;
  const double s = blow.slip * centre.closing - blow.closing * centre.slip;
  const BlowForm& q = piece.local.radicand;
  const double radicand = q[0] * c * c + q[1] * c * s + q[2] * s * s;
  const Eigen::Vector2d after =
      piece.local.linear * Eigen::Vector3d(c, s, std::sqrt(std::max(0.0, radicand)));
  if (!piece.constant) return {std::atan2(after[1], after[0]), after[0] / blow.closing};
  Eigen::Index largest = 0;
  piece.local.linear.row(0).cwiseAbs().maxCoeff(&largest);
  const double tangent = piece.local.linear(1, largest) / piece.local.linear(0, largest);
  return {std::atan(tangent), after[0] / blow.closing};
}

ReturnMap find_return_map(const ZeroOrder& dynamics) {
  return {PieceFinder(dynamics).find(), find_end(dynamics, -1.0), find_end(dynamics, 1.0)};
}

}  // namespace slipstick
