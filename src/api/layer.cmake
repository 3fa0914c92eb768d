# The C++ library as others use it: libzug.so, its headers, and the package that find_package(zug) finds.
include(CMakePackageConfigHelpers)

zug_layer_sources(zug_api api_sources)
add_library(zug_library SHARED ${api_sources})
target_link_libraries(zug_library PRIVATE zug_options zug_protocols zug_match zug_solve zug_search zug_game
                      PUBLIC tl::expected)
zug_compile(zug_library hot)
# What stands behind the headers is nobody's to call.
target_link_options(zug_library PRIVATE -Wl,--exclude-libs,ALL)
set_target_properties(zug_library PROPERTIES OUTPUT_NAME zug EXPORT_NAME zug VERSION ${PROJECT_VERSION} SOVERSION 0)
target_compile_features(zug_library PUBLIC cxx_std_20)

# The headers include each other by the names under which they are installed.
set(public_headers)
foreach(header api/game.hpp api/observation.hpp api/playouts.hpp api/search.hpp api/solve.hpp base/error.hpp)
  file(READ ${CMAKE_SOURCE_DIR}/src/${header} text)
  string(REGEX REPLACE "#include \"(api|base)/" "#include \"zug/" text "${text}")
  get_filename_component(name ${header} NAME)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/include/zug/${name} CONTENT "${text}" @ONLY)
  list(APPEND public_headers ${CMAKE_BINARY_DIR}/include/zug/${name})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${header})
endforeach()

install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/zug)
install(TARGETS zug_library EXPORT zug-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/zug)
install(EXPORT zug-targets NAMESPACE zug:: DESTINATION ${package_folder})
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/zug-config.cmake CONTENT [[
include(CMakeFindDependencyMacro)
find_dependency(tl-expected)
include(${CMAKE_CURRENT_LIST_DIR}/zug-targets.cmake)
]] @ONLY)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/zug-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/zug-config.cmake ${CMAKE_BINARY_DIR}/zug-config-version.cmake
        DESTINATION ${package_folder})
