#pragma once
// By what positions are evaluated: `eval=none`, `eval=rules` (the rule file's eval), `eval=FILE`.

#include "base/error.hpp"
#include "game/game.hpp"

#include <tl/expected.hpp>

#include <filesystem>
#include <string>

namespace zug::learn {

// Empty: as the game does by itself.
tl::expected<void, Error> use_evaluation(game::Game& game, const std::string& text);

// Has the game offer (game::Game::offer) the evaluation that stands beside its rule file, as NAME.zugnet or
// NAME.ANYTHING.zugnet, if there is one that was learned for these rules with these parameters. An error: there is
// none, and a file can't be read.
tl::expected<void, Error> offer_evaluation(game::Game& game, const std::filesystem::path& rule_file);

} // namespace zug::learn
