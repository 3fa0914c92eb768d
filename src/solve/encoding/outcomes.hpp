#pragma once
// The outcomes of a game, and a position's result in 16 bits: the number of an outcome, and the remoteness in the
// remaining bits.
//
// Outcomes are numbered in ascending order of the first player's utility. A game with cycles has four outcomes of
// utility 0: drawn ends, distinguished by which sides can force the end (without losing), and the draw by repetition,
// where nobody can.
//
// Remoteness: plies to the end of the game. Among moves that lead to the same outcome, a player who gains by it takes
// the shortest and a player who loses by it the longest; at utility 0 both take the shortest. A draw by repetition has
// no remoteness.
//
// Between outcomes of equal utility to the mover that differ for the others (more than two players, or utilities that
// do not add up to zero) a tie rule decides; max^n values depend on it (C. Luckhardt, K. Irani, An algorithmic
// solution of N-person games, 1986).

#include "game/game.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace zug::solve {

using Result = std::uint16_t;

// The payoffs of an end, by player.
using Payoffs = std::vector<double>;

// Whether positions on cycles can be solved: of one player, or two sides.
inline bool allows_cycles(const game::Traits& traits) { return traits.players == 1 || traits.zero_sum; }

// Among outcomes of equal utility to the mover: prefer the least, or the greatest, sum of the others' utilities.
enum class Ties : std::uint8_t { Spiteful, Kind };

class Outcomes {
public:
    Outcomes() = default;
    Outcomes(const std::set<Payoffs>& ends, const game::Traits& traits, bool cycles, Ties ties);

    std::uint32_t players() const { return players_; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(payoffs_.size()); }
    const Payoffs& payoffs(std::uint32_t outcome) const { return payoffs_[outcome]; }
    double utility(std::uint32_t outcome, std::uint32_t player) const { return payoffs_[outcome][player]; }
    // 0: the first player's.
    std::uint32_t side(std::uint32_t player) const { return ~(first_side_ >> player) & 1; }
    // The outcome with these payoffs. Empty: no end has them.
    std::optional<std::uint32_t> find(std::span<const double> payoffs) const;
    std::uint32_t of(std::span<const double> payoffs) const { return *find(payoffs); }

    bool cycles() const { return cycles_; }
    // In a game with cycles: the draw whose end these sides can force, one bit each. 0: the draw by repetition.
    std::uint32_t drawn(std::uint32_t forced_by) const { return first_draw_ + forced_by; }
    bool is_drawn(std::uint32_t outcome) const {
        return cycles_ && outcome >= first_draw_ && outcome < first_draw_ + draws;
    }
    std::uint32_t forced_by(std::uint32_t outcome) const { return outcome - first_draw_; }
    bool is_repetition(std::uint32_t outcome) const { return cycles_ && outcome == first_draw_; }

    unsigned remoteness_bits() const { return remoteness_bits_; }
    std::uint32_t most_remoteness() const { return (1U << remoteness_bits_) - 1; }
    Result pack(std::uint32_t outcome, std::uint32_t remoteness) const {
        return static_cast<Result>(outcome << remoteness_bits_ | remoteness);
    }
    std::uint32_t outcome(Result result) const { return static_cast<std::uint32_t>(result) >> remoteness_bits_; }
    std::uint32_t remoteness(Result result) const { return result & most_remoteness(); }

    // A player's preference between results: the greatest number is best.
    std::uint32_t preference(std::uint32_t player, Result result) const {
        const Choice& choice = choices_[player * size() + outcome(result)];
        const std::uint32_t plies = remoteness(result);
        return choice.base + (choice.hastens ? most_remoteness() - plies : plies);
    }

    // The result that the player prefers; at least one must be given.
    Result best(std::uint32_t player, std::span<const Result> results) const;
    // The draw by repetition; drawn ends are preferred to it.
    Result repetition() const { return pack(drawn(0), most_remoteness()); }
    // The result of a position, from those of its successors. Empty: its remoteness does not fit into a result.
    std::optional<Result> derive(std::uint32_t mover, std::span<const Result> successors) const;

    static constexpr std::uint32_t draws = 4;

private:
    struct Choice {
        std::uint32_t base = 0;
        bool hastens = true;
    };
    void rank(std::uint32_t player, Ties ties);

    std::uint32_t players_ = 0, first_side_ = 1; // one bit for each player on the first one's side
    std::vector<Payoffs> payoffs_;
    bool cycles_ = false;
    std::uint32_t first_draw_ = 0;
    unsigned remoteness_bits_ = 16;
    std::vector<Choice> choices_; // by player and outcome
};

} // namespace zug::solve
