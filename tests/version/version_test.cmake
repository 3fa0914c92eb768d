# Cached code is keyed by a version: a hash of the sources of everything that makes it. This test shows that a change of
# any one of these sources, however small, gives another version, so that code made by an older build is never used by a
# newer one whose sources differ.
#
#   cmake -DLIST=build/generated/NAME.txt -DHEADER=build/generated/NAME.hpp -DEXTRA=text -DSCRATCH=folder
#         -P version_test.cmake
#
# For every file that LIST names, a changed copy is hashed in its place by the functions that the build itself uses.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../src/native/hash_sources.cmake)

file(STRINGS ${LIST} files)
list(LENGTH files count)
if(count LESS 50)
  message(FATAL_ERROR "${LIST} names only ${count} files")
endif()
zug_hash_each(hashes ${files})
zug_version_of(version "${EXTRA}" ${hashes})

# The version that was compiled in is that of the sources as they are.
string(REGEX REPLACE "^(................)(................)$" "{0x\\1, 0x\\2}" expected ${version})
file(READ ${HEADER} header)
string(FIND "${header}" "${expected}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${HEADER} does not hold the version of the sources, ${expected}: is the build out of date?")
endif()

set(versions ${version})
math(EXPR last "${count} - 1")
foreach(k RANGE ${last})
  list(GET files ${k} file)
  get_filename_component(name ${file} NAME)
  file(COPY ${file} DESTINATION ${SCRATCH})
  file(APPEND ${SCRATCH}/${name} "\n")
  zug_hash_each(changed_hash ${SCRATCH}/${name})
  file(REMOVE ${SCRATCH}/${name})
  set(changed ${hashes})
  list(REMOVE_AT changed ${k})
  list(INSERT changed ${k} ${changed_hash})
  zug_version_of(changed_version "${EXTRA}" ${changed})
  if(changed_version IN_LIST versions)
    message(SEND_ERROR "a change of ${file} does not change the version")
  endif()
  list(APPEND versions ${changed_version})
endforeach()

zug_version_of(other_extra "${EXTRA}+" ${hashes})
if(other_extra IN_LIST versions)
  message(SEND_ERROR "another library version does not change the version")
endif()
message(STATUS "${count} files: each changes the version")
