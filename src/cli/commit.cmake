# cmake -DROOT=FOLDER -DOUTPUT=FILE -P commit.cmake: writes the commit of the clone as a header, if it has changed.
set(commit unknown)
execute_process(COMMAND git -C ${ROOT} describe --always --dirty --abbrev=9 --exclude=*
                OUTPUT_VARIABLE said RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
if(failed STREQUAL 0)
  set(commit ${said})
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define ZUG_COMMIT \"${commit}\"\n" @ONLY)
