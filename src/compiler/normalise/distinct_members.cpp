// Quantifiers over different members of one set: `some a, b in S: a != b` asks whether S has two members. Each name
// ranges over the same set, with the same conditions, and each two of them differ or are in order; k such values exist
// exactly if the set has k members, since any k of them can be sorted and named so.

#include "compiler/analysis/substitution.hpp"
#include "compiler/normalise/memberships.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;
using ir::VarId;

class DistinctMembers : public ExpressionBuilder {
public:
    using ExpressionBuilder::ExpressionBuilder;

    bool replace(ExprId e) {
        const Op op = program_.exprs[e].op;
        if (op != Op::Exists && op != Op::ForAll) return false;
        Names all{.universal = op == Op::ForAll};
        collect(e, all);
        const std::size_t k = all.vars.size();
        if (k < 2 || k > most_names) return false;
        all.own.resize(k);
        all.distinct.assign(k, std::vector<bool>(k, false));
        all.before = all.distinct;
        for (const auto& [i, j] : all.excluded) all.distinct[i][j] = all.distinct[j][i] = true;
        for (const ExprId part : all.said)
            if (!sort(part, all)) return false;
        if (!all_distinct(all) || !all_alike(all)) return false;
        program_.exprs[e] = program_.exprs[counted(program_.exprs[e], all)];
        return true;
    }

private:
    static constexpr std::size_t most_names = 8;
    using Renamed = std::vector<std::pair<VarId, VarId>>;

    struct Names {
        bool universal = false; // of `all`, what is said are alternatives, and their negations are conditions
        std::vector<VarId> vars = {};
        std::vector<ExprId> domains = {};                               // without the other names that they exclude
        std::vector<std::pair<std::size_t, std::size_t>> excluded = {}; // `b in S \ {a}`
        std::vector<ExprId> said = {};
        std::vector<ExprId> others = {};                           // what is said without these names
        std::vector<std::vector<ExprId>> own = {};                 // by name: what is said of it alone
        std::vector<std::vector<bool>> distinct = {}, before = {}; // whether two names differ; are in order
    };

    // The names of the quantifier and of those directly inside it, and all that they say.
    void collect(ExprId e, Names& all) {
        all.domains.push_back(without_names(program_.argument(e, 0), all));
        all.vars.push_back(static_cast<VarId>(program_.exprs[e].imm));
        std::optional<ExprId> next;
        for (const ExprId part : parts(program_, program_.argument(e, 1), all.universal ? Op::Or : Op::And)) {
            if (program_.exprs[part].op == program_.exprs[e].op && !next)
                next = part;
            else
                all.said.push_back(part);
        }
        if (next) collect(*next, all);
    }

    // The set that the domain is but for earlier names; those are noted. Others are left as they are.
    ExprId without_names(ExprId domain, Names& all) const {
        while (program_.exprs[domain].op == Op::Diff) {
            std::vector<std::size_t> taken;
            if (!are_names(program_.argument(domain, 1), all, taken)) break;
            for (const std::size_t i : taken) all.excluded.emplace_back(i, all.vars.size());
            domain = program_.argument(domain, 0);
        }
        return domain;
    }

    bool are_names(ExprId set, const Names& all, std::vector<std::size_t>& taken) const {
        const Op op = program_.exprs[set].op;
        if (op == Op::Union)
            return are_names(program_.argument(set, 0), all, taken) && are_names(program_.argument(set, 1), all, taken);
        const auto name = op == Op::Single ? name_of(program_.argument(set, 0), all) : std::nullopt;
        if (name) taken.push_back(*name);
        return name.has_value();
    }

    std::optional<std::size_t> name_of(ExprId e, const Names& all) const {
        for (std::size_t i = 0; i < all.vars.size(); ++i)
            if (is_name(program_, e, all.vars[i])) return i;
        return std::nullopt;
    }

    // Whether the part says that two names differ, or are in order, which is noted.
    bool separates(ExprId part, Names& all) const {
        const bool is_not = program_.exprs[part].op == Op::Not;
        const ExprId compared = is_not ? program_.argument(part, 0) : part;
        const Op op = program_.exprs[compared].op;
        if ((op != Op::Eq || is_not == all.universal) && (op != Op::Lt || is_not != all.universal)) return false;
        const auto name = [&](ExprId e) {
            return name_of(op == Op::Lt && program_.exprs[e].op == Op::Number ? program_.argument(e, 0) : e, all);
        };
        const auto i = name(program_.argument(compared, 0)), j = name(program_.argument(compared, 1));
        // In order in one direction only, so that there is no cycle of names.
        if (!i || !j || *i == *j || (op == Op::Lt && *i > *j)) return false;
        if (op == Op::Lt)
            all.before[*i][*j] = true;
        else
            all.distinct[*i][*j] = all.distinct[*j][*i] = true;
        return true;
    }

    // False: it says something else of several names.
    bool sort(ExprId part, Names& all) const {
        if (separates(part, all)) return true;
        std::optional<std::size_t> about;
        for (std::size_t i = 0; i < all.vars.size(); ++i) {
            if (!names(program_, part, all.vars[i])) continue;
            if (about) return false;
            about = i;
        }
        (about ? all.own[*about] : all.others).push_back(part);
        return true;
    }

    static bool all_distinct(Names& all) {
        const std::size_t k = all.vars.size();
        for (std::size_t j = 0; j < k; ++j)
            for (std::size_t i = 0; i < j; ++i)
                for (std::size_t l = j + 1; l < k; ++l)
                    if (all.before[i][j] && all.before[j][l]) all.before[i][l] = true;
        for (std::size_t i = 0; i < k; ++i)
            for (std::size_t j = i + 1; j < k; ++j)
                if (!all.distinct[i][j] && !all.before[i][j]) return false;
        return true;
    }

    bool all_alike(const Names& all) const {
        for (std::size_t i = 0; i < all.vars.size(); ++i) {
            const auto is_named = [&](VarId v) { return names(program_, all.domains[i], v); };
            if (std::ranges::any_of(all.vars, is_named)) return false;
            Renamed renamed{{all.vars[0], all.vars[i]}};
            const std::vector<ExprId>&first = all.own[0], &own = all.own[i];
            if (!equal(all.domains[0], all.domains[i], renamed) || first.size() != own.size()) return false;
            for (const ExprId part : first)
                if (std::ranges::none_of(own, [&](ExprId other) { return equal(part, other, renamed); })) return false;
            for (const ExprId part : own)
                if (std::ranges::none_of(first, [&](ExprId other) { return equal(other, part, renamed); }))
                    return false;
        }
        return true;
    }

    // Whether `a` is `b` where names of the one stand for names of the other, those that they bind included.
    bool equal(ExprId a, ExprId b, Renamed& renamed) const {
        const ir::Expr &x = program_.exprs[a], &y = program_.exprs[b];
        if (x.op != y.op || x.type != y.type || x.arg_count != y.arg_count) return false;
        const auto here = static_cast<VarId>(x.imm), there = static_cast<VarId>(y.imm);
        if (x.op == Op::Var) {
            const auto known = std::find_if(renamed.rbegin(), renamed.rend(),
                                            [&](const auto& p) { return p.first == here || p.second == there; });
            return known == renamed.rend() ? here == there : known->first == here && known->second == there;
        }
        const bool binds = ir::binds_variable(x.op);
        if (binds ? program_.vars[here].type != program_.vars[there].type : x.imm != y.imm) return false;
        if (binds) renamed.emplace_back(here, there);
        bool same = true;
        for (std::size_t i = 0; i < x.arg_count && same; ++i)
            same = equal(program_.argument(a, i), program_.argument(b, i), renamed);
        if (binds) renamed.pop_back();
        return same;
    }

    ExprId counted(ir::Expr binder, const Names& all) {
        const ir::TypeId type = program_.exprs[all.domains[0]].type;
        const auto members = static_cast<std::int64_t>(program_.types.cardinality(program_.types.inner(type)));
        const auto k = static_cast<std::int64_t>(all.vars.size());
        ExprId set = all.domains[0];
        if (std::vector<ExprId> own = all.own[0]; !own.empty()) {
            if (all.universal)
                for (ExprId& part : own) part = not_(part);
            set = make(Op::SetOf, type, static_cast<std::int64_t>(index(all.vars[0])),
                       {set, junction(Op::And, own, binder.span)}, binder.span);
        }
        const ir::TypeId numbers = program_.types.integer(0, std::max(members, k));
        const ExprId count = make(Op::Count, numbers, 0, {set}, binder.span);
        const ExprId less = constant(numbers, k - 1, binder.span);
        ExprId many = make(Op::Lt, binder.type, 0, {less, count}, binder.span);
        if (all.universal) many = not_(many);
        std::vector<ExprId> said = all.others;
        said.push_back(many);
        return junction(all.universal ? Op::Or : Op::And, said, binder.span);
    }
};

} // namespace

std::uint64_t count_distinct_members(ir::Program& program) {
    DistinctMembers members(program);
    std::uint64_t replaced = 0;
    // Those around others first: what is inside of them is a part of what they ask.
    for (std::size_t e = program.exprs.size(); e-- > 0;) replaced += members.replace(static_cast<ExprId>(e)) ? 1 : 0;
    return replaced;
}

} // namespace zug::run
