#pragma once
// By what positions are evaluated: `eval=none`, `eval=rules` (the rule file's eval), `eval=FILE`.

#include "base/error.hpp"
#include "game/game.hpp"
#include "learn/net.hpp"

#include <tl/expected.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace zug::learn {

// Empty: as the game does by itself.
tl::expected<void, Error> use_evaluation(game::Game& game, const std::string& text);

// What stands beside the game's rule file, as NAME.zugnet or NAME.ANYTHING.zugnet, and was learned for these rules with
// these parameters, if there is one. An error: there is none, and a file can't be read.
tl::expected<std::optional<Net>, Error> net_beside(const game::Game& game, const std::filesystem::path& rule_file);

// Has the game offer (game::Game::offer) that evaluation.
tl::expected<void, Error> offer_evaluation(game::Game& game, const std::filesystem::path& rule_file);

} // namespace zug::learn
