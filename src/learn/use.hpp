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

// Has the game offer (game::Game::offer) the evaluation of a rule file that stands beside it, NAME.zugnet, if there is
// one and it was learned for these rules with these parameters. An error: it can't be read.
tl::expected<void, Error> offer_evaluation(game::Game& game, const std::filesystem::path& rule_file);

} // namespace zug::learn
