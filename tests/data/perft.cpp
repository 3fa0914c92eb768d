// The published counts of tests/perft, by every executor.

#include "facts.hpp"

#include "game/perft.hpp"

#include <doctest/doctest.h>

namespace zug::data {

namespace {

void check_count(const Row& row, game::ExecutorKind kind) {
    game::Game game = load(row, kind);
    const game::State state = position(game, row.at("position"));
    const auto nodes = game::perft(game, state, std::stoi(row.at("depth")));
    REQUIRE_MESSAGE(nodes, (nodes ? "" : nodes.error().text));
    CHECK(*nodes == std::stoull(row.at("nodes")));
}

// Whether the reference executor is asked for so many positions at each depth on the way there: beyond the longest game
// none are left, and of a knight's tour a few, but getting there takes as long as where there are the most.
bool is_small(const Row& row) {
    game::Game game = load(row);
    const game::State state = position(game, row.at("position"));
    for (int depth = 1; depth < std::stoi(row.at("depth")); ++depth) {
        const auto nodes = game::perft(game, state, depth);
        REQUIRE_MESSAGE(nodes, (nodes ? "" : nodes.error().text));
        if (*nodes > reference_limit) return false;
    }
    return true;
}

} // namespace

TEST_CASE("perft agrees with published counts") {
    for (const Row& row : read_tables("perft")) {
        if (is_skipped(row) || std::stoull(row.at("nodes")) > interpreter_limit) continue;
        const std::string what = describe(row);
        CAPTURE(what);
        check_count(row, game::ExecutorKind::Interpreter);
    }
}

TEST_CASE("the reference executor's perft agrees at smaller depths") {
    for (const Row& row : read_tables("perft")) {
        if (std::stoull(row.at("nodes")) > reference_limit || !is_small(row)) continue;
        const std::string what = describe(row);
        CAPTURE(what);
        check_count(row, game::ExecutorKind::Reference);
    }
}

} // namespace zug::data
