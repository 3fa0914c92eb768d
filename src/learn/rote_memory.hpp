#pragma once
// What a player remembers of its games: the positions in which it moved, with what its searches found them to be worth.
// Samuel, "Some studies in machine learning using the game of checkers", 1959, calls it rote learning.
//
// With each game that one of its players has played, positions get older; the age of those that a search has looked up
// is halved. If there are more than fit, the oldest are forgotten. A position that is searched again gets its new
// value, unless the new search is less deep.
//
// The memory is a packed file (learn/packed.hpp); all players of the process that name the same file share one. It is
// thread-safe.

#include "base/error.hpp"
#include "game/search_form.hpp"
#include "search/core/rote_table.hpp"

#include <tl/expected.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace zug::learn {

class RoteMemory {
public:
    // At most so many positions. A file that is empty, or not there, is an empty memory. The error says what is wrong
    // with the file, or that it is of another game.
    static tl::expected<std::shared_ptr<RoteMemory>, Error> open(const std::filesystem::path& file,
                                                                 const game::Game& game, std::size_t most);
    RoteMemory(const RoteMemory&) = delete;
    RoteMemory& operator=(const RoteMemory&) = delete;
    ~RoteMemory(); // keeps the game under way, too, and writes what is not written yet

    // What is known from the games that have ended.
    std::shared_ptr<const search::RoteTable> table() const;
    // A search of so many plies found the position to be worth so much to the first player. Known from the end of the
    // game on.
    void meet(const game::State& state, double value, int depth);
    // A game has ended. Writes the file if that is worth its time; an error names it.
    tl::expected<void, Error> end_game();

    std::size_t size() const;

private:
    struct Kept {
        std::uint64_t key = 0;
        double value = 0;
        std::uint16_t depth = 0;
        std::uint32_t age = 0; // in games
    };
    struct Positions {
        std::vector<Kept> kept;
        std::vector<std::uint32_t> slots; // of all, one after the other
    };
    using Clock = std::chrono::steady_clock;

    RoteMemory(std::filesystem::path file, const game::Game& game, std::size_t most);
    tl::expected<void, Error> read();
    bool fits(std::span<const std::uint32_t> slots) const;
    std::span<const std::uint32_t> slots(const Positions& positions, std::size_t i) const;
    void age();
    void take_in();
    void take_in(std::size_t i);
    void forget_oldest();
    void make_table();
    std::string text() const;
    tl::expected<void, Error> write();

    const std::filesystem::path file_;
    const std::size_t most_;
    game::Game game_;
    game::SearchForm form_;
    std::vector<std::uint64_t> sizes_;   // of slots
    std::vector<std::uint32_t> initial_; // the slots of the first position

    mutable std::mutex mutex_; // guards what follows, and form_
    Positions all_, met_;
    std::unordered_map<std::uint64_t, std::size_t> places_; // by key, in all_
    std::shared_ptr<const search::RoteTable> table_;        // of all_ as it was when the last game ended
    bool written_ = true;
    Clock::time_point next_write_{};
};

} // namespace zug::learn
