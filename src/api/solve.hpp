#pragma once
// Solutions of small games: the value of every position, kept in databases or only counted.

#include "api/game.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace zug::api {

struct SolveOptions {
    std::string folder;        // where the database is written, as by `zug solve -o`; empty: nowhere
    std::uint32_t threads = 0; // 0: as many as there are processors
    std::uint64_t memory = 0;  // bytes of tables; 0: three quarters of what is free
    bool symmetries = true;
    const std::atomic<bool>* stop = nullptr;
};

// What a position is worth.
struct Standing {
    std::vector<double> value;               // by player; with chance: expected utilities
    std::optional<std::uint32_t> remoteness; // plies to the end by best play; not with chance
    bool repetition = false;                 // a draw because nobody can force an end
};

struct Solution {
    Standing start;
    double error = 0; // with chance: a bound on the error of every value
    std::uint64_t positions = 0, with_symmetry = 0;
    std::string file;               // the database; empty: none
    std::vector<std::string> notes; // assumptions about the rules, and what else there is to know
};

// Solves a game from a position on, whose history does not count. Errors: why it can't be solved; it was stopped; the
// file can't be written.
tl::expected<Solution, Error> solve(const State& start, const SolveOptions& options = {});

struct MoveStanding {
    std::size_t move = 0; // its number in the position
    Standing standing;    // of the position after it
};

// A database that solve() or `zug solve -o` has written, of one game. Used by one thread at a time.
class Database {
public:
    static tl::expected<Database, Error> open(const Game& game, const std::string& folder);
    Database(Database&&) noexcept;
    Database& operator=(Database&&) noexcept;
    ~Database();

    std::uint64_t positions() const;
    // Errors: the position can't be reached from the start that was solved, or the file is damaged.
    tl::expected<Standing, Error> look_up(const State& state);
    // Of the moves, the best for the player to move first; at a chance node of the outcomes in their order.
    tl::expected<std::vector<MoveStanding>, Error> moves(const State& state);

private:
    struct Open;
    explicit Database(std::unique_ptr<Open> open);
    std::unique_ptr<Open> open_;
};

} // namespace zug::api
