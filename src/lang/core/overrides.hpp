#pragma once
// Values for parameters of a game from outside its files.

#include <map>
#include <string>

namespace zug::lang {

using Overrides = std::map<std::string, std::string>; // -D name=value

} // namespace zug::lang
