#pragma once
// Alpha-beta without evaluation, transposition table or move ordering, for two-player zero-sum games: a search in which
// only the game itself costs time. Counts nodes as src/search does: every position that is entered.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>

namespace zug::by_hand {

// For the player to move: 1 won, 0 drawn, -1 lost. after_each calls a function with the position after each move until
// it returns true.
template <class P>
concept ZeroSum = requires(const P position) {
    { position.outcome() } -> std::same_as<std::optional<int>>;
    position.after_each([](const P&) { return true; });
};

template <ZeroSum P>
class AlphaBeta {
public:
    std::uint64_t nodes = 0;

    // The value of a search to `depth` plies; a game that goes on after them counts as drawn.
    int value(const P& position, int depth, int alpha = -1, int beta = 1) {
        ++nodes;
        if (const auto outcome = position.outcome()) return *outcome;
        if (depth == 0) return 0;
        int best = -1;
        position.after_each([&](const P& next) {
            best = std::max(best, -value(next, depth - 1, -beta, -std::max(alpha, best)));
            return best >= beta;
        });
        return best;
    }
};

} // namespace zug::by_hand
