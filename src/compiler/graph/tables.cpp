// Tables that instructions read: words, sets and shift lists. Equal tables are stored once.

#include "compiler/graph/value_graph.hpp"

#include "base/narrow.hpp"
#include "bytecode/vm_words.hpp"

#include <algorithm>
#include <bit>

namespace zug::run {
NodeRef ValueGraph::gather(NodeRef set, std::vector<std::int64_t> table) {
    const std::uint16_t words = width(set);
    const auto bits = static_cast<std::int32_t>(table.size());
    // A union of rows over the members is faster than a test of every site, unless the rows are long.
    if (words > 2) return make(Family::Gather, words, {set, no_node, no_node}, bits, add_words(std::move(table)));
    std::vector<std::uint64_t> rows(std::size_t{words} * 64 * words, 0);
    for (std::size_t to = 0; to < table.size(); ++to)
        if (table[to] >= 0)
            rows[static_cast<std::size_t>(table[to]) * words + to / 64] |= std::uint64_t{1} << (to % 64);
    return make(Family::Image, words, {set, no_node, no_node}, 0, add_sets(std::move(rows)));
}

std::uint32_t ValueGraph::add_words(std::vector<std::int64_t> table) {
    auto& all = code_.tables.words;
    for (std::size_t t = 0; t < all.size(); ++t)
        if (all[t] == table) return static_cast<std::uint32_t>(t);
    all.push_back(std::move(table));
    return static_cast<std::uint32_t>(all.size() - 1);
}

Reg ValueGraph::word_table(std::vector<std::int64_t> table) {
    const std::uint32_t number = add_words(std::move(table));
    if (number > UINT16_MAX) overflow_ = true;
    return saturated<Reg>(number);
}

std::uint32_t ValueGraph::add_sets(std::vector<std::uint64_t> rows) {
    auto& all = code_.tables.sets;
    for (std::size_t t = 0; t < all.size(); ++t)
        if (all[t] == rows) return static_cast<std::uint32_t>(t);
    all.push_back(std::move(rows));
    return static_cast<std::uint32_t>(all.size() - 1);
}

namespace {

// The number of doublings that reach as far as the shift can go: n doublings make 2^n - 1 steps, and the longest walk
// is one that always lands on the mask.
std::uint32_t doublings_of(std::int32_t distance, std::vector<std::uint64_t> mask) {
    std::vector<std::uint64_t> landed = mask, next(mask.size());
    std::uint32_t steps = 0;
    while (std::ranges::any_of(landed, [](std::uint64_t w) { return w != 0; })) {
        ++steps;
        shift_words<0>(next.data(), landed.data(), distance, static_cast<unsigned>(mask.size()));
        for (std::size_t k = 0; k < mask.size(); ++k) landed[k] = next[k] & mask[k];
    }
    return static_cast<std::uint32_t>(std::bit_width(steps));
}

} // namespace

NodeRef ValueGraph::frontier(NodeRef flood) {
    const ShiftList list = code_.tables.shifts[(*this)[flood].extra];
    const std::uint16_t words = width(flood);
    NodeRef result = set(std::vector<std::uint64_t>(words, 0));
    for (const auto& [distance, mask] : list.shifts) {
        std::vector<std::uint64_t> landing(words, ~std::uint64_t{0});
        if (list.masked) std::copy_n(scratch_.begin() + mask, words, landing.begin());
        result = or_(result, shift_and(flood, distance, set(std::move(landing))));
    }
    return result;
}

std::uint32_t ValueGraph::add_shifts(std::vector<std::pair<std::int32_t, std::vector<std::uint64_t>>> shifts,
                                     bool masked) {
    ShiftList list;
    list.masked = masked;
    for (const auto& [distance, mask] : shifts) list.shifts.push_back({distance, constant_register(mask)});
    if (shifts.size() == 1) list.doublings = doublings_of(shifts[0].first, shifts[0].second);
    auto& all = code_.tables.shifts;
    const auto same = [&](const ShiftList& other) {
        return other.masked == masked &&
               std::equal(other.shifts.begin(), other.shifts.end(), list.shifts.begin(), list.shifts.end(),
                          [](const auto& x, const auto& y) { return x.distance == y.distance && x.mask == y.mask; });
    };
    for (std::size_t t = 0; t < all.size(); ++t)
        if (same(all[t])) return static_cast<std::uint32_t>(t);
    all.push_back(std::move(list));
    return static_cast<std::uint32_t>(all.size() - 1);
}

} // namespace zug::run
