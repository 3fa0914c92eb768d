// Which patterns a game gets.

#include "learn/model/input_variables.hpp"
#include "learn/tuples/board_patterns.hpp"
#include "learn/tuples/inputs.hpp"
#include "learn/tuples/pattern_set.hpp"

#include "base/random.hpp"
#include "game/symmetry/symmetry.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace zug::learn {

namespace {

constexpr std::uint64_t most_values_alone = 256; // of a slot; more are grouped
constexpr std::uint64_t most_values = 32;        // of a slot in a pattern of several
constexpr std::size_t large_board = 100;         // sites, from which on runs share weights

// What the sites of a board hold: the first slot, one for each site.
struct SiteMap {
    std::uint32_t board = 0, first_slot = 0;
    std::uint64_t values = 2;
};

// What a variable says of the sites of a board, if it does: a map from sites to values, or a set of sites.
std::optional<SiteMap> site_map(const ir::Program& program, const ir::StateVariable& variable, std::uint64_t values) {
    const bool set = program.types.kind(variable.value) == ir::TypeKind::Set;
    if (variable.indices.size() != (set ? 0U : 1U) || values > most_values) return std::nullopt;
    const ir::TypeId sites = set ? program.types.inner(variable.value) : variable.indices[0];
    if (program.types.kind(sites) != ir::TypeKind::Site) return std::nullopt;
    return SiteMap{program.types[sites].ref, variable.first_slot, values};
}

// How many slots with so many values a pattern may have.
std::uint32_t longest(std::uint64_t values, std::uint64_t combinations) {
    std::uint32_t length = 0;
    for (std::uint64_t product = values; product <= combinations; product *= values) ++length;
    return std::min<std::uint32_t>(length, 10);
}

PatternSet::Slots slots_of(Sites sites, std::uint32_t first) {
    for (std::uint32_t& site : sites) site += first;
    return sites;
}

// A part of what is left of the limits is for each kind of pattern, so that none takes all.
void add_board_patterns(PatternSet& set, const ir::Board& board, const SiteMap& map, double share, Random& random) {
    const std::uint32_t length = longest(map.values, set.limits().combinations);
    if (length < 2) return;
    const auto add = [&](const std::vector<Sites>& all, double part) {
        const PatternSet::Quota quota = set.quota(part * share);
        for (const Sites& sites : all)
            if (!set.add(slots_of(sites, map.first_slot), map.values, quota)) return;
    };
    if (board.sites.size() >= large_board) {
        auto classes = shared_runs(board, std::min(length, 6U));
        for (auto& alike : classes)
            for (Sites& run : alike) run = slots_of(std::move(run), map.first_slot);
        set.add_classes(classes, map.values);
        return;
    }
    add(runs(board, length, random), 0.4);
    add(blocks(board, length, random), 0.6);
    add(walks(board, length, 4 * board.sites.size(), random), 1);
}

} // namespace

FoundInputs find_inputs(game::Game& game, std::uint64_t seed, const InputLimits& limits,
                        std::span<const std::uint32_t> left_out) {
    const ir::Program& program = game.program();
    const game::SymmetryGroup symmetries = game::find_symmetries(game, game.initial());
    PatternSet set(program.total_slots(), symmetries, limits);
    std::vector<SiteMap> maps;
    for (const auto& [variable, values] : input_variables(game)) {
        const auto map = site_map(program, *variable, values);
        if (map) maps.push_back(*map);
        // Where what is still to come is learned, to know nothing is to expect nothing. What a site says alone would be
        // expected of all positions that are new, and play would look for those.
        if (map && !left_out.empty() && longest(values, limits.combinations) >= 2) continue;
        for (std::uint32_t slot = variable->first_slot; slot < variable->first_slot + variable->initial.size(); ++slot)
            if (std::ranges::find(left_out, slot) == left_out.end())
                set.add_alone(slot, values, group_shift(values, most_values_alone));
    }
    Random random(seed);
    for (std::size_t m = 0; m < maps.size(); ++m)
        add_board_patterns(set, program.boards[static_cast<ir::BoardId>(maps[m].board)], maps[m],
                           1.0 / static_cast<double>(maps.size() - m), random);
    return set.take();
}

} // namespace zug::learn
