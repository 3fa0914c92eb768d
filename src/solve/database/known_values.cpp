#include "solve/database/known_values.hpp"

#include <algorithm>

namespace zug::solve {

template <class Value>
std::span<const Value> KnownValues<Value>::values_of(const Database::Block& block) const {
    if constexpr (std::is_same_v<Value, Result>)
        return block.results;
    else
        return block.values[column_];
}

template <class Value>
tl::expected<void, Error> KnownValues<Value>::add(std::uint32_t tier, std::size_t from_block, std::size_t to_block) {
    std::uint64_t bytes = ResultTable<Value>::bytes_for((to_block - from_block) * block_keys);
    for (const auto& [number, table] : tables_) bytes += table.bytes();
    ResultTable<Value>& table = tables_[tier];
    if (bytes > table_bytes_) return {};
    table = ResultTable<Value>((to_block - from_block) * block_keys);
    for (std::size_t b = from_block; b < to_block; ++b) {
        const auto block = database_.read(b);
        if (!block) return tl::unexpected(block.error());
        const auto values = values_of(*block);
        for (std::size_t i = 0; i < values.size(); ++i)
            table.insert(table.slot(block->keys[i]), block->keys[i], values[i]);
    }
    return {};
}

template <class Value>
tl::expected<void, Error> KnownValues<Value>::find(std::span<const Key> keys, Found& found) const {
    found.values.assign(keys.size(), Value{});
    found.known.assign(keys.size(), 0);
    found.queries.clear();
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto tier = tables_.find(database_.code().tier(keys[i]));
        if (tier == tables_.end()) continue;
        const ResultTable<Value>& table = tier->second;
        if (table.bytes() == 0) {
            found.queries.push_back({keys[i], i});
        } else if (table.contains(keys[i])) {
            found.values[i] = table.at(table.slot(keys[i]), keys[i]);
            found.known[i] = 1;
        }
    }
    return find_in_database(found);
}

template <class Value>
tl::expected<void, Error> KnownValues<Value>::find_in_database(Found& found) const {
    sort(found.queries);
    std::size_t number = SIZE_MAX;
    Database::Block block;
    for (const KeyQuery& query : found.queries) {
        const std::size_t own = database_.block_of(query.key);
        if (own == database_.blocks()) continue;
        if (own != number) {
            auto read = database_.read(number = own);
            if (!read) return tl::unexpected(read.error());
            block = std::move(*read);
        }
        const auto at = std::ranges::lower_bound(block.keys, query.key);
        if (at == block.keys.end() || *at != query.key) continue;
        found.values[query.number] = values_of(block)[static_cast<std::size_t>(at - block.keys.begin())];
        found.known[query.number] = 1;
    }
    return {};
}

template class KnownValues<Result>;
template class KnownValues<double>;

} // namespace zug::solve
