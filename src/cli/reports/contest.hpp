#pragma once
// Compares the speeds at which contestants play random games and count lines of play. Since other programs compete for
// the processor, contestants take turns in short slices, so that all are measured at about the same time.

#include "cli/options.hpp"
#include "tests/bench/by_hand.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace zug::cli {

// Figures of random games: of all, or of a slice.
struct Played {
    std::uint64_t plies = 0;          // moves and chance events made
    std::uint64_t finished = 0;       // games
    std::uint64_t finished_plies = 0; // the total length of these
    std::uint64_t unfinished = 0;     // finished games that were cut because of their length
    double seconds = 0;

    Played& operator+=(const Played& other);
    double mean_plies() const { return static_cast<double>(finished_plies) / static_cast<double>(finished); }
};

// A longer game is cut and counts as finished. In plies.
inline constexpr std::uint32_t longest_playout = 10'000;

// Plays random games one by one, on one thread.
class Runner {
public:
    virtual ~Runner() = default;
    // Plays about so many plies; an unfinished game is continued in the next call. False: a rule failed.
    virtual bool play(std::uint64_t plies, Played& played) = 0;
};

// Counts of the nodes of a tree to some depth, repeated.
struct Count {
    std::function<tl::expected<std::uint64_t, Error>(int depth)> nodes_to{}; // empty: not measured
    int depth = 0;                                                           // 0: no count was completed
    std::uint64_t nodes = 0;
    double seconds = 0;

    double nodes_per_second() const { return seconds > 0 ? static_cast<double>(nodes) / seconds : 0; }
};

struct Contestant {
    std::string name;
    std::vector<std::unique_ptr<Runner>> runners; // one a thread
    Count perft{};
    Count alpha_beta{}; // without evaluation, table and move order
    std::function<std::string()> fault_text{};
    bool slow = false; // counts to a smaller depth than the others

    Played played{};
    std::string fault{}; // if not empty, the figures are meaningless

    // 0 before the first slice is complete, as after Ctrl-C.
    double states_per_second() const {
        return played.seconds > 0 ? static_cast<double>(played.plies) / played.seconds : 0;
    }
};

// A contestant that plays by a rule file. Takes ownership of the game.
Contestant described(OpenGame open, std::uint64_t seed, std::uint32_t threads);
// Lets the contestant take part in alpha-beta, with the executor that the options name.
void add_alpha_beta(Contestant& contestant, const ir::Program& rules, const GameOptions& options);
Contestant written_by_hand(const by_hand::Program& program, std::uint64_t seed, std::uint32_t threads);

// Measures all contestants, each for so many seconds of random games and half as many of each kind of counting. One
// that fails is left out of what follows. Ends early at Ctrl-C.
void compare(std::vector<Contestant>& contestants, double seconds);

// Games per second, from the states per second and the mean length of a game. For a contestant too slow to finish many
// games, the length is that of the contestant that has finished most: they play the same game.
double playouts_per_second(const Contestant& contestant, const std::vector<Contestant>& all);

} // namespace zug::cli
