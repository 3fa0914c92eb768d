# What the lang layer needs beyond its sources: the prelude as a C++ file in the build folder.
set(prelude_source ${CMAKE_BINARY_DIR}/generated/prelude.cpp)
add_custom_command(
  OUTPUT ${prelude_source}
  COMMAND ${CMAKE_COMMAND} -DINPUT=${CMAKE_SOURCE_DIR}/rules/prelude.zug -DOUTPUT=${prelude_source}
          -DHEADER=lang/prelude.hpp -DNAMESPACE=zug::lang -DFUNCTION=prelude_text
          -P ${CMAKE_SOURCE_DIR}/src/base/embed_text.cmake
  DEPENDS ${CMAKE_SOURCE_DIR}/rules/prelude.zug ${CMAKE_SOURCE_DIR}/src/base/embed_text.cmake
  VERBATIM)
target_sources(zug_lang PRIVATE ${prelude_source})
