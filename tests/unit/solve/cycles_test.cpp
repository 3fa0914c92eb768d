// Games that can go round in circles: every position against a slow solver where that is possible, and by verify().

#include "folder.hpp"
#include "games.hpp"

#include "solve/query.hpp"
#include "solve/verify.hpp"

namespace zug::solve {

namespace {

constexpr std::uint64_t little = 1'000; // bytes of memory, with which all is in files

// Solves the game, and has every position derived once more.
tl::expected<Database, game::Error> checked_database(game::Game& game, const Folder& folder,
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

// Gives the number of draws by repetition.
std::uint64_t check_all(game::Game game, std::uint64_t memory = UINT64_MAX) {
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
        for (const std::uint64_t memory : {little, UINT64_MAX}) check_all(load_text(robots(width, height)), memory);
        // White catches Black where the distance is odd, and else nobody ever wins.
        game::Game game = load_text(robots(width, height));
        const auto solution = solve(game, game.initial());
        REQUIRE(solution);
        CHECK(solution->value[0] == ((width + height) % 2 == 1 ? 1 : 0));
        CHECK(solution->repetition == ((width + height) % 2 == 0));
    }
}

TEST_CASE("a fox and geese") {
    for (const std::uint64_t memory : {little, UINT64_MAX}) {
        CHECK(check_all(load_text(fox_and_geese(3, 3)), memory) > 0);
        CHECK(check_all(load_text(fox_and_geese(3, 4)), memory) > 0);
        const Folder folder;
        game::Game game = load_text(fox_and_geese(4, 4));
        CHECK(checked_database(game, folder, memory)->positions() > 10'000);
    }
}

} // namespace zug::solve
