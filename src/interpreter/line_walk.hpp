#pragma once
// Lines of play (Executor::first and those after it) by the routines of WalkCode, which make one move a call from one
// buffer into another. Where a program has no such routines, and at chance nodes, lines go by states and lists.

#include "executor/position_buffer.hpp"
#include "interpreter/referee.hpp"

namespace zug::run {

class LineWalk {
public:
    // The executor whose lines by states and lists these fall back to.
    LineWalk(Executor& executor, Referee& referee);

    // As Executor says.
    Next first(PositionBuffer& here, PositionBuffer& there);
    Next next(PositionBuffer& here, PositionBuffer& there) {
        return here.listed ? executor_.Executor::next(here, there) : step(walk_.next[here.mover], here, there);
    }
    Next successors(PositionBuffer& here, PositionBuffer& there, Positions& out);
    std::uint64_t count_next(PositionBuffer& here, PositionBuffer& there);
    bool walks_by_id() const { return walk_.by_id && !referee_.has_ensure() && referee_.compound() == nullptr; }
    bool more(const PositionBuffer& here) const;
    std::uint64_t move_id(const PositionBuffer& here, const PositionBuffer& there) const;
    NodeKind list(PositionBuffer& here);
    // Whether loud moves can be made as moves of a list. Then lists those that have been found for the position.
    bool lists_loud() const { return lists_sets() && !walk_.loud.empty(); }
    void list_loud(PositionBuffer& here, const FindCode& found);
    Next make(PositionBuffer& here, std::size_t i, PositionBuffer& there);

    // Whether there are routines. Else the following must not be called.
    bool walks() const { return !walk_.first.empty(); }
    std::uint32_t line_words() const { return referee_.state_words(); }
    const std::uint64_t* words(PositionBuffer& here) const;
    void begin(std::span<const std::uint64_t> words, PositionBuffer& here) const;
    void pack(const PositionBuffer& here, State& out) const;
    // The position into the frame.
    void enter(PositionBuffer& here);

private:
    void make_words(PositionBuffer& here) const;
    void need_words(PositionBuffer& here) const;
    void judge(PositionBuffer& here, std::int32_t clause) const;
    Next step(Entry entry, PositionBuffer& here, PositionBuffer& there);
    Next other_result(std::int32_t result, PositionBuffer& here, PositionBuffer& there);
    Next step_failed(PositionBuffer& here, PositionBuffer& there);
    Next stuck(PositionBuffer& here, PositionBuffer& there);
    Next make_rest(PositionBuffer& here, PositionBuffer& there, Positions& out);
    bool lists_sets() const;
    void pick_from_sets(PositionBuffer& here, const PositionBuffer& after_first) const;

    Executor& executor_;
    Referee& referee_;
    // Fixed at construction, so that a step does not ask the referee for them.
    const WalkCode& walk_;
    std::uint64_t* const frame_;
    const std::int32_t first_stuck_end_;
    const bool ends_ask_stuck_;
    // Successors that no end clause holds for can be skipped: they are neither terminal for want of moves nor chance
    // nodes.
    const bool may_skip_;
    PositionBuffer after_first_; // list() makes one of the moves
};

} // namespace zug::run
