// Loud moves: of all rules together, found like all moves but under one more condition; and for each rule whether a
// given move of it is loud. Without this code executors list all moves and ask the reference evaluator.

#include "compiler/routines/compiler.hpp"

#include "base/narrow.hpp"

#include <algorithm>
#include <map>

namespace zug::run {

bool Compiler::loud() {
    if (!program_.has_loud()) return true;
    const Passes::Timer timer(passes_, Pass::LoudMoves);
    const std::size_t first = out_.code.instrs.size();
    lowering_.renew_budget();
    for (std::uint32_t player = 0; player < players(); ++player) {
        if (!program_.turn && !finder_.find_loud(player, out_.loud.emplace_back())) return false;
        for (std::size_t r = 0; r < program_.rules.size(); ++r) {
            const auto id = static_cast<ir::RuleId>(r);
            if (!valid(program_.loud_when(id))) continue;
            graph_.begin();
            graph_.enter(Origin::Part::When, r);
            out_.rules[r].loud.push_back(number(
                program_.loud[r], effects_.with_lets(id, false, effects_.parameters(id, Context{.me = player}))));
        }
    }
    find_in_walk();
    ++passes_[Pass::LoudMoves].runs;
    passes_.changed(Pass::LoudMoves, out_.code.instrs.size() - first);
    return !lowering_.failed() && !graph_.overflow();
}

// Finds each loud move among the moves of line walks, so that a walk can make it.
void Compiler::find_in_walk() {
    WalkCode& walk = out_.walk;
    if (walk.first.empty() || walk.emits || out_.loud.empty()) return;
    for (std::uint32_t player = 0; player < players(); ++player) {
        walk.loud.push_back(walk_bits(player));
        if (walk.loud.back().size() == out_.loud[player].move_sets.size() && !out_.loud[player].emits) continue;
        walk.loud.clear();
        return;
    }
}

// By loud move set; fewer if some move is not found, or found twice.
std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> Compiler::walk_bits(std::uint32_t player) const {
    const WalkCode& walk = out_.walk;
    std::map<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>> by_code;
    const std::size_t end = player + 1 < players() ? walk.first_move_set[player + 1] : walk.move_sets.size();
    for (std::size_t k = walk.first_move_set[player]; k < end; ++k)
        for (std::size_t b = 0; b < walk.move_sets[k].codes.size(); ++b)
            if (walk.move_sets[k].real[b] &&
                !by_code.try_emplace(walk.move_sets[k].codes[b], narrow<std::uint32_t>(k), narrow<std::uint32_t>(b))
                     .second)
                return {};
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> bits;
    for (const MoveSetCode& set : out_.loud[player].move_sets) {
        auto& of_set = bits.emplace_back(set.codes.size());
        for (std::size_t b = 0; b < set.codes.size(); ++b) {
            if (!set.real[b]) continue;
            const auto found = by_code.find(set.codes[b]);
            if (found == by_code.end()) return {};
            of_set[b] = found->second;
        }
    }
    return bits;
}

} // namespace zug::run
