# cmake -DINPUTS=list -DEXTRA=text -DNAME=name -DOUTPUT=header -P hash_sources.cmake: a header with a hash of the files
# that the file `list` names, one a line, and a text.
file(STRINGS ${INPUTS} files)
set(all "${EXTRA}")
foreach(file ${files})
  file(SHA256 ${file} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 first)
string(SUBSTRING ${hash} 16 16 second)
file(WRITE ${OUTPUT} "// Made by src/native/hash_sources.cmake.
#pragma once
#include <array>
#include <cstdint>
namespace zug::native {
inline constexpr std::array<std::uint64_t, 2> ${NAME} = {0x${first}, 0x${second}};
}
")
