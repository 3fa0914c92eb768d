// The chess program in positions of all kinds: published counts, and along random games against the described game.

#include "game/perft.hpp"
#include "tests/bench/chess_position.hpp"
#include "tests/bench/perft.hpp"
#include "tests/data/facts.hpp"

#include <doctest/doctest.h>

#include <cctype>
#include <sstream>
#include <string>

namespace zug::by_hand {

namespace {

Set square(const std::string& name) { return Set{1} << ((name[0] - 'a') + 8 * (name[1] - '1')); }

void put(Men& men, char letter, Set at) {
    if (letter == 'k') men.king = at;
    if (letter == 'p') men.kinds[pawns] |= at;
    if (letter == 'n') men.kinds[knights] |= at;
    if (letter == 'b' || letter == 'q') men.kinds[diagonal] |= at;
    if (letter == 'r' || letter == 'q') men.kinds[straight] |= at;
    men.all |= at;
}

template <bool white>
Chess<white> read(const std::string& fen) {
    std::istringstream fields(fen);
    std::string board, turn, castling, skipped;
    Chess<white> position;
    fields >> board >> turn >> castling >> skipped >> position.quiet;
    Men sides[2] = {};
    int x = 0, y = 7;
    for (const char sign : board) {
        if (sign == '/') {
            x = 0;
            --y;
        } else if (std::isdigit(sign) != 0) {
            x += sign - '0';
        } else {
            put(sides[std::isupper(sign) != 0], static_cast<char>(std::tolower(sign)), Set{1} << (x++ + 8 * y));
        }
    }
    position.mine = sides[white];
    position.theirs = sides[!white];
    position.rooks = 0;
    for (const char sign : castling)
        position.rooks |= sign == 'K'   ? square("h1")
                          : sign == 'Q' ? square("a1")
                          : sign == 'k' ? square("h8")
                          : sign == 'q' ? square("a8")
                                        : 0;
    position.skipped = skipped == "-" ? 0 : square(skipped);
    return position;
}

bool white_moves(const std::string& fen) { return fen.find(" w") != std::string::npos; }

std::uint64_t count_lines(const std::string& fen, int depth) {
    return white_moves(fen) ? perft_from(read<true>(fen), depth) : perft_from(read<false>(fen), depth);
}
std::uint64_t count_leaves(const std::string& fen, int depth) {
    return white_moves(fen) ? perft_of_leaves_from(read<true>(fen), depth)
                            : perft_of_leaves_from(read<false>(fen), depth);
}

} // namespace

TEST_CASE("chess: perft from positions agrees with published counts") {
    int rows = 0;
    for (const data::Row& row : data::read_tables("perft")) {
        const std::string& fen = row.at("position");
        if (row.at("file") != "chess.zug" || fen == "start") continue;
        const std::string what = data::describe(row);
        CAPTURE(what);
        const int depth = std::stoi(row.at("depth"));
        CHECK(count_lines(fen, depth) == std::stoull(row.at("nodes")));
        CHECK(count_leaves(fen, depth) == std::stoull(row.at("nodes")));
        ++rows;
    }
    CHECK(rows > 10);
}

TEST_CASE("chess: as many moves as the described game along random games") {
    game::Game game = data::load({{"file", "chess.zug"}, {"params", "repetition=false insufficient=false"}});
    Random random(5);
    game::MoveList moves;
    game::State state = game.initial(), next;
    for (int ply = 0; ply < 3000; ++ply) {
        const std::string fen = game.position_text(state);
        CAPTURE(fen);
        const bool over = game.expand(state, moves) == game::NodeKind::Terminal;
        REQUIRE(count_lines(fen, 1) == moves.size());
        if (!over && ply % 16 == 0) REQUIRE(game::perft(game, state, 2) == count_lines(fen, 2));
        if (over) {
            state = game.initial();
            continue;
        }
        game.expand(state, moves);
        REQUIRE(game.successor(state, moves, random.below(static_cast<std::uint32_t>(moves.size())), next));
        std::swap(state, next);
    }
}

} // namespace zug::by_hand
