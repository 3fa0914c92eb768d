#pragma once
// A search tree to be drawn: what a search method did, node by node. grow.hpp makes it, the writers (svg.hpp, dot.hpp,
// text.hpp) draw it.
//
// Values are utilities of the first player, who is MAX where there are two, or, with max^n, one for each player. Bounds
// are in MAX's view at every node, as in the textbooks: alpha is what MAX is sure of, beta what MIN is.

#include "search/core/claim.hpp"
#include "search/search.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace zug::draw {

using NodeIndex = std::size_t;
using search::infinity;

enum class Kind : std::uint8_t {
    Max,
    Min,
    Player, // of a game in which each player has a value
    Chance,
    End,    // of the game
    Horizon // the depth limit, where the position is evaluated
};

// Why the branches that are left at a node can't matter.
enum class Cut : std::uint8_t {
    None,
    Alpha, // at a MIN node: its value is at most alpha
    Beta,  // at a MAX node: its value is at least beta
    Low,   // at a chance node: the mean is at most alpha, whatever the other outcomes are worth (Star1)
    High,  // at a chance node: the mean is at least beta
    Best,  // the player has the greatest utility there is
};

// What is known of a value: it lies between the two. They are equal where the search has found it.
struct Interval {
    double lower = -infinity, upper = infinity;
    bool exact() const { return lower == upper; }
};

struct Branch {
    std::vector<std::string> moves; // several where they lead to positions that are merged
    double probability = 0;         // of a chance node's
    std::optional<NodeIndex> node;  // none: pruned
    bool best = false;              // the value of the node above is backed up from here
};

struct Node {
    Kind kind = Kind::End;
    std::uint32_t player = 0;
    int ply = 0;
    Interval value;                       // with max^n: of no meaning
    std::vector<double> values;           // with max^n: by player
    std::optional<search::Window> window; // alpha and beta when the node was entered, where the method prunes by them
    Cut cut = Cut::None;
    double bound = 0; // the alpha or beta that made the cut-off, at that moment
    std::vector<Branch> branches;
    std::string board;       // several lines, as in `zug play`; empty: not drawn
    std::size_t parents = 0; // branches that lead here; 0 for the root only
    bool principal = false;  // on the line of best play
};

struct Tree {
    std::string title;
    std::vector<std::string> players, teams;
    search::Method method = search::Method::Minimax;
    std::vector<Node> nodes; // the root first, and each before the nodes below it, but for merged ones
    bool eval_scale = false; // numbers are those of the file's eval (see grow.hpp)

    bool by_player() const { return method == search::Method::MaxN; }
    std::size_t pruned() const; // branches
};

} // namespace zug::draw
