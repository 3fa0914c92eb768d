#include "match/play.hpp"

#include "base/stop_flag.hpp"
#include "game/selfplay/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace zug::match {

namespace {

using game::Game;
using game::MoveList;
using game::NodeKind;
using game::State;

class Sitting {
public:
    Sitting(Game& game, std::span<Player* const> seats, const PlayOptions& options)
        : game_(game), seats_(seats), options_(options), chance_(derived_seed(options.seed, 0)),
          opening_(options.opening_seed) {
        record_.seed = options.seed;
        if (options.times) record_.times.resize(seats.size());
        for (std::size_t seat = 0; seat < seats.size(); ++seat)
            seats[seat]->new_game(derived_seed(options.seed, 1 + seat));
    }

    GameRecord play(State state) {
        const std::uint32_t most = options_.max_plies.value_or(default_max_plies(game_));
        State next;
        for (std::uint32_t ply = 0;; ++ply) {
            if (is_over(state)) return std::move(record_);
            if (ply >= most) return ended(End::PlyLimit);
            const auto move = choose(state, ply);
            if (!move && move.error().why == NoMove::Why::Forfeit) return forfeit(state, move.error().text);
            if (!move) return ended(move.error());
            note_move(state, *move);
            if (!game_.successor(state, moves_, *move, next)) {
                note_fault();
                return std::move(record_);
            }
            for (Player* const seat : seats_) seat->see({state, moves_, *move, next});
            std::swap(state, next);
        }
    }

private:
    void note_move(const State& state, std::size_t move) {
        if (options_.texts) record_.moves.push_back(game_.move_text(state, moves_, move));
        if (options_.values) record_.values.push_back(std::exchange(values_, {}));
        ++record_.plies;
        std::uint64_t mixed = record_.line ^ moves_.id(move);
        record_.line = splitmix64(mixed);
    }

    // Expands the state; if the game ends here, the record says how.
    bool is_over(const State& state) {
        kind_ = game_.expand(state, moves_);
        if (kind_ == NodeKind::Fault) note_fault();
        if (kind_ != NodeKind::Terminal) return kind_ == NodeKind::Fault;
        record_.end = End::Finished;
        record_.utilities.resize(game_.players());
        if (!game_.payoffs(state, record_.utilities)) {
            record_.utilities.clear();
            note_fault();
        }
        return true;
    }

    tl::expected<std::size_t, NoMove> choose(const State& state, std::uint32_t ply) {
        if (is_set(options_.stop)) return tl::unexpected(NoMove{NoMove::Why::Stopped, ""});
        const auto given = static_cast<std::uint32_t>(options_.line.size());
        if (ply < given) return follow(options_.line[ply]);
        const bool opening = ply - given < options_.opening_plies;
        if (kind_ == NodeKind::Chance) return lot_.draw_outcome(moves_, opening ? opening_ : chance_);
        if (opening) return lot_.draw(moves_, opening_);
        return ask(game_.to_move(state), state);
    }

    tl::expected<std::size_t, NoMove> follow(std::uint64_t id) {
        if (const auto move = moves_.find(id)) return *move;
        return tl::unexpected(NoMove{NoMove::Why::Fault, "a move of the opening is not legal"});
    }

    tl::expected<std::size_t, NoMove> ask(std::uint32_t seat, const State& state) {
        auto move = options_.times ? timed(seat, state) : seats_[seat]->choose(state, moves_, options_.stop);
        const search::Result* const thoughts = options_.values ? seats_[seat]->thoughts() : nullptr;
        if (thoughts != nullptr) values_ = thoughts->value;
        return move;
    }

    tl::expected<std::size_t, NoMove> timed(std::uint32_t seat, const State& state) {
        const auto begin = std::chrono::steady_clock::now();
        auto move = seats_[seat]->choose(state, moves_, options_.stop);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        TimeUsed& used = record_.times[seat];
        used.seconds += seconds;
        used.longest = std::max(used.longest, seconds);
        ++used.moves;
        return move;
    }

    GameRecord ended(End end) {
        record_.end = end;
        return std::move(record_);
    }
    GameRecord ended(const NoMove& reason) {
        record_.fault = reason.text;
        switch (reason.why) {
        case NoMove::Why::Quit: return ended(End::Quit);
        case NoMove::Why::Stopped: return ended(End::Stopped);
        case NoMove::Why::Fault:
        case NoMove::Why::Forfeit: break;
        }
        return ended(End::Fault);
    }
    // The player to move has lost, with all who play together with it, as one can lose by the rules.
    GameRecord forfeit(const State& state, std::string why) {
        const game::Traits& traits = game_.traits();
        const std::uint32_t loser = game_.to_move(state);
        constexpr double unbounded = 1e9; // no bound was found
        const bool bounded = traits.min_utility > -unbounded && traits.max_utility < unbounded;
        for (std::uint32_t p = 0; p < game_.players(); ++p) {
            const bool lost = traits.team[p] == traits.team[loser];
            record_.utilities.push_back(bounded ? (lost ? traits.min_utility : traits.max_utility) : (lost ? -1 : 1));
        }
        record_.fault = fmt::format("{}: {}", game_.player_name(loser), why);
        return ended(End::Forfeit);
    }
    void note_fault() {
        record_.end = End::Fault;
        record_.fault = game_.fault_text();
        game_.clear_fault();
    }

    Game& game_;
    std::span<Player* const> seats_;
    const PlayOptions& options_;
    Random chance_, opening_;
    game::Sampler lot_;
    GameRecord record_;
    MoveList moves_;
    NodeKind kind_ = NodeKind::Decision;
    Values values_; // that the player of the move to be made expects
};

} // namespace

GameRecord play_game(Game& game, const State& start, std::span<Player* const> seats, const PlayOptions& options) {
    GameRecord record = Sitting(game, seats, options).play(start);
    for (Player* const seat : seats)
        if (const auto kept = seat->game_over(); !kept && record.fault.empty()) {
            record.end = End::Fault;
            record.fault = kept.error().text;
        }
    return record;
}

std::uint32_t default_max_plies(const Game& game) { return game.traits().chance ? 1'000'000 : 10'000; }

std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t i) {
    std::uint64_t x = seed;
    x = splitmix64(x) + i;
    return splitmix64(x);
}

} // namespace zug::match
