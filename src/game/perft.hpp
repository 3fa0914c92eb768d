#pragma once
// Perft: the number of lines of play of a given length, to check rules against published counts and to measure speed.
// Chance outcomes count as plies like moves; a line that ends early counts at no depth beyond its end.
//
// Memory: one move list and one state per ply, whatever the number of lines.

#include "game/game.hpp"

#include <functional>

namespace zug::game {

// Called at every node above the last two plies, by one thread at a time; returning true ends the count.
using Stop = std::function<bool()>;

// The number of lines of `depth` plies. Moves of the last ply are counted, not made. The error is the fault of a rule,
// or `stopped`.
tl::expected<std::uint64_t, Error> perft(Game& game, const State& state, int depth, const Stop& stop = {});

struct Divided {
    std::string move;
    std::uint64_t nodes = 0;
};
// The same for each first move, in the order of the move list; depth is at least 1.
tl::expected<std::vector<Divided>, Error> divide(Game& game, const State& state, int depth, const Stop& stop = {});

// Perft on several threads, with the same results. The calling thread uses the game itself, the others use clones,
// which are kept between calls.
class ParallelPerft {
public:
    ParallelPerft(Game& game, std::uint32_t threads);

    tl::expected<std::uint64_t, Error> count(const State& state, int depth, const Stop& stop = {});
    tl::expected<std::vector<Divided>, Error> divide(const State& state, int depth, const Stop& stop = {});

private:
    // The number of plies after which the work is split between threads; 0: splitting is not worth it.
    tl::expected<int, Error> shared_plies(const State& state, int depth, const Stop& stop);

    Game& game_;
    std::vector<Game> clones_;
};

inline constexpr std::string_view stopped = "stopped";

} // namespace zug::game
