# What the protocols layer needs beyond its sources: the schema as a C++ file in the build folder.
set(schema_source ${CMAKE_BINARY_DIR}/generated/engine_schema.cpp)
set(schema ${CMAKE_SOURCE_DIR}/src/protocols/engine.schema.json)
add_custom_command(
  OUTPUT ${schema_source}
  COMMAND ${CMAKE_COMMAND} -DINPUT=${schema} -DOUTPUT=${schema_source} -DHEADER=protocols/engine.hpp
          -DNAMESPACE=zug::protocols -DFUNCTION=engine_schema -P ${CMAKE_SOURCE_DIR}/src/base/embed_text.cmake
  DEPENDS ${schema} ${CMAKE_SOURCE_DIR}/src/base/embed_text.cmake
  VERBATIM)
target_sources(zug_protocols PRIVATE ${schema_source})
