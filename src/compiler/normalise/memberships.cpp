#include "compiler/normalise/memberships.hpp"

#include "compiler/analysis/substitution.hpp"
#include "compiler/normalise/joined_memberships.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;

class Memberships {
public:
    explicit Memberships(ir::Program& program) : program_(program), builder_(program) {}

    bool narrow(ExprId e) {
        const ir::Expr binder = program_.exprs[e];
        if (binder.op == Op::Eq || binder.op == Op::Lt) return without_count(e);
        if (binder.op == Op::If || binder.op == Op::Or) {
            const ExprId joined = joined_membership(program_, e);
            if (valid(joined)) program_.exprs[e] = program_.exprs[joined];
            return valid(joined);
        }
        if (binder.op == Op::UnionOver) return is_image(e);
        if (binder.op == Op::In) return is_filtered(e);
        if (binder.op != Op::Exists && binder.op != Op::ForAll && binder.op != Op::SetOf) return false;
        const auto var = static_cast<ir::VarId>(binder.imm);
        ExprId domain = program_.argument(e, 0);
        const ir::TypeId type = program_.exprs[domain].type;
        const bool all = binder.op == Op::ForAll;
        if (const ExprId one = only_value(e, var); valid(one)) {
            program_.exprs[e] = program_.exprs[one];
            return true;
        }
        if (const ExprId led = led_to_from(e, var); valid(led)) {
            program_.exprs[e] = program_.exprs[led];
            return true;
        }
        std::vector<ExprId> named, others;
        bool found = false;
        for (const ExprId part : parts(program_, program_.argument(e, 1), all ? Op::Or : Op::And)) {
            const ExprId set = set_of(part, var, type, all);
            found = found || valid(set);
            if (valid(set))
                domain = builder_.make(Op::Inter, type, 0, {domain, set}, program_.exprs[part].span);
            else
                (binder.op == Op::SetOf || names(program_, part, var) ? named : others).push_back(part);
        }
        if (!found && (others.empty() || named.empty())) return false;
        program_.exprs[e] = program_.exprs[rebuilt(binder, domain, named, others)];
        return true;
    }

private:
    // `count S = 0` and the like, of sites, ask whether there is a member, for all sites of a board at once.
    bool without_count(ExprId e) {
        const ir::Expr compares = program_.exprs[e];
        for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
            const ExprId count = program_.argument(e, i);
            const ir::Expr& limit = program_.exprs[program_.argument(e, 1 - i)];
            if (program_.exprs[count].op != Op::Count || limit.op != Op::Const) continue;
            const ir::TypeId counted = program_.exprs[program_.argument(count, 0)].type;
            if (program_.types.kind(program_.types.inner(counted)) != ir::TypeKind::Site) continue;
            const bool less = compares.op == Op::Lt; // count < 1, 0 < count
            if (limit.imm != (less && i == 0 ? 1 : 0)) continue;
            const ExprId some = builder_.make(Op::Any, compares.type, 0, {program_.argument(count, 0)}, compares.span);
            const bool is_some = less && i == 1;
            program_.exprs[e] = program_.exprs[is_some ? some : builder_.not_(some)];
            return true;
        }
        return false;
    }

    // `t & A \ B in S` is `t in A and t not in B and t in S`.
    bool is_filtered(ExprId e) {
        const ir::Expr in = program_.exprs[e];
        const ExprId member = program_.argument(e, 0);
        if (program_.exprs[member].op != Op::The) return false;
        std::vector<ExprId> said;
        const ExprId one = filtered(program_.argument(member, 0), said);
        if (!valid(one) || said.empty()) return false;
        said.push_back(builder_.make(Op::In, in.type, 0, {one, program_.argument(e, 1)}, in.span));
        program_.exprs[e] = program_.exprs[builder_.junction(Op::And, said, in.span)];
        return true;
    }

    // What a set has as its only member, if what is added to `said` holds of it; none_id: it may have others.
    ExprId filtered(ExprId set, std::vector<ExprId>& said) {
        const ir::Expr x = program_.exprs[set];
        if (x.op == Op::Single) return program_.argument(set, 0);
        if (x.op != Op::Diff && x.op != Op::Inter) return none_id<ExprId>;
        const ExprId one = filtered(program_.argument(set, 0), said);
        if (!valid(one)) return one;
        const ExprId in = builder_.make(Op::In, program_.types.boolean(), 0, {one, program_.argument(set, 1)}, x.span);
        said.push_back(x.op == Op::Diff ? builder_.not_(in) : in);
        return one;
    }

    // `union x in S: x.P` is `S.P`.
    bool is_image(ExprId e) {
        const auto var = static_cast<ir::VarId>(program_.exprs[e].imm);
        const ExprId domain = program_.argument(e, 0), image = program_.argument(e, 1);
        if (program_.exprs[image].op != Op::Image) return false;
        const ExprId from = program_.argument(image, 0), path = program_.argument(image, 1);
        if (program_.exprs[from].op != Op::Single || !is_name(program_, program_.argument(from, 0), var) ||
            names(program_, path, var) || program_.exprs[domain].type != program_.exprs[from].type)
            return false;
        const ir::Expr of = program_.exprs[e];
        program_.exprs[e] = program_.exprs[builder_.make(Op::Image, of.type, 0, {domain, path}, of.span)];
        return true;
    }

    // Of a quantifier which says that the variable is equal to something, what it says of that: `some i in D: i = x and
    // P(i)` is `x in D and P(x)`. none_id: it says something else.
    ExprId only_value(ExprId e, ir::VarId var) {
        const ir::Expr binder = program_.exprs[e];
        if (binder.op == Op::SetOf) return none_id<ExprId>;
        const bool all = binder.op == Op::ForAll;
        std::vector<ExprId> said = parts(program_, program_.argument(e, 1), all ? Op::Or : Op::And);
        for (ExprId& part : said) {
            ExprId equal = part;
            if (all && program_.exprs[part].op == Op::Not) equal = program_.argument(part, 0);
            if ((all && equal == part) || program_.exprs[equal].op != Op::Eq) continue;
            for (std::size_t i = 0; i < 2; ++i) {
                const ExprId one = program_.argument(equal, 1 - i);
                if (!is_name(program_, program_.argument(equal, i), var) || names(program_, one, var) ||
                    !may_be(one, var, said.size()))
                    continue;
                part = builder_.make(Op::In, binder.type, 0, {one, program_.argument(e, 0)}, binder.span);
                if (all) part = builder_.not_(part);
                const ExprId rest = builder_.junction(all ? Op::Or : Op::And, said, binder.span);
                if (said.size() == 1) return rest;
                return builder_.make(Op::Let, binder.type, binder.imm, {in_range(one, var), rest}, binder.span);
            }
        }
        return none_id<ExprId>;
    }

    // Whether the value is of the variable's type, or can be made so where there is more to say of it: numbers are.
    bool may_be(ExprId value, ir::VarId var, std::size_t said) const {
        const ir::TypeId type = program_.exprs[value].type, wanted = program_.vars[var].type;
        if (type == wanted) return true;
        if (program_.types.kind(wanted) == ir::TypeKind::Int) return program_.types.kind(type) == ir::TypeKind::Int;
        return said == 1 && program_.types.kind(type) == ir::TypeKind::Optional && program_.types.inner(type) == wanted;
    }

    // Of a question whether a path leads from a member of a set to a site, whether the site is where it leads from the
    // set: `some x in S: e in x.P` is `e in S.P`, and so is `some x in S: x.P = e` where P leads to one site. none_id:
    // it asks something else.
    ExprId led_to_from(ExprId e, ir::VarId var) {
        const ir::Expr binder = program_.exprs[e];
        if (binder.op != Op::Exists || program_.types.kind(program_.vars[var].type) != ir::TypeKind::Site)
            return none_id<ExprId>;
        return led_to_from(binder, program_.argument(e, 0), program_.argument(e, 1));
    }
    ExprId led_to_from(ir::Expr binder, ExprId domain, ExprId body) {
        const auto var = static_cast<ir::VarId>(binder.imm);
        if (program_.exprs[body].op == Op::Exists && !names(program_, program_.argument(body, 0), var)) {
            // Of `some x in S, d in D`, the one is as good as the other to ask first.
            const ir::Expr inner = program_.exprs[body];
            const ExprId values = program_.argument(body, 0);
            if (names(program_, domain, static_cast<ir::VarId>(inner.imm))) return none_id<ExprId>;
            const ExprId led = led_to_from(binder, domain, program_.argument(body, 1));
            return valid(led) ? builder_.make(Op::Exists, inner.type, inner.imm, {values, led}, inner.span) : led;
        }
        std::vector<ExprId> others = parts(program_, body, Op::And);
        for (auto part = others.begin(); part != others.end(); ++part) {
            const auto leads = led_to(*part, var);
            if (!leads) continue;
            const Span span = program_.exprs[*part].span;
            others.erase(part);
            const ir::TypeId type = program_.exprs[domain].type;
            const ExprId set =
                others.empty() ? domain
                               : builder_.make(Op::SetOf, type, binder.imm,
                                               {domain, builder_.junction(Op::And, others, binder.span)}, binder.span);
            return builder_.make(Op::In, binder.type, 0, {leads->site, led_from(set, leads->image)}, span);
        }
        return none_id<ExprId>;
    }

    // A site, and the image of the variable that it is said to be in.
    struct LedTo {
        ExprId site, image;
    };
    std::optional<LedTo> led_to(ExprId said, ir::VarId var) const {
        const Op op = program_.exprs[said].op;
        if (op != Op::In && op != Op::Eq) return std::nullopt;
        for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
            const ExprId site = program_.argument(said, i);
            ExprId image = program_.argument(said, 1 - i);
            if (op == Op::In && i == 1) break;
            if (op == Op::Eq) {
                if (program_.types.kind(program_.exprs[site].type) == ir::TypeKind::Optional) continue;
                if (program_.exprs[image].op != Op::The) continue;
                image = program_.argument(image, 0);
                if (!leads_to_one(program_, image)) continue;
            }
            if (!names(program_, site, var) && leads_from(image, var)) return LedTo{site, image};
        }
        return std::nullopt;
    }
    // Whether it is where a path leads from the variable, step by step: `x.N.E` is `(x.N).E`.
    bool leads_from(ExprId image, ir::VarId var) const {
        if (program_.exprs[image].op != Op::Image || names(program_, program_.argument(image, 1), var)) return false;
        const ExprId from = program_.argument(image, 0);
        return leads_from(from, var) ||
               (program_.exprs[from].op == Op::Single && is_name(program_, program_.argument(from, 0), var));
    }
    // The same from the members of a set.
    ExprId led_from(ExprId set, ExprId image) {
        const ir::Expr of = program_.exprs[image];
        const ExprId from = program_.argument(image, 0), path = program_.argument(image, 1);
        if (program_.exprs[from].op == Op::Image) set = led_from(set, from);
        return builder_.make(Op::Image, of.type, 0, {set, path}, of.span);
    }

    // A number cut to the range of the variable; anything else is of its type.
    ExprId in_range(ExprId number, ir::VarId var) {
        const ir::TypeId type = program_.vars[var].type;
        if (program_.exprs[number].type == type) return number;
        const ir::Type range = program_.types[type], given = program_.types[program_.exprs[number].type];
        const Span span = program_.exprs[number].span;
        const auto limited = [&](Op op, std::int64_t limit) {
            return builder_.make(op, type, 0, {number, builder_.constant(type, limit, span)}, span);
        };
        if (given.hi > range.hi) number = limited(Op::Min, range.hi);
        return given.lo < range.lo ? limited(Op::Max, range.lo) : number;
    }

    // The set of which `part` says that the variable is a member, or (`all`) that it is none; none_id: it says
    // something else.
    ExprId set_of(ExprId part, ir::VarId var, ir::TypeId type, bool all) const {
        if (all) {
            if (program_.exprs[part].op != Op::Not) return none_id<ExprId>;
            part = program_.argument(part, 0);
        }
        if (program_.exprs[part].op != Op::In) return none_id<ExprId>;
        const ExprId set = program_.argument(part, 1);
        const bool fits = is_name(program_, program_.argument(part, 0), var) && program_.exprs[set].type == type &&
                          !names(program_, set, var);
        return fits ? set : none_id<ExprId>;
    }

    // `others` do not name the variable.
    ExprId rebuilt(const ir::Expr& binder, ExprId domain, const std::vector<ExprId>& named,
                   std::vector<ExprId> others) {
        const bool all = binder.op == Op::ForAll;
        const Op joined = all ? Op::Or : Op::And;
        if (binder.op == Op::SetOf && named.empty()) return domain;
        ExprId rest = none_id<ExprId>;
        if (named.empty()) {
            rest = builder_.make(Op::Any, binder.type, 0, {domain}, binder.span);
            if (all) rest = builder_.not_(rest);
        } else {
            const ExprId body = builder_.junction(joined, named, binder.span);
            rest = builder_.make(binder.op, binder.type, binder.imm, {domain, body}, binder.span);
        }
        if (others.empty()) return rest;
        others.push_back(rest);
        return builder_.junction(joined, others, binder.span);
    }

    ir::Program& program_;
    ExpressionBuilder builder_;
};

// A clause for each part of a conjunction, so that each is used as soon as its names are known.
void split(const ir::Program& program, std::vector<ir::Clause>& clauses) {
    std::vector<ir::Clause> result;
    for (const ir::Clause& clause : clauses) {
        if (valid(clause.bind) || program.exprs[clause.expr].op != Op::And) {
            result.push_back(clause);
            continue;
        }
        std::vector<ir::Clause> parts;
        for (const ExprId part : program.arguments(clause.expr)) parts.push_back({.expr = part});
        split(program, parts);
        result.insert(result.end(), parts.begin(), parts.end());
    }
    clauses = std::move(result);
}

} // namespace

std::uint64_t narrow_domains(ir::Program& program) {
    Memberships memberships(program);
    const std::uint64_t changed = replace_each(program, [&](ExprId e) { return memberships.narrow(e); });
    for (ir::Rule& rule : program.rules) split(program, rule.when);
    return changed;
}

} // namespace zug::run
