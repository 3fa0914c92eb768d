#include "cli/reports/proof.hpp"
#include "cli/interrupt.hpp"
#include "cli/outcome.hpp"
#include "search/core/leaf.hpp"

#include <algorithm>
#include <vector>

namespace zug::cli {

namespace {

std::string value_text(const game::Game& game, double value) { return outcome_text(game, by_player(game, value)); }

std::string bounds_text(const game::Game& game, const search::Proof& proof) {
    return fmt::format("between {} and {}", value_text(game, proof.low), value_text(game, proof.high));
}

std::string rate_text(const search::Proof& proof) {
    const double rate = static_cast<double>(proof.nodes) / std::max(proof.seconds, 1e-3);
    return fmt::format("{} nodes, {} a second", grouped(proof.nodes), grouped(static_cast<std::uint64_t>(rate)));
}

} // namespace

std::vector<double> by_player(const game::Game& game, double value) {
    std::vector<double> values(game.players());
    search::share_out(value, game.traits().first_side, values);
    for (double& v : values) v += 0.0; // no -0
    return values;
}

void add_proof_options(Command& app, ProofOptions& options) {
    // A flag, so that it does not take a FILE that follows for its value.
    app.add_flag("--prove{auto}", options.method,
                 "Prove the value of the start only: --prove=dfpn by proof-number search, --prove=nullwindow by "
                 "depth-first search with null windows, on all threads, --prove=alphabeta by alpha-beta that deepens, "
                 "--prove by the first two: side by side, or in turns with --threads 1")
        .type_name("METHOD")
        .one_of({"auto", "dfpn", "nullwindow", "alphabeta"});
    add_bytes_option(app, "--table", options.table_bytes,
                     "With --prove: the size of the transposition tables, as in 4G");
    add_time_option(app, "--time", options.seconds,
                    "Stop after so long, as in 90s or 10m; with -o the same command resumes", Zero::Allowed);
}

tl::expected<search::Proof, Error> prove_value(OpenGame& open, const ProofOptions& options, std::uint32_t threads,
                                               const std::function<void(const std::string&)>& show) {
    search::ProveOptions limits;
    limits.table_bytes = options.table_bytes;
    limits.threads = threads;
    limits.limits.seconds = options.seconds;
    limits.limits.stop = &interrupted();
    limits.progress = [&](const search::Proof& proof) {
        show(fmt::format("{}, {}", bounds_text(open.game, proof), rate_text(proof)));
    };
    const auto prover = search::prover_named(options.method);
    const search::Proof proof = prover ? search::prove(open.game, open.start, *prover, limits)
                                       : search::prove_by_all(open.game, open.start, limits);
    if (!proof.fault.empty()) return failure(proof.fault);
    return proof;
}

std::string unproved_text(const game::Game& game, const search::Proof& proof) {
    const std::string why = proof.repeats ? "it depends on the value of play that repeats positions"
                                          : "stopped after " + duration_text(proof.seconds);
    const std::string_view hint = proof.prover == search::Prover::NullWindow && !proof.repeats
                                      ? "; where games are long or moves are forcing, --prove=dfpn does better"
                                      : "";
    return fmt::format("not proved: {}; the value is {} ({}){}", why, bounds_text(game, proof), rate_text(proof), hint);
}

} // namespace zug::cli
