#pragma once
// Where the tests of this folder put databases, and how they make them.

#include "solve/database/database_writer.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace zug::solve {

// Bytes of memory so few that everything that can be in files is there.
constexpr std::uint64_t little = 1'000;

// A folder that is removed at the end of its scope. A process has one at a time.
struct Folder {
    std::filesystem::path path = std::filesystem::temp_directory_path() / ("zug-solve-" + std::to_string(::getpid()));
    std::filesystem::path database = path / "x.zugdb", work = path / "x.work";

    Folder() { std::filesystem::create_directories(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path); }
    std::shared_ptr<WorkFolder> locked() const {
        auto held = WorkFolder::lock(work);
        REQUIRE_MESSAGE(held, (held ? "" : held.error().text));
        return std::move(*held);
    }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path), {}));
    }
    // Named as the program names the database of a game.
    std::filesystem::path file(const game::Game& game) const { return path / file_name(identity_of(game)); }
};

inline tl::expected<Solution, Error> write(game::Game& game, const std::filesystem::path& path,
                                           const Options& options = {}) {
    DatabaseWriter writer(path, game);
    return solve(game, game.initial(), options, &writer);
}

// The same with checkpoints in the work folder, which is locked meanwhile.
inline tl::expected<Solution, Error> write_in(const Folder& folder, game::Game& game, Options options,
                                              std::optional<SecretKey> key = SecretKey{1}) {
    options.work.folder = folder.locked();
    options.work.key = key;
    return write(game, folder.database, options);
}

inline std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace zug::solve
