#include "learn/model/viewpoint.hpp"

namespace zug::learn {

Viewpoint find_viewpoint(game::Game& game, bool apart) {
    if (!apart && game.traits().zero_sum && game.players() == 2)
        if (auto exchange = game::find_player_exchange(game)) return {.exchange = std::move(exchange), .stages = 1};
    return {.exchange = std::nullopt, .stages = game.players()};
}

bool fits(const Viewpoint& viewpoint, std::uint32_t outputs, const game::Game& game) {
    if (outputs != 1 && (outputs != game.players() || viewpoint.exchange)) return false;
    if (!viewpoint.exchange) return viewpoint.stages == 1 || viewpoint.stages == game.players();
    return viewpoint.stages == 1 && game.players() == 2 && game.traits().zero_sum &&
           viewpoint.exchange->permutes(ir::slot_sizes(game.program()));
}

Viewer::Viewer(const Viewpoint& viewpoint, std::uint32_t mover_slot)
    : viewpoint_(viewpoint), mover_slot_(mover_slot), image_(viewpoint.exchange ? viewpoint.exchange->to.size() : 0) {}

Viewer::View Viewer::of(std::span<const std::uint32_t> slots) {
    const std::uint32_t mover = slots[mover_slot_];
    if (!viewpoint_.exchange) return {.slots = slots, .stage = viewpoint_.stages > 1 ? mover : 0};
    if (mover == 0) return {.slots = slots};
    const game::Symmetry& exchange = *viewpoint_.exchange;
    for (std::uint32_t s = 0; s < slots.size(); ++s) image_[exchange.to[s]] = exchange.value(s, slots[s]);
    return {.slots = image_, .exchanged = true};
}

} // namespace zug::learn
