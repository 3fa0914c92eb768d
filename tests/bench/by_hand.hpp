#pragma once
// Programs written by hand for one game each, as fast as they can be made: the limit that described games are measured
// against by `zug bench`. A program plays exactly the game of the rule file whose name it bears, with the parameters
// that it gives and the others as they are in the file; tests/by_hand holds the two together.

#include "base/random.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace zug::by_hand {

// A game played to its end by moves drawn uniformly from the legal ones.
struct Playout {
    std::uint32_t plies = 0;
    int payoff = 0; // of the player who began
};

struct Parameter {
    std::string_view name, value;
};

struct Program {
    std::string_view rules; // the rule file, without its folder and `.zug`
    std::span<const Parameter> parameters;
    Playout (*playout)(Random& random);
    // The number of lines of so many plies from the start: the last ply only counted, as game::perft does; and with
    // every move made.
    std::uint64_t (*perft)(int depth);
    std::uint64_t (*perft_of_leaves)(int depth);
    // The nodes that alpha-beta visits to so many plies from the start: see alpha_beta.hpp. Null: left out.
    std::uint64_t (*alpha_beta)(int depth) = nullptr;
};

std::span<const Program> programs();
// Null if there is none for this rule file.
const Program* find(std::string_view rules);

} // namespace zug::by_hand
