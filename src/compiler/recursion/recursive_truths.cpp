#include "compiler/recursion/recursive_truths.hpp"

#include "compiler/analysis/substitution.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;

class RecursiveTruth {
public:
    RecursiveTruth(ir::Program& program, ir::FunctionId id) : program_(program), builder_(program), id_(id) {}

    // False: it is not of this form.
    bool collect() {
        const ir::Function function = program_.functions[id_];
        if (program_.exprs[function.body].type != program_.types.boolean()) return false;
        if (!find_calls(function.body) || !varies_) return false;
        const ir::VarId var = function.params[*varies_];
        const auto set = set_of(program_.vars[var].type);
        if (!set) return false;
        const Span span = program_.exprs[function.body].span;
        std::vector<ExprId> others;
        ir::Function members{.name = function.name, .params = {}, .body = none_id<ExprId>, .recursive = true};
        for (std::size_t i = 0; i < function.params.size(); ++i) {
            if (i == *varies_) continue;
            members.params.push_back(function.params[i]);
            others.push_back(name(function.params[i], span));
        }
        const auto number = static_cast<std::int64_t>(program_.functions.size());
        all_ = builder_.make(Op::Call, *set, number, others, span);
        const ExprId universe = builder_.make(Op::Universe, *set, 0, {}, span);
        members.body = builder_.make(Op::SetOf, *set, static_cast<std::int64_t>(index(var)),
                                     {universe, rewritten(function.body)}, span);
        program_.functions.push(std::move(members));
        program_.functions[id_].body = membership(name(var, span), span);
        program_.functions[id_].recursive = false;
        return true;
    }

private:
    ExprId name(ir::VarId var, Span span) {
        return builder_.make(Op::Var, program_.vars[var].type, static_cast<std::int64_t>(index(var)), {}, span);
    }
    ExprId membership(ExprId member, Span span) {
        return builder_.make(Op::In, program_.types.boolean(), 0, {member, all_}, span);
    }

    // The layout of the state knows the types of the checked program only.
    std::optional<ir::TypeId> set_of(ir::TypeId element) const {
        for (std::size_t t = 0; t < program_.types.size(); ++t) {
            const auto id = static_cast<ir::TypeId>(t);
            if (program_.types.kind(id) == TypeKind::Set && program_.types.inner(id) == element) return id;
        }
        return std::nullopt;
    }

    // Without `none`, of which no condition is asked, and which is in no set.
    ir::TypeId bare(ir::TypeId type) const {
        return program_.types.kind(type) == TypeKind::Optional ? program_.types.inner(type) : type;
    }

    // Whether all calls of recursive functions are of this one, and differ from its own arguments in the same one.
    bool find_calls(ExprId e) {
        if (!met_.try_emplace(index(e), no_change).second) return true;
        const ir::Expr x = program_.exprs[e];
        if (x.op == Op::Call && program_.functions[static_cast<ir::FunctionId>(x.imm)].recursive) {
            if (static_cast<ir::FunctionId>(x.imm) != id_) return false;
            const std::vector<ir::VarId>& params = program_.functions[id_].params;
            for (std::size_t i = 0; i < params.size(); ++i) {
                const ExprId given = program_.argument(e, i);
                if (is_name(program_, given, params[i])) continue;
                if (varies_.value_or(i) != i || bare(program_.exprs[given].type) != program_.vars[params[i]].type)
                    return false;
                varies_ = i;
            }
        }
        for (const ExprId part : program_.arguments(e))
            if (!find_calls(part)) return false;
        return true;
    }

    // With memberships for calls.
    ExprId rewritten(ExprId e) {
        ExprId& known = met_.at(index(e));
        if (known != no_change) return known;
        const ir::Expr x = program_.exprs[e];
        std::vector<ExprId> args(program_.arguments(e).begin(), program_.arguments(e).end());
        bool changed = false;
        for (ExprId& part : args) {
            const ExprId made = rewritten(part);
            changed = changed || made != part;
            part = made;
        }
        ExprId made = e;
        if (x.op == Op::Call && static_cast<ir::FunctionId>(x.imm) == id_)
            made = membership(args[*varies_], x.span);
        else if (changed)
            made = x.op == Op::Let ? named(x, args) : builder_.make(x.op, x.type, x.imm, args, x.span);
        return met_.at(index(e)) = made;
    }

    // A name in a membership that is asked where the name is not none: that of its value, as none is in no set.
    ExprId named(const ir::Expr& let, const std::vector<ExprId>& args) {
        const ExprId made = builder_.make(Op::Let, let.type, let.imm, args, let.span);
        const auto var = static_cast<ir::VarId>(let.imm);
        const auto cases = none_case(program_, made);
        if (!cases || builder_.known(cases->none) != false || program_.exprs[cases->some].op != Op::In) return made;
        const ExprId member = program_.argument(cases->some, 0), set = program_.argument(cases->some, 1);
        if (!is_name(program_, member, var) || names(program_, set, var)) return made;
        return builder_.make(Op::In, let.type, 0, {args[0], set}, let.span);
    }

    static constexpr ExprId no_change = none_id<ExprId>; // not rewritten yet
    ir::Program& program_;
    ExpressionBuilder builder_;
    ir::FunctionId id_;
    std::optional<std::size_t> varies_; // the parameter
    ExprId all_{};                      // the call of the set
    std::unordered_map<std::size_t, ExprId> met_;
};

} // namespace

std::uint64_t collect_recursive_truths(ir::Program& program) {
    std::uint64_t collected = 0;
    const std::size_t functions = program.functions.size();
    for (std::size_t f = 0; f < functions; ++f)
        if (const auto id = static_cast<ir::FunctionId>(f); program.functions[id].recursive)
            collected += RecursiveTruth(program, id).collect() ? 1 : 0;
    return collected;
}

} // namespace zug::run
