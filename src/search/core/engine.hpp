#pragma once
// What all search methods share: frames, budget, iterative deepening, the principal variation, the result.
//
// A method implements pass(): the value of the position at ply 0 of the line at a given depth, with the best line in
// frames_[0].pv. That line may be cut short where the transposition table answered; the engine then completes it by
// searching on from its end (extend()).

#include "game/line.hpp"
#include "search/core/algorithm.hpp"
#include "search/core/budget.hpp"
#include "search/core/claim.hpp"
#include "search/core/frame.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace zug::search {

class Engine : public Algorithm {
public:
    Engine(game::Game& game, Method method, const Options& options);

    Result run(const game::State& root, const Limits& limits) final;

protected:
    // Stores the value by player in `value`; returns whether it is proven to the end of the game. Both are meaningless
    // once budget_ is stopped.
    virtual bool pass(int depth, std::span<double> value) = 0;
    // After the last pass, unless it has proven the value: may choose another first move. `searches_on`: whether it
    // will need a share of the limits for that.
    virtual bool searches_on() const { return false; }
    virtual void search_on(Result&) {}
    // Before the first pass of a search, and before each.
    virtual void begin_search() {}
    virtual void begin_pass() {}
    // Sets frames_[ply].pv, at least one move long, for the position at `ply`, which isn't a leaf and has this value.
    // The table may not answer for that node itself.
    virtual void extend(int ply, int remaining, std::span<const double> value) = 0;
    // Adds the method's own counts.
    virtual void count(std::vector<Count>&) const {}
    // See Result.
    virtual double sampling_error() const { return 0; }
    virtual double table_share() const { return -1; }
    // Whether to deepen iteratively under these limits.
    virtual bool deepens(const Limits& limits) const { return limits.seconds > 0 || limits.nodes != 0; }

    // Counts the node at `ply`; false if the search is over.
    bool enter(int ply) {
        if (!budget_.visit()) return false;
        if (ply > deepest_) deepest_ = ply;
        return true;
    }
    // Tells the trace about the node.
    void show(int ply, bool leaf) {
        if (traces_) [[unlikely]]
            limits_->trace({frames_.line(ply), line_.state(ply), leaf});
    }
    // Makes the first or next move of the position at `ply`, or the i-th of its list; the result is at the next ply. A
    // fault ends the search.
    game::Next first(int ply) {
        frames_.reach(ply + 1);
        return entered(ply, line_.first(ply));
    }
    game::Next next(int ply) { return entered(ply, line_.next(ply)); }
    // The same, but skips positions at the depth limit that cannot change the value; they are counted as nodes, and
    // `passed` is their number.
    game::Next first(int ply, std::uint64_t& passed) {
        frames_.reach(ply + 1);
        const std::uint64_t free = budget_.free();
        std::uint64_t left = free;
        const game::Next at = line_.first(ply, left);
        passed = count_passed(ply, free - left);
        return entered(ply, at);
    }
    game::Next next(int ply, std::uint64_t& passed) {
        const std::uint64_t free = budget_.free();
        std::uint64_t left = free;
        const game::Next at = line_.next(ply, left);
        passed = count_passed(ply, free - left);
        return entered(ply, at);
    }
    game::Next descend(int ply, std::size_t i) {
        frames_.reach(ply + 1);
        return entered(ply, line_.make(ply, i));
    }
    // Counts that many nodes at once, the deepest of them at that ply.
    void entered_below(std::uint64_t nodes, int deepest) {
        budget_.pass(nodes);
        deepest_ = std::max(deepest_, deepest);
    }
    // At remaining depth 0 the game may only go on if the depth was limited by the caller; else that is a failure.
    bool may_evaluate();
    bool evaluates() const { return depth_given_ || (options_.deepening && deepens(*limits_)); }
    void rule_failed();
    void unexpected_chance();
    // Makes the move at `ply`; false: it is not legal there.
    bool advance(int ply, std::uint64_t move);
    // move, followed by the best line of the frame below, becomes the best line at ply.
    void adopt_pv(int ply, std::uint64_t move);

    game::Game& game_;
    game::Line line_;
    const Options options_;
    Budget budget_;
    FrameStack frames_;
    const Limits* limits_ = nullptr;
    bool traces_ = false;

private:
    game::Next entered(int ply, game::Next next) {
        if (next == game::Next::Fault) [[unlikely]]
            rule_failed();
        else if (traces_ && next != game::Next::None) [[unlikely]]
            frames_.enter(ply, line_.move_id(ply));
        return next;
    }
    std::uint64_t count_passed(int ply, std::uint64_t passed) {
        if (passed != 0) entered_below(passed, ply + 1);
        return passed;
    }
    bool evaluate_root(Result& result);
    void deepen(Result& result, int last);
    bool complete_pass(Result& result, int depth);
    void keep_unfinished(Result& result);
    std::vector<std::uint64_t> complete_line(int depth, std::span<const double> value);
    void measure(Result& result) const;
    void report(Result& result, bool completed);

    const Method method_;
    int deepest_ = 0;
    bool depth_given_ = false;
};

} // namespace zug::search
