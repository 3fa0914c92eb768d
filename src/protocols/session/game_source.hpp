#pragma once
// Where the games come from that a protocol names.

#include "base/error.hpp"
#include "game/game.hpp"
#include "lang/load.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace zug::protocols {

struct GameSource {
    // The path of the rule file that a text names. The error is for the user.
    std::function<tl::expected<std::string, Error>(const std::string& text)> find;
    std::vector<std::string> library; // the paths of the rule files that come with the program
    lang::Folders folders;            // see lang::load_file
    game::ExecutorKind executor = game::ExecutorKind::Fastest;
    std::string version;                            // of the program
    std::uint64_t memory = std::uint64_t{1} << 40U; // bytes that a player's tables may take
};

struct OpenedGame {
    game::Game game; // offers the evaluation that was learned for it
    std::string file;
    lang::Overrides parameters; // those that were given
};

// The error holds the diagnostics as text.
tl::expected<OpenedGame, Error> open_file(const GameSource& source, const std::string& name,
                                          const lang::Overrides& parameters);
// The rules themselves. Files that they extend or import are those of the source's folders.
tl::expected<OpenedGame, Error> open_text(const GameSource& source, const std::string& rules,
                                          const lang::Overrides& parameters);

// The names of the games of the library that are variants of each other: those that extend the same file, directly or
// through others, and that file; sorted. Of a file that no other one extends, itself. Cost: reads the library.
std::vector<std::string> variants_of(const GameSource& source, const std::string& file);

} // namespace zug::protocols
