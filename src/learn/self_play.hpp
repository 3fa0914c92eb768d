#pragma once
// One thread's games of a learner against itself, and what they teach.

#include "game/line.hpp"
#include "game/selfplay/sampler.hpp"
#include "learn/study.hpp"
#include "learn/trainer.hpp"
#include "search/search.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace zug::learn {

class SelfPlay final : public Study {
public:
    // The game and the options must outlive it. `past`: who plays for one side in TrainerOptions::past of the games.
    // With TrainerOptions::search_depth() the game is evaluated by the learner from now on.
    SelfPlay(game::Game& game, std::unique_ptr<Learner> learner, std::unique_ptr<Learner> past,
             const TrainerOptions& options);

    bool learn_games(std::uint64_t first, std::uint32_t count, double rate) override;

private:
    struct Visit {
        bool chance = false;
        bool best = false;   // the best move was made; else a random one
        bool taught = false; // the position is one that players choose from, and a quiet one
    };
    enum class At : std::uint8_t { Open, End, Fault };

    bool reached() const { return visits_.empty() || !visits_.back().chance; }
    // Into estimate_: by this learner of the position at ply 1; false: a fault.
    bool estimate_after(game::Next at, Learner& learner);
    bool payoffs(int ply, std::span<float> out);
    // Looks at the moves of the position at ply 0 and makes one, the best or a random one. `taught`: whether something
    // is to be learned from it.
    At visit_decision(bool random, bool taught);
    At visit_chance();
    // Who plays this game.
    void draw_opponent();
    bool is_past_to_move() const { return past_team_ && game_.traits().team[line_.mover(0)] == *past_team_; }
    // The best move, by its place in the order of all, with its value into `out`; none: there is no move, or a fault.
    std::optional<std::size_t> best_by_moves(std::span<float> out, Learner& learner);
    std::optional<std::size_t> best_by_search(std::span<float> out);
    std::optional<std::size_t> listed(std::uint64_t move); // its place in the last list
    At make(std::size_t i);
    void learn_all(double rate);

    game::Game& game_;
    const std::unique_ptr<Learner> past_; // learns nothing
    const TrainerOptions& options_;
    std::optional<std::uint32_t> past_team_;   // for whom it moves in this game
    std::optional<search::Searcher> searcher_; // by which moves are chosen; empty: by a look at each
    game::Line line_;
    game::Sampler lot_;
    std::vector<std::uint32_t> slots_;    // of one position
    std::vector<float> estimate_;         // of one position
    std::vector<float> target_;           // of what came last
    std::vector<Visit> visits_;           // of this game
    std::vector<std::uint32_t> record_;   // their slots
    std::vector<float> values_;           // estimates of their best moves
    std::size_t moves_ = 0;               // of the position last looked at
    bool faulted_ = false, quiet_ = true; // of it; a loud move is best in positions that are not quiet
};

} // namespace zug::learn
