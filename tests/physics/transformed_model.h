#pragma once

/// The same mechanism told in another way: text of a model file in, text of a model file out.

#include <random>
#include <string>

namespace slipstick::testkit {

/// Bodies, surfaces, contacts, loads and coordinates in a random order.
[[nodiscard]] std::string reorder(const std::string& text, std::mt19937_64& random);

/// The mirror image, x to -x. Angles keep their values, since their sense turns round. Functions of
/// translations, and relabelling, are left as they are.
[[nodiscard]] std::string mirror(const std::string& text);

}  // namespace slipstick::testkit
