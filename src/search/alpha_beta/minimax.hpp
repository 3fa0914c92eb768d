#pragma once
// Plain minimax (Shannon, "Programming a computer for playing chess", 1950, type A): every line to the depth, no
// pruning, no table. Slow on purpose: it defines the value that the other methods must give, and it shows what they
// save.
//
// Games: two sides, zero sum, no chance. Cost: b^depth nodes. Among moves of equal value the one of the least id.

#include "search/core/engine.hpp"

namespace zug::search {

class Minimax final : public Engine {
public:
    Minimax(game::Game& game, const Options& options)
        : Engine(game, Method::Minimax, options), first_side_(game.traits().first_side) {}
    void forget() override {}

protected:
    bool pass(int depth, std::span<double> value) override;
    void extend(int, int, std::span<const double>) override {} // its lines are never cut short

private:
    // The first player's utility.
    double node(int ply, int remaining, game::Next at);
    double terminal(int ply);
    double horizon(int ply, game::Next at);
    double decide(int ply, int remaining, game::Next at);

    const std::uint32_t first_side_; // one bit for each player on it
    bool evaluated_ = false;         // some line of the pass ended at the depth limit
};

} // namespace zug::search
