#pragma once

/// Formulas over a motion: what a condition or an observable may name (docs/model-format.md,
/// Observables). Coordinates `q`, rates `q_dot`, accelerations `q_ddot`, `t`, parameters; of every
/// contact `gap_NAME`, `gap_rate_NAME`, `slip_NAME`, `force_n_NAME`, `force_t_NAME`; and
/// `kinetic_energy`, `potential_energy`, `energy`. The model's own names come first.

#include <map>
#include <string>
#include <vector>

#include "slipstick/model/blurred.h"
#include "slipstick/model/expression.h"
#include "slipstick/sim/mode/mode.h"

namespace slipstick {

/// The accuracy of the quantities of a motion, for comparisons.
struct MotionBlur {
  double part = 0.0;   ///< of a quantity and of its scale
  double rate = 0.0;   ///< of the motion, per unit of the coordinates [1/s]
  double force = 0.0;  ///< largest contact force [N]
};

class MotionFormula {
 public:
  /// Throws InputError at `where` for a name that is not known, with the nearest one.
  MotionFormula(const Model& model, const Constants& parameters, const std::string& where,
                const std::string& text);

  /// Value in a mode. Gaps and their rates of closed contacts are zero, and slips of sticking ones.
  [[nodiscard]] double eval(const Model& model, const Mode& mode, const State& state) const;
  /// The same with its rate by time. Only if has_rate().
  [[nodiscard]] Dual eval_dual(const Model& model, const Mode& mode, const State& state) const;
  /// The same with a bound on its error.
  [[nodiscard]] Blurred eval_blurred(const Model& model, const Mode& mode, const State& state,
                                     const MotionBlur& blur) const;

  /// Every name that a formula may use, but for the parameters.
  [[nodiscard]] static std::vector<std::string> list_known(const Model& model);

  /// The places where the formula changes: Expression::eval_switch.
  [[nodiscard]] std::size_t switch_count() const { return expression_.switch_count(); }
  [[nodiscard]] Blurred eval_switch(std::size_t index, const Model& model, const Mode& mode,
                                    const State& state, const MotionBlur& blur) const;

  /// False if the rate of some quantity in it is not known: of forces, accelerations, energies.
  [[nodiscard]] bool has_rate() const { return has_rate_; }
  /// True if its value depends on the modes of the contacts.
  [[nodiscard]] bool needs_mode() const { return needs_contacts_ || needs_field_; }
  /// True if it depends on contact forces or accelerations.
  [[nodiscard]] bool needs_field() const { return needs_field_; }
  [[nodiscard]] bool is_constant() const { return quantities_.empty(); }
  /// True if it may jump where the motion does not.
  [[nodiscard]] bool may_jump() const { return expression_.may_jump(); }
  [[nodiscard]] const std::string& text() const { return expression_.text(); }

 private:
  enum class Kind {
    kTime,
    kCoordinate,
    kRate,
    kAcceleration,
    kGap,
    kGapRate,
    kSlip,
    kForceN,
    kForceT,
    kKinetic,
    kPotential,
    kEnergy,
  };
  struct Quantity {
    Kind kind = Kind::kTime;
    int index = 0;  ///< of the coordinate or contact
  };
  struct Values;  ///< of all of them

  static std::map<std::string, Quantity> list_names(const Model& model);
  [[nodiscard]] Values eval_all(const Model& model, const Mode& mode, const State& state,
                                bool with_rates) const;
  [[nodiscard]] static double eval_quantity(const Quantity& quantity, const Values& at);
  [[nodiscard]] static double eval_rate(const Quantity& quantity, const Values& at);
  [[nodiscard]] static double find_scale(const Quantity& quantity, const Values& at,
                                         const MotionBlur& blur);
  [[nodiscard]] std::vector<Blurred> list_blurred(const Model& model, const Mode& mode,
                                                  const State& state, const MotionBlur& blur) const;

  std::vector<Quantity> quantities_;  ///< the variables of the expression
  bool needs_contacts_ = false, needs_field_ = false, has_rate_ = true;
  Expression expression_;
};

}  // namespace slipstick
