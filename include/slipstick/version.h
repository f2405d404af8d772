#pragma once

/// The version of the library, as result files and `slipstick --version` have it.
///
///     std::cout << "computed with slipstick " << slipstick::kVersion << '\n';

namespace slipstick {

/// "MAJOR.MINOR.PATCH".
extern const char* const kVersion;

}  // namespace slipstick
