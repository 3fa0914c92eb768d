#include "learn/model/output_scale.hpp"

#include "learn/model/ends.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace zug::learn {

double OutputScale::expected(double sum) const { return bounded ? std::tanh(sum) : sum; }

namespace {

// The slots that hold numbers, with the least of them.
std::vector<ScoreSlot> number_slots(const ir::Program& program) {
    std::vector<ScoreSlot> all;
    for (const ir::StateVariable& variable : program.states) {
        if (!variable.assigned || program.types.kind(variable.value) != ir::TypeKind::Int) continue;
        for (std::uint32_t k = 0; k < variable.initial.size(); ++k)
            all.push_back({variable.first_slot + k, program.types[variable.value].lo});
    }
    return all;
}

// For each player the slot that holds the utility in all ends of random games; none: there is not one for each.
std::vector<ScoreSlot> find_scores(game::Game& game) {
    const ir::Program& program = game.program();
    std::vector<std::vector<ScoreSlot>> alike(game.players(), number_slots(program));
    std::vector<std::uint32_t> slots;
    for_each_random_end(game, [&](const game::State& state, std::span<const double> utilities) {
        game.executor().store(state, slots);
        for (std::size_t p = 0; p < alike.size(); ++p)
            std::erase_if(alike[p], [&](const ScoreSlot& score) {
                return static_cast<double>(score.first + slots[score.slot]) != utilities[p];
            });
    });
    std::vector<ScoreSlot> found;
    for (const auto& slots_of_player : alike)
        if (!slots_of_player.empty()) found.push_back(slots_of_player.front());
    return found.size() == alike.size() ? found : std::vector<ScoreSlot>();
}

// What random games bring, over all players.
struct Utilities {
    double mean = 0, deviation = 0;
    std::size_t different = 0;
};

Utilities random_utilities(game::Game& game) {
    double sum = 0, squares = 0, count = 0;
    std::set<double> different;
    for_each_random_end(game, [&](const game::State&, std::span<const double> utilities) {
        for (const double utility : utilities) sum += utility, squares += utility * utility, count += 1;
        different.insert(utilities.begin(), utilities.end());
    });
    if (count == 0) return {};
    const double mean = sum / count;
    return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean)), different.size()};
}

} // namespace

OutputScale find_scale(game::Game& game) {
    constexpr double wide = 20; // standard deviations
    const auto [mean, deviation, different] = random_utilities(game);
    const double low = game.traits().min_utility, high = game.traits().max_utility;
    if (deviation > 0 && high - low > wide * deviation)
        return {.bounded = false, .middle = mean, .half = deviation, .scores = {}};
    return {.bounded = true, .middle = (low + high) / 2, .half = (high - low) / 2, .scores = {}};
}

OutputScale find_scale_with_scores(game::Game& game) {
    if (game.players() == 1 || !game.traits().zero_sum)
        if (const Utilities utilities = random_utilities(game); utilities.different > 2)
            if (auto scores = find_scores(game); !scores.empty())
                return {.bounded = false, .middle = 0, .half = utilities.deviation, .scores = std::move(scores)};
    return find_scale(game);
}

bool fits(const OutputScale& scale, std::uint32_t outputs, const game::Game& game) {
    if (!std::isfinite(scale.middle) || !std::isfinite(scale.half) || scale.half <= 0) return false;
    if (!scale.scores.empty() && (scale.scores.size() != outputs || scale.bounded)) return false;
    return std::ranges::all_of(scale.scores,
                               [&](const ScoreSlot& score) { return score.slot < game.program().total_slots(); });
}

} // namespace zug::learn
