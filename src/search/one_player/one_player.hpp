#pragma once
// What the searches of one player share: the root, the budget, the best line so far, the result.
//
// They look for ends of the game and nothing else: the value is the utility of the best end, or 0 if the best that can
// be done is never to end. Of lines to the same utility above 0 the shortest is found. The file's `eval` decides which
// of several positions that promise the same is tried first, and is the value of a search that a limit stops before it
// has found an end; the line then leads to the position from which the file's `bound` promises the nearest end. With a
// depth, longer lines are left out.
//
// Bounds are taken at their word: one that is not admissible can make the result wrong. `zug check` tests them.

#include "game/line.hpp"
#include "search/core/algorithm.hpp"
#include "search/core/budget.hpp"
#include "search/one_player/rank.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace zug::search {

class OnePlayer : public Algorithm {
public:
    OnePlayer(game::Game& game, Method method, const Options& options);
    Result run(const game::State& root, const Limits& limits) final;

protected:
    // Searches from the position at ply 0 of the line, where the game goes on and this is the best that can come of it.
    // Reports what is found by offer() and promise(). Returns normally when the best end is proven, or when stopped.
    virtual void search(const Rank& best_possible) = 0;

    // Whether an end, or an endless line, would be better than what has been found.
    bool improves(const Rank& rank) const { return !found_ || better(rank, *found_); }
    // It is, and `line` leads to it.
    void found(const Rank& rank, std::vector<std::uint64_t> line);
    // Whether no line so far leads to a position nearer to an end by its bound.
    bool promises(const game::Estimate& estimate) const {
        return !promise_ || better({estimate.utility, estimate.plies}, {promise_->utility, promise_->plies});
    }
    void promise(const game::Estimate& estimate, std::vector<std::uint64_t> line);
    // A line had to be left out that could have led to something as good as this.
    void leave_out(const Rank& rank) {
        if (!left_out_ || better(rank, *left_out_)) left_out_ = rank;
    }

    // What a move leads to: an end, or a position where the game goes on. Empty: a fault, and the search is over.
    struct Position {
        bool end = false;
        game::Estimate estimate; // of an end: its utility, 0 plies

        Rank rank(std::uint32_t plies) const {
            return end ? end_rank(estimate.utility, plies) : open_rank(estimate, plies);
        }
    };
    std::optional<Position> look(int ply, game::Next at);
    // The file's evaluation of the position, 0 where it has none: it decides between positions of equal rank.
    double opinion(int ply);
    // The positions after the moves of the one at `ply`, in order of the moves' ids, so that all executors agree. None:
    // there are no more; Fault: the search is over.
    game::Next first_child(int ply);
    game::Next next_child(int ply);
    // The ids of the moves that were made last at plies 0 to `plies` - 1.
    std::vector<std::uint64_t> line_to(std::uint32_t plies);
    // A count of the method's own, for the result.
    void count(std::string_view name, std::uint64_t value) { result_->counts.push_back({name, value}); }
    // Ends the search for want of something else than nodes or time.
    void give_up() { gave_up_ = true; }
    void rule_failed();
    // For the progress line: the length that is being looked at.
    void deepened(std::uint32_t plies);

    const std::optional<Rank>& best() const { return found_; }
    bool stopped() const { return budget_.stopped(); }
    std::uint32_t longest() const { return longest_; } // in plies, of lines that are not left out

    game::Game& game_;
    game::Line line_;
    const Options options_;
    Budget budget_;

private:
    void begin(Result& result, const game::State& root);
    void finish(Result& result, const game::State& root);
    void report(Result& result, bool completed);

    const Method method_;
    const Limits* limits_ = nullptr;
    Result* result_ = nullptr;
    std::optional<Rank> found_, left_out_;
    std::optional<game::Estimate> promise_;
    std::vector<std::uint64_t> best_line_, promising_line_;
    double expected_ = 0; // by the root's evaluation
    std::uint32_t longest_ = 0;
    bool gave_up_ = false;
    // For executors that walk in another order than that of ids: a list for each ply, and how many have been made.
    struct Ordered {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> ids; // with the index in the list of moves
        std::size_t next = 0;
    };
    std::vector<Ordered> ordered_;
};

} // namespace zug::search
