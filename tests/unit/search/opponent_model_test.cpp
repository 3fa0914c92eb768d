// Search against an opponent who errs, against a plain computation of what opponent_model.hpp says.

#include "games.hpp"
#include "search/search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

using namespace zug;
using namespace zug::search;
using run::NodeKind;

namespace {

// Of a graph without cycles, in the view of one player.
struct Model {
    const std::vector<test::GraphNode>& nodes;
    std::uint32_t me;
    double error; // in utility

    struct Values {
        double game, model;
    };
    Values of(std::size_t n) const {
        const test::GraphNode& node = nodes[n];
        if (node.kind == NodeKind::Terminal) return {node.values[me], node.values[me]};
        std::vector<Values> after;
        for (const std::size_t child : node.children) after.push_back(of(child));
        if (node.kind == NodeKind::Chance) return mean(after, node.weights);
        Values best = after.front();
        const bool mine = node.mover == me;
        for (const Values& values : after) {
            best.game = mine ? std::max(best.game, values.game) : std::min(best.game, values.game);
            best.model = std::max(best.model, values.model);
        }
        if (mine) return best;
        std::vector<double> likely;
        for (const Values& values : after) likely.push_back(std::exp(-(values.game - best.game) / error));
        return {best.game, mean(after, likely).model};
    }
    static Values mean(const std::vector<Values>& values, const std::vector<double>& weights) {
        const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
        Values result{0, 0};
        for (std::size_t i = 0; i < values.size(); ++i) {
            result.game += weights[i] / all * values[i].game;
            result.model += weights[i] / all * values[i].model;
        }
        return result;
    }
};

Result against(game::Game& game, double error) {
    Options options;
    options.error = error;
    return search::search(game, game.initial(), Method::OpponentModel, {}, options);
}

// The same against a named player, by the interface of the game.
struct Named {
    game::Game& game;
    std::uint32_t me;
    NamedOpponent opponent;

    double of(const game::State& state) {
        game::MoveList moves;
        std::vector<double> payoffs(game.players());
        if (game.expand(state, moves) == NodeKind::Terminal) {
            REQUIRE(game.payoffs(state, payoffs));
            return payoffs[me];
        }
        const std::uint64_t expected = game.to_move(state) == me ? 0 : choice(state, moves);
        const double any = opponent.random / static_cast<double>(moves.size());
        double best = -1e9, mean = 0;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            game::State next;
            REQUIRE(game.successor(state, moves, i, next));
            const double value = of(next);
            best = std::max(best, value);
            mean += value * (any + (moves.id(i) == expected ? 1 - opponent.random : 0));
        }
        return game.to_move(state) == me ? best : mean;
    }
    std::uint64_t choice(const game::State& state, const game::MoveList& moves) {
        if (moves.size() == 1) return moves.id(0);
        Limits limits;
        limits.depth = opponent.depth;
        return search::search(game, state, *opponent.method, limits, opponent.options).pv_ids.at(0);
    }
};

} // namespace

TEST_CASE("the value against a named player is what is to be had against the moves that the player makes") {
    int gains = 0;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        CAPTURE(seed);
        test::RandomGraph shape;
        shape.nodes = 30;
        shape.facts.eval = true;
        Random random(seed);
        const auto nodes = test::random_nodes(shape, random);
        game::Game game(std::make_unique<test::GraphGame>(shape.facts, nodes));
        const std::uint32_t me = nodes[0].mover;
        NamedOpponent opponent{Method::AlphaBeta, {}, 1, 0, seed % 3 == 0 ? 0.25 : seed % 3 == 1 ? 1.0 : 0.0};
        const double expected = Named{game, me, opponent}.of(game.initial());
        Options options;
        options.opponent = std::make_shared<const NamedOpponent>(opponent);
        const Result found = search::search(game, game.initial(), Method::OpponentModel, {}, options);
        REQUIRE(found.fault.empty());
        CHECK(found.value[me] == doctest::Approx(expected));
        const Result plain = search::search(game, game.initial(), Method::AlphaBeta, {});
        CHECK(expected >= plain.value[me] - 1e-9);
        if (expected > plain.value[me] + 0.01) ++gains;
    }
    CHECK(gains > 25);
}

TEST_CASE("a named player who can't play the game is refused") {
    game::Traits traits;
    traits.zero_sum = traits.chance = true;
    traits.players = 2;
    Options options;
    CHECK(refusal(Method::OpponentModel, options, traits).empty());
    options.opponent = std::make_shared<const NamedOpponent>(NamedOpponent{Method::AlphaBeta, {}, 2, 0, 0.5});
    CHECK(refusal(Method::OpponentModel, options, traits) ==
          "alphabeta can't search a game with chance events; use expectimax");
    options.opponent = std::make_shared<const NamedOpponent>(NamedOpponent{Method::AlphaBeta, {}, 2, 0, 1});
    CHECK(refusal(Method::OpponentModel, options, traits).empty());
}

TEST_CASE("the value against an opponent who errs is the model's, and never less than minimax's") {
    int gains = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        test::RandomGraph shape;
        shape.nodes = 25;
        shape.fine = seed % 2 == 0;
        shape.events = seed % 3 == 0 ? 0.2 : 0;
        shape.facts.chance = seed % 3 == 0;
        Random random(seed);
        const auto nodes = test::random_nodes(shape, random);
        game::Game game(std::make_unique<test::GraphGame>(shape.facts, nodes));
        const std::uint32_t me = nodes[0].mover;
        const double error = 0.02 * static_cast<double>(seed % 40 + 1);
        const auto expected = Model{nodes, me, error * 2}.of(0);
        const Result found = against(game, error);
        REQUIRE(found.fault.empty());
        CHECK(found.exact);
        CHECK(found.value[me] == doctest::Approx(expected.model));
        CHECK(expected.model >= expected.game - 1e-12);
        if (expected.model > expected.game + 0.01) ++gains;
        const Result perfect = against(game, 1e-6);
        const Result plain = search::search(game, game.initial(), Method::Expectimax, {});
        CHECK(perfect.value[0] == doctest::Approx(plain.value[0]).epsilon(1e-4));
    }
    CHECK(gains > 25);
}

TEST_CASE("where all moves lose, the one that leaves the opponent one way to win is made") {
    // After move 0 every reply wins, after move 1 one of three.
    game::Game game = test::two_ply_tree({{-20, -20, -20}, {20, -20, 20}});
    const Result found = against(game, 0.1);
    REQUIRE(!found.pv_ids.empty());
    CHECK(found.pv_ids[0] == 1);
    CHECK(found.value[0] > -20);
    CHECK(search::search(game, game.initial(), Method::AlphaBeta, {}).pv_ids[0] == 0);
}

TEST_CASE("searching against an opponent who errs is for two players") {
    game::Traits traits;
    traits.zero_sum = traits.chance = true;
    for (const std::uint32_t players : {1U, 2U, 3U}) {
        traits.players = players;
        CHECK(refusal(Method::OpponentModel, traits).empty() == (players == 2));
    }
}
