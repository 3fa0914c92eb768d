#pragma once
// The form of a game that heuristic searches play: faster, and with positions that are equal more often. Exact methods
// and solvers play the game itself.
//
//   - A game whose only use of the past is draws by repetition (HistoryKind::RepetitionDraw) has no such clause in its
//     search form; a search takes a repetition on its own line for a draw. Without a history to keep, moves are several
//     times as fast.
//   - Its position hash leaves out the past, and counters that only lead to draws, such as that of plies without
//     progress: the same men in the same places are then the same position, however they have come there.
//
// State variables, rules, ids and texts of moves are those of the game.

#include "game/game.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace zug::game {

// A position by its hash, and the first player's payoff.
struct EndByPast {
    std::uint64_t position = 0;
    double payoff = 0;
};

class SearchForm {
public:
    // Compiles the changed rules, if there are any; else works on `game`, which must outlive it.
    explicit SearchForm(Game& game);
    SearchForm clone() const;

    Game& game() { return own_ ? *own_ : *given_; }
    // A state of the game in this form.
    State convert(const State& state) const;
    // Cost: linear in the words of the state.
    std::uint64_t position_hash(const State& state) const;
    // Positions at most two moves away that end the game only for what came before: by repetition. `state` is one of
    // the game, not of this form. Cost: linear in the length of the history, and if a position has come so often that
    // once more is a draw, all lines of two moves.
    std::vector<EndByPast> ends_by_past(const State& state);
    // The state after a pass of the player to move, which the rules may not allow; partners pass, too, up to the next
    // opponent. Cost: some microseconds.
    void pass(const State& state, State& out);

private:
    SearchForm() = default;
    void add_ends(const State& state, int moves, std::vector<EndByPast>& ends);
    void find_mask(std::span<const ir::StateId> counters);

    Game* given_ = nullptr;
    std::shared_ptr<Game> own_;
    std::uint64_t occurrences_ = 0;   // before one that is a draw
    std::vector<std::uint64_t> kept_; // the bits of a state's words that the hash takes in; beyond its end all
    std::vector<std::uint32_t> slots_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> locals_; // slots, and what they are when the turn passes
};

} // namespace zug::game
