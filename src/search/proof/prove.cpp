#include "search/proof/prove.hpp"

#include "search/proof/null_window.hpp"
#include "search/proof/proof_number.hpp"

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

// Asks a search for one utility after the other: first as it guesses, if it does, then the middle of those that are
// left.
template <class Search>
class Questions {
public:
    Questions(Search& search, Prover prover, const game::Traits& traits, const game::State& position,
              const ProveOptions& options)
        : utilities_(traits.utilities), rival_(traits.rival), search_(search), prover_(prover), position_(position),
          options_(options), last_(utilities_.size() - 1) {}

    Proof run() {
        bool goes_on = first_ < last_ && narrow(first_question());
        while (goes_on && first_ < last_) goes_on = narrow((first_ + last_ + 1) / 2);
        return proof();
    }

private:
    // What is left is cut here, if it can be.
    bool narrow(std::size_t middle) {
        const Verdict for_first = ask({.player = 0, .at_least = utilities_[middle]});
        if (for_first == Verdict::Proven) {
            first_ = middle;
            return true;
        }
        const bool below = for_first == Verdict::Disproven ||
                           (for_first == Verdict::Unless &&
                            ask({.player = rival_, .at_least = -utilities_[middle - 1]}) == Verdict::Proven);
        if (below) last_ = middle - 1;
        repeats_ = repeats_ || (for_first == Verdict::Unless && !below);
        return below;
    }

    std::size_t first_question() const {
        if constexpr (requires { search_.guess(position_, nullptr); }) {
            const auto above = std::ranges::upper_bound(utilities_, search_.guess(position_, options_.limits.stop));
            return std::clamp(static_cast<std::size_t>(above - utilities_.begin()), first_ + 1, last_);
        }
        return (first_ + last_ + 1) / 2;
    }

    Verdict ask(const Question& question) {
        Limits limits = options_.limits;
        if (limits.nodes != 0) limits.nodes -= std::min(limits.nodes - 1, nodes_);
        if (limits.seconds > 0) limits.seconds = std::max(limits.seconds - seconds_, 1e-6);
        const Verdict verdict = search_.ask(position_, question, limits, [&] {
            if (options_.progress) options_.progress(proof(search_.nodes(), search_.seconds()));
        });
        nodes_ += search_.nodes();
        seconds_ += search_.seconds();
        return verdict;
    }

    Proof proof(std::uint64_t more_nodes = 0, double more_seconds = 0) const {
        return {.low = utilities_[first_],
                .high = utilities_[last_],
                .prover = prover_,
                .nodes = nodes_ + more_nodes,
                .seconds = seconds_ + more_seconds,
                .repeats = repeats_,
                .fault = search_.failure()};
    }

    const std::vector<double>& utilities_; // of the first player, ascending
    const std::uint32_t rival_;            // a player on the other side
    Search& search_;
    const Prover prover_;
    const game::State& position_;
    const ProveOptions& options_;
    std::size_t first_ = 0, last_; // of the utilities that are left
    std::uint64_t nodes_ = 0;
    double seconds_ = 0;
    bool repeats_ = false;
};

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
    return proof_of(search(game, position, Method::AlphaBeta, limits, {.table_bytes = options.table_bytes}));
}

} // namespace

std::string_view prover_name(Prover prover) { return std::ranges::find(names, prover, &Named::prover)->name; }

std::optional<Prover> prover_named(std::string_view name) {
    const auto found = std::ranges::find(names, name, &Named::name);
    return found == names.end() ? std::nullopt : std::optional(found->prover);
}

std::string refusal(Prover prover, const game::Traits& traits) {
    if (!refusal(Method::AlphaBeta, traits).empty())
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
