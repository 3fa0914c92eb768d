#include "solve/later.hpp"

namespace zug::solve {

template <class Value>
void Later<Value>::add(std::uint32_t tier, const PackedKeys& keys, std::span<const Value> results) {
    ResultTable<Value> table(keys.size());
    std::array<Key, block_keys> room;
    std::array<std::size_t, block_keys> places;
    for (std::size_t b = 0; b < keys.blocks(); ++b) {
        const std::span<const Key> block = keys.block(b, room);
        for (std::size_t i = 0; i < block.size(); ++i) {
            places[i] = table.place(block[i]);
            table.prefetch(places[i]);
        }
        for (std::size_t i = 0; i < block.size(); ++i) table.insert(places[i], block[i], results[b * block_keys + i]);
    }
    tables_.insert_or_assign(tier, std::move(table));
}

template <class Value>
void Later<Value>::find(std::span<const Key> keys, std::vector<Value>& results) const {
    // Asked in groups: while the memory of one group is on its way, the places of the next are worked out.
    constexpr std::size_t group = 32;
    std::array<std::size_t, 2 * group> places;
    std::array<const ResultTable<Value>*, 2 * group> tables;
    results.resize(keys.size());
    std::uint32_t tier = UINT32_MAX;
    const ResultTable<Value>* table = nullptr;
    for (std::size_t i = 0; i < keys.size() + group; ++i) {
        if (i >= group) {
            const std::size_t done = i - group;
            results[done] = tables[done % (2 * group)]->at(places[done % (2 * group)], keys[done]);
        }
        if (i >= keys.size()) continue;
        if (code_.tier(keys[i]) != tier) {
            tier = code_.tier(keys[i]);
            table = &tables_.find(tier)->second;
        }
        tables[i % (2 * group)] = table;
        places[i % (2 * group)] = table->place(keys[i]);
        table->prefetch(places[i % (2 * group)]);
    }
}

template <class Value>
bool Later<Value>::find_some(std::span<const Key> keys, std::vector<Value>& results) const {
    const auto is_there = [&](Key key) {
        const auto table = tables_.find(code_.tier(key));
        return table != tables_.end() && table->second.contains(key);
    };
    for (const Key key : keys)
        if (!is_there(key)) return false;
    find(keys, results);
    return true;
}

template class Later<Result>;
template class Later<double>;

} // namespace zug::solve
