#include "slipstick/impact/simultaneous.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/core/scales.h"
#include "slipstick/impact/impulse_set.h"
#include "slipstick/model/dynamics.h"

namespace slipstick {
namespace {

using Eigen::Index;

/// The assumption about one contact in one stage. Each velocity after the stage belongs to one
/// choice only: the inequalities for opening and slipping are strict, so no outcome is found twice.
struct ContactChoice {
  bool active = false;                     ///< stays closed; else it opens
  ContactMode slip = ContactMode::kStick;  ///< after the stage
  int side = 1;  ///< sign of its normal impulse; 0: either, without friction
};
using Choices = PerContact<ContactChoice>;

/// Compression, or expansion after it: impulses and velocities as functions of the unknowns.
struct Stage {
  std::vector<LinearForm> prior;     ///< impulses before this stage
  std::vector<LinearForm> impulse;   ///< of this stage
  std::vector<LinearForm> velocity;  ///< after it
  VecC restitution;                  ///< least share of the prior impulse that acts again
  ImpulseSet prior_set;              ///< conditions on the prior impulses
  std::vector<LinearForm> total;     ///< prior and this stage's
};

/// A set of impulses that satisfies the laws.
struct Found {
  Choices choices;
  ImpulseSet set;
  ImpulseMembers members;
};

class OutcomeSearch {
 public:
  OutcomeSearch(const ImpactProblem& problem, const Tolerances& tolerances)
      : problem_(problem),
        contacts_(problem.contacts),
        unit_(make_contact_units(problem.contacts.G)) {
    const int k = contacts_.closed_count();
    G_ = unit_.asDiagonal() * contacts_.G * unit_.asDiagonal();
    velocity_ = unit_.cwiseProduct(contacts_.a_free);
    if (problem.opposes_mean_slip) {
      for (int i = 0; i < k; ++i) velocity_[2 * i + 1] *= 2.0;
    }
    scale_ = unit_.cwiseProduct(contacts_.a_scale);
    size_ = scale_.maxCoeff();
    mu_.resize(k);
    for (int i = 0; i < k; ++i) {
      mu_[i] = closed(i).mu * unit_[2 * i] / unit_[2 * i + 1];
    }
    // Redundant equations must hold as closely as in the enumeration of forces.
    tolerances_ = {tolerances.rank, kResidual, tolerances.marginal, tolerances.marginal};
    // Difference allowed between two ways to the same velocities.
    same_ = kSameVelocity * size_ * (contacts_.M_inverse_W.cwiseAbs() * unit_) +
            kSolveRounding * contacts_.free_acceleration.cwiseAbs();
  }

  [[nodiscard]] std::vector<ImpactOutcome> find_inelastic() {
    const Stage stage = make_compression();
    std::vector<Found> found = search(stage);
    return list_outcomes(stage, found);
  }

  [[nodiscard]] std::vector<ImpactOutcome> find_poisson() {
    const Stage stage = make_compression();
    std::vector<Found> compressions = search(stage);
    sort_by_preference(stage, compressions);
    std::vector<ImpactOutcome> out;
    for (const Found& compression : compressions) {
      if (!problem_.collides && is_idle(make_outcome(stage, compression))) continue;
      const Stage expansion = make_expansion(stage, compression);
      std::vector<Found> found = search(expansion);
      for (ImpactOutcome& outcome : list_outcomes(expansion, found)) {
        outcome.compression_modes = make_word(compression.choices);
        const auto known = std::find_if(out.begin(), out.end(), [&](const ImpactOutcome& other) {
          return is_same(outcome.v_plus, other.v_plus);
        });
        if (known == out.end()) {
          out.push_back(std::move(outcome));
        } else {
          join(*known, outcome);
        }
      }
    }
    const auto rank = [](const ImpactOutcome& outcome) {
      return std::pair(outcome.creates_energy, outcome.pushes_and_pulls);
    };
    std::stable_sort(out.begin(), out.end(), [&](const ImpactOutcome& a, const ImpactOutcome& b) {
      return rank(a) < rank(b);
    });
    return out;
  }

 private:
  [[nodiscard]] const ClosedContact& closed(int i) const {
    return contacts_.closed[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] Index row_count() const { return unit_.size(); }

  // --- the stages ---

  /// Unknowns: the impulses.
  [[nodiscard]] Stage make_compression() const {
    const Index n = row_count();
    Stage out;
    for (Index row = 0; row < n; ++row) {
      out.prior.push_back({VecI::Zero(n), 0.0, 0.0});
      out.impulse.push_back({VecI::Unit(n, row), 0.0, size_});
      out.velocity.push_back({G_.row(row).transpose(), velocity_[row], scale_[row]});
    }
    out.restitution = VecC::Zero(contacts_.closed_count());
    out.prior_set.size = size_;
    out.total = out.impulse;
    return out;
  }

  /// Unknowns: the impulses of the expansion. If those of the compression are a family, they are
  /// unknowns as well and come first.
  [[nodiscard]] Stage make_expansion(const Stage& before, const Found& compression) const {
    const Index n = row_count();
    const VecI& x = compression.members.x;
    const bool is_family = compression.members.Z.cols() > 0;
    const Index unknowns = is_family ? 2 * n : n;
    const auto widen = [&](const LinearForm& form) {
      if (!is_family) return LinearForm{VecI::Zero(n), form.eval(x), form.eval_scale(x)};
      LinearForm out{VecI::Zero(unknowns), form.c, form.scale};
      out.a.head(n) = form.a;
      return out;
    };
    Stage out;
    for (Index row = 0; row < n; ++row) {
      const auto r = static_cast<std::size_t>(row);
      out.prior.push_back(widen(before.impulse[r]));
      out.impulse.push_back({VecI::Unit(unknowns, unknowns - n + row), 0.0, size_});
      LinearForm velocity = widen(before.velocity[r]);
      velocity.a.tail(n) += G_.row(row).transpose();
      out.velocity.push_back(velocity);
      out.total.push_back(add(out.prior.back(), 1.0, out.impulse.back()));
    }
    out.restitution = problem_.restitution;
    for (int i = 0; i < contacts_.closed_count(); ++i) {
      if (closed(i).bilateral) out.restitution[i] = 0.0;  // closed from both sides
    }
    out.prior_set.size = size_ + x.cwiseAbs().maxCoeff();
    if (!is_family) return out;
    for (const LinearForm& form : compression.set.equations) {
      out.prior_set.equations.push_back(widen(form));
    }
    for (const LinearForm& form : compression.set.inequalities) {
      out.prior_set.inequalities.push_back(widen(form));
    }
    for (const LinearForm& form : compression.set.strict) {
      out.prior_set.strict.push_back(widen(form));
    }
    return out;
  }

  // --- the choices ---

  [[nodiscard]] std::vector<ContactChoice> list_choices(const Stage& stage, int i) const {
    const ClosedContact& contact = closed(i);
    const bool slides_freely = contact.mu <= 0.0;
    std::vector<ContactChoice> out;
    const auto add_slips = [&](bool active, int side) {
      out.push_back({active, ContactMode::kStick, side});
      const bool needs_none = slides_freely || (!active && stage.restitution[i] <= 0.0);
      if (needs_none) return;
      out.push_back({active, ContactMode::kSlipPlus, side});
      out.push_back({active, ContactMode::kSlipMinus, side});
    };
    if (!contact.bilateral) add_slips(false, 1);
    if (contact.bilateral && slides_freely) {
      add_slips(true, 0);
    } else {
      add_slips(true, 1);
      if (contact.bilateral) add_slips(true, -1);
    }
    return out;
  }

  /// The impulse beyond what restitution prescribes.
  [[nodiscard]] LinearForm make_extra(const Stage& stage, int i) const {
    const auto n = static_cast<std::size_t>(2 * i);
    return add(stage.impulse[n], -stage.restitution[i], stage.prior[n]);
  }

  static LinearForm scaled(double factor, const LinearForm& form) {
    return {factor * form.a, factor * form.c, std::abs(factor) * form.scale};
  }

  void assume(const Stage& stage, int i, const ContactChoice& choice, ImpulseSet& set) const {
    const auto n = static_cast<std::size_t>(2 * i);
    const LinearForm& normal = stage.impulse[n];
    const LinearForm& tangential = stage.impulse[n + 1];
    if (choice.active) {
      set.equations.push_back(stage.velocity[n]);
      if (choice.side > 0) set.inequalities.push_back(make_extra(stage, i));
      if (choice.side < 0) set.strict.push_back(scaled(-1.0, normal));
    } else {
      set.equations.push_back(make_extra(stage, i));
      set.strict.push_back(stage.velocity[n]);
    }
    const bool has_no_friction = mu_[i] <= 0.0 || (!choice.active && stage.restitution[i] <= 0.0);
    if (has_no_friction) {
      set.equations.push_back(tangential);
    } else if (choice.slip == ContactMode::kStick) {
      set.equations.push_back(stage.velocity[n + 1]);
      for (const double sign : {-1.0, 1.0}) {
        set.inequalities.push_back(add(scaled(choice.side * mu_[i], normal), sign, tangential));
      }
    } else {
      const double slip = eval_slip_sign(choice.slip);
      set.equations.push_back(add(tangential, slip * choice.side * mu_[i], normal));
      set.strict.push_back(scaled(slip, stage.velocity[n + 1]));
    }
  }

  /// The conditions that hold for every choice of this contact.
  void assume_any(const Stage& stage, int i, ImpulseSet& set) const {
    const auto n = static_cast<std::size_t>(2 * i);
    if (mu_[i] <= 0.0) set.equations.push_back(stage.impulse[n + 1]);
    if (closed(i).bilateral) {
      set.equations.push_back(stage.velocity[n]);
      return;
    }
    set.inequalities.push_back(stage.velocity[n]);
    set.inequalities.push_back(make_extra(stage, i));
    if (mu_[i] <= 0.0) return;
    for (const double sign : {-1.0, 1.0}) {
      set.inequalities.push_back(add(scaled(mu_[i], stage.impulse[n]), sign, stage.impulse[n + 1]));
    }
  }

  // --- the search ---

  /// Every combination of choices that has impulses. One on the border between choices may be lost
  /// to rounding; so if none is found, the search is repeated with borders included.
  [[nodiscard]] std::vector<Found> search(const Stage& stage) const {
    std::vector<Found> out;
    Choices choices;
    ImpulseSet set = stage.prior_set;
    descend(stage, tolerances_, set, choices, out);
    if (!out.empty()) return out;
    constexpr double kLoose = 1e-7;  // of the terms: rounding left by the stage before
    SetTolerances loose = tolerances_;
    loose.equation = loose.slack = kLoose;
    loose.strict = -kLoose;
    descend(stage, loose, set, choices, out);
    return out;
  }

  /// Decides one contact after the other. A combination that has no solution whatever the remaining
  /// contacts do is not followed.
  void descend(const Stage& stage, const SetTolerances& tolerances, ImpulseSet& set,
               Choices& choices, std::vector<Found>& out) const {
    const auto k = static_cast<std::size_t>(contacts_.closed_count());
    if (choices.size() == k) {
      if (auto members = find_members(set, tolerances)) {
        out.push_back({choices, set, std::move(*members)});
      }
      return;
    }
    const auto i = static_cast<int>(choices.size());
    for (const ContactChoice& choice : list_choices(stage, i)) {
      const auto equations = set.equations.size();
      const auto inequalities = set.inequalities.size();
      const auto strict = set.strict.size();
      assume(stage, i, choice, set);
      choices.push_back(choice);
      // This test costs as much as some ten sets, so it is left out near the end.
      if (choices.size() + 2 > k || has_members(stage, tolerances, set, choices.size())) {
        descend(stage, tolerances, set, choices, out);
      }
      choices.pop_back();
      set.equations.resize(equations);
      set.inequalities.resize(inequalities);
      set.strict.resize(strict);
    }
  }

  [[nodiscard]] bool has_members(const Stage& stage, const SetTolerances& tolerances,
                                 ImpulseSet set, std::size_t decided) const {
    for (auto i = static_cast<int>(decided); i < contacts_.closed_count(); ++i) {
      assume_any(stage, i, set);
    }
    return find_members(set, tolerances).has_value();
  }

  // --- the outcomes ---

  void sort_by_preference(const Stage& stage, std::vector<Found>& found) const {
    // In the expansion the impulses beyond what restitution prescribes are to be few.
    const bool expands = stage.restitution.maxCoeff() > 0.0;
    const auto rank = [&](const Found& item) {
      int active = 0;
      int sticking = 0;
      for (int i = 0; i < contacts_.closed_count(); ++i) {
        const ContactChoice& choice = item.choices[static_cast<std::size_t>(i)];
        active += choice.active ? 1 : 0;
        sticking += choice.slip == ContactMode::kStick && choice.active ? 1 : 0;
      }
      return std::pair(expands ? active : -active, -sticking);
    };
    std::stable_sort(found.begin(), found.end(),
                     [&](const Found& a, const Found& b) { return rank(a) < rank(b); });
  }

  /// An outcome, and the sets of impulses that it stands for.
  struct Continuum {
    ImpactOutcome outcome;
    std::vector<const Found*> sets;
  };

  [[nodiscard]] std::vector<ImpactOutcome> list_outcomes(const Stage& stage,
                                                         std::vector<Found>& found) const {
    sort_by_preference(stage, found);
    std::vector<Continuum> all;
    for (const Found& item : found) {
      Continuum next{make_outcome(stage, item), {&item}};
      if (is_idle(next.outcome)) continue;
      // It may join several that had nothing in common before; the first one keeps its member.
      Continuum* home = nullptr;
      for (std::size_t j = 0; j < all.size();) {
        Continuum& other = home == nullptr ? next : *home;
        if (!belong_together(all[j], other)) {
          ++j;
        } else if (home == nullptr) {
          join(all[j], next);
          home = &all[j++];
        } else {
          join(*home, all[j]);
          all.erase(all.begin() + static_cast<std::ptrdiff_t>(j));
        }
      }
      if (home == nullptr) all.push_back(std::move(next));
    }
    std::vector<ImpactOutcome> out;
    for (Continuum& item : all) out.push_back(std::move(item.outcome));
    return out;
  }

  /// True for the same velocities, and for sets with a common member whose velocities are open.
  [[nodiscard]] bool belong_together(const Continuum& a, const Continuum& b) const {
    if (is_same(a.outcome.v_plus, b.outcome.v_plus)) return true;
    if (!is_open(a.outcome, b.outcome)) return false;
    return std::any_of(a.sets.begin(), a.sets.end(), [&](const Found* first) {
      return std::any_of(b.sets.begin(), b.sets.end(),
                         [&](const Found* second) { return touches(*first, *second); });
    });
  }

  [[nodiscard]] static bool is_open(const ImpactOutcome& a, const ImpactOutcome& b) {
    const auto open = [](const ImpactOutcome& outcome) {
      return outcome.family && !outcome.family->velocity_is_unique;
    };
    return open(a) || open(b);
  }

  /// Two sets with a common member are one continuum.
  [[nodiscard]] bool touches(const Found& a, const Found& b) const {
    ImpulseSet both = a.set;
    both.append(b.set);
    both.inequalities.insert(both.inequalities.end(), both.strict.begin(), both.strict.end());
    both.strict.clear();
    return find_members(both, tolerances_).has_value();
  }

  static void join(Continuum& out, const Continuum& other) {
    out.sets.insert(out.sets.end(), other.sets.begin(), other.sets.end());
    join(out.outcome, other.outcome);
  }

  /// Widens the ranges of an outcome by those of another one. Without a family the two are equal.
  static void join(ImpactOutcome& out, const ImpactOutcome& other) {
    if (!out.family && !other.family) return;
    if (!out.family) out.family = make_point_family(out);
    const ImpulseFamily more = other.family ? *other.family : make_point_family(other);
    ImpulseFamily& family = *out.family;
    family.dimension = std::max(family.dimension, more.dimension);
    family.velocity_is_unique &= more.velocity_is_unique;
    const auto widen = [](std::vector<Range>& ranges, const std::vector<Range>& by) {
      for (std::size_t i = 0; i < ranges.size(); ++i) {
        ranges[i] = {std::min(ranges[i].first, by[i].first),
                     std::max(ranges[i].second, by[i].second)};
      }
    };
    widen(family.impulse_n, more.impulse_n);
    widen(family.impulse_t, more.impulse_t);
    if (!family.velocity_is_unique) widen(family.velocity, more.velocity);
  }

  static ImpulseFamily make_point_family(const ImpactOutcome& outcome) {
    ImpulseFamily out;
    for (const double value : outcome.impulse_n) out.impulse_n.emplace_back(value, value);
    for (const double value : outcome.impulse_t) out.impulse_t.emplace_back(value, value);
    for (const double value : outcome.v_plus) out.velocity.emplace_back(value, value);
    return out;
  }

  /// An impact without a collision must have an impulse.
  [[nodiscard]] bool is_idle(const ImpactOutcome& outcome) const {
    return !problem_.collides && is_same(outcome.v_plus, contacts_.free_acceleration);
  }
  [[nodiscard]] bool is_same(const VecQ& a, const VecQ& b) const {
    return ((a - b).cwiseAbs().array() <= same_.array()).all();
  }
  [[nodiscard]] ImpactOutcome make_outcome(const Stage& stage, const Found& found) const {
    const auto count = static_cast<Index>(contacts_.status.size());
    ImpulseMembers members = found.members;
    centre(members);
    Vec2C impulse(row_count());  // scaled
    for (Index row = 0; row < row_count(); ++row) {
      impulse[row] = stage.total[static_cast<std::size_t>(row)].eval(members.x);
    }
    for (int i = 0; i < contacts_.closed_count(); ++i) {  // exact zeros
      const bool passes =
          !found.choices[static_cast<std::size_t>(i)].active && stage.restitution[i] <= 0.0;
      if (passes) impulse[2 * i] = stage.prior[static_cast<std::size_t>(2 * i)].eval(members.x);
      if (passes || mu_[i] <= 0.0) {
        impulse[2 * i + 1] = stage.prior[static_cast<std::size_t>(2 * i + 1)].eval(members.x);
      }
    }
    const Vec2C real = unit_.cwiseProduct(impulse);
    ImpactOutcome out{ModeWord(contacts_.status.size()),
                      {},
                      VecC::Zero(count),
                      VecC::Zero(count),
                      VecC::Zero(count),
                      VecC::Zero(count),
                      contacts_.free_acceleration + contacts_.M_inverse_W * real,
                      std::nullopt,
                      false,
                      false};
    const Vec2C after = contacts_.a_free + contacts_.G * real;
    for (int i = 0; i < contacts_.closed_count(); ++i) {
      const ContactChoice& choice = found.choices[static_cast<std::size_t>(i)];
      const int c = closed(i).index;
      out.impulse_n[c] = real[2 * i];
      out.impulse_t[c] = real[2 * i + 1];
      const auto row = static_cast<std::size_t>(2 * i);
      out.compression_n[c] = unit_[2 * i] * stage.prior[row].eval(members.x);
      out.compression_t[c] = unit_[2 * i + 1] * stage.prior[row + 1].eval(members.x);
      if (choice.active)
        out.modes.set(static_cast<std::size_t>(c), find_mode(i, choice, after, real));
    }
    out.creates_energy = creates_energy(real, after);
    for (int i = 0; i < contacts_.closed_count(); ++i) {
      const double before = out.compression_n[closed(i).index];
      const double now = real[2 * i] - before;
      out.pushes_and_pulls |= before * now < 0.0 && std::min(std::abs(before), std::abs(now)) >
                                                        kMarginal * size_ * unit_[2 * i];
    }
    if (members.Z.cols() > 0) out.family = describe(stage, members, out);
    return out;
  }

  [[nodiscard]] ModeWord make_word(const Choices& choices) const {
    ModeWord out(contacts_.status.size());
    for (int i = 0; i < contacts_.closed_count(); ++i) {
      const ContactChoice& choice = choices[static_cast<std::size_t>(i)];
      if (choice.active) out.set(static_cast<std::size_t>(closed(i).index), choice.slip);
    }
    return out;
  }

  /// By the slip after the impact. Under Fremond's law this is not the slip that friction opposes.
  [[nodiscard]] ContactMode find_mode(int i, const ContactChoice& choice, const Vec2C& after,
                                      const Vec2C& impulse) const {
    if (mu_[i] > 0.0 && !problem_.opposes_mean_slip) return choice.slip;
    const Index row = 2 * i + 1;
    const double scale =
        contacts_.a_scale[row] + contacts_.G.row(row).cwiseAbs().dot(impulse.cwiseAbs());
    return make_slip_mode(std::abs(after[row]) <= tolerances_.slack * scale ? 0.0 : after[row]);
  }

  /// Work of the impulses at the mean velocities of the contacts, relative to the surfaces.
  [[nodiscard]] bool creates_energy(const Vec2C& impulse, const Vec2C& after) const {
    const Vec2C mean = 0.5 * (contacts_.a_free + after);
    const double fastest =
        std::max(contacts_.a_free.cwiseAbs().maxCoeff(), after.cwiseAbs().maxCoeff());
    return impulse.dot(mean) > kEnergyGain * impulse.cwiseAbs().sum() * fastest;
  }

  /// Nothing if the family is as narrow as rounding.
  [[nodiscard]] std::optional<ImpulseFamily> describe(const Stage& stage,
                                                      const ImpulseMembers& members,
                                                      const ImpactOutcome& at) const {
    const Index unknowns = members.x.size();
    Eigen::MatrixXd total(row_count(), unknowns);
    for (Index row = 0; row < row_count(); ++row) {
      total.row(row) = stage.total[static_cast<std::size_t>(row)].a.transpose();
    }
    Eigen::FullPivLU<Eigen::MatrixXd> directions(total * members.Z);
    directions.setThreshold(tolerances_.equation);
    ImpulseFamily out = make_point_family(at);
    out.dimension = static_cast<int>(directions.rank());
    double widest = 0.0;
    for (Index row = 0; row < row_count(); ++row) {
      const auto r = static_cast<std::size_t>(row);
      const Range range = find_range(members, stage.total[r]);
      widest = std::max(widest, range.second - range.first);
      auto& ranges = row % 2 == 0 ? out.impulse_n : out.impulse_t;
      // A contact that only pushes has no range below zero, not even by rounding.
      const double zero = kResultRounding * members.unit;
      const auto snap = [zero](double end) { return std::abs(end) <= zero ? 0.0 : end; };
      ranges[static_cast<std::size_t>(closed(static_cast<int>(row / 2)).index)] = {
          unit_[row] * snap(range.first), unit_[row] * snap(range.second)};
    }
    if (out.dimension == 0 || widest <= kProgramZero * members.unit) return std::nullopt;
    for (Index j = 0; j < at.v_plus.size(); ++j) {
      LinearForm form{VecI::Zero(unknowns), contacts_.free_acceleration[j], 0.0};
      for (Index row = 0; row < row_count(); ++row) {
        form = add(form, contacts_.M_inverse_W(j, row) * unit_[row],
                   stage.total[static_cast<std::size_t>(row)]);
      }
      const Range range = find_range(members, form);
      // `same_` is a tenth of it.
      if (range.second - range.first <= 10.0 * same_[j]) continue;
      out.velocity_is_unique = false;
      out.velocity[static_cast<std::size_t>(j)] = range;
    }
    return out;
  }

  const ImpactProblem& problem_;
  const ContactProblem& contacts_;
  Vec2C unit_;
  Mat2C G_;         ///< scaled, as all that follow
  Vec2C velocity_;  ///< before; slips that friction opposes
  Vec2C scale_;     ///< sizes of their terms
  VecC mu_;
  double size_ = 0.0;  ///< of velocities and impulses
  SetTolerances tolerances_;
  VecQ same_;  ///< velocities this close are one
};

}  // namespace

ImpactProblem make_impact_problem(const Model& model, const State& state,
                                  const PerContact<int>& contacts, const Tolerances& tolerances) {
  PerContact<ClosedContact> closed;
  ImpactProblem out;
  out.restitution.resize(static_cast<Eigen::Index>(contacts.size()));
  for (const int i : contacts) {
    const Contact& contact = model.contacts[static_cast<std::size_t>(i)];
    out.restitution[static_cast<Eigen::Index>(closed.size())] = contact.restitution;
    // Impacts obey kinetic friction; its sign follows from the slip after the impact.
    closed.push_back({i, contact.mu, contact.mu, 0, contact.bilateral});
  }
  const ContactKinematics kinematics = eval_contact_kinematics(model, state);
  out.contacts = make_contact_problem(model, state, kinematics, closed, tolerances);
  out.contacts.free_acceleration = state.v;
  out.contacts.lock_free.resize(0);
  out.contacts.lock_G.resize(0, out.contacts.G.cols());
  for (std::size_t j = 0; j < contacts.size(); ++j) {
    const int i = contacts[j];
    const auto row = static_cast<Eigen::Index>(2 * j);
    const VecQ speed = state.v.cwiseAbs();
    const double path_rate = kinematics.W_t.col(i).dot(state.v);
    out.contacts.a_free[row] = kinematics.gap_rate[i];
    out.contacts.a_free[row + 1] = kinematics.slip[i];
    out.contacts.a_scale[row] = kinematics.W_n.col(i).cwiseAbs().dot(speed);
    out.contacts.a_scale[row + 1] =
        kinematics.W_t.col(i).cwiseAbs().dot(speed) + std::abs(kinematics.slip[i] - path_rate);
  }
  return out;
}

std::vector<ImpactOutcome> find_inelastic_outcomes(const ImpactProblem& problem,
                                                   const Tolerances& tolerances) {
  return OutcomeSearch(problem, tolerances).find_inelastic();
}

std::vector<ImpactOutcome> find_poisson_outcomes(const ImpactProblem& problem,
                                                 const Tolerances& tolerances) {
  OutcomeSearch search(problem, tolerances);
  return problem.restitution.maxCoeff() > 0.0 ? search.find_poisson() : search.find_inelastic();
}

}  // namespace slipstick
