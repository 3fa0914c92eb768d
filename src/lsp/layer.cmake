# What the language server needs beyond its sources: the headings and tables of the reference as a C++ file in the build
# folder. All of it would be too long for a text in C++.
set(reference_source ${CMAKE_BINARY_DIR}/generated/reference_text.cpp)
add_custom_command(
  OUTPUT ${reference_source}
  COMMAND ${CMAKE_COMMAND} -DINPUT=${CMAKE_SOURCE_DIR}/grammar/reference.md -DOUTPUT=${reference_source}
          -DHEADER=lsp/features/vocabulary.hpp -DNAMESPACE=zug::lsp -DFUNCTION=reference_text "-DBEGINNINGS=#|"
          -P ${CMAKE_SOURCE_DIR}/src/base/embed_text.cmake
  DEPENDS ${CMAKE_SOURCE_DIR}/grammar/reference.md ${CMAKE_SOURCE_DIR}/src/base/embed_text.cmake
  VERBATIM)
target_sources(zug_lsp PRIVATE ${reference_source})
