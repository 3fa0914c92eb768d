# The version number stands in CMakeLists.txt; the program, its package, the change log, the Python module and the
# extension for editors have the same one.
#
#   cmake -DVERSION=1.2.3 -DROOT=folder -DZUG=build/zug -DPACKAGE=build/CPackConfig.cmake -DPYTHON=python3
#         -P agreement_test.cmake
cmake_minimum_required(VERSION 3.25)

function(expect what found)
  if(NOT found STREQUAL VERSION)
    message(SEND_ERROR "${what} has version ${found}, not ${VERSION}")
  endif()
endfunction()

execute_process(COMMAND ${ZUG} --version OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "^zug ([^ ]+) \\(" found "${said}")
expect("zug --version" "${CMAKE_MATCH_1}")
include(${PACKAGE})
expect("the package" "${CPACK_PACKAGE_VERSION}")
file(STRINGS ${ROOT}/src/changelog said LIMIT_COUNT 1)
string(REGEX MATCH "^zug \\(([^)]+)\\) " found "${said}")
expect("src/changelog" "${CMAKE_MATCH_1}")
file(READ ${ROOT}/grammar/editors/vscode/package.json json)
string(JSON found GET "${json}" version)
expect("grammar/editors/vscode" "${found}")
# What installs the Python module reads it, which needs setuptools.
if(PYTHON)
  execute_process(COMMAND ${PYTHON} setup.py --version WORKING_DIRECTORY ${ROOT}/src/python OUTPUT_VARIABLE found
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_VARIABLE said RESULT_VARIABLE failed)
  if(failed STREQUAL 0)
    expect("src/python" "${found}")
  elseif(NOT said MATCHES "No module named 'setuptools'")
    message(SEND_ERROR "src/python: ${said}")
  endif()
endif()
