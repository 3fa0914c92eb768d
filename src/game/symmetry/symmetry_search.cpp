#include "game/symmetry/symmetry.hpp"

#include "game/selfplay/random_games.hpp"
#include "game/symmetry/image_check.hpp"
#include "game/symmetry/symmetry_candidates.hpp"

#include <algorithm>
#include <set>

namespace zug::game {

namespace {

constexpr std::uint64_t games_for_symmetries = 40;
constexpr std::size_t most_trials = 16'000; // candidates times positions, but each gets the fewest positions
constexpr std::size_t most_positions = 400, fewest_positions = 50;

using Slots = std::vector<std::uint32_t>;

class Search {
public:
    Search(Game& game, const State& start) : game_(game), start_(start) {}

    SymmetryGroup run() {
        Slots slots;
        game_.executor().store(start_, slots);
        const auto candidates =
            symmetry_candidates(game_.program(), [&](const Relabelling&, const Symmetry& candidate) {
                return candidate.apply(slots) == slots;
            });
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
        return SymmetryGroup::of(good, bad, slots.size());
    }

    // The first that holds.
    std::optional<Symmetry> exchange() {
        Slots slots;
        game_.executor().store(start_, slots);
        const auto same = [&](const Slots& image) {
            return std::equal(image.begin(), image.begin() + game_.program().slot_count, slots.begin());
        };
        const auto candidates =
            player_exchange_candidates(game_.program(), [&](const Relabelling&, const Symmetry& candidate) {
                return same(candidate.apply(slots));
            });
        if (candidates.empty()) return std::nullopt;
        sample();
        thin(std::clamp(most_trials / candidates.size(), fewest_positions, most_positions));
        const auto found =
            std::ranges::find_if(candidates, [&](const Symmetry& c) { return judge(c) == Verdict::Holds; });
        game_.clear_fault();
        return found != candidates.end() ? std::optional(*found) : std::nullopt;
    }

private:
    enum class Verdict : std::uint8_t { Holds, Fails, ChangesNothing };

    // Collects the positions of random games, each once.
    void sample() {
        std::set<Slots> known;
        Slots slots;
        play_random_games(game_, start_, games_for_symmetries, [&](const State& state, std::uint32_t) {
            game_.executor().store(state, slots);
            if (known.insert(slots).second) positions_.push_back(slots);
            return true;
        });
    }

    // Keeps only so many of the positions, evenly spread.
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
            if (!check_.holds(candidate, slots)) return Verdict::Fails;
        }
        return changes ? Verdict::Holds : Verdict::ChangesNothing;
    }

    Game& game_;
    const State& start_;
    ImageCheck check_{game_};
    std::vector<Slots> positions_;
};

} // namespace

SymmetryGroup find_symmetries(Game& game, const State& start) { return Search(game, start).run(); }

std::optional<Symmetry> find_player_exchange(Game& game) { return Search(game, game.initial()).exchange(); }

} // namespace zug::game
