#pragma once
// The sources of the program, as the tests of its architecture read them.

#include <filesystem>
#include <string>
#include <vector>

namespace fs = std::filesystem;

inline const fs::path root = ZUG_SOURCE_DIR;

struct Source {
    fs::path path;
    std::string folder; // as in src/layers.tsv
    std::string text;
    std::vector<std::string> includes; // "game/game.hpp", "boost/spirit/home/x3.hpp"
};

std::string read(const fs::path& path);

// All sources of src/, grammar/ and tests/bench/.
const std::vector<Source>& sources();

// Whether a folder is `top`, or below it.
bool is_below(const std::string& folder, const std::string& top);

// A source by the name that includes have for it, such as `game/game.hpp`; null: none of ours.
const Source* find(const std::string& include);
