#pragma once
// Retrograde analysis of a tier (cyclic_tier.hpp): goal by goal, and ply by ply. Internal to cyclic_tier.cpp.

#include "solve/retrograde/tier_method.hpp"

#include <algorithm>

namespace zug::solve {

class Retrograde : public TierMethod {
public:
    Retrograde(const TierMoves& moves, const TierWork& work, Array<Result>& results,
               const std::function<bool()>& at_safepoint)
        : TierMethod(moves, work, results, at_safepoint),
          latest_(work.scratch.of_positions<std::uint16_t>(moves.size())) {}

    // Returns an error text, or an empty string.
    std::string run() {
        const std::vector<Goal> goals = all_goals();
        for (; done_ < goals.size(); ++done_)
            if (!spread(goals[done_])) return std::string(stopped);
        if (!value_draws()) return std::string(stopped);
        return too_long_ ? too_long(outcomes_) : "";
    }

    // The state at a safepoint.
    template <class Arrays>
    void visit(Arrays& arrays) {
        TierMethod::visit(arrays);
        arrays(latest_);
    }

private:
    enum Flag : std::uint8_t {
        ForcedByFirst = 1, // a drawn end, by a side
        ForcedBySecond = 2,
        Valued = 4,
        Joined = 8,
    };
    static constexpr unsigned forced = ForcedByFirst | ForcedBySecond;

    bool has(PositionIndex i, unsigned flags) const { return (flags_[i] & flags) != 0; }
    void set_flag(PositionIndex i, unsigned flag) { flags_[i] = static_cast<std::uint8_t>(flags_[i] | flag); }
    void clear_flag(PositionIndex i, unsigned flag) { flags_[i] = static_cast<std::uint8_t>(flags_[i] & ~flag); }

    // The positions to find: those from which the side can reach this utility, the first player's.
    struct Goal {
        std::uint32_t side;
        double utility;
        bool drawn;    // only by an end that the side can force
        bool is_first; // of the side's
    };

    std::vector<Goal> all_goals() const {
        std::vector<Goal> goals;
        for (const std::uint32_t side : {0U, 1U}) {
            const double sign = side == 0 ? 1 : -1;
            std::vector<double> utilities;
            for (std::uint32_t o = 0; o < outcomes_.size(); ++o)
                if (const double utility = outcomes_.utility(o, 0); sign * utility > 0) utilities.push_back(utility);
            std::ranges::sort(utilities, [&](double a, double b) { return sign * a > sign * b; });
            for (const double utility : utilities)
                goals.push_back({side, utility, false, utility == utilities.front()});
            goals.push_back({side, 0, true, utilities.empty()});
        }
        return goals;
    }

    // Whether the side whose goal it is has the move.
    bool decides(PositionIndex i) const { return outcomes_.side(moves_.mover(i)) == side_; }

    void begin_side() {
        moves_.scan(pool_, [&](PositionIndex i, const TierMoves::Exits& exits) {
            clear_flag(i, Joined);
            open_[i] = exits.inner + static_cast<std::uint32_t>(exits.results.size());
        });
    }

    bool reaches(Result result, const Goal& goal) const {
        const std::uint32_t outcome = outcomes_.outcome(result);
        if (goal.drawn) return outcomes_.is_drawn(outcome) && (outcomes_.forced_by(outcome) >> side_ & 1) != 0;
        return outcomes_.utility(outcome, 0) == goal.utility;
    }

    void list(const Goal& goal) {
        if (goal.is_first) begin_side();
        queue_.clear();
        moves_.scan(pool_, [&](PositionIndex i, const TierMoves::Exits& exits) {
            if (!has(i, Joined)) list_by_exits(i, exits, goal);
        });
    }

    // As run(): false where it is stopped.
    bool spread(const Goal& goal) {
        side_ = goal.side;
        if (!std::exchange(is_queued_, false)) list(goal);
        return queue_.run(
            [&](std::size_t, std::uint32_t ply, std::span<const PositionIndex> indices) {
                for (const PositionIndex i : indices) join(i, ply, goal);
            },
            pass_nothing,
            [&](std::uint32_t ply, PositionIndex from, Nothing) {
                if (has(from, Joined)) return;
                if (decides(from))
                    queue_.add(ply + 1, from);
                else if (--open_[from] == 0)
                    queue_.add(std::max<std::uint32_t>(ply, latest_[from]) + 1, from);
            },
            end_nothing);
    }

    void list_by_exits(PositionIndex i, const TierMoves::Exits& exits, const Goal& goal) {
        if (exits.is_end) {
            if (reaches(exits.ended, goal)) queue_.add(0, i);
            return;
        }
        std::uint32_t count = 0, soonest = UINT32_MAX, latest = 0;
        for (const Result result : exits.results) {
            if (!reaches(result, goal)) continue;
            ++count;
            soonest = std::min(soonest, outcomes_.remoteness(result));
            latest = std::max(latest, outcomes_.remoteness(result));
        }
        latest_[i] = static_cast<std::uint16_t>(latest);
        if (count == 0) return;
        open_[i] -= count;
        if (decides(i))
            queue_.add(soonest + 1, i);
        else if (open_[i] == 0)
            queue_.add(latest + 1, i);
    }

    void join(PositionIndex i, std::uint32_t ply, const Goal& goal) {
        set_flag(i, Joined);
        if (goal.drawn)
            set_flag(i, side_ == 0 ? ForcedByFirst : ForcedBySecond);
        else
            set(i, goal.utility, ply);
    }

    void set(PositionIndex i, double utility, std::uint32_t ply) {
        if (ply > outcomes_.most_remoteness()) too_long_ = true;
        std::uint32_t outcome = 0;
        while (outcomes_.utility(outcome, 0) != utility) ++outcome;
        results_[i] = outcomes_.pack(outcome, std::min(ply, outcomes_.most_remoteness()));
        set_flag(i, Valued);
    }

    // Positions that nobody wins: the plies to a drawn end if one can be forced, both sides cooperating.
    bool value_draws() {
        if (!std::exchange(is_queued_, false)) list_draws();
        return queue_.run(
            [&](std::size_t, std::uint32_t ply, std::span<const PositionIndex> indices) {
                for (const PositionIndex i : indices) value_draw(i, ply);
            },
            pass_nothing,
            [&](std::uint32_t ply, PositionIndex from, Nothing) {
                if (!has(from, Valued | Joined) && has(from, forced)) queue_.add(ply + 1, from);
            },
            end_nothing);
    }

    void list_draws() {
        queue_.clear();
        moves_.scan(pool_, [&](PositionIndex i, const TierMoves::Exits& exits) {
            clear_flag(i, Joined);
            if (has(i, Valued)) return;
            results_[i] = outcomes_.repetition();
            if (!has(i, forced)) return;
            if (exits.is_end) queue_.add(0, i);
            for (const Result result : exits.results)
                if (const auto outcome = outcomes_.outcome(result);
                    outcomes_.is_drawn(outcome) && !outcomes_.is_repetition(outcome))
                    queue_.add(outcomes_.remoteness(result) + 1, i);
        });
    }

    void value_draw(PositionIndex i, std::uint32_t ply) {
        set_flag(i, Joined);
        if (ply > outcomes_.most_remoteness()) too_long_ = true;
        results_[i] = outcomes_.pack(outcomes_.drawn(flags_[i] & forced), std::min(ply, outcomes_.most_remoteness()));
    }

    Array<std::uint16_t> latest_; // the largest remoteness of the results outside the tier that have joined
    std::uint32_t side_ = 0;      // of the goal
};

} // namespace zug::solve
