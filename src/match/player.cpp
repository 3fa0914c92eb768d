#include "match/player.hpp"

#include "base/file.hpp"
#include "base/stop_flag.hpp"
#include "game/selfplay/sampler.hpp"
#include "learn/rote_memory.hpp"
#include "learn/use.hpp"
#include "match/book.hpp"
#include "match/game_clock.hpp"
#include "match/outside_player.hpp"
#include "search/suited.hpp"
#include "solve/database/query.hpp"
#include "solve/database/tease.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace zug::match {

namespace {

using game::Game;
using game::MoveList;
using game::State;
using Stop = std::atomic<bool>;

class RandomPlayer final : public Player {
public:
    void new_game(std::uint64_t seed) override { random_ = Random(seed); }
    tl::expected<std::size_t, NoMove> choose(const State&, const MoveList& moves, const Stop* stop) override {
        if (is_set(stop)) return tl::unexpected(NoMove{NoMove::Why::Stopped, ""});
        return lot_.draw(moves, random_);
    }

private:
    Random random_;
    game::Sampler lot_;
};

class HumanPlayer final : public Player {
public:
    HumanPlayer(Game& game, Human* human) : game_(game), human_(human) {}
    void new_game(std::uint64_t) override {}
    tl::expected<std::size_t, NoMove> choose(const State& state, const MoveList& moves, const Stop* stop) override {
        if (human_ == nullptr) return tl::unexpected(NoMove{NoMove::Why::Fault, "there is nobody to ask for a move"});
        const auto move = human_->ask(game_, state, moves);
        if (is_set(stop)) return tl::unexpected(NoMove{NoMove::Why::Stopped, ""});
        if (!move || *move >= moves.size()) return tl::unexpected(NoMove{NoMove::Why::Quit, ""});
        return *move;
    }

private:
    Game& game_;
    Human* human_;
};

// `auto` with a depth is a search to that depth, which UCT is not; nor has that a use for positions of earlier games.
search::Method method_of(const search::Settings& settings, Game& game) {
    const bool exact = settings.depth != search::unlimited_depth || !settings.rote.empty();
    return search::method_for(settings.method, exact, game);
}

class SearchPlayer final : public Player {
public:
    // `own`: a game with the player's own evaluation; null: `game` has it.
    SearchPlayer(const PlayerSpec& spec, Game& game, std::unique_ptr<Game> own, Book book,
                 std::shared_ptr<learn::RoteMemory> memory)
        : own_(std::move(own)), game_(own_ ? *own_ : game), book_(std::move(book)), memory_(std::move(memory)),
          searcher_(game_, method_of(spec.search, game_), spec.search.options), limits_(spec.search.limits()),
          game_time_(spec.search.game_time), random_share_(spec.search.random) {
        constexpr auto errant = search::Method::OpponentModel;
        if (!spec.search.method && search::refusal(errant, game_.traits()).empty())
            problems_ = std::make_unique<search::Searcher>(game_, errant);
        limits_.write_line = false;
        begin_clock();
    }
    void new_game(std::uint64_t seed) override {
        random_ = Random(seed);
        searcher_.forget();
        begin_clock();
        if (memory_) known_ = memory_->table();
        limits_.rote = known_.get();
    }
    tl::expected<void, Error> game_over() override {
        return memory_ ? memory_->end_game() : tl::expected<void, Error>();
    }
    void watch(std::function<void(const search::Progress&)> progress) override {
        limits_.progress = std::move(progress);
    }
    tl::expected<std::size_t, NoMove> choose(const State& state, const MoveList& moves, const Stop* stop) override;
    const search::Result* thoughts() const override { return thought_ ? &result_ : nullptr; }
    void allow(const search::Limits& limits) override {
        limits_.depth = limits.depth;
        limits_.seconds = limits.seconds;
        limits_.enough_seconds = limits.enough_seconds;
        limits_.nodes = limits.nodes;
        game_time_.reset();
    }
    std::optional<search::Result> analyse(const State& state, const search::Limits& limits) override {
        searcher_.prepare(limits.stop);
        return searcher_.run(state, limits);
    }

private:
    // Where all moves lose against perfect play, the one that sets the most problems, if the method was left to us.
    void set_problems(const State& state);
    void remember(const State& state);
    using Clock = std::chrono::steady_clock;
    void begin_clock() { left_ = game_time_ ? game_time_->seconds : 0; }

    std::unique_ptr<Game> own_;
    Game& game_;
    Book book_;                                 // may be empty
    std::shared_ptr<learn::RoteMemory> memory_; // none: the player remembers nothing
    std::shared_ptr<const search::RoteTable> known_;
    Random random_;
    std::unique_ptr<search::Searcher> problems_; // none: the player's text names a method
    search::Searcher searcher_;
    search::Limits limits_;
    std::optional<search::GameTime> game_time_;
    double left_ = 0;           // seconds of the game's time
    const double random_share_; // of the moves
    search::Result result_;
    bool thought_ = false;
};

// If no depth was completed there is no best move: takes the move with the least id, which is the same for every
// executor.
std::size_t first_move(const MoveList& moves) {
    std::size_t first = 0;
    for (std::size_t i = 1; i < moves.size(); ++i)
        if (moves.id(i) < moves.id(first)) first = i;
    return first;
}

void SearchPlayer::set_problems(const State& state) {
    const game::Traits& traits = game_.traits();
    const bool first = traits.team[game_.to_move(state)] == 0;
    const bool lost = first ? result_.value[0] <= traits.min_utility : result_.value[0] >= traits.max_utility;
    if (!problems_ || !result_.exact || !lost) return;
    search::Limits limits = limits_;
    limits.progress = nullptr;
    limits.seconds /= 4;
    limits.enough_seconds = 0;
    limits.depth = search::unlimited_depth;
    const search::Result found = problems_->run(state, limits);
    if (found.fault.empty() && !found.pv_ids.empty()) result_.pv_ids = found.pv_ids;
}

void SearchPlayer::remember(const State& state) {
    if (!memory_ || result_.value.empty() || !result_.fault.empty()) return;
    memory_->meet(state, result_.value[0], result_.exact ? search::max_depth : result_.depth);
}

tl::expected<std::size_t, NoMove> SearchPlayer::choose(const State& state, const MoveList& moves, const Stop* stop) {
    thought_ = moves.size() > 1;
    if (!thought_) return 0;
    if (random_share_ > 0 && random_.unit() < random_share_) {
        thought_ = false;
        return random_.below(static_cast<std::uint32_t>(moves.size()));
    }
    if (const auto known = book_.choose(game_, state, moves, random_)) return thought_ = false, *known;
    limits_.stop = stop;
    searcher_.prepare(stop);
    const Clock::time_point begin = Clock::now();
    if (game_time_) share_time({.left = left_, .increment = game_time_->increment}, limits_);
    result_ = searcher_.run(state, limits_);
    if (result_.fault.empty() && !is_set(stop)) set_problems(state);
    if (game_time_) left_ += game_time_->increment - std::chrono::duration<double>(Clock::now() - begin).count();
    if (!result_.fault.empty()) return tl::unexpected(NoMove{NoMove::Why::Fault, result_.fault});
    if (is_set(stop)) return tl::unexpected(NoMove{NoMove::Why::Stopped, ""});
    remember(state);
    if (result_.pv_ids.empty()) return first_move(moves);
    return moves.find(result_.pv_ids.front()).value_or(first_move(moves));
}

class SolvedPlayer final : public Player {
public:
    SolvedPlayer(const PlayerSpec& spec, Game& game)
        : game_(game), database_(solve::Database::open_in(spec.folder, game)), tease_(spec.tease),
          error_(spec.search.options.error) {}
    void new_game(std::uint64_t) override {}
    tl::expected<std::size_t, NoMove> choose(const State& state, const MoveList& moves, const Stop* stop) override {
        if (is_set(stop)) return tl::unexpected(NoMove{NoMove::Why::Stopped, ""});
        if (!database_) return tl::unexpected(NoMove{NoMove::Why::Fault, database_.error().text});
        const auto move = tease_ ? solve::teasing_move(*database_, game_, state, moves, error_)
                                 : solve::best_move(*database_, game_, state, moves);
        if (!move) return tl::unexpected(NoMove{NoMove::Why::Fault, move.error().text});
        return *move;
    }

private:
    Game& game_;
    tl::expected<solve::Database, Error> database_;
    const bool tease_;
    const double error_; // of the opponent, as a share of the range of utilities
};

} // namespace

namespace {

tl::expected<std::shared_ptr<learn::RoteMemory>, Error> memory_of(const PlayerSpec& spec, const Game& game) {
    if (spec.search.rote.empty()) return nullptr;
    return learn::RoteMemory::open(spec.search.rote, game, spec.search.rote_size);
}

// Why the player can't remember positions of this game; empty if it can, or isn't to.
std::string forgetful(const PlayerSpec& spec, Game& game) {
    if (spec.search.rote.empty()) return "";
    const search::Method method = method_of(spec.search, game);
    if (method != search::Method::AlphaBeta && method != search::Method::Expectimax)
        return fmt::format("positions are remembered for alphabeta and expectimax only, and this game suits {}",
                           search::method_name(method));
    if (const auto writable = check_writable(spec.search.rote); !writable) return writable.error().text;
    const auto memory = memory_of(spec, game);
    return memory ? "" : memory.error().text;
}

} // namespace

std::string unsuitable(const PlayerSpec& spec, Game& game) {
    if (is_outside(spec.kind)) return outside_refusal(spec, game);
    if (spec.kind == PlayerKind::Search)
        if (std::string why = forgetful(spec, game); !why.empty()) return why;
    if (spec.kind == PlayerKind::Search && !spec.search.book.empty())
        if (const auto book = Book::read(game, spec.search.book); !book) return book.error().text;
    if (spec.kind == PlayerKind::Search && !spec.search.eval.empty()) {
        Game copy = game.clone();
        if (const auto used = learn::use_evaluation(copy, spec.search.eval); !used) return used.error().text;
    }
    if (spec.kind != PlayerKind::Solved) return unsuitable(spec, game.traits());
    const auto database = solve::Database::open_in(spec.folder, game);
    return database ? "" : database.error().text;
}

namespace {

// That it can be read has been looked at (unsuitable()); a book that has gone since then is an empty one.
Book book_of(const PlayerSpec& spec, Game& game) {
    if (spec.search.book.empty()) return {};
    return Book::read(game, spec.search.book).value_or(Book());
}

// The same of an evaluation. A player without a method takes what the game offers, if the text names none.
std::unique_ptr<Game> with_own_evaluation(const PlayerSpec& spec, Game& game) {
    const bool offered = spec.search.eval.empty() && !spec.search.method && game.has_offer();
    if (spec.search.eval.empty() && !offered) return nullptr;
    auto own = std::make_unique<Game>(game.clone());
    if (offered)
        own->use_offered();
    else if (!learn::use_evaluation(*own, spec.search.eval))
        return nullptr;
    return own;
}

} // namespace

std::unique_ptr<Player> make_player(const PlayerSpec& spec, Game& game, Human* human) {
    switch (spec.kind) {
    case PlayerKind::Human: return std::make_unique<HumanPlayer>(game, human);
    case PlayerKind::Solved: return std::make_unique<SolvedPlayer>(spec, game);
    case PlayerKind::Search:
        return std::make_unique<SearchPlayer>(spec, game, with_own_evaluation(spec, game), book_of(spec, game),
                                              memory_of(spec, game).value_or(nullptr));
    case PlayerKind::Uci:
    case PlayerKind::Xboard:
    case PlayerKind::Gtp: return make_outside_player(spec, game);
    case PlayerKind::Random: break;
    }
    return std::make_unique<RandomPlayer>();
}

} // namespace zug::match
