// The puzzles of tests/puzzles: searches find solutions of the given lengths, which are the shortest. And 8-puzzles
// drawn at random, which all searches solve as fast as exhaustive search does.

#include "facts.hpp"

#include "base/random.hpp"
#include "search/search.hpp"

#include <doctest/doctest.h>

#include <array>
#include <set>
#include <string>
#include <vector>

namespace zug::data {

namespace {

constexpr std::array methods{search::Method::AStar, search::Method::IdaStar, search::Method::BranchAndBound};

// How many positions of the 8-puzzle need so many slides: A. Reinefeld, Complete solution of the eight-puzzle, IJCAI
// (1993); OEIS A089473.
constexpr std::array<std::size_t, 32> eight_puzzle{
    1,    2,    4,    8,     16,    20,    39,    62,    116,   152,   286,   396,  748,  1024, 1893, 2512,
    4485, 5638, 9529, 10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760,  221,  2};

// The positions by their distance from the solved one, up to a greatest distance. At the end of the game there are no
// moves, so this begins with the two positions beside it; from there on slides can be taken back.
std::vector<std::vector<game::State>> by_distance(game::Game& game, std::size_t most) {
    std::set<std::vector<std::uint32_t>> seen;
    const auto add = [&](const game::State& state, std::vector<game::State>& level) {
        std::vector<std::uint32_t> slots;
        game.executor().store(state, slots);
        if (seen.insert(std::move(slots)).second) level.push_back(state);
    };
    std::vector<std::vector<game::State>> levels(2);
    add(*game.parse_position("at=a3:1,b3:2,c3:3,a2:4,b2:5,c2:6,a1:7,b1:8,c1:none"), levels[0]);
    add(*game.parse_position("at=a3:1,b3:2,c3:3,a2:4,b2:5,c2:6,a1:7,b1:none,c1:8"), levels[1]);
    add(*game.parse_position("at=a3:1,b3:2,c3:3,a2:4,b2:5,c2:none,a1:7,b1:8,c1:6"), levels[1]);
    game::MoveList moves;
    game::State next;
    while (levels.size() <= most) {
        std::vector<game::State> level;
        for (const game::State& state : levels.back()) {
            REQUIRE(game.expand(state, moves) == game::NodeKind::Decision);
            for (std::size_t i = 0; i < moves.size(); ++i) {
                REQUIRE(game.successor(state, moves, i, next));
                add(next, level);
            }
        }
        levels.push_back(std::move(level));
    }
    return levels;
}

} // namespace

TEST_CASE("puzzles are solved in as few moves as can be") {
    for (const Row& row : read_tables("puzzles")) {
        if (is_skipped(row)) continue;
        const std::string what = row.at("file") + ", " + row.at("position") + ", " + row.at("method");
        CAPTURE(what);
        game::Game game = load(row);
        const auto method = search::method_named(row.at("method"));
        REQUIRE(method);
        const auto result = search::search(game, position(game, row.at("position")), *method, {});
        CHECK_MESSAGE(result.fault.empty(), result.fault);
        CHECK(result.exact);
        CHECK(result.value[0] == 1);
        CHECK(result.pv.size() == std::stoul(row.at("length")));
    }
}

TEST_CASE("8-puzzles at random are solved as fast as exhaustive search does") {
#ifdef ZUG_SANITIZED
    constexpr std::size_t most = 14, samples = 2;
#else
    constexpr std::size_t most = 22, samples = 6;
#endif
    const Row row{{"file", "sliding-puzzle.zug"}, {"params", ""}};
    game::Game game = load(row);
    const auto levels = by_distance(game, most);
    Random random(1);
    for (std::size_t slides = 1; slides <= most; ++slides) {
        CAPTURE(slides);
        REQUIRE(levels[slides].size() == eight_puzzle[slides]);
        for (std::size_t i = 0; i < samples; ++i) {
            const game::State& state = levels[slides][random.below(static_cast<std::uint32_t>(levels[slides].size()))];
            const auto method = methods[(slides + i) % methods.size()];
            const auto result = search::search(game, state, method, {});
            CAPTURE(search::method_name(method));
            CHECK(result.exact);
            CHECK(result.value[0] == 1);
            CHECK(result.pv.size() == slides);
        }
    }
}

} // namespace zug::data
