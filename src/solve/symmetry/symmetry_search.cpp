#include "solve/symmetry/symmetry.hpp"

#include "game/random_games.hpp"
#include "solve/symmetry/symmetry_candidates.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace zug::solve {

namespace {

constexpr std::uint64_t games_for_symmetries = 40;
constexpr std::size_t most_trials = 16'000; // of a candidate at a position, as far as each gets the fewest positions
constexpr std::size_t most_positions = 400, fewest_positions = 50;

using Slots = std::vector<std::uint32_t>;

// What can be told of a position without a name for any part of it, and where its moves lead.
struct Look {
    game::NodeKind kind = game::NodeKind::Fault;
    std::uint32_t mover = 0;
    std::vector<double> payoffs;
    std::vector<std::pair<std::uint64_t, double>> successors; // hashes and probabilities, ascending
};

bool alike(const Look& a, const Look& b) {
    const auto equal = [](const auto& x, const auto& y) {
        return x.first == y.first && std::abs(x.second - y.second) < 1e-9;
    };
    return a.kind == b.kind && a.mover == b.mover && a.payoffs == b.payoffs &&
           std::ranges::equal(a.successors, b.successors, equal);
}

class Search {
public:
    Search(game::Game& game, const game::State& start) : game_(game), start_(start) {}

    SymmetryGroup run() {
        Slots slots;
        game_.executor().store(start_, slots);
        const auto candidates = symmetry_candidates(game_.program(), slots);
        if (candidates.empty()) return SymmetryGroup::trivial(slots.size());
        sample();
        thin(std::clamp(most_trials / candidates.size(), fewest_positions, most_positions));
        std::vector<Symmetry> good;
        std::set<Symmetry> bad;
        for (const Symmetry& candidate : candidates) {
            const Verdict verdict = judge(candidate);
            if (verdict == Verdict::Holds) good.push_back(candidate);
            if (verdict == Verdict::Fails) bad.insert(candidate);
        }
        game_.clear_fault();
        return grown(good, bad, slots.size());
    }

private:
    enum class Verdict : std::uint8_t { Holds, Fails, ChangesNothing };

    // Collects the positions of random games, each once.
    void sample() {
        std::set<Slots> known;
        Slots slots;
        game::play_random_games(game_, start_, games_for_symmetries, [&](const game::State& state, std::uint32_t) {
            game_.executor().store(state, slots);
            if (known.insert(slots).second) positions_.push_back(slots);
        });
    }

    // Leaves so many of the positions, evenly spread.
    void thin(std::size_t count) {
        if (positions_.size() <= count) return;
        for (std::size_t i = 0; i < count; ++i) std::swap(positions_[i], positions_[i * positions_.size() / count]);
        positions_.resize(count);
    }

    Verdict judge(const Symmetry& candidate) {
        bool changes = false;
        for (const Slots& slots : positions_) {
            const Slots image = candidate.apply(slots);
            changes = changes || image != slots;
            if (!alike(look(slots, &candidate), look(image, nullptr))) return Verdict::Fails;
        }
        return changes ? Verdict::Holds : Verdict::ChangesNothing;
    }

    // With `symmetry` the successors are its images of them.
    Look look(const Slots& slots, const Symmetry* symmetry) {
        Look look;
        game::State state, next;
        Slots after;
        game_.executor().load(slots, state);
        look.kind = game_.expand(state, moves_);
        look.mover = game_.to_move(state);
        if (look.kind == game::NodeKind::Terminal) {
            look.payoffs.resize(game_.players());
            game_.payoffs(state, look.payoffs);
        }
        for (std::size_t i = 0; look.kind != game::NodeKind::Fault && i < moves_.size(); ++i) {
            if (!game_.successor(state, moves_, i, next)) {
                look.kind = game::NodeKind::Fault;
                break;
            }
            game_.executor().store(next, after);
            if (symmetry != nullptr) after = symmetry->apply(after);
            const double probability = look.kind == game::NodeKind::Chance ? moves_.probability(i) : 1;
            look.successors.emplace_back(XXH64(after.data(), after.size() * sizeof after[0], 0), probability);
        }
        std::ranges::sort(look.successors);
        return look;
    }

    // The group of those that hold. One of them is left out where with it the group would have one that fails, or be
    // too large.
    static SymmetryGroup grown(const std::vector<Symmetry>& good, const std::set<Symmetry>& bad, std::size_t slots) {
        SymmetryGroup group = SymmetryGroup::trivial(slots);
        for (const Symmetry& candidate : good) {
            if (std::ranges::find(group.elements, candidate) != group.elements.end()) continue;
            std::vector<Symmetry> generators = group.generators;
            generators.push_back(candidate);
            auto larger = SymmetryGroup::generated_by(std::move(generators), slots);
            if (!larger || std::ranges::any_of(larger->elements, [&](const Symmetry& s) { return bad.contains(s); }))
                continue;
            group = std::move(*larger);
        }
        return group;
    }

    game::Game& game_;
    const game::State& start_;
    game::MoveList moves_;
    std::vector<Slots> positions_;
};

} // namespace

SymmetryGroup find_symmetries(game::Game& game, const game::State& start) { return Search(game, start).run(); }

} // namespace zug::solve
