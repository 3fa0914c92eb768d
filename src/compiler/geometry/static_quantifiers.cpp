#include "compiler/geometry/static_quantifiers.hpp"

#include "compiler/analysis/dependence.hpp"
#include "compiler/analysis/static_tables.hpp"
#include "compiler/analysis/substitution.hpp"

#include <algorithm>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;

class StaticQuantifiers {
public:
    StaticQuantifiers(const ir::Program& before, ir::Program& program)
        : before_(before), dependences_(before), program_(program), builder_(program) {}

    bool replace(ExprId e) {
        const ir::Expr binder = before_.exprs[e];
        if (binder.op != Op::Exists && binder.op != Op::ForAll) return false;
        const auto var = static_cast<ir::VarId>(binder.imm);
        const bool all = binder.op == Op::ForAll;
        std::vector<ExprId> known, rest, members, domain;
        Dependence on;
        for (const ExprId part : parts(before_, before_.argument(e, 1), all ? Op::Or : Op::And)) {
            const bool is_known = is_static(part) && names(before_, part, var);
            (is_known ? known : rest).push_back(part);
            if (is_known) on.add(dependences_.of(part));
        }
        for (const ExprId set : intersected(before_, before_.argument(e, 0))) {
            const bool is_known = is_static(set) && !dependences_.of(set).names.empty();
            (is_known ? members : domain).push_back(set);
            if (is_known) on.add(dependences_.of(set));
        }
        on.name(var);
        if (known.empty() || !on.computes || on.on_more || on.names.size() < 3 || !has_table(on, var)) return false;
        const auto shared = [&](ExprId other) {
            return std::ranges::any_of(on.names,
                                       [&](ir::VarId name) { return name != var && names(before_, other, name); });
        };
        if (std::ranges::any_of(domain, shared) || std::ranges::any_of(rest, shared)) return false;
        const auto reads = [&](ExprId other) { return reads_matrix(other, var); };
        if (std::ranges::any_of(rest, reads)) return false;
        const ir::TypeId set = before_.exprs[before_.argument(e, 0)].type;
        const ExprId within = intersection(set, members, binder.span);
        program_.exprs[e] =
            program_.exprs[meeting(binder, {within, known}, {intersection(set, domain, binder.span), rest})];
        return true;
    }

private:
    // Whether it reads a matrix by this number, and by another one that is not constant: an entry near that of the
    // move, perhaps, which is a shift, and better than a table.
    bool reads_matrix(ExprId e, ir::VarId var) const {
        const auto args = before_.arguments(e);
        const auto is_number = [&](ExprId a) { return before_.types.kind(before_.exprs[a].type) == TypeKind::Int; };
        const auto is_other = [&](ExprId a) { return before_.exprs[a].op != Op::Const && !is_name(before_, a, var); };
        const auto is_var = [&](ExprId a) { return is_name(before_, a, var); };
        if (before_.exprs[e].op == Op::MapGet && std::ranges::all_of(args, is_number) &&
            std::ranges::any_of(args, is_var) && std::ranges::any_of(args, is_other))
            return true;
        return std::ranges::any_of(args, [&](ExprId a) { return reads_matrix(a, var); });
    }
    bool is_static(ExprId part) { return !dependences_.of(part).on_more; }

    ExprId intersection(ir::TypeId type, const std::vector<ExprId>& sets, Span span) {
        ExprId result = none_id<ExprId>;
        for (const ExprId set : sets)
            result = valid(result) ? builder_.make(Op::Inter, type, 0, {result, set}, span) : set;
        return valid(result) ? result : builder_.make(Op::Universe, type, 0, {}, span);
    }

    // Whether a table of the sets by all names but the variable is small enough.
    bool has_table(const Dependence& on, ir::VarId var) const {
        std::uint64_t words = 1;
        for (const ir::VarId name : on.names) {
            const ir::TypeId type = before_.vars[name].type;
            const TypeKind kind = before_.types.kind(type);
            if (kind == TypeKind::Set || kind == TypeKind::Path || kind == TypeKind::Optional || kind == TypeKind::Real)
                return false;
            const std::uint64_t values = before_.types.cardinality(type);
            if (values > StaticTables::most_words) return false;
            words *= name == var ? (values + 63) / 64 : values;
            if (words > StaticTables::most_words) return false;
        }
        return true;
    }

    // A domain, and conditions on its members.
    struct Members {
        ExprId domain;
        std::vector<ExprId> conditions;
    };

    // {v in domain | rest} meets {v | known}; of a ForAll, whose parts are alternatives, the negation for their
    // negations.
    ExprId meeting(const ir::Expr& binder, const Members& known, const Members& rest) {
        const ir::TypeId set = program_.exprs[rest.domain].type;
        const bool all = binder.op == Op::ForAll;
        const auto those = [&](Members members) {
            if (members.conditions.empty()) return members.domain;
            if (all)
                for (ExprId& c : members.conditions) c = builder_.not_(c);
            const ExprId both = builder_.junction(Op::And, members.conditions, binder.span);
            return builder_.make(Op::SetOf, set, binder.imm, {members.domain, both}, binder.span);
        };
        const ExprId both = builder_.make(Op::Inter, set, 0, {those(known), those(rest)}, binder.span);
        const ExprId some = builder_.make(Op::Any, binder.type, 0, {both}, binder.span);
        return all ? builder_.not_(some) : some;
    }

    const ir::Program& before_;
    Dependences dependences_;
    ir::Program& program_;
    ExpressionBuilder builder_;
};

} // namespace

std::uint64_t meet_static_sets(ir::Program& program) {
    const ir::Program before = program; // which the conditions are looked at in
    StaticQuantifiers quantifiers(before, program);
    std::uint64_t changed = 0;
    for (std::size_t k = 0; k < before.exprs.size(); ++k)
        if (quantifiers.replace(static_cast<ExprId>(k))) ++changed;
    return changed;
}

} // namespace zug::run
