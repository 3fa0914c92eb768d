#include "search/proof/prove.hpp"

#include "search/alpha_beta/alpha_beta.hpp"
#include "search/proof/null_window.hpp"
#include "search/proof/proof_number.hpp"
#include "search/proof/questions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace zug::search {

namespace {

struct Named {
    Prover prover;
    std::string_view name;
};
constexpr std::array names{Named{Prover::ProofNumber, "dfpn"}, Named{Prover::NullWindow, "nullwindow"},
                           Named{Prover::AlphaBeta, "alphabeta"}};

Proof by_alpha_beta(game::Game& game, const game::State& position, const ProveOptions& options) {
    Limits limits = options.limits;
    const auto proof_of = [&](const Result& result) {
        Proof proof{.low = game.traits().min_utility,
                    .high = game.traits().max_utility,
                    .nodes = result.nodes,
                    .seconds = result.seconds,
                    .fault = result.fault};
        if (result.exact && result.fault.empty()) proof.low = proof.high = result.value[0];
        return proof;
    };
    if (options.progress)
        limits.progress = [&](const Progress& progress) { options.progress(proof_of(progress.result)); };
    return proof_of(AlphaBeta(game, {.table_bytes = options.table_bytes}).run(position, limits));
}

} // namespace

std::string_view prover_name(Prover prover) { return std::ranges::find(names, prover, &Named::prover)->name; }

std::optional<Prover> prover_named(std::string_view name) {
    const auto found = std::ranges::find(names, name, &Named::name);
    return found == names.end() ? std::nullopt : std::optional(found->prover);
}

std::string refusal(Prover prover, const game::Traits& traits) {
    if (traits.chance || traits.teams() != 2 || !traits.zero_sum)
        return traits.chance ? "there is no proof in a game with chance events, only a value of each position"
                             : "a proof takes two players or teams whose utilities always add up to zero";
    if (prover == Prover::AlphaBeta) return "";
    if (traits.utilities.empty())
        return fmt::format("{} asks for one utility after the other, and this game's payoffs are worked out; use "
                           "alphabeta",
                           prover_name(prover));
    if (prover == Prover::NullWindow && traits.utilities.size() > NullWindowSearch::most_utilities)
        return "nullwindow can't tell more than 255 utilities apart; use dfpn";
    return "";
}

Proof prove(game::Game& game, const game::State& position, Prover prover, const ProveOptions& options) {
    const game::Traits& traits = game.traits();
    if (std::string no = refusal(prover, traits); !no.empty())
        return {.low = traits.min_utility, .high = traits.max_utility, .prover = prover, .fault = std::move(no)};
    if (prover == Prover::AlphaBeta) return by_alpha_beta(game, position, options);
    if (prover == Prover::NullWindow) {
        NullWindowSearch search(game, options.table_bytes, options.threads);
        return Questions(search, prover, traits, position, options).run();
    }
    ProofNumberSearch search(game, options.table_bytes);
    return Questions(search, prover, traits, position, options).run();
}

} // namespace zug::search
