#pragma once
// The forms in which games are kept in files: lines of JSON (match/record.hpp), which is for all games, and two that
// other programs read and write.

#include "match/record.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace zug::records {

enum class Format : std::uint8_t { Json, Pgn, Sgf };

// By the ending of a file's name: .pgn, .sgf, or any other.
Format format_of(std::string_view file);
// Why games of these rules can't be kept so; empty: they can.
std::string refusal(const game::Game& game, Format format);
// A game as the file is to hold it, with a line end.
tl::expected<std::string, Error> text_of(game::Game& game, const match::GameRecord& record, Format format);
// What the first game of a text says it is, as the tag Variant of PGN does; empty: nothing.
std::string title_in(std::string_view text, Format format);
// Calls `take` for each game of a text, with the number of its line and either the record or an error, until it returns
// false. Errors begin with where they are: `3: why` or `3:14: why`. `rules`: the file that records name; those of JSON
// have their own.
void read(game::Game& game, const std::string& rules, std::string_view text, Format format,
          const match::TakeRecord& take);

} // namespace zug::records
