/// Any bytes as a result file: it is accepted, or refused with a sentence.

#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/refuses.h"
#include "unit/io/fuzz_readers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  slipstick::fuzz::expect_accepted_or_refused([&] { slipstick::fuzz::read_result(text); });
  return 0;
}
