#pragma once
// The players of the game, and who of them play together. Internal to src/lang.

#include "lang/core/part.hpp"

#include <optional>

namespace zug::lang {

class Symbols;
class Constants;

class Players : CheckerPart {
public:
    Players(Context& context, Symbols& symbols, Constants& constants)
        : CheckerPart(context), symbols_(symbols), constants_(constants) {}

    static constexpr std::uint64_t max_players = 16;

    // Sets the players, the player type and the teams of the program, on first use.
    void resolve_players();

private:
    void find_players();
    void find_teams();
    // The player whom a list of teams names; nothing if they don't take part, or an error has been reported.
    std::optional<std::uint32_t> member(NodeId name);

    Symbols& symbols_;
    Constants& constants_;
    bool done_ = false;
};

} // namespace zug::lang
