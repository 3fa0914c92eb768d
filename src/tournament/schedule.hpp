#pragma once
// Who plays whom, in which game and in which seats.
//
// In each round every group of players plays every game from one opening, once in each assignment of seats; that is a
// block (blocks.hpp). A group has as many members as the game has seats:
//   - round robin: every set of players; gauntlet: every set that contains the first player;
//   - where there are fewer players than seats, every way to share the seats out in which each player has one or more;
//   - in games of a single player, all players, one after the other.
// A group with at most `most_arrangements` different assignments of seats plays all of them. A larger one plays the
// rotations of an order that is drawn for each block: every member still has every seat equally often.
//
// The index of a fixture depends on players and games only, not on the number of rounds, so that a tournament can be
// continued with more rounds than it began with. What is drawn depends on the seed and the index of the block.

#include "base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace zug::tournament {

inline constexpr std::size_t most_players = 256;
inline constexpr std::uint64_t most_arrangements = 24; // four players in all orders

struct Fixture {
    std::uint64_t index = 0; // of this game among all
    std::uint32_t game = 0;  // which of the games
    std::uint64_t round = 0;
    std::uint64_t block = 0; // the index of the block's first fixture
    bool ends_block = false;
    std::vector<std::uint16_t> seats; // the player in each seat
};

struct ScheduleOptions {
    std::size_t players = 2;
    std::vector<std::uint32_t> seats; // of each game
    std::uint64_t games = 100;        // that each group plays of each game, rounded up to whole blocks
    bool gauntlet = false;
    std::uint64_t seed = 1;
};

class Schedule {
public:
    // An error: too few players, or more fixtures than can be numbered.
    static tl::expected<Schedule, Error> make(const ScheduleOptions& options);

    // The first fixture with this index or a greater one; empty: there are no more. Cost: the number of games, plus the
    // logarithm of that of groups.
    std::optional<Fixture> next(std::uint64_t index) const;
    std::uint64_t size() const { return size_; }
    std::uint64_t rounds(std::size_t game) const { return games_[game].rounds; }
    // The number of groups, and of games in the largest block.
    std::size_t groups(std::size_t game) const { return games_[game].groups.size(); }
    std::uint64_t games_per_block(std::size_t game) const;

private:
    using Seats = std::vector<std::uint16_t>;
    struct Group {
        Seats members;             // ascending; with fewer players than seats, some more than once
        std::vector<Seats> orders; // the assignments; empty: rotations
        std::uint64_t size = 0;    // number of assignments
        std::uint64_t first = 0;   // the index of the first fixture, within a round
    };
    struct Game {
        std::uint32_t seats = 2;
        std::vector<Group> groups;
        std::uint64_t rounds = 0;
        std::uint64_t first = 0, end = 0; // indexes within a round
    };

    static tl::expected<Game, Error> make_game(const ScheduleOptions& options, std::uint32_t seats);
    static std::vector<Seats> groups_of(const ScheduleOptions& options, std::uint32_t seats);
    Seats seats_of(const Group& group, std::uint64_t block, std::uint64_t assignment) const;

    std::vector<Game> games_;
    std::uint64_t per_round_ = 0, size_ = 0, seed_ = 1;
};

} // namespace zug::tournament
