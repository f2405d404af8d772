#pragma once

/// The same mechanism described in another way: text of a model file in, text of a model file out.

#include <random>
#include <string>

namespace slipstick::testkit {

/// Bodies, surfaces, contacts, loads and coordinates in a random order.
[[nodiscard]] std::string reorder(const std::string& text, std::mt19937_64& random);

/// The mirror image, x to -x. Angles keep their values, since their sense turns round. Functions of
/// translations, and relabelling, are left as they are.
[[nodiscard]] std::string mirror(const std::string& text);

/// Sizes of the new units in the old ones.
struct Units {
  double length = 1.0, mass = 1.0, time = 1.0;
};

/// The same in other units: every quantity of the file gets its factor, parameters keep their
/// values. Functions of translations and of rates are left as they are, relabelling is left out.
[[nodiscard]] std::string rescale(const std::string& text, const Units& units);

/// Surfaces of bilateral contacts named by their other normals, and so by their other tangents.
[[nodiscard]] std::string turn_bilateral_normals(const std::string& text);

/// Every body in two halves that are fixed to each other.
[[nodiscard]] std::string cut_bodies(const std::string& text);

/// One more contact, at the first body's origin, with a surface that far below.
[[nodiscard]] std::string add_far_contact(const std::string& text, double distance);

}  // namespace slipstick::testkit
