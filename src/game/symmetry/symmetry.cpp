#include "game/symmetry/symmetry.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace zug::game {

Symmetry Symmetry::identity(std::size_t slots) {
    Symmetry identity;
    identity.to.resize(slots);
    std::iota(identity.to.begin(), identity.to.end(), 0U);
    identity.values.resize(slots);
    return identity;
}

std::vector<std::uint32_t> Symmetry::apply(std::span<const std::uint32_t> slots) const {
    std::vector<std::uint32_t> image(slots.size());
    for (std::uint32_t slot = 0; slot < slots.size(); ++slot) image[to[slot]] = value(slot, slots[slot]);
    return image;
}

Symmetry Symmetry::then(const Symmetry& other) const {
    Symmetry both = identity(to.size());
    for (std::uint32_t slot = 0; slot < to.size(); ++slot) {
        both.to[slot] = other.to[to[slot]];
        const std::size_t size = std::max(values[slot].size(), other.values[to[slot]].size());
        std::vector<std::uint32_t> images(size);
        for (std::uint32_t v = 0; v < size; ++v) images[v] = other.value(to[slot], value(slot, v));
        bool same = true; // the identity is stored as an empty list
        for (std::uint32_t v = 0; v < size; ++v) same = same && images[v] == v;
        if (!same) both.values[slot] = std::move(images);
    }
    return both;
}

bool Symmetry::permutes(std::span<const std::uint64_t> sizes) const {
    const auto is_permutation = [](std::vector<std::uint32_t> numbers) {
        std::ranges::sort(numbers);
        for (std::uint32_t i = 0; i < numbers.size(); ++i)
            if (numbers[i] != i) return false;
        return true;
    };
    if (to.size() != sizes.size() || values.size() != sizes.size() || !is_permutation(to)) return false;
    for (std::size_t slot = 0; slot < sizes.size(); ++slot) {
        if (sizes[slot] != sizes[to[slot]]) return false;
        const auto& images = values[slot];
        if (!images.empty() && (images.size() != sizes[slot] || !is_permutation(images))) return false;
    }
    return true;
}

std::optional<SymmetryGroup> SymmetryGroup::generated_by(std::vector<Symmetry> generators, std::size_t slots,
                                                         std::size_t most) {
    SymmetryGroup group;
    group.generators = std::move(generators);
    group.elements.push_back(Symmetry::identity(slots));
    std::set<Symmetry> known(group.elements.begin(), group.elements.end());
    for (std::size_t i = 0; i < group.elements.size(); ++i)
        for (const Symmetry& generator : group.generators) {
            Symmetry product = group.elements[i].then(generator);
            if (!known.insert(product).second) continue;
            if (group.elements.size() == most) return std::nullopt;
            group.elements.push_back(std::move(product));
        }
    return group;
}

SymmetryGroup SymmetryGroup::of(const std::vector<Symmetry>& good, const std::set<Symmetry>& bad, std::size_t slots,
                                std::size_t most) {
    SymmetryGroup group = trivial(slots);
    for (const Symmetry& candidate : good) {
        if (std::ranges::find(group.elements, candidate) != group.elements.end()) continue;
        std::vector<Symmetry> generators = group.generators;
        generators.push_back(candidate);
        auto larger = generated_by(std::move(generators), slots, most);
        if (!larger || std::ranges::any_of(larger->elements, [&](const Symmetry& s) { return bad.contains(s); }))
            continue;
        group = std::move(*larger);
    }
    return group;
}

} // namespace zug::game
