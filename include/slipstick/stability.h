#pragma once

/// Is a body's rest on two frictional contacts stable against small kicks, and by which theorem?
/// [Or2021]; docs/theory/stability.md. The answer is one report: the verdict, the maps behind
/// it, how far it is from changing, and whether it holds over a box of parameters.
///
///     const slipstick::LoadedModel loaded = slipstick::read_model("two-contact-body", {});
///     const auto body = slipstick::make_two_contact_body(*loaded.model, loaded.initial, {});
///     const slipstick::StabilityReport report = slipstick::make_stability_report(body, {}, {});
///     std::cout << find_word(slipstick::kVerdicts, report.stability.verdict) << '\n';

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "slipstick/errors.h"
#include "slipstick/interval.h"
#include "slipstick/linalg.h"
#include "slipstick/mode_word.h"
#include "slipstick/model.h"
#include "slipstick/state.h"
#include "slipstick/tolerances.h"
#include "slipstick/why.h"
#include "slipstick/words.h"

namespace slipstick {

/// A rigid body at rest on two frictional contacts: the data that the stability theory needs.
struct TwoContactBody {
  double mass = 1.0;             ///< [kg]
  double inertia = 1.0;          ///< about the centre of mass [kg m^2]
  std::array<Vec2, 2> lever;     ///< contact points from the centre of mass [m]
  std::array<Vec2, 2> normal;    ///< of their surfaces
  std::array<double, 2> mu{};    ///< friction
  Vec2 force = Vec2::Zero();     ///< load at the centre of mass [N]
  double torque = 0.0;           ///< load, counter-clockwise [N m]
  std::array<int, 2> contact{};  ///< indices in the model
};

/// Reduces a model at rest to one rigid body. Throws InputError unless the model is one body, or
/// bodies fixed to each other, that is free to move in the plane, rests under loads that do not
/// depend on time, and has exactly two closed contacts. Both must be unilateral, always active,
/// without relabelling, inelastic, with equal static and kinetic friction, and on surfaces at rest.
[[nodiscard]] TwoContactBody make_two_contact_body(const Model& model, const State& state,
                                                   const Tolerances& tolerances);

/// What happens after a small kick at rest.
enum class Verdict {
  kStable,      ///< the body comes to rest nearby
  kUnstable,    ///< some kicks, however small, grow
  kInfeasible,  ///< it cannot rest
  kPainleve,    ///< some moving state has no mode or several
  kMarginal,    ///< a decision depends on less than the tolerance
  kUndecided,   ///< no theorem applies
};
/// Their words in documents.
inline constexpr Words<6> kVerdicts{"stable",   "unstable", "infeasible",
                                    "painleve", "marginal", "undecided"};

/// The theorem of [Or2021] that decides.
enum class Theorem {
  kNone,  ///< the verdict needs none, or there is none
  k1,     ///< other modes than rest are consistent at rest
  k2,     ///< some fixed point has growth > 1
  k3,     ///< sliding on both contacts is persistent, and growth < 1 everywhere
  k4a,    ///< there is a stable partition of the angles
  k5,     ///< R does not decrease, and growth < 1 at every fixed point
};
/// Their numbers.
inline constexpr Words<6> kTheorems{"", "1", "2", "3", "4a", "5"};

/// Whether sliding on both contacts goes on to rest [Or2021] Definition 2.
enum class Persistence {
  kNone,        ///< it may end by a contact opening
  kWeak,        ///< it does wherever it can be reached
  kPersistent,  ///< it does, both ways
};
/// Their words in documents.
inline constexpr Words<3> kPersistences{"none", "weak", "persistent"};

/// R(angle) = angle: a motion that repeats itself, scaled by the growth.
struct FixedPoint {
  double angle = 0.0;   ///< of the blow [rad]
  double growth = 0.0;  ///< of the speed from one blow to the next
  double slope = 0.0;   ///< of R
};

/// An interval of a stable partition [Or2021] Definitions 3-8a.
struct PartitionInterval {
  double low = 0.0, high = 0.0;  ///< angles of blows [rad]
  bool safe = false;             ///< growth < 1 on it; else it is transient: left for good
  double growth_max = 0.0;       ///< least upper bound of the growth; infinite at a grazing end
};

/// How a motion from a blow of contact 2 goes on.
enum class PathEnd : std::uint8_t {
  kReturns,  ///< to the next blow
  kSticks,   ///< the motion ends: both contacts stick
  kSlides,   ///< the motion ends by sliding on both contacts to rest
  kEscapes,  ///< no further event: the body leaves
  kParadox,  ///< a state with no mode or several
  kTooLong,  ///< more events than a path holds
};

/// The return map at the angle phi of a blow, tan(phi) = x2'/|z2'|.
struct MapValue {
  double reduced = 0.0;  ///< R: the angle of the next blow [rad]
  double growth = 0.0;   ///< |z2'| after / |z2'| before, G in [Or2021]
};

/// R and growth at an end of (-pi/2, pi/2), [Or2021] Lemma 2a; its eq. (31) is in error.
struct MapEnd {
  int kind = 0;                     ///< 1: R -> +-pi/2; 2: R -> reduced; 0: undefined
  double growth = 0.0;              ///< kind 1: its limit, also the slope of R
  double reduced = 0.0;             ///< kind 2: R, within (-pi/2, pi/2)
  double scaled_growth = 0.0;       ///< kind 2: growth (pi/2 - |phi|) = |z2'| after / |x2'| before
  PathEnd end = PathEnd::kReturns;  ///< of the motion there
};

/// The verdict, and what it rests on.
struct StabilityAnswer {
  Verdict verdict = Verdict::kUndecided;         ///< the answer
  Theorem theorem = Theorem::kNone;              ///< by which it was found
  Persistence persistence = Persistence::kNone;  ///< with maps only
  std::vector<ModeWord> ambiguous_modes;         ///< besides both sticking, at rest
  std::vector<std::string> paradox;              ///< moving states with no mode or several
  std::vector<std::string> marginal;             ///< quantities that vanish
  bool maps_swapped = false;                     ///< the maps have the contacts in the other order
  bool verdict_swapped = false;                  ///< the verdict needed the other order
  bool monotone = false;                         ///< R does not decrease
  std::vector<FixedPoint> fixed_points;          ///< rising
  std::vector<PartitionInterval> partition;      ///< of Theorem 4a
  Why missing;                                   ///< why it stays undecided

  /// Largest growth at a fixed point; NaN if there is none.
  [[nodiscard]] double growth() const;
};

/// Where the verdict changes on one side of the present value.
struct Border {
  double distance = 0.0;                  ///< of the parameter; 0: the present value is a border
  Verdict verdict = Verdict::kUndecided;  ///< beyond it
  Theorem theorem = Theorem::kNone;       ///< and what decides there
};

/// The nearest borders when one quantity changes and all others stay.
struct Margin {
  std::string name;                    ///< of the quantity
  std::optional<double> value;         ///< at present; none: changes are measured from here
  std::optional<int> contact;          ///< of a friction coefficient: in the model's order
  std::optional<Border> below, above;  ///< none: not within the range searched
  Interval searched;                   ///< changes that were tried
};

/// Makes the body at values of the uncertain parameters.
using MakeBody = std::function<TwoContactBody(std::span<const double>)>;

/// Two points of the box, a rounding apart along one axis, with different verdicts.
struct BoxBorder {
  std::vector<double> at;                                        ///< one value per parameter
  Verdict from = Verdict::kUndecided, to = Verdict::kUndecided;  ///< that meet there
  std::size_t axis = 0;                                          ///< along which they do
};

/// The verdicts over a box of parameters.
struct BoxVerdict {
  std::vector<Verdict> verdicts;   ///< all that occur on the grid, each once, in their order
  int points = 0;                  ///< of the grid, corners included
  std::vector<BoxBorder> borders;  ///< one per pair of verdicts that meet, nearest the box's middle
};

/// A parameter that is only known to lie in a range.
struct UncertainParameter {
  std::string name;  ///< of the model
  Interval range;    ///< of its values
};

/// What is asked besides the verdict.
struct StabilityQuestion {
  std::vector<double> angles;  ///< at which to sample R and growth, within (-pi/2, pi/2) [rad]
  std::vector<UncertainParameter> uncertain;  ///< over whose values the verdict should hold
  MakeBody make_body;  ///< at values of these; called by several threads; not needed without any
};

/// `count` angles in the middle of equal parts of (-pi/2, pi/2) [rad]. At the ends R and growth
/// have only limits.
[[nodiscard]] std::vector<double> make_sample_angles(int count);

/// R and growth at one angle.
struct MapSample {
  double angle = 0.0;             ///< [rad]
  std::optional<MapValue> value;  ///< nothing where they are undefined
};

/// The pieces of R and growth in closed form, for documents.
struct StabilityMaps;

/// The whole answer about one rest.
struct StabilityReport {
  TwoContactBody body;             ///< that was asked about
  StabilityAnswer stability;       ///< the verdict
  MapEnd minus, plus;              ///< R and growth toward -pi/2, pi/2; of kind 0 without maps
  std::vector<MapSample> samples;  ///< none without maps
  std::shared_ptr<const StabilityMaps> maps;  ///< none if the verdict needs no maps
  std::vector<Margin> margins;                ///< how far the verdict is from changing
  std::vector<UncertainParameter> uncertain;  ///< as asked
  BoxVerdict box;                             ///< over them
};

/// Judges a rest, and answers what else is asked about it.
[[nodiscard]] StabilityReport make_stability_report(const TwoContactBody& body,
                                                    const StabilityQuestion& question,
                                                    const Tolerances& tolerances);

}  // namespace slipstick
