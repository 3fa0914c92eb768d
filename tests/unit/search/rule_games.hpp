#pragma once
// The games of rules/, for tests of searches on all of them.

#include "game/game.hpp"
#include "lang/load.hpp"
#include "tests/library.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace zug::test {

inline const std::filesystem::path rules_folder = std::filesystem::path(ZUG_SOURCE_DIR) / "rules";

inline std::vector<std::string> rule_names() {
    std::vector<std::string> names;
    for (const auto& file : sample(library(), 0)) names.push_back(file.stem().string());
    return names;
}

inline game::Game load_rules(const std::string& name, const lang::Overrides& params = {},
                             game::ExecutorKind executor = game::ExecutorKind::Interpreter) {
    const lang::Loaded loaded = lang::load_file((rules_folder / (name + ".zug")).string(), params);
    REQUIRE_MESSAGE(loaded.program, name << " doesn't load");
    return game::Game(loaded.program, executor);
}

// A position after some random plies at which the game goes on, or the initial one.
inline game::State random_position(game::Game& game, Random& random) {
    game::State state = game.initial(), next;
    game::MoveList moves;
    for (std::uint32_t plies = random.below(24); plies > 0; --plies) {
        game.expand(state, moves);
        if (moves.empty() ||
            !game.successor(state, moves, random.below(static_cast<std::uint32_t>(moves.size())), next) ||
            game.kind(next) == game::NodeKind::Terminal)
            break;
        std::swap(state, next);
    }
    game.clear_fault();
    return state;
}

} // namespace zug::test
