#pragma once
// One game between people, at a terminal or through a pipe, and programs: `zug play` after its options are read.
//
// A line of input is a move in the game's notation, a number from the list that `moves` shows, or a command. A word
// that is both a move and a command is the move; `:word` is always the command.

#include "cli/lines.hpp"
#include "cli/play/line_editor.hpp"
#include "game/game.hpp"
#include "match/player.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zug::cli {

// A program that plays a seat: returns the index of its move in the list, or an error.
using Chooser = std::function<tl::expected<std::size_t, Error>(const game::State& state, const game::MoveList& moves)>;

class Session {
public:
    // Whom a move is told that has been made.
    using Tell = std::function<void(const match::Step& step)>;

    // seats: by player; empty for a person. random: draws outcomes at chance nodes.
    Session(game::Game& game, game::State start, std::vector<Chooser> seats, Random& random, Tell tell);

    // Plays until the game ends, the input ends, or the user quits. Returns the exit code.
    int run();

private:
    enum class Step : std::uint8_t { Continue, Finished, Failed };
    // A decision of a person, to which `undo` returns.
    struct Past {
        game::State state;
        std::size_t line_length = 0;
    };

    struct Word;
    static std::span<const Word> words(); // the commands

    Step advance();
    Step decide();
    Step ask();
    std::optional<std::string> read_line();
    std::vector<std::string> completions(std::string_view typed);
    void obey(std::string_view line);
    std::optional<std::size_t> chosen(std::string_view line);
    Step make(std::size_t move);
    Step draw_outcome();
    void take_back();
    void list_moves();
    void hint();
    void show_board();
    void tell_position();
    void help();
    void quit() { quit_ = true; }
    Step fail();
    int finish(Step last);

    game::Game& game_;
    game::State state_;
    std::vector<Chooser> seats_;
    Random& random_;
    Tell tell_;
    Lines lines_;
    std::optional<LineEditor> editor_; // empty: lines_ reads
    bool interactive_, colour_;
    bool watching_;      // programs play every seat
    bool shown_ = false; // the current board has been printed
    bool quit_ = false;
    bool wrong_line_ = false; // some line was neither a move nor a command
    game::MoveList moves_;    // of state_
    std::vector<Past> past_;
    std::vector<std::string> line_; // the moves made, in notation
};

} // namespace zug::cli
