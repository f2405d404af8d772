#pragma once

/// Zero-order dynamics of a body on two contacts [Or2021] sections II, III: mass matrix, loads and
/// contact directions stay as at rest. So each contact mode has one constant acceleration, and an
/// impact is a linear map. docs/theory/stability.md.

#include <Eigen/Core>
#include <array>
#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <string>

#include "slipstick/analysis/stability/two_contact_body.h"
#include "slipstick/mode_word.h"

namespace slipstick {

/// Gap rates of both contacts and slip of the second, (z1', z2', x2') [m/s], or their rates.
using ContactRates = Eigen::Vector3d;

/// The modes of both contacts, in motion or in an impact (F: no impulse), in the order in which
/// impacts prefer them [Or2021] section II: more active contacts first, then more sticking ones.
enum class PairMode : std::uint8_t {
  kSS,
  kSlipMinus,
  kSlipPlus,
  kFS,
  kSF,
  kFN,
  kFP,
  kNF,
  kPF,
  kFF
};
inline constexpr std::size_t kPairModes = 10;

/// Contacts as bits, 1 and 2.
using ContactMask = unsigned;
inline constexpr ContactMask kFirst = 1, kSecond = 2, kBoth = 3;

enum class RowKind : std::uint8_t { kGap, kForce, kCone, kSlip };

/// An inequality that a mode has to satisfy: value . (free rates) >= 0.
struct ModeRow {
  Eigen::RowVector3d value;
  ContactMask contacts = 0;      ///< it applies where all of these touch
  RowKind kind = RowKind::kGap;  ///< kSlip applies only from rest: a present slip has its sign
};

/// A mode of both contacts as a linear map: from the rates of free motion (its accelerations, or
/// the velocities before an impact) to the rates under the contacts.
struct PairMap {
  bool exists = false;        ///< false: its equations are singular
  ContactMask active = 0;     ///< contacts that are not free
  std::array<int, 2> slip{};  ///< signs of x1', x2'; 0 where the contact sticks or is free
  Eigen::Matrix3d after;
  Eigen::Matrix<double, 4, 3> force;  ///< n1, t1, n2, t2; of SS one member of the family
  boost::container::static_vector<ModeRow, 9> rows;
  ContactRates acceleration;
};

/// The part of a state that decides its mode: which contacts are closed, and the sign of the slip
/// of the closed one (of x2' if both are closed).
struct PairState {
  ContactMask closed = kBoth;
  int slip_sign = 0;
};

/// The modes that are consistent there.
struct PairAnswer {
  boost::container::static_vector<PairMode, kPairModes> modes;     ///< clearly
  boost::container::static_vector<PairMode, kPairModes> marginal;  ///< within tolerance only
};

class ZeroOrder {
 public:
  /// Throws InputError if the contact points coincide, or if one normal passes through the other
  /// contact, because slips and gaps are then not independent.
  ZeroOrder(const TwoContactBody& body, const Tolerances& tolerances);

  [[nodiscard]] const PairMap& map(PairMode mode) const {
    return maps_[static_cast<std::size_t>(mode)];
  }
  [[nodiscard]] const PairAnswer& answer(const PairState& state) const {
    return answers_[(state.closed - 1) * 3 + static_cast<std::size_t>(state.slip_sign + 1)];
  }
  /// Accelerations without contacts.
  [[nodiscard]] const ContactRates& free_acceleration() const { return free_; }
  /// x1' from (z1', z2', x2').
  [[nodiscard]] const Eigen::RowVector3d& slip1() const { return slip1_; }
  /// x2' per z2' while contact 1 sticks.
  [[nodiscard]] double stuck() const { return stuck_; }

  /// The modes of both contacts.
  [[nodiscard]] ModeWord make_word(PairMode mode) const;

  /// What vanishes where a mode is only marginal, e.g. "z1''(FP) = 0".
  [[nodiscard]] std::string describe_marginal(const PairState& state, PairMode mode) const;

 private:
  void add_map(PairMode mode, std::array<ContactMode, 2> modes);
  [[nodiscard]] bool solve_forces(std::array<ContactMode, 2> modes, PairMap& map) const;
  void add_rows(int contact, ContactMode mode, PairMap& map) const;
  void add_stick_rows(PairMap& map) const;
  void clean(PairMode mode, ContactRates& rates) const;
  [[nodiscard]] bool can_follow(const PairState& state, const PairMap& map) const;
  [[nodiscard]] PairAnswer find_answer(const PairState& state) const;

  std::array<double, 2> mu_;
  Eigen::Matrix4d G_;               ///< contact accelerations per contact force: n1, t1, n2, t2
  Eigen::Matrix<double, 3, 4> G3_;  ///< the rows of z1, z2, x2
  Eigen::Vector4d internal_;        ///< forces along the line between the contacts: no motion
  Eigen::RowVector3d slip1_;
  double stuck_ = 0.0;
  ContactRates free_;
  ContactRates
      free_scale_;  ///< sizes of the terms that free_ is made of: a load's force and moment
  double tolerance_;
  std::array<PairMap, kPairModes> maps_;
  std::array<PairAnswer, 9> answers_;
};

}  // namespace slipstick
