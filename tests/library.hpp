#pragma once
// The games that come with Zug, for tests that look at each of them.

#include "tests/sanitized.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <vector>

namespace zug::test {

// The files of rules/ without the prelude, or those of another folder, sorted.
inline std::vector<std::filesystem::path>
library(const std::filesystem::path& folder = std::filesystem::path(ZUG_SOURCE_DIR) / "rules") {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".zug" && entry.path().stem() != "prelude") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

// One in `one_game_in` of these files. Tests that begin with different ones see all games together.
inline std::vector<std::filesystem::path> sample(const std::vector<std::filesystem::path>& files, std::size_t first) {
    std::vector<std::filesystem::path> some;
    for (std::size_t i = first % one_game_in; i < files.size(); i += one_game_in) some.push_back(files[i]);
    return some;
}

} // namespace zug::test
