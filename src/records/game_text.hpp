#pragma once
// What readers of PGN and SGF have in common: locations in a text, and games that are made again move by move.

#include "match/record.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace zug::records {

// `3:14`: the line and the column of an offset, in characters of UTF-8, both from 1.
std::string location(std::string_view text, std::size_t offset);
// An error at an offset, as `3:14: why`.
tl::unexpected<Error> failure_at(std::string_view text, std::size_t offset, std::string_view why);

// The lines of ascending offsets of a text, which is looked at once.
class LineCount {
public:
    explicit LineCount(std::string_view text) : text_(text) {}
    std::size_t at(std::size_t offset);

private:
    std::string_view text_;
    std::size_t counted_ = 0, line_ = 1;
};

// Hands over the games of a text, each with the line that it begins in, until there are none left or `take` has had
// enough: those that `source` finds, by next(), as `reader` makes them again, by record_of().
template <class Source, class Reader>
void take_games(std::string_view text, Source& source, Reader& reader, const match::TakeRecord& take) {
    LineCount lines(text);
    while (auto read = source.next()) {
        const std::size_t line = *read ? lines.at((*read)->offset) : 0;
        const bool go_on = *read ? take(line, reader.record_of(**read)) : take(line, tl::unexpected(read->error()));
        if (!go_on) return;
    }
}

// A game of a record as it is made again.
class Replayed {
public:
    // `file`: of the rules, as the record is to name it.
    Replayed(game::Game& game, const std::string& file);

    // Instead of the initial position.
    void begin_from(game::State state);
    // The legal moves of the position as it stands. The error: there is none.
    tl::expected<const game::MoveList*, Error> moves();
    const game::State& state() const { return state_; }
    // Makes a move of moves().
    tl::expected<void, Error> make(std::size_t move);
    match::GameRecord& record() { return record_; }

    // How it ended: by the rules where the game is over, else as the record says, by who is said to have won; none:
    // nothing is said, or a draw.
    tl::expected<void, Error> end(std::optional<std::uint32_t> winner, std::string_view as_recorded);

private:
    game::Game& game_;
    game::State state_;
    game::MoveList moves_;
    match::GameRecord record_;
};

} // namespace zug::records
