#pragma once

namespace slipstick {

/// "MAJOR.MINOR.PATCH".
extern const char* const kVersion;

}  // namespace slipstick
