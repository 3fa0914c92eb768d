#pragma once
// Positions of a tier by the ply at which something happens to them, and the way through them: ply by ply, in each from
// the first place to the last, and from what is taken to those that lead there, in the order of their places, too. So
// arrays by place are gone through in order, which files need, and memory likes better than leaps.
//
// Bytes: 2 a position, or 4, in the tier's scratch; and in memory the places that are put in order together.

#include "solve/places.hpp"

#include <boost/sort/spreadsort/integer_sort.hpp>

#include <algorithm>
#include <functional>
#include <limits>

namespace zug::solve {

// Ply: an unsigned number.
template <class Ply>
class Agenda {
public:
    // `before`: who leads to each place. `rests` is asked now and then whether to stop, at points of rest: when all
    // that was taken has reached those that lead there, so that who waits, and what the caller keeps, is the whole
    // state.
    Agenda(const PlaceLists& before, Scratch& scratch, const std::function<bool()>& rests)
        : before_(before), scratch_(scratch), rests_(rests), due_(scratch.of_positions<Ply>(before.size())),
          soonest_((before.size() + row - 1) / row),
          most_together_(std::clamp<std::size_t>(scratch.free() / 8 / sizeof(Place), 1 << 10, 1 << 18)) {}

    // Nothing waits any more.
    void clear() {
        for (std::size_t r = 0; r < soonest_.size(); ++r) {
            std::ranges::fill(due_.row(r * row, row), never);
            soonest_[r] = never;
            scratch_.look();
        }
    }
    // Who waits, for checkpoints (array_file.hpp); restored() comes after it was read.
    template <class Arrays>
    void visit(Arrays& arrays) {
        arrays(due_);
    }
    void restored() {
        for (std::size_t r = 0; r < soonest_.size(); ++r) {
            soonest_[r] = std::ranges::min(due_.row(r * row, row));
            scratch_.look();
        }
    }
    // If the position waits already the sooner ply counts. Plies beyond the last that has a number count as that one.
    void add(std::uint32_t ply, Place place) {
        const auto own = static_cast<Ply>(std::min<std::uint32_t>(ply, never - 1));
        if (due_[place] <= own) return;
        due_[place] = own;
        Ply& soonest = soonest_[place / row];
        soonest = std::min(soonest, own);
    }
    // Takes positions in the order of the plies, also what is added meanwhile for a later one:
    //   take(ply, places): some of those of a ply, ascending;
    //   pass(place): what they pass on to those who lead there, after that;
    //   reach(ply, place, passed on): for each move to them from elsewhere, some time before the next ply.
    // False: it was asked to stop.
    template <class Take, class Pass, class Reach>
    bool run(Take&& take, Pass&& pass, Reach&& reach) {
        std::vector<Reached<std::invoke_result_t<Pass, Place>>> reached;
        const auto go_on = [&](std::uint32_t ply) {
            take(ply, std::span<const Place>(taken_));
            for (const Place place : taken_) {
                for (const Place from : before_.of(place)) reached.push_back({from, pass(place)});
                if (reached.size() >= most_together_) reach_all(ply, reached, reach);
                scratch_.look();
            }
            taken_.clear();
            if (since_rest_ < batches_between_rests * most_together_) return true;
            reach_all(ply, reached, reach);
            return !rests();
        };
        for (Ply ply = next(); !rests(); ply = next()) {
            if (ply == never) return true;
            for (std::size_t r = 0; r < soonest_.size(); ++r) {
                if (soonest_[r] == ply) take_row(r, ply);
                if (taken_.size() >= most_together_ && !go_on(ply)) return false;
            }
            if (!go_on(ply)) return false;
            reach_all(ply, reached, reach);
        }
        return false;
    }

private:
    template <class Passed>
    struct Reached {
        Place place;
        [[no_unique_address]] Passed passed;
    };

    static constexpr Ply never = std::numeric_limits<Ply>::max();
    static constexpr std::size_t row = 256; // places
    static constexpr std::uint64_t batches_between_rests = 4;

    Ply next() const { return soonest_.empty() ? never : std::ranges::min(soonest_); }

    // Adds those of the row to `taken_` that wait for this ply, which is the soonest there; they don't wait any more.
    void take_row(std::size_t r, Ply ply) {
        const std::span<Ply> dues = due_.row(r * row, row);
        Ply soonest = never;
        for (const Ply due : dues) soonest = std::min(soonest, due == ply ? never : due);
        for (std::size_t i = 0; i < dues.size(); ++i) {
            if (dues[i] != ply) continue;
            taken_.push_back(static_cast<Place>(r * row + i));
            dues[i] = never;
        }
        soonest_[r] = soonest;
        scratch_.look();
    }

    template <class Passed, class Reach>
    void reach_all(std::uint32_t ply, std::vector<Reached<Passed>>& reached, Reach& reach) {
        boost::sort::spreadsort::integer_sort(
            reached.begin(), reached.end(), [](const auto& r, unsigned bits) { return r.place >> bits; },
            [](const auto& a, const auto& b) { return a.place < b.place; });
        for (const auto& [place, passed] : reached) {
            reach(ply, place, passed);
            scratch_.look();
        }
        since_rest_ += reached.size();
        reached.clear();
    }

    bool rests() {
        since_rest_ = 0;
        return rests_();
    }

    const PlaceLists& before_;
    Scratch& scratch_;
    const std::function<bool()>& rests_;
    Array<Ply> due_;
    std::vector<Ply> soonest_; // of each row
    std::vector<Place> taken_;
    const std::size_t most_together_;
    std::uint64_t since_rest_ = 0;
};

// What passes nothing on.
struct Nothing {};
inline Nothing pass_nothing(Place) { return {}; }

} // namespace zug::solve
