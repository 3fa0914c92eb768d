// Evaluations that are tuples: searches see one number, which orders positions as the tuples do.

#include "base/random.hpp"
#include "tests/unit/game/text_games.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <compare>
#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace zug;
using namespace zug::game;

namespace {

// Games whose positions are any numbers that one likes; `most` is the greatest value of the second part.
std::string rules(std::string_view players, int most, std::string_view eval) {
    return fmt::format("players {}\nstate a: player -> 0..3\nstate b: player -> 0..{}\nstate c: player -> 0..900\n"
                       "move go(n: 0..900)\n  then a[me] := min(n, 3), b[me] := n, c[me] := n\n"
                       "end when no p: player: c[p] < 900\n  payoff p = if c[p] > b[p]: 1 else -1\neval {}\n",
                       players, most, eval);
}

using Tuple = std::array<double, 3>;

struct Drawn {
    Tuple value; // of the first team, less the mean of the others'
    double seen; // what a search sees
};

class Positions {
public:
    Positions(Game& game, std::uint32_t most) : game_(game), most_(most) {}

    // A random position; small ranges, so that parts are often equal.
    Drawn draw(Random& random) {
        const std::size_t players = game_.players();
        std::string text[3] = {"a=", "b=", "c="};
        Tuple value{};
        for (std::size_t p = 0; p < players; ++p) {
            const std::uint32_t parts[3] = {random.below(2) * 3, most_ - random.below(2), 900 * random.below(2)};
            for (std::size_t i = 0; i < 3; ++i) {
                text[i] += fmt::format("{}{}:{}", p == 0 ? "" : ",", game_.program().players[p], parts[i]);
                value[i] += parts[i] * share(p);
            }
        }
        const auto state = game_.parse_position(fmt::format("{} {} {}", text[0], text[1], text[2]));
        REQUIRE_MESSAGE(state, (state ? "" : state.error().text));
        std::vector<double> seen(players);
        game_.evaluate(*state, seen);
        return {value, seen[0]};
    }

private:
    // What a player counts for.
    double share(std::size_t player) const {
        const Traits& traits = game_.traits();
        const double members = std::popcount(traits.allies(static_cast<std::uint32_t>(player)));
        return traits.team[player] == 0 ? 1 / members : -1 / (members * (traits.teams() - 1));
    }

    Game& game_;
    std::uint32_t most_;
};

void check_order(const std::string& text, std::uint32_t most) {
    for (const auto kind : {ExecutorKind::Reference, ExecutorKind::Interpreter}) {
        Game game = game_of(text, kind);
        Positions positions(game, most);
        Random random(1);
        for (int i = 0; i < 2000; ++i) {
            const Drawn x = positions.draw(random), y = positions.draw(random);
            // Means of thirds are rounded.
            const auto rounded = [](double part) { return std::round(part * 6); };
            const Tuple left{rounded(x.value[0]), rounded(x.value[1]), rounded(x.value[2])};
            const Tuple right{rounded(y.value[0]), rounded(y.value[1]), rounded(y.value[2])};
            CHECK_MESSAGE((left <=> right) == (x.seen <=> y.seen), x.seen, " and ", y.seen);
        }
    }
}

double seen(const std::string& text, std::string_view position) {
    Game game = game_of(text);
    const auto state = game.parse_position(position);
    REQUIRE(state);
    std::vector<double> values(game.players());
    game.evaluate(*state, values);
    return values[0];
}

} // namespace

TEST_CASE("a search sees tuples in their order, up to the greatest that are allowed") {
    check_order(rules("A, B", 40'000'000, "p = (a[p], b[p], c[p])"), 40'000'000);
    check_order(rules("A, B, C", 5'000'000, "p = (a[p], b[p], c[p])"), 5'000'000);
    check_order(rules("A, B, C, D\nteams A C, B D", 5'000'000, "p = (a[p], b[p], c[p])"), 5'000'000);
    check_order(rules("A, B, C\nteams A C", 5'000'000, "p = (a[p], b[p], c[p])"), 5'000'000);
    check_order(rules("A", 300'000'000, "p = (a[p], b[p], c[p])"), 300'000'000);
}

TEST_CASE("parts are whole numbers and truths, and those left out are 0") {
    const std::string short_one = rules("A, B", 900, "p = if a[p] = 3: (true, c[p]) else (b[p] > 5, c[p], -b[p])");
    CHECK(seen(short_one, "a=A:3") > seen(short_one, "b=A:4"));
    CHECK(seen(short_one, "a=A:3 b=A:7") > seen(short_one, "b=A:7"));
    CHECK(seen(short_one, "a=A:3") > seen(short_one, "b=A:6"));
    CHECK(seen(short_one, "c=A:1 b=A:6") > seen(short_one, "a=A:3"));
    CHECK(seen(short_one, "a=A:3,B:3") == 0);
}

TEST_CASE("tuples stand behind `let`, in branches, and in definitions") {
    const std::string plain = rules("A, B", 900, "p = (a[p], c[p] - b[p])");
    const std::string named = rules("A, B", 900,
                                    "p = let q = p in if q = A: (a[q], c[q] - b[q]) else pair(q)\n"
                                    "def pair(p: player) = (a[p], c[p] - b[p])");
    for (const char* position : {"a=A:1,B:2", "a=A:1 b=A:7,B:9", "c=A:5,B:6 b=A:4"})
        CHECK(seen(plain, position) == seen(named, position));
}

TEST_CASE("without a tuple an evaluation is the number that it was") {
    CHECK(seen(rules("A, B", 900, "p = if p = A: a[p] else 0"), "a=A:1") == 0.5);
    CHECK(seen(rules("A, B", 900, "p = if p = A: a[p] / 3 else 0"), "a=A:3") == 0.5);
}
