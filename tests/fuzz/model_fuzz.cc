/// Any text as a model file: it is accepted, or refused with a sentence.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "slipstick/errors.h"
#include "slipstick/model_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    (void)slipstick::parse_model("fuzz.toml", text, {});
  } catch (const slipstick::InputError& error) {
    if (std::string(error.what()).empty()) std::abort();
  }
  return 0;
}
