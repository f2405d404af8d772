#include "slipstick/version.h"

namespace slipstick {

const char* const kVersion = SLIPSTICK_VERSION;

}  // namespace slipstick
