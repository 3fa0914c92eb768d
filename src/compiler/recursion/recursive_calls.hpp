#pragma once
// How a definition calls itself.

#include "compiler/analysis/substitution.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace zug::run {

// Marks the arguments in which calls in the expression differ from the function's own. False: it calls another
// recursive function.
inline bool mark_varying(const ir::Program& program, ir::ExprId e, ir::FunctionId id, std::vector<bool>& varying) {
    const ir::Expr& x = program.exprs[e];
    if (x.op == ir::Op::Call && program.functions[static_cast<ir::FunctionId>(x.imm)].recursive) {
        if (static_cast<ir::FunctionId>(x.imm) != id) return false;
        const std::vector<ir::VarId>& params = program.functions[id].params;
        for (std::size_t i = 0; i < params.size(); ++i)
            if (!is_name(program, program.argument(e, i), params[i])) varying[i] = true;
    }
    return std::ranges::all_of(program.arguments(e),
                               [&](ir::ExprId a) { return mark_varying(program, a, id, varying); });
}

// The arguments in which a recursive function's calls of itself differ from its own, ascending. Empty: there are none,
// or it calls other recursive functions, too.
inline std::vector<std::size_t> varying_arguments(const ir::Program& program, ir::FunctionId id) {
    std::vector<bool> varying(program.functions[id].params.size());
    std::vector<std::size_t> found;
    if (!mark_varying(program, program.functions[id].body, id, varying)) return found;
    for (std::size_t i = 0; i < varying.size(); ++i)
        if (varying[i]) found.push_back(i);
    return found;
}

// Whether an argument is what the parameter is then: it need not be cut to the range of its numbers, and is not none.
inline bool is_of_type(const ir::Program& program, ir::ExprId given, ir::TypeId wanted) {
    const ir::TypeId type = program.exprs[given].type;
    if (type == wanted || program.types.kind(type) != ir::TypeKind::Int) return type == wanted;
    const ir::Type &of = program.types[type], &range = program.types[wanted];
    return range.kind == ir::TypeKind::Int && range.lo <= of.lo && of.hi <= range.hi;
}

// Marks the parts of an expression.
inline void mark_parts(const ir::Program& program, ir::ExprId e, std::vector<bool>& parts) {
    if (parts[index(e)]) return;
    parts[index(e)] = true;
    for (const ir::ExprId part : program.arguments(e)) mark_parts(program, part, parts);
}

// Whether the rules call a definition with numbers that may be outside of the ranges of its parameters. It is then
// asked about those numbers as well, which no set over the parameters' types has as members. What it calls itself with
// is not looked at.
inline bool is_called_beyond(const ir::Program& program, ir::FunctionId id) {
    std::vector<bool> own(program.exprs.size());
    mark_parts(program, program.functions[id].body, own);
    const std::vector<ir::VarId>& params = program.functions[id].params;
    for (std::size_t e = 0; e < program.exprs.size(); ++e) {
        const ir::Expr& x = program.exprs[static_cast<ir::ExprId>(e)];
        if (own[e] || x.op != ir::Op::Call || static_cast<ir::FunctionId>(x.imm) != id) continue;
        for (std::size_t i = 0; i < params.size(); ++i) {
            const ir::TypeId wanted = program.vars[params[i]].type;
            const ir::ExprId given = program.argument(static_cast<ir::ExprId>(e), i);
            if (program.types.kind(wanted) == ir::TypeKind::Int && !is_of_type(program, given, wanted)) return true;
        }
    }
    return false;
}

// Calls replace(id) for each recursive function that the program has now and calls within the ranges of its
// parameters. Returns how often it was true.
template <class F>
std::uint64_t replace_each_recursive(const ir::Program& program, F&& replace) {
    std::uint64_t replaced = 0;
    const std::size_t functions = program.functions.size();
    for (std::size_t f = 0; f < functions; ++f)
        if (const auto id = static_cast<ir::FunctionId>(f);
            program.functions[id].recursive && !is_called_beyond(program, id))
            replaced += replace(id) ? 1 : 0;
    return replaced;
}

// Whether it may ask more than the state, which the reference evaluator would answer in each round of a loop. `met`:
// definitions that are known not to.
inline bool asks_beyond_state(const ir::Program& program, ir::ExprId e, std::set<ir::FunctionId>& met) {
    const ir::Expr& x = program.exprs[e];
    if (x.op == ir::Op::Stuck || x.op == ir::Op::Earlier || x.op == ir::Op::Can) return true;
    if (x.op == ir::Op::Call) {
        const auto called = static_cast<ir::FunctionId>(x.imm);
        if (met.insert(called).second && asks_beyond_state(program, program.functions[called].body, met)) return true;
    }
    return std::ranges::any_of(program.arguments(e),
                               [&](ir::ExprId part) { return asks_beyond_state(program, part, met); });
}

// Whether an expression, with the definitions that it calls written out, has at most so many parts.
inline bool has_parts_within(const ir::Program& program, ir::ExprId e, std::uint64_t& left) {
    if (left == 0) return false;
    --left;
    const ir::Expr& x = program.exprs[e];
    if (x.op == ir::Op::Call && !program.functions[static_cast<ir::FunctionId>(x.imm)].recursive &&
        !has_parts_within(program, program.functions[static_cast<ir::FunctionId>(x.imm)].body, left))
        return false;
    return std::ranges::all_of(program.arguments(e),
                               [&](ir::ExprId part) { return has_parts_within(program, part, left); });
}

// Whether there can be a set of such elements for each value of these parameters of a recursive function: they are few
// for its size, as it is written out for each, and the function asks for no more than the state.
inline bool may_be_family(const ir::Program& program, ir::FunctionId id, const std::vector<std::size_t>& values,
                          ir::TypeId element) {
    constexpr std::uint64_t most_values = 32, most_members = 1 << 13, most_parts = 10'000;
    std::uint64_t ways = 1;
    for (const std::size_t i : values) {
        const ir::TypeId type = program.vars[program.functions[id].params[i]].type;
        const std::uint64_t count = program.types.cardinality(type); // of what is no scalar, 0
        if (count == 0 || count > most_values / ways || program.types.kind(type) == ir::TypeKind::Optional)
            return false;
        ways *= count;
    }
    const std::uint64_t members = program.types.cardinality(element);
    if (members == 0 || members > most_members / ways || program.types.kind(element) == ir::TypeKind::Tuple)
        return false;
    std::uint64_t parts = most_parts / ways;
    if (!has_parts_within(program, program.functions[id].body, parts)) return false;
    std::set<ir::FunctionId> met{id};
    return !asks_beyond_state(program, program.functions[id].body, met);
}

} // namespace zug::run
