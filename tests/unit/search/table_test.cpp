// When a table entry may answer.

#include "search/core/table.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace zug::search;

namespace {

constexpr Window open_window{-1e9, 1e9};
constexpr Window narrow{0.5, 0.6};

TableEntry stored(Table& table, int depth, const Claim& claim) {
    table.store(42, depth, claim, std::nullopt);
    const auto entry = table.find(42);
    REQUIRE(entry.has_value());
    return *entry;
}

} // namespace

TEST_CASE("an unproven entry answers for its own depth only") {
    Table table(1 << 12);
    const TableEntry entry = stored(table, 5, {0.25, at_depth, at_depth});
    CHECK(entry.cutoff(5, open_window).has_value());
    CHECK_FALSE(entry.cutoff(4, open_window).has_value()); // the deeper search is no stand-in
    CHECK_FALSE(entry.cutoff(6, open_window).has_value());
}

TEST_CASE("a proven entry answers for every depth that reaches its proof") {
    Table table(1 << 12);
    const TableEntry entry = stored(table, 7, {0.25, 3, 2});
    CHECK_FALSE(entry.cutoff(2, open_window).has_value()); // a search of depth 2 would not see the proof
    CHECK(entry.cutoff(3, open_window).has_value());
    CHECK(entry.cutoff(5, open_window).has_value());
    CHECK(entry.cutoff(100, open_window).has_value());
}

TEST_CASE("a bound answers where it causes a cutoff") {
    Table table(1 << 12);
    CHECK(stored(table, 5, {0.7, at_depth, unknown}).cutoff(5, narrow).has_value());
    CHECK_FALSE(stored(table, 5, {0.7, at_depth, unknown}).cutoff(5, open_window).has_value());
    CHECK_FALSE(stored(table, 5, {0.4, at_depth, unknown}).cutoff(5, narrow).has_value());
    CHECK(stored(table, 5, {0.4, unknown, at_depth}).cutoff(5, narrow).has_value());
    CHECK_FALSE(stored(table, 5, {0.7, unknown, at_depth}).cutoff(5, narrow).has_value());
    // The lower bound is proven, the upper one is the depth's own: another depth sees the lower one only.
    const TableEntry mixed = stored(table, 5, {0.7, 2, at_depth});
    CHECK(mixed.cutoff(3, narrow).has_value());
    CHECK_FALSE(mixed.cutoff(3, open_window).has_value());
    CHECK(mixed.cutoff(3, narrow)->upper == unknown);
}

TEST_CASE("a proven value is kept, and a move outlives an entry without one") {
    Table table(1 << 12);
    table.store(1, 4, {1, 2, 0}, 77);
    table.store(1, 9, {0.5, at_depth, at_depth}, std::nullopt);
    CHECK(table.find(1)->value == 1);
    table.store(2, 4, {0.1, at_depth, at_depth}, 5);
    table.store(2, 5, {0.2, at_depth, unknown}, std::nullopt);
    CHECK(table.find(2)->value == 0.2);
    CHECK(table.find(2)->hint() == 5);
}

TEST_CASE("in a full bucket the deep entry stays while the other is replaced") {
    Table table(1); // one bucket of two
    CHECK(table.slots() == 2);
    table.store(1, 9, {0, at_depth, at_depth}, std::nullopt);
    for (std::uint64_t key = 2; key < 10; ++key) table.store(key, 3, {0, at_depth, at_depth}, std::nullopt);
    CHECK(table.find(1).has_value());
    CHECK(table.find(9).has_value());
    CHECK_FALSE(table.find(8).has_value());
    table.new_search(); // now depth counts for nothing against a newer entry
    table.store(10, 1, {0, at_depth, at_depth}, std::nullopt);
    CHECK_FALSE(table.find(1).has_value());
    table.forget();
    CHECK_FALSE(table.find(10).has_value());
    CHECK(table.slots() == 2);
}

TEST_CASE("a state whose hash is zero is found, and only if it was stored") {
    Table table(1 << 12);
    CHECK_FALSE(table.find(0).has_value());
    table.store(0, 1, {0, at_depth, at_depth}, std::nullopt);
    CHECK(table.find(0).has_value());
}

TEST_CASE("a table grows as it fills, up to its size, and keeps what it holds") {
    Table table(1 << 20, 2);
    const std::size_t small = table.slots();
    for (std::uint64_t key = 1; key <= small; ++key) {
        const double x = static_cast<double>(key);
        table.store(key, 3, {x, at_depth, at_depth}, key, std::vector<double>{x, -x});
    }
    CHECK(table.slots() > small);
    std::size_t kept = 0;
    for (std::uint64_t key = 1; key <= small; ++key)
        if (const auto entry = table.find(key)) {
            ++kept;
            const double x = static_cast<double>(key);
            CHECK(entry->value == x);
            CHECK(table.extra(*entry)[0] == x);
            CHECK(table.extra(*entry)[1] == -x);
        }
    CHECK(kept * 10 > small * 8);
    for (std::uint64_t key = 1; key <= 100000; ++key) table.store(key, 3, {}, key, std::vector<double>{0, 0});
    CHECK(table.slots() * (Table::slot_bytes + 2 * sizeof(double)) <= 1 << 20);
    CHECK(table.slots() * (Table::slot_bytes + 2 * sizeof(double)) > 1 << 19);
}
