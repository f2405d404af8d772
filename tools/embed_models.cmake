# Writes MODELS/*.toml into the C++ file OUTPUT, as the definition of slipstick::builtin_models().
file(GLOB files RELATIVE ${MODELS} ${MODELS}/*.toml)
list(TRANSFORM files REPLACE "\\.toml$" "" OUTPUT_VARIABLE names)
list(SORT names) # not the files: '-' comes before '.', but after the end of a name
list(LENGTH names count)

set(entries "")
foreach(name IN LISTS names)
  file(READ ${MODELS}/${name}.toml text)
  string(APPEND entries "    {\"${name}\", R\"slipstick_model(${text})slipstick_model\"},\n")
endforeach()

file(WRITE ${OUTPUT} "// Made by tools/embed_models.cmake from models/*.toml.

#include <array>

#include \"slipstick/io/builtin_models.h\"

namespace slipstick {

std::span<const BuiltinModel> builtin_models() {
  static constexpr std::array<BuiltinModel, ${count}> kModels{{
${entries}  }};
  return kModels;
}

}  // namespace slipstick
")
