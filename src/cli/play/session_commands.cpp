// What a person can say at the prompt instead of a move.

#include "base/text.hpp"
#include "cli/interrupt.hpp"
#include "cli/play/about_rules.hpp"
#include "cli/play/columns.hpp"
#include "cli/play/saved_game.hpp"
#include "cli/play/session.hpp"
#include "cli/play/thoughts.hpp"
#include "search/search.hpp"

#include <algorithm>
#include <array>
#include <fmt/ranges.h>
#include <strings.h>

namespace zug::cli {

namespace {

constexpr double hint_seconds = 1;

} // namespace

// Second names of commands are not in the help.
struct Session::Word {
    std::string_view name, argument, what;
    void (Session::*run)(std::string_view argument);
};

std::span<const Session::Word> Session::words() {
    static constexpr std::array all = {
        Word{"moves", "", "list the moves; then a number picks one", &Session::list_moves},
        Word{"?", "", "", &Session::list_moves},
        Word{"undo", "", "take your last move back", &Session::take_back},
        Word{"hint", "", "what a search of a second would play", &Session::hint},
        Word{"board", "", "show the board again", &Session::show_board},
        Word{"state", "", "the same with all that the position consists of", &Session::show_state},
        Word{"rules", "", "what the rule file says about the game in words", &Session::tell_rules},
        Word{"position", "", "print this position as a text for --position, and the moves that led here for --moves",
             &Session::tell_position},
        Word{"save", "FILE", "put the game in a file; one whose name ends with .pgn or .sgf is for other programs, too",
             &Session::save},
        Word{"load", "FILE", "go on with a game of such a file", &Session::load_at_prompt},
        Word{"help", "", "list the commands", &Session::help},
        Word{"quit", "", "stop playing", &Session::quit},
        Word{"exit", "", "", &Session::quit},
        Word{"q", "", "", &Session::quit},
    };
    return all;
}

// The command that a line is; null: none. One that takes no argument is none with an argument.
const Session::Word* Session::command_of(std::string_view line) const {
    std::string_view name = line.substr(0, line.find_first_of(blanks));
    const bool alone = trimmed(line.substr(name.size())).empty();
    if (name.starts_with(':')) name.remove_prefix(1);
    const auto found = std::ranges::find_if(
        words(), [&](const Word& word) { return name == word.name && (alone || !word.argument.empty()); });
    return found == words().end() ? nullptr : &*found;
}

// Executes a command.
void Session::obey(std::string_view line) {
    if (const Word* const word = command_of(line)) {
        const std::string_view argument = trimmed(line.substr(std::min(line.size(), line.find_first_of(blanks))));
        if (!word->argument.empty() && argument.empty())
            return wrong_line(fmt::format("`{0}` needs a name, as in `{0} {1}`", word->name, word->argument));
        return (this->*word->run)(argument);
    }
    const auto move = typed_moves_.find(game_, state_, moves_, line);
    wrong_line(move ? "" : move.error().text);
}

// The moves and commands that begin so. Case does not tell moves apart, unless two differ by it alone.
std::optional<std::vector<std::string>> Session::completions(std::string_view typed) {
    std::vector<std::string> found;
    const auto add = [&](std::string_view text) {
        const bool fits = text.size() >= typed.size() && strncasecmp(text.data(), typed.data(), typed.size()) == 0;
        if (fits) found.emplace_back(text);
    };
    const std::string colon = typed.starts_with(':') ? ":" : "";
    if (colon.empty())
        for (const std::string& move : game_.move_texts(state_, moves_)) add(move);
    for (const Word& word : words()) {
        const std::string before = fmt::format("{}{} ", colon, word.name);
        if (!word.argument.empty() && typed.starts_with(before)) return std::nullopt;
        if (!word.what.empty()) add(word.argument.empty() ? colon + std::string(word.name) : before);
    }
    return found;
}

void Session::take_back(std::string_view) {
    if (past_.empty()) return complain("there is no move to take back");
    state_ = std::move(past_.back().state);
    line_.resize(past_.back().line_length);
    past_.pop_back();
    shown_ = false;
    elsewhere_ = true;
}

void Session::list_moves(std::string_view) {
    std::vector<std::string> lines = game_.move_texts(state_, moves_);
    const std::size_t digits = std::to_string(lines.size()).size();
    for (std::size_t i = 0; i < lines.size(); ++i)
        lines[i] =
            interactive_ ? fmt::format("{:{}} {}", i + 1, digits, lines[i]) : fmt::format("{:4}  {}", i + 1, lines[i]);
    say("{}", interactive_ ? in_columns(lines, terminal_width()) : fmt::format("{}\n", fmt::join(lines, "\n")));
}

void Session::tell_position(std::string_view) {
    say("position {}\n", game_.position_text(state_));
    say("moves    {}\n", fmt::join(line_, ", "));
}

void Session::tell_rules(std::string_view) { say("{}\n", rules_text(game_.program(), table_.sources)); }

void Session::help(std::string_view) {
    say("Type a move as the game writes it, or a command:\n");
    for (const Word& word : words()) {
        const std::string line = word.argument.empty() ? "" : fmt::format("{} {}", word.name, word.argument);
        if (!word.what.empty()) say("  {:12} {}\n", line.empty() ? word.name : line, word.what);
    }
    say("A command that is also a move can be written with a colon: `:undo`.\n");
    if (editor_) say("The tab key completes moves and commands, the arrow keys bring earlier lines back.\n");
}

void Session::hint(std::string_view) {
    search::Limits limits;
    limits.seconds = hint_seconds;
    limits.stop = &interrupted();
    const auto result = search::search(game_, state_, search::automatic(game_.traits()), limits);
    if (!result.fault.empty()) return complain(result.fault);
    if (result.pv.empty()) return say("no hint in {} s\n", hint_seconds);
    const std::string depth = result.exact || result.depth == 0 ? "" : fmt::format(", depth {}", result.depth);
    say("hint: {} ({}{})\n", result.pv[0], verdict_words(game_, state_, result), depth);
}

void Session::show_board(std::string_view) {
    say("{}\n", positions_ ? positions_->text(game_, state_) : game_.draw(state_, colour_, internal_));
}

void Session::show_state(std::string_view) { say("{}\n", game_.draw(state_, colour_)); }

void Session::save(std::string_view file) {
    if (const auto done = save_game(game_, std::string(file), record()); !done) return wrong_line(done.error().text);
    say("saved in {}\n", file);
}

void Session::load_at_prompt(std::string_view file) {
    if (const auto done = load(std::string(file)); !done) wrong_line(done.error().text);
}

} // namespace zug::cli
