#pragma once

/// The return map of zero-order motion [Or2021] eqs (6)-(9): from one blow of contact 2, while
/// contact 1 is closed, to the next. With the angle phi of the blow, tan(phi) = x2'/|z2'|, it
/// consists of the reduced map R(phi) and the growth = |z2'| after / |z2'| before, G(phi) in
/// [Or2021].

#include <optional>
#include <vector>

#include "slipstick/analysis/stability/blow.h"

namespace slipstick {

/// R and growth at an angle; nothing where they are undefined.
[[nodiscard]] std::optional<MapValue> eval_return(const ZeroOrder& dynamics, double angle);

/// The next blow as a linear map of two velocities and at most one root of a quadratic form of
/// them, the speed at which a contact falls from above its surface.
struct BlowMap {
  Eigen::Matrix<double, 2, 3> linear;  ///< (closing, slip) after
  BlowForm radicand;
};

/// An interval of angles with one path.
struct Piece {
  double low = 0.0, high = 0.0;
  PathEnd end = PathEnd::kTooLong;
  Path path;
  bool closed_form = true;  ///< false: several roots; then what follows is not set
  double centre = 0.0;      ///< an angle inside
  BlowMap local;  ///< of cos and sin of the angle from the centre: no cancellation in narrow pieces
  BlowMap map;    ///< of closing and slip
  bool constant = false;  ///< R is: a contact stuck on the way

  [[nodiscard]] bool returns() const { return end == PathEnd::kReturns; }
};

/// R and growth on a returning piece, in closed form: their error is some 1e-13 over |cos(angle)|.
[[nodiscard]] MapValue eval_piece(const ZeroOrder& dynamics, const Piece& piece, double angle);

struct ReturnMap {
  std::vector<Piece> pieces;  ///< in rising order, without gaps
  MapEnd minus, plus;
};

/// Finds every piece. If a path has a closed form, its decisions are linear forms of closing, slip
/// and root, and their zeros are the ends of its interval. Other ends are found by bisection, to
/// rounding.
[[nodiscard]] ReturnMap find_return_map(const ZeroOrder& dynamics);

}  // namespace slipstick
