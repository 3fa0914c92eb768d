#pragma once
// Random play in the frame: by one routine for whole games where there is one (PlayCode), else ply by ply.

#include "interpreter/referee.hpp"
#include "interpreter/turns.hpp"

#include <vector>

namespace zug::run {

class RandomPlay {
public:
    RandomPlay(Referee& referee, TurnPlay& turns)
        : referee_(referee), turns_(turns), play_(referee.compiled().play), frame_(referee.frame()) {}

    // As Executor says, from the position in the frame.
    PlayoutResult playout(Random& random, std::uint32_t max_plies);
    // The same, recorded; only without a turn plan.
    PlayoutResult playout(Random& random, std::uint32_t max_plies, std::vector<PlayedMove>& played);
    // Whether play() can restart games.
    bool restarts() const { return play_.restarts; }
    // Whether it can then add up utilities: they are the same in all positions that an end clause ends.
    bool tallies();
    Playouts playouts(const State& start, const State& state, Random& random, std::uint32_t plies, UtilitySums* sums);

private:
    PlayoutResult play_by_steps(Random& random, std::uint32_t max_plies);
    PlayoutResult play_in_code(Random& random, std::uint32_t max_plies, std::uint32_t games);
    PlayoutResult record_in_code(Random& random, std::uint32_t max_plies);
    // Of a move that the routine has drawn.
    StepCode code_drawn(const Pick& drawn) const;
    Step record_ply(Random& random, std::uint64_t left);
    void record(StepCode code, std::uint32_t mover, bool chance = false) {
        if (played_ != nullptr) played_->push_back({referee_.id_of(code), mover, chance});
    }
    Step play_when_none(Random& random);
    Step pass_when_stuck();
    std::int32_t run_play();
    bool restart();
    bool find_utilities();
    void add_tallies(UtilitySums& sums) const;
    void add_ending();
    void load_random(Random& random) const;
    template <class F>
    Step with_random(Random& random, F&& f);
    Step play_after(std::int32_t stopped, Random& random);
    Step draw_after(std::int32_t stopped, Random& random);
    Step play_failed_draw(Random& random);
    Step play_ply(Random& random, bool may_move);
    // Draws one of the chance instances found, of which there are some.
    Step play_chance(Random& random, std::uint64_t found);
    Step play_weighted_outcome(Random& random);
    Step play_outcome(const Pick& p);
    Step play_any(Random& random, const FindCode& code, std::uint64_t total);
    Step play_legal(Random& random, const FindCode& code, std::uint64_t total);

    Referee& referee_;
    TurnPlay& turns_;
    // Fixed at construction, so that a ply does not ask the referee for them.
    const PlayCode& play_;
    std::uint64_t* const frame_;
    struct Outcome {
        Pick pick;
        double weight;
    };
    std::vector<double> utilities_; // by tally, by player; found when they are needed
    bool found_ = false, payable_ = false;
    UtilitySums* sums_ = nullptr;               // of the games under way, if they are wanted
    std::vector<PlayedMove>* played_ = nullptr; // the record of the playout under way, if it is wanted
    std::vector<Outcome> outcomes_;
    std::vector<std::uint64_t> refused_; // numbers of instances, ascending
};

} // namespace zug::run
