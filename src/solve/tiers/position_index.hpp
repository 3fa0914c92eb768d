#pragma once
// Position indices: the numbers of a tier's positions, by ascending key; and adjacency lists over them.

#include "solve/parallel/groups.hpp"
#include "solve/parallel/worker_pool.hpp"
#include "solve/storage/column_file.hpp"
#include "solve/storage/key_set.hpp"
#include "solve/storage/scratch.hpp"

namespace zug::solve {

using PositionIndex = std::uint32_t; // of a position in its tier, by ascending key

// An error: a tier with moves inside it has more positions than a position index can number.
tl::expected<void, Error> check_position_count(std::uint64_t positions);

// Finds the index of a key: with a hash table of 18 bytes a position, or by merging with the sorted keys of the tier.
class PositionFinder {
public:
    PositionFinder(const PackedKeys& keys, bool has_table);

    using Buffer = std::vector<KeyQuery>;
    // indices[i] becomes that of keys[i], which the tier holds. Without a table, large batches cost less a key.
    void find(std::span<const Key> keys, std::vector<PositionIndex>& indices, Buffer& buffer) const;

private:
    const PackedKeys& keys_;
    ResultTable<PositionIndex> table_; // empty: there is none
};

// A list of position indices for each position. Bytes: 4 a list and 4 an entry.
class AdjacencyLists {
public:
    AdjacencyLists() = default;
    // With space for so many lists that have so many entries together.
    AdjacencyLists(Scratch& scratch, std::size_t lists, std::uint64_t entries);
    // Reserves lists with so many entries each: whole blocks of them (block_keys) from list `first` on, or up to the
    // last list; `begin` entries precede them. Returns the memory to fill, one list after the other. Thread-safe for
    // disjoint lists.
    std::span<PositionIndex> put(std::size_t first, std::uint64_t begin, std::span<const std::uint32_t> counts);

    std::size_t size() const { return first_.size(); }
    std::uint64_t entries() const { return entries_.size(); }
    // All arrays, for checkpoints (array_file.hpp).
    template <class Arrays>
    void visit(Arrays& arrays) {
        arrays(first_of_block_);
        arrays(first_);
        arrays(entries_);
    }
    std::span<const PositionIndex> of(PositionIndex index) const {
        const std::size_t block = index / block_keys;
        const bool last = index + 1 == size() || (index + 1) % block_keys == 0;
        const std::uint64_t from = first_of_block_[block] + first_[index];
        const std::uint64_t to = last ? first_of_block_[block + 1] : first_of_block_[block] + first_[index + 1];
        return entries_.slice(from, to - from);
    }

private:
    std::vector<std::uint64_t> first_of_block_; // of each block's lists; and the end
    Array<std::uint32_t> first_;                // of each list, from its block's first
    Array<PositionIndex> entries_;
};

struct Edge {
    PositionIndex to, from;
};

// Reverses edges: from edges in the order of their sources to the list of sources of each target. Edges are partitioned
// by ranges of targets, and each range is sorted by itself (counting sort), by one of the threads.
class Reversal {
public:
    // For so many positions, and about so many moves.
    Reversal(Scratch& scratch, WorkerPool& threads, std::size_t indices, std::uint64_t moves);
    // Partitions moves into the groups that add() takes. Thread-safe.
    void group(std::span<const Edge> edges, Groups<Edge>& batch) const {
        batch.make(edges, groups_.size(), [&](const Edge& edge) { return edge.to >> group_bits_; });
    }
    // By one thread, in the order of the sources.
    void add(std::span<const Groups<Edge>> batches);
    // Once. The lists are meaningless after an I/O error.
    AdjacencyLists finish();

private:
    void reverse(std::size_t group, std::uint64_t begin, AdjacencyLists& lists);

    Scratch& scratch_;
    WorkerPool& threads_;
    const std::size_t positions_;
    unsigned group_bits_ = 10; // a group has 2^group_bits_ positions: whole blocks
    std::vector<ColumnFile<Edge>> groups_;
};

} // namespace zug::solve
