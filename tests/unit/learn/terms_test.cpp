// The terms of evals, and the learning of their weights.

#include "tests/unit/learn/learned.hpp"

#include "executor/position_buffer.hpp"
#include "game/selfplay/random_games.hpp"
#include "ir/verify.hpp"
#include "ir/weighted.hpp"
#include "learn/checkpoint.hpp"
#include "learn/explain.hpp"
#include "tests/library.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <functional>

using namespace zug;
using namespace zug::learn;

namespace {

std::vector<double> written(const ir::Program& program) {
    std::vector<double> weights;
    for (const ir::EvalTerm& term : program.terms) weights.push_back(term.weight);
    return weights;
}

// Calls f(slots) for positions of random games.
void for_some(game::Game& game, const std::function<void(const std::vector<std::uint32_t>&)>& f) {
    int left = 60;
    game::play_random_games(game, game.initial(), 2, [&](const game::State& state, std::uint32_t) {
        f(slots_of(game, state));
        return --left > 0;
    });
}

std::vector<double> lead(game::Game& game, const std::vector<std::uint32_t>& slots) {
    game::State state;
    game.executor().load(slots, state);
    std::vector<double> leads(game.players());
    game.lead(state, leads);
    return leads;
}

} // namespace

TEST_CASE("the terms of an eval are what it adds up") {
    const game::Game game = rules_of("english-draughts");
    std::vector<std::string> texts;
    for (const ir::EvalTerm& term : game.program().terms) texts.push_back(term.text);
    CHECK(written(game.program()) == std::vector<double>{100, 140, -4, 3, 10, 4});
    CHECK(texts == std::vector<std::string>{"count at.(p, Man)", "count at.(p, King)",
                                            "count at.(p, King) & last(diagonals)", "count men(p) & middle",
                                            "count at.(p, Man) & first",
                                            "sum f in at.(p, Man): if p = Black: 8 - y(f) else y(f) - 1"});
    CHECK(written(rules_of("chess").program()) == std::vector<double>{1, 3, 5, 9, 0.1});
}

TEST_CASE("in every game the terms by the weights written lead as the eval does") {
    std::size_t games = 0;
    for (const auto& path : test::sample(test::library(), 4)) {
        const lang::Loaded loaded = lang::load_file(path.string());
        if (!loaded.program || loaded.program->terms.empty()) continue;
        CAPTURE(path.string());
        ++games;
        game::Game game(loaded.program);
        auto program = std::make_shared<const ir::Program>(ir::with_weights(game.program(), written(game.program())));
        CHECK(ir::verify(*program).empty());
        game::Game sum(program);
        for_some(game, [&](const std::vector<std::uint32_t>& slots) {
            const auto own = lead(game, slots), other = lead(sum, slots);
            for (std::size_t p = 0; p < own.size(); ++p) CHECK(own[p] == doctest::Approx(other[p]));
        });
    }
    CHECK(games * test::one_in >= 5);
}

TEST_CASE("weights of terms are learned, kept in files, and evaluate as they say") {
    game::Game game = rules_of("connect-four");
    constexpr std::uint64_t games = test::sanitized ? 1'000 : 3'000;
    const Net net = learned(game, games, ModelKind::Terms);
    const TermNet& terms = *net.model.terms;
    CHECK(terms.weights[0] > 0); // threats are worth something
    CHECK(terms.weights == learned(game, games, ModelKind::Terms).model.terms->weights);
    CHECK(as_written(terms, game)[0] == doctest::Approx(game.program().terms[0].weight).epsilon(0.5));
    const auto read = parse_net(net_text(net), game);
    REQUIRE(read);
    CHECK(read->model == net.model);
    game::Game sum(std::make_shared<const ir::Program>(ir::with_weights(game.program(), terms.weights)));
    game::Game own = game.clone();
    own.use(make_evaluator(std::make_shared<const Net>(net), game));
    CHECK_FALSE(own.uses_file_eval());
    for_some(game, [&](const std::vector<std::uint32_t>& slots) {
        game::State state;
        own.executor().load(slots, state);
        std::array<double, 2> values{};
        own.evaluate(state, values);
        const double expected = std::tanh(lead(sum, slots)[0]);
        CHECK(values[0] == doctest::Approx(expected));
        CHECK(values[1] == doctest::Approx(-expected));
    });
}

TEST_CASE("terms learned from where a learner was stopped are those of one that was not") {
    game::Game game = rules_of("breakthrough", {{"width", "5"}, {"height", "5"}});
    TrainerOptions options;
    options.model = ModelKind::Terms;
    options.games = 61;
    options.depth = 1;
    const Net rest = check_resumed(game, options, 23, 25).rest;
    CHECK(std::abs(rest.model.terms->weights[0]) > 0);
}

TEST_CASE("weights that are not of the game's terms are refused") {
    game::Game game = rules_of("connect-four");
    const Net net = learned(game, 5, ModelKind::Terms);
    const auto refused = [&](const std::function<void(TermNet&)>& change) {
        Net bad = net;
        change(*bad.model.terms);
        return !parse_net(net_text(bad), game);
    };
    CHECK_FALSE(refused([](TermNet&) {}));
    CHECK(refused([](TermNet& terms) { terms.weights.pop_back(); }));
    CHECK(refused([](TermNet& terms) { terms.weights[0] = NAN; }));
    CHECK(refused([](TermNet& terms) { terms.spread.clear(); }));
    CHECK(refused([](TermNet& terms) { terms.terms[1] = "another"; }));
    CHECK(refused([](TermNet& terms) { terms.scale.half = INFINITY; }));
}

// Leads in self-play may be far beyond those of random games, from which steps take their size.
TEST_CASE("weights do not grow without end") {
    game::Game game = rules_of("go", {{"size", "5"}});
    for (const double rate : {1.0, 30.0}) {
        TrainerOptions options;
        options.model = ModelKind::Terms;
        options.games = 40;
        options.rate = rate;
        const auto net = learn::learn(game, options);
        REQUIRE(net);
        for (const double weight : net->model.terms->weights) CHECK(std::abs(weight) < 100);
    }
}

TEST_CASE("games without a sum to learn are told") {
    CHECK(unlearnable(rules_of("chess"), ModelKind::Terms).empty());
    for (const char* name : {"tic-tac-toe", "hexapawn", "gomoku"})
        CHECK(unlearnable(rules_of(name), ModelKind::Terms) ==
              "its eval is no sum of two terms or more, the same for each player");
}

TEST_CASE("what values are worth is what the evaluation says of them") {
    game::Game game = rules_of("hexapawn"); // its eval counts the men
    const std::vector<Worth> worths = find_worths(game);
    REQUIRE(worths.size() == 2);
    CHECK(worths[0].title == "at = White");
    CHECK(worths[1].title == "at = Black");
    REQUIRE(worths[0].board != nullptr);
    REQUIRE(worths[0].percent.size() == worths[0].board->sites.size());
    for (std::size_t site = 0; site < worths[0].percent.size(); ++site) {
        CHECK(worths[0].names[site] == worths[0].board->sites[site].name);
        CHECK(worths[0].percent[site] > 1);
        CHECK(worths[1].percent[site] < -1);
    }
    game::Game numbers = rules_of("kalah"); // its eval counts the stones in the store
    for (const Worth& worth : find_worths(numbers)) {
        if (worth.title != "one more: n") continue;
        CHECK(std::ranges::count_if(worth.percent, [](double percent) { return percent > 0; }) == 1);
        CHECK(std::ranges::count_if(worth.percent, [](double percent) { return percent < 0; }) == 1);
        CHECK(std::ranges::count(worth.percent, 0) == static_cast<std::ptrdiff_t>(worth.percent.size()) - 2);
    }
}
