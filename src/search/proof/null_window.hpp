#pragma once
// Depth-first proofs: decides whether the first player can force a utility of at least some bound, by alpha-beta with a
// null window to the ends of the game. For games of two players or teams, without chance, whose utilities always add up
// to zero and are written in the rules.
//
// It goes as deep as random games last and, where that leaves the question open, twice as deep, and so on, to
// max_depth plies. What lies beyond is open, not worth anything, so a verdict is a proof in games with cycles, too:
// but these are the domain of proof-number search.
//
// All successors of a position are made before one of them is searched: one that ends the game well, or that the table
// knows, may decide ("enhanced transposition cutoffs": J. Schaeffer, A. Plaat, New Advances in Alpha-Beta Searching,
// 1996). The table's move comes first. Where a large search is expected, the others follow by the game's evaluation or,
// if it has none, by the share of random games after them that answer the question as the mover wants (B. Abramson,
// Expected-Outcome: A General Model of Static Evaluation, 1990), which takes no more time than a part of that search;
// else by a history that rewards moves by the number of those tried before them in vain, and lowers these (J. Tromp,
// Solving Connect-4 on Medium Board Sizes, 2008). It begins with the results of random games (change_history.hpp).
// After a move is refuted, the move that refuted it is tried next. Of the won positions of Connect Four in
// tests/strength/kept.py, by the file's eval, a proof takes half the time that it takes by random games; by n-tuples,
// two thirds.
//
// Positions that are alike by the form of the rules, as mirror images are, share an entry of the large table.
//
// Threads search the same root with one table; each postpones positions that another one is searching (D. Breuker,
// Memory versus Search in Games, 1998, on ABDADA; T. Kerrigan, Simplified ABDADA, 2017).

#include "game/selfplay/shape.hpp"
#include "game/symmetry/canonical_hash.hpp"
#include "search/core/limits.hpp"
#include "search/proof/bounds_table.hpp"
#include "search/proof/question.hpp"

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace zug::search {

class NullWindowWorker;

// The positions that threads are searching, as far as slots go round: a hint, which may be wrong.
class BusyPositions {
public:
    void enter(std::uint64_t key) { slot(key).store(key, std::memory_order_relaxed); }
    void leave(std::uint64_t key) {
        if (has(key)) slot(key).store(0, std::memory_order_relaxed);
    }
    bool has(std::uint64_t key) { return slot(key).load(std::memory_order_relaxed) == key; }

private:
    std::atomic<std::uint64_t>& slot(std::uint64_t key) { return keys_[key % keys_.size()]; }
    std::array<std::atomic<std::uint64_t>, 4096> keys_{};
};

class NullWindowSearch {
public:
    // The game must outlive it; it must have at most most_utilities of them. A table of so many bytes.
    NullWindowSearch(game::Game& game, std::size_t table_bytes, std::uint32_t threads);
    ~NullWindowSearch();
    static constexpr std::size_t most_utilities = UINT8_MAX;

    // Before questions about another position of the game: keeps what the table knows.
    void new_root();
    // What to ask first: whether the first player can force more than this. So that a
    // won position takes one question, this is about a win of whoever is to move if there are at most three utilities;
    // else the mean of some random games.
    double guess(const game::State& root, const std::atomic<bool>* stop);
    // Results stay in the table for further questions, which must be about the first player. Of the limits, `depth` and
    // `trace` are ignored; a turn is for one thread. `tick` is called about twice a second.
    Verdict ask(const game::State& root, const Question& question, const Limits& limits,
                const std::function<void()>& tick = {});
    // Of the last question; while it is asked, as of the last tick of each thread.
    std::uint64_t nodes() const;
    double seconds() const;
    const std::string& failure() const { return failure_; }
    // The move with which the root's player decided the last question as they wished; empty: they did not, or the root
    // ends the game.
    std::optional<std::uint64_t> move() const { return move_; }

private:
    const game::Shape& shape(const game::State& root, const std::atomic<bool>* stop);

    game::Game& game_;
    game::CanonicalHash canonical_;
    BoundsTable table_;
    BusyPositions busy_;
    std::deque<game::Game> clones_;
    std::vector<std::unique_ptr<NullWindowWorker>> workers_;
    std::optional<game::Shape> shape_; // of random games from the root
    std::optional<std::uint64_t> move_;
    std::string failure_;
};

} // namespace zug::search
