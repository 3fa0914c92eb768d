#pragma once
// What a search has found.

#include "game/game.hpp"
#include "search/core/options.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace zug::search {

// How often something happened in a search, by a name for people.
struct Count {
    std::string_view name;
    std::uint64_t value = 0;
};

struct Result {
    Method method = Method::Minimax;
    std::vector<double> value; // by player
    // The principal variation, up to the first chance event. Where a limit stopped a pass that had found another first
    // move to be better, it is that of the unfinished pass; value and depth are those of the last completed one.
    std::vector<std::uint64_t> pv_ids;
    std::vector<std::string> pv; // the same in the game's notation
    std::uint64_t nodes = 0;
    int depth = 0;   // of the deepest completed pass; 0: the value is the root's evaluation, or, if exact, a proof's
    int deepest = 0; // the most plies that were visited in a line; 0: not known
    double table_share = -1; // of the transposition table that this search has filled, about; below 0: not known
    double seconds = 0;
    bool exact = false;    // the value is proven to the end of the game
    bool complete = false; // ran to the depth asked for, or to a proof; false: a limit stopped it
    // If chance nodes were sampled: with a probability of 95 % the mean of a node's sample is so close, in utility, to
    // the mean that the search would have found with all its outcomes (Hoeffding, 1963). That holds for each node by
    // itself, and where sampled nodes follow each other the errors may add up. 0: none was sampled.
    double sampling_error = 0;
    std::vector<Count> counts; // of the method's own: cut-offs, table hits, ...
    std::string fault; // the method doesn't suit the game, or a rule failed; then the value is as of before, if any
};

// Writes pv from pv_ids, as far as these are moves from `root`, and returns the state that they lead to. A rule that
// fails on the way leaves its fault.
game::State write_pv(game::Game& game, const game::State& root, Result& result);

} // namespace zug::search
