#include "solve/database/tease.hpp"

#include "solve/database/worths.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace zug::solve {

namespace {

constexpr std::size_t most_look_ups = 10'000;
constexpr std::size_t most_plies = 64;

struct Range {
    double least = std::numeric_limits<double>::infinity();
    double greatest = -std::numeric_limits<double>::infinity();

    double width() const { return greatest - least; }
};

// The utilities that ends have for any player.
Range range_of(const Database& database) {
    if (database.chance()) return {database.expected().least(), database.expected().greatest()};
    Range range;
    for (std::uint32_t outcome = 0; outcome < database.outcomes().size(); ++outcome)
        for (const double payoff : database.outcomes().payoffs(outcome)) {
            range.least = std::min(range.least, payoff);
            range.greatest = std::max(range.greatest, payoff);
        }
    return range;
}

// Why a line of play was not looked at to its end.
struct Ended {
    std::optional<Error> error; // none: there were too many look-ups
};

class Teaser {
public:
    Teaser(Database& database, game::Game& game, std::uint32_t player, double error)
        : database_(database), game_(game), me_(player), range_(range_of(database)), error_(error * range_.width()),
          tolerance_(ExpectedValues::same * range_.width() + 2 * database.solution().error) {}

    tl::expected<std::size_t, Error> choose(const game::State& state, const game::MoveList& moves);

private:
    // A position on the line of play.
    struct Ply {
        game::State state;
        game::MoveList moves;
        Worths worths; // of the positions after them
    };
    template <class Value>
    using OrEnded = tl::expected<Value, Ended>;
    // My expected utility, less that of perfect play from the first position.
    using Gain = OrEnded<double>;

    // The gain of each candidate, by lines of so many plies after it.
    OrEnded<std::vector<double>> pass(std::span<const std::size_t> candidates, std::size_t plies);
    // That of the last pass which was completed; each looks a ply farther than the one before.
    tl::expected<std::vector<double>, Error> deepen(std::span<const std::size_t> candidates);
    std::size_t preferred(std::span<const std::size_t> candidates, std::span<const double> gains) const;

    // Of the position of this ply, whose utility against perfect play this is. `plies`: those after it, at least one.
    Gain gain(std::size_t ply, double utility, std::size_t plies);
    // Of the i-th move of that position, with so many plies after it.
    Gain gain_after(std::size_t ply, std::size_t i, std::size_t plies);
    Gain end(std::size_t ply);
    Gain own(std::size_t ply, std::size_t plies);
    Gain others(std::size_t ply, std::size_t plies);
    Gain chance(std::size_t ply, std::size_t plies);

    OrEnded<void> look_up(std::size_t ply);
    tl::unexpected<Ended> fault() const { return tl::unexpected(Ended{Error{game_.fault_text()}}); }
    // References to plies stay good as the line grows.
    Ply& at(std::size_t ply) {
        while (line_.size() <= ply) line_.emplace_back();
        return line_[ply];
    }
    std::size_t moves_at(std::size_t ply) const { return line_[ply].moves.size(); }
    double utility_after(std::size_t ply, std::size_t i, std::uint32_t player) const {
        return utility(database_, line_[ply].worths, i, player);
    }
    double best_utility(std::size_t ply, std::uint32_t player) const;
    // Whether I give nothing away by the i-th move, where the best one is worth this.
    bool is_safe(std::size_t ply, std::size_t i, double best) const {
        return utility_after(ply, i, me_) >= best - tolerance_;
    }
    // Whether nothing can be gained, or what could be isn't worth the risk of endless play.
    bool is_settled(double utility) const {
        const bool may_be_endless = !database_.chance() && database_.solution().cycles;
        return utility >= range_.greatest || (may_be_endless && utility > 0);
    }

    Database& database_;
    game::Game& game_;
    const std::uint32_t me_;
    const Range range_;
    const double error_;     // in utility
    const double tolerance_; // utilities that differ by no more are equal
    double perfect_ = 0;     // my utility against perfect play
    std::deque<Ply> line_;
    std::size_t look_ups_ = 0, allowed_ = SIZE_MAX; // the first pass is always completed
    bool cut_short_ = false;                        // some line of the pass
};

Teaser::Gain Teaser::gain(std::size_t ply, double utility, std::size_t plies) {
    Ply& here = line_[ply];
    const game::NodeKind kind = game_.expand(here.state, here.moves);
    if (kind == game::NodeKind::Fault) return fault();
    if (kind == game::NodeKind::Terminal) return end(ply);
    const bool mine = kind == game::NodeKind::Decision && game_.to_move(here.state) == me_;
    if (mine && is_settled(utility)) return utility - perfect_;
    if (const auto done = look_up(ply); !done) return tl::unexpected(done.error());
    if (kind == game::NodeKind::Chance) return chance(ply, plies - 1);
    return mine ? own(ply, plies - 1) : others(ply, plies - 1);
}

Teaser::Gain Teaser::gain_after(std::size_t ply, std::size_t i, std::size_t plies) {
    const double utility = utility_after(ply, i, me_);
    if (plies == 0) {
        cut_short_ = true;
        return utility - perfect_;
    }
    Ply& next = at(ply + 1);
    if (!game_.successor(line_[ply].state, line_[ply].moves, i, next.state)) return fault();
    return gain(ply + 1, utility, plies);
}

// The rules about earlier positions may end a game where the database, which knows of none, goes on.
Teaser::Gain Teaser::end(std::size_t ply) {
    std::array<double, game::max_players> payoffs{};
    if (!game_.payoffs(line_[ply].state, std::span(payoffs.data(), game_.players()))) return fault();
    return payoffs[me_] - perfect_;
}

Teaser::Gain Teaser::own(std::size_t ply, std::size_t plies) {
    const double best = best_utility(ply, me_);
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < moves_at(ply); ++i) {
        if (!is_safe(ply, i, best)) continue;
        const Gain after = gain_after(ply, i, plies);
        if (!after) return after;
        most = std::max(most, *after);
    }
    return most;
}

Teaser::Gain Teaser::others(std::size_t ply, std::size_t plies) {
    const std::uint32_t player = game_.to_move(line_[ply].state);
    const double best = best_utility(ply, player);
    double sum = 0, weights = 0;
    for (std::size_t i = 0; i < moves_at(ply); ++i) {
        const Gain after = gain_after(ply, i, plies);
        if (!after) return after;
        const double weight = std::exp((utility_after(ply, i, player) - best) / error_);
        sum += weight * *after;
        weights += weight;
    }
    return sum / weights;
}

Teaser::Gain Teaser::chance(std::size_t ply, std::size_t plies) {
    double mean = 0;
    for (std::size_t i = 0; i < moves_at(ply); ++i) {
        const Gain after = gain_after(ply, i, plies);
        if (!after) return after;
        mean += line_[ply].moves.probability(i) * *after;
    }
    return mean;
}

Teaser::OrEnded<void> Teaser::look_up(std::size_t ply) {
    Ply& here = line_[ply];
    look_ups_ += here.moves.size();
    if (look_ups_ > allowed_) return tl::unexpected(Ended{});
    if (auto done = look_up_successors(database_, game_, here.state, here.moves, here.worths); !done)
        return tl::unexpected(Ended{done.error()});
    return {};
}

double Teaser::best_utility(std::size_t ply, std::uint32_t player) const {
    double best = utility_after(ply, 0, player);
    for (std::size_t i = 1; i < moves_at(ply); ++i) best = std::max(best, utility_after(ply, i, player));
    return best;
}

Teaser::OrEnded<std::vector<double>> Teaser::pass(std::span<const std::size_t> candidates, std::size_t plies) {
    cut_short_ = false;
    std::vector<double> gains;
    for (const std::size_t i : candidates) {
        const Gain after = gain_after(0, i, plies);
        if (!after) return tl::unexpected(after.error());
        gains.push_back(*after);
    }
    return gains;
}

tl::expected<std::vector<double>, Error> Teaser::deepen(std::span<const std::size_t> candidates) {
    std::vector<double> gains;
    for (std::size_t plies = 1; plies <= most_plies; ++plies) {
        auto found = pass(candidates, plies);
        if (!found && found.error().error) return tl::unexpected(*found.error().error);
        if (!found) break;
        gains = std::move(*found);
        if (!cut_short_) break;
        allowed_ = most_look_ups;
    }
    return gains;
}

// The one with the greatest gain; of equal ones the best, of equally good ones that with the least id.
std::size_t Teaser::preferred(std::span<const std::size_t> candidates, std::span<const double> gains) const {
    const double most = *std::ranges::max_element(gains);
    std::vector<std::size_t> chosen, best;
    for (std::size_t k = 0; k < candidates.size(); ++k)
        if (gains[k] >= most - tolerance_) chosen.push_back(candidates[k]);
    const Ply& root = line_.front();
    for (const std::size_t k : best_of(database_, me_, root.worths.selected(chosen))) best.push_back(chosen[k]);
    return least_id(root.moves, best);
}

tl::expected<std::size_t, Error> Teaser::choose(const game::State& state, const game::MoveList& moves) {
    Ply& root = at(0);
    root.state = state;
    root.moves = moves;
    if (auto done = look_up(0); !done) return tl::unexpected(*done.error().error);
    perfect_ = best_utility(0, me_);
    if (is_settled(perfect_) || game_.players() == 1) return least_id(moves, best_of(database_, me_, root.worths));
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < moves.size(); ++i)
        if (is_safe(0, i, perfect_)) candidates.push_back(i);
    if (candidates.size() == 1) return candidates.front();
    const auto gains = deepen(candidates);
    if (!gains) return tl::unexpected(gains.error());
    return preferred(candidates, *gains);
}

} // namespace

tl::expected<std::size_t, Error> teasing_move(Database& database, game::Game& game, const game::State& state,
                                              const game::MoveList& moves, double error) {
    return Teaser(database, game, game.to_move(state), error).choose(state, moves);
}

} // namespace zug::solve
