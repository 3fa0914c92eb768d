// Symmetries in solutions: that solutions with and without them agree, and that rules which are less symmetric than
// they seem are detected.

#include "folder.hpp"
#include "games.hpp"

#include "solve/database/query.hpp"
#include "solve/database/verify.hpp"
#include "solve/encoding/position_code.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "solve/database/database_format.hpp"

#include <cmath>
#include <cstring>

namespace zug::solve {

namespace {

namespace fs = std::filesystem;

std::size_t symmetries_of(game::Game game) { return game::find_symmetries(game, game.initial()).size(); }

Solution solve_into(const fs::path& path, game::Game& game, bool symmetries = true) {
    Options options;
    options.symmetries = symmetries;
    const auto solution = write(game, path, options);
    REQUIRE_MESSAGE(solution, (solution ? "" : solution.error().text));
    return *solution;
}

// Replaces a part of a database's description by one as long, with the right checksum.
void change_description(const fs::path& path, const std::string& from, const std::string& to) {
    std::string bytes = bytes_of(path);
    format::Footer footer{};
    std::memcpy(&footer, bytes.data() + bytes.size() - sizeof footer, sizeof footer);
    const std::size_t at = bytes.find(from, footer.description_offset);
    REQUIRE(at != std::string::npos);
    REQUIRE(from.size() == to.size());
    bytes.replace(at, from.size(), to);
    footer.description_hash = XXH64(bytes.data() + footer.description_offset, footer.description_bytes, 0);
    std::memcpy(bytes.data() + bytes.size() - sizeof footer, &footer, sizeof footer);
    std::ofstream(path, std::ios::binary) << bytes;
}

// In turn two players take one of two sites and then name four numbers; who names the last wins by an even sum. One
// line of play in two hundred thousand can be made an exception.
std::string numbers(const std::string& exception) {
    return "players A, B\nboard site = graph\n  p: q\n  q: p\nstate here: site?\nstate said: 1..4 -> 0..17 = 9\n"
           "state turn_of: 0..4\n"
           "move choose(s: site)\n  when here = none\n  then here := s\n"
           "move say(k: 0..17)\n  when here != none, turn_of < 4\n  then said[turn_of + 1] := k, turn_of += 1\n"
           "end\n" +
           exception +
           "  me wins when turn_of = 4, (said[1] + said[2] + said[3] + said[4]) mod 2 = 0\n"
           "  me loses when turn_of = 4\n";
}

} // namespace

TEST_CASE("solutions with symmetries and without are the same") {
    const std::vector<std::pair<const char*, lang::Overrides>> games = {
        {"tic-tac-toe", {}},
        {"mu-torere", {}},
        {"robots", {{"width", "3"}}},
        {"three-mens-morris", {{"quiet_limit", "3"}}},
        {"dots-and-boxes", {{"width", "2"}, {"height", "2"}}},
        {"2048", {{"size", "2"}, {"goal", "5"}}},
        {"nim", {{"n", "3"}, {"a", "3"}, {"b", "3"}, {"c", "3"}}},
    };
    for (const auto& [name, params] : games) {
        CAPTURE(name);
        game::Game game = load(name, params);
        Options options;
        options.threads = 2;
        const auto with = solve(game, game.initial(), options);
        options.symmetries = false;
        const auto without = solve(game, game.initial(), options);
        REQUIRE(with);
        REQUIRE(without);
        CHECK(with->symmetries > 1);
        CHECK(with->with_symmetry < with->positions);
        CHECK(without->with_symmetry == without->positions);
        CHECK(with->positions == without->positions);
        CHECK(with->moves == without->moves);
        CHECK(with->cycles == without->cycles);
        CHECK(with->remoteness == without->remoteness);
        CHECK(with->repetition == without->repetition);
        CHECK(with->value.front() == doctest::Approx(without->value.front()).epsilon(1e-9));
        CHECK(with->tally.won == without->tally.won);
        CHECK(with->tally.lost == without->tally.lost);
        CHECK(with->tally.drawn == without->tally.drawn);
    }
}

TEST_CASE("tic-tac-toe has 765 positions up to symmetry, and each of 5478 is found") {
    const Folder folder;
    game::Game game = load("tic-tac-toe");
    CHECK(solve_into(folder.database, game).with_symmetry == 765);
    auto database = Database::open(folder.database, game);
    REQUIRE(database);
    CHECK(database->positions() == 765);
    CHECK(database->solution().positions == 5478);
    std::uint64_t counted = 0;
    for (const auto& count : database->histogram()) counted += count.positions;
    CHECK(counted == 5478);
    // The line goes on although it meets images of what it has met.
    const auto line = best_line(*database, game, game.initial());
    REQUIRE(line);
    CHECK(line->moves.size() == 9);
}

TEST_CASE("of random positions all are as likely, whatever stands for them") {
    const Folder folder;
    game::Game game = load("tic-tac-toe");
    solve_into(folder.database, game);
    auto database = Database::open(folder.database, game);
    REQUIRE(database);
    std::map<std::uint32_t, double> there, drawn; // lost positions by the number of images
    double all = 0;
    game::State state;
    for (std::uint64_t i = 0; i < database->positions(); ++i) {
        const auto key = database->key(i);
        REQUIRE(key);
        database->code().decode(*key, state);
        const auto result = database->find(*key);
        REQUIRE(result);
        REQUIRE(*result);
        const double value = standing(database->outcomes(), **result).value[game.to_move(state)];
        const std::uint32_t images = database->code().orbit(state);
        if (value < 0) there[images] += images, all += images;
    }
    CHECK(all == 1574);
    CHECK(there.size() > 2);
    constexpr int draws = 5000;
    Random random(1);
    const auto lost = [](double value) { return value < 0; };
    for (int i = 0; i < draws; ++i) {
        const auto position = random_position(*database, game, lost, random);
        REQUIRE(position);
        REQUIRE(*position);
        drawn[database->code().orbit(**position)] += 1;
    }
    for (const auto& [images, count] : there) {
        CAPTURE(images);
        CHECK(std::abs(drawn[images] / draws - count / all) < 0.02);
    }
}

TEST_CASE("what shows only deep in the game is found while it is solved") {
    // Up to 40 by ones or back to 0: no random game gets there.
    const std::string deep =
        "players A, B\nboard site = graph\n  p: q\n  q: p\nstate here: site?\nstate n: 0..40\n"
        "move choose(s: site)\n  when here = none\n  then here := s\n"
        "move up\n  when here != none\n  then n += 1\nmove back\n  when here != none\n  then n := 0\n"
        "end\n";
    game::Game alike = load_text(deep + "  A wins when n = 40\n");
    CHECK(symmetries_of(alike.clone()) == 2);
    const auto with = solve(alike, alike.initial());
    REQUIRE(with);
    CHECK(with->symmetries == 2);
    game::Game unlike = load_text(deep + "  A wins when n = 40, here = p\n  B wins when n = 40\n");
    CHECK(symmetries_of(unlike.clone()) == 2);
    const auto without = solve(unlike, unlike.initial());
    REQUIRE(without);
    CHECK(without->symmetries == 1);
    CHECK(without->positions == with->positions);
}

TEST_CASE("what is not found then is found by verify") {
    const Folder folder;
    for (const std::string exception :
         {"", "  A wins when here = q, turn_of = 4, said[1] = 3, said[2] = 1, said[3] = 4, said[4] = 5\n"}) {
        CAPTURE(exception);
        game::Game game = load_text(numbers(exception));
        CHECK(solve_into(folder.database, game).symmetries == 2);
        auto database = Database::open(folder.database, game);
        REQUIRE(database);
        const auto check = verify(*database, game, 2, {});
        REQUIRE(check);
        CHECK(check->wrong.empty() == exception.empty());
        CHECK(solve_into(folder.database, game, false).symmetries == 1);
        database = Database::open(folder.database, game);
        REQUIRE(database);
        const auto again = verify(*database, game, 2, {});
        REQUIRE(again);
        CHECK(again->wrong.empty());
    }
}

TEST_CASE("a changed symmetry in a database is found") {
    const Folder folder;
    game::Game game = load("mu-torere");
    solve_into(folder.database, game);
    const std::string whole = bytes_of(folder.database);
    // The reflection of the ring becomes another one; the middle stays.
    change_description(folder.database, "\"to\":[3,2,1,0,7,6,5,4,8", "\"to\":[0,7,6,5,4,3,2,1,8");
    auto database = Database::open(folder.database, game);
    REQUIRE(database);
    const auto check = verify(*database, game, 1, {});
    REQUIRE(check);
    CHECK(!check->wrong.empty());
    // None at all.
    std::ofstream(folder.database, std::ios::binary) << whole;
    change_description(folder.database, "\"to\":[3,2,1,0,", "\"to\":[3,2,1,3,");
    database = Database::open(folder.database, game);
    REQUIRE(!database);
    CHECK(database.error().text.find("symmetries are none of this game") != std::string::npos);
}

} // namespace zug::solve
