#pragma once
// A game in a file of its own, in the form that the ending of the file's name says (records/formats.hpp).

#include "match/record.hpp"

#include <tl/expected.hpp>

#include <string>

namespace zug::cli {

// Whether a game can be saved in the file, to know it before it is played. Empty: it will not be.
tl::expected<void, Error> check_save(game::Game& game, const std::string& rules, const std::string& file);
// Replaces an earlier game in the file, and nothing else that the file may hold. After an error it is as it was.
tl::expected<void, Error> save_game(game::Game& game, const std::string& file, const match::GameRecord& record);
// The last game of a file of records. `rules`: the game's rule file.
tl::expected<match::GameRecord, Error> saved_game(game::Game& game, const std::string& rules, const std::string& file);

} // namespace zug::cli
