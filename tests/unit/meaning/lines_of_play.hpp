#pragma once
// What all tests of meaning check: whatever executor plays, the lines of play are the same.

#include "tests/sanitized.hpp"
#include "tests/unit/game/text_games.hpp"

#include "game/perft.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace zug::meaning_test {

enum class Asks : std::uint8_t { Never, Maybe };

// All executors find the same lines of play, and compiled ones without asking the reference evaluator. Of lines of
// three plies and more the last one takes nearly all the time, and sanitizers find nothing in it that earlier ones have
// not.
inline void check_executors(const std::string& text, int depth, Asks asks = Asks::Never) {
    CAPTURE(text);
    const int plies = test::sanitized && depth > 2 ? depth - 1 : depth;
    const auto lines = [&](game::ExecutorKind kind) {
        game::Game game = game::game_of(text, kind);
        std::vector<std::uint64_t> result;
        for (int k = 1; k <= plies; ++k) {
            const auto count = game::perft(game, game.initial(), k);
            REQUIRE(count.has_value());
            result.push_back(*count);
        }
        if (kind == game::ExecutorKind::Interpreter) {
            CHECK(game.executor_name() == "interpreter");
            CHECK((asks == Asks::Maybe || game.executor().reference_use().questions.empty()));
        }
        return result;
    };
    const auto expected = lines(game::ExecutorKind::Reference);
    CHECK(expected.back() > 1);
    CHECK(lines(game::ExecutorKind::Interpreter) == expected);
    CHECK(lines(game::ExecutorKind::BestNative) == expected);
}

} // namespace zug::meaning_test
