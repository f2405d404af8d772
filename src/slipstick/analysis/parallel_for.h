#pragma once

/// Work on all cores. This is the library's only use of threads; built without oneTBB
/// (SLIPSTICK_TBB=OFF) it is a plain loop.

#include <cstddef>
#include <functional>

namespace slipstick {

/// Calls work(0) to work(count - 1), in any order and several at a time, and returns when all are
/// done. An exception of one call is thrown here; calls that have not begun by then are left out.
void parallel_for(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace slipstick
