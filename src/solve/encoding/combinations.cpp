#include "solve/encoding/combinations.hpp"

#include "game/random_games.hpp"
#include "solve/encoding/tier_potential.hpp"

#include <algorithm>

namespace zug::solve {

namespace {
constexpr std::uint64_t games_for_combinations = 1000;
} // namespace

std::vector<DigitGroup> digit_groups(const ir::Program& program) {
    const auto sizes = slot_sizes(program);
    std::vector<DigitGroup> groups;
    for (std::uint32_t slot = 0; slot < sizes.size(); ++slot) {
        if (sizes[slot] <= 1) continue;
        if (groups.empty() || groups.back().size * sizes[slot] > DigitGroup::most) groups.emplace_back();
        DigitGroup& group = groups.back();
        group.digits.push_back({slot, sizes[slot], group.size});
        group.size *= sizes[slot];
    }
    return groups;
}

Combinations::Combinations(const ir::Program& program) : groups_(digit_groups(program)), numbers_(groups_.size()) {}

std::optional<Combinations> Combinations::of(const ir::Program& program,
                                             std::vector<std::vector<std::uint32_t>> numbers) {
    if (numbers.empty()) return Combinations();
    Combinations result(program);
    if (numbers.size() != result.groups_.size()) return std::nullopt;
    for (std::size_t g = 0; g < numbers.size(); ++g) {
        const auto& own = numbers[g];
        if (own.empty() || own.back() >= result.groups_[g].size) return std::nullopt;
        if (std::ranges::adjacent_find(own, std::ranges::greater_equal()) != own.end()) return std::nullopt;
    }
    result.numbers_ = std::move(numbers);
    return result;
}

Combinations Combinations::of_random_games(game::Game& game, const game::State& start) {
    Combinations result(game.program());
    std::vector<std::uint32_t> slots;
    game::play_random_games(game, start, games_for_combinations, [&](const game::State& state, std::uint32_t) {
        game.executor().store(state, slots);
        result.add(slots);
        return !result.too_many();
    });
    return result;
}

bool Combinations::too_many() const {
    __extension__ using Wide = unsigned __int128;
    Wide product = 1;
    for (const auto& own : numbers_)
        if (product *= own.size(); product >> 63 != 0) return true;
    return false;
}

void Combinations::add(std::span<const std::uint32_t> slots) {
    for (std::size_t g = 0; g < groups_.size(); ++g) add(g, groups_[g].number(slots));
}

void Combinations::add(const Combinations& others) {
    for (std::size_t g = 0; g < others.numbers_.size(); ++g)
        for (const std::uint32_t number : others.numbers_[g]) add(g, number);
}

void Combinations::add(std::size_t group, std::uint32_t number) {
    auto& own = numbers_[group];
    const auto at = std::ranges::lower_bound(own, number);
    if (at == own.end() || *at != number) own.insert(at, number);
}

} // namespace zug::solve
