#pragma once
// The moves that stay in a tier, and the order in which its positions can be solved one after the other as far as no
// circle is in the way: a position is taken when all its successors are known (A. Kahn, Topological sorting of large
// networks, 1962).
//
// Memory: 8 bytes a move inside the tier and some 40 a position of it.

#include "solve/key_set.hpp"
#include "solve/space.hpp"

namespace zug::solve {

using Place = std::uint32_t; // of a position in its tier, by ascending key

class TierGraph {
public:
    // What it and solving the tier take at most.
    static std::uint64_t most_bytes(std::uint64_t positions, std::uint64_t moves) {
        return 150 * positions + 32 * moves;
    }
    // An error: a rule's fault.
    static tl::expected<TierGraph, game::Error> of(Crew& crew, const PositionCode& code, const Tier& tier);

    std::size_t size() const { return keys_.size(); }
    Key key(Place place) const { return keys_[place]; }
    // Of a key of the tier.
    Place place(Key key) const { return index_.at(index_.place(key), key); }

    // All positions that no circle can be reached from inside the tier, each in a generation after those of its
    // successors in the tier.
    std::size_t generations() const { return ends_.size(); }
    std::span<const Place> generation(std::size_t i) const {
        const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
        return std::span(order_).subspan(begin, ends_[i] - begin);
    }
    // The others, ascending.
    const std::vector<Place>& circling() const { return circling_; }
    // One of those, to which play can come back.
    Place on_circle() const;

private:
    void put_in_order();

    std::vector<Key> keys_;
    ResultTable<Place> index_;
    std::vector<std::uint64_t> first_; // of a position's moves; one more than positions
    std::vector<Place> to_;
    std::vector<Place> order_, circling_;
    std::vector<std::size_t> ends_; // of the generations in order_
};

} // namespace zug::solve
