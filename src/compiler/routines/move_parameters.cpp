// The parameters of a drawn move, and the merging of move sets whose moves differ only in their parameters.

#include "compiler/routines/compiler.hpp"

#include <algorithm>

namespace zug::run {
namespace {

// A parameter that is a constant, or the bit plus a constant.
struct Affine {
    bool of_bit = false;
    std::int64_t number = 0;
};

std::optional<Affine> affine(const std::vector<std::int64_t>& table) {
    std::optional<std::int64_t> distance, constant;
    bool same = true, shifted = true;
    for (std::size_t b = 0; b < table.size(); ++b) {
        if (table[b] == undefined) continue;
        const std::int64_t off = table[b] - static_cast<std::int64_t>(b);
        same = same && table[b] == constant.value_or(table[b]);
        shifted = shifted && off == distance.value_or(off);
        constant = table[b];
        distance = off;
    }
    if (same) return Affine{false, constant.value_or(0)};
    if (shifted) return Affine{true, *distance};
    return std::nullopt;
}

// Whether two parameters differ at every bit at which they are defined.
bool always_differ(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
    for (std::size_t bit = 0; bit < a.size(); ++bit)
        if (a[bit] != undefined && a[bit] == b[bit]) return false;
    return true;
}

} // namespace

// A parameter of a move set, given the bit: a constant, the bit plus a constant, or an entry of a table.
NodeRef Compiler::parameter_of(const std::vector<std::int64_t>& table, NodeRef bit) {
    const auto found = affine(table);
    if (!found) return graph_.make(Family::WordTable, 1, {bit, no_node, no_node}, 0, graph_.add_words(table));
    const NodeRef number = graph_.word(found->number);
    if (!found->of_bit) return number;
    return found->number == 0 ? bit : graph_.op(Family::Add, bit, number);
}

// Whether the same code can apply the moves of all sets, with the parameters in registers. This avoids an indirect jump
// that the processor cannot predict.
bool Compiler::can_merge(const PlayGroup& group) const {
    constexpr std::size_t most_merged = 8;
    const std::vector<MoveSet>& move_sets = group.found.move_sets;
    if (group.follows || group.then || group.pairs != 0 || !group.weights.empty() || move_sets.size() < 2 ||
        move_sets.size() > most_merged || group.last_shape != group.first_shape)
        return false;
    const std::span<const MoveSetCode> codes = codes_of(group);
    for (std::size_t k = 0; k < move_sets.size(); ++k) {
        if (move_sets[k].assumed || codes[k].rule != codes[0].rule) return false;
        for (std::size_t p = 0; p < codes[k].params.size(); ++p) {
            const auto value = affine(codes[k].params[p]), first = affine(codes[0].params[p]);
            if (!value || value->of_bit != first->of_bit) return false;
        }
    }
    return true;
}

// Code for all sets, unless separate code is shorter by more than a jump is worth: where the sets differ in a constant,
// such as a direction, separate code has it folded. False: there is none. Nullopt: some effect has no byte code.
std::optional<bool> Compiler::try_merged(const PlayGroup& group, std::uint32_t player, std::int32_t retry) {
    constexpr std::size_t worth_a_jump = 4; // instructions
    if (!can_merge(group)) return false;
    const std::size_t begin = out_.code.instrs.size();
    const std::span<const MoveSetCode> codes = codes_of(group);
    const auto is_alike = [&](const MoveSetCode& code) {
        for (std::size_t p = 0; p < code.params.size(); ++p) {
            const auto value = affine(code.params[p]), first = affine(codes[0].params[p]);
            if (!value->of_bit && value->number != first->number) return false;
        }
        return true;
    };
    const Mark mark = mark_code();
    const bool folds = !std::ranges::all_of(codes, is_alike);
    SharedMoves none{retry, false, std::nullopt, group.last};
    if (folds && !play_set(group, 0, player, none)) return std::nullopt;
    const std::size_t separate = out_.code.instrs.size() - begin;
    if (folds) take_back(mark);
    if (!play_merged(group, player, retry)) return std::nullopt;
    if (!folds || out_.code.instrs.size() - begin <= separate + worth_a_jump) return true;
    take_back(mark);
    for (Drawing::Part& part : out_.code.drawings[static_cast<std::size_t>(group.drawing)].parts) part.given.clear();
    return false;
}

bool Compiler::play_merged(const PlayGroup& group, std::uint32_t player, std::int32_t retry) {
    const std::span<const MoveSetCode> move_sets = codes_of(group);
    const ir::RuleId id = move_sets.front().rule;
    const std::vector<ir::VarId>& params = program_.rules[id].params;
    const std::vector<Reg>& into = out_.rules[index(id)].params;
    Drawing& drawing = out_.code.drawings[static_cast<std::size_t>(group.drawing)];
    for (std::size_t k = 0; k < move_sets.size(); ++k) {
        drawing.parts[k].target = static_cast<std::uint32_t>(out_.code.instrs.size());
        for (std::size_t p = 0; p < params.size(); ++p) {
            const Affine value = *affine(move_sets[k].params[p]);
            const ir::TypeId type = program_.vars[params[p]].type;
            const bool is_site = program_.types.kind(type) == ir::TypeKind::Site;
            drawing.parts[k].given.push_back(
                {into[p], value.of_bit, value.number, is_site ? out_.layout->shape(type).bits : 64});
        }
    }
    graph_.begin();
    const Context in = effects_.parameters(id, Context{.me = player});
    for (std::size_t p = 0; p < params.size(); ++p)
        for (std::size_t q = 0; q < p; ++q)
            if (std::ranges::all_of(move_sets,
                                    [&](const MoveSetCode& c) { return always_differ(c.params[p], c.params[q]); }))
                graph_.assume_unequal(graph_.fixed(into[p], 1), graph_.fixed(into[q], 1));
    return play_move({id, std::nullopt, false}, in, {retry, false, std::nullopt, group.last});
}

} // namespace zug::run
