#pragma once

#include <optional>
#include <string>

namespace slipstick {

/// The first difference of two HDF5 files in words: where, and both values; attributes before
/// members, members by name. `ignored`: an attribute of the root that may differ. None if only the
/// bytes differ. Throws InputError.
[[nodiscard]] std::optional<std::string> find_difference(const std::string& file,
                                                         const std::string& first,
                                                         const std::string& second,
                                                         const std::string& ignored);

}  // namespace slipstick
