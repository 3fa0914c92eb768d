#include "solve/tiers/position_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace zug::solve {

tl::expected<void, Error> check_places(std::uint64_t positions) {
    constexpr Place most = std::numeric_limits<Place>::max() - 1; // so that a place can count to their number
    if (positions <= most) return {};
    return tl::unexpected(Error{fmt::format("{} positions would have to be solved at once, and {} is the most: "
                                            "nothing was found that only ever grows as they are played",
                                            positions, most)});
}

namespace {

constexpr std::uint64_t least_groups = 64, most_groups = 256;

// each(to, from) of edges that lead to so many places from one on. Others are there only where a file can't be read.
template <class Each>
void each_edge(const ColumnFile<Edge>& edges, std::size_t first, std::size_t places, std::vector<Edge>& room,
               Each&& each) {
    for (std::size_t at = 0; at < edges.size(); at += block_keys)
        for (const Edge& edge : edges.read(at, std::min(block_keys, edges.size() - at), room))
            if (edge.to - first < places) each(edge.to - first, edge.from);
}

} // namespace

PlaceFinder::PlaceFinder(const PackedKeys& keys, bool has_table) : keys_(keys) {
    if (!has_table) return;
    table_ = ResultTable<Place>(keys.size());
    std::array<Key, block_keys> room;
    Place place = 0;
    for (std::size_t b = 0; b < keys.blocks(); ++b)
        table_.each_place(keys.block(b, room),
                          [&](std::size_t, Key key, std::size_t slot) { table_.insert(slot, key, place++); });
}

void PlaceFinder::find(std::span<const Key> keys, std::vector<Place>& places, Room& room) const {
    places.resize(keys.size());
    if (table_.bytes() != 0) {
        table_.each_place(keys, [&](std::size_t i, Key key, std::size_t slot) { places[i] = table_.at(slot, key); });
        return;
    }
    room.clear();
    for (std::size_t i = 0; i < keys.size(); ++i) room.push_back({keys[i], i});
    sort(room);
    keys_.find(room, [&](const KeyQuery& query, std::size_t block, std::size_t i) {
        places[query.number] = static_cast<Place>(block * block_keys + i);
    });
}

PlaceLists::PlaceLists(Scratch& scratch, std::size_t lists, std::uint64_t entries)
    : first_of_block_((lists + block_keys - 1) / block_keys + 1), first_(scratch.of_positions<std::uint32_t>(lists)),
      entries_(scratch.of_moves<Place>(entries)) {
    first_of_block_.back() = entries;
}

std::span<Place> PlaceLists::put(std::size_t first, std::uint64_t begin, std::span<const std::uint32_t> counts) {
    std::uint64_t end = begin;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const std::size_t list = first + i, block = list / block_keys;
        if (list % block_keys == 0) first_of_block_[block] = end;
        first_[list] = static_cast<std::uint32_t>(end - first_of_block_[block]);
        end += counts[i];
    }
    return entries_.row(begin, end - begin);
}

Reversal::Reversal(Scratch& scratch, WorkerPool& threads, std::size_t places, std::uint64_t moves)
    : scratch_(scratch), threads_(threads), places_(places) {
    const std::uint64_t needed = 12 * moves / (scratch.free() / 4 / threads.size() + 1) + 1;
    const std::uint64_t count = std::clamp(needed, least_groups, most_groups);
    while ((places >> group_bits_) >= count) ++group_bits_;
    for (std::size_t from = 0; from < places; from += std::size_t{1} << group_bits_)
        groups_.emplace_back(scratch.moves_in_files() ? scratch.work().create_nameless() : nullptr);
}

void Reversal::add(std::span<const Groups<Edge>> batches) {
    threads_.share(groups_.size(), [&](std::size_t, std::size_t g) {
        for (const Groups<Edge>& batch : batches)
            if (const auto edges = batch.of(g); !edges.empty()) groups_[g].append(edges);
    });
}

PlaceLists Reversal::finish() {
    std::vector<std::uint64_t> begins;
    std::uint64_t edges = 0;
    for (const ColumnFile<Edge>& group : groups_) begins.push_back(std::exchange(edges, edges + group.size()));
    PlaceLists lists(scratch_, places_, edges);
    threads_.share(groups_.size(), [&](std::size_t, std::size_t g) {
        if (!scratch_.work().io_error().any()) reverse(g, begins[g], lists);
    });
    return lists;
}

void Reversal::reverse(std::size_t g, std::uint64_t begin, PlaceLists& lists) {
    const std::size_t first = g << group_bits_, size = std::min(std::size_t{1} << group_bits_, places_ - first);
    const ColumnFile<Edge> group = std::move(groups_[g]);
    std::vector<Edge> room;
    std::vector<std::uint32_t> counts(size), next;
    each_edge(group, first, size, room, [&](std::size_t to, Place) { ++counts[to]; });
    const std::span<Place> entries = lists.put(first, begin, counts);
    next.reserve(size);
    std::uint32_t sum = 0;
    for (const std::uint32_t count : counts) next.push_back(std::exchange(sum, sum + count));
    each_edge(group, first, size, room, [&](std::size_t to, Place from) { entries[next[to]++] = from; });
    scratch_.look(Scratch::pages(std::uint64_t{8} * sum + 4 * size));
}

} // namespace zug::solve
