#pragma once
// What all methods share: the frames, the budget, step-by-step deepening, the principal variation, the result.
//
// A method writes pass(): the value of frames_[0].state at a depth, with the best line in frames_[0].pv. A line may
// stop short where a table answered; the engine then completes it by searching on from its end (extend()).

#include "search/budget.hpp"
#include "search/claim.hpp"
#include "search/frame.hpp"
#include "search/search.hpp"

#include <span>
#include <vector>

namespace zug::search {

class Engine {
public:
    Engine(game::Game& game, Method method, const Options& options);
    virtual ~Engine() = default;

    Result run(const game::State& root, const Limits& limits);
    virtual void forget() = 0;

protected:
    // The value by player into `value`. Returns whether it is proven to the end. Meaningless once budget_ is stopped.
    virtual bool pass(int depth, std::span<double> value) = 0;
    // Before the first pass of a search, and before each.
    virtual void begin_search() {}
    virtual void begin_pass() {}
    // frames_[ply].pv from frames_[ply].state, which isn't a leaf and whose value is `value`, at least one move long.
    // No table may answer for that node itself.
    virtual void extend(int ply, int remaining, std::span<const double> value) = 0;
    // Whether to deepen step by step under these limits.
    virtual bool deepens(const Limits& limits) const { return limits.seconds > 0 || limits.nodes != 0; }

    // Counts the node at `ply`; false if the search is over.
    bool enter(int ply) {
        if (!budget_.visit()) return false;
        if (ply > deepest_) deepest_ = ply;
        return true;
    }
    // Tells the trace about the node.
    void show(int ply, bool leaf) {
        if (limits_->trace) [[unlikely]]
            limits_->trace({frames_.line(ply), frames_[ply].state, leaf});
    }
    // The state after the i-th move of frames_[ply].moves into the frame below. False: the search is over.
    bool descend(int ply, std::size_t i);
    // At remaining depth 0 the game may only go on if the depth was limited by the caller; else that is a failure.
    bool may_evaluate();
    void rule_failed();
    void unexpected_chance();
    // move, followed by the best line of the frame below, becomes the best line at ply.
    void adopt_pv(int ply, std::uint64_t move);

    game::Game& game_;
    const Options options_;
    Budget budget_;
    FrameStack frames_;
    const Limits* limits_ = nullptr;

private:
    bool settle_root(Result& result);
    void deepen(Result& result, int last);
    bool complete_pass(Result& result, int depth);
    std::vector<std::uint64_t> complete_line(int depth, std::span<const double> value);
    bool advance(int ply, std::uint64_t move);
    void report(Result& result, bool completed);
    void write_pv(Result& result);

    const Method method_;
    int deepest_ = 0;
    bool depth_given_ = false;
};

} // namespace zug::search
