#pragma once
// Makes opening books (book.hpp): of recorded games, or by asking for the best moves of all positions of the first
// plies.

#include "match/record.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace zug::match {

// Collects lines and moves, and writes them: short lines first, then in the order of the alphabet; the moves of a line
// by weight. Each position has the line by which it was reached first.
class BookMaker {
public:
    explicit BookMaker(const game::Game& game);

    // Takes in the first plies of a game that has been replayed without an error: a move counts by its player's
    // utility as a share of the range of utilities, so that lost games count nothing.
    void add(game::Game& game, const GameRecord& record, std::uint32_t plies);
    // Moves that were made at least so often.
    std::string text(std::uint64_t least = 1) const;
    std::size_t positions() const { return entries_.size(); }

    // The moves of a position, as indices in the list. Empty: the book says nothing of it.
    using Choose =
        std::function<tl::expected<std::vector<std::size_t>, Error>(const game::State&, const game::MoveList&)>;
    // Asks for all positions of the first plies, whatever the players do, and gives each move the weight 1. Errors: of
    // `choose`; more than most_positions positions; a rule that fails.
    static constexpr std::size_t most_positions = 100'000;
    tl::expected<void, Error> explore(game::Game& game, std::uint32_t plies, const Choose& choose);

private:
    struct Move {
        double weight = 0;
        std::uint64_t games = 0;
    };
    struct Entry {
        std::vector<std::string> line;
        std::map<std::string, Move> moves;
    };
    struct Open { // a position to look at, and the line to it
        game::State state;
        std::vector<std::string> line;
    };
    Entry& entry(game::Game& game, const game::State& state, std::span<const std::string> line);
    // Asks for one position, whose moves are returned.
    tl::expected<game::MoveList, Error> ask(game::Game& game, const Open& open, const Choose& choose);

    std::string title_;
    double lowest_, range_;
    std::unordered_map<std::string, Entry> entries_; // by the text of the position
};

} // namespace zug::match
