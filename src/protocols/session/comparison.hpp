#pragma once
// Some moves of a position against each other: the position after each of them is searched by itself, deeper from pass
// to pass. That takes as many searches as there are moves, but works with every method that searches.

#include "match/player.hpp"
#include "protocols/session/findings.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

namespace zug::protocols {

class Comparison {
public:
    // The player must be one that searches on `game`; `candidates` are indices in `moves`, the list of `root`.
    Comparison(match::Player& player, game::Game& game, const game::State& root, const game::MoveList& moves,
               std::vector<std::size_t> candidates);

    // Within these limits, of which `stop` is one: calls `tell` after each pass. Returns the moves from the best to the
    // worst for who makes them; if there was no time to compare them, in the order given. An error: a rule failed.
    tl::expected<std::vector<std::size_t>, Error> run(const search::Limits& limits, std::size_t lines,
                                                      const std::function<void(const Findings&)>& tell);

private:
    struct Candidate {
        std::size_t move = 0;
        game::State after;
        Line line;
        bool over = false;
    };
    using Clock = std::chrono::steady_clock;

    tl::expected<void, Error> make_moves();
    tl::expected<bool, Error> pass(const search::Limits& limits, int depth);
    tl::expected<bool, Error> look(Candidate& candidate, const search::Limits& limits);
    search::Limits rest(const search::Limits& limits, int depth) const;
    void sort();
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

    match::Player& player_;
    game::Game& game_;
    const game::State& root_;
    const game::MoveList& moves_;
    std::vector<Candidate> candidates_;
    Findings findings_;
    bool to_depths_ = true; // the method's searches are to a depth
    Clock::time_point begin_ = Clock::now();
};

} // namespace zug::protocols
