#include "api/observation.hpp"

#include "api/inner.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace zug::api {

namespace {

// An index of a variable: its dimensions in a plane, and where each of its ordinals lies in them.
struct Dimension {
    std::vector<std::size_t> shape;
    std::vector<std::size_t> at; // by ordinal
};

Dimension dimension_of(const ir::Program& program, ir::TypeId type) {
    Dimension result;
    const auto count = static_cast<std::size_t>(program.types.cardinality(type));
    result.at.resize(count);
    std::iota(result.at.begin(), result.at.end(), std::size_t{0});
    result.shape = {count};
    if (program.types.kind(type) != ir::TypeKind::Site) return result;
    const ir::Board& board = program.boards[static_cast<ir::BoardId>(program.types[type].ref)];
    const auto width = static_cast<std::size_t>(board.width), height = static_cast<std::size_t>(board.height);
    if (board.shape != ir::BoardShape::Grid || width * height != count) return result;
    result.shape = {height, width};
    for (std::size_t site = 0; site < count; ++site) {
        const auto column = static_cast<std::size_t>(board.sites[site].x - 1);
        const auto from_top = static_cast<std::size_t>(board.height - board.sites[site].y);
        result.at[site] = from_top * width + column;
    }
    return result;
}

std::vector<std::string> texts_of(const ir::Program& program, ir::TypeId type, std::uint64_t values) {
    std::vector<std::string> texts;
    for (std::uint64_t v = 0; v < values; ++v)
        texts.push_back(ir::value_text(program, type, program.types.value(type, v)));
    return texts;
}

} // namespace

std::size_t Block::size() const {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

Observer::Observer(const Game& game) {
    const Inner& inner = *game.inner();
    const ir::Program& program = inner.game.program();
    const auto values = ir::slot_sizes(program);
    slots_.resize(values.size());
    for (std::size_t v = 0; v < program.states.size(); ++v) {
        const ir::StateVariable& variable = program.states[static_cast<ir::StateId>(v)];
        if (variable.assigned && !variable.initial.empty() && values[variable.first_slot] > 1)
            add(inner, v, values[variable.first_slot]);
    }
    // A variable may have one of these names.
    const auto free_name = [&](const char* name, const char* other) {
        return std::ranges::find(blocks_, name, &Block::name) == blocks_.end() ? name : other;
    };
    if (program.players.size() > 1) add_player(inner, free_name("turn", "whose_turn"), program.slot_count);
    if (program.keeps_last) add_player(inner, free_name("last", "last_mover"), program.slot_count + 1);
}

void Observer::add(const Inner& inner, std::size_t number, std::uint64_t values) {
    const ir::Program& program = inner.game.program();
    const ir::StateVariable& variable = program.states[static_cast<ir::StateId>(number)];
    const bool set = program.types.kind(variable.value) == ir::TypeKind::Set;
    const bool member = set || program.types.kind(variable.value) == ir::TypeKind::Bool;
    const bool scaled = !member && values > most_values;
    std::vector<ir::TypeId> indices = variable.indices;
    if (set) indices.push_back(program.types.inner(variable.value));

    Block block{.name = variable.name, .values = {}, .shape = {}, .offset = size_, .scaled = scaled};
    block.values =
        member || scaled ? std::vector<std::string>{variable.name} : texts_of(program, variable.value, values);
    block.shape.push_back(block.values.size());
    std::vector<std::size_t> at{0}; // of each slot in a plane
    for (const ir::TypeId index : indices) {
        const Dimension dimension = dimension_of(program, index);
        block.shape.insert(block.shape.end(), dimension.shape.begin(), dimension.shape.end());
        std::vector<std::size_t> finer;
        for (const std::size_t outer : at)
            for (const std::size_t own : dimension.at) finer.push_back(outer * dimension.at.size() + own);
        at = std::move(finer);
    }
    for (std::size_t i = 0; i < at.size(); ++i)
        slots_[variable.first_slot + i] = {.first = size_ + at[i],
                                           .stride = at.size(),
                                           .scale = scaled ? 1.0F / static_cast<float>(values - 1) : 0,
                                           .member = member,
                                           .used = true};
    size_ += block.size();
    blocks_.push_back(std::move(block));
}

void Observer::add_player(const Inner& inner, std::string name, std::size_t slot) {
    const std::vector<std::string>& players = inner.game.program().players;
    slots_[slot] = {.first = size_, .stride = 1, .scale = 0, .member = false, .used = true};
    blocks_.push_back({std::move(name), players, {players.size()}, size_, false});
    size_ += players.size();
}

void Observer::write(const State& state, std::span<float> out) const {
    std::vector<std::uint32_t> values;
    state.inner()->game.executor().store(state.node().state, values);
    std::ranges::fill(out, 0.0F);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        const Slot& slot = slots_[i];
        if (!slot.used) continue;
        if (slot.scale > 0)
            out[slot.first] = static_cast<float>(values[i]) * slot.scale;
        else if (!slot.member)
            out[slot.first + values[i] * slot.stride] = 1;
        else if (values[i] != 0)
            out[slot.first] = 1;
    }
}

} // namespace zug::api
