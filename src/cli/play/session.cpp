#include "cli/play/session.hpp"

#include "base/text.hpp"
#include "cli/interrupt.hpp"
#include "cli/outcome.hpp"
#include "cli/output.hpp"
#include "game/selfplay/sampler.hpp"
#include "search/search.hpp"

#include <algorithm>
#include <array>
#include <fmt/ranges.h>
#include <strings.h>
#include <utility>

namespace zug::cli {

namespace {

constexpr double hint_seconds = 1;

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

} // namespace

// What a line may say instead of a move. Second names are not in the help.
struct Session::Word {
    std::string_view name, what;
    void (Session::*run)();
};

std::span<const Session::Word> Session::words() {
    static constexpr std::array all = {
        Word{"moves", "list the moves; then a number picks one", &Session::list_moves},
        Word{"?", "", &Session::list_moves},
        Word{"undo", "take your last move back", &Session::take_back},
        Word{"hint", "what a search of a second would play", &Session::hint},
        Word{"board", "show the board again", &Session::show_board},
        Word{"position", "print this position as a text for --position, and the moves that led here for --moves",
             &Session::tell_position},
        Word{"help", "list the commands", &Session::help},
        Word{"quit", "stop playing", &Session::quit},
        Word{"exit", "", &Session::quit},
        Word{"q", "", &Session::quit},
    };
    return all;
}

Session::Session(game::Game& game, game::State start, std::vector<Chooser> seats, Random& random, Tell tell)
    : game_(game), state_(std::move(start)), seats_(std::move(seats)), random_(random), tell_(std::move(tell)),
      interactive_(lines_.interactive()), colour_(colour_wanted()),
      watching_(std::ranges::all_of(seats_, [](const Chooser& seat) { return static_cast<bool>(seat); })) {
    if (!watching_ && LineEditor::suits_streams())
        editor_.emplace([this](std::string_view typed) { return completions(typed); });
}

int Session::run() {
    if (interactive_ && !watching_)
        say("{}. Type a move, `moves` to list them, `help` for more.\n\n", game_.program().title);
    Step step = Step::Continue;
    while (step == Step::Continue && !interrupted()) step = advance();
    return finish(step);
}

Session::Step Session::advance() {
    switch (game_.expand(state_, moves_)) {
    case game::NodeKind::Terminal: return Step::Finished;
    case game::NodeKind::Chance: return draw_outcome();
    case game::NodeKind::Decision: return decide();
    case game::NodeKind::Fault: break;
    }
    return fail();
}

Session::Step Session::decide() {
    const auto player = game_.to_move(state_);
    if (!seats_[player]) return ask();
    const auto move = seats_[player](state_, moves_);
    if (interrupted()) return Step::Finished;
    if (!move) {
        complain(move.error().text);
        return Step::Failed;
    }
    say("{} plays {}\n", game_.player_name(player), game_.move_text(state_, moves_, *move));
    return make(*move);
}

// A person's turn: reads commands until there is a move.
Session::Step Session::ask() {
    for (;;) {
        if (!std::exchange(shown_, true)) show_board();
        const auto read = read_line();
        if (!read) {
            if (interactive_) say("\n");
            return Step::Finished;
        }
        const std::string_view line = trimmed(*read);
        if (line.empty()) continue;
        if (const auto move = chosen(line)) {
            past_.push_back({state_, line_.size()});
            // Moves from a pipe are echoed; on a terminal they were just typed.
            if (!interactive_)
                say("{} plays {}\n", game_.player_name(game_.to_move(state_)), game_.move_text(state_, moves_, *move));
            return make(*move);
        }
        const auto before = past_.size();
        obey(line);
        if (quit_) return Step::Finished;
        if (past_.size() != before) return Step::Continue; // taken back
    }
}

// The move that the line names, if it names one.
std::optional<std::size_t> Session::chosen(std::string_view line) {
    if (const auto move = game_.parse_move(state_, moves_, line)) return *move;
    const auto number = number_in<std::size_t>(line);
    if (!number || *number < 1 || *number > moves_.size()) return {};
    return *number - 1;
}

std::optional<std::string> Session::read_line() {
    const std::string prompt = fmt::format("{}> ", game_.player_name(game_.to_move(state_)));
    if (editor_) {
        flush();
        return editor_->next(prompt);
    }
    if (interactive_) say("{}", prompt);
    flush();
    return lines_.next();
}

// The moves and commands that begin so. Case does not tell moves apart, unless two differ by it alone.
std::vector<std::string> Session::completions(std::string_view typed) {
    std::vector<std::string> found;
    const auto add = [&](std::string_view text) {
        const bool fits = text.size() >= typed.size() && strncasecmp(text.data(), typed.data(), typed.size()) == 0;
        if (fits) found.emplace_back(text);
    };
    if (typed.starts_with(':'))
        for (const Word& word : words())
            if (!word.what.empty()) add(fmt::format(":{}", word.name));
    for (const std::string& move : game_.move_texts(state_, moves_)) add(move);
    for (const Word& word : words())
        if (!word.what.empty()) add(word.name);
    return found;
}

// Executes a command.
void Session::obey(std::string_view line) {
    const std::string_view name = line.starts_with(':') ? line.substr(1) : line;
    for (const Word& word : words())
        if (name == word.name) return (this->*word.run)();
    const auto move = game_.parse_move(state_, moves_, line);
    complain(move ? "" : move.error().text);
    wrong_line_ = true;
}

Session::Step Session::make(std::size_t move) {
    line_.push_back(game_.move_text(state_, moves_, move));
    game::State next;
    if (!game_.successor(state_, moves_, move, next)) return fail();
    tell_({state_, moves_, move, next});
    state_ = std::move(next);
    // If programs play every seat, no turn of a person shows the board.
    shown_ = watching_;
    if (watching_) show_board();
    return Step::Continue;
}

Session::Step Session::draw_outcome() {
    const std::size_t outcome = game::Sampler().draw_outcome(moves_, random_);
    ir::RuleId rule{};
    std::vector<std::int64_t> params;
    ir::decode_step(game_.program(), moves_.steps(outcome)[0], rule, params);
    // A notation may omit the rule's name; "5" alone would not be clear.
    const std::string& name = game_.program().rules[rule].name;
    const std::string text = game_.move_text(state_, moves_, outcome);
    say("{}\n", text.starts_with(name) ? text : fmt::format("{}: {}", name, text));
    return make(outcome);
}

void Session::take_back() {
    if (past_.empty()) {
        complain("there is no move to take back");
        return;
    }
    state_ = std::move(past_.back().state);
    line_.resize(past_.back().line_length);
    past_.pop_back();
    shown_ = false;
}

void Session::list_moves() {
    const auto texts = game_.move_texts(state_, moves_);
    for (std::size_t i = 0; i < texts.size(); ++i) say("{:4}  {}\n", i + 1, texts[i]);
}

void Session::tell_position() {
    say("position {}\n", game_.position_text(state_));
    say("moves    {}\n", fmt::join(line_, ", "));
}

void Session::help() {
    say("Type a move as the game writes it, or a command:\n");
    for (const Word& word : words())
        if (!word.what.empty()) say("  {:12} {}\n", word.name, word.what);
    say("A command that is also a move can be written with a colon: `:undo`.\n");
    if (editor_) say("The tab key completes moves and commands, the arrow keys bring earlier lines back.\n");
}

void Session::hint() {
    search::Limits limits;
    limits.seconds = hint_seconds;
    limits.stop = &interrupted();
    const auto result = search::search(game_, state_, search::automatic(game_.traits()), limits);
    if (!result.fault.empty())
        complain(result.fault);
    else if (result.pv.empty())
        say("no hint in {} s\n", hint_seconds);
    else
        say("hint: {} (value {:.6g} for {}, depth {})\n", result.pv[0], result.value[game_.to_move(state_)],
            game_.player_name(game_.to_move(state_)), result.depth);
}

void Session::show_board() { say("{}\n", game_.draw(state_, colour_)); }

Session::Step Session::fail() {
    complain(game_.fault_text());
    return Step::Failed;
}

int Session::finish(Step last) {
    if (last == Step::Failed) return exit_failed;
    if (game_.kind(state_) == game::NodeKind::Terminal) {
        std::vector<double> payoffs(game_.players());
        const bool fine = game_.payoffs(state_, payoffs);
        if (!fine) fail();
        if (!watching_) show_board();
        if (!fine) return exit_failed;
        say("{}\n", outcome_text(game_, payoffs));
    }
    if (!line_.empty()) say("moves: {}\n", fmt::join(line_, ", "));
    if (interrupted()) return exit_interrupted;
    // The exit code tells a script that a line was wrong; a person has seen the message.
    return wrong_line_ && !interactive_ ? exit_failed : exit_fine;
}

} // namespace zug::cli
