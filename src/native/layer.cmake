# What the native layer needs beyond its sources, and the program that makes machine code, where LLVM is there.
#
# Versions are hashes of sources, so that the cache never gives what another version made.
find_package(LLVM 19.1 CONFIG QUIET HINTS /usr/lib/llvm-19)
function(zug_version name extra)
  set(header ${CMAKE_BINARY_DIR}/generated/${name}.hpp)
  string(REPLACE ";" "," list "${ARGN}")
  add_custom_command(
    OUTPUT ${header}
    COMMAND ${CMAKE_COMMAND} -DINPUTS=${list} -DEXTRA=${extra} -DNAME=${name} -DOUTPUT=${header}
            -P ${CMAKE_SOURCE_DIR}/src/native/hash_sources.cmake
    DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/src/native/hash_sources.cmake
    VERBATIM)
  target_sources(zug_native PRIVATE ${header})
endfunction()
# Of what makes machine code from byte code.
file(GLOB translator CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/codegen/*.[ch]pp ${CMAKE_SOURCE_DIR}/src/native/*.[ch]pp)
list(APPEND translator ${CMAKE_SOURCE_DIR}/src/base/archive.hpp ${CMAKE_SOURCE_DIR}/src/run/code_ops.def
  ${CMAKE_SOURCE_DIR}/src/run/code.hpp ${CMAKE_SOURCE_DIR}/src/run/routines.hpp)
zug_version(translator_version LLVM-${LLVM_PACKAGE_VERSION} ${translator})
# Of what makes byte code from rules.
set(compiler)
foreach(folder grammar src/base src/ir src/lang src/run src/native)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.[ch]pp ${CMAKE_SOURCE_DIR}/${folder}/*.def)
  list(APPEND compiler ${files})
endforeach()
zug_version(program_version none ${compiler})
target_include_directories(zug_native PRIVATE ${CMAKE_BINARY_DIR}/generated)

if(LLVM_FOUND)
  file(GLOB codegen_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/codegen/*.cpp)
  add_executable(zug-codegen ${codegen_sources})
  target_include_directories(zug-codegen SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  target_link_libraries(zug-codegen PRIVATE zug_native LLVM)
  zug_compile(zug-codegen cold <llvm/IR/IRBuilder.h> <llvm/IR/Module.h>)
  target_compile_definitions(zug_native PRIVATE ZUG_CODEGEN="${CMAKE_BINARY_DIR}/zug-codegen")
  find_path(ASMJIT_INCLUDE_DIR asmjit/x86.h)
  find_library(ASMJIT_LIBRARY asmjit)
  if(ASMJIT_INCLUDE_DIR AND ASMJIT_LIBRARY)
    target_include_directories(zug-codegen SYSTEM PRIVATE ${ASMJIT_INCLUDE_DIR})
    target_link_libraries(zug-codegen PRIVATE ${ASMJIT_LIBRARY})
    target_compile_definitions(zug-codegen PRIVATE ZUG_ASMJIT ASMJIT_STATIC)
  else()
    message(STATUS "asmjit not found: machine code is there when LLVM has made it, not earlier")
    set_source_files_properties(${CMAKE_SOURCE_DIR}/src/codegen/quick.cpp ${CMAKE_SOURCE_DIR}/src/codegen/quick_plan.cpp
      ${CMAKE_SOURCE_DIR}/src/codegen/quick_function.cpp ${CMAKE_SOURCE_DIR}/src/codegen/quick_words.cpp
      PROPERTIES HEADER_FILE_ONLY ON)
  endif()
else()
  message(STATUS "LLVM 19 not found: no machine code, rules run in the interpreter")
  target_compile_definitions(zug_native PRIVATE ZUG_CODEGEN="")
endif()
