#include "game/symmetry/canonical_hash.hpp"

#include "executor/hash.hpp"

#include <algorithm>

namespace zug::game {

namespace {

// Mixed twice, since these are added up: sums of products would depend on sums of their factors.
std::uint64_t hash_of(std::uint32_t slot, std::uint32_t value) {
    return run::combine_hashes(run::combine_hashes(slot, value), slot);
}

} // namespace

CanonicalHash::CanonicalHash(const ir::Program& program) : images_(proven_symmetries(program, most_images).elements) {}

// The sum over all slots, so that images differ in the places of their terms only.
std::uint64_t CanonicalHash::of(Line& line, int ply, std::vector<std::uint32_t>& slots) const {
    line.store(ply, slots);
    std::uint64_t least = UINT64_MAX;
    for (const Symmetry& image : images_) {
        std::uint64_t sum = 0;
        for (std::uint32_t slot = 0; slot < slots.size(); ++slot)
            sum += hash_of(image.to[slot], image.value(slot, slots[slot]));
        least = std::min(least, sum);
    }
    return least;
}

} // namespace zug::game
