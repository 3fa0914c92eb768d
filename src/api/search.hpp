#pragma once
// Searches: which move, what it is worth, what comes after it.

#include "api/game.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace zug::api {

struct SearchLimits { // 0: not limited; all 0: those of the player's text
    int depth = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;
    std::size_t lines = 1; // how many moves to compare
    const std::atomic<bool>* stop = nullptr;
};

// Best play from a position, as far as it was found out.
struct SearchLine {
    std::vector<std::string> moves;
    std::vector<double> value; // by player
    int depth = 0;
    bool proven = false;
};

struct SearchResult {
    std::optional<std::size_t> move; // its number in the position; empty: the game is over
    std::vector<SearchLine> lines;   // the best first; empty where the player does not search
    std::uint64_t nodes = 0;
    double seconds = 0;
};

// A player of one game, by the texts that `zug help players` lists: "alphabeta:depth=6", "uct:nodes=10000", "random",
// "solved:DIR". Without any limit it thinks for a second on all processors. It keeps what it has found out from search
// to search, as transposition tables do.
class Player {
public:
    // An error: the text is wrong, or the method does not suit the game.
    static tl::expected<Player, Error> make(const Game& game, std::string_view text, std::uint64_t seed = 1);
    Player(Player&&) noexcept;
    Player& operator=(Player&&) noexcept;
    ~Player();

    // Forgets what it knows; random choices then depend on the seed only.
    void forget(std::uint64_t seed);
    // Returns soon after `stop` is set, with the best move so far. An error: chance has the move, or a rule failed.
    tl::expected<SearchResult, Error> search(const State& state, const SearchLimits& limits = {});

private:
    struct Thinking;
    explicit Player(std::unique_ptr<Thinking> thinking);
    std::unique_ptr<Thinking> thinking_;
};

} // namespace zug::api
