#pragma once
// Positions of a tier by the ply at which something happens to them, and the way through them: ply by ply, and from
// what is taken to those that lead there. All threads work on a ply, in two steps that take turns:
//
// - each thread takes positions that are due, a unit of neighbours at a time, and notes whom it reaches from there;
// - all that is reached is dealt with by ranges of places, what lies in one of them by one thread.
//
// So no two threads ever touch what belongs to the same place, and arrays by place are gone through nearly in order,
// which files need, and memory likes better than leaps. In which order a ply's positions are taken and reached depends
// on how the threads happen to run; what comes of it must not. What is little work is done by the calling thread alone.
//
// Bytes: 2 a position, or 4, in the tier's scratch; and in memory twice what each thread notes, at most 2^18 places
// with what is passed on to them, or an eighth of the scratch's memory among all.

#include "solve/parallel/groups.hpp"
#include "solve/parallel/worker_pool.hpp"
#include "solve/tiers/position_index.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace zug::solve {

// Ply: an unsigned number.
template <class Ply>
class BucketQueue {
public:
    // `before`: who leads to each place. `rests` is asked now and then whether to stop, at points of rest: when all
    // that was taken has reached those that lead there, so that who waits, and what the caller keeps, is the whole
    // state.
    BucketQueue(const PlaceLists& before, WorkerPool& threads, Scratch& scratch, const std::function<bool()>& rests)
        : before_(before), threads_(threads), scratch_(scratch), rests_(rests),
          due_(scratch.of_positions<Ply>(before.size())), soonest_((before.size() + row - 1) / row, never) {
        while ((before.size() >> range_bits_) >= most_ranges) ++range_bits_;
        ranges_ = (before.size() >> range_bits_) + 1;
    }

    // Nothing waits any more.
    void clear() {
        threads_.share(units(), [&](std::size_t, std::size_t u) {
            std::ranges::fill(due_.row(u * unit, unit), never);
            scratch_.look();
        });
        std::ranges::fill(soonest_, never);
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
    // By any number of threads, each for other blocks of places (block_keys).
    void add(std::uint32_t ply, Place place) {
        const auto own = static_cast<Ply>(std::min<std::uint32_t>(ply, never - 1));
        if (due_[place] <= own) return;
        due_[place] = own;
        Ply& soonest = soonest_[place / row];
        soonest = std::min(soonest, own);
    }
    // Takes all positions in the order of the plies, also what is added meanwhile for a later one, so that nothing
    // waits in the end:
    //   take(thread, ply, places): some of those of a ply, ascending, all in one block of places;
    //   pass(place): what they pass on to those who lead there, by the same thread after that;
    //   reach(ply, place, passed on): for each move to them from elsewhere, some time before the next ply; by any
    //     thread, but all of a block of places by one, and while nothing is taken;
    //   end(ply): all positions of the ply have been taken, and all that lead there reached; by the calling thread.
    // False: it was asked to stop.
    template <class Take, class Pass, class Reach, class End>
    bool run(Take&& take, Pass&& pass, Reach&& reach, End&& end) {
        using Passed = std::invoke_result_t<Pass, Place>;
        std::vector<Room<Passed>> rooms(threads_.size());
        const std::uint64_t bytes = scratch_.free() / 8 / threads_.size();
        const std::size_t most = std::clamp<std::size_t>(bytes / (2 * sizeof(Reached<Passed>)), 1 << 9, 1 << 18);
        for (Ply ply = next(); !rests(rooms); ply = next()) {
            if (ply == never) return true;
            find_units(ply);
            const auto turn = [&](bool goes_on) {
                const auto part = [&](std::size_t thread, std::size_t steps) {
                    Limits limits{most, steps, goes_on};
                    gather(
                        rooms[thread], limits, [&](const auto& places) { take(thread, ply, places); }, pass);
                };
                part(0, few_steps);
                if (has_open(rooms) || (goes_on && has_units()))
                    threads_.run([&](std::size_t thread) { part(thread, SIZE_MAX); });
                deliver(rooms, [&](const Reached<Passed>& reached) { reach(ply, reached.place, reached.passed); });
            };
            while (has_units() || has_open(rooms)) {
                turn(true);
                if (steps_since_rest(rooms) < turns_between_rests * most * rooms.size()) continue;
                while (has_open(rooms)) turn(false);
                if (has_units() && rests(rooms)) return false;
            }
            end(ply);
        }
        return false;
    }

private:
    template <class Passed>
    struct Reached {
        Place place;
        [[no_unique_address]] Passed passed;
    };
    // What a thread has taken, and reached from there.
    template <class Passed>
    struct Room {
        std::vector<Place> taken;
        std::size_t next = 0; // of them to be gone on from
        std::vector<Reached<Passed>> reached;
        Groups<Reached<Passed>> by_range;
        std::size_t steps = 0; // of work since the last point of rest
    };

    static constexpr Ply never = std::numeric_limits<Ply>::max();
    static constexpr std::size_t row = 256, unit = block_keys; // places
    static constexpr std::size_t most_ranges = 1024;
    static constexpr std::size_t few_steps = 1 << 12; // which are done before other threads would have begun
    static constexpr std::size_t steps_of_a_row = 16;
    static constexpr std::size_t turns_between_rests = 4; // full ones
    static constexpr std::size_t together = 16;           // places whose lists are looked at
    static constexpr std::uint64_t bytes_of_a_reach = 16; // in arrays by place, about

    std::size_t units() const { return (due_.size() + unit - 1) / unit; }
    Ply next() const { return soonest_.empty() ? never : std::ranges::min(soonest_); }

    // With something due at this ply.
    void find_units(Ply ply) {
        units_.clear();
        next_unit_ = 0;
        for (std::size_t r = 0; r < soonest_.size(); ++r)
            if (soonest_[r] == ply && (units_.empty() || units_.back() != r / (unit / row)))
                units_.push_back(static_cast<std::uint32_t>(r / (unit / row)));
        ply_ = ply;
    }

    bool has_units() const { return next_unit_ < units_.size(); }
    // Something is taken and has not reached all that lead there.
    template <class Passed>
    static bool has_open(const std::vector<Room<Passed>>& rooms) {
        return std::ranges::any_of(rooms, [](const auto& room) { return room.next < room.taken.size(); });
    }

    // A thread's turn ends when so many are reached, or so many steps are done; it takes more, or goes on from what it
    // has taken only.
    struct Limits {
        std::size_t reached, steps;
        bool takes;
    };
    template <class Passed, class Take, class Pass>
    void gather(Room<Passed>& room, const Limits& limits, Take&& take, Pass&& pass) {
        for (std::size_t done = 0;;) {
            for (; room.next < room.taken.size(); ++room.next) {
                if (room.reached.size() >= limits.reached || done >= limits.steps) return;
                if (room.next % together == 0) look_at_lists(std::span(room.taken).subspan(room.next));
                const Place place = room.taken[room.next];
                const std::span<const Place> before = before_.of(place);
                const Passed passed = pass(place);
                for (const Place from : before) room.reached.push_back({from, passed});
                done += before.size();
                room.steps += before.size();
            }
            room.taken.clear();
            room.next = 0;
            if (!limits.takes || done >= limits.steps) return;
            const std::size_t next = next_unit_++;
            if (next >= units_.size()) return;
            take_unit(units_[next], room.taken);
            take(std::span<const Place>(room.taken));
            done += room.taken.size() + steps_of_a_row;
            room.steps += room.taken.size();
        }
    }

    void look_at_lists(std::span<const Place> places) {
        if (!scratch_.moves_in_files()) return;
        const std::size_t count = std::min(together, places.size());
        const auto bytes = before_.of(places[count - 1]).end() - before_.of(places.front()).begin();
        scratch_.look(std::min<std::uint64_t>(count, Scratch::pages(sizeof(Place) * static_cast<std::size_t>(bytes))));
    }

    // Those of the unit that wait for this ply, which is the soonest there; they don't wait any more.
    void take_unit(std::size_t u, std::vector<Place>& taken) {
        for (std::size_t r = u * (unit / row); r < std::min((u + 1) * (unit / row), soonest_.size()); ++r)
            if (soonest_[r] == ply_) take_row(r, taken);
        scratch_.look(2);
    }
    void take_row(std::size_t r, std::vector<Place>& taken) {
        const std::span<Ply> dues = due_.row(r * row, row);
        Ply soonest = never;
        for (const Ply due : dues) soonest = std::min(soonest, due == ply_ ? never : due);
        for (std::size_t i = 0; i < dues.size(); ++i) {
            if (dues[i] != ply_) continue;
            taken.push_back(static_cast<Place>(r * row + i));
            dues[i] = never;
        }
        soonest_[r] = soonest;
    }

    // Calls reach(reached) of all that the threads have noted.
    template <class Passed, class Reach>
    void deliver(std::vector<Room<Passed>>& rooms, Reach&& reach) {
        std::size_t all = 0;
        for (const auto& room : rooms) all += room.reached.size();
        const std::size_t most = all < few_steps ? 1 : SIZE_MAX; // threads
        threads_.share(
            rooms.size(),
            [&](std::size_t, std::size_t i) {
                rooms[i].by_range.make(rooms[i].reached, ranges_,
                                       [&](const Reached<Passed>& r) { return r.place >> range_bits_; });
                rooms[i].reached.clear();
            },
            most);
        threads_.share(
            ranges_,
            [&](std::size_t, std::size_t range) {
                for (const auto& room : rooms) {
                    const auto own = room.by_range.of(range);
                    for (const Reached<Passed>& reached : own) reach(reached);
                    const std::uint64_t pages = Scratch::pages(bytes_of_a_reach << range_bits_);
                    scratch_.look(2 * std::min<std::uint64_t>(own.size(), pages));
                }
            },
            most);
    }

    template <class Passed>
    static std::size_t steps_since_rest(const std::vector<Room<Passed>>& rooms) {
        std::size_t steps = 0;
        for (const auto& room : rooms) steps += room.steps;
        return steps;
    }
    template <class Passed>
    bool rests(std::vector<Room<Passed>>& rooms) {
        for (auto& room : rooms) room.steps = 0;
        return rests_();
    }

    const PlaceLists& before_;
    WorkerPool& threads_;
    Scratch& scratch_;
    const std::function<bool()>& rests_;
    Array<Ply> due_;
    std::vector<Ply> soonest_; // of each row
    unsigned range_bits_ = 10; // a range has so many places as this power of two: whole blocks
    std::size_t ranges_ = 0;
    Ply ply_ = never;                  // that is taken
    std::vector<std::uint32_t> units_; // of it
    std::atomic<std::size_t> next_unit_ = 0;
};

// What passes nothing on, and what does nothing at the end of a ply.
struct Nothing {};
inline Nothing pass_nothing(Place) { return {}; }
inline void end_nothing(std::uint32_t) {}

} // namespace zug::solve
