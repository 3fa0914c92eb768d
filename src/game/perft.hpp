#pragma once
// Counting the lines of play of a given length: a check of rules against published counts, and a measure of speed.
// Chance outcomes count as plies like moves; a line that ends early counts at no depth beyond its end.
//
// A count keeps one move list and one state a ply, whatever the number of lines.

#include "game/game.hpp"

#include <functional>

namespace zug::game {

// Asked at every node above the last two plies, by one thread at a time; true ends the count.
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

// The same on several threads, with the same results: on this one with the game itself, on the others with clones of
// it, which are kept from count to count.
class ParallelPerft {
public:
    ParallelPerft(Game& game, std::uint32_t threads);

    tl::expected<std::uint64_t, Error> count(const State& state, int depth, const Stop& stop = {});
    tl::expected<std::vector<Divided>, Error> divide(const State& state, int depth, const Stop& stop = {});

private:
    // After how many plies a count is shared out; 0: not worth it.
    tl::expected<int, Error> shared_plies(const State& state, int depth, const Stop& stop);

    Game& game_;
    std::vector<Game> clones_;
};

inline constexpr std::string_view stopped = "stopped";

} // namespace zug::game
