# The library that draws PNGs, in a module of its own (draw/png/png.hpp), if it is installed.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(RSVG QUIET IMPORTED_TARGET librsvg-2.0>=2.52)
endif()
if(RSVG_FOUND)
  zug_layer_sources(zug-png png_sources)
  add_library(zug-png MODULE ${png_sources})
  target_link_libraries(zug-png PRIVATE zug_options zug_cold PkgConfig::RSVG)
  set_target_properties(zug-png PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/zug-modules)
else()
  message(STATUS "librsvg not found: pictures are written as SVG, not as PNG")
  file(REMOVE ${CMAKE_BINARY_DIR}/zug-modules/zug-png.so) # of an earlier build
endif()
