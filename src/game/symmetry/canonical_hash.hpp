#pragma once
// Hashes of positions that are the same for a position and its images under the symmetries of the rules.

#include "game/line.hpp"
#include "game/symmetry/symmetry.hpp"

namespace zug::game {

class CanonicalHash {
public:
    // By the symmetries that follow from the form of the rules (invariance.hpp), at most most_images of them.
    explicit CanonicalHash(const ir::Program& program);
    // To hash a position takes time in proportion to its images.
    static constexpr std::size_t most_images = 16;

    // The symmetries by which positions are told to be alike, the identity included.
    std::size_t symmetries() const { return images_.size(); }
    // The least of the images' hashes. Cost: for each image, some nanoseconds for each slot of the position. `slots` is
    // scratch.
    std::uint64_t of(Line& line, int ply, std::vector<std::uint32_t>& slots) const;

private:
    std::vector<Symmetry> images_;
};

} // namespace zug::game
