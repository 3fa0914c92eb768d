# What the native layer needs beyond its sources, and the program that makes machine code, if LLVM is installed.
#
# What the cache keeps is keyed by a version, so that nothing made by another version of the program is ever used. A
# version is a hash of the sources in the folders that make what is kept, and in every folder that these see, directly
# or through others (src/layers.tsv).
find_package(LLVM 19.1 CONFIG QUIET HINTS /usr/lib/llvm-19)
# zug_version(name extra folders...): generates the header name.hpp, and name.txt, which lists the files that are hashed.
# `extra`, a text, is hashed with them.
function(zug_version name extra)
  zug_layer_closure(folders ${ARGN})
  set(files)
  foreach(folder ${folders})
    zug_layer_path(${folder} path)
    file(GLOB found CONFIGURE_DEPENDS ${path}/*.[ch]pp ${path}/*.def)
    list(APPEND files ${found})
  endforeach()
  list(SORT files)
  set(generated ${CMAKE_BINARY_DIR}/generated)
  string(REPLACE ";" "\n" lines "${files}")
  file(CONFIGURE OUTPUT ${generated}/${name}.txt CONTENT "${lines}\n" @ONLY)
  set(${name}_extra ${extra} PARENT_SCOPE) # for the test of versions
  add_custom_command(
    OUTPUT ${generated}/${name}.hpp
    COMMAND ${CMAKE_COMMAND} -DINPUTS=${generated}/${name}.txt -DEXTRA=${extra} -DNAME=${name}
            -DOUTPUT=${generated}/${name}.hpp -P ${CMAKE_SOURCE_DIR}/src/native/hash_sources.cmake
    DEPENDS ${files} ${generated}/${name}.txt ${CMAKE_SOURCE_DIR}/src/native/hash_sources.cmake
    VERBATIM)
  target_sources(zug_native PRIVATE ${generated}/${name}.hpp)
endfunction()
# One version of what makes machine code from byte code, one of what makes byte code from rule files. (The texts of the
# rule files, the prelude among them, are a part of the key of byte code by themselves.)
zug_version(translator_version LLVM-${LLVM_PACKAGE_VERSION} native/codegen)
zug_version(program_version none native lang lang/check lang/presentation lang/finish compiler/routines)
target_include_directories(zug_native PRIVATE ${CMAKE_BINARY_DIR}/generated)

if(LLVM_FOUND)
  zug_layer_sources(zug-codegen codegen_sources)
  add_executable(zug-codegen ${codegen_sources})
  target_include_directories(zug-codegen SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  target_link_libraries(zug-codegen PRIVATE zug_native LLVM)
  zug_compile(zug-codegen cold)
  target_compile_definitions(zug_native PRIVATE ZUG_CODEGEN="${CMAKE_BINARY_DIR}/zug-codegen")
  find_path(ASMJIT_INCLUDE_DIR asmjit/x86.h)
  find_library(ASMJIT_LIBRARY asmjit)
  if(ASMJIT_INCLUDE_DIR AND ASMJIT_LIBRARY)
    target_include_directories(zug-codegen SYSTEM PRIVATE ${ASMJIT_INCLUDE_DIR})
    target_link_libraries(zug-codegen PRIVATE ${ASMJIT_LIBRARY})
    target_compile_definitions(zug-codegen PRIVATE ZUG_ASMJIT ASMJIT_STATIC)
  else()
    message(STATUS "asmjit not found: no baseline JIT, so games run in the interpreter until LLVM is done")
    file(GLOB baseline_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/native/asmjit/*.cpp)
    set_source_files_properties(${baseline_sources} PROPERTIES HEADER_FILE_ONLY ON)
  endif()
else()
  message(STATUS "LLVM 19 not found: no machine code, games run in the interpreter")
  target_compile_definitions(zug_native PRIVATE ZUG_CODEGEN="")
endif()
