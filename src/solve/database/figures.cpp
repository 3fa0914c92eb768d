#include "solve/database/figures.hpp"

#include <fmt/format.h>

namespace zug::solve {

void Figures::add(const Database& database, const Database::Block& block, std::size_t index, game::NodeKind kind,
                  std::uint32_t mover) {
    ++positions;
    if (!database.chance()) {
        ++by_result[{mover, block.results[index]}];
    } else if (kind == game::NodeKind::Chance) {
        ++by_value.chance;
    } else {
        const auto& values = block.values;
        const double first = values.front()[index];
        const double own = values.size() > 1 ? values[mover][index] : database.expected().of(mover, {&first, 1});
        by_value.add(database.expected(), own, 1);
    }
}

void Figures::add(const Figures& other) {
    positions += other.positions;
    moves += other.moves;
    tiers += other.tiers;
    for (const auto& [key, count] : other.by_result) by_result[key] += count;
    by_value.add(other.by_value);
}

std::vector<std::string> Figures::differences(const Database& database) const {
    const Solution& said = database.solution();
    std::vector<std::string> all;
    const auto compare = [&](std::string_view what, std::uint64_t found, std::uint64_t stated) {
        if (found != stated) all.push_back(fmt::format("there are {} {}, not {}", found, what, stated));
    };
    compare("positions", positions, said.positions);
    compare("moves", moves, said.moves);
    compare("tiers", tiers, said.tiers);
    ByResult stated;
    for (const auto& [mover, result, count] : database.histogram()) stated[{mover, result}] += count;
    if (by_result != stated) all.emplace_back("the numbers of positions by result are wrong");
    if (by_value != said.counts) all.emplace_back("the numbers of positions by value are wrong");
    return all;
}

} // namespace zug::solve
