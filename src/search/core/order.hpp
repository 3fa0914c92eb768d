#pragma once
// Move ordering. Alpha-beta prunes most if good moves come first; the order never changes a value.
//
// Table move; killers (moves that cut at the same ply: Akl and Newborn, "The principal continuation and the killer
// heuristic", 1977); history (how often, and how deep, a move has cut anywhere: Schaeffer, "The history heuristic and
// alpha-beta search enhancements in practice", 1989; the bonus is the square of the depth); at last the move id.
// Cost: one pass to find the first move; the rest is sorted only if the first doesn't cut.

#include "search/core/frame.hpp"
#include "search/core/kind_table.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace zug::search {

// By id alone.
void rank_by_id(Frame& frame, const game::MoveList& moves);

class MoveOrder {
public:
    explicit MoveOrder(std::uint32_t players);

    // Fills frame.order. With `kinds`, of which frame.kinds has a slot for each move: loud moves that gain on the
    // average come after the table move, those that lose at the end.
    void rank(Frame& frame, const game::MoveList& moves, std::uint32_t mover, std::optional<std::uint64_t> table_move,
              const KindTable* kinds = nullptr) const;
    // The i-th move to try, for i = 0, 1, ... in turn.
    static const Ranked& pick(Frame& frame, std::size_t i);
    // The move that pick() gave for i > 0 is tried after all that were not deferred.
    static void defer(Frame& frame, std::size_t i);
    // How many moves came before the i-th when none was deferred.
    static std::size_t number(const Frame& frame, std::size_t i) {
        return frame.order[i].deferred != 0 ? frame.order[i].deferred : i + frame.deferred;
    }
    // Records that the move caused a cutoff.
    void reward(Frame& frame, std::uint32_t mover, std::uint64_t move, int remaining);

    void age(); // before another pass: cutoffs of earlier passes then count less
    void forget();

private:
    std::size_t slot(std::uint32_t mover, std::uint64_t move) const;
    std::vector<std::uint32_t> history_;
};

} // namespace zug::search
