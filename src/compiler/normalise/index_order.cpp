#include "compiler/normalise/index_order.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace zug::run {
namespace {

using Order = std::vector<std::size_t>;

template <class T>
std::vector<T> ordered(std::span<const T> declared, const Order& order) {
    std::vector<T> result;
    result.reserve(order.size());
    for (const std::size_t i : order) result.push_back(declared[i]);
    return result;
}

} // namespace

void order_indices(ir::Program& copy, const StateLayout& layout) {
    const auto changed = [&](ir::StateId id) {
        const Order& order = layout.index_order(id);
        return std::ranges::is_sorted(order) ? nullptr : &order;
    };
    for (std::size_t e = 0; e < copy.exprs.size(); ++e) {
        ir::Expr& x = copy.exprs[static_cast<ir::ExprId>(e)];
        if (x.op != ir::Op::MapGet) continue;
        const Order* const order = changed(static_cast<ir::StateId>(x.imm));
        if (order == nullptr) continue;
        const std::vector<ir::ExprId> args = ordered(copy.arguments(static_cast<ir::ExprId>(e)), *order);
        x.first_arg = static_cast<std::uint32_t>(copy.args.size()); // expressions may share their arguments
        copy.args.insert(copy.args.end(), args.begin(), args.end());
    }
    for (ir::Effect& effect : copy.effects) {
        if (effect.kind != ir::EffectKind::Assign && effect.kind != ir::EffectKind::Add) continue;
        if (const Order* const order = changed(effect.state); order != nullptr)
            effect.indices = ordered(std::span<const ir::ExprId>(effect.indices), *order);
    }
    for (std::size_t s = 0; s < copy.states.size(); ++s) {
        const auto id = static_cast<ir::StateId>(s);
        const Order* const order = changed(id);
        if (order == nullptr) continue;
        std::vector<ir::TypeId>& indices = copy.states[id].indices;
        indices = ordered(std::span<const ir::TypeId>(indices), *order);
    }
}

} // namespace zug::run
