#pragma once
// Records of games as what a learner takes (learn/record_study.hpp).

#include "base/error.hpp"
#include "learn/recorded_game.hpp"
#include "match/record.hpp"

#include <tl/expected.hpp>

#include <filesystem>
#include <functional>
#include <vector>

namespace zug::match {

// The games of a file of records. They are replayed by the rules: the error tells the line with the first that does not
// obey them, is of another game, or says nothing of what a position is worth. `progress` is told the number of games,
// and stops by false.
tl::expected<std::vector<learn::RecordedGame>, Error>
read_learnable(const std::filesystem::path& file, game::Game& game,
               const std::function<bool(std::size_t)>& progress = nullptr);

} // namespace zug::match
