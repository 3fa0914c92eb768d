#pragma once
// What a database says of positions whose tiers have had their turn, while it is checked tier by tier from the last
// one: in tables while memory lasts, else read from the database itself, in the order of the keys and once for all that
// is asked together.

#include "solve/database/database.hpp"
#include "solve/storage/key_set.hpp"

#include <map>

namespace zug::solve {

// Value: a Result, or one of the numbers that are kept with chance.
template <class Value>
class KnownValues {
public:
    // Of chance, the column-th number.
    KnownValues(const Database& database, std::uint64_t table_bytes, std::uint32_t column = 0)
        : database_(database), table_bytes_(table_bytes), column_(column) {}

    // The tier, which these blocks hold, may be asked about. An error: the file is damaged.
    tl::expected<void, Error> add(std::uint32_t tier, std::size_t from_block, std::size_t to_block);
    // Tiers above this one are not asked about any more.
    void forget_above(std::uint32_t tier) { tables_.erase(tables_.upper_bound(tier), tables_.end()); }

    struct Found {
        std::vector<Value> values;
        std::vector<std::uint8_t> known; // 0: of a position that the tiers don't have
        std::vector<KeyQuery> queries;   // room
    };
    // Any number of threads. An error: as above.
    tl::expected<void, Error> find(std::span<const Key> keys, Found& found) const;

private:
    std::span<const Value> values_of(const Database::Block& block) const;
    tl::expected<void, Error> find_in_database(Found& found) const;

    const Database& database_;
    const std::uint64_t table_bytes_; // at most
    const std::uint32_t column_;
    std::map<std::uint32_t, ResultTable<Value>> tables_; // empty ones: of tiers that memory has no room for
};

extern template class KnownValues<Result>;
extern template class KnownValues<double>;

} // namespace zug::solve
