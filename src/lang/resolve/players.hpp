#pragma once
// The players of the game. Internal to src/lang.

#include "lang/core/part.hpp"

namespace zug::lang {

class Symbols;
class Constants;

class Players : CheckerPart {
public:
    Players(Context& context, Symbols& symbols, Constants& constants)
        : CheckerPart(context), symbols_(symbols), constants_(constants) {}

    static constexpr std::uint64_t max_players = 16;

    // Sets the players and the player type of the program, on first use.
    void resolve_players();

private:
    Symbols& symbols_;
    Constants& constants_;
    bool done_ = false;
};

} // namespace zug::lang
