// The indices of maps, and the numbers of their entries.

#include "bytecode/state_layout.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace zug::run {
namespace {

// The most values of the indices behind a site that are brought before it. Rules go through more of them, as the levels
// of a stack, one by one at a site.
constexpr std::uint64_t most_behind_site = 8;

} // namespace

void StateLayout::order_indices(const ir::StateVariable& variable) {
    std::vector<std::size_t> order(variable.indices.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto is_site = [&](std::size_t i) { return types_.kind(variable.indices[i]) == ir::TypeKind::Site; };
    const auto last = std::ranges::find_if(order.rbegin(), order.rend(), is_site);
    const bool is_set = types_.kind(variable.value) == ir::TypeKind::Set;
    std::uint64_t behind = 1;
    for (auto i = order.rbegin(); i != last; ++i)
        behind = std::min(behind * index_radix(variable.indices[*i]), most_behind_site + 1);
    if (variable.assigned && !is_set && last != order.rend() && behind <= most_behind_site)
        std::rotate(last.base() - 1, last.base(), order.end());
    std::vector<ir::TypeId> indices;
    for (const std::size_t i : order) indices.push_back(variable.indices[i]);
    slot_steps_.push(slot_steps(order, indices));
    indices_.push(std::move(indices));
    orders_.push(std::move(order));
}

std::vector<std::vector<std::int64_t>> StateLayout::slot_steps(const std::vector<std::size_t>& order,
                                                               const std::vector<ir::TypeId>& indices) const {
    std::vector<std::vector<std::int64_t>> steps(order.size());
    std::int64_t step = 1;
    for (std::size_t declared = order.size(); declared-- > 0;) {
        const auto position = static_cast<std::size_t>(std::ranges::find(order, declared) - order.begin());
        // Bits ascend with ordinals on every board.
        std::int64_t ordinal = 0;
        for (std::uint32_t bit = 0; bit < index_radix(indices[position]); ++bit)
            steps[position].push_back(value_of_bit(indices[position], bit) == ir::none ? -1 : step * ordinal++);
        step *= ordinal;
    }
    return steps;
}

std::uint32_t StateLayout::entry_radix(ir::StateId id, std::size_t index) const {
    const std::vector<ir::TypeId>& indices = indices_[id];
    const VariableLayout& at = variables_[id];
    const bool by_rows = at.storage == Storage::Planes || at.storage == Storage::Bytes;
    const bool filled = by_rows && at.rows > 1 && index + 1 == indices.size();
    return filled ? at.row_entries : index_radix(indices[index]);
}

std::uint32_t StateLayout::entry_count(ir::StateId id) const {
    std::uint32_t entries = 1;
    for (std::size_t i = 0; i < indices_[id].size(); ++i) entries *= entry_radix(id, i);
    return entries;
}

} // namespace zug::run
