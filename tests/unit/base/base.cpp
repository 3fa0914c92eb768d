#include "base/bits.hpp"
#include "base/id.hpp"
#include "base/nearest.hpp"
#include "base/random.hpp"
#include "base/run_in_threads.hpp"

#include <atomic>
#include <doctest/doctest.h>
#include <new>
#include <vector>

using namespace zug;

TEST_CASE("bits: members are visited in ascending order and counted") {
    Bits bits(130);
    for (const std::size_t i : {0U, 63U, 64U, 129U}) bits.set(i);
    std::vector<std::size_t> seen;
    for_each_bit(bits, [&](std::size_t i) { seen.push_back(i); });
    CHECK(seen == std::vector<std::size_t>{0, 63, 64, 129});
    CHECK(bits.count() == 4);
    CHECK(bits.next(65) == 129);
    CHECK(bits.next(130) == 130);
    bits.reset(0);
    CHECK(bits.first() == 63);
    CHECK(!bits.test(0));
}

TEST_CASE("bits: union, meet, difference, equality") {
    Bits a(70), b(70);
    a.set(1), a.set(69), b.set(1), b.set(2);
    Bits both = a;
    both &= b;
    CHECK(both.count() == 1);
    Bits either = a;
    either |= b;
    CHECK(either.count() == 3);
    either -= b;
    CHECK(either.count() == 1);
    CHECK(either.test(69));
    CHECK(Bits::full(70).count() == 70);
    CHECK(!Bits(70).any());
    CHECK(!Bits().any());
    CHECK(a != b);
}

TEST_CASE("ids of an IdVector count from 0") {
    enum class AnId : std::uint32_t {};
    IdVector<AnId, int> items;
    CHECK(index(items.push(5)) == 0);
    CHECK(items[items.push(6)] == 6);
    CHECK(!valid(none_id<AnId>));
    CHECK(valid(AnId{0}));
}

TEST_CASE("random: streams repeat, ranges are kept and evenly filled") {
    Random a(7), b(7), c(8);
    CHECK(a.next() == b.next());
    CHECK(a.next() != c.next());
    std::vector<int> hits(6);
    for (int i = 0; i < 60000; ++i) ++hits[a.below(6)];
    for (const auto n : hits) {
        CHECK(n > 9500);
        CHECK(n < 10500);
    }
    for (int i = 0; i < 1000; ++i) {
        const auto u = a.unit();
        CHECK((u >= 0.0 && u < 1.0));
    }
}

TEST_CASE("the nearest name") {
    const std::vector<std::string> names = {"state", "stuck", "players", "me", "X"};
    CHECK(nearest("stat", names) == "state");
    CHECK(nearest("sttae", names) == "state");
    CHECK(nearest("Players", names) == "players");
    CHECK(nearest("playrs", names) == "players");
    CHECK(nearest("mee", names) == "me");
    CHECK(nearest("x", names) == "X");
    CHECK(nearest("y", names).empty());
    CHECK(nearest("elephant", names).empty());
    CHECK(nearest("", names).empty());
    CHECK(nearest(std::string(100000, 'a'), names).empty());
}

TEST_CASE("what is thrown in one of several threads comes out when all have ended") {
    for (const std::size_t thrower : {0U, 1U, 3U}) {
        std::atomic<int> ended = 0;
        const auto work = [&](std::size_t i) {
            if (i == thrower) throw std::bad_alloc();
            ++ended;
        };
        CHECK_THROWS_AS(run_in_threads(4, work), std::bad_alloc);
        CHECK(ended == 3);
    }
}
