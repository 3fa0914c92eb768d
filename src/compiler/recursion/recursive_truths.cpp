#include "compiler/recursion/recursive_truths.hpp"

#include "compiler/recursion/recursive_calls.hpp"

#include <algorithm>
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
        std::vector<std::size_t> varies = varying_arguments(program_, id_);
        if (varies.empty()) return false;
        const auto cardinality = [&](std::size_t i) { return program_.types.cardinality(param_type(i)); };
        const auto most = std::ranges::max_element(varies, {}, cardinality);
        constexpr std::uint64_t most_members = 1 << 16;
        member_ = *most;
        varies.erase(most);
        if (cardinality(member_) == 0 || cardinality(member_) > most_members) return false;
        // Of others the set is one of a family (recursive_families.hpp).
        if (!varies.empty() && !may_be_family(program_, id_, varies, param_type(member_))) return false;
        if (!has_fitting_calls(function.body)) return false;
        set_ = program_.types.set(param_type(member_));
        members_ = static_cast<std::int64_t>(program_.functions.size());
        const ir::VarId var = function.params[member_];
        const Span span = program_.exprs[function.body].span;
        ir::Function members{.name = function.name, .params = function.params, .body = {}, .recursive = true};
        members.params.erase(members.params.begin() + static_cast<std::ptrdiff_t>(member_));
        const ExprId universe = builder_.make(Op::Universe, set_, 0, {}, span);
        members.body = builder_.make(Op::SetOf, set_, static_cast<std::int64_t>(index(var)),
                                     {universe, rewritten(function.body)}, span);
        program_.functions.push(std::move(members));
        std::vector<ExprId> own;
        for (const ir::VarId param : function.params)
            own.push_back(
                builder_.make(Op::Var, program_.vars[param].type, static_cast<std::int64_t>(index(param)), {}, span));
        program_.functions[id_].body = membership(own, span);
        program_.functions[id_].recursive = false;
        return true;
    }

private:
    ir::TypeId param_type(std::size_t i) const { return program_.vars[program_.functions[id_].params[i]].type; }

    // Whether the member is in the set of the other arguments.
    ExprId membership(std::vector<ExprId> arguments, Span span) {
        const ExprId member = arguments[member_];
        arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(member_));
        const ExprId all = builder_.make(Op::Call, set_, members_, arguments, span);
        return builder_.make(Op::In, program_.types.boolean(), 0, {member, all}, span);
    }

    // Whether no argument of a call may be cut to the range of its parameter, or be none, but for the member: of none
    // no condition is asked, and it is in no set.
    bool has_fitting_calls(ExprId e) {
        if (!met_.try_emplace(index(e), no_change).second) return true;
        const ir::Expr x = program_.exprs[e];
        for (std::size_t i = 0; i < x.arg_count; ++i) {
            const ExprId part = program_.argument(e, i);
            if (!has_fitting_calls(part)) return false;
            if (x.op != Op::Call || static_cast<ir::FunctionId>(x.imm) != id_) continue;
            const ir::TypeId type = program_.exprs[part].type;
            const bool is_bare = program_.types.kind(type) != TypeKind::Optional;
            if (i == member_ ? (is_bare ? type : program_.types.inner(type)) != param_type(i)
                             : !is_of_type(program_, part, param_type(i)))
                return false;
        }
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
            made = membership(args, x.span);
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
    std::size_t member_ = 0; // the parameter that is the member
    ir::TypeId set_{};
    std::int64_t members_ = 0; // the number of the function that is the set
    std::unordered_map<std::size_t, ExprId> met_;
};

} // namespace

std::uint64_t collect_recursive_truths(ir::Program& program) {
    return replace_each_recursive(program, [&](ir::FunctionId id) { return RecursiveTruth(program, id).collect(); });
}

} // namespace zug::run
