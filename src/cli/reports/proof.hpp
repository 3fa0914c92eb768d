#pragma once
// `zug solve --prove`: the value of one position, for games with too many positions to solve them all.

#include "cli/options.hpp"
#include "search/proof/portfolio.hpp"

#include <functional>
#include <string>
#include <vector>

namespace zug::cli {

struct ProofOptions {
    std::string method; // empty: no proof is asked for; auto: all methods that suit the game
    std::uint64_t table_bytes = search::ProveOptions{}.table_bytes;
    double seconds = 0; // 0: no limit
};

void add_proof_options(Command& app, ProofOptions& options);

// An error: no method suits the game, or a rule failed. `show` receives a line of progress from time to time.
tl::expected<search::Proof, Error> prove_value(OpenGame& open, const ProofOptions& options, std::uint32_t threads,
                                               const std::function<void(const std::string&)>& show);

// The utility of each player, from the first one's, in a game of two sides whose utilities add up to zero.
std::vector<double> by_player(const game::Game& game, double value);

// Why the value is not proved, and the bounds that are known.
std::string unproved_text(const game::Game& game, const search::Proof& proof);

} // namespace zug::cli
