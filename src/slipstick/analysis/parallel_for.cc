#include "slipstick/analysis/parallel_for.h"

#ifdef SLIPSTICK_TBB
#include <tbb/parallel_for.h>
#endif

namespace slipstick {

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& work) {
#ifdef SLIPSTICK_TBB
  tbb::parallel_for(std::size_t{0}, count, work);
#else
  for (std::size_t i = 0; i < count; ++i) work(i);
#endif
}

}  // namespace slipstick
