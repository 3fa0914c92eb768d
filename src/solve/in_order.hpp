#pragma once
// The positions of a tier in an order in which all successors are known, as loops.hpp describes it. Internal to
// loops.cpp.

#include "solve/agenda.hpp"
#include "solve/loops.hpp"

namespace zug::solve {

inline constexpr std::string_view circle_found = "there is a circle";

class InOrder {
public:
    InOrder(const TierMoves& moves, const TierWork& work, Array<Result>& results, const std::function<bool()>& rests)
        : moves_(moves), crew_(work.crew), outcomes_(work.outcomes), results_(results),
          open_(work.scratch.of_positions<std::uint32_t>(moves.size())),
          flags_(work.scratch.of_positions<std::uint8_t>(moves.size())),
          agenda_(moves.before(), work.crew, work.scratch, rests) {}

    // Empty, or what is wrong; `circle_found` where play goes round in one.
    std::string run() {
        if (!course_.is_listed) list();
        const bool ran = agenda_.run(
            [&](std::size_t, std::uint32_t, std::span<const Place> places) {
                course_.done += places.size();
                for (const Place i : places) settle(i);
            },
            [&](Place i) { return results_[i]; },
            [&](std::uint32_t ply, Place from, Result result) {
                offer(from, result);
                if (--open_[from] == 0) agenda_.add(ply + 1, from);
            },
            end_nothing);
        if (!ran) return std::string(stopped);
        if (course_.too_long) return too_long(outcomes_);
        return course_.done == results_.size() ? "" : std::string(circle_found);
    }

    // As those of Retrograde.
    template <class Arrays>
    void visit(Arrays& arrays) {
        arrays(results_);
        arrays(open_);
        arrays(flags_);
        agenda_.visit(arrays);
    }
    LoopState::Progress progress() const { return course_.progress(); }
    void restored(const LoopState::Progress& progress) {
        course_.restore(progress);
        agenda_.restored();
    }

private:
    void list() {
        agenda_.clear();
        moves_.scan(crew_, [&](Place i, const TierMoves::Exits& exits) {
            open_[i] = exits.inner;
            for (const Result result : exits.results) offer(i, result);
            if (exits.is_end) {
                results_[i] = exits.ended;
                flags_[i] = End;
            }
            if (open_[i] == 0) agenda_.add(0, i);
        });
    }
    // The best of the successors' results that are known.
    void offer(Place i, Result result) {
        const std::uint32_t mover = moves_.mover(i);
        if (flags_[i] != Known || outcomes_.preference(mover, result) > outcomes_.preference(mover, results_[i]))
            results_[i] = result;
        flags_[i] = Known;
    }
    void settle(Place i) {
        if (flags_[i] == End) return;
        if (outcomes_.remoteness(results_[i]) == outcomes_.most_remoteness())
            course_.too_long = true;
        else
            ++results_[i];
    }

    enum Flag : std::uint8_t { Open, Known, End };

    const TierMoves& moves_;
    Crew& crew_;
    const Outcomes& outcomes_;
    Array<Result>& results_;
    Array<std::uint32_t> open_; // successors in the tier that are not known
    Array<std::uint8_t> flags_;
    Agenda<std::uint16_t> agenda_;
    Course course_; // done: positions
};

} // namespace zug::solve
