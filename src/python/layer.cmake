# The Python module, as the package build/python/zug: the extension and the sources beside it.
set(PYBIND11_FINDPYTHON ON)
find_package(Python 3.9 REQUIRED COMPONENTS Interpreter Development.Module)
find_package(pybind11 2.10 REQUIRED)
zug_layer_sources(_zug python_sources)
pybind11_add_module(_zug NO_EXTRAS ${python_sources}) # the layers that it is made of are not optimised while linking
target_link_libraries(_zug PRIVATE zug_options zug_api)
zug_join(_zug)
target_compile_definitions(_zug PRIVATE ZUG_VERSION="${PROJECT_VERSION}")
set(python_package ${CMAKE_BINARY_DIR}/python/zug)
set_target_properties(_zug PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${python_package})
# A copy of code that the system's libraries share must not be taken for theirs.
target_link_options(_zug PRIVATE -Wl,--exclude-libs,ALL)
file(GLOB python_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/python/zug/*)
add_custom_command(TARGET _zug POST_BUILD
                   COMMAND ${CMAKE_COMMAND} -E copy_if_different ${python_files} ${python_package} VERBATIM)
if(TARGET zug-codegen)
  add_dependencies(_zug zug-codegen) # which it runs
endif()
