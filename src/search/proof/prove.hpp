#pragma once
// The value of one position, proved without the values of all others: by questions to a proof-number search, each of
// which halves the utilities that are left, or by alpha-beta to the end of every line that matters.

#include "search/search.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace zug::search {

enum class Prover : std::uint8_t { ProofNumber, AlphaBeta };

std::string_view prover_name(Prover prover);
std::optional<Prover> prover_named(std::string_view name);
// Why it can't prove the values of such a game; empty if it can.
std::string refusal(Prover prover, const game::Traits& traits);

struct Proof {
    // The first player's utility lies between these.
    double low = 0, high = 0;
    Prover prover = Prover::AlphaBeta; // who found them
    std::uint64_t nodes = 0;
    double seconds = 0;
    bool repeats = false; // positions were repeated on the way, and what is open depends on what becomes of that
    std::string fault{};  // the prover doesn't suit the game, or a rule failed

    bool proven() const { return low == high; }
};

struct ProveOptions {
    std::size_t table_bytes = std::size_t{1} << 30;
    Limits limits; // seconds, nodes, stop; both for all questions together
    // About twice a second: what is known so far.
    std::function<void(const Proof&)> progress;
};

// Time and memory: the table, and what the line takes.
Proof prove(game::Game& game, const game::State& position, Prover prover, const ProveOptions& options);

} // namespace zug::search
