#include "solve/database/worths.hpp"

#include <algorithm>
#include <array>

namespace zug::solve {

void Worths::clear() {
    results.clear();
    for (auto& column : values) column.clear();
}

Worths Worths::selected(std::span<const std::size_t> numbers) const {
    Worths chosen;
    chosen.values.resize(values.size());
    for (const std::size_t i : numbers) {
        if (!results.empty()) chosen.results.push_back(results[i]);
        for (std::size_t w = 0; w < values.size(); ++w) chosen.values[w].push_back(values[w][i]);
    }
    return chosen;
}

tl::expected<bool, Error> add_known(Database& database, const game::State& state, Worths& worths) {
    if (!database.chance()) {
        const auto found = database.find(state);
        if (!found) return tl::unexpected(found.error());
        if (*found) worths.results.push_back(**found);
        return found->has_value();
    }
    std::array<double, game::max_players> numbers{};
    const std::span<double> kept(numbers.data(), database.expected().width());
    const auto found = database.find_expected(state, kept);
    if (!found || !*found) return found;
    worths.values.resize(kept.size());
    for (std::size_t w = 0; w < kept.size(); ++w) worths.values[w].push_back(kept[w]);
    return true;
}

tl::expected<void, Error> add_reachable(Database& database, const game::State& state, Worths& worths) {
    const auto known = add_known(database, state, worths);
    if (!known) return tl::unexpected(known.error());
    if (!*known) return failure("this position can't be reached from the start of the game that was solved");
    return {};
}

tl::expected<void, Error> look_up_successors(Database& database, game::Game& game, const game::State& state,
                                             const game::MoveList& moves, Worths& worths) {
    worths.clear();
    game::State next;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (!game.successor(state, moves, i, next)) return failure(game.fault_text());
        if (auto added = add_reachable(database, next, worths); !added) return added;
    }
    return {};
}

double utility(const Database& database, const Worths& worths, std::size_t i, std::uint32_t player) {
    if (!database.chance()) return database.outcomes().utility(database.outcomes().outcome(worths.results[i]), player);
    const ExpectedValues& expected = database.expected();
    if (expected.width() > 1) return worths.values[player][i];
    return expected.of(player, std::span(&worths.values[0][i], 1));
}

std::vector<std::size_t> best_of(const Database& database, std::uint32_t player, const Worths& worths) {
    std::vector<std::size_t> best;
    if (database.chance()) {
        database.expected().best(player, worths.values, best);
        return best;
    }
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < worths.results.size(); ++i) {
        const std::uint32_t worth = database.outcomes().preference(player, worths.results[i]);
        if (best.empty() || worth > most) best.clear();
        if (best.empty() || worth == most) best.push_back(i);
        most = std::max(most, worth);
    }
    return best;
}

std::size_t least_id(const game::MoveList& moves, std::span<const std::size_t> indices) {
    return *std::ranges::min_element(indices, {}, [&](std::size_t i) { return moves.id(i); });
}

} // namespace zug::solve
