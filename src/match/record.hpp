#pragma once
// A record of a game: one line of JSON, to be stored, read by other programs, and replayed:
//
//   {"game":"Tic-Tac-Toe","file":"rules/tic-tac-toe.zug","params":{},"players":["random","alphabeta:depth=9"],
//    "index":0,"seed":42,"moves":["b2","a1"],"end":"finished","utilities":[-1,1]}
//
// players and utilities are by seat; moves are in the game's notation, chance events included. `from` is the text of
// the first position, if it is not the initial one; `fault` is the text of a rule's fault, or
// why a player has lost by forfeit. If the players' times were
// measured there are `seconds` for all moves, `longest` for one, and the number of `decisions`, by seat too. If values
// were asked for there are `values`, one for each move: the utility that the player who made it expected by its search,
// of the first player where the other of two has its negative, else a list with one for each; null: it did not search.
//
// A file of records may begin with a line that describes their tournament (tournament/results_file.hpp): an object
// whose first member is `tournament`. It is not a record.

#include "game/game.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <functional>
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace zug::match {

enum class End : std::uint8_t {
    Finished, // by the game's rules
    Forfeit,  // a player has lost by what it did or did not do
    PlyLimit,
    Fault,   // a rule failed
    Quit,    // a person gave up
    Stopped, // from outside
};
std::string_view end_name(End end);
// Whether the game has utilities: then it counts.
constexpr bool is_scored(End end) { return end == End::Finished || end == End::Forfeit; }

// What a player used in one game.
struct TimeUsed {
    double seconds = 0, longest = 0; // for all of its moves, and for one
    std::uint64_t moves = 0;         // that it was asked for
};

using Values = std::vector<double>; // a utility for each player; empty: none is known

struct GameRecord {
    std::string game, file;
    std::map<std::string, std::string> params;
    std::vector<std::string> players;
    std::uint64_t index = 0; // in its match
    std::uint64_t seed = 0;  // of this game
    std::string from;
    std::vector<std::string> moves;
    std::vector<Values> values; // by move; empty: not asked for
    End end = End::Stopped;
    std::vector<double> utilities;
    std::string fault;
    std::vector<TimeUsed> times; // by seat; empty: not measured
    // Not part of the JSON.
    std::uint32_t plies = 0;
    std::uint64_t line = 0; // a hash of the moves' ids
};

std::string record_line(const GameRecord& record); // without a line end
tl::expected<GameRecord, Error> parse_record(std::string_view line);

// Appends records to a file. Each line is written by one system call as soon as the game is over, so a killed process
// loses at most the current game. An incomplete last line of an earlier run is ended first.
//
// A loss of power may lose what the system has not written to the disk yet: sync() waits until all of it is there.
class RecordWriter {
public:
    static tl::expected<RecordWriter, Error> open(const std::string& file);
    RecordWriter(RecordWriter&& other) noexcept;
    RecordWriter& operator=(RecordWriter&& other) noexcept;
    ~RecordWriter();
    tl::expected<void, Error> append(const GameRecord& record);
    tl::expected<void, Error> append_line(const std::string& text); // without a line end
    tl::expected<void, Error> append_text(std::string_view text);   // a game in another form, with its line ends
    void sync();

private:
    RecordWriter(int descriptor, std::string file) : descriptor_(descriptor), file_(std::move(file)) {}
    int descriptor_ = -1;
    std::string file_;
};

// Whether this line describes a tournament.
bool describes_tournament(std::string_view line);

// Calls `take` for each line that isn't blank and doesn't describe a tournament, with its number (from 1) and either
// the record or an error. Stops when `take` returns false.
using TakeRecord = std::function<bool(std::size_t line, const tl::expected<GameRecord, Error>& record)>;
void read_records(std::istream& in, const TakeRecord& take);

// A game as its first state and the ids of its moves.
struct Line {
    game::State start;
    std::vector<std::uint64_t> moves;
};

// Replays a record by the game's rules and returns the last state. The error says which move is not legal, or how the
// end differs from the recorded one. `line`, if not null, becomes its moves.
tl::expected<game::State, Error> replay(game::Game& game, const GameRecord& record, Line* line = nullptr);

} // namespace zug::match
