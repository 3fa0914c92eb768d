# Turns a text file into a C++ source that defines a function with its bytes:
#   cmake -DINPUT=... -DOUTPUT=... -DHEADER=lang/prelude.hpp -DNAMESPACE=zug::lang -DFUNCTION=prelude_text -P embed_text.cmake
# BEGINNINGS, if it is given, are characters: only lines that begin with one of them are kept.
# The raw string is split, since compilers limit the length of one literal.
file(READ "${INPUT}" text)
if(DEFINED BEGINNINGS)
  string(REGEX REPLACE "\n[^${BEGINNINGS}\n][^\n]*" "" text "\n${text}")
  string(REGEX REPLACE "\n+" "\n" text "${text}")
endif()
string(LENGTH "${text}" length)
set(literals "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} 8000 part)
  string(APPEND literals "    R\"zug(${part})zug\"\n")
  math(EXPR at "${at} + 8000")
endwhile()
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n\nstd::string_view ${FUNCTION}() {\n    return\n${literals}    \"\";\n}\n\n} // namespace ${NAMESPACE}\n")
