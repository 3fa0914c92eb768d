#pragma once
// Where this code was loaded from: what is installed with it stands in places relative to that.

#include <filesystem>
#include <initializer_list>
#include <string_view>

namespace zug {

// The folder of the program, or of the shared library that this code is a part of. Empty: not known.
std::filesystem::path own_folder();

// The first of these paths, relative to own_folder(), at which there is a folder; empty: at none.
std::filesystem::path folder_near(std::initializer_list<std::string_view> paths);

} // namespace zug
