#pragma once
// Asks a search for proofs for one utility after the other: first as it guesses, if it does, then the middle of those
// that are left.

#include "search/proof/prove.hpp"
#include "search/proof/question.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace zug::search {

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
        if constexpr (requires { search_.move(); })
            if (search_.move()) move_ = search_.move();
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
                .move = move_,
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
    std::optional<std::uint64_t> move_;
};

} // namespace zug::search
