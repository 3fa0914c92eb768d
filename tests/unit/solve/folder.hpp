#pragma once
// Databases of tests: where they are put, and how they are made.

#include "solve/database/database_writer.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace zug::solve {

// A folder that goes when the test does.
struct Folder {
    std::filesystem::path path = std::filesystem::temp_directory_path() / ("zug-solve-" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directories(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path); }
    std::filesystem::path file(const game::Game& game) const { return path / file_name(identity_of(game.program())); }
};

inline tl::expected<Solution, Error> write(game::Game& game, const std::filesystem::path& path,
                                           const Options& options = {}) {
    DatabaseWriter writer(path, game.program());
    return solve(game, game.initial(), options, &writer);
}

inline std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace zug::solve
