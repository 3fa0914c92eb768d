#pragma once
// `zug solve --prove`: the value of one position only, where there are too many to find the values of all.

#include "cli/options.hpp"
#include "search/proof/portfolio.hpp"

#include <functional>
#include <string>

namespace zug::cli {

struct ProofOptions {
    std::string method; // empty: no proof is wanted; auto: all that suit the game
    std::uint64_t table_bytes = search::ProveOptions{}.table_bytes;
    double seconds = 0; // 0: no limit
};

void add_proof_options(Command& app, ProofOptions& options);

// An error if there can't be a proof. `show`: takes a line of progress now and then.
tl::expected<search::Proof, Error> prove_value(OpenGame& open, const ProofOptions& options, std::uint32_t threads,
                                               const std::function<void(const std::string&)>& show);

// Of a value that is not proved: why, and what is known of it.
std::string unproved_text(const game::Game& game, const search::Proof& proof);

} // namespace zug::cli
