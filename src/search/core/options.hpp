#pragma once
// The search methods, and the parts of them that can be switched on and off.

#include "search/core/best_first_options.hpp"
#include "search/core/monte_carlo_options.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace zug::search {

enum class Method : std::uint8_t {
    Minimax,
    AlphaBeta,
    Expectimax,
    MaxN,
    Paranoid,
    BestReply,
    OpponentModel,
    MonteCarlo,
    BStar,
    Mgss,
    AStar,
    IdaStar,
    BranchAndBound
};

// With which windows alphabeta searches the root: see drive.cpp.
enum class RootWindow : std::uint8_t { Full, Aspiration, MtdF, Sss, Dual };

// How chance nodes are pruned: see alpha_beta/expectimax.hpp.
enum class Star : std::uint8_t { Off, Star1, Star2 };

struct NamedOpponent;

// The parts of a search that can be switched on and off, to measure their effect.
struct Options {
    // None of these changes a value.
    bool table = true;     // transposition table
    bool ordering = true;  // table move, killers, history; off: by move id
    bool deepening = true; // off: alphabeta makes a single pass too
    bool pruning = true;   // off: every line is searched
    bool scout = true;     // principal variation search
    RootWindow window = RootWindow::Aspiration;
    Star star = Star::Star2; // of chance nodes
    std::size_t table_bytes = std::size_t{32} << 20;
    std::size_t memory = std::size_t{1} << 30; // of methods that keep positions, for these
    std::uint32_t threads = 1; // of alphabeta and uct; the value of alphabeta does not depend on it, the nodes do

    // These make the value an estimate, and play stronger: see alpha_beta/selective.hpp.
    bool repetition = false;
    bool deeper = false;
    bool quiescence = false;
    bool null_move = false;
    double reductions = 0; // how much; 0: off
    bool extensions = false;
    double futility = 0;         // in utility; 0: off
    std::uint32_t plausible = 0; // moves; 0: all
    bool rote = false;           // positions of earlier games are looked up: see rote_table.hpp

    // Plies of a second search from the end of the best line; 0: none. See alpha_beta/secondary.cpp.
    int secondary = 0;

    // Makes the value an estimate. Of a chance node with more outcomes only so many draws are searched; 0: all.
    std::uint32_t samples = 0;

    // Puts the file's eval on the scale of utilities as games of the program against itself suggest (game/selfplay), if
    // the method or the game has means in which that matters; off: eval is taken to be in units of utility.
    bool calibration = false;

    // So much of the time goes into a proof of the position's value first, where the end of the game is in sight:
    // see proving.hpp. The result is exact at a depth that nobody asked for.
    double prove = 0;

    // The opponent, as opponent/opponent_model.hpp says: how much an error may lose, as a share of the range of
    // utilities; or the player who it is taken to be.
    double error = 0.1;
    std::shared_ptr<const NamedOpponent> opponent{}; // null: none is named
    MonteCarloOptions monte_carlo{};
    BestFirstOptions best_first{};

    bool selective() const {
        return repetition || deeper || quiescence || null_move || reductions > 0 || extensions || futility > 0 ||
               plausible > 0 || rote;
    }
    // Switches the parts that make play stronger on in most games, or all off.
    void set_selective(bool on) {
        repetition = deeper = quiescence = on;
        reductions = on ? 1 : 0;
        null_move = extensions = false;
        futility = 0;
        plausible = 0;
    }
};

// A player as a model of another one: makes the move that a search finds.
struct NamedOpponent {
    std::optional<Method> method; // empty: the one that suits the game
    Options options;
    int depth = -1;          // of the search; below 0: no limit
    std::uint64_t nodes = 0; // the same; 0: no limit
    double random = 0;       // how often it makes any legal move instead
};

} // namespace zug::search
