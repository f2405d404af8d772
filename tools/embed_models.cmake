# Writes MODELS/*.toml into the C++ file OUTPUT, as the definition of slipstick::builtin_models().
file(GLOB files ${MODELS}/*.toml)
list(SORT files)
list(LENGTH files count)

set(entries "")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WLE)
  file(READ ${file} text)
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
