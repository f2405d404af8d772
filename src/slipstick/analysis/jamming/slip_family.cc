#include "slipstick/analysis/jamming/slip_family.h"

#include <Eigen/QR>
#include <algorithm>
#include <utility>
#include <vector>

#include "slipstick/contact/contact_problem.h"
#include "slipstick/core/scales.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model/forces.h"

namespace slipstick {
namespace {

/// The slides in the world that carry all masses of the contact's tree.
std::vector<int> list_base_slides(const Model& model, const State& state, int contact) {
  const int group = model.contacts[static_cast<std::size_t>(contact)].group;
  const MatQ M = eval_dynamics(model, state).M;
  std::vector<int> slides;
  double mass = 0.0;
  for (int i = 0; i < model.size(); ++i) {
    const Element& element = model.tree.elements[static_cast<std::size_t>(i)];
    const bool is_own = model.groups[static_cast<std::size_t>(i)] == group;
    if (!is_own || element.is_angle || element.frame != kWorldFrame) continue;
    slides.push_back(i);
    mass = std::max(mass, M(i, i));
  }
  std::erase_if(slides, [&](int i) { return M(i, i) < mass * (1.0 - kResultRounding); });
  return slides;
}

}  // namespace

std::optional<VecQ> find_translation(const Model& model, const State& state, int contact) {
  const std::vector<int> slides = list_base_slides(model, state, contact);
  if (slides.empty()) return std::nullopt;
  ContactKinematics kinematics;
  const ContactProblem problem = make_contact_problem(model, state, Tolerances{}, kinematics);
  const auto columns = static_cast<Eigen::Index>(slides.size());
  Eigen::MatrixXd A(problem.closed_count() + 1, columns);
  Eigen::VectorXd wanted = Eigen::VectorXd::Zero(A.rows());
  for (Eigen::Index k = 0; k < columns; ++k) {
    const int i = slides[static_cast<std::size_t>(k)];
    Eigen::Index row = 0;
    for (const ClosedContact& closed : problem.closed)
      A(row++, k) = kinematics.W_n(i, closed.index);
    A(row, k) = kinematics.W_t(i, contact);
  }
  wanted[wanted.size() - 1] = 1.0;
  const Eigen::VectorXd found = A.completeOrthogonalDecomposition().solve(wanted);
  if (!((A * found - wanted).cwiseAbs().maxCoeff() <= kResidual)) return std::nullopt;
  VecQ out = VecQ::Zero(model.size());
  for (Eigen::Index k = 0; k < columns; ++k) out[slides[static_cast<std::size_t>(k)]] = found[k];
  return out;
}

SlipFamily::SlipFamily(const Model& model, const State& initial, const SlidingContact& contact)
    : model_(model), initial_(initial), sign_(contact.slip_sign) {
  own_slip_ = sign_ * eval_contact_kinematics(model, initial).slip[contact.contact];
  translation_ = find_translation(model, initial, contact.contact);
  if (!translation_) surface_ = model.contacts[static_cast<std::size_t>(contact.contact)].surface;
}

bool SlipFamily::can_vary() const {
  return translation_ || model_.surfaces[static_cast<std::size_t>(surface_)].speed.is_constant();
}

SlipFamily::Member SlipFamily::make(double slip) const {
  const double more = sign_ * (slip - own_slip_);
  Member out{nullptr, &model_, initial_};
  if (translation_) {
    out.state.v += more * *translation_;
    return out;
  }
  auto other = std::make_shared<Model>(model_);
  Function& speed = other->surfaces[static_cast<std::size_t>(surface_)].speed;
  speed = Function(eval_function(speed, initial_) - more);
  out.model = other.get();
  out.own = std::move(other);
  return out;
}

}  // namespace slipstick
