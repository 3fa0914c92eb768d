// Games that can cycle: every position against a slow solver where that is possible, and by verify().

#include "folder.hpp"
#include "games.hpp"

#include "solve/database/query.hpp"
#include "solve/database/verify.hpp"

namespace zug::solve {

namespace {

// rules/robots.zug without an end to the chase, on large boards, in fewer bits than robots() takes.
std::string distant_robots(int width, int height) {
    return "players White, Black\nboard cell = grid(" + std::to_string(width) + ", " + std::to_string(height) +
           ")\nstate white: cell = cell(1, 1)\nstate black: cell = cell(" + std::to_string(width) + ", " +
           std::to_string(height) +
           ")\nmove go(t: cell)\n  when t in (if me = White: white.ortho else black.ortho)\n"
           "  then if me = White: white := t else black := t\nend White wins when white = black\n";
}

// Three pawns on their way along a row of nodes with shortcuts, each player moving whichever they want: without
// cycles, though no potential function shows that, for the nodes are not declared in their order. Not of a multiple of
// 7 nodes.
std::string pawns(int nodes) {
    std::string text = "players A, B, C\nboard node = graph\n";
    for (int i = 0; i < nodes; ++i) {
        const int node = 7 * i % nodes;
        text += "  n" + std::to_string(node) + ":";
        for (const int step : {1, 2, 1 + node * node % 11})
            text += " n" + std::to_string(std::min(node + step, nodes + step % 3));
        text += "\n";
    }
    for (const std::string pawn : {"a", "b", "c"})
        text += "state " + pawn + ": node = n0\nmove go_" + pawn + "(t: node)\n  when t in " + pawn + ".out\n  then " +
                pawn + " := t\n";
    const auto end = [&](int more) { return "n" + std::to_string(nodes + more); };
    return text + "end when no a.out, no b.out, no c.out\n  payoff A = if a = " + end(0) +
           ": 2 else 0\n  payoff B = if b = " + end(1) + ": 1 else 0\n  payoff C = if c = " + end(2) +
           ": 1 else if a = b: 2 else 0\n";
}

// Solves the game, and has every position derived once more.
tl::expected<Database, Error> checked_database(game::Game& game, const Folder& folder,
                                               std::uint64_t memory = UINT64_MAX) {
    Options options;
    options.threads = 2;
    options.budget = {memory};
    const auto solution = write(game, folder.file(game), options);
    REQUIRE_MESSAGE(solution, (solution ? "" : solution.error().text));
    CHECK(solution->cycles);
    auto database = Database::open(folder.file(game), game);
    REQUIRE_MESSAGE(database, (database ? "" : database.error().text));
    const auto check = verify(*database, game, 2, {}, options.budget);
    REQUIRE(check);
    CHECK(check->positions == database->solution().positions);
    CHECK(check->wrong.empty());
    return database;
}

// Checks every position's result; returns the number of draws by repetition.
std::uint64_t check_results(game::Game game, std::uint64_t memory = UINT64_MAX) {
    const Folder folder;
    auto database = checked_database(game, folder, memory);
    const Oracle oracle(game, game.initial());
    CHECK(database->solution().positions == oracle.nodes().size());
    std::uint64_t wrong = 0, endless = 0;
    for (const Oracle::Node& node : oracle.nodes()) {
        const auto found = database->find(node.state);
        REQUIRE(found);
        REQUIRE(*found);
        const Standing standing = solve::standing(database->outcomes(), **found);
        if (standing.value[0] != node.value || standing.remoteness != node.plies) ++wrong;
        if (standing.repetition) ++endless;
    }
    CHECK(wrong == 0);
    return endless;
}

} // namespace

TEST_CASE("two robots that may chase each other for ever") {
    for (const auto& [width, height] : {std::pair(3, 2), {4, 3}, {3, 3}, {5, 2}}) {
        CAPTURE(width);
        CAPTURE(height);
        for (const std::uint64_t memory : {little, UINT64_MAX}) check_results(load_text(robots(width, height)), memory);
        // White catches Black where the distance is odd, and else nobody ever wins.
        game::Game game = load_text(robots(width, height));
        const auto solution = solve(game, game.initial());
        REQUIRE(solution);
        CHECK(solution->value[0] == ((width + height) % 2 == 1 ? 1 : 0));
        CHECK(solution->repetition == ((width + height) % 2 == 0));
    }
}

TEST_CASE("any number of threads gives the same bytes where play goes on inside a tier, in memory and in files") {
    constexpr int side = test::sanitized ? 8 : 14;
    for (const std::string& text : {distant_robots(side, side - 1), fox_and_geese(4, 4), pawns(25)}) {
        const Folder folder;
        game::Game game = load_text(text);
        std::string bytes;
        for (const std::uint64_t memory : {UINT64_MAX, little})
            for (const std::uint32_t threads : {1U, 2U, 3U, 5U}) {
                CAPTURE(text);
                CAPTURE(memory);
                CAPTURE(threads);
                Options options;
                options.threads = threads;
                options.budget = {memory};
                const auto solution = write(game, folder.file(game), options);
                REQUIRE_MESSAGE(solution, (solution ? "" : solution.error().text));
                const std::string own = bytes_of(folder.file(game));
                if (bytes.empty()) bytes = own;
                CHECK(own == bytes);
            }
        CHECK(!bytes.empty());
    }
}

TEST_CASE("a fox and geese") {
    for (const std::uint64_t memory : {little, UINT64_MAX}) {
        CHECK(check_results(load_text(fox_and_geese(3, 3)), memory) > 0);
        CHECK(check_results(load_text(fox_and_geese(3, 4)), memory) > 0);
        CHECK(check_results(load_text(fox_and_geese_in_teams(3, 3)), memory) > 0);
        const Folder folder;
        game::Game game = load_text(fox_and_geese(4, 4));
        CHECK(checked_database(game, folder, memory)->positions() > 10'000);
    }
}

TEST_CASE("two teams have the value of two players") {
    for (const auto& [width, height] : {std::pair(2, 4), {3, 3}, {3, 4}, {4, 4}}) {
        CAPTURE(width);
        CAPTURE(height);
        game::Game alone = load_text(fox_and_geese(width, height));
        game::Game together = load_text(fox_and_geese_in_teams(width, height));
        const auto expected = solve(alone, alone.initial()), found = solve(together, together.initial());
        REQUIRE(expected);
        REQUIRE(found);
        CHECK(found->cycles);
        const Payoffs& value = expected->value;
        CHECK(found->value == Payoffs{value[0], value[1], value[0], value[1]});
        CHECK(found->remoteness == expected->remoteness);
        CHECK(found->repetition == expected->repetition);
    }
}

} // namespace zug::solve
