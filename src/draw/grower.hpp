#pragma once
// One growing of a tree: see grow.hpp for the methods.

#include "draw/grow.hpp"
#include "draw/positions.hpp"
#include "game/line.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace zug::draw {

class Grower {
public:
    Grower(game::Game& game, const game::State& root, const GrowOptions& options);

    // Once. Afterwards too_large() says whether a failure was that of most_nodes.
    tl::expected<Tree, Error> run(const game::State& root);
    bool too_large() const { return too_large_; }

private:
    // A node whose branches are being searched.
    struct Open {
        NodeIndex index;
        const game::State& state;
        game::MoveList moves;
        std::vector<std::size_t> order; // of the moves: by id, as the searchers take them
        std::vector<std::string> texts;
    };
    // The mean of a chance node's outcomes so far.
    struct Mean {
        double sum = 0, rest = 1; // the probability of the outcomes that are left
    };

    // The node of a position, grown or found. None: error_ is set. The window is in MAX's view.
    std::optional<NodeIndex> node(const game::State& state, int ply, search::Window window);
    std::optional<NodeIndex> add(const game::State& state, int ply, search::Window window);
    bool leaf(NodeIndex index, const game::State& state, Kind kind);
    bool inner(Open& open, search::Window window);
    bool decide(Open& open, search::Window window);
    bool decide_by_player(Open& open);
    bool average(Open& open, search::Window window);
    bool average_by_player(Open& open);
    std::optional<Interval> outcome(Open& open, std::size_t i, search::Window window, Mean& mean);
    Cut certain(const Interval& mean, search::Window window) const;
    // Grows the branch of the i-th move in order.
    std::optional<NodeIndex> branch(Open& open, std::size_t i, search::Window window);
    // Marks the branches from the i-th on as pruned.
    void prune(Open& open, std::size_t i, Cut cut, double bound);
    search::Window inner_window(search::Window window, const Mean& mean, double probability) const;
    void forget_from(NodeIndex first);
    std::nullopt_t fail(std::string text);
    void finish();

    game::Game& game_;
    const GrowOptions& options_;
    bool boards_ = false;
    bool too_large_ = false;
    double margin_; // wider than rounding errors of a mean
    game::Line line_;
    Positions positions_;
    Tree tree_;
    std::optional<Error> error_;
};

} // namespace zug::draw
