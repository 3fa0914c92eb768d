#pragma once
// One game between people, at a terminal or through a pipe, and programs: `zug play` after its options are read.
//
// A line of input is a move in the game's notation (or, in games like chess, as chess players write it), a number from
// the list that `moves` shows, or a command. A word that is both a move and a command is the move; `:word` is always
// the command.

#include "base/random.hpp"
#include "cli/lines.hpp"
#include "cli/output.hpp"
#include "cli/play/line_editor.hpp"
#include "diag/diagnostic.hpp"
#include "draw/terminal/position.hpp"
#include "game/game.hpp"
#include "match/player.hpp"
#include "match/record.hpp"
#include "records/typed_move.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zug::cli {

struct Seat {
    std::string name;                      // as records call who plays it
    std::unique_ptr<match::Player> player; // null: a person
};

// A game that is to be played.
struct Table {
    game::Game& game;
    game::State start;
    std::vector<Seat> seats; // by player
    std::uint64_t seed = 0;  // of chance events and programs
    std::string file;        // of the rules
    std::string save{};      // where the game goes at its end; empty: nowhere
    bool ascii = false;      // boards in no other characters
    const diag::Sources& sources;
};

class Session {
public:
    explicit Session(Table table);

    // Goes on with the game of a record. The error: it can't be.
    tl::expected<void, Error> load(const std::string& file);
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
    void show_progress(std::uint32_t player, const search::Progress& progress);
    Step ask();
    std::optional<std::string> read_line(const std::string& prompt);
    std::optional<std::size_t> chosen(std::string_view line);
    Step make(std::size_t move);
    bool enact(std::size_t move);
    Step draw_outcome();
    void new_game();
    Step after_end();
    bool tell_end();
    Step fail();
    int finish(Step last);
    int close(int code);
    void wrong_line(std::string_view why);
    match::GameRecord record();

    // Commands, and the word behind them.
    const Word* command_of(std::string_view line) const;
    void obey(std::string_view line);
    std::optional<std::vector<std::string>> completions(std::string_view typed);
    void list_moves(std::string_view = {});
    void take_back(std::string_view);
    void hint(std::string_view);
    void show_board(std::string_view = {});
    void show_state(std::string_view);
    void tell_position(std::string_view);
    void tell_rules(std::string_view);
    void save(std::string_view file);
    void load_at_prompt(std::string_view file);
    void help(std::string_view);
    void quit(std::string_view) { quit_ = true; }

    Table table_;
    game::Game& game_;
    game::State state_;
    Random random_;
    Lines lines_;
    std::optional<LineEditor> editor_; // empty: lines_ reads
    Progress progress_;
    bool interactive_, colour_;
    std::vector<bool> internal_;                                 // what the board is shown without
    std::optional<draw::terminal::TerminalPositions> positions_; // empty: plain text, for pipes
    const records::TypedMoves typed_moves_;
    bool watching_;          // programs play every seat
    bool shown_ = false;     // the current board has been printed
    bool end_told_ = false;  // the game is over, and how has been printed
    bool elsewhere_ = false; // a command has led to another position
    bool quit_ = false;
    bool wrong_line_ = false; // some line was neither a move nor a command
    game::MoveList moves_;    // of state_
    std::vector<Past> past_;
    std::vector<std::string> line_; // the moves made, in notation
};

} // namespace zug::cli
