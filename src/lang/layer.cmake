# What the lang layer needs beyond its sources: the prelude as a C++ file in the build folder.
set(prelude_source ${CMAKE_BINARY_DIR}/generated/prelude.cpp)
add_custom_command(
  OUTPUT ${prelude_source}
  COMMAND ${CMAKE_COMMAND} -DINPUT=${CMAKE_SOURCE_DIR}/rules/prelude.zug -DOUTPUT=${prelude_source}
          -P ${CMAKE_SOURCE_DIR}/src/lang/embed_prelude.cmake
  DEPENDS ${CMAKE_SOURCE_DIR}/rules/prelude.zug ${CMAKE_SOURCE_DIR}/src/lang/embed_prelude.cmake
  VERBATIM)
target_sources(zug_lang PRIVATE ${prelude_source})
