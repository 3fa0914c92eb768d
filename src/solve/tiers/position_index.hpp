#pragma once
// Where positions stand in a tier that is worked on at once, and lists of such places: where the moves of each lead
// that stay in the tier, or which positions lead to each.

#include "solve/parallel/groups.hpp"
#include "solve/parallel/worker_pool.hpp"
#include "solve/storage/column_file.hpp"
#include "solve/storage/key_set.hpp"
#include "solve/storage/scratch.hpp"

namespace zug::solve {

using Place = std::uint32_t; // of a position in its tier, by ascending key

// An error: a tier that is worked on at once has more positions than there are places.
tl::expected<void, Error> check_places(std::uint64_t positions);

// From keys to places: with a table, which takes 18 bytes a position, or by going through the keys of the tier.
class PlaceFinder {
public:
    PlaceFinder(const PackedKeys& keys, bool has_table);

    using Room = std::vector<KeyQuery>;
    // places[i] is that of keys[i], which the tier has. Without a table it is better to ask about many together.
    void find(std::span<const Key> keys, std::vector<Place>& places, Room& room) const;

private:
    const PackedKeys& keys_;
    ResultTable<Place> table_; // empty: there is none
};

// A list of places for each place. Bytes: 4 a place and 4 an entry.
class PlaceLists {
public:
    PlaceLists() = default;
    // Room for so many lists with so many entries together.
    PlaceLists(Scratch& scratch, std::size_t lists, std::uint64_t entries);
    // Lists of so many entries each: those of whole blocks (block_keys) from `first` on, or up to the last list. Before
    // them there are `begin` entries in all. Gives where these are to be put, one list after the other. Any number of
    // threads, each for lists of its own.
    std::span<Place> put(std::size_t first, std::uint64_t begin, std::span<const std::uint32_t> counts);

    std::size_t size() const { return first_.size(); }
    std::uint64_t entries() const { return entries_.size(); }
    // All of it, for checkpoints (array_file.hpp).
    template <class Arrays>
    void visit(Arrays& arrays) {
        arrays(first_of_block_);
        arrays(first_);
        arrays(entries_);
    }
    std::span<const Place> of(Place place) const {
        const std::size_t block = place / block_keys;
        const bool last = place + 1 == size() || (place + 1) % block_keys == 0;
        const std::uint64_t from = first_of_block_[block] + first_[place];
        const std::uint64_t to = last ? first_of_block_[block + 1] : first_of_block_[block] + first_[place + 1];
        return entries_.row(from, to - from);
    }

private:
    std::vector<std::uint64_t> first_of_block_; // of each block's lists; and the end
    Array<std::uint32_t> first_;                // of each list, from its block's first
    Array<Place> entries_;
};

struct Edge {
    Place to, from;
};

// From moves in the order of where they come from to lists of where those come from that lead to a place. Moves are
// gathered by groups of places that they lead to, each of which is put in order by itself, by one of the threads.
class Reversal {
public:
    // Of so many places, and about so many moves.
    Reversal(Scratch& scratch, WorkerPool& threads, std::size_t places, std::uint64_t moves);
    // Puts moves into groups, which add() takes. Any number of threads.
    void group(std::span<const Edge> edges, Groups<Edge>& batch) const {
        batch.make(edges, groups_.size(), [&](const Edge& edge) { return edge.to >> group_bits_; });
    }
    // By one thread, in the order of where the moves come from.
    void add(std::span<const Groups<Edge>> batches);
    // Once. It is of no use if there was trouble with files.
    PlaceLists finish();

private:
    void reverse(std::size_t group, std::uint64_t begin, PlaceLists& lists);

    Scratch& scratch_;
    WorkerPool& threads_;
    const std::size_t places_;
    unsigned group_bits_ = 10; // a group has so many places as this power of two: whole blocks
    std::vector<ColumnFile<Edge>> groups_;
};

} // namespace zug::solve
