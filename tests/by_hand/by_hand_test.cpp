// The programs written by hand play the games that the rule files describe.

#include "game/perft.hpp"
#include "search/search.hpp"
#include "tests/bench/alpha_beta.hpp"
#include "tests/bench/by_hand.hpp"
#include "tests/bench/connect_four.hpp"
#include "tests/data/facts.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace zug::by_hand {

namespace {

// Depths that take a fraction of a second.
#ifdef ZUG_SANITIZED
constexpr std::uint64_t most_nodes = 20'000;
constexpr double plies_to_play = 2000;
#else
constexpr std::uint64_t most_nodes = 10'000'000;
constexpr double plies_to_play = 100'000;
#endif

data::Row described(const Program& program) {
    std::string params;
    for (const auto& [name, value] : program.parameters)
        params += (params.empty() ? "" : " ") + std::string(name) + "=" + std::string(value);
    return {{"file", std::string(program.rules) + ".zug"}, {"params", params}};
}

// Mean and variance of what playouts give.
class Sample {
public:
    void add(double value) {
        ++count_;
        sum_ += value;
        squares_ += value * value;
    }
    double mean() const { return sum_ / count_; }
    double error_squared() const { return (squares_ / count_ - mean() * mean()) / count_; }

private:
    double count_ = 0, sum_ = 0, squares_ = 0;
};

struct Samples {
    Sample plies, payoff;
};

Samples play(const Program& program, int playouts) {
    Random random(7);
    Samples samples;
    for (int i = 0; i < playouts; ++i) {
        const Playout played = program.playout(random);
        samples.plies.add(played.plies);
        samples.payoff.add(played.payoff);
    }
    return samples;
}

Samples play(game::Game game, int playouts) {
    Random random(7);
    Samples samples;
    std::vector<double> payoffs(game.players());
    for (int i = 0; i < playouts; ++i) {
        game::State state = game.initial();
        const auto played = game.playout(state, random, UINT32_MAX);
        REQUIRE(played.finished);
        samples.plies.add(played.plies);
        REQUIRE(game.payoffs(state, payoffs));
        samples.payoff.add(payoffs[0]);
    }
    return samples;
}

// Four standard errors; the seeds are fixed, so what passes once always passes.
void check_alike(const Sample& a, const Sample& b) {
    CAPTURE(a.mean());
    CAPTURE(b.mean());
    CHECK(std::abs(a.mean() - b.mean()) <= 4 * std::sqrt(a.error_squared() + b.error_squared()));
}

} // namespace

TEST_CASE("a program is found by the name of its rule file") {
    for (const Program& program : programs()) CHECK(find(program.rules) == &program);
    CHECK(find("no-such-game") == nullptr);
}

TEST_CASE("perft agrees with published counts") {
    for (const data::Row& row : data::read_tables("perft"))
        for (const Program& program : programs()) {
            const std::uint64_t nodes = std::stoull(row.at("nodes"));
            const bool ours = row.at("file") == std::string(program.rules) + ".zug" && row.at("params").empty();
            if (!ours || row.at("position") != "start" || nodes > most_nodes) continue;
            const std::string what = data::describe(row);
            CAPTURE(what);
            CHECK(program.perft(std::stoi(row.at("depth"))) == nodes);
            CHECK(program.perft_of_leaves(std::stoi(row.at("depth"))) == nodes);
        }
}

TEST_CASE("perft agrees with the described game") {
    for (const Program& program : programs()) {
        CAPTURE(program.rules);
        game::Game game = data::load(described(program));
        for (int depth = 0; depth <= 9; ++depth) {
            const std::uint64_t nodes = program.perft(depth);
            if (nodes > most_nodes / 10) break;
            CAPTURE(depth);
            CHECK(program.perft_of_leaves(depth) == nodes);
            CHECK(game::perft(game, game.initial(), depth) == nodes);
        }
    }
}

TEST_CASE("random games are as long as the described game's, and as often won") {
    for (const Program& program : programs()) {
        CAPTURE(program.rules);
        const Samples by_hand = play(program, 10'000);
        const Samples by_rules =
            play(data::load(described(program)), static_cast<int>(plies_to_play / by_hand.plies.mean()));
        check_alike(by_hand.plies, by_rules.plies);
        check_alike(by_hand.payoff, by_rules.payoff);
    }
}

TEST_CASE("alpha-beta by hand finds the values that a search of the described game finds") {
    game::Game game = data::load({{"file", "connect-four.zug"}, {"params", ""}});
    for (const char* line : {"", "d1 d2 d3 d4 c1", "d1 c1 d2 c2 e1", "b1 a1 d1 a2 c1", "d1 e1 d2 e2 c1 f1"}) {
        CAPTURE(line);
        const auto state = game.play_line(game.initial(), line);
        REQUIRE(state);
        Connect position;
        std::istringstream moves{line};
        for (std::string move; moves >> move;)
            position = position.after(Set{1} << ((move[0] - 'a') * Connect::stride + (move[1] - '1')));
        const bool first = game.to_move(*state) == 0;
        AlphaBeta<Connect> search;
        const int value = search.value(position, 7);
        search::Limits limits;
        limits.depth = 7;
        const auto found = search::search(game, *state, search::Method::AlphaBeta, limits);
        const double by_rules = first ? found.value[0] : -found.value[0];
        // A game that is open at the horizon is drawn for the program and evaluated by the search.
        CHECK(value == (by_rules == 1 ? 1 : by_rules == -1 ? -1 : 0));
        CHECK(search.nodes > 1);
    }
}

} // namespace zug::by_hand
