# Writes the file PAGE into the C++ file OUTPUT, as the definition of slipstick::viewer_page(). In pieces: a compiler need
# not take longer texts than 65536 characters.
file(READ ${PAGE} page)
string(LENGTH "${page}" length)
set(pieces "")
set(count 0)
set(at 0)
while(at LESS length)
  string(SUBSTRING "${page}" ${at} 16000 piece)
  string(APPEND pieces "    R\"slipstick_page(${piece})slipstick_page\",\n")
  math(EXPR at "${at} + 16000")
  math(EXPR count "${count} + 1")
endwhile()

file(WRITE ${OUTPUT} "// Made by tools/embed_page.cmake from the viewer's page.

#include <array>

#include \"slipstick/io/page/page.h\"

namespace slipstick {

std::string viewer_page() {
  static constexpr std::array<const char*, ${count}> kPieces{
${pieces}  };
  std::string out;
  for (const char* piece : kPieces) out += piece;
  return out;
}

}  // namespace slipstick
")
