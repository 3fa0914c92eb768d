#pragma once
// Counts lines of play, for any game whose positions have move_count() (0 once the game is over) and each_next(), which
// calls a function with the position after each move. A default-constructed position is the start.

#include <concepts>
#include <cstdint>

namespace zug::by_hand {

struct AnyVisitor {
    void operator()(const auto&) const {}
};

template <class P>
concept Position = requires(const P position) {
    { position.move_count() } -> std::convertible_to<std::uint64_t>;
    position.each_next(AnyVisitor{});
};

template <Position P>
std::uint64_t perft_from(const P& position, int depth) {
    if (depth <= 1) return depth == 0 ? 1 : position.move_count();
    std::uint64_t total = 0;
    position.each_next([&](const auto& next) { total += perft_from(next, depth - 1); });
    return total;
}

template <Position P>
std::uint64_t perft_of_leaves_from(const P& position, int depth) {
    if (depth == 0) return 1;
    std::uint64_t total = 0;
    position.each_next([&](const auto& next) { total += perft_of_leaves_from(next, depth - 1); });
    return total;
}

template <Position P>
std::uint64_t perft(int depth) {
    return perft_from(P{}, depth);
}

template <Position P>
std::uint64_t perft_of_leaves(int depth) {
    return perft_of_leaves_from(P{}, depth);
}

} // namespace zug::by_hand
