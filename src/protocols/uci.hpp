#pragma once
// The universal chess interface (S. Meyer-Kahlen and R. Huber, 2006), for games of one or two players without chance.
//
//   position   `fen` is followed by the game's own text of a position, and moves are the game's texts
//   go         all of its limits; where there are none, those of the player's text, which is the option Player
//   score      cp is made of the expected share of points, as the scale of ratings has it: 100 is 0.64 of them
//   options    Hash, Threads, MultiPV, Ponder, Move Overhead, Player; UCI_Variant, where variants of the game come with
//              the program
//
// What is wrong with a command is told by `info string`, and changes nothing.

#include "protocols/session/game_line.hpp"
#include "protocols/session/game_source.hpp"
#include "protocols/session/thinker.hpp"
#include "protocols/session/worker.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zug::protocols {

// What `go` asks for.
struct UciGo {
    std::optional<search::Limits> limits; // none: those of the player's text
    std::optional<double> ponder_seconds; // to go on after `ponderhit`; none: until the search has ended by itself
    std::vector<std::string> moves;       // searchmoves
    bool ponder = false, infinite = false;
};
// `words` follow `go`; `white`: wtime counts, not btime; `overhead`: seconds a move that are lost elsewhere.
tl::expected<UciGo, Error> parse_go(std::string_view words, bool white, double overhead);

// `cp 13` or `mate -2`, as the player to move sees it.
std::string uci_score(const Line& line, std::uint32_t mover, const game::Traits& traits);

class Uci {
public:
    using Write = std::function<void(const std::string& line)>; // called by several threads, by one at a time

    // An error: the game or the player does not suit the protocol.
    static tl::expected<std::unique_ptr<Uci>, Error> make(GameSource source, OpenedGame game, std::string_view player,
                                                          Write write);
    ~Uci() { stop(); }

    // False: quit. Never waits for a search, but to begin another one.
    bool take(std::string_view line);
    // Waits for the search under way, unless it goes on until it is told to stop.
    void wait();

private:
    Uci(GameSource source, OpenedGame game, Write write);

    struct Options {
        std::optional<std::uint64_t> megabytes, threads; // none: those of the player's text
        std::uint64_t lines = 1, overhead_ms = 30;
    };
    void identify();
    tl::expected<void, Error> set_option(std::string_view words);
    tl::expected<void, Error> set_number(std::string_view name, std::string_view value);
    tl::expected<void, Error> choose_player(std::string_view text);
    tl::expected<void, Error> choose_variant(std::string_view name);
    tl::expected<void, Error> set_position(std::string_view words);
    tl::expected<void, Error> go(std::string_view words);
    tl::expected<Question, Error> question_of(const UciGo& go);
    std::function<void()> think(const Question& question, std::uint32_t mover, const std::atomic<bool>& stop);
    void tell(const Findings& findings, std::uint32_t mover);
    void ponder_hit();
    void release();
    void stop();
    void begin_game();
    void say(const std::string& line);

    GameSource source_;
    Write write_;
    std::mutex writing_;
    std::string file_, name_;           // of the rules
    std::vector<std::string> variants_; // found out when they are asked for
    lang::Overrides parameters_;
    Options options_;
    GameLine line_;
    match::PlayerSpec player_;
    std::unique_ptr<Thinker> thinker_;     // made when it is needed
    std::optional<double> ponder_seconds_; // of the search under way
    std::atomic<bool> may_answer_ = true;  // bestmove waits while it is false
    Worker worker_;                        // the last, so that it ends first
};

} // namespace zug::protocols
