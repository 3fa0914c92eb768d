#include "match/outside_player.hpp"

#include "base/stop_flag.hpp"
#include "engines/vertices.hpp"
#include "engines/xboard.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <utility>

namespace zug::match {

namespace {

using game::Game;
using game::MoveList;
using game::State;
using Stop = std::atomic<bool>;
using Chosen = tl::expected<std::size_t, NoMove>;

NoMove no_move(const Error& error, const Stop* stop) {
    if (is_set(stop)) return {NoMove::Why::Stopped, ""};
    return {NoMove::Why::Forfeit, error.text};
}

NoMove not_legal(const std::string& text) {
    return {NoMove::Why::Forfeit, fmt::format("it plays `{}`, which is not legal", text)};
}

// What both kinds have: the line of moves that has led to the position, and the clock.
class OutsidePlayer : public Player {
public:
    OutsidePlayer(const PlayerSpec& spec, Game& game) : game_(game), settings_(spec.search) {}
    void new_game(std::uint64_t) final {
        is_new_ = true;
        known_.clear();
        left_ = settings_.game_time ? settings_.game_time->seconds : 0;
    }
    void see(const Step& step) final {
        if (known_.empty()) begin(step.before);
        known_.push_back(game_.hash(step.after));
        line_.push_back(text_of(step));
    }
    Chosen choose(const State& state, const MoveList& moves, const Stop* stop) final {
        find(state);
        const auto start = std::chrono::steady_clock::now();
        const Chosen move = answer(state, moves, stop);
        if (settings_.game_time) {
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
            left_ += settings_.game_time->increment - taken.count();
        }
        if (!move) is_new_ = true; // whatever has gone wrong, the program is set up again
        return move;
    }

protected:
    // A move as the program is told it.
    virtual std::string text_of(const Step& step) { return game_.move_text(step.before, step.moves, step.move); }
    virtual Chosen answer(const State& state, const MoveList& moves, const Stop* stop) = 0;

    // The move that the program's text names, as the game writes moves.
    Chosen move_of(const State& state, const MoveList& moves, const std::string& text) const {
        const auto move = game_.parse_move(state, moves, text);
        return move ? Chosen(*move) : tl::unexpected(not_legal(text));
    }
    bool starts_at_beginning() const { return game_.hash(start_) == game_.hash(game_.initial()); }

    Game& game_;
    const search::Settings settings_;
    double left_ = 0;               // seconds of the game's time
    bool is_new_ = true;            // the program is to be set up before its next move
    State start_;                   // from where line_ leads to the position
    std::vector<std::string> line_; // texts of moves

private:
    void begin(const State& state) {
        start_ = state;
        line_.clear();
        known_ = {game_.hash(state)};
    }
    // A position that is not the last one may be an earlier one, after moves were taken back, or unknown.
    void find(const State& state) {
        const std::uint64_t hash = game_.hash(state);
        if (!known_.empty() && known_.back() == hash) return;
        is_new_ = true;
        const auto earlier = std::find(known_.rbegin(), known_.rend(), hash);
        if (earlier == known_.rend()) return begin(state);
        known_.erase(earlier.base(), known_.end());
        line_.resize(known_.size() - 1);
    }

    std::vector<std::uint64_t> known_; // hashes of start_ and the positions after each move; empty: a new game
};

// What a chess program may spend. The other player's clock may be as long, as far as is known.
engines::Allowance allowance_of(const search::Settings& settings, double left) {
    engines::Allowance allowance{.seconds = settings.seconds, .nodes = settings.nodes, .depth = settings.depth};
    if (!settings.game_time) return allowance;
    allowance.clock = true;
    allowance.white = allowance.black = std::max(0.0, left);
    allowance.increment = settings.game_time->increment;
    return allowance;
}

class XboardPlayer final : public OutsidePlayer {
public:
    XboardPlayer(const PlayerSpec& spec, Game& game) : OutsidePlayer(spec, game), client_(spec.launch) {}

protected:
    Chosen answer(const State& state, const MoveList& moves, const Stop* stop) override {
        const engines::Allowance allowance = allowance_of(settings_, left_);
        if (std::exchange(is_new_, false)) {
            told_ = 0;
            const std::string position = starts_at_beginning() ? "" : game_.position_text(start_);
            if (const auto done = client_.new_game(position, allowance, stop); !done)
                return tl::unexpected(!position.empty() && !client_.takes_positions() && !is_set(stop)
                                          ? NoMove{NoMove::Why::Fault, done.error().text}
                                          : no_move(done.error(), stop));
        }
        const auto text = client_.best_move(std::span(line_).subspan(told_), allowance, stop);
        if (!text) return tl::unexpected(no_move(text.error(), stop));
        if (*text == "resign") return tl::unexpected(NoMove{NoMove::Why::Forfeit, "it resigns"});
        told_ = line_.size() + 1; // it has made it by itself
        return move_of(state, moves, *text);
    }

private:
    engines::XboardClient client_;
    std::size_t told_ = 0; // how many moves of line_ the program knows
};

class UciPlayer final : public OutsidePlayer {
public:
    UciPlayer(const PlayerSpec& spec, Game& game) : OutsidePlayer(spec, game), client_(spec.launch) {}

protected:
    Chosen answer(const State& state, const MoveList& moves, const Stop* stop) override {
        if (std::exchange(is_new_, false))
            if (const auto done = client_.new_game(stop); !done) return tl::unexpected(no_move(done.error(), stop));
        const engines::Allowance allowance = allowance_of(settings_, left_);
        const bool white = engines::is_white(game_, game_.to_move(state));
        const auto text = client_.best_move(position(), allowance, white, stop);
        if (!text) return tl::unexpected(no_move(text.error(), stop));
        return move_of(state, moves, *text);
    }

private:
    std::string position() {
        std::string text = starts_at_beginning() ? "startpos" : fmt::format("fen {}", game_.position_text(start_));
        if (!line_.empty()) text += fmt::format(" moves {}", fmt::join(line_, " "));
        return text;
    }

    engines::UciClient client_;
};

class GtpPlayer final : public OutsidePlayer {
public:
    GtpPlayer(const PlayerSpec& spec, Game& game)
        : OutsidePlayer(spec, game), client_(spec.launch), vertices_(engines::Vertices::of(game)) {}

protected:
    std::string text_of(const Step& step) override {
        return fmt::format("{} {}", vertices_->colour(game_.to_move(step.before)),
                           vertices_->text(game_, step.before, step.moves, step.move));
    }
    Chosen answer(const State& state, const MoveList& moves, const Stop* stop) override;

private:
    // The commands that come before the program's move.
    std::vector<std::string> preparation(std::string_view colour);

    engines::GtpClient client_;
    tl::expected<engines::Vertices, Error> vertices_;
    std::size_t told_ = 0; // how many moves of line_ the program knows
};

std::vector<std::string> GtpPlayer::preparation(std::string_view colour) {
    std::vector<std::string> commands;
    if (std::exchange(is_new_, false)) {
        told_ = 0;
        commands = {fmt::format("boardsize {}", vertices_->width()), "clear_board"};
        const auto& params = game_.program().params;
        const auto komi = std::ranges::find(params, "komi", &ir::Param::name);
        if (komi != params.end()) commands.push_back(fmt::format("komi {}", komi->value));
        // A stone at a time; the protocol has whole seconds.
        if (settings_.seconds > 0)
            commands.push_back(fmt::format("time_settings 0 {:.0f} 1", std::ceil(settings_.seconds)));
        if (settings_.game_time)
            commands.push_back(fmt::format("time_settings {:.0f} 0 0", settings_.game_time->seconds));
    }
    for (; told_ < line_.size(); ++told_) commands.push_back(fmt::format("play {}", line_[told_]));
    if (settings_.game_time) commands.push_back(fmt::format("time_left {} {:.0f} 0", colour, std::max(0.0, left_)));
    return commands;
}

Chosen GtpPlayer::answer(const State& state, const MoveList& moves, const Stop* stop) {
    if (!starts_at_beginning())
        return tl::unexpected(NoMove{NoMove::Why::Fault, "a GTP program has to be told all moves since the start of "
                                                         "the game, and here it is not"});
    const std::string_view colour = vertices_->colour(game_.to_move(state));
    for (const std::string& command : preparation(colour))
        if (const auto done = client_.ask(command, 0, stop); !done) return tl::unexpected(no_move(done.error(), stop));
    constexpr double without_clock = 600; // a level of a program's own may take long
    const double longest = settings_.game_time ? std::max(0.0, left_) : settings_.seconds;
    const auto text = client_.ask(fmt::format("genmove {}", colour), longest > 0 ? longest : without_clock, stop);
    if (!text) return tl::unexpected(no_move(text.error(), stop));
    if (*text == "resign") return tl::unexpected(NoMove{NoMove::Why::Forfeit, "it resigns"});
    const auto move = vertices_->find(game_, state, moves, *text);
    if (!move) return tl::unexpected(not_legal(*text));
    ++told_; // it has played it by itself
    return *move;
}

} // namespace

std::unique_ptr<Player> make_outside_player(const PlayerSpec& spec, Game& game) {
    if (spec.kind == PlayerKind::Uci) return std::make_unique<UciPlayer>(spec, game);
    if (spec.kind == PlayerKind::Xboard) return std::make_unique<XboardPlayer>(spec, game);
    return std::make_unique<GtpPlayer>(spec, game);
}

std::string outside_refusal(const PlayerSpec& spec, const Game& game) {
    if (spec.kind == PlayerKind::Uci) return engines::chess_protocol_refusal(game, "UCI");
    if (spec.kind == PlayerKind::Xboard) return engines::chess_protocol_refusal(game, "xboard's protocol");
    const auto vertices = engines::Vertices::of(game);
    if (!vertices) return vertices.error().text;
    return vertices->width() == vertices->height() ? "" : "GTP knows square boards only";
}

} // namespace zug::match
