#pragma once
// The values of tiers that have been checked already, while a database is verified tier by tier, the last tier first:
// in hash tables while memory lasts, else read from the database itself, in the order of the keys and once for all
// queries of a call.

#include "solve/database/database.hpp"
#include "solve/storage/key_set.hpp"

#include <map>

namespace zug::solve {

// Value: a Result, or one of the numbers stored in games with chance.
template <class Value>
class KnownValues {
public:
    // With chance, `column` selects one of the stored numbers.
    KnownValues(const Database& database, std::uint64_t table_bytes, std::uint32_t column = 0)
        : database_(database), table_bytes_(table_bytes), column_(column) {}

    // Makes the tier in these blocks available to find(). An error: the file is damaged.
    tl::expected<void, Error> add(std::uint32_t tier, std::size_t from_block, std::size_t to_block);
    // Frees the tables of tiers above this one: no query will ask for them.
    void forget_above(std::uint32_t tier) { tables_.erase(tables_.upper_bound(tier), tables_.end()); }

    struct Found {
        std::vector<Value> values;
        std::vector<std::uint8_t> known; // 0: the tiers have no such position
        std::vector<KeyQuery> queries;   // scratch memory
    };
    // Thread-safe. Errors as above.
    tl::expected<void, Error> find(std::span<const Key> keys, Found& found) const;

private:
    std::span<const Value> values_of(const Database::Block& block) const;
    tl::expected<void, Error> find_in_database(Found& found) const;

    const Database& database_;
    const std::uint64_t table_bytes_; // at most
    const std::uint32_t column_;
    std::map<std::uint32_t, ResultTable<Value>> tables_; // empty: memory has no room for that tier
};

extern template class KnownValues<Result>;
extern template class KnownValues<double>;

} // namespace zug::solve
