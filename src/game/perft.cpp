#include "game/perft.hpp"

namespace zug::game {

namespace {

// Move lists and states of each ply are kept, so that counting does not allocate.
class Counter {
public:
    Counter(Game& game, int depth, const Stop& stop)
        : game_(game), stop_(stop), lists_(static_cast<std::size_t>(depth) + 1),
          states_(static_cast<std::size_t>(depth) + 1) {
        game_.clear_fault();
    }

    std::uint64_t count(const State& state, int depth) {
        if (depth == 0) return 1;
        if (depth == 1) {
            const std::uint64_t total = game_.count(state);
            failed_ = failed_ || game_.faulted();
            return total;
        }
        if (depth > 2 && stop_ && stop_()) stopped_ = true;
        if (stopped_ || failed_) return 0;
        return sum(state, depth);
    }

    std::optional<Error> error() const {
        if (failed_) return Error{game_.fault_text()};
        if (stopped_) return Error{std::string(stopped)};
        return std::nullopt;
    }

private:
    std::uint64_t sum(const State& state, int depth) {
        const auto level = static_cast<std::size_t>(depth);
        MoveList& moves = lists_[level];
        if (game_.expand(state, moves) == NodeKind::Fault) {
            failed_ = true;
            return 0;
        }
        std::uint64_t total = 0;
        for (std::size_t i = 0; i < moves.size() && !failed_ && !stopped_; ++i) {
            if (!game_.successor(state, moves, i, states_[level])) {
                failed_ = true;
                return 0;
            }
            total += count(states_[level], depth - 1);
        }
        return total;
    }

    Game& game_;
    const Stop& stop_;
    std::vector<MoveList> lists_;
    std::vector<State> states_;
    bool stopped_ = false;
    bool failed_ = false;
};

} // namespace

tl::expected<std::uint64_t, Error> perft(Game& game, const State& state, int depth, const Stop& stop) {
    Counter counter(game, depth, stop);
    const std::uint64_t total = counter.count(state, depth);
    if (const auto error = counter.error()) return tl::unexpected(*error);
    return total;
}

tl::expected<std::vector<Divided>, Error> divide(Game& game, const State& state, int depth, const Stop& stop) {
    std::vector<Divided> result;
    MoveList moves;
    game.clear_fault();
    if (game.expand(state, moves) == NodeKind::Fault) return tl::unexpected(Error{game.fault_text()});
    const auto texts = game.move_texts(state, moves);
    State next;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (!game.successor(state, moves, i, next)) return tl::unexpected(Error{game.fault_text()});
        const auto nodes = perft(game, next, depth - 1, stop);
        if (!nodes) return tl::unexpected(nodes.error());
        result.push_back({texts[i], *nodes});
    }
    return result;
}

} // namespace zug::game
