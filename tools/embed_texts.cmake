# Writes the files DIRECTORY/PATTERN into the C++ file OUTPUT, as the definition of slipstick::FUNCTION(), a list of
# TYPE{name, text} from the header slipstick/io/HEADER. A name is the file's without ENDING.
file(GLOB files RELATIVE ${DIRECTORY} ${DIRECTORY}/${PATTERN})
list(TRANSFORM files REPLACE "${ENDING}$" "" OUTPUT_VARIABLE names)
list(SORT names) # not the files: '-' comes before '.', but after the end of a name
list(LENGTH names count)

set(entries "")
foreach(name IN LISTS names)
  file(READ ${DIRECTORY}/${name}${ENDING} text)
  string(APPEND entries "    {\"${name}\", R\"slipstick_text(${text})slipstick_text\"},\n")
endforeach()

file(WRITE ${OUTPUT} "// Made by tools/embed_texts.cmake from ${PATTERN}.

#include <array>

#include \"slipstick/io/${HEADER}\"

namespace slipstick {

std::span<const ${TYPE}> ${FUNCTION}() {
  static const std::array<${TYPE}, ${count}> kTexts{{
${entries}  }};
  return kTexts;
}

}  // namespace slipstick
")
