#pragma once
// Counting the lines of play of a given length: a check of rules against published counts, and a measure of speed.
// Chance outcomes count as plies like moves; a line that ends early counts at no depth beyond its end.

#include "game/game.hpp"

#include <functional>

namespace zug::game {

// Asked at every node above the last two plies; true ends the count.
using Stop = std::function<bool()>;

// The number of lines of `depth` plies. The last ply is only counted, not played. An error is a rule's fault, or
// `stopped`.
tl::expected<std::uint64_t, Error> perft(Game& game, const State& state, int depth, const Stop& stop = {});

struct Divided {
    std::string move;
    std::uint64_t nodes = 0;
};
// The same by first move, in the order of the list; depth at least 1.
tl::expected<std::vector<Divided>, Error> divide(Game& game, const State& state, int depth, const Stop& stop = {});

inline constexpr std::string_view stopped = "stopped";

} // namespace zug::game
