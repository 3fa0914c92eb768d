#include "engines/stones.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace zug::engines {

namespace {

// The one map from points of the board to players.
tl::expected<ir::StateId, Error> map_of_stones(const ir::Program& program, ir::BoardId board) {
    std::optional<ir::StateId> found;
    for (std::size_t i = 0; i < program.states.size(); ++i) {
        const auto id = static_cast<ir::StateId>(i);
        const ir::StateVariable& state = program.states[id];
        if (state.indices.size() != 1 || program.types.kind(state.value) != ir::TypeKind::Optional) continue;
        const ir::Type& index = program.types[state.indices[0]];
        const bool of_stones = index.kind == ir::TypeKind::Site && static_cast<ir::BoardId>(index.ref) == board &&
                               program.types.inner(state.value) == program.player_type;
        if (!of_stones) continue;
        if (found) return failure(fmt::format("{} has several maps of stones", program.title));
        found = id;
    }
    if (found) return *found;
    return failure(fmt::format("{} has no map from points to the player whose stone is there", program.title));
}

} // namespace

tl::expected<bool, Error> is_empty(game::Game& game, const Vertices& vertices, const game::State& state) {
    const ir::Program& program = game.program();
    const auto map = map_of_stones(program, vertices.board());
    if (!map) return tl::unexpected(map.error());
    const ir::StateVariable& variable = program.states[*map];
    std::vector<std::uint32_t> slots;
    game.executor().store(state, slots);
    const auto first = slots.begin() + variable.first_slot;
    const auto sites = static_cast<std::ptrdiff_t>(program.boards[vertices.board()].sites.size());
    return std::all_of(first, first + sites,
                       [&](std::uint32_t slot) { return program.types.value(variable.value, slot) == ir::none; });
}

tl::expected<game::State, Error> position_with(game::Game& game, const Vertices& vertices,
                                               const std::vector<Stone>& stones, std::uint32_t to_move) {
    const ir::Program& program = game.program();
    std::vector<std::uint32_t> slots;
    game.executor().store(game.initial(), slots);
    slots[program.slot_count] = to_move;
    if (!stones.empty()) {
        const auto map = map_of_stones(program, vertices.board());
        if (!map) return tl::unexpected(map.error());
        const ir::StateVariable& variable = program.states[*map];
        const auto& sites = program.boards[vertices.board()].sites;
        for (const Stone& stone : stones) {
            const auto site = std::ranges::find_if(
                sites, [&](const ir::Site& one) { return one.x == stone.point.x && one.y == stone.point.y; });
            const auto value = program.types.ordinal(variable.value, stone.player);
            if (site == sites.end() || !value) return failure("there is no such point on the board");
            slots[variable.first_slot + static_cast<std::size_t>(site - sites.begin())] =
                static_cast<std::uint32_t>(*value);
        }
    }
    game::State state;
    game.executor().load(slots, state);
    return state;
}

tl::expected<std::vector<Stone>, Error> stones_of(game::Game& game, const Vertices& vertices,
                                                  const game::State& state) {
    const ir::Program& program = game.program();
    std::vector<Stone> stones;
    std::vector<std::uint32_t> slots, initial;
    game.executor().store(state, slots);
    game.executor().store(game.initial(), initial);
    if (const auto map = map_of_stones(program, vertices.board())) {
        const ir::StateVariable& variable = program.states[*map];
        const auto& sites = program.boards[vertices.board()].sites;
        for (std::size_t i = 0; i < sites.size(); ++i) {
            const std::uint32_t slot = slots[variable.first_slot + i];
            const std::int64_t owner = program.types.value(variable.value, slot);
            if (slot != initial[variable.first_slot + i] && owner != ir::none)
                stones.push_back({{sites[i].x, sites[i].y}, static_cast<std::uint32_t>(owner)});
        }
    }
    const auto again = position_with(game, vertices, stones, game.to_move(state));
    if (again && game.hash(*again) == game.hash(state)) return stones;
    return failure("the position has more than stones on its board");
}

} // namespace zug::engines
