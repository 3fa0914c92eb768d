#pragma once
// A* (Hart, Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost paths", 1968): always
// expands the position of which the best may still come; of equal ones that farthest from the root, then that of the
// greatest evaluation, then the newest. Positions are kept, so none is searched twice, unless a shorter way to it is
// found.
//
// The bound of a position counts as at least that of its parent (pathmax: Mero, "A heuristic search algorithm with
// modifiable estimate", 1984), and a position to which a shorter way is found is opened again; so bounds need to be
// admissible only, not consistent. Without bounds this is a breadth-first search.
//
// If all has been searched and no end is worth 0 or more, play that goes round and never ends may be, which is worth 0:
// a depth-first search of the positions that were kept looks for a cycle.
//
// Memory: Options::memory at most. When it is full the search ends with the best line so far.

#include "search/one_player/node_store.hpp"
#include "search/one_player/one_player.hpp"

#include <vector>

namespace zug::search {

class AStar final : public OnePlayer {
public:
    AStar(game::Game& game, const Options& options);
    void forget() override {}

protected:
    void search(const Rank& best_possible) override;

private:
    using Id = NodeStore::Id;

    // A position that waits to be expanded, by a way of so many plies.
    struct Open {
        Rank rank;
        double opinion = 0;
        std::uint32_t plies = 0;
        Id id = NodeStore::no_id;
        static bool comes_later(const Open& a, const Open& b) {
            if (a.rank != b.rank) return better(b.rank, a.rank);
            if (a.plies != b.plies) return a.plies < b.plies;
            return a.opinion != b.opinion ? a.opinion < b.opinion : a.id < b.id;
        }
    };
    void push(const Open& open);
    Open pop();
    bool expand(const Open& open);
    bool child(const Open& parent, game::Next at);
    bool reach(const Open& parent, NodeStore::Found node);
    void load(Id id);
    // The moves from the root to the node, and then this one.
    std::vector<std::uint64_t> way_to(Id id, std::uint64_t last_move);
    std::uint64_t move_between(Id from, Id to);
    struct Step {
        Id id;
        std::vector<std::pair<std::uint64_t, Id>> children; // moves, and the kept positions that they lead to
        std::size_t next = 0;
    };
    bool list_children(Step& step);
    void look_for_cycle();

    NodeStore nodes_;
    std::vector<Open> open_; // a heap
    std::size_t most_open_ = 0;
    game::State scratch_;
    std::uint64_t expanded_ = 0, reopened_ = 0;
};

} // namespace zug::search
