#include "draw/positions.hpp"

#include <algorithm>

namespace zug::draw {

Positions::Positions(game::Game& game, const game::State& root, Merge merge) : game_(game), merge_(merge) {
    if (merge == Merge::Symmetric) group_ = game::find_symmetries(game, root);
}

std::optional<Positions::Key> Positions::key(const game::State& state, int ply) {
    if (merge_ == Merge::None) return std::nullopt;
    Key key{.ply = ply, .slots = {}, .history = game_.traits().has_history ? game_.hash(state) : 0};
    std::vector<std::uint32_t> slots;
    game_.executor().store(state, slots);
    key.slots = slots;
    for (const game::Symmetry& symmetry : group_.elements) key.slots = std::min(key.slots, symmetry.apply(slots));
    return key;
}

std::optional<NodeIndex> Positions::find(const Key& key) const {
    const auto found = nodes_.find(key);
    return found == nodes_.end() ? std::nullopt : std::optional(found->second);
}

void Positions::forget_from(NodeIndex first) {
    std::erase_if(nodes_, [&](const auto& entry) { return entry.second >= first; });
}

} // namespace zug::draw
