# What the web layer needs beyond its sources: the files of the page as C++ files in the build folder.
file(GLOB page_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/web/page/*.html ${CMAKE_SOURCE_DIR}/src/web/page/*.css
     ${CMAKE_SOURCE_DIR}/src/web/page/*.js ${CMAKE_SOURCE_DIR}/src/web/page/*.svg)
foreach(file ${page_files})
  get_filename_component(name ${file} NAME)
  string(MAKE_C_IDENTIFIER ${name} identifier)
  set(page_source ${CMAKE_BINARY_DIR}/generated/page_${identifier}.cpp)
  add_custom_command(
    OUTPUT ${page_source}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${page_source} -DHEADER=web/assets.hpp
            -DNAMESPACE=zug::web -DFUNCTION=page_${identifier} -P ${CMAKE_SOURCE_DIR}/src/base/embed_text.cmake
    DEPENDS ${file} ${CMAKE_SOURCE_DIR}/src/base/embed_text.cmake
    VERBATIM)
  target_sources(zug_web PRIVATE ${page_source})
endforeach()

# The library that speaks HTTP, in a module of its own (web/http/http_server.hpp). Debian builds it with all its parts,
# and its header must be read as it was then.
zug_layer_sources(zug-http http_sources)
add_library(zug-http MODULE ${http_sources})
target_include_directories(zug-http SYSTEM PRIVATE ${HTTPLIB_INCLUDE_DIR})
target_link_libraries(zug-http PRIVATE zug_options zug_cold ${HTTPLIB_LIBRARY})
target_compile_definitions(zug-http PRIVATE CPPHTTPLIB_OPENSSL_SUPPORT CPPHTTPLIB_ZLIB_SUPPORT CPPHTTPLIB_BROTLI_SUPPORT)
set_target_properties(zug-http PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/zug-modules)
