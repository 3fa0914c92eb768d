#pragma once
// The Go Text Protocol, version 2 (G. Farnebäck, 2002), for all games of two players who place stones in turn. Points
// are named as engines/vertices.hpp says; a move that places nothing is named by the game's own text, as `pass` is.
//
//   boardsize    sets the parameter of the file that makes the board so wide and high
//   komi         sets the parameter of that name
//   play         of a colour that does not have the turn gives it the turn; what the rules ask of earlier positions
//   then
//                begins there
//   fixed_handicap, place_free_handicap, set_free_handicap
//                of games whose board is a grid of stones that is empty at first; free stones are placed on the fixed
//                points
//   final_score  of a game that is over, or would be if all passed
//
// Commands are answered one after the other, as the protocol has it; a command has no effect if it fails.

#include "engines/vertices.hpp"
#include "protocols/gtp_clock.hpp"
#include "protocols/session/game_line.hpp"
#include "protocols/session/game_source.hpp"
#include "protocols/session/thinker.hpp"

#include <tl/expected.hpp>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zug::protocols {

class Gtp {
public:
    using Write = std::function<void(const std::string& text)>; // of a whole answer

    // An error: the game or the player does not suit the protocol. `stop` ends a search early.
    static tl::expected<std::unique_ptr<Gtp>, Error> make(GameSource source, OpenedGame game, std::string_view player,
                                                          Write write, const std::atomic<bool>& stop);

    // False: quit.
    bool take(std::string_view line);

private:
    using Answered = tl::expected<std::string, Error>;
    struct Command {
        std::string_view name;
        Answered (Gtp::*answer)(std::string_view arguments);
    };

    Gtp(GameSource source, OpenedGame game, engines::Vertices vertices, Write write, const std::atomic<bool>& stop);

    static std::span<const Command> commands();
    Answered protocol_version(std::string_view arguments);
    Answered name(std::string_view arguments);
    Answered version(std::string_view arguments);
    Answered known_command(std::string_view arguments);
    Answered list_commands(std::string_view arguments);
    Answered quit(std::string_view arguments);
    Answered boardsize(std::string_view arguments);
    Answered clear_board(std::string_view arguments);
    Answered komi(std::string_view arguments);
    Answered play(std::string_view arguments);
    Answered genmove(std::string_view arguments);
    Answered reg_genmove(std::string_view arguments);
    Answered undo(std::string_view arguments);
    Answered showboard(std::string_view arguments);
    Answered time_settings(std::string_view arguments);
    Answered time_left(std::string_view arguments);
    Answered final_score(std::string_view arguments);
    // gtp_handicap.cpp
    Answered fixed_handicap(std::string_view arguments);
    Answered place_free_handicap(std::string_view arguments);
    Answered set_free_handicap(std::string_view arguments);
    tl::expected<std::size_t, Error> handicap_size(std::string_view arguments);
    // The points that the protocol fixes for so many stones; fewer where the board has not as many.
    std::vector<engines::Point> handicap_points(std::size_t stones);
    Answered place(const std::vector<engines::Point>& points);

    // The state, with this player to move.
    tl::expected<game::State, Error> turn_of(std::uint32_t player);
    tl::expected<void, Error> make_move(std::uint32_t player, std::string_view text);
    tl::expected<Answer, Error> think(std::uint32_t player);
    // Goes on with the file and these parameters; the error leaves all as it was.
    tl::expected<void, Error> use(const lang::Overrides& parameters);
    tl::expected<OpenedGame, Error> with_size(std::int32_t size);
    void begin(OpenedGame open, engines::Vertices vertices);

    struct Played {
        std::uint32_t player = 0;
        std::string text;
    };
    GameSource source_;
    std::string file_;
    lang::Overrides parameters_;
    engines::Vertices vertices_;
    Write write_;
    const std::atomic<bool>& stop_;
    GameLine line_;
    std::vector<engines::Point> handicap_; // Black's stones at the beginning of the game
    std::vector<Played> played_;           // since then
    match::PlayerSpec player_;
    std::unique_ptr<Thinker> thinker_; // made when it is needed
    std::array<GtpClock, 2> clocks_;   // by player
    bool over_ = false;                // after `quit`
};

} // namespace zug::protocols
