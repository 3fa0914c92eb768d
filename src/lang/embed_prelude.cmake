# Turns a text file into a C++ source with its bytes: cmake -DINPUT=... -DOUTPUT=... -P embed_prelude.cmake
# The raw string is split, since compilers limit the length of one literal.
file(READ "${INPUT}" text)
string(LENGTH "${text}" length)
set(literals "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} 8000 part)
  string(APPEND literals "    R\"zug(${part})zug\"\n")
  math(EXPR at "${at} + 8000")
endwhile()
file(WRITE "${OUTPUT}" "#include \"lang/prelude.hpp\"\n\nnamespace zug::lang {\n\nstd::string_view prelude_text() {\n    return\n${literals}    \"\";\n}\n\n} // namespace zug::lang\n")
