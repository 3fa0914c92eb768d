#pragma once
// How a definition calls itself.

#include "compiler/analysis/substitution.hpp"

#include <algorithm>
#include <optional>

namespace zug::run {

// Whether all calls of recursive functions in the expression are of this one, and differ from its own arguments in the
// same one, which is noted in `varies`.
inline bool vary_one_argument(const ir::Program& program, ir::ExprId e, ir::FunctionId id,
                              std::optional<std::size_t>& varies) {
    const ir::Expr& x = program.exprs[e];
    if (x.op == ir::Op::Call && program.functions[static_cast<ir::FunctionId>(x.imm)].recursive) {
        if (static_cast<ir::FunctionId>(x.imm) != id) return false;
        const std::vector<ir::VarId>& params = program.functions[id].params;
        for (std::size_t i = 0; i < params.size(); ++i) {
            if (is_name(program, program.argument(e, i), params[i])) continue;
            if (varies.value_or(i) != i) return false;
            varies = i;
        }
    }
    return std::ranges::all_of(program.arguments(e),
                               [&](ir::ExprId a) { return vary_one_argument(program, a, id, varies); });
}

} // namespace zug::run
