#pragma once
// How a definition calls itself.

#include "compiler/analysis/substitution.hpp"

#include <algorithm>
#include <optional>
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

} // namespace zug::run
