#pragma once
// Games for the tests of this folder, and a slow solver that is plain enough to be right.

#include "lang/load.hpp"
#include "solve/solve.hpp"
#include "tests/sanitized.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace zug::solve {

inline game::Game game_of(const lang::Loaded& loaded, game::ExecutorKind kind = game::ExecutorKind::Interpreter) {
    REQUIRE_MESSAGE(loaded.program, diag::render(loaded.sources, loaded.report));
    return game::Game(loaded.program, kind);
}

inline game::Game load(const std::string& name, const lang::Overrides& params = {},
                       game::ExecutorKind kind = game::ExecutorKind::Interpreter) {
    return game_of(lang::load_file(std::string(ZUG_SOURCE_DIR) + "/rules/" + name + ".zug", params), kind);
}

inline game::Game load_text(const std::string& text, game::ExecutorKind kind = game::ExecutorKind::Interpreter) {
    return game_of(lang::load_text("test.zug", text), kind);
}

// rules/robots.zug without an end to the chase.
inline std::string robots(int width, int height) {
    return "players White, Black\nboard cell = grid(" + std::to_string(width) + ", " + std::to_string(height) +
           ")\nstate at: cell -> player? = White on cell(1, 1), Black on cell(" + std::to_string(width) + ", " +
           std::to_string(height) +
           ")\nmove go(t: cell)\n  when t in at.me.ortho\n  then at[at.me] := none, at[t] := me\n"
           "end White wins when count at.(_) = 1\n";
}

// A fox jumps over geese, who can go ahead and to the sides and want to pen it in. `own`: whose men the player to move
// moves.
inline std::string fox_and_geese(int width, int height, const std::string& players = "Fox, Geese",
                                 const std::string& own = "me") {
    return "players " + players + "\nboard cell = grid(" + std::to_string(width) + ", " + std::to_string(height) +
           ")\nstate at: cell -> player? = Geese on row(1), Fox on cell(2, " + std::to_string(height) +
           ")\ndef own = " + own +
           "\ndef ways = if own = Fox: ortho else {N, E, W}\n"
           "move go(f: cell, t: cell)\n  when f in at.own, t in f.ways & empty\n  then at[f] := none, at[t] := own\n"
           "move jump(f: cell, d: dir)\n  when own = Fox, f in at.Fox, d in ortho, f.d in at.Geese, f.d^2 in empty\n"
           "  then at[f] := none, at[f.d] := none, at[f.d^2] := own\n"
           "end\n  Fox wins when count at.Geese < 2\n  me wins when stuck\n";
}

// The same with two players on each side, in turn.
inline std::string fox_and_geese_in_teams(int width, int height) {
    return fox_and_geese(width, height, "Fox, Geese, Vixen, Ganders\nteams Fox Vixen, Geese Ganders",
                         "if me in team(Fox): Fox else Geese");
}

// By sweeps over all positions until nothing changes: for two sides whose utilities add up to zero, won, lost and
// drawn.
class Oracle {
public:
    struct Node {
        game::State state;
        std::uint32_t side = 0;    // that has the move
        std::optional<double> end; // the first player's utility
        std::vector<std::size_t> to;
        double value = 0;
        std::optional<std::uint32_t> plies; // of what is won or lost; of a drawn end that can be forced
        bool forced[2] = {false, false};    // whether a side can bring about an end without losing
    };

    Oracle(game::Game& game, const game::State& start) : game_(game) {
        add(start);
        for (std::size_t i = 0; i < nodes_.size(); ++i) expand(i);
        solve_wins();
        solve_draws();
    }
    const std::vector<Node>& nodes() const { return nodes_; }

private:
    std::size_t add(const game::State& state) {
        const std::vector<std::uint64_t> words(state.words.begin(), state.words.end());
        const auto [at, fresh] = numbers_.emplace(words, nodes_.size());
        if (fresh) {
            Node node;
            std::vector<std::uint32_t> slots;
            game_.executor().store(state, slots);
            game_.executor().load(slots, node.state); // without its past
            node.side = game_.traits().team[game_.to_move(state)];
            nodes_.push_back(std::move(node));
        }
        return at->second;
    }

    void expand(std::size_t i) {
        game::MoveList moves;
        game::State next;
        const game::State state = nodes_[i].state;
        const auto kind = game_.expand(state, moves);
        REQUIRE(kind != game::NodeKind::Fault);
        REQUIRE(kind != game::NodeKind::Chance);
        if (kind == game::NodeKind::Terminal) {
            std::vector<double> payoffs(game_.players());
            REQUIRE(game_.payoffs(state, payoffs));
            nodes_[i].end = payoffs[0];
        }
        for (std::size_t m = 0; m < moves.size(); ++m) {
            REQUIRE(game_.successor(state, moves, m, next));
            const std::size_t to = add(next);
            nodes_[i].to.push_back(to);
        }
    }

    // In the sweep for `plies` those positions get a value from which the winner needs so many. Where no position needs
    // so many, none needs more.
    void solve_wins() {
        bool changed = true;
        for (std::uint32_t plies = 0; changed; ++plies) {
            changed = false;
            for (Node& node : nodes_)
                if (!node.plies && wins_in(node, plies)) changed = true;
        }
    }
    bool wins_in(Node& node, std::uint32_t plies) const {
        if (plies == 0) return node.end && *node.end != 0 && finalise(node, *node.end, 0);
        for (const double winner : {1.0, -1.0}) {
            const bool own = (winner > 0) == (node.side == 0);
            const auto openings = [&](std::size_t to) {
                const Node& next = nodes_[to];
                return next.plies && *next.plies < plies && next.value * winner > 0;
            };
            const auto count = static_cast<std::size_t>(std::ranges::count_if(node.to, openings));
            if (own ? count > 0 : count == node.to.size() && count > 0) return finalise(node, winner, plies);
        }
        return false;
    }
    static bool finalise(Node& node, double value, std::uint32_t plies) {
        node.value = value;
        node.plies = plies;
        return true;
    }

    void solve_draws() {
        for (const std::uint32_t side : {0U, 1U}) {
            const double sign = side == 0 ? 1 : -1;
            for (bool changed = true; changed;) {
                changed = false;
                for (Node& node : nodes_) {
                    if (node.forced[side]) continue;
                    const auto good = [&](std::size_t to) { return nodes_[to].forced[side]; };
                    bool forced = sign * node.value > 0 || (node.end && *node.end == 0);
                    if (!node.to.empty())
                        forced = forced || (node.side == side ? std::ranges::any_of(node.to, good)
                                                              : std::ranges::all_of(node.to, good));
                    if (forced) changed = node.forced[side] = true;
                }
            }
        }
        const auto drawn_end = [](const Node& node) { return node.value == 0 && (node.forced[0] || node.forced[1]); };
        std::vector<std::optional<std::uint32_t>> plies(nodes_.size());
        bool changed = true;
        for (std::uint32_t n = 0; changed; ++n) {
            changed = false;
            for (std::size_t i = 0; i < nodes_.size(); ++i) {
                if (plies[i] || !drawn_end(nodes_[i])) continue;
                const auto near = [&](std::size_t to) { return plies[to] && *plies[to] < n; };
                if (!(nodes_[i].end ? n == 0 : std::ranges::any_of(nodes_[i].to, near))) continue;
                plies[i] = n;
                changed = true;
            }
        }
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            if (nodes_[i].value == 0) nodes_[i].plies = plies[i];
    }

    game::Game& game_;
    std::map<std::vector<std::uint64_t>, std::size_t> numbers_;
    std::vector<Node> nodes_;
};

} // namespace zug::solve
