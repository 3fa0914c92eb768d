#pragma once
// An opening book: moves that need no search, as a text that people can edit.
//
//   # Chess
//   -> e2e4 5; d2d4 4
//   e2e4 e7e5 -> g1f3 12; f1c4 3
//
// Before the arrow stands a line of moves (and chance events) from the start of the game, after it what may be played
// there, each move with its weight: the chance that it is played, relative to the others. Lines that lead to the same
// position add to each other. `#` begins a comment line.

#include "base/random.hpp"
#include "game/game.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace zug::match {

class Book {
public:
    Book();
    Book(Book&&) noexcept;
    Book& operator=(Book&&) noexcept;
    ~Book();
    // The error names the line. `name` is what it calls the book.
    static tl::expected<Book, Error> parse(game::Game& game, std::string_view text, std::string_view name);
    static tl::expected<Book, Error> read(game::Game& game, const std::string& file);

    // The index of a move of the book, drawn by weight; none: the book has none for the position. `moves`: its list.
    std::optional<std::size_t> choose(game::Game& game, const game::State& state, const game::MoveList& moves,
                                      Random& random) const;
    std::size_t positions() const { return replies_.size(); }

private:
    struct Reply {
        std::uint64_t id;
        double weight;
    };
    tl::expected<void, Error> add_line(game::Game& game, std::string_view line);
    tl::expected<void, Error> add_reply(game::Game& game, const game::State& state, const game::MoveList& moves,
                                        std::string_view text);

    std::unordered_map<std::string, std::vector<Reply>> replies_; // by the text of the position, which has no past
};

} // namespace zug::match
