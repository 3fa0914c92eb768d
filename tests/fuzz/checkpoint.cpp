// Checkpoints that somebody else made: the input changes the manifest of a right one, whose checksum is made right
// again. None is resumed from; it is refused, or the game is solved again, and a database that comes out is the right
// one.

#include "solve/database/database_writer.hpp"
#include "tests/fuzz/games.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace {

using namespace zug;
using fuzz::require;
namespace fs = std::filesystem;

const fs::path folder = fs::temp_directory_path() / ("zug-fuzz-checkpoint-" + std::to_string(::getpid()));
const fs::path work = folder / "x.work", kept = folder / "kept", database = folder / "x.zugdb";

std::string bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

tl::expected<solve::Solution, Error> solve_in_folder(game::Game& game, const solve::Options& wanted) {
    auto locked = solve::WorkFolder::lock(work);
    require(locked.has_value(), "the folder is free");
    solve::Options options = wanted;
    options.work.folder = std::move(*locked);
    options.work.key = SecretKey{1};
    solve::DatabaseWriter writer(database, game);
    return solve::solve(game, game.initial(), options, &writer);
}

// The head of a manifest (solve/storage/work.cpp): 8 bytes, the version, 4 bytes, the hash and the authentication code.
constexpr std::size_t hash_at = 16, archive_at = 24 + sizeof(Digest);

struct Case {
    game::Game game = fuzz::load("hexapawn", {{"width", "3"}});
    std::string right, manifest;

    Case() {
        require(solve_in_folder(game, {}).has_value(), "the game is solved");
        right = bytes_of(database);
        fs::remove(database);
        int asked = 0;
        solve::Options stops;
        stops.work.checkpoint_seconds = 0;
        stops.stop = [&](const solve::Stage&) { return ++asked == 4; };
        require(!solve_in_folder(game, stops), "the work stops");
        manifest = bytes_of(work / "manifest");
        require(manifest.size() > archive_at, "there is a checkpoint");
        fs::copy(work, kept, fs::copy_options::recursive);
    }
};

std::string forged(const std::string& manifest, fuzz::Numbers& numbers) {
    std::string bytes = manifest;
    for (int changes = 1 + static_cast<int>(numbers.below(4)); changes > 0; --changes) {
        const std::size_t at = archive_at + numbers.below(bytes.size() - archive_at);
        const std::uint64_t word = numbers.edge();
        switch (numbers.below(4)) {
        case 0: bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1U << numbers.below(8))); break;
        case 1: std::memcpy(bytes.data() + at, &word, std::min(sizeof word, bytes.size() - at)); break;
        case 2: bytes.insert(at, reinterpret_cast<const char*>(&word), sizeof word); break;
        default: bytes.erase(at, 1 + numbers.below(16));
        }
        if (bytes.size() <= archive_at) bytes.resize(archive_at + 1);
    }
    const std::uint64_t hash = XXH64(bytes.data() + archive_at, bytes.size() - archive_at, 0);
    std::memcpy(bytes.data() + hash_at, &hash, sizeof hash);
    return bytes;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fs::create_directories(folder);
    static Case made;
    fuzz::Numbers numbers(data, size);
    fs::remove_all(work);
    fs::copy(kept, work, fs::copy_options::recursive);
    const std::string manifest = forged(made.manifest, numbers);
    std::ofstream(work / "manifest", std::ios::binary) << manifest;
    bool resumed = false;
    solve::Options options;
    options.note = [&](const std::string& text) { resumed = resumed || text == "resuming from a checkpoint"; };
    const auto solution = solve_in_folder(made.game, options);
    require(!resumed || manifest == made.manifest, "a forged checkpoint is not used");
    if (!solution) require(solution.error().text == solve::not_authentic, "it is refused");
    if (solution) require(bytes_of(database) == made.right, "the database is the right one");
    fs::remove(database);
    return 0;
}
