#pragma once
// A comparison of speed: who plays random games and counts lines of play, and how fast. Other programs on the machine
// take turns with this one, so the contestants take theirs in short slices, and what is compared was measured in about
// the same seconds.

#include "cli/options.hpp"
#include "tests/bench/by_hand.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace zug::cli {

// Random games, all of them or those of a slice.
struct Played {
    std::uint64_t plies = 0;          // moves and chance events made
    std::uint64_t finished = 0;       // games, and
    std::uint64_t finished_plies = 0; // their length in all
    std::uint64_t unfinished = 0;     // of the finished: games that were too long and cut
    double seconds = 0;

    Played& operator+=(const Played& other);
    double mean_plies() const { return static_cast<double>(finished_plies) / static_cast<double>(finished); }
};

// A game longer than this is cut; it counts as one.
inline constexpr std::uint32_t longest_playout = 10'000;

// Plays random games, one by one, as a thread of its own does.
class Runner {
public:
    virtual ~Runner() = default;
    // So many plies, about; a game may be left standing and is continued next time. False: a rule failed.
    virtual bool play(std::uint64_t plies, Played& played) = 0;
};

// Counting the nodes of a tree to some depth, over and over.
struct Count {
    std::function<tl::expected<std::uint64_t, Error>(int depth)> nodes_to{}; // empty: takes no part in this
    int depth = 0;                                                           // 0: none could be counted
    std::uint64_t nodes = 0;
    double seconds = 0;

    double nodes_per_second() const { return seconds > 0 ? static_cast<double>(nodes) / seconds : 0; }
};

struct Contestant {
    std::string name;
    std::vector<std::unique_ptr<Runner>> runners; // one a thread
    Count perft{};
    Count alpha_beta{}; // without evaluation, table and order
    std::function<std::string()> fault_text{};
    bool slow = false; // counts to a smaller depth than the others

    Played played{};
    std::string fault{}; // and no figures

    // None before the first slice is over, as after Ctrl-C.
    double states_per_second() const {
        return played.seconds > 0 ? static_cast<double>(played.plies) / played.seconds : 0;
    }
};

// The game may move into the contestant's runners, so it is the caller's no longer.
Contestant described(OpenGame open, std::uint64_t seed, std::uint32_t threads);
// So that it takes part in alpha-beta, too: by the executor that the options name.
void add_alpha_beta(Contestant& contestant, const ir::Program& rules, const GameOptions& options);
Contestant written_by_hand(const by_hand::Program& program, std::uint64_t seed, std::uint32_t threads);

// Measures all of them, each for so many seconds of random games and half as many of counting. Ends early where a
// rule fails and on Ctrl-C.
void compare(std::vector<Contestant>& contestants, double seconds);

// Games a second, from the states a second and the mean length of a game. Who is too slow to finish many has its length
// from the one that has finished most: they play the same game.
double playouts_per_second(const Contestant& contestant, const std::vector<Contestant>& all);

} // namespace zug::cli
