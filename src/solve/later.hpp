#pragma once
// The results of the tiers that positions under way may lead to.

#include "solve/key_set.hpp"
#include "solve/outcomes.hpp"
#include "solve/packed_keys.hpp"

#include <map>

namespace zug::solve {

// Value: a Result, or an expected utility.
template <class Value>
class Later {
public:
    explicit Later(const PositionCode& code) : code_(code) {}

    void add(std::uint32_t tier, const PackedKeys& keys, std::span<const Value> results);
    // Tiers above this one are not asked for any more.
    void forget_above(std::uint32_t tier) { tables_.erase(tables_.upper_bound(tier), tables_.end()); }

    // Results of keys that were all added: results[i] is of keys[i].
    void find(std::span<const Key> keys, std::vector<Value>& results) const;
    // The same of any keys; false if one was not added.
    bool find_some(std::span<const Key> keys, std::vector<Value>& results) const;

private:
    const PositionCode& code_;
    std::map<std::uint32_t, ResultTable<Value>> tables_;
};

extern template class Later<Result>;
extern template class Later<double>;

} // namespace zug::solve
