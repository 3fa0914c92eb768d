#pragma once
// Other programs as players, by the protocol that they speak. A client's program is started when it is first needed,
// and again after it has failed. Errors say what the program did wrong, or `stopped`.

#include "engines/child_process.hpp"
#include "game/game.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace zug::engines {

// How an engine is started.
struct Launch {
    std::string command;                                      // of the shell
    std::vector<std::pair<std::string, std::string>> options; // of UCI and of xboard's protocol
    std::string variant;                                      // as xboard's protocol calls the game; empty: chess
    double patience = 10; // seconds that it may take beyond its time; or for an answer that takes none
};

// What there is for a move, in seconds; 0: not limited in this way.
struct Allowance {
    double seconds = 0;
    std::uint64_t nodes = 0;
    int depth = 0;
    bool clock = false; // then these are the clocks of White and Black
    double white = 0, black = 0, increment = 0;

    // After how long the move has to be there.
    double longest(bool white_moves) const;
};

// Why a game can't be played by a protocol of chess programs, as `UCI`; empty: it can.
std::string chess_protocol_refusal(const game::Game& game, std::string_view protocol);
// Whether a player is the one whose clock is White's: of that name, or else the first.
bool is_white(const game::Game& game, std::uint32_t player);

// What the clients have in common whose programs are told one line after the other.
class ProgramClient {
protected:
    explicit ProgramClient(Launch launch) : launch_(std::move(launch)) {}

    tl::expected<void, Error> start();
    tl::expected<void, Error> say(const std::string& line, const Patience& patience);
    // The next line, without blanks around it.
    tl::expected<std::string, Error> hear(const Patience& patience);

    Launch launch_;
    std::optional<ChildProcess> process_;
};

class UciClient : ProgramClient {
public:
    explicit UciClient(Launch launch) : ProgramClient(std::move(launch)) {}

    // Forgets the game before.
    tl::expected<void, Error> new_game(const std::atomic<bool>* stop);
    // The text of the move that it plays. `position`: `startpos` or `fen TEXT`, with `moves` and these.
    tl::expected<std::string, Error> best_move(const std::string& position, const Allowance& allowance,
                                               bool white_moves, const std::atomic<bool>* stop);

private:
    tl::expected<void, Error> introduce(const Patience& patience);
    tl::expected<std::string, Error> wait_for(std::string_view word, const Patience& patience);
};

class GtpClient : ProgramClient {
public:
    explicit GtpClient(Launch launch) : ProgramClient(std::move(launch)) {}

    // The answer without `=`. An error: the program answered `?`, too. `seconds`: that the answer may take.
    tl::expected<std::string, Error> ask(const std::string& command, double seconds, const std::atomic<bool>* stop);
};

} // namespace zug::engines
