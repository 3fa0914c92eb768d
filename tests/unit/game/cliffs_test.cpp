// The pairs of tests/cliffs: the same game, said in a natural and in the fastest way. How fast both are is measured by
// `zug bench --cliffs tests/cliffs`; here that they are the same game, for all executors, and need no fallback.

#include "game/game.hpp"
#include "game/perft.hpp"
#include "lang/load.hpp"
#include "tests/library.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

using namespace zug;
using namespace zug::game;

namespace {

namespace fs = std::filesystem;

constexpr std::string_view best_ending = ".best.zug";

std::vector<fs::path> best_files() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(ZUG_SOURCE_DIR) / "tests/cliffs"))
        if (entry.path().filename().string().ends_with(best_ending)) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

fs::path natural_file(const fs::path& best) {
    const std::string name = best.filename().string();
    return best.parent_path() / (name.substr(0, name.size() - best_ending.size()) + ".zug");
}

std::shared_ptr<const ir::Program> program_of(const fs::path& file) {
    const lang::Loaded loaded = lang::load_file(file.string(), {}, {(fs::path(ZUG_SOURCE_DIR) / "rules").string()});
    INFO(diag::render(loaded.sources, loaded.report));
    REQUIRE(loaded.program);
    CHECK(loaded.report.sorted().empty());
    return loaded.program;
}

std::vector<std::uint64_t> lines_of_play(Game& game, std::uint64_t enough) {
    std::vector<std::uint64_t> lines;
    while (lines.empty() || lines.back() < enough) {
        const auto count = perft(game, game.initial(), static_cast<int>(lines.size()) + 1);
        REQUIRE(count);
        lines.push_back(*count);
    }
    return lines;
}

} // namespace

TEST_CASE("pairs of the same game have the same lines of play, with every executor") {
    const std::vector<fs::path> files = best_files();
    CHECK(files.size() >= 25);
    for (const fs::path& best : test::sample(files, 0)) {
        CAPTURE(best.string());
        const auto natural = program_of(natural_file(best));
        Game natural_game(natural, ExecutorKind::Interpreter), best_game(program_of(best), ExecutorKind::Interpreter);
        CHECK(natural_game.executor_name() == "interpreter");
        CHECK(best_game.executor_name() == "interpreter");
        CHECK(lines_of_play(natural_game, 3000) == lines_of_play(best_game, 3000));
        Game simple(natural, ExecutorKind::Reference);
        CHECK(lines_of_play(simple, 100) == lines_of_play(natural_game, 100));
    }
}
