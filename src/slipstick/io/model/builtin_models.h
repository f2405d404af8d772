#pragma once

#include <span>
#include <string_view>

namespace slipstick {

/// A model file compiled into the library.
struct BuiltinModel {
  std::string_view name;  ///< the file's name without `.toml`
  std::string_view text;  ///< the file's text, byte for byte
};

/// Every file `models/*.toml`, sorted by name. The definition is made by the build.
[[nodiscard]] std::span<const BuiltinModel> builtin_models();

}  // namespace slipstick
