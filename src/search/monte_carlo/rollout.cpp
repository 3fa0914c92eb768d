#include "search/monte_carlo/rollout.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace zug::search {

using game::Next;
using game::NodeKind;

namespace {

constexpr int most_tries = 4; // of moves that are taken back because the opponent could win

std::size_t draw(const game::MoveList& moves, NodeKind kind, Random& random) {
    if (kind != NodeKind::Chance) return random.below(static_cast<std::uint32_t>(moves.size()));
    double rest = random.unit();
    for (std::size_t i = 0; i + 1 < moves.size(); ++i) {
        rest -= moves.probability(i);
        if (rest < 0) return i;
    }
    return moves.size() - 1;
}

} // namespace

Rollout::Rollout(game::Game& game, const MonteCarloOptions& options, std::uint32_t cutoff)
    : game_(game), line_(game), range_(game.traits()), cutoff_(std::min(cutoff, options.plies)),
      decisive_(options.decisive) {}

bool Rollout::failed(Budget& budget) {
    budget.fail(game_.fault_text());
    game_.clear_fault();
    return false;
}

bool Rollout::run(game::State& state, Random& random, Budget& budget, std::span<double> utilities,
                  std::vector<game::PlayedMove>* played) {
    return decisive_ ? run_decisive(state, random, budget, utilities, played)
                     : run_at_random(state, random, budget, utilities, played);
}

// In pieces no longer than the budget goes without a look at the clock.
bool Rollout::run_at_random(game::State& state, Random& random, Budget& budget, std::span<double> utilities,
                            std::vector<game::PlayedMove>* played) {
    std::uint32_t left = cutoff_;
    while (left > 0) {
        if (!budget.goes_on()) return false;
        const auto plies = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, budget.free()));
        const game::PlayoutResult result =
            played != nullptr ? game_.playout(state, random, plies, *played) : game_.playout(state, random, plies);
        budget.pass(result.plies);
        left -= result.plies;
        if (game_.faulted()) return failed(budget);
        if (result.finished) return game_.payoffs(state, utilities) || failed(budget);
        if (result.plies < plies) return failed(budget);
    }
    line_.start(state);
    static_values(line_, 0, game_.traits(), utilities);
    return true;
}

bool Rollout::run_decisive(game::State& state, Random& random, Budget& budget, std::span<double> utilities,
                           std::vector<game::PlayedMove>* played) {
    line_.start(state);
    known_ = false;
    win_.reset();
    int ply = 0;
    for (; static_cast<std::uint32_t>(ply) < cutoff_; ++ply) {
        if (!budget.goes_on()) return false;
        const Next at = play_ply(ply, random, budget, played);
        if (at == Next::Fault) return failed(budget);
        if (over(at, ply + 1)) return line_.payoffs(ply + 1, utilities) || failed(budget);
    }
    static_values(line_, ply, game_.traits(), utilities);
    return true;
}

// Looks at the moves that end the game; the executor passes over the others without a list.
std::optional<std::size_t> Rollout::find_win(int ply, Budget& budget) {
    const std::uint32_t mover = line_.mover(ply);
    PlayerValues room;
    const std::span values = std::span(room).first(range_.players());
    std::size_t i = 0;
    std::uint64_t skips = std::numeric_limits<std::uint32_t>::max(), left = skips;
    for (Next at = line_.first(ply, left); at != Next::None; at = line_.next(ply, left), ++i) {
        if (at == Next::Fault) {
            failed(budget);
            return std::nullopt;
        }
        i += skips - left;
        skips = left;
        if (!over(at, ply + 1)) continue;
        if (line_.payoffs(ply + 1, values) && values[mover] >= range_.highest(mover)) return i;
    }
    return std::nullopt;
}

Next Rollout::play_ply(int ply, Random& random, Budget& budget, std::vector<game::PlayedMove>* played) {
    const std::uint32_t mover = line_.mover(ply);
    const bool chance = line_.kind(ply) == NodeKind::Chance;
    if (!known_ && !chance) win_ = find_win(ply, budget);
    const std::optional<std::size_t> win = std::exchange(win_, std::nullopt);
    if (line_.list(ply) == NodeKind::Fault) return Next::Fault;
    const game::MoveList& moves = line_.moves(ply);
    std::size_t i = 0;
    Next at = Next::Fault;
    for (int tries = 0; tries < most_tries; ++tries) {
        known_ = false;
        i = win ? *win : draw(moves, line_.found(ply), random);
        at = line_.make(ply, i);
        budget.pass(1);
        if (at == Next::Fault || win || chance || over(at, ply + 1) || together(line_.mover(ply + 1), mover)) break;
        if (line_.kind(ply + 1) != NodeKind::Decision) break;
        win_ = find_win(ply + 1, budget);
        known_ = true;
        if (!win_) break;
    }
    if (played != nullptr && at != Next::Fault) played->push_back({moves.id(i), mover, chance});
    return at;
}

} // namespace zug::search
