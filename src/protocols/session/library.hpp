#pragma once
// The games that come with the program: the rule files of a folder, by their names.

#include "base/error.hpp"

#include <tl/expected.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace zug::protocols {

// Where the rule files that come with the program stand: where they were installed with it, next to the build folder,
// or in the clone that the build was configured from. Empty: nowhere.
std::filesystem::path rules_folder();
// The rule files of a folder, sorted by name, without the prelude, which is not a game.
tl::expected<std::vector<std::filesystem::path>, Error> library_files(const std::filesystem::path& folder);
// Whether the name is that of a file, or of a pipe: the loader reads it or says why it can't.
bool is_file(const std::string& name);
// The file that a bare name such as `hex` stands for. The error names the most similar one.
tl::expected<std::string, Error> file_of_library(std::span<const std::filesystem::path> library,
                                                 const std::string& name);

} // namespace zug::protocols
