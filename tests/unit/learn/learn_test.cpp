// Learned evaluations: the patterns of games, what learning makes of weights, and evaluators.

#include "tests/unit/learn/learned.hpp"
#include "tests/unit/learn/values.hpp"

#include "executor/position_buffer.hpp"
#include "game/line.hpp"
#include "game/selfplay/random_games.hpp"
#include "game/symmetry/symmetry.hpp"
#include "learn/tuples/inputs.hpp"
#include "tests/sanitized.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

using namespace zug;
using namespace zug::learn;

namespace {

// A number for each weight that tells it from all others, added up over a position's. Equal weights have the same.
std::uint64_t fingerprint(const Inputs& inputs, std::span<const std::uint32_t> slots,
                          std::span<const std::uint32_t> ring = {}) {
    std::uint64_t sum = 0;
    for (const Pattern& pattern : inputs.patterns) {
        std::uint64_t weight = pattern.first;
        for (std::size_t i = 0; i < pattern.slots.size(); ++i)
            weight += std::uint64_t{slots[pattern.slots[i]] >> inputs.shifts[pattern.slots[i]]} * pattern.strides[i];
        REQUIRE(weight < inputs.weights);
        if (!ring.empty()) {
            std::uint32_t least = static_cast<std::uint32_t>(weight);
            for (std::uint32_t equal = ring[weight]; equal != weight; equal = ring[equal])
                least = std::min(least, equal);
            weight = least;
        }
        sum += splitmix64(weight);
    }
    return sum;
}

std::uint64_t fingerprint(std::span<const std::uint32_t> weights) {
    std::uint64_t sum = 0;
    for (std::uint64_t weight : weights) sum += splitmix64(weight);
    return sum;
}

constexpr std::array games = {"tic-tac-toe", "kalah", "backgammon", "three-tic-tac-toe", "2048", "pig", "breakthrough"};

} // namespace

TEST_CASE("patterns of games are within their limits, and the same in every call") {
    for (const char* name : games) {
        CAPTURE(name);
        game::Game game = rules_of(name);
        const InputLimits limits{.weights = 50'000, .patterns = 100, .combinations = 1000};
        const Inputs inputs = find_inputs(game, 1, limits).inputs;
        CHECK(inputs == find_inputs(game, 1, limits).inputs);
        CHECK_FALSE(inputs.patterns.empty());
        std::set<std::vector<std::uint32_t>> seen;
        for (const Pattern& pattern : inputs.patterns) {
            std::vector<std::uint32_t> slots = pattern.slots;
            std::ranges::sort(slots);
            CHECK(std::ranges::adjacent_find(slots) == slots.end());
            CHECK(seen.insert(slots).second);
        }
    }
}

TEST_CASE("images of a position under symmetries of the game select the same weights") {
    for (const char* name : {"tic-tac-toe", "breakthrough", "gomoku", "othello"}) {
        CAPTURE(name);
        game::Game game = rules_of(name);
        const auto [inputs, ring, has_equals] = find_inputs(game, 1);
        const auto group = game::find_symmetries(game, game.initial());
        CHECK(group.size() > 1);
        std::size_t left = test::sanitized ? 25 : 1000; // positions: with sanitizers one takes tens of milliseconds
        game::play_random_games(game, game.initial(), 2, [&](const game::State& state, std::uint32_t) {
            const auto slots = slots_of(game, state);
            for (const game::Symmetry& symmetry : group.elements)
                CHECK(fingerprint(inputs, symmetry.apply(slots), ring) == fingerprint(inputs, slots, ring));
            return --left > 0;
        });
    }
}

TEST_CASE("a selection that is brought up to date is that of the position") {
    for (const char* name : games) {
        CAPTURE(name);
        game::Game game = rules_of(name);
        const Inputs inputs = find_inputs(game, 1, {.weights = 20'000, .patterns = 60, .combinations = 500}).inputs;
        Selection selection(inputs);
        std::map<std::uint32_t, std::uint32_t> changed;
        game::play_random_games(game, game.initial(), 3, [&](const game::State& state, std::uint32_t) {
            const auto slots = slots_of(game, state);
            std::uint64_t sum = fingerprint(selection.weights());
            selection.update(slots, [&](std::uint32_t, std::uint32_t before, std::uint32_t after) {
                std::uint64_t out = before, in = after;
                sum += splitmix64(in) - splitmix64(out);
            });
            CHECK(fingerprint(selection.weights()) == fingerprint(inputs, slots));
            CHECK(sum == fingerprint(inputs, slots));
            return true;
        });
    }
}

TEST_CASE("one thread and one seed learn one evaluation") {
    game::Game game = rules_of("tic-tac-toe");
    for (const ModelKind model : models) {
        const Net a = learned(game, 300, model), b = learned(game, 300, model), c = learned(game, 300, model, 2);
        CHECK(a.model == b.model);
        CHECK_FALSE(a.model == c.model);
        CHECK(a.training.games == 300);
    }
}

// Where some moves are better than others, the learned evaluation of the positions after them must tell which.
TEST_CASE("tic-tac-toe is learned from its rules") {
    for (const ModelKind model : models) {
        game::Game game = rules_of("tic-tac-toe");
        Values values(game);
        values(game.initial());
        CHECK(values.size() == 5478);
        game.use(make_evaluator(std::make_shared<const Net>(learned(game, 20'000, model)), game));
        CHECK(values.share_kept(game) > 0.9);
    }
}

// Positions of random games, in order.
std::vector<game::State> some_positions(game::Game& game) {
    std::vector<game::State> states;
    game::play_random_games(game, game.initial(), 2, [&](const game::State& state, std::uint32_t) {
        states.push_back(state);
        return states.size() < 100;
    });
    return states;
}

TEST_CASE("what is learned evaluates positions by their slots alone, in any order, in games and their clones") {
    for (const char* name : {"tic-tac-toe", "backgammon", "three-tic-tac-toe", "chess", "pig", "2048"})
        for (const ModelKind model : models) {
            CAPTURE(name);
            game::Game game = rules_of(name);
            const Net net = learned(game, 3, model);
            game.use(make_evaluator(std::make_shared<const Net>(net), game));
            CHECK(game.traits().has_eval);
            CHECK_FALSE(game.uses_file_eval());
            game::Game other = game.clone();
            const auto states = some_positions(game);
            std::vector<std::vector<double>> forward;
            for (const game::State& state : states) {
                forward.emplace_back(game.players());
                game.evaluate(state, forward.back());
                for (const double value : forward.back()) {
                    CHECK(value > game.traits().min_utility);
                    CHECK(value < game.traits().max_utility);
                }
            }
            for (std::size_t i = states.size(); i-- > 0;) {
                std::vector<double> back(game.players());
                other.evaluate(states[i], back);
                CHECK(back == forward[i]);
            }
        }
}

TEST_CASE("what is learned for one player is learned for the other") {
    for (const char* name : {"breakthrough", "backgammon", "kalah", "othello"})
        for (const ModelKind model : models) {
            CAPTURE(name);
            game::Game game = rules_of(name);
            const auto exchange = game::find_player_exchange(game);
            REQUIRE(exchange);
            game.use(make_evaluator(std::make_shared<const Net>(learned(game, 5, model)), game));
            for (const game::State& state : some_positions(game)) {
                game::State image;
                game.executor().load(exchange->apply(slots_of(game, state)), image);
                std::array<double, 2> own{}, other{};
                game.evaluate(state, own);
                game.evaluate(image, other);
                CHECK(own[0] == other[1]);
                CHECK(own[0] == -own[1]);
            }
        }
}

// The network as it is defined, in real numbers, of weights in whole ones.
TEST_CASE("a network kept up to date from move to move is the network") {
    game::Game game = rules_of("three-tic-tac-toe");
    const Net net = learned(game, 50, ModelKind::Network);
    const Network& network = *net.model.network;
    game.use(make_evaluator(std::make_shared<const Net>(net), game));
    for (const game::State& state : some_positions(game)) {
        const auto slots = slots_of(game, state);
        std::vector<double> layer(network.hidden_bias.begin(), network.hidden_bias.end());
        for (std::size_t s = 0; s < slots.size(); ++s)
            if (const std::uint32_t value = slots[s] >> network.columns.shifts[s];
                value > 0 && network.columns.values(s) > 0)
                for (std::size_t u = 0; u < layer.size(); ++u)
                    layer[u] += network.hidden[(network.columns.first[s] + value - 1) * layer.size() + u];
        std::vector<double> values(game.players());
        game.evaluate(state, values);
        for (std::size_t p = 0; p < values.size(); ++p) {
            const std::size_t count = network.utilities.size(), output = game.to_move(state) * values.size() + p;
            double sum = 0, expected = 0;
            for (std::size_t c = 0; c < count; ++c) {
                double logit = network.output_bias[output * count + c];
                for (std::size_t u = 0; u < layer.size(); ++u)
                    logit += std::clamp(layer[u], 0.0, static_cast<double>(network.one)) *
                             network.output[(output * count + c) * layer.size() + u];
                sum += std::exp(network.unit * logit);
                expected += std::exp(network.unit * logit) * network.utilities[c];
            }
            CHECK(values[p] == doctest::Approx(expected / sum));
        }
    }
}

TEST_CASE("several threads learn one evaluation together") {
    game::Game game = rules_of("tic-tac-toe");
    for (const ModelKind model : models) {
        TrainerOptions options;
        options.games = 500;
        options.threads = 2;
        options.model = model;
        const auto net = learn::learn(game, options);
        REQUIRE(net);
        CHECK(net->training.games == 500);
        const auto& weights = model == ModelKind::Tuples ? net->model.tuples->weights : net->model.network->output;
        CHECK(std::ranges::any_of(weights, [](std::int16_t weight) { return weight != 0; }));
    }
}

TEST_CASE("moves chosen by a search teach as well") {
    for (const char* name : {"tic-tac-toe", "chess", "backgammon", "three-tic-tac-toe"})
        for (const ModelKind model : models) {
            CAPTURE(name);
            game::Game game = rules_of(name);
            TrainerOptions options;
            options.games = 2;
            options.most_plies = 60;
            options.model = model;
            options.depth = 1;
            const auto net = learn::learn(game, options);
            REQUIRE(net);
            CHECK(net->training.games == 2);
            CHECK(net->training.positions > 0);
            CHECK(net->training.positions <= 122);
            CHECK_FALSE(game.has_offer());
        }
}

TEST_CASE("where a variable holds the score, what is still to come is learned") {
    game::Game game = rules_of("2048-score", {{"size", "2"}});
    const Net net = learned(game, 300);
    const TupleNet& tuples = *net.model.tuples;
    REQUIRE(tuples.scale.scores.size() == 1);
    const std::uint32_t score = tuples.scale.scores[0].slot;
    for (const Pattern& pattern : tuples.inputs.patterns)
        CHECK(std::ranges::find(pattern.slots, score) == pattern.slots.end());
    // Nothing is expected of a position because of what one of its sites holds.
    CHECK(std::ranges::count(tuples.inputs.patterns, 1U, [](const Pattern& p) { return p.slots.size(); }) == 1);
    game.use(make_evaluator(std::make_shared<const Net>(net), game));
    const auto value = [&](const std::string& points) {
        std::array<double, 1> out{};
        game.evaluate(*game.parse_position("at=a1:1,b1:2 drop=0 score=" + points), out);
        return out[0];
    };
    CHECK(value("100") == doctest::Approx(value("0") + 100));
    CHECK(value("0") > 0);
}

TEST_CASE("equal weights stay equal") {
    for (const char* name : {"tic-tac-toe", "breakthrough"}) {
        game::Game game = rules_of(name);
        const auto ring = find_inputs(game, 1).ring;
        const Net net = learned(game, 30);
        const std::vector<std::int16_t>& weights = net.model.tuples->weights;
        std::size_t shared = 0;
        for (std::size_t w = 0; w < weights.size(); ++w) {
            const std::size_t stage = w / ring.size(), own = w % ring.size();
            shared += ring[own] != own ? 1 : 0;
            CHECK(weights[w] == weights[stage * ring.size() + ring[own]]);
        }
        CHECK(shared > 0);
    }
}
