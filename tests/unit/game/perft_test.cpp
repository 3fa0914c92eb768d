// Counting on several threads, and how much memory a count takes.

#include "game/perft.hpp"
#include "rule_files.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

std::atomic<std::size_t> live = 0, peak = 0; // bytes

void* allocate_if_possible(std::size_t size) noexcept {
    void* block = std::malloc(size == 0 ? 1 : size);
    if (block == nullptr) return nullptr;
    const std::size_t now = live += malloc_usable_size(block);
    if (now > peak) peak = now;
    return block;
}

void* allocate(std::size_t size) {
    void* block = allocate_if_possible(size);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

void release(void* block) {
    if (block != nullptr) live -= malloc_usable_size(block);
    std::free(block);
}

} // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate_if_possible(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate_if_possible(size); }
void operator delete(void* block) noexcept { release(block); }
void operator delete[](void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t) noexcept { release(block); }

namespace zug::game {

namespace {

Game rules(const std::string& name) {
    return Game(load({std::filesystem::path(ZUG_SOURCE_DIR) / "rules" / (name + ".zug"), ""}));
}

std::size_t peak_of_count(Game& game, const State& start, int depth) {
    const std::size_t before = live;
    peak = before;
    CHECK(perft(game, start, depth));
    return peak - before;
}

} // namespace

TEST_CASE("any number of threads counts the same") {
    for (const auto* name : {"tic-tac-toe", "othello", "english-draughts", "chess", "pig", "backgammon"}) {
        Game game = rules(name);
        const State start = game.initial();
        CAPTURE(name);
        for (int depth = 0; depth <= 3; ++depth) {
            const std::uint64_t nodes = perft(game, start, depth).value();
            for (const std::uint32_t threads : {1U, 2U, 5U}) {
                ParallelPerft parallel(game, threads);
                CHECK(parallel.count(start, depth) == nodes);
            }
        }
        ParallelPerft parallel(game, 3);
        const auto parts = parallel.divide(start, 3), expected = divide(game, start, 3);
        REQUIRE(parts);
        REQUIRE(parts->size() == expected->size());
        for (std::size_t i = 0; i < parts->size(); ++i) CHECK((*parts)[i].nodes == (*expected)[i].nodes);
    }
}

TEST_CASE("a fault on one of several threads is the count's") {
    const lang::Loaded loaded =
        lang::load_text("fault.zug", "game \"Fault\"\nplayers A\nstate n: 0..6 = 0\n"
                                     "move add(k: 1..2) then n := n + k\nend draw when false\n");
    REQUIRE(loaded.program);
    Game game(loaded.program);
    ParallelPerft parallel(game, 2);
    CHECK(parallel.count(game.initial(), 3) == 8U);
    const auto nodes = parallel.count(game.initial(), 7);
    REQUIRE(!nodes);
    CHECK(nodes.error().text.starts_with("rule `add`: value out of range: n := "));
}

TEST_CASE("a count on several threads that is stopped says so") {
    Game game = rules("othello");
    ParallelPerft parallel(game, 3);
    std::atomic<int> asked = 0;
    const auto nodes = parallel.count(game.initial(), 30, [&] { return ++asked > 100; });
    REQUIRE(!nodes);
    CHECK(nodes.error().text == stopped);
}

// One more ply may take one more list and state, and one more record in games with history; but nothing per line of
// play, of which there are many times more.
TEST_CASE("a count takes memory for one line of play only") {
    for (const auto* name : {"connect-four", "othello", "english-draughts", "chess", "pig"}) {
        Game game = rules(name);
        const State start = game.initial();
        CAPTURE(name);
        peak_of_count(game, start, 4); // what the executor keeps for itself
        const std::size_t three = peak_of_count(game, start, 3), four = peak_of_count(game, start, 4);
        CHECK(four <= three + 8192);
    }
}

} // namespace zug::game
