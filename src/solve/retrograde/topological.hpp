#pragma once
// Solves the positions of a tier in topological order (cyclic_tier.hpp). Internal to cyclic_tier.cpp.

#include "solve/retrograde/tier_method.hpp"

namespace zug::solve {

inline constexpr std::string_view cycle_found = "there is a cycle";

class TopologicalOrder : public TierMethod {
public:
    using TierMethod::TierMethod;

    // Returns an error text, or an empty string; `cycle_found` if the moves form a cycle.
    std::string run() {
        if (!is_queued_) list();
        const bool ran = queue_.run(
            [&](std::size_t, std::uint32_t, std::span<const PositionIndex> indices) {
                done_ += indices.size();
                for (const PositionIndex i : indices) finalise(i);
            },
            [&](PositionIndex i) { return results_[i]; },
            [&](std::uint32_t ply, PositionIndex from, Result result) {
                offer(from, result);
                if (--open_[from] == 0) queue_.add(ply + 1, from);
            },
            end_nothing);
        if (!ran) return std::string(stopped);
        if (too_long_) return too_long(outcomes_);
        return done_ == results_.size() ? "" : std::string(cycle_found);
    }

private:
    void list() {
        queue_.clear();
        moves_.scan(pool_, [&](PositionIndex i, const TierMoves::Exits& exits) {
            open_[i] = exits.inner;
            for (const Result result : exits.results) offer(i, result);
            if (exits.is_end) {
                results_[i] = exits.ended;
                flags_[i] = End;
            }
            if (open_[i] == 0) queue_.add(0, i);
        });
    }
    // Keeps the best of the successors' results so far.
    void offer(PositionIndex i, Result result) {
        const std::uint32_t mover = moves_.mover(i);
        if (flags_[i] != Known || outcomes_.preference(mover, result) > outcomes_.preference(mover, results_[i]))
            results_[i] = result;
        flags_[i] = Known;
    }
    void finalise(PositionIndex i) {
        if (flags_[i] == End) return;
        if (outcomes_.remoteness(results_[i]) == outcomes_.most_remoteness())
            too_long_ = true;
        else
            ++results_[i];
    }

    enum Flag : std::uint8_t { Open, Known, End };
};

} // namespace zug::solve
