#include "match/player.hpp"

#include "match/sampler.hpp"
#include "solve/database/query.hpp"

#include <utility>

namespace zug::match {

namespace {

using game::Game;
using game::MoveList;
using game::State;
using Stop = std::atomic<bool>;

bool is_set(const Stop* stop) { return stop != nullptr && stop->load(std::memory_order_relaxed); }

class RandomPlayer final : public Player {
public:
    void new_game(std::uint64_t seed) override { random_ = Random(seed); }
    tl::expected<std::size_t, NoMove> choose(const State&, const MoveList& moves, const Stop* stop) override {
        if (is_set(stop)) return tl::unexpected(NoMove{NoMove::Why::Stopped, ""});
        return lot_.draw(moves, random_);
    }

private:
    Random random_;
    Sampler lot_;
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

class SearchPlayer final : public Player {
public:
    SearchPlayer(const PlayerSpec& spec, Game& game)
        : searcher_(game, spec.method.value_or(search::automatic(game.traits())), spec.options) {
        limits_.depth = spec.depth;
        limits_.seconds = spec.seconds;
        limits_.nodes = spec.nodes;
    }
    void new_game(std::uint64_t) override { searcher_.forget(); }
    tl::expected<std::size_t, NoMove> choose(const State& state, const MoveList& moves, const Stop* stop) override;
    const search::Result* thoughts() const override { return thought_ ? &result_ : nullptr; }

private:
    search::Searcher searcher_;
    search::Limits limits_;
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

tl::expected<std::size_t, NoMove> SearchPlayer::choose(const State& state, const MoveList& moves, const Stop* stop) {
    thought_ = moves.size() > 1;
    if (!thought_) return 0;
    limits_.stop = stop;
    result_ = searcher_.run(state, limits_);
    if (!result_.fault.empty()) return tl::unexpected(NoMove{NoMove::Why::Fault, result_.fault});
    if (is_set(stop)) return tl::unexpected(NoMove{NoMove::Why::Stopped, ""});
    if (result_.pv_ids.empty()) return first_move(moves);
    return moves.find(result_.pv_ids.front()).value_or(first_move(moves));
}

class SolvedPlayer final : public Player {
public:
    SolvedPlayer(const std::string& folder, Game& game)
        : game_(game), database_(solve::Database::open_in(folder, game)) {}
    void new_game(std::uint64_t) override {}
    tl::expected<std::size_t, NoMove> choose(const State& state, const MoveList& moves, const Stop* stop) override {
        if (is_set(stop)) return tl::unexpected(NoMove{NoMove::Why::Stopped, ""});
        if (!database_) return tl::unexpected(NoMove{NoMove::Why::Fault, database_.error().text});
        const auto move = solve::best_move(*database_, game_, state, moves);
        if (!move) return tl::unexpected(NoMove{NoMove::Why::Fault, move.error().text});
        return *move;
    }

private:
    Game& game_;
    tl::expected<solve::Database, Error> database_;
};

} // namespace

std::string unsuitable(const PlayerSpec& spec, Game& game) {
    if (spec.kind != PlayerKind::Solved) return unsuitable(spec, game.traits());
    const auto database = solve::Database::open_in(spec.folder, game);
    return database ? "" : database.error().text;
}

std::unique_ptr<Player> make_player(const PlayerSpec& spec, Game& game, Human* human) {
    switch (spec.kind) {
    case PlayerKind::Human: return std::make_unique<HumanPlayer>(game, human);
    case PlayerKind::Solved: return std::make_unique<SolvedPlayer>(spec.folder, game);
    case PlayerKind::Search: return std::make_unique<SearchPlayer>(spec, game);
    case PlayerKind::Random: break;
    }
    return std::make_unique<RandomPlayer>();
}

} // namespace zug::match
