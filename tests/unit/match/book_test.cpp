// Opening books: read, made, played by; and what is said about bad ones.

#include "lang/load.hpp"
#include "match/book.hpp"
#include "match/book_maker.hpp"
#include "match/play.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>

using namespace zug;
using namespace zug::match;

namespace {

game::Game rules_of_tic_tac_toe() {
    const lang::Loaded loaded = lang::load_file(std::string(ZUG_SOURCE_DIR) + "/rules/tic-tac-toe.zug", {});
    REQUIRE(loaded.program);
    return game::Game(loaded.program);
}

// How often each move is drawn after a line of moves; `none`: the book has none.
std::map<std::string, int> draws(game::Game& game, const Book& book, std::string_view line, int times) {
    const game::State state = game.play_line(game.initial(), line).value();
    game::MoveList moves;
    game.expand(state, moves);
    Random random(1);
    std::map<std::string, int> counts;
    for (int n = 0; n < times; ++n) {
        const auto i = book.choose(game, state, moves, random);
        ++counts[i ? game.move_text(state, moves, *i) : "none"];
    }
    return counts;
}

tl::expected<std::vector<std::size_t>, Error> refuse(const game::State&, const game::MoveList& moves) {
    return failure(fmt::format("not after {} moves", moves.size()));
}

Book good_book(game::Game& game, const std::string& text) {
    auto book = Book::parse(game, text, "book");
    REQUIRE(book.has_value());
    return std::move(*book);
}

std::string book_problem(std::string_view text) {
    game::Game game = rules_of_tic_tac_toe();
    const auto book = Book::parse(game, text, "book");
    REQUIRE_FALSE(book.has_value());
    return book.error().text;
}

} // namespace

TEST_CASE("moves of a book are drawn by their weights, whatever line leads to the position") {
    game::Game game = rules_of_tic_tac_toe();
    const Book book = good_book(game, "# Tic-Tac-Toe\n\n-> b2 3; a1 1\nb2; a2 -> a1 1\r\n"
                                      "b2 a2 a1 b1 -> c3 2\na1 a2 b2 b1 -> c3 1; a3 1\n");
    CHECK(book.positions() == 3);
    auto first = draws(game, book, "", 400);
    CHECK(first["b2"] + first["a1"] == 400);
    CHECK(first["b2"] > 260);
    CHECK(first["b2"] < 340);
    CHECK(draws(game, book, "b2 a2", 5) == std::map<std::string, int>{{"a1", 5}});
    auto merged = draws(game, book, "a1 b1 b2 a2", 400);
    CHECK(merged["c3"] + merged["a3"] == 400);
    CHECK(merged["c3"] > 260); // three of four
    CHECK(draws(game, book, "c3", 5) == std::map<std::string, int>{{"none", 5}});
}

TEST_CASE("an error of a book names its line and says what is wrong") {
    CHECK(book_problem("# one\nb2 a1").starts_with("book:2: a line of a book is moves, `->`"));
    CHECK(book_problem("-> b2").starts_with("book:1: `b2` must be a move and its weight"));
    CHECK(book_problem("-> b2 0").find("above 0") != std::string::npos);
    CHECK(book_problem("-> b2 nan").find("above 0") != std::string::npos);
    CHECK(book_problem("-> b2 1; ").find("must be a move") != std::string::npos);
    CHECK(book_problem("b2 -> b2 1").find("`b2` is not a legal move") != std::string::npos);
    CHECK(book_problem("b2 z9 -> a1 1").starts_with("book:1: "));
    CHECK(book_problem("a1 a2 b1 b2 c1 -> c2 1") == "book:1: the game is over there");
}

TEST_CASE("a book of records has moves by the score of those who made them") {
    game::Game game = rules_of_tic_tac_toe();
    BookMaker maker(game);
    GameRecord record;
    record.players = {"a", "b"};
    for (const auto& [moves, utility] : {std::pair("a1 a2 b1 b2 c1", 1.0), std::pair("a1 b2 a2 a3 b1 c1", -1.0),
                                         std::pair("b2 a2 a1 b1 c3", 1.0), std::pair("a1 a2 b1 b2 c1", 1.0)}) {
        record.moves.clear();
        for (std::string_view rest = moves; !rest.empty(); rest.remove_prefix(std::min<std::size_t>(3, rest.size())))
            record.moves.emplace_back(rest.substr(0, 2));
        record.utilities = {utility, -utility};
        maker.add(game, record, 2);
    }
    CHECK(maker.text() == "# Tic-Tac-Toe\n-> a1 2; b2 1\na1 -> b2 1\n"); // a2 lost each time
    CHECK(maker.text(2) == "# Tic-Tac-Toe\n-> a1 2\n");
    CHECK(maker.text(9) == "# Tic-Tac-Toe\n");
    CHECK(good_book(game, maker.text()).positions() == 2);
}

TEST_CASE("a book that was made by asking has an answer to every move, and each position once") {
    game::Game game = rules_of_tic_tac_toe();
    BookMaker maker(game);
    const auto least = [](const game::State&, const game::MoveList&) { return std::vector<std::size_t>{0}; };
    REQUIRE(maker.explore(game, 3, least).has_value());
    CHECK(maker.positions() == 1 + 9 + 72);
    BookMaker deeper(game);
    REQUIRE(deeper.explore(game, 4, least).has_value());
    CHECK(deeper.positions() == 1 + 9 + 72 + 252);
    CHECK(BookMaker(game).explore(game, 2, refuse).error().text == "not after 9 moves");
}

TEST_CASE("a player makes the moves of its book, and thinks where the book ends") {
    game::Game game = rules_of_tic_tac_toe();
    const std::string file = (std::filesystem::temp_directory_path() / "zug_book_test.txt").string();
    std::ofstream(file) << "-> c2 1\n";
    const PlayerSpec spec = parse_player("alphabeta:depth=9,book=" + file).value();
    CHECK(unsuitable(spec, game).empty());
    const auto player = make_player(spec, game);
    player->new_game(1);
    game::MoveList moves;
    game::State state = game.initial();
    game.expand(state, moves);
    CHECK(game.move_text(state, moves, player->choose(state, moves, nullptr).value()) == "c2");
    CHECK(player->thoughts() == nullptr);
    state = game.play_line(state, "a1 b1").value();
    game.expand(state, moves);
    REQUIRE(player->choose(state, moves, nullptr).has_value());
    CHECK(player->thoughts() != nullptr);
    std::ofstream(file) << "-> c9 1\n";
    CHECK(unsuitable(spec, game).find("`c9` is not a legal move") != std::string::npos);
    std::filesystem::remove(file);
    CHECK_FALSE(unsuitable(spec, game).empty());
}
