// Tic-tac-toe: one word of nine bits per player, and a table of the 512 sets that contain a line.

#include "tests/bench/bits.hpp"
#include "tests/bench/perft.hpp"
#include "tests/bench/programs.hpp"

#include <array>

namespace zug::by_hand {
namespace {

constexpr Set board = 0777;
constexpr std::uint32_t cells = 9;

constexpr bool contains_line(Set set) {
    constexpr std::array<Set, 8> lines = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    for (const Set line : lines)
        if ((set & line) == line) return true;
    return false;
}

constexpr auto lined = [] {
    std::array<bool, board + 1> table{};
    for (Set set = 0; set <= board; ++set) table[set] = contains_line(set);
    return table;
}();

struct Toe {
    Set mine = 0, theirs = 0; // of the player to move, and of the one who has just moved

    Set moves() const { return lined[theirs] ? 0 : board & ~(mine | theirs); }
    std::uint64_t move_count() const { return count(moves()); }
    template <class F>
    void each_next(F&& f) const {
        each(moves(), [&](Set cell) { f(Toe{theirs, mine | cell}); });
    }
};

// A line takes three marks of one player, so it is looked for from the fifth ply on.
template <std::uint32_t ply>
Playout play(Set mine, Set theirs, Random& random) {
    if constexpr (ply == cells) {
        return {cells, 0};
    } else {
        const Set empty = board & ~(mine | theirs);
        const Set marked = mine | (ply + 1 == cells ? empty : nth(empty, random.below(cells - ply)));
        if (ply >= 4 && lined[marked]) return {ply + 1, ply % 2 == 0 ? 1 : -1};
        return play<ply + 1>(theirs, marked, random);
    }
}

Playout play_tic_tac_toe(Random& random) {
    Random own = random; // a local copy stays in registers
    const Playout played = play<0>(0, 0, own);
    random = own;
    return played;
}

} // namespace

const Program tic_tac_toe{"tic-tac-toe", {}, play_tic_tac_toe, perft<Toe>, perft_of_leaves<Toe>};

} // namespace zug::by_hand
