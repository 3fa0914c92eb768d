// Chance events whose parameters are drawn one after another in random play, as five dice are: conditions that join no
// two parameters leave each a set of values of its own. So the time does not grow with the number of events.

#include "compiler/routines/compiler.hpp"

#include "base/narrow.hpp"
#include "executor/executor.hpp"

#include <algorithm>
#include <utility>

namespace zug::run {

// Parts of a chance rule that no condition joins: each has some of the parameters, and the conditions on them. Those on
// no parameter are with the first parameter. One part: the rule can't be split.
std::vector<ir::Rule> Compiler::independent_parts(ir::RuleId id) {
    const ir::Rule& rule = program_.rules[id];
    // More events than a position may have are left to the executor: they are a fault.
    if (rule.params.empty() || rule.code_count > max_moves || valid(rule.weight) || !rule.ensure.empty()) return {rule};
    std::vector<std::size_t> part_of(rule.params.size());
    for (std::size_t p = 0; p < part_of.size(); ++p) part_of[p] = p;
    std::vector<std::size_t> about(rule.when.size(), 0); // by clause: the first parameter that it names
    for (std::size_t c = 0; c < rule.when.size(); ++c) {
        const ir::Clause& clause = rule.when[c];
        if (valid(clause.bind)) continue;
        std::vector<std::size_t> named;
        for (std::size_t p = 0; p < part_of.size(); ++p)
            if (lowering_.names(rule, clause.expr, rule.params[p])) named.push_back(p);
        if (!named.empty()) about[c] = named.front();
        for (const std::size_t p : named) {
            const std::size_t joined = part_of[p];
            std::ranges::replace(part_of, joined, part_of[about[c]]);
        }
    }
    std::vector<ir::Rule> parts;
    for (std::size_t number = 0; number < part_of.size(); ++number) {
        if (part_of[number] != number) continue;
        ir::Rule& part = parts.emplace_back(rule);
        part.params.clear();
        part.when.clear();
        for (std::size_t p = 0; p < part_of.size(); ++p)
            if (part_of[p] == number) part.params.push_back(rule.params[p]);
        for (std::size_t c = 0; c < rule.when.size(); ++c)
            if (valid(rule.when[c].bind) || part_of[about[c]] == number) part.when.push_back(rule.when[c]);
    }
    return parts;
}

// The events of a chance rule, if its parameters fall into parts of which each has one set of values: the first part's
// set, and those of the others.
std::optional<Compiler::DueEvents> Compiler::find_independent(ir::RuleId id, std::uint32_t player) {
    const std::vector<ir::Rule> parts = independent_parts(id);
    if (parts.size() == 1) return std::nullopt;
    const std::vector<ir::VarId>& params = program_.rules[id].params;
    DueEvents due{id, {}, {}};
    for (const ir::Rule& part : parts) {
        std::vector<MoveSet> found;
        if (!lowering_.attempt([&] { return lowering_.move_sets(part, Context{.me = player}, found, {.most = 1}); }) ||
            found.size() != 1)
            return std::nullopt;
        std::vector<std::vector<std::int64_t>> tables(params.size());
        for (std::size_t p = 0; p < part.params.size(); ++p) {
            const auto at = std::ranges::find(params, part.params[p]) - params.begin();
            tables[static_cast<std::size_t>(at)] = std::move(found[0].params[p]);
        }
        found[0].params = std::move(tables);
        if (due.events.set == no_node)
            due.events = std::move(found[0]);
        else
            due.others.push_back(std::move(found[0]));
    }
    // None is due where one of the parts is empty.
    NodeRef all = graph_.word(1);
    for (const MoveSet& part : due.others) all = graph_.both(all, graph_.any(part.set));
    due.events.set = graph_.bcast(all, due.events.set);
    return due;
}

// How many combinations of the other parts there are.
NodeRef Compiler::combinations(const DueEvents& due) {
    NodeRef product = graph_.word(1);
    std::int64_t constant = 1;
    for (const MoveSet& part : due.others) {
        const NodeRef members = graph_.make(Family::Count, graph_.width(part.set), {part.set, no_node, no_node});
        if (graph_.is_constant(members)) {
            constant *= graph_.constant_word(members);
            continue;
        }
        graph_.bound(members, 0, std::int64_t{part.lift.shape.bits});
        product = graph_.op(Family::Mul, product, members);
    }
    return graph_.op(Family::Mul, product, graph_.word(constant));
}

// Copies of the sets of the other parts, from which to draw when the first part's member is drawn.
std::vector<Compiler::LaterPart> Compiler::keep_for_later(const DueEvents& due) {
    std::vector<LaterPart> parts;
    for (const MoveSet& part : due.others) {
        const std::uint16_t width = graph_.width(part.set);
        parts.push_back({part.params, graph_.fresh(width), width, part.lift.shape.bits, graph_.fresh(2)});
        graph_.effect(Family::Mov, width, parts.back().set, {part.set, no_node, no_node});
    }
    return parts;
}

// The step codes of such events: those of the members of the first part, and what the others add.
MoveSetCode Compiler::independent_code(ir::RuleId id, const MoveSet& first, const std::vector<LaterPart>& later) {
    const auto codes = [&](const std::vector<std::vector<std::int64_t>>& params, std::size_t bits) {
        return parameter_codes(program_, *out_.layout, id, params, bits);
    };
    MoveSetCode code;
    code.rule = id;
    code.words = graph_.width(first.set);
    code.codes = codes(first.params, first.lift.shape.bits);
    for (std::uint64_t& step : code.codes) step += program_.rules[id].first_code;
    code.params = first.params;
    for (const LaterPart& part : later)
        code.later.push_back({narrow<Reg>(part.drawn + 1), codes(part.params, part.bits)});
    return code;
}

// Binds the parameters of a part whose member is in the second of these two registers.
void Compiler::bind_drawn(ir::RuleId id, std::span<const std::vector<std::int64_t>> tables, Reg drawn, Context& in) {
    const NodeRef bit = graph_.fixed(narrow<Reg>(drawn + 1), 1);
    for (std::size_t p = 0; p < tables.size(); ++p) {
        if (tables[p].empty()) continue;
        graph_.bound(bit, 0, static_cast<std::int64_t>(tables[p].size()) - 1);
        in = lowering_.bind_node(program_.rules[id].params[p], parameter_of(tables[p], bit), in);
    }
}

// The code that follows the drawing of the first part's member: draws the others, and applies the event.
bool Compiler::play_independent(const PlayGroup& group, std::size_t k, std::uint32_t player, SharedMoves& shared) {
    std::vector<Instr>& instrs = out_.code.instrs;
    const MoveSetCode& first = codes_of(group)[k];
    for (const LaterPart& part : group.later[k]) {
        const auto next = static_cast<std::uint32_t>(instrs.size() + 1);
        const auto drawing = static_cast<std::int32_t>(out_.code.drawings.size());
        out_.code.drawings.push_back({{{part.set, part.words, part.bits, next, 0, {}}}});
        const Opcode draw = graph_.opcode(Family::Draw, part.words);
        instrs.push_back({draw, part.drawn, out_.play.random, 0, 0, part.words, drawing});
    }
    graph_.begin();
    Context in{.me = player};
    bind_drawn(first.rule, first.params, drawn(), in);
    for (const LaterPart& part : group.later[k]) bind_drawn(first.rule, part.params, part.drawn, in);
    return play_move({first.rule, std::nullopt, false}, in, shared);
}

} // namespace zug::run
