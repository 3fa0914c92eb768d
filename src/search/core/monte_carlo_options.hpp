#pragma once
// The settings of a Monte-Carlo search: one plain struct, with the range and the meaning of each. The defaults are
// those that did best in matches at equal time (the figures are in the commit that set them).

#include <cstddef>
#include <cstdint>
#include <optional>

namespace zug::search {

// How positions that several lines reach share what is known of them (Childs, Brodeur and Kocsis, "Transpositions and
// move groups in Monte Carlo tree search", 2008).
enum class Sharing : std::uint8_t {
    None,  // each line has nodes of its own: a tree
    Edges, // UCT1: one node a position; a move is valued by the visits through it
    Nodes, // UCT2: one node a position; a move is valued by all visits of the position it leads to
};

struct MonteCarloOptions {
    // -- selection

    // The weight of exploration, 0..10, relative to the range of utilities, or in games with scores to their deviation.
    double exploration = 0.35;
    // What a move that was never tried counts for, -10..10: so much of that range above the value of its position.
    // Great values try every move once before any twice.
    double first_play = 1;
    Sharing transpositions = Sharing::Nodes;
    // Rapid action value estimation: a move is also valued by the playouts in which it was made later on. Empty: where
    // moves stay available for long, as the first playouts from the start show.
    std::optional<bool> rave;
    // How fast the shared value gives way to the move's own, 0..10: the greater the sooner.
    double rave_bias = 0.03;
    // The weight of the file's evaluation of the position after a move, 0..10000 visits. 0: not asked.
    double prior = 0;
    // Implicit minimax: how much of a move's value is its evaluation backed up by minimax, 0..1. Takes the place of
    // RAVE. Empty: 0, or where the file has an evaluation what does well there.
    std::optional<double> implicit;

    // -- playouts

    // After so many plies of a playout, 0..1000000, its position is evaluated. Empty: never, or where the file has an
    // evaluation what does well there.
    std::optional<std::uint32_t> cutoff;
    // The longest playout, 1..1000000 plies; a longer one is evaluated where it stands.
    std::uint32_t plies = 2000;
    // Whether playouts make a winning move where there is one, and avoid moves after which the opponent has one.
    bool decisive = false;

    // -- the tree

    // Whether values that follow from ends of the game are proven and end the search of what they decide.
    bool proof = true;
    // After so many visits, 1..1000, a position's moves are listed.
    std::uint32_t expand_after = 5;
    // Chance nodes with more outcomes than this, 0..1000000, are sampled without a list of them.
    std::uint32_t outcomes = 64;
    // Whether the next search begins with what is known of its position.
    bool keep_tree = true;

    // -- the choice

    // The share of the limits, 0..0.9, in which alpha-beta searches the move that was chosen, and another one if it is
    // proven to lose: see choice_check.cpp.
    double check = 0;

    // -- the run

    std::uint64_t seed = 1;
};

} // namespace zug::search
