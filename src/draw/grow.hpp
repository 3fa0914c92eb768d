#pragma once
// Grows the search tree of a position by a method of the textbooks, without any refinement: no table but for merged
// positions, no iterative deepening, moves in the order of their ids.
//
//   minimax      every line                                          Shannon 1950
//   alphabeta    fail-soft alpha-beta                                Knuth and Moore 1975
//   expectimax   the same with chance nodes, which Star1 prunes      Michie 1966; Ballard 1983
//   maxn         max^n with immediate pruning                        Luckhardt and Irani 1986; Korf 1991
//
// The value of the root is what search::search() finds at the same depth.

#include "base/error.hpp"
#include "draw/tree.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace zug::draw {

enum class Merge : std::uint8_t {
    None,
    Equal,     // positions that are equal, at the same ply, are one node
    Symmetric, // also those that a symmetry of the game maps to each other (game/symmetry)
};

enum class Boards : std::uint8_t {
    Off,
    On,
    Small, // if that of the root suits a node: 2 to 8 lines, of up to 20 characters
};

struct GrowOptions {
    search::Method method = search::Method::AlphaBeta;
    int depth = search::max_depth; // plies
    bool pruning = true;
    Merge merge = Merge::None;
    // Numbers on the scale of the file's eval, MAX's less MIN's, instead of the utilities that the search makes of
    // them; a sure win is then infinite. For games of two players without chance that have an eval.
    bool eval_scale = false;
    Boards boards = Boards::Small;
    std::size_t most_nodes = 2000;
    const std::atomic<bool>* stop = nullptr;
};

// The method for a game that a name stands for, `auto` among them. The error says why it can't be drawn or does not
// suit the game.
tl::expected<search::Method, Error> method_for(std::string_view name, const game::Traits& traits);

// The error: a rule failed, the options don't suit the game, or the tree has more than most_nodes nodes; then it says
// which depth fits. Cost: a list of moves and a state for each node; memory in proportion to the nodes.
tl::expected<Tree, Error> grow(game::Game& game, const game::State& root, const GrowOptions& options);

} // namespace zug::draw
