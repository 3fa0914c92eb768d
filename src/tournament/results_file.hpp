#pragma once
// The file in which a tournament keeps its games, so that it can be continued after any interruption:
//
//   {"tournament":1,"players":["random","alphabeta:depth=2"],"games":[{"game":"Hex","params":{"size":"5"},
//    "rules":"<digest>"}],"opening":4,"seed":1,"gauntlet":false}
//   {"game":"Hex", ...
//
// The first line describes the tournament. The others are records (match/record.hpp) of finished games, each added by
// one write as soon as its game is over, and on the disk about a second later. What decides which games are played in
// which way is in the first line; the number of games is not, so a tournament can be extended.

#include "base/error.hpp"
#include "match/record.hpp"
#include "tournament/tournament.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zug::tournament {

struct Description {
    struct Game {
        std::string game;
        std::map<std::string, std::string> params;
        std::string rules;    // the digest of the rules
        std::string openings; // that of the openings; empty: none are given
    };
    std::vector<std::string> players;
    std::vector<Game> games;
    std::uint64_t opening_plies = 0;
    std::uint64_t seed = 1;
    bool gauntlet = false;
};

Description describe(std::span<const GameSetup> games, std::span<const match::PlayerSpec> players,
                     const TournamentOptions& options, bool gauntlet);
std::string description_line(const Description& description); // without a line end
tl::expected<Description, Error> parse_description(std::string_view line);
// What the first has that the second has not, as in `its seed is 1, and not 2`; empty if they are equal.
std::string difference(const Description& theirs, const Description& ours);

class ResultsFile {
public:
    // Opens the file of this tournament, or makes it. An error: it can't be written, another process is writing to it,
    // or it holds something else. A pipe or a device has no earlier games.
    static tl::expected<ResultsFile, Error> open(const std::string& file, const Description& description,
                                                 const Schedule& schedule);
    ResultsFile(ResultsFile&& other) noexcept;
    ResultsFile& operator=(ResultsFile&&) = delete;
    ~ResultsFile();

    // The games of earlier runs that belong to the schedule.
    EarlierGames& earlier() { return earlier_; }
    // Lines that can't be read: a game that was cut off by a full disk or a kill.
    std::uint64_t unreadable() const { return unreadable_; }
    tl::expected<void, Error> append(const match::GameRecord& record);

private:
    explicit ResultsFile(int lock) : lock_(lock) {}
    tl::expected<bool, Error> read(const std::string& file, const Description& description, const Schedule& schedule);

    using Clock = std::chrono::steady_clock;
    std::optional<match::RecordWriter> writer_;
    int lock_ = -1; // a descriptor of the file that is locked as long as it is open; -1: none
    EarlierGames earlier_;
    std::uint64_t unreadable_ = 0;
    Clock::time_point synced_ = Clock::now();
};

} // namespace zug::tournament
