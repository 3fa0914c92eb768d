#include "compiler/normalise/static_quantifiers.hpp"

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
        std::vector<ExprId> known, rest;
        Dependence on;
        for (const ExprId part : parts(before_, before_.argument(e, 1), all ? Op::Or : Op::And)) {
            const bool is_known = is_static(part, var);
            (is_known ? known : rest).push_back(part);
            if (is_known) on.add(dependences_.of(part));
        }
        if (known.empty() || on.on_more || on.names.size() < 3 || !has_table(on, var)) return false;
        const ExprId domain = before_.argument(e, 0);
        const auto shared = [&](ExprId other) {
            return std::ranges::any_of(on.names,
                                       [&](ir::VarId name) { return name != var && names(before_, other, name); });
        };
        if (shared(domain) || std::ranges::any_of(rest, shared)) return false;
        program_.exprs[e] = program_.exprs[meeting(binder, domain, known, rest)];
        return true;
    }

private:
    bool is_static(ExprId part, ir::VarId var) {
        const Dependence& on = dependences_.of(part);
        return !on.on_more && on.computes && std::ranges::binary_search(on.names, var);
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

    // {v in domain | rest} meets {v | known}; of a ForAll, whose parts are alternatives, the negation for their
    // negations.
    ExprId meeting(const ir::Expr& binder, ExprId domain, const std::vector<ExprId>& known,
                   const std::vector<ExprId>& rest) {
        const ir::TypeId set = before_.exprs[domain].type;
        const bool all = binder.op == Op::ForAll;
        const auto those = [&](ExprId from, std::vector<ExprId> conditions) {
            if (conditions.empty()) return from;
            if (all)
                for (ExprId& c : conditions) c = builder_.not_(c);
            const ExprId both = builder_.junction(Op::And, conditions, binder.span);
            return builder_.make(Op::SetOf, set, binder.imm, {from, both}, binder.span);
        };
        const ExprId table = those(builder_.make(Op::Universe, set, 0, {}, binder.span), known);
        const ExprId both = builder_.make(Op::Inter, set, 0, {table, those(domain, rest)}, binder.span);
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
