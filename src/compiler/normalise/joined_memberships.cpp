#include "compiler/normalise/joined_memberships.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;
using ir::VarId;

class JoinedMemberships : public ExpressionBuilder {
public:
    using ExpressionBuilder::ExpressionBuilder;

    ExprId join(ExprId e) {
        std::vector<VarId> tried;
        for (const Membership& m : memberships(first_case(e))) {
            if (std::ranges::find(tried, m.site) != tried.end()) continue;
            tried.push_back(m.site);
            const ExprId set = set_of(e, m.site);
            if (!valid(set)) continue;
            const Span span = program_.exprs[e].span;
            const ExprId site =
                make(Op::Var, program_.vars[m.site].type, static_cast<std::int64_t>(index(m.site)), {}, span);
            return make(Op::In, program_.exprs[e].type, 0, {site, set}, span);
        }
        return none_id<ExprId>;
    }

private:
    struct Membership {
        VarId site;
        ExprId set;
    };

    bool is_if(ExprId e) const {
        return program_.exprs[e].op == Op::If && program_.types.kind(program_.exprs[e].type) == TypeKind::Bool;
    }

    ExprId first_case(ExprId e) const {
        while (is_if(e) || program_.exprs[e].op == Op::Or) e = program_.argument(e, is_if(e) ? 1 : 0);
        return e;
    }

    // Of the parts of a conjunction: `x in S`, or `x = the S` where S has one member at most.
    std::optional<Membership> membership(ExprId part) {
        const ir::Expr x = program_.exprs[part];
        if (x.op != Op::In && x.op != Op::Eq) return std::nullopt;
        for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
            if (x.op == Op::In && i == 1) break;
            const ExprId one = program_.argument(part, i), other = program_.argument(part, 1 - i);
            if (program_.exprs[one].op != Op::Var || program_.types.kind(program_.exprs[one].type) != TypeKind::Site)
                continue;
            const auto site = static_cast<VarId>(program_.exprs[one].imm);
            if (names(program_, other, site)) continue;
            if (x.op == Op::In) return Membership{site, other};
            if (program_.exprs[other].op != Op::The) continue;
            if (const ExprId set = program_.argument(other, 0); leads_to_one(program_, set))
                return Membership{site, set};
        }
        return std::nullopt;
    }

    std::vector<Membership> memberships(ExprId e) {
        std::vector<Membership> result;
        for (const ExprId part : parts(program_, e, Op::And))
            if (const auto found = membership(part)) result.push_back(*found);
        return result;
    }

    // The set of sites for which the condition holds; none_id: it says more of the site than which sets it is in.
    ExprId set_of(ExprId e, VarId site) {
        const ir::Expr x = program_.exprs[e];
        if (is_if(e)) {
            if (names(program_, program_.argument(e, 0), site)) return none_id<ExprId>;
            const ExprId yes = set_of(program_.argument(e, 1), site);
            const ExprId no = valid(yes) ? set_of(program_.argument(e, 2), site) : yes;
            return valid(no) ? make(Op::If, program_.exprs[yes].type, 0, {program_.argument(e, 0), yes, no}, x.span)
                             : no;
        }
        if (x.op == Op::Or) {
            ExprId all = none_id<ExprId>;
            for (const ExprId one : arguments(e)) {
                const ExprId set = set_of(one, site);
                if (!valid(set)) return set;
                all = valid(all) ? make(Op::Union, program_.exprs[set].type, 0, {all, set}, x.span) : set;
            }
            return all;
        }
        return set_where(e, site);
    }

    ExprId set_where(ExprId e, VarId site) {
        const Span span = program_.exprs[e].span;
        ExprId set = none_id<ExprId>;
        std::vector<ExprId> conditions;
        for (const ExprId part : parts(program_, e, Op::And)) {
            const auto found = membership(part);
            if (found && found->site == site)
                set = valid(set) ? make(Op::Inter, program_.exprs[set].type, 0, {set, found->set}, span) : found->set;
            else if (names(program_, part, site))
                return none_id<ExprId>;
            else
                conditions.push_back(part);
        }
        if (!valid(set) || conditions.empty()) return set;
        const ir::TypeId type = program_.exprs[set].type;
        const ExprId all = make(Op::Universe, type, 0, {}, span);
        const ExprId nothing = make(Op::Diff, type, 0, {all, all}, span);
        return make(Op::If, type, 0, {junction(Op::And, conditions, span), set, nothing}, span);
    }
};

} // namespace

ExprId joined_membership(ir::Program& program, ExprId e) { return JoinedMemberships(program).join(e); }

} // namespace zug::run
