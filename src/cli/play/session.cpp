#include "cli/play/session.hpp"

#include "base/text.hpp"
#include "cli/interrupt.hpp"
#include "cli/outcome.hpp"
#include "cli/play/about_rules.hpp"
#include "cli/play/saved_game.hpp"
#include "cli/play/thoughts.hpp"
#include "draw/board/roles.hpp"
#include "game/selfplay/sampler.hpp"
#include "match/play.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <utility>

namespace zug::cli {

namespace {

constexpr double thinking_unseen = 0.3; // seconds

} // namespace

Session::Session(Table table)
    : table_(std::move(table)), game_(table_.game), state_(table_.start), random_(match::derived_seed(table_.seed, 0)),
      progress_(thinking_unseen), interactive_(lines_.interactive()), colour_(colour_wanted()),
      internal_(draw::board::internal_states(game_.program())), typed_moves_(game_),
      watching_(std::ranges::all_of(table_.seats, [](const Seat& seat) { return seat.player != nullptr; })) {
    if (interactive_)
        positions_.emplace(game_, draw::terminal::Screen{.unicode = unicode_wanted() && !table_.ascii,
                                                         .colour = colour_,
                                                         .width = terminal_width()});
    if (!watching_ && LineEditor::suits_streams())
        editor_.emplace([this](std::string_view typed) { return completions(typed); });
    for (std::uint32_t p = 0; p < table_.seats.size(); ++p)
        if (const auto& player = table_.seats[p].player)
            player->watch([this, p](const search::Progress& progress) { show_progress(p, progress); });
    new_game();
}

void Session::new_game() {
    for (std::size_t p = 0; p < table_.seats.size(); ++p)
        if (const auto& player = table_.seats[p].player) player->new_game(match::derived_seed(table_.seed, 1 + p));
}

tl::expected<void, Error> Session::load(const std::string& file) {
    const auto saved = saved_game(game_, table_.file, file);
    if (!saved) return tl::unexpected(saved.error());
    match::Line line;
    const auto last = match::replay(game_, *saved, &line);
    if (!last) return failure(fmt::format("{}: {}", file, last.error().text));
    if (game_.kind(*last) == game::NodeKind::Terminal)
        return failure(fmt::format("the game in {} is over; `zug replay` shows it", file));
    new_game();
    past_.clear();
    line_.clear();
    table_.start = state_ = line.start;
    for (const std::uint64_t id : line.moves) {
        const bool person =
            game_.expand(state_, moves_) == game::NodeKind::Decision && !table_.seats[game_.to_move(state_)].player;
        if (person) past_.push_back({state_, line_.size()});
        if (!enact(moves_.find(id).value_or(0))) return failure(game_.fault_text());
    }
    shown_ = false;
    elsewhere_ = true;
    return {};
}

int Session::run() {
    if (interactive_ && !watching_)
        say("{}. Type a move, `moves` to list them, `rules` to read them, `help` for more.\n\n", game_.program().title);
    Step step = Step::Continue;
    while (step == Step::Continue && !interrupted()) step = advance();
    return close(finish(step));
}

Session::Step Session::advance() {
    elsewhere_ = false;
    switch (game_.expand(state_, moves_)) {
    case game::NodeKind::Terminal: return after_end();
    case game::NodeKind::Chance: return draw_outcome();
    case game::NodeKind::Decision: return decide();
    case game::NodeKind::Fault: break;
    }
    return fail();
}

Session::Step Session::decide() {
    const auto player = game_.to_move(state_);
    const auto& program = table_.seats[player].player;
    if (!program) return ask();
    // A person at a terminal sees what the program thinks about.
    if (interactive_ && !std::exchange(shown_, true)) show_board();
    flush();
    progress_.clear(); // a person may have taken long
    const auto move = program->choose(state_, moves_, &interrupted());
    progress_.clear();
    if (interrupted()) return Step::Finished;
    if (!move) {
        complain(move.error().text);
        return Step::Failed;
    }
    say("{} plays {}\n", game_.player_name(player), game_.move_text(state_, moves_, *move));
    return make(*move);
}

void Session::show_progress(std::uint32_t player, const search::Progress& progress) {
    const search::Result& result = progress.result;
    if (!progress_.due() || result.value.empty()) return;
    std::string text = game_.player_name(player) + " is thinking: ";
    if (result.depth > 0) text += fmt::format("depth {}, ", result.depth);
    text += value_words(game_, result, player);
    if (!result.pv.empty()) text += fmt::format(", {}", fmt::join(result.pv, " "));
    progress_.show(text);
}

// A person's turn: reads commands until there is a move, or another position.
Session::Step Session::ask() {
    for (;;) {
        if (!std::exchange(shown_, true)) show_board();
        const auto read = read_line(fmt::format("{}> ", game_.player_name(game_.to_move(state_))));
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
        obey(line);
        if (quit_) return Step::Finished;
        if (elsewhere_) return Step::Continue;
    }
}

std::optional<std::string> Session::read_line(const std::string& prompt) {
    if (interactive_ && !editor_) say("{}", prompt);
    flush();
    return editor_ ? editor_->next(prompt) : lines_.next();
}

// The move that the line names, if it names one.
std::optional<std::size_t> Session::chosen(std::string_view line) {
    if (const auto move = typed_moves_.find(game_, state_, moves_, line)) return *move;
    const auto number = number_in<std::size_t>(line);
    if (!number || *number < 1 || *number > moves_.size()) return {};
    return *number - 1;
}

Session::Step Session::make(std::size_t move) {
    if (!enact(move)) return fail();
    // If programs play every seat, no turn of a person shows the board.
    shown_ = watching_;
    if (watching_) show_board();
    return Step::Continue;
}

// Makes a move of the list. False: a fault.
bool Session::enact(std::size_t move) {
    line_.push_back(game_.move_text(state_, moves_, move));
    game::State next;
    if (!game_.successor(state_, moves_, move, next)) return false;
    for (const Seat& seat : table_.seats)
        if (seat.player) seat.player->see({state_, moves_, move, next});
    state_ = std::move(next);
    return true;
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

match::GameRecord Session::record() {
    match::GameRecord record;
    record.game = game_.program().title;
    record.file = table_.file;
    for (const auto& param : game_.program().params) record.params[param.name] = param.value;
    for (const Seat& seat : table_.seats) record.players.push_back(seat.name);
    record.seed = table_.seed;
    if (game_.hash(table_.start) != game_.hash(game_.initial())) record.from = game_.position_text(table_.start);
    record.moves = line_;
    record.end = match::End::Stopped;
    if (game_.kind(state_) == game::NodeKind::Terminal) {
        record.utilities.resize(game_.players());
        if (game_.payoffs(state_, record.utilities)) record.end = match::End::Finished;
    }
    game_.clear_fault();
    return record;
}

Session::Step Session::fail() {
    complain(game_.fault_text());
    return Step::Failed;
}

// The game is over. People can still save it, look at it, or take a move back. From a pipe, the first line that is no
// command ends this.
Session::Step Session::after_end() {
    if (!std::exchange(end_told_, true) && !tell_end()) return Step::Failed;
    if (watching_) return Step::Finished;
    for (;;) {
        const auto read = read_line("game over> ");
        if (!read) {
            if (interactive_) say("\n");
            return Step::Finished;
        }
        const std::string_view line = trimmed(*read);
        if (line.empty()) continue;
        if (command_of(line) != nullptr) {
            obey(line);
        } else if (interactive_) {
            complain("the game is over: `save FILE` keeps it, `undo` takes your last move back, `quit` ends");
        } else {
            return Step::Finished;
        }
        if (quit_) return Step::Finished;
        if (elsewhere_) {
            end_told_ = false;
            return Step::Continue;
        }
    }
}

// How the game has ended. False: its payoffs have a fault, which was told.
bool Session::tell_end() {
    std::vector<double> payoffs(game_.players());
    const bool fine = game_.payoffs(state_, payoffs);
    if (!fine) fail();
    if (!watching_) show_board();
    if (!fine) return false;
    const std::string why = end_words(game_, state_, table_.sources);
    say("{}{}\n", outcome_text(game_, payoffs), why.empty() ? "" : " " + why);
    return true;
}

int Session::finish(Step last) {
    if (last == Step::Failed) return exit_failed;
    // Nothing is printed before the game is saved: the terminal may be gone.
    if (!table_.save.empty())
        if (const auto saved = save_game(game_, table_.save, record()); !saved) {
            complain(saved.error().text);
            return exit_failed;
        }
    if (!line_.empty()) say("moves: {}\n", fmt::join(line_, ", "));
    if (interrupted()) return exit_interrupted;
    // The exit code tells a script that a line was wrong; a person has seen the message.
    return wrong_line_ && !interactive_ ? exit_failed : exit_fine;
}

// Lets the programs keep what they remember of the game.
int Session::close(int code) {
    for (const Seat& seat : table_.seats) {
        if (!seat.player) continue;
        if (const auto kept = seat.player->game_over(); !kept) {
            complain(kept.error().text);
            code = exit_failed;
        }
    }
    return code;
}

void Session::wrong_line(std::string_view why) {
    complain(why);
    wrong_line_ = true;
}

} // namespace zug::cli
