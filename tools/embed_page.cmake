# Writes the file PAGE into the C++ file OUTPUT, as the definition of slipstick::viewer_page(). In pieces: a compiler need
# not take longer texts than 65536 characters.
file(READ ${PAGE} rest)
string(LENGTH "${rest}" length)
set(pieces "\"\"")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${rest}" ${at} 16000 piece)
  string(APPEND pieces "\n      R\"slipstick_page(${piece})slipstick_page\"")
  math(EXPR at "${at} + 16000")
endwhile()

file(WRITE ${OUTPUT} "// Made by tools/embed_page.cmake from the viewer's page.

#include \"slipstick/io/page.h\"

namespace slipstick {

std::string_view viewer_page() {
  static constexpr char kPage[] =  // NOLINT(*-avoid-c-arrays)
      ${pieces};
  return {kPage, sizeof(kPage) - 1};
}

}  // namespace slipstick
")
