#include "cli/session.hpp"

#include "base/text.hpp"
#include "cli/interrupt.hpp"
#include "cli/outcome.hpp"
#include "cli/output.hpp"
#include "game/selfplay/sampler.hpp"
#include "search/search.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <utility>

namespace zug::cli {

namespace {

constexpr double hint_seconds = 1;

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

constexpr std::string_view help_text = R"(Type a move as the game writes it, or a command:
  moves, ?     list the moves; then a number picks one
  undo         take your last move back
  hint         what a search of a second would play
  board        show the board again
  position     print this position as a text for --position, and the moves that led here for --moves
  quit         stop playing
A command that is also a move can be written with a colon: `:undo`.
)";

} // namespace

Session::Session(game::Game& game, game::State start, std::vector<Chooser> seats, Random& random, Tell tell)
    : game_(game), state_(std::move(start)), seats_(std::move(seats)), random_(random), tell_(std::move(tell)),
      interactive_(lines_.interactive()), colour_(colour_wanted()),
      watching_(std::ranges::all_of(seats_, [](const Chooser& seat) { return static_cast<bool>(seat); })) {}

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
        if (interactive_) say("{}> ", game_.player_name(game_.to_move(state_)));
        flush();
        const auto read = lines_.next();
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
        if (const auto step = obey(line)) return *step;
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

// Executes a command. Empty: the person is asked again; else the step that ends the turn.
std::optional<Session::Step> Session::obey(std::string_view line) {
    const std::string_view word = line.starts_with(':') ? line.substr(1) : line;
    if (word == "quit" || word == "exit" || word == "q") return Step::Finished;
    if (word == "moves" || word == "?")
        list_moves();
    else if (word == "undo")
        take_back();
    else if (word == "hint")
        hint();
    else if (word == "board")
        show_board();
    else if (word == "help")
        say("{}", help_text);
    else if (word == "position") {
        say("position {}\n", game_.position_text(state_));
        say("moves    {}\n", fmt::join(line_, ", "));
    } else {
        const auto move = game_.parse_move(state_, moves_, line);
        complain(move ? "" : move.error().text);
        wrong_line_ = true;
    }
    return std::nullopt;
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
