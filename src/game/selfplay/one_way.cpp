#include "game/selfplay/one_way.hpp"

#include "game/selfplay/random_games.hpp"

#include <algorithm>
#include <utility>

namespace zug::game {

namespace {

constexpr std::uint64_t games_to_watch = 16, positions_to_watch = 1000;
constexpr std::uint64_t most_values = 16; // of an entry

// The entries of a map that hold a value, each by its rank.
struct RankedCount {
    std::uint32_t first_slot = 0, value = 0;
    std::vector<std::int32_t> ranks;   // by entry
    bool falls = false, rises = false; // at some move

    std::int64_t of(std::span<const std::uint32_t> slots) const {
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < ranks.size(); ++k)
            if (slots[first_slot + k] == value) sum += ranks[k];
        return sum;
    }
};

// One by one, and where the entries are sites with coordinates by these, from either side.
std::vector<std::vector<std::int32_t>> rankings(const ir::Program& program, const ir::StateVariable& variable) {
    std::vector<std::vector<std::int32_t>> all{std::vector<std::int32_t>(variable.initial.size(), 1)};
    if (variable.indices.size() != 1 || program.types.kind(variable.indices[0]) != ir::TypeKind::Site) return all;
    const ir::Board& board = program.boards[static_cast<ir::BoardId>(program.types[variable.indices[0]].ref)];
    if (board.width == 0) return all;
    all.resize(5);
    for (const ir::Site& site : board.sites) {
        all[1].push_back(site.x);
        all[2].push_back(board.width + 1 - site.x);
        all[3].push_back(site.y);
        all[4].push_back(board.height + 1 - site.y);
    }
    return all;
}

std::vector<RankedCount> candidates(const ir::Program& program, const std::function<bool(ir::StateId)>& counts) {
    std::vector<RankedCount> all;
    const std::vector<std::uint64_t> sizes = ir::slot_sizes(program);
    for (std::size_t s = 0; s < program.states.size(); ++s) {
        const ir::StateVariable& variable = program.states[static_cast<ir::StateId>(s)];
        const bool counted = variable.assigned && variable.initial.size() > 1 && counts(static_cast<ir::StateId>(s));
        if (!counted || sizes[variable.first_slot] > most_values) continue;
        for (std::vector<std::int32_t>& ranks : rankings(program, variable))
            for (std::uint32_t value = 0; value < sizes[variable.first_slot]; ++value)
                all.push_back({.first_slot = variable.first_slot, .value = value, .ranks = ranks});
    }
    return all;
}

void watch(Game& game, std::vector<RankedCount>& counts) {
    std::vector<std::uint32_t> slots;
    std::vector<std::int64_t> before(counts.size());
    std::uint64_t positions = 0;
    play_random_games(game, game.initial(), games_to_watch, [&](const State& state, std::uint32_t ply) {
        game.executor().store(state, slots);
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const std::int64_t now = counts[i].of(slots), then = std::exchange(before[i], now);
            if (ply > 0 && now != then) (now < then ? counts[i].falls : counts[i].rises) = true;
        }
        return ++positions < positions_to_watch;
    });
}

} // namespace

OneWayMeasure::OneWayMeasure(Game& game, const std::function<bool(ir::StateId)>& counts) {
    std::vector<RankedCount> all = candidates(game.program(), counts);
    if (all.empty()) return;
    watch(game, all);
    const std::vector<std::uint64_t> sizes = ir::slot_sizes(game.program());
    std::vector<Term> terms(sizes.size());
    for (const RankedCount& count : all) {
        if (count.falls == count.rises) continue; // both, or it never changed
        for (std::uint32_t k = 0; k < count.ranks.size(); ++k) {
            Term& term = terms[count.first_slot + k];
            term.slot = count.first_slot + k;
            term.weights.resize(sizes[term.slot]);
            term.weights[count.value] += count.rises ? count.ranks[k] : -count.ranks[k];
        }
    }
    std::ranges::copy_if(terms, std::back_inserter(terms_), [](const Term& term) { return !term.weights.empty(); });
}

std::int64_t OneWayMeasure::of(std::span<const std::uint32_t> slots) const {
    std::int64_t sum = 0;
    for (const Term& term : terms_) sum += term.weights[slots[term.slot]];
    return sum;
}

} // namespace zug::game
