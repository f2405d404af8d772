# What is compiled into the library: built-in models, the papers' claims and the viewer's page, as `embedded_sources`.

# embed_texts(DIRECTORY PATTERN ENDING TYPE HEADER): makes generated/DIRECTORY.cc, which defines builtin_DIRECTORY().
function(embed_texts directory pattern ending type header)
  set(output ${PROJECT_BINARY_DIR}/generated/${directory}.cc)
  file(GLOB files CONFIGURE_DEPENDS ${directory}/${pattern})
  set(list ${PROJECT_BINARY_DIR}/generated/${directory}.txt) # changes when a file comes or goes
  file(CONFIGURE OUTPUT ${list} CONTENT "${files}")
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DDIRECTORY=${PROJECT_SOURCE_DIR}/${directory} -DPATTERN=${pattern} -DENDING=${ending}
            -DTYPE=${type} -DFUNCTION=builtin_${directory} -DHEADER=${header} -DOUTPUT=${output}
            -P ${PROJECT_SOURCE_DIR}/tools/embed_texts.cmake
    DEPENDS ${files} ${list} tools/embed_texts.cmake
    COMMENT "Embedding ${directory}" VERBATIM)
endfunction()
embed_texts(models *.toml .toml BuiltinModel model/builtin_models.h)
embed_texts(papers */claims.toml /claims.toml BuiltinPaper claims.h)

# --- the viewer's page, compiled in; without Node, or before `npm ci` in viewer/, there is none ---

set(viewer_page ${PROJECT_BINARY_DIR}/generated/page.html)
set(viewer_page_source ${PROJECT_BINARY_DIR}/generated/viewer_page.cc)
set(viewer_bundler viewer/node_modules/esbuild/package.json)
find_program(NODE_EXECUTABLE NAMES node nodejs)
file(GLOB_RECURSE viewer_files CONFIGURE_DEPENDS viewer/src/*)
if(NODE_EXECUTABLE AND EXISTS ${PROJECT_SOURCE_DIR}/${viewer_bundler})
  add_custom_command(
    OUTPUT ${viewer_page}
    COMMAND ${NODE_EXECUTABLE} ${PROJECT_SOURCE_DIR}/viewer/build.mjs ${viewer_page}
    DEPENDS ${viewer_files} viewer/build.mjs viewer/package-lock.json ${viewer_bundler}
    COMMENT "Bundling the viewer" VERBATIM)
else()
  message(STATUS "No pages: Node or viewer/node_modules is missing")
  set(viewer_page ${PROJECT_BINARY_DIR}/generated/no_page.html) # another file, because page.html would look up to date later
  file(WRITE ${viewer_page} "")
endif()
add_custom_command(
  OUTPUT ${viewer_page_source}
  COMMAND ${CMAKE_COMMAND} -DPAGE=${viewer_page} -DOUTPUT=${viewer_page_source}
          -P ${PROJECT_SOURCE_DIR}/tools/embed_page.cmake
  DEPENDS ${viewer_page} tools/embed_page.cmake
  COMMENT "Embedding the viewer" VERBATIM)

set(embedded_sources ${viewer_page_source} ${PROJECT_BINARY_DIR}/generated/models.cc
    ${PROJECT_BINARY_DIR}/generated/papers.cc)
