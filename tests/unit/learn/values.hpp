#pragma once
// The exact values of all positions of a small game.

#include "tests/unit/learn/learned.hpp"

#include <array>
#include <map>
#include <optional>
#include <set>

namespace zug::learn {

// For the first player.
class Values {
public:
    explicit Values(game::Game& game) : game_(game) {}

    double operator()(const game::State& state) {
        const auto slots = slots_of(game_, state);
        if (const auto known = values_.find(slots); known != values_.end()) return known->second;
        game::MoveList moves;
        double best = 0;
        if (game_.expand(state, moves) == game::NodeKind::Terminal) {
            std::array<double, 2> payoffs{};
            REQUIRE(game_.payoffs(state, payoffs));
            best = payoffs[0];
        }
        const bool first = game_.to_move(state) == 0;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            game::State next;
            REQUIRE(game_.successor(state, moves, i, next));
            const double value = (*this)(next);
            if (i == 0 || (first ? value > best : value < best)) best = value;
        }
        return values_[slots] = best;
    }
    std::size_t size() const { return values_.size(); }

    // Of the positions where some moves are better than others, the share in which the one that leads to the best
    // evaluation is one of the best.
    double share_kept(game::Game& game) {
        std::size_t decisive = 0, right = 0;
        for (const auto& [slots, value] : std::map(values_)) {
            const auto kept = keeps_value(game, slots);
            decisive += kept ? 1 : 0;
            right += kept.value_or(false) ? 1 : 0;
        }
        CHECK(decisive > 2000);
        return static_cast<double>(right) / static_cast<double>(decisive);
    }

private:
    // Whether the move after which the evaluation is best has the position's value; nothing: all moves have the same.
    std::optional<bool> keeps_value(game::Game& game, const std::vector<std::uint32_t>& slots) {
        game::State state, next;
        game.executor().load(slots, state);
        game::MoveList moves;
        game.expand(state, moves);
        double best = 0, chosen = 0;
        std::set<double> different;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            REQUIRE(game.successor(state, moves, i, next));
            different.insert((*this)(next));
            std::array<double, 2> estimate{};
            if (game.kind(next) == game::NodeKind::Terminal)
                REQUIRE(game.payoffs(next, estimate));
            else
                game.evaluate(next, estimate);
            const double own = estimate[game.to_move(state)];
            if (i == 0 || own > best) best = own, chosen = (*this)(next);
        }
        if (different.size() < 2) return std::nullopt;
        return chosen == (*this)(state);
    }

    game::Game& game_;
    std::map<std::vector<std::uint32_t>, double> values_;
};

} // namespace zug::learn
