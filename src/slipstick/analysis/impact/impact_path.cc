#include "slipstick/analysis/impact/impact_path.h"

#include <algorithm>
#include <cmath>

#include "slipstick/core/scales.h"
#include "slipstick/impact/impulse_path.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model/dynamics.h"

namespace slipstick {
namespace {

/// The contacts that take part, with how impulses change their velocities.
class StruckContacts {
 public:
  StruckContacts(const Model& model, const State& before, const LawOutcome& outcome)
      : model_(model) {
    const ImpactRecord& record = outcome.record;
    const double least = kResultRounding * record.impulse_n.cwiseAbs().maxCoeff();
    for (int i = 0; i < model.contact_count(); ++i) {
      const bool named = std::count(outcome.contacts.begin(), outcome.contacts.end(), i) > 0;
      const bool struck = std::abs(record.impulse_n[i]) > least;
      if (named || struck || has_range(record, i)) indices_.push_back(i);
    }
    G_ = eval_contact_dynamics(model, before, as_span(indices_)).G;
    const ContactKinematics kinematics = eval_contact_kinematics(model, before);
    before_.resize(G_.rows());
    scale_.resize(G_.rows());
    for (std::size_t j = 0; j < indices_.size(); ++j) {
      const auto row = static_cast<Eigen::Index>(2 * j);
      const int i = indices_[j];
      before_[row] = kinematics.gap_rate[i];
      before_[row + 1] = kinematics.slip[i];
      const VecQ speed = before.v.cwiseAbs();
      scale_[row] = kinematics.W_n.col(i).cwiseAbs().dot(speed);
      scale_[row + 1] = kinematics.W_t.col(i).cwiseAbs().dot(speed) +
                        std::abs(kinematics.slip[i] - kinematics.W_t.col(i).dot(before.v));
    }
  }

  [[nodiscard]] const PerContact<int>& indices() const { return indices_; }
  [[nodiscard]] double mu(std::size_t place) const {
    return model_.contacts[static_cast<std::size_t>(indices_[place])].mu;
  }

  /// Impulses per contact of the model as entries 2 j, 2 j + 1.
  [[nodiscard]] Vec2C gather(const VecC& impulse_n, const VecC& impulse_t) const {
    Vec2C out(G_.rows());
    for (std::size_t j = 0; j < indices_.size(); ++j) {
      out[static_cast<Eigen::Index>(2 * j)] = impulse_n[indices_[j]];
      out[static_cast<Eigen::Index>(2 * j + 1)] = impulse_t[indices_[j]];
    }
    return out;
  }

  /// Where a contact is after these impulses. Velocities as small as rounding are zero.
  [[nodiscard]] ImpulsePoint find_point(std::size_t place, const Vec2C& impulses) const {
    const auto row = static_cast<Eigen::Index>(2 * place);
    return {impulses[row], impulses[row + 1], find_velocity(row, impulses),
            find_velocity(row + 1, impulses)};
  }

  /// The line on which this velocity is zero, where the other contacts have these impulses.
  [[nodiscard]] ImpulseLine find_line(std::size_t place, bool of_slip,
                                      const Vec2C& impulses) const {
    const auto n = static_cast<Eigen::Index>(2 * place);
    const Eigen::Index row = of_slip ? n + 1 : n;
    const double own = G_(row, n) * impulses[n] + G_(row, n + 1) * impulses[n + 1];
    return {before_[row] + G_.row(row).dot(impulses) - own, G_(row, n), G_(row, n + 1)};
  }

 private:
  static bool has_range(const ImpactRecord& record, int contact) {
    if (!record.family) return false;
    const Range& range = record.family->impulse_n[static_cast<std::size_t>(contact)];
    return range.first != range.second;
  }

  [[nodiscard]] double find_velocity(Eigen::Index row, const Vec2C& impulses) const {
    const double value = before_[row] + G_.row(row).dot(impulses);
    const double scale = scale_[row] + G_.row(row).cwiseAbs().dot(impulses.cwiseAbs());
    return std::abs(value) <= kResultRounding * scale ? 0.0 : value;
  }

  const Model& model_;
  PerContact<int> indices_;
  Mat2C G_;
  Vec2C before_, scale_;
};

/// The pieces of one contact alone.
std::vector<ImpactPiece> list_pieces(const FollowedPath& followed) {
  std::vector<ImpactPiece> out;
  ImpulsePoint last;
  for (const PathLeg& leg : list_legs(followed.impact, followed.impulse)) {
    const ImpulsePoint end{followed.side * leg.impulse_n, leg.impulse_t,
                           followed.side * leg.gap_rate, leg.slip};
    out.push_back({leg.restores ? ImpactPhase::kRestitution : ImpactPhase::kCompression,
                   followed.contact, make_slip_mode(leg.slip_sign), end.impulse_n - last.impulse_n,
                   end.impulse_t - last.impulse_t, end});
    last = end;
  }
  return out;
}

/// One piece per contact with an impulse in this phase.
void add_phase(const StruckContacts& contacts, ImpactPhase phase, const Vec2C& from,
               const Vec2C& to, std::vector<ImpactPiece>& out) {
  const double least = kResultRounding * to.cwiseAbs().maxCoeff();
  for (std::size_t j = 0; j < contacts.indices().size(); ++j) {
    const auto row = static_cast<Eigen::Index>(2 * j);
    const Vec2C change = to - from;
    if (std::abs(change[row]) <= least && std::abs(change[row + 1]) <= least) continue;
    ImpactPiece piece{phase,       contacts.indices()[j], ContactMode::kStick,
                      change[row], change[row + 1],       contacts.find_point(j, to)};
    double slip = piece.end.slip;
    if (phase == ImpactPhase::kPercussion) {  // friction opposes the mean slip
      const ImpulsePoint start = contacts.find_point(j, from);
      const double mean = start.slip + piece.end.slip;
      const double size = std::abs(start.slip) + std::abs(piece.end.slip);
      slip = std::abs(mean) <= kSameVelocity * size ? 0.0 : mean;
    }
    piece.motion = make_slip_mode(slip);
    out.push_back(piece);
  }
}

/// The last piece of each contact ends at the velocities after the impact, with their exact zeros.
void set_ends(const ContactKinematics& after, std::vector<ImpactPiece>& path) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto is_of_same = [&](const ImpactPiece& other) {
      return other.contact == path[i].contact;
    };
    const auto next = path.begin() + static_cast<std::ptrdiff_t>(i + 1);
    if (std::any_of(next, path.end(), is_of_same)) continue;
    path[i].end.gap_rate = after.gap_rate[path[i].contact];
    path[i].end.slip = after.slip[path[i].contact];
  }
}

}  // namespace

void add_impact_path(const Model& model, const State& before, const ImpactEffect& effect,
                     LawOutcome& out) {
  const ImpactRecord& record = out.record;
  const StruckContacts contacts(model, before, out);
  const Vec2C none = Vec2C::Zero(static_cast<Eigen::Index>(2 * contacts.indices().size()));
  const Vec2C total = contacts.gather(record.impulse_n, record.impulse_t);
  const bool collides = std::any_of(out.contacts.begin(), out.contacts.end(), [&](int i) {
    return !is_closed(out.modes_before[static_cast<std::size_t>(i)]);
  });
  if (effect.path) {
    out.path = list_pieces(*effect.path);
  } else if (out.law == ImpactLaw::kFremond && !collides) {
    add_phase(contacts, ImpactPhase::kPercussion, none, total, out.path);
  } else if (record.compression_n.cwiseAbs().maxCoeff() > 0.0) {
    const Vec2C first = contacts.gather(record.compression_n, record.compression_t);
    add_phase(contacts, ImpactPhase::kCompression, none, first, out.path);
    add_phase(contacts, ImpactPhase::kRestitution, first, total, out.path);
  } else {
    add_phase(contacts, ImpactPhase::kCompression, none, total, out.path);
  }
  set_ends(eval_contact_kinematics(model, out.after), out.path);
  for (std::size_t j = 0; j < contacts.indices().size(); ++j) {
    out.planes.push_back({contacts.indices()[j], contacts.mu(j), contacts.find_point(j, none),
                          contacts.find_line(j, true, total), contacts.find_line(j, false, total)});
  }
}

}  // namespace slipstick
