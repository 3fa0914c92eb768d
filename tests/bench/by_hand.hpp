#pragma once
// Programs written by hand for one game each, as fast as possible: the limit against which `zug bench` measures games
// described by rule files. A program plays exactly the game of the rule file with its name, with the parameters that it
// lists and the file's values for the others; tests/by_hand checks that they agree.

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
    // The number of lines of `depth` plies from the start. perft counts the moves of the last ply without making them,
    // as game::perft does; perft_of_leaves makes every move.
    std::uint64_t (*perft)(int depth);
    std::uint64_t (*perft_of_leaves)(int depth);
    // The nodes that alpha-beta (alpha_beta.hpp) visits to `depth` plies from the start; null if there is none.
    std::uint64_t (*alpha_beta)(int depth) = nullptr;
};

std::span<const Program> programs();
// Null if there is none for this rule file.
const Program* find(std::string_view rules);

} // namespace zug::by_hand
