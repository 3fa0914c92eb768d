#pragma once
// Best-reply search, in the form BRS+ (Schadd and Winands, "Best reply search for multiplayer games", 2011; Esser,
// Gras, Winands, Schadd and Lanctot, "Improving best-reply search", 2013): as paranoid search, but between two turns of
// the player at the root or a partner only one opponent chooses freely. The others make the move that looks best to
// them, their usual move. So the search looks further ahead for the same work. In the first form of the method the
// others pass; here all lines of play are legal, in any game.
//
// The usual move is the one after which the position is worth most to its mover, by the payoff at an end of the game
// or by the evaluation; of equal ones that of the least id. An opponent who makes any other move has taken the free
// choice, and keeps it until the player at the root or a partner moves again, through all steps of a turn.
//
// The value is an estimate: opponents can do more than is looked at. For two players it is paranoid search's.

#include "search/alpha_beta/paranoid.hpp"

#include <limits>
#include <vector>

namespace zug::search {

class BestReply final : public Paranoid {
public:
    BestReply(game::Game& game, const Options& options);

protected:
    bool pass(int depth, std::span<double> value) override;
    // Lines stay as short as the table makes them.
    void extend(int ply, int remaining, std::span<const double> value) override;
    std::uint64_t key(int ply) override;
    Claim chance(int ply, int remaining, Window window) override;
    Decision decide(int ply, int remaining, Window window, const Begun& begun) override;

private:
    static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
    struct Step {
        std::uint32_t chooser = nobody; // the opponent who has taken the free choice
        std::uint64_t usual = 0;        // the id of the usual move, where it was asked for
    };

    Step& step(int ply);
    // Finds out who has the free choice at `ply`, from the ply above.
    void arrive(int ply);
    // The index of the usual move in the list.
    std::size_t usual_move(int ply);
    double worth(int ply, std::uint32_t player, game::Next at);

    std::vector<Step> steps_;
    std::vector<double> worths_; // by player
};

} // namespace zug::search
