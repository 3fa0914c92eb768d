# cmake -DROOT=FOLDER -DOUTPUT=FILE -P commit.cmake: writes the commit of the sources as a header, if it has changed: of
# the clone that FOLDER is, or what `git archive` wrote to .commit; else it is `unknown`.
set(commit unknown)
file(REAL_PATH ${ROOT} root)
# A folder of sources may lie in the clone of something else, whose commit says nothing.
execute_process(COMMAND git -C ${root} rev-parse --show-toplevel
                OUTPUT_VARIABLE top RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
if(failed STREQUAL 0 AND top STREQUAL root)
  execute_process(COMMAND git -C ${root} describe --always --dirty --abbrev=9 --exclude=*
                  OUTPUT_VARIABLE said RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(failed STREQUAL 0)
    set(commit ${said})
  endif()
elseif(EXISTS ${root}/.commit)
  file(STRINGS ${root}/.commit said LIMIT_COUNT 1)
  if(said MATCHES "^[0-9a-f]+$")
    string(SUBSTRING ${said} 0 9 commit)
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define ZUG_COMMIT \"${commit}\"\n" @ONLY)
