#pragma once
// The moves that stay in a tier, in both directions: for an order in which its positions can be solved one after the
// other as far as no circle is in the way, a position when all its successors are known (A. Kahn, Topological sorting
// of large networks, 1962).
//
// Bytes: 8 a position and 8 a move inside the tier; while they are found, 18 a position where that is in memory, and 8
// a move. In files where memory has no room (scratch.hpp).

#include "solve/agenda.hpp"
#include "solve/space.hpp"

namespace zug::solve {

class TierGraph {
public:
    // An error: a rule's fault, files, or `stopped`. `stops` is asked now and then.
    static tl::expected<TierGraph, game::Error> of(Crew& crew, const PositionCode& code, const Tier& tier,
                                                   const Means& means, Scratch& scratch,
                                                   const std::function<bool()>& stops);

    std::size_t size() const { return after_.size(); }
    // Where the moves of a position lead that stay in the tier, in their order.
    std::span<const Place> after(Place place) const { return after_.of(place); }
    const PlaceLists& before() const { return before_; }

    // Takes positions after their successors in the tier: take(generation, places), ascending, some of those at once
    // whose successors were all in earlier generations. False: it was asked to stop.
    template <class Take>
    bool in_order(Scratch& scratch, const std::function<bool()>& stops, Take&& take);
    // Whether in_order() could not take it: it is on a circle, or leads into one.
    bool circles(Place place) const { return open_[place] != 0; }
    // One on a circle, if there are any.
    std::optional<Place> on_circle() const;

private:
    PlaceLists after_, before_;
    Array<std::uint32_t> open_; // successors in the tier that are not taken
};

template <class Take>
bool TierGraph::in_order(Scratch& scratch, const std::function<bool()>& stops, Take&& take) {
    Agenda<std::uint32_t> agenda(before_, scratch, stops);
    if (scratch.work().trouble().any()) return true; // which the caller finds
    agenda.clear();
    for (Place i = 0; i < size(); ++i) {
        open_[i] = static_cast<std::uint32_t>(after_.of(i).size());
        if (open_[i] == 0) agenda.add(0, i);
        if (i % block_keys == 0) scratch.look();
    }
    return agenda.run(take, pass_nothing, [&](std::uint32_t ply, Place from, Nothing) {
        if (--open_[from] == 0) agenda.add(ply + 1, from);
    });
}

} // namespace zug::solve
