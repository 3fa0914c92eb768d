#include "solve/tiers/solved_tiers.hpp"

#include <algorithm>

namespace zug::solve {

template <class Value>
bool SolvedTiers<Value>::has_room(std::size_t size) const {
    return bytes() + ResultTable<Value>::bytes_for(size) <= table_bytes_;
}

template <class Value>
bool SolvedTiers<Value>::in_memory() const {
    return std::ranges::none_of(tiers_, [](const auto& tier) { return tier.second.table.bytes() == 0; });
}

template <class Value>
std::uint64_t SolvedTiers<Value>::bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& [number, tier] : tiers_) bytes += tier.table.bytes();
    return bytes;
}

template <class Value>
void SolvedTiers<Value>::add(std::uint32_t number, PackedKeys keys, ColumnFile<Value> results) {
    Tier& tier = tiers_[number];
    tier = {std::move(keys), std::move(results), {}};
    if (!has_room(tier.keys.size())) return;
    add_table(tier);
    if (!tier.results.in_file()) tier.results = ColumnFile<Value>();
}

template <class Value>
void SolvedTiers<Value>::add_table(Tier& tier) {
    tier.table = ResultTable<Value>(tier.keys.size());
    std::array<Key, block_keys> buffer;
    std::array<Value, block_keys> results_room;
    for (std::size_t b = 0; b < tier.keys.blocks(); ++b) {
        const std::span<const Key> block = tier.keys.block(b, buffer);
        const std::span<const Value> results = tier.results.block(b, results_room);
        tier.table.each_slot(
            block, [&](std::size_t i, Key key, std::size_t index) { tier.table.insert(index, key, results[i]); });
    }
}

template <class Value>
void SolvedTiers<Value>::find(std::span<const Key> keys, std::vector<Value>& results, Buffer& buffer) const {
    // In groups: while the entries of one group are being prefetched, the slots of the next are computed.
    constexpr std::size_t group = 32;
    std::array<std::size_t, 2 * group> indices;
    std::array<const ResultTable<Value>*, 2 * group> tables;
    results.resize(keys.size());
    buffer.clear();
    std::uint32_t number = UINT32_MAX;
    const ResultTable<Value>* table = nullptr;
    for (std::size_t i = 0; i < keys.size() + group; ++i) {
        if (i >= group) {
            const std::size_t done = i - group;
            const auto* own = tables[done % (2 * group)];
            if (own->bytes() != 0)
                results[done] = own->at(indices[done % (2 * group)], keys[done]);
            else
                buffer.push_back({keys[done], done});
        }
        if (i >= keys.size()) continue;
        if (code_.tier(keys[i]) != number) {
            number = code_.tier(keys[i]);
            table = &tiers_.find(number)->second.table;
        }
        tables[i % (2 * group)] = table;
        if (table->bytes() == 0) continue;
        indices[i % (2 * group)] = table->slot(keys[i]);
        table->prefetch(indices[i % (2 * group)]);
    }
    if (!buffer.empty()) find_in_files(buffer, results);
}

template <class Value>
void SolvedTiers<Value>::find_in_files(Buffer& buffer, std::vector<Value>& results) const {
    sort(buffer);
    std::array<Value, block_keys> values_room;
    for (auto from = buffer.begin(); from != buffer.end();) {
        const std::uint32_t number = code_.tier(from->key);
        const auto to =
            std::find_if(from, buffer.end(), [&](const KeyQuery& q) { return code_.tier(q.key) != number; });
        const Tier& tier = tiers_.find(number)->second;
        std::span<const Value> values;
        std::size_t read = SIZE_MAX;
        tier.keys.find({from, to}, [&](const KeyQuery& query, std::size_t block, std::size_t i) {
            if (block != read) values = tier.results.block(read = block, values_room);
            results[query.number] = values[i];
        });
        from = to;
    }
}

template <class Value>
void SolvedTiers<Value>::move_to(const std::shared_ptr<WorkFile>& file) {
    std::array<Key, block_keys> buffer;
    std::vector<Value> values;
    for (auto& [number, tier] : tiers_) {
        tier.keys.move_to(file);
        if (tier.results.in_file()) continue;
        ColumnFile<Value> column(file);
        for (std::size_t b = 0; b < tier.keys.blocks(); ++b) {
            values.clear();
            for (const Key key : tier.keys.block(b, buffer)) values.push_back(tier.table.at(tier.table.slot(key), key));
            column.append(values);
        }
        tier.results = std::move(column);
    }
}

template <class Value>
SolvedTiersState SolvedTiers<Value>::state() const {
    SolvedTiersState state;
    for (const auto& [number, tier] : tiers_) state.tiers.push_back({number, tier.keys.state(), tier.results.state()});
    return state;
}

template <class Value>
bool SolvedTiers<Value>::restore(const Work& work, const SolvedTiersState& state) {
    for (const auto& saved : state.tiers) {
        PackedKeys keys;
        ColumnFile<Value> results;
        if (!keys.restore(work, saved.keys) || !results.restore(work, saved.results)) return false;
        add(saved.number, std::move(keys), std::move(results));
    }
    return true;
}

template class SolvedTiers<Result>;
template class SolvedTiers<double>;

} // namespace zug::solve
