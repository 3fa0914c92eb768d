#include "solve/places.hpp"

#include <algorithm>

namespace zug::solve {

namespace {

constexpr std::uint64_t least_groups = 16, most_groups = 256;

// each(to, from) of edges that lead to so many places from one on. Others are there only where a file can't be read.
template <class Each>
void each_edge(const Row<Edge>& edges, std::size_t first, std::size_t places, std::vector<Edge>& room, Each&& each) {
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
        for (const Key key : keys.block(b, room)) table_.insert(table_.place(key), key, place++);
}

void PlaceFinder::find(std::span<const Key> keys, std::vector<Place>& places, Room& room) const {
    places.resize(keys.size());
    if (table_.bytes() != 0) {
        for (std::size_t i = 0; i < keys.size(); ++i) places[i] = table_.at(table_.place(keys[i]), keys[i]);
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
      entries_(scratch.of_moves<Place>(entries)) {}

std::span<Place> PlaceLists::append(std::span<const std::uint32_t> counts) {
    const std::uint64_t begin = end_;
    for (const std::uint32_t count : counts) {
        const std::size_t block = lists_ / block_keys;
        if (lists_ % block_keys == 0) first_of_block_[block] = end_;
        first_[lists_++] = static_cast<std::uint32_t>(end_ - first_of_block_[block]);
        end_ += count;
    }
    first_of_block_[(lists_ + block_keys - 1) / block_keys] = end_;
    return entries_.row(begin, end_ - begin);
}

Reversal::Reversal(Scratch& scratch, std::size_t places, std::uint64_t moves) : scratch_(scratch), places_(places) {
    const std::uint64_t needed = 12 * moves / (scratch.free() / 4 + 1) + 1;
    const std::uint64_t count = std::clamp(needed, least_groups, most_groups);
    while ((places >> group_bits_) >= count) ++group_bits_;
    for (std::size_t from = 0; from < places; from += std::size_t{1} << group_bits_)
        groups_.emplace_back(scratch.moves_in_files() ? scratch.work().create_nameless() : nullptr);
}

void Reversal::add(std::span<const Edge> edges) {
    edges_ += edges.size();
    ends_.assign(groups_.size() + 1, 0);
    for (const Edge& edge : edges) ++ends_[(edge.to >> group_bits_) + 1];
    for (std::size_t g = 0; g < groups_.size(); ++g) ends_[g + 1] += ends_[g];
    room_.resize(edges.size());
    for (const Edge& edge : edges) room_[ends_[edge.to >> group_bits_]++] = edge;
    std::size_t from = 0;
    for (std::size_t g = 0; g < groups_.size(); from = ends_[g++])
        if (ends_[g] != from) groups_[g].append(std::span(room_).subspan(from, ends_[g] - from));
}

PlaceLists Reversal::finish() {
    PlaceLists lists(scratch_, places_, edges_);
    std::vector<std::uint32_t> counts, next;
    std::vector<Edge> room;
    for (std::size_t g = 0; g < groups_.size() && !scratch_.work().trouble().any(); ++g) {
        const std::size_t first = g << group_bits_, size = std::min(std::size_t{1} << group_bits_, places_ - first);
        const Row<Edge> group = std::move(groups_[g]);
        counts.assign(size, 0);
        each_edge(group, first, size, room, [&](std::size_t to, Place) { ++counts[to]; });
        const std::span<Place> entries = lists.append(counts);
        next.clear();
        std::uint32_t sum = 0;
        for (const std::uint32_t count : counts) next.push_back(std::exchange(sum, sum + count));
        each_edge(group, first, size, room, [&](std::size_t to, Place from) { entries[next[to]++] = from; });
        scratch_.look(Scratch::pages(8 * sum + 4 * size));
    }
    return lists;
}

} // namespace zug::solve
