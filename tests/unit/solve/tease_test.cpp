// Teasing moves give nothing away, and opponents who err lose more by them.

#include "folder.hpp"
#include "games.hpp"

#include "solve/database/query.hpp"
#include "solve/database/tease.hpp"

#include <cmath>
#include <functional>
#include <set>

namespace zug::solve {

namespace {

constexpr double error = 0.1;

using Words = std::vector<std::uint64_t>;
Words words_of(const game::State& state) { return {state.words.begin(), state.words.end()}; }

Database made(game::Game& game, const Folder& folder) {
    const auto solution = write(game, folder.file(game));
    REQUIRE_MESSAGE(solution, (solution ? "" : solution.error().text));
    auto database = Database::open(folder.file(game), game);
    REQUIRE_MESSAGE(database, (database ? "" : database.error().text));
    return std::move(*database);
}

// Calls f(state, moves) once for each position where a player is to move.
template <class F>
void each_decision(game::Game& game, F&& f) {
    std::vector<game::State> found = {game.initial()};
    std::set<Words> met = {words_of(found.front())};
    game::MoveList moves;
    game::State next;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const game::State state = found[i];
        const auto kind = game.expand(state, moves);
        REQUIRE(kind != game::NodeKind::Fault);
        for (std::size_t m = 0; m < moves.size(); ++m) {
            REQUIRE(game.successor(state, moves, m, next));
            if (met.insert(words_of(next)).second) found.push_back(next);
        }
        if (kind == game::NodeKind::Decision) f(state, moves);
    }
}

std::size_t teased(Database& database, game::Game& game, const game::State& state, const game::MoveList& moves,
                   double of_opponent = error) {
    const auto move = teasing_move(database, game, state, moves, of_opponent);
    REQUIRE_MESSAGE(move, (move ? "" : move.error().text));
    return *move;
}

std::size_t best(Database& database, game::Game& game, const game::State& state, const game::MoveList& moves) {
    const auto move = best_move(database, game, state, moves);
    REQUIRE(move);
    return *move;
}

double utility_after(Database& database, game::Game& game, const game::State& state, const game::MoveList& moves,
                     std::size_t move) {
    game::State next;
    REQUIRE(game.successor(state, moves, move, next));
    const auto standing = standing_of(database, next);
    REQUIRE(standing);
    REQUIRE(*standing);
    return (*standing)->value[game.to_move(state)];
}

// What is chosen at the start of a game, as text.
std::string first_move(game::Game& game, double of_opponent = error) {
    const Folder folder;
    Database database = made(game, folder);
    const game::State state = game.initial();
    game::MoveList moves;
    REQUIRE(game.expand(state, moves) == game::NodeKind::Decision);
    return game.move_text(state, moves, teased(database, game, state, moves, of_opponent));
}

// A walk over a graph from A; `leaves` says what the first player gets at its ends, and `others` the second, where
// these are not opposite.
game::Game walk(const std::string& graph, const std::string& leaves, const std::string& others = "") {
    std::string text = others.empty() ? "players Me, Foe\n" : "players Me, Foe, Third\n";
    text += "board node = graph\n" + graph + "state here: node = A\nstate mine: node -> 0..10 = " + leaves + "\n";
    if (!others.empty()) text += "state theirs: node -> 0..10 = " + others + "\n";
    text +=
        "move go(t: node)\n  when t in here.out\n  then here := t\nend when no here.out\n  payoff Me = mine[here]\n";
    text += others.empty() ? "  payoff Foe = -mine[here]\n" : "  payoff Foe = theirs[here]\n  payoff Third = 0\n";
    return load_text(text);
}

} // namespace

TEST_CASE("of two moves that lose, the one after which more replies are mistakes") {
    game::Game game =
        walk("  A: B C\n  B: b1 b2 b3\n  C: c1 c2 c3\n", "0 on b1, 0 on b2, 2 on b3, 0 on c1, 2 on {c2, c3}");
    CHECK(first_move(game) == "C");
}

TEST_CASE("mistakes are the likelier the less they cost, by the opponent's error") {
    game::Game game = walk("  A: B C\n  B: b1 b2\n  C: c1 c2 c3\n", "2 on c2, 2 on c3, 10 on b2");
    CHECK(first_move(game, 0.1) == "C");
    CHECK(first_move(game, 10) == "B");
}

TEST_CASE("mistakes that come later count, where those of the next reply are equal") {
    game::Game game = walk("  A: B C\n  B: D\n  C: E\n  D: F\n  E: G\n  F: f1 f2\n  G: g1 g2\n", "1 on g2");
    CHECK(first_move(game) == "C");
}

TEST_CASE("of moves that set equal problems the longest line where the player loses, else the shortest") {
    const std::string graph = "  A: B C\n  B: D\n  C: c1\n  D: E\n  E: e1\n";
    game::Game won = walk(graph, "1 on {c1, e1}");
    CHECK(first_move(won) == "C");
    game::Game lost = load_text("players Me, Foe\nboard node = graph\n" + graph +
                                "state here: node = A\nmove go(t: node)\n  when t in here.out\n  then here := t\n"
                                "end Foe wins when no here.out\n");
    CHECK(first_move(lost) == "B");
}

TEST_CASE("between a move and the reply the mean over chance is taken") {
    // The value is 0 by either move; after C the opponent can err with every outcome, after B with one of the two.
    game::Game game = load_text("players Me, Foe\nboard node = graph\n  A: B C\n  B: D E\n  C: F G\n  D: d1 d2\n"
                                "  E: e1 e2\n  F: f1 f2\n  G: g1 g2\n  group luck: B C\nstate here: node = A\n"
                                "state mine: node -> 0..10 = 2 on {d2, f2, g2}\n"
                                "chance fall(t: node)\n  when here in luck, t in here.out\n  then here := t\n"
                                "move go(t: node)\n  when t in here.out\n  then here := t\n"
                                "end when no here.out\n  payoff Me = mine[here]\n  payoff Foe = -mine[here]\n");
    CHECK(first_move(game) == "C");
}

TEST_CASE("each of several opponents minds their own utility") {
    // The second player loses 10 by b2, and only 1 by c2, which are worth the same to the first.
    game::Game game = walk("  A: B C\n  B: b1 b2\n  C: c1 c2\n", "5 on b2, 5 on c2", "10 on b1, 10 on c1, 9 on c2");
    CHECK(first_move(game) == "C");
}

TEST_CASE("a position that can't be reached is an error") {
    const Folder folder;
    game::Game game = load("tic-tac-toe");
    Database database = made(game, folder);
    const auto state = game.parse_position("at=XX1/3/3 turn=O");
    REQUIRE(state);
    game::MoveList moves;
    REQUIRE(game.expand(*state, moves) == game::NodeKind::Decision);
    CHECK_FALSE(teasing_move(database, game, *state, moves, error));
}

namespace {

void check_safety(game::Game& game) {
    const Folder folder;
    Database database = made(game, folder);
    const bool may_be_endless = database.solution().cycles && !database.chance();
    const double tolerance = 2 * database.solution().error + 1e-9;
    std::uint64_t given_away = 0, slow_wins = 0;
    each_decision(game, [&](const game::State& state, const game::MoveList& moves) {
        const std::size_t chosen = teased(database, game, state, moves);
        const std::size_t perfect = best(database, game, state, moves);
        const double most = utility_after(database, game, state, moves, perfect);
        if (utility_after(database, game, state, moves, chosen) < most - tolerance) ++given_away;
        if (may_be_endless && most > 0 && chosen != perfect) ++slow_wins;
    });
    CHECK(given_away == 0);
    CHECK(slow_wins == 0);
}

} // namespace

TEST_CASE("nothing is given away at any position") {
    const std::vector<std::pair<const char*, lang::Overrides>> games = {
        {"tic-tac-toe", {}},
        {"misere-tic-tac-toe", {}},
        {"hexapawn", {}},
        {"dots-and-boxes", {{"height", "1"}}},
        {"robots", {{"width", "3"}, {"height", "2"}, {"limit", "6"}}},
        {"three-mens-morris", {{"quiet_limit", "3"}}},
        // With chance, the second with cycles too:
        {"dice", {{"goal", "4"}}},
        {"pig", {{"goal", "6"}}},
        // Three players:
        {"truel", {{"limit", "5"}}}};
    for (const auto& [name, params] : games) {
        CAPTURE(name);
        game::Game game = load(name, params);
        check_safety(game);
    }
}

TEST_CASE("nor where there are cycles, and won positions are won by the shortest line") {
    game::Game game = load("mu-torere");
    check_safety(game);
    for (const std::string& text : {robots(3, 3), fox_and_geese(3, 3)}) {
        CAPTURE(text);
        game::Game other = load_text(text);
        check_safety(other);
    }
}

namespace {

// The exact expectation of a player's utility in a game without chance for two, against an opponent who makes each move
// with a probability that falls with what it loses.
class Contest {
public:
    using Choose = std::function<std::size_t(const game::State&, const game::MoveList&)>;
    Contest(Database& database, game::Game& game, std::uint32_t player, double of_opponent, Choose choose)
        : database_(database), game_(game), player_(player), error_(of_opponent), choose_(std::move(choose)) {}

    double expected(const game::State& state) {
        const Words words = words_of(state);
        if (const auto known = known_.find(words); known != known_.end()) return known->second;
        game::MoveList moves;
        double value = 0;
        if (game_.expand(state, moves) == game::NodeKind::Terminal) {
            std::vector<double> payoffs(game_.players());
            REQUIRE(game_.payoffs(state, payoffs));
            value = payoffs[player_];
        } else {
            value = game_.to_move(state) == player_ ? after(state, moves, choose_(state, moves)) : mean(state, moves);
        }
        return known_.emplace(words, value).first->second;
    }

private:
    double after(const game::State& state, const game::MoveList& moves, std::size_t move) {
        game::State next;
        REQUIRE(game_.successor(state, moves, move, next));
        return expected(next);
    }

    double mean(const game::State& state, const game::MoveList& moves) {
        double sum = 0, weights = 0;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            // Utilities are from -1 to 1; what the best move would be worth cancels out.
            const double weight = std::exp(utility_after(database_, game_, state, moves, i) / (2 * error_));
            sum += weight * after(state, moves, i);
            weights += weight;
        }
        return sum / weights;
    }

    Database& database_;
    game::Game& game_;
    const std::uint32_t player_;
    const double error_;
    const Choose choose_;
    std::map<Words, double> known_;
};

// Means over all positions that perfect play draws or loses, and the least difference at one of them.
struct Comparison {
    double plain = 0, teasing = 0;
    double least = std::numeric_limits<double>::infinity();
    std::size_t positions = 0;
};

Comparison compare(Database& database, game::Game& game, std::uint32_t player, double of_opponent,
                   std::size_t most_moves) {
    Contest plain(database, game, player, of_opponent,
                  [&](const auto& state, const auto& moves) { return best(database, game, state, moves); });
    Contest teasing(database, game, player, of_opponent,
                    [&](const auto& state, const auto& moves) { return teased(database, game, state, moves); });
    Comparison found;
    each_decision(game, [&](const game::State& state, const game::MoveList& moves) {
        if (game.to_move(state) != player || moves.size() > most_moves) return;
        if (utility_after(database, game, state, moves, best(database, game, state, moves)) > 0) return;
        const double with = teasing.expected(state), without = plain.expected(state);
        found.plain += without;
        found.teasing += with;
        found.least = std::min(found.least, with - without);
        ++found.positions;
    });
    found.plain /= static_cast<double>(found.positions);
    found.teasing /= static_cast<double>(found.positions);
    return found;
}

} // namespace

TEST_CASE("teasing scores more against those who err") {
    const Folder folder;
    game::Game game = load("tic-tac-toe");
    Database database = made(game, folder);
    constexpr double random = 1e6;
    for (const std::uint32_t player : {0U, 1U})
        for (const double of_opponent : {0.1, 0.3, random}) {
            CAPTURE(player);
            CAPTURE(of_opponent);
            const Comparison all = compare(database, game, player, of_opponent, 9);
            CHECK(all.teasing > all.plain + (of_opponent > 0.1 ? 0.03 : 0.002));
        }
    // Where all lines are looked at to their ends, none could be better against the opponent of the model.
    for (const std::uint32_t player : {0U, 1U}) {
        const Comparison late = compare(database, game, player, error, 6);
        CHECK(late.positions > 300);
        CHECK(late.least > -1e-9);
    }
}

} // namespace zug::solve
