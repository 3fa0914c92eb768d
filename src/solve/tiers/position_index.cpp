#include "solve/tiers/position_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace zug::solve {

tl::expected<void, Error> check_position_count(std::uint64_t positions) {
    constexpr PositionIndex most =
        std::numeric_limits<PositionIndex>::max() - 1; // so that an index can also be the number of positions
    if (positions <= most) return {};
    return failure(fmt::format("{} positions would have to be solved at once, and {} is the most: "
                               "nothing was found that only ever grows as they are played",
                               positions, most));
}

namespace {

constexpr std::uint64_t least_groups = 64, most_groups = 256;

// Calls each(to, from) for the edges to a range of positions. Others occur only if a file could not be read.
template <class Each>
void each_edge(const ColumnFile<Edge>& edges, std::size_t first, std::size_t indices, std::vector<Edge>& buffer,
               Each&& each) {
    for (std::size_t at = 0; at < edges.size(); at += block_keys)
        for (const Edge& edge : edges.read(at, std::min(block_keys, edges.size() - at), buffer))
            if (edge.to - first < indices) each(edge.to - first, edge.from);
}

} // namespace

PositionFinder::PositionFinder(const PackedKeys& keys, bool has_table) : keys_(keys) {
    if (!has_table) return;
    table_ = ResultTable<PositionIndex>(keys.size());
    std::array<Key, block_keys> buffer;
    PositionIndex index = 0;
    for (std::size_t b = 0; b < keys.blocks(); ++b)
        table_.each_slot(keys.block(b, buffer),
                         [&](std::size_t, Key key, std::size_t slot) { table_.insert(slot, key, index++); });
}

void PositionFinder::find(std::span<const Key> keys, std::vector<PositionIndex>& indices, Buffer& buffer) const {
    indices.resize(keys.size());
    if (table_.bytes() != 0) {
        table_.each_slot(keys, [&](std::size_t i, Key key, std::size_t slot) { indices[i] = table_.at(slot, key); });
        return;
    }
    buffer.clear();
    for (std::size_t i = 0; i < keys.size(); ++i) buffer.push_back({keys[i], i});
    sort(buffer);
    keys_.find(buffer, [&](const KeyQuery& query, std::size_t block, std::size_t i) {
        indices[query.number] = static_cast<PositionIndex>(block * block_keys + i);
    });
}

AdjacencyLists::AdjacencyLists(Scratch& scratch, std::size_t lists, std::uint64_t entries)
    : first_of_block_((lists + block_keys - 1) / block_keys + 1), first_(scratch.of_positions<std::uint32_t>(lists)),
      entries_(scratch.of_moves<PositionIndex>(entries)) {
    first_of_block_.back() = entries;
}

std::span<PositionIndex> AdjacencyLists::put(std::size_t first, std::uint64_t begin,
                                             std::span<const std::uint32_t> counts) {
    std::uint64_t end = begin;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const std::size_t list = first + i, block = list / block_keys;
        if (list % block_keys == 0) first_of_block_[block] = end;
        first_[list] = static_cast<std::uint32_t>(end - first_of_block_[block]);
        end += counts[i];
    }
    return entries_.slice(begin, end - begin);
}

Reversal::Reversal(Scratch& scratch, WorkerPool& threads, std::size_t indices, std::uint64_t moves)
    : scratch_(scratch), threads_(threads), positions_(indices) {
    const std::uint64_t needed = 12 * moves / (scratch.free() / 4 / threads.size() + 1) + 1;
    const std::uint64_t count = std::clamp(needed, least_groups, most_groups);
    while ((indices >> group_bits_) >= count) ++group_bits_;
    for (std::size_t from = 0; from < indices; from += std::size_t{1} << group_bits_)
        groups_.emplace_back(scratch.moves_in_files() ? scratch.work().create_nameless() : nullptr);
}

void Reversal::add(std::span<const Groups<Edge>> batches) {
    threads_.share(groups_.size(), [&](std::size_t, std::size_t g) {
        for (const Groups<Edge>& batch : batches)
            if (const auto edges = batch.of(g); !edges.empty()) groups_[g].append(edges);
    });
}

AdjacencyLists Reversal::finish() {
    std::vector<std::uint64_t> begins;
    std::uint64_t edges = 0;
    for (const ColumnFile<Edge>& group : groups_) begins.push_back(std::exchange(edges, edges + group.size()));
    AdjacencyLists lists(scratch_, positions_, edges);
    threads_.share(groups_.size(), [&](std::size_t, std::size_t g) {
        if (!scratch_.work().io_error().any()) reverse(g, begins[g], lists);
    });
    return lists;
}

void Reversal::reverse(std::size_t g, std::uint64_t begin, AdjacencyLists& lists) {
    const std::size_t first = g << group_bits_, size = std::min(std::size_t{1} << group_bits_, positions_ - first);
    const ColumnFile<Edge> group = std::move(groups_[g]);
    std::vector<Edge> buffer;
    std::vector<std::uint32_t> counts(size), next;
    each_edge(group, first, size, buffer, [&](std::size_t to, PositionIndex) { ++counts[to]; });
    const std::span<PositionIndex> entries = lists.put(first, begin, counts);
    next.reserve(size);
    std::uint32_t sum = 0;
    for (const std::uint32_t count : counts) next.push_back(std::exchange(sum, sum + count));
    each_edge(group, first, size, buffer, [&](std::size_t to, PositionIndex from) { entries[next[to]++] = from; });
    scratch_.look(Scratch::pages(std::uint64_t{8} * sum + 4 * size));
}

} // namespace zug::solve
