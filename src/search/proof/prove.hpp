#pragma once
// Proves the value of one position without those of all others: by a sequence of proof-number searches or of
// depth-first ones with null windows, each of which halves the number of possible utilities, or by alpha-beta with
// iterative deepening to the end of all lines that matter.

#include "search/core/limits.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace zug::search {

enum class Prover : std::uint8_t { ProofNumber, NullWindow, AlphaBeta };

std::string_view prover_name(Prover prover);
std::optional<Prover> prover_named(std::string_view name);
// Why it can't prove the values of such a game; empty if it can.
std::string refusal(Prover prover, const game::Traits& traits);

struct Proof {
    // The first player's utility lies between these.
    double low = 0, high = 0;
    Prover prover = Prover::AlphaBeta; // which found them
    std::uint64_t nodes = 0;
    double seconds = 0;
    bool repeats = false; // whether the open part depends on the value of lines that repeat positions
    // With it whoever is to move gets what is known to be theirs, by `low` or by `high`; empty: not known.
    std::optional<std::uint64_t> move{};
    std::string fault{}; // the prover doesn't suit the game, or a rule failed

    bool proven() const { return low == high; }
};

struct ProveOptions {
    std::size_t table_bytes = std::size_t{1} << 30;
    std::uint32_t threads = 1; // of Prover::NullWindow; the others use one
    Limits limits;             // seconds, nodes and stop, for all questions together
    // Called about twice a second with the bounds known so far.
    std::function<void(const Proof&)> progress;
};

// Memory: the table, and the line of play.
Proof prove(game::Game& game, const game::State& position, Prover prover, const ProveOptions& options);

} // namespace zug::search
