// Paranoid and best-reply search against their definitions, and the pruning of max^n.

#include "games.hpp"
#include "search/search.hpp"
#include "tests/sanitized.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>

using namespace zug;
using namespace zug::search;
using test::NodeKind;
using test::State;

namespace {

// The definition of both methods, written out.
class Opposed {
public:
    Opposed(game::Game& game, bool one_reply) : game_(game), one_reply_(one_reply) {
        hero_ = game.to_move(game.initial());
    }
    bool is_own(std::uint32_t player) const { return game_.traits().team[player] == game_.traits().team[hero_]; }
    double value(int depth) { return value(game_.initial(), depth, {}); }

private:
    using Chooser = std::optional<std::uint32_t>;

    double leaf(const State& state, NodeKind kind, std::uint32_t player) {
        std::vector<double> values(game_.players());
        if (kind == NodeKind::Terminal)
            REQUIRE(game_.payoffs(state, values));
        else
            game_.evaluate(state, values);
        return values[player];
    }

    double value(const State& state, int depth, const Chooser& chooser) {
        run::MoveList moves;
        const NodeKind kind = game_.expand(state, moves);
        if (kind == NodeKind::Terminal || depth == 0) return leaf(state, kind, hero_);
        std::vector<std::size_t> order(moves.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::ranges::sort(order, {}, [&](std::size_t i) { return moves.id(i); });
        const std::uint32_t mover = game_.to_move(state);
        std::vector<State> next(moves.size());
        for (std::size_t i = 0; i < moves.size(); ++i) REQUIRE(game_.successor(state, moves, i, next[i]));
        if (kind == NodeKind::Chance) {
            double mean = 0;
            for (const std::size_t i : order)
                mean = std::fma(moves.probability(i), value(next[i], depth - 1, is_own(mover) ? Chooser{} : chooser),
                                mean);
            return mean;
        }
        const std::size_t usual = *std::ranges::max_element(
            order, {}, [&](std::size_t i) { return leaf(next[i], game_.kind(next[i]), mover); });
        std::optional<double> best;
        for (const std::size_t i : order) {
            const bool opponent = one_reply_ && !is_own(mover);
            if (opponent && chooser && *chooser != mover && i != usual) continue;
            Chooser then = opponent ? chooser : Chooser{};
            if (opponent && !chooser && i != usual) then = mover;
            const double v = value(next[i], depth - 1, then);
            if (!best || (is_own(mover) ? v > *best : v < *best)) best = v;
        }
        return *best;
    }

    game::Game& game_;
    const bool one_reply_;
    std::uint32_t hero_ = 0;
};

Result search_deep(game::Game& game, Method method, int depth, const Options& options = {}) {
    Limits limits;
    limits.depth = depth;
    return search::search(game, game.initial(), method, limits, options);
}

test::RandomGraph opposed_graph(std::uint64_t seed) {
    test::RandomGraph shape;
    const auto players = static_cast<std::uint32_t>(2 + seed % 3);
    shape.facts = {
        .players = players, .chance = seed % 2 == 0, .zero_sum = false, .eval = seed % 5 != 0, .lo = -1, .hi = 4};
    if (players == 4 && seed % 7 < 4) shape.facts.teams = {0, 1, 2, 1}; // two of them play together
    shape.events = seed % 2 == 0 ? 0.25 : 0;
    shape.fine = seed % 4 < 2;
    shape.nodes = 24;
    return shape;
}

} // namespace

TEST_CASE("paranoid and best-reply search have the values of their definitions, with any parts on or off") {
    std::size_t apart = 0;
    for (std::uint64_t seed = 0; seed < test::some_of(120); ++seed) {
        game::Game game = test::random_graph(opposed_graph(seed), seed);
        const std::uint32_t hero = game.to_move(game.initial());
        run::MoveList moves;
        const NodeKind kind = game.expand(game.initial(), moves);
        CAPTURE(seed);
        for (int depth = 1; depth <= 7; ++depth) {
            CAPTURE(depth);
            const double paranoid = Opposed(game, false).value(depth), reply = Opposed(game, true).value(depth);
            CHECK(paranoid <= reply);
            apart += paranoid < reply ? 1 : 0;
            for (unsigned bits = 0; bits < 32; ++bits) {
                Options options;
                options.table = (bits & 1) != 0;
                options.ordering = (bits & 2) != 0;
                options.pruning = (bits & 4) != 0;
                options.scout = (bits & 8) != 0;
                options.star = static_cast<Star>((bits / 8 + seed) % 3);
                options.table_bytes = 1 << 10;
                for (const Method method : {Method::Paranoid, Method::BestReply}) {
                    CAPTURE(method_name(method));
                    CAPTURE(bits);
                    const Result result = search_deep(game, method, depth, options);
                    REQUIRE(result.fault.empty());
                    const double expected = method == Method::Paranoid ? paranoid : reply;
                    CHECK(result.value[hero] == expected);
                    for (std::uint32_t p = 0; p < game.players(); ++p)
                        CHECK(result.value[p] == (Opposed(game, false).is_own(p) ? expected : 3 - expected));
                    CHECK(result.pv.empty() == (kind == NodeKind::Chance));
                }
            }
        }
    }
    CHECK(apart * test::one_in > 20); // else the graphs don't tell the methods apart
}

TEST_CASE("for two players and zero sum paranoid and best-reply search find minimax's value, from either side") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        test::RandomGraph shape;
        shape.facts = {.eval = true, .lo = -3, .hi = 3};
        shape.nodes = 30;
        game::Game game = test::random_graph(shape, seed);
        CAPTURE(seed);
        for (int depth = 1; depth <= 7; ++depth) {
            const Result expected = search_deep(game, Method::Minimax, depth);
            for (const Method method : {Method::Paranoid, Method::BestReply}) {
                const Result result = search_deep(game, method, depth);
                CHECK(result.value == expected.value);
                if (expected.exact) CHECK(result.exact);
            }
        }
    }
}

TEST_CASE("what paranoid search proves the player can be sure of") {
    int proven = 0;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        game::Game game = test::random_graph(opposed_graph(seed), seed);
        for (int depth = 1; depth <= 9; ++depth) {
            const Result result = search_deep(game, Method::Paranoid, depth);
            if (!result.exact) continue;
            ++proven;
            CHECK(result.value[game.to_move(game.initial())] == Opposed(game, false).value(30));
        }
    }
    CHECK(proven > 100);
}

TEST_CASE("a searcher that was asked for another player before gives the same values") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        game::Game game = test::random_graph(opposed_graph(seed), seed);
        CAPTURE(seed);
        for (const Method method : {Method::Paranoid, Method::BestReply}) {
            Searcher kept(game, method);
            State state = game.initial(), next;
            run::MoveList moves;
            Limits limits;
            limits.depth = 5;
            while (game.expand(state, moves) != NodeKind::Terminal) {
                CHECK(kept.run(state, limits).value == Searcher(game, method).run(state, limits).value);
                REQUIRE(game.successor(state, moves, 0, next));
                std::swap(state, next);
            }
        }
    }
}

TEST_CASE("methods for several players refuse one") {
    const game::Traits puzzle{.players = 1};
    CHECK(refusal(Method::Paranoid, puzzle) == "paranoid is for two or more players, and this game has one; use astar");
    CHECK(refusal(Method::BestReply, puzzle) ==
          "bestreply is for two or more players, and this game has one; use astar");
    CHECK(refusal(Method::Paranoid, {.players = 5, .chance = true}).empty());
}

TEST_CASE("max^n pruned by the sum of utilities has the vectors of plain max^n") {
    std::uint64_t pruned_nodes = 0, plain_nodes = 0, by_sum = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        test::RandomGraph shape;
        const auto players = static_cast<std::uint32_t>(2 + seed % 3);
        shape.facts = {.players = players,
                       .chance = seed % 4 == 0,
                       .zero_sum = false,
                       .lo = -1,
                       .hi = static_cast<double>(players - 1),
                       .shares = true};
        shape.events = seed % 4 == 0 ? 0.2 : 0;
        shape.nodes = 40;
        shape.branching = 4;
        shape.ends = 0.3;
        game::Game game = test::random_graph(shape, seed);
        CAPTURE(seed);
        for (int depth = 1; depth <= 8; ++depth) {
            CAPTURE(depth);
            Options options;
            options.table = options.pruning = false;
            const Result plain = search_deep(game, Method::MaxN, depth, options);
            options.pruning = true;
            const Result pruned = search_deep(game, Method::MaxN, depth, options);
            CHECK(pruned.value == plain.value);
            CHECK(pruned.pv == plain.pv);
            if (plain.exact) CHECK(pruned.exact);
            CHECK(search_deep(game, Method::MaxN, depth).value == plain.value);
            pruned_nodes += pruned.nodes;
            plain_nodes += plain.nodes;
            by_sum += pruned.counts[1].value;
        }
    }
    CHECK(by_sum > 0);
    CHECK(pruned_nodes < plain_nodes);
}
