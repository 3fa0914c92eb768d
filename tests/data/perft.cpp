// The published counts of tests/perft, by every executor.

#include "facts.hpp"

#include "game/perft.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>

namespace zug::data {

namespace {

void check_count(const Row& row, game::ExecutorKind kind) {
    game::Game game = load(row, kind);
    const game::State state = position(game, row.at("position"));
    const auto nodes = game::perft(game, state, std::stoi(row.at("depth")));
    REQUIRE_MESSAGE(nodes, (nodes ? "" : nodes.error().text));
    CHECK(*nodes == std::stoull(row.at("nodes")));
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
    // Beyond the longest game a count is zero, and takes as long as the largest one before.
    std::map<std::vector<std::string>, std::uint64_t> largest; // so far, by position
    for (const Row& row : read_tables("perft")) {
        const std::uint64_t nodes = std::stoull(row.at("nodes"));
        std::uint64_t& work = largest[{row.at("file"), row.at("params"), row.at("position")}];
        work = std::max(work, nodes);
        if (work > reference_limit) continue;
        const std::string what = describe(row);
        CAPTURE(what);
        check_count(row, game::ExecutorKind::Reference);
    }
}

} // namespace zug::data
