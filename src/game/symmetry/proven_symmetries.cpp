#include "game/symmetry/invariance.hpp"
#include "game/symmetry/symmetry_candidates.hpp"

namespace zug::game {

SymmetryGroup proven_symmetries(const ir::Program& program, std::size_t most) {
    const auto proven = symmetry_candidates(
        program, [&](const Relabelling& relabelling, const Symmetry&) { return keeps_rules(program, relabelling); });
    return SymmetryGroup::of(proven, {}, program.total_slots(), most);
}

} // namespace zug::game
