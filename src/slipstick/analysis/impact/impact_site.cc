#include "slipstick/analysis/impact/impact_site.h"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "slipstick/core/scales.h"
#include "slipstick/model/scale.h"
#include "slipstick/sim/hybrid/continuation.h"
#include "slipstick/sim/hybrid/holding.h"
#include "slipstick/sim/hybrid/next_mode.h"
#include "slipstick/sim/singular/jam.h"

namespace slipstick {
namespace {

/// True if the force of sliding is unbounded within tolerance, at this contact alone or together
/// with the others that slide and stick: p = 0, or the determinant d of their equations.
bool is_jammed(const Model& model, const State& state, const PerContact<ClosedContact>& closed,
               const ClosedContact& contact, const Tolerances& tolerances) {
  if (contact.slip_sign == 0 || contact.mu <= 0.0) return false;
  const auto fields = list_sliding_fields(model, state, closed, contact);
  return std::any_of(fields.begin(), fields.end(), [&](const SlidingField& sliding) {
    // In units of unit mobility the two terms of p are 1 each where it is zero.
    const bool is_zero = std::abs(sliding.field.determinant) <= 2.0 * tolerances.marginal;
    if (!sliding.mode.stretched || !is_zero) return false;
    const PerContact<int> jamming = list_jamming(model, sliding.mode, state);
    return std::count(jamming.begin(), jamming.end(), contact.index) > 0;
  });
}

/// Contacts that can be struck, alone or with the others. Where no contact force exists, the others
/// that slide may be struck together only, and are tried if these have no outcome.
void find_struck_contacts(const Model& model, const Laws& laws, ImpactSite& site) {
  const State& state = site.start.state;
  const PerContact<ClosedContact> closed = site.start.contacts.closed();
  for (const ClosedContact& contact : closed) {
    const bool jams = is_jammed(model, state, closed, contact, laws.tolerances);
    if (jams) site.jammed.push_back(contact.index);
    if (jams || can_be_struck(model, state, closed, contact)) {
      site.contacts.push_back(contact.index);
    } else if (contact.slip_sign != 0 && site.is_inconsistent) {
      site.further.push_back(contact.index);
    }
  }
  if (site.contacts.empty()) std::swap(site.contacts, site.further);
  if (site.contacts.empty()) return;
  site.kind = site.jammed.empty() ? ImpactKind::kWithoutCollision : ImpactKind::kJam;
}

}  // namespace

ImpactSite find_impact_site(const Model& model, const State& state, const Laws& laws) {
  ImpactSite out;
  out.start = make_start(model, state, laws);
  for (int i = 0; i < model.contact_count(); ++i) {
    if (out.start.contacts.leaving(i) == 1) out.rebounding.push_back(i);
  }
  if (const auto* collision = std::get_if<Collides>(&out.start.pending)) {
    out.kind = ImpactKind::kCollision;
    out.contacts = collision->contacts;
    return out;
  }
  close_touching(model, laws, out.start);
  out.is_inconsistent =
      list_continuations(model, out.start.state, out.start, laws, nullptr).empty();
  find_struck_contacts(model, laws, out);
  return out;
}

Why explain_no_impact(const Model& model, const ImpactSite& site,
                      const Classification& classification) {
  const auto found = [](std::string sentence) {
    return Why{WhyCode::kNotFound, std::move(sentence)};
  };
  const PerContact<ClosedContact> closed = site.start.contacts.closed();
  if (closed.empty()) return found("no contact is at its surface, so no impulse acts");
  const std::vector<SlidingTerms>& sliding = classification.sliding.contacts;
  if (site.is_inconsistent) {
    return found(
        "no contact force satisfies the laws, and no contact slides, so no impulse can act either");
  }
  if (sliding.empty()) {
    return found("no contact collides, and none slides: contact forces carry the motion on");
  }
  const auto least =
      std::min_element(sliding.begin(), sliding.end(),
                       [](const SlidingTerms& a, const SlidingTerms& b) { return a.p < b.p; });
  return found(fmt::format(
      "no contact collides, and sliding has a contact force (p > 0, least {:.8g} 1/kg at contact "
      "'{}'): the motion goes on without an impulse",
      least->p, model.contact_names[static_cast<std::size_t>(least->contact)]));
}

bool can_stay_closed(const Model& model, const State& after) {
  PerContact<int> held;
  for (int i = 0; i < model.contact_count(); ++i) {
    const bool bilateral = model.contacts[static_cast<std::size_t>(i)].bilateral;
    if (bilateral && eval_is_active(model, i, after)) held.push_back(i);
  }
  if (held.size() < 2) return true;
  const VecQ scale = make_coordinate_scale(model);
  const ContactKinematics kinematics = eval_contact_kinematics(model, after);
  const auto k = static_cast<Eigen::Index>(held.size());
  Eigen::MatrixXd normals(model.size(), k);
  Eigen::VectorXd bias(k);
  for (Eigen::Index j = 0; j < k; ++j) {
    const int i = held[static_cast<std::size_t>(j)];
    const VecQ column = scale.cwiseProduct(kinematics.W_n.col(i));
    const double length = column.norm();
    if (!(length > 0.0)) return true;
    normals.col(j) = column / length;
    bias[j] = kinematics.bias_n[i] / length;
  }
  // gap'' = W_n^T v' + bias = 0 needs a bias within the range of W_n^T.
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(normals.transpose(),
                                              Eigen::ComputeThinU | Eigen::ComputeThinV);
  const double largest = svd.singularValues()[0];
  Eigen::VectorXd left = bias;
  for (Eigen::Index j = 0; j < svd.singularValues().size(); ++j) {
    if (svd.singularValues()[j] <= kDependent * largest) continue;
    left -= svd.matrixU().col(j) * svd.matrixU().col(j).dot(left);
  }
  const VecQ rates = after.v.cwiseQuotient(scale);
  return left.norm() <= kSameVelocity * rates.squaredNorm();
}

}  // namespace slipstick
