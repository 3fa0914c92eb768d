#include "compiler/recursion/recursive_closures.hpp"

#include "compiler/analysis/substitution.hpp"
#include "compiler/recursion/recursive_calls.hpp"
#include "compiler/recursion/recursive_walks.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;

// One definition. What it says is decomposed into sets that do not name it, and into sets that a path leads to from
// it.
class RecursiveSet {
public:
    RecursiveSet(ir::Program& program, ir::FunctionId id)
        : program_(program), builder_(program), id_(id), set_(program.exprs[program.functions[id].body].type) {}

    // False: it is not of this form.
    bool close() {
        if (program_.types.kind(set_) != TypeKind::Set) return false;
        const ir::Type& member = program_.types[program_.types.inner(set_)];
        if (member.kind != TypeKind::Site) return false;
        path_ = program_.types.path(static_cast<ir::BoardId>(member.ref));
        const ExprId body = program_.functions[id_].body;
        if (!decompose(body) || !valid(base_) || !valid(along_)) return false;
        // The number 0 as a truth: the layout of the state knows the types of the checked program only, and this is one
        // that every program has.
        if (same_ && (paths_ != with_same_ || program_.types.cardinality(type_of(*same_)) > most_values)) return false;
        const ExprId none = builder_.truth(false, program_.exprs[body].span);
        const auto closure = [&](ExprId from, ExprId path) {
            return make(Op::Image, set_, {from, make(Op::Closure, path_, {path, none})}); // any number of times
        };
        program_.functions[id_].body = same_ ? by_value(closure) : closure(base_, along_);
        program_.functions[id_].recursive = false;
        return true;
    }

private:
    ir::TypeId type_of(ExprId e) const { return program_.exprs[e].type; }
    // Where each step keeps what is the same of its ends: for each value that this can have.
    template <class F>
    ExprId by_value(F&& closure) {
        const Span span = program_.exprs[*same_].span;
        const ir::TypeId type = type_of(*same_);
        ExprId result = none_id<ExprId>;
        for (std::uint64_t o = 0; o < program_.types.cardinality(type); ++o) {
            const ExprId value = builder_.constant(type, program_.types.value(type, o), span);
            const ExprId equal = make(Op::Eq, program_.types.boolean(), {*same_, value});
            const ExprId sites = those(same_of_, make(Op::Universe, set_, {}), {equal});
            const ExprId reached =
                closure(make(Op::Inter, set_, {base_, sites}), make(Op::Into, path_, {along_, sites}));
            result = valid(result) ? make(Op::Union, set_, {result, reached}) : reached;
        }
        return result;
    }
    ExprId make(Op op, ir::TypeId type, const std::vector<ExprId>& args, std::int64_t imm = 0) {
        const Span span = program_.exprs[program_.functions[id_].body].span;
        return builder_.make(op, type, imm, args, span);
    }
    ExprId first(ExprId e) const { return program_.argument(e, 0); }
    ExprId second(ExprId e) const { return program_.argument(e, 1); }
    bool has_type(ExprId e, ir::TypeId type) const { return program_.exprs[e].type == type; }

    // Whether a recursive definition is named in it, be it this one or another.
    bool recurs(ExprId e) {
        if (const auto known = recurs_.find(index(e)); known != recurs_.end()) return known->second;
        const ir::Expr& x = program_.exprs[e];
        const bool itself = x.op == Op::Call && program_.functions[static_cast<ir::FunctionId>(x.imm)].recursive;
        const bool result = itself || std::ranges::any_of(program_.arguments(e), [&](ExprId a) { return recurs(a); });
        recurs_.emplace(index(e), result);
        return result;
    }

    void add_base(ExprId set) { base_ = valid(base_) ? make(Op::Union, set_, {base_, set}) : set; }
    bool add_path(ExprId path) {
        if (!valid(path)) return false;
        along_ = valid(along_) ? make(Op::Alt, path_, {along_, path}) : path;
        ++paths_;
        return true;
    }

    bool decompose(ExprId e) {
        const ir::Expr x = program_.exprs[e];
        if (x.type != set_) return false;
        if (!recurs(e) && x.op != Op::SetOf) {
            add_base(e);
            return true;
        }
        if (x.op == Op::Union) return decompose(first(e)) && decompose(second(e));
        if (x.op != Op::SetOf) return add_path(path_to(e));
        const std::vector<ExprId> cases = cases_of(second(e));
        if (cases.size() > 1)
            return std::ranges::all_of(cases, [&](ExprId one) {
                return decompose(make(Op::SetOf, set_, {first(e), one}, x.imm));
            });
        if (recurs(e)) return add_path(path_to(e));
        add_base(single(e));
        return true;
    }

    // The parts of a disjunction. One within a conjunction is distributed, if it is about the definition.
    std::vector<ExprId> cases_of(ExprId condition) {
        const std::vector<ExprId> all = parts(program_, condition, Op::And);
        const auto either =
            std::ranges::find_if(all, [&](ExprId part) { return program_.exprs[part].op == Op::Or && recurs(part); });
        if (all.size() == 1 || either == all.end()) return parts(program_, condition, Op::Or);
        std::vector<ExprId> cases = parts(program_, *either, Op::Or);
        for (ExprId& one : cases) {
            std::vector<ExprId> both = all;
            both[static_cast<std::size_t>(either - all.begin())] = one;
            one = builder_.junction(Op::And, both, program_.exprs[condition].span);
        }
        return cases;
    }

    // {v | v = x} as {x}.
    ExprId single(ExprId those) {
        const auto var = static_cast<ir::VarId>(program_.exprs[those].imm);
        const ExprId domain = first(those), condition = second(those);
        if (program_.exprs[condition].op != Op::Eq) return those;
        for (std::size_t i = 0; i < 2; ++i) {
            const ExprId v = program_.argument(condition, i), other = program_.argument(condition, 1 - i);
            if (!is_name(program_, v, var) || names(program_, other, var)) continue;
            if (!has_type(other, program_.types.inner(set_))) continue;
            const ExprId one = make(Op::Single, set_, {other});
            return program_.exprs[domain].op == Op::Universe ? one : make(Op::Inter, set_, {domain, one});
        }
        return those;
    }

    // The path that leads to the set from the definition itself; none_id: there is no such path, or it is of no length.
    ExprId path_to(ExprId e) {
        if (!has_type(e, set_)) return none_id<ExprId>;
        switch (program_.exprs[e].op) {
        case Op::Image: return recurs(second(e)) ? none_id<ExprId> : then(first(e), second(e));
        case Op::Inter: {
            const bool left = recurs(first(e));
            if (left && recurs(second(e))) return none_id<ExprId>;
            return into(path_to(left ? first(e) : second(e)), left ? second(e) : first(e));
        }
        case Op::SetOf: return path_to_those(e);
        case Op::UnionOver: return path_over(e);
        default: return none_id<ExprId>;
        }
    }
    ExprId back(ExprId path) { return make(Op::Converse, path_, {path}); }

    // From the definition to `from`, and on.
    ExprId then(ExprId from, ExprId path) {
        if (calls_alike(program_, from, id_)) return path;
        if (program_.exprs[from].op == Op::Inter) { // those steps that begin in the other set
            const bool left = recurs(first(from));
            const ExprId other = left ? second(from) : first(from);
            if (recurs(other) || !has_type(other, set_)) return none_id<ExprId>;
            return then(left ? first(from) : second(from), back(into(back(path), other)));
        }
        const ExprId before = path_to(from);
        return valid(before) ? make(Op::Seq, path_, {before, path}) : before;
    }
    ExprId into(ExprId path, ExprId set) {
        return valid(path) && has_type(set, set_) ? make(Op::Into, path_, {path, set}) : none_id<ExprId>;
    }

    // {v in D | conditions}: D, or one of the conditions, is about the definition.
    ExprId path_to_those(ExprId e) {
        const auto var = static_cast<ir::VarId>(program_.exprs[e].imm);
        const ExprId domain = first(e), condition = second(e);
        if (recurs(domain)) {
            if (recurs(condition)) return none_id<ExprId>;
            const ExprId all = make(Op::Universe, set_, {});
            return into(path_to(domain), those(var, all, {condition}));
        }
        std::vector<ExprId> others;
        ExprId about = none_id<ExprId>;
        for (const ExprId part : parts(program_, condition, Op::And)) {
            if (!recurs(part)) {
                others.push_back(part);
                continue;
            }
            if (valid(about)) return none_id<ExprId>;
            about = part;
        }
        return into(path_back(about, var), those(var, domain, others));
    }

    ExprId those(ir::VarId var, ExprId domain, const std::vector<ExprId>& conditions) {
        if (conditions.empty()) return domain;
        const ExprId all = builder_.junction(Op::And, conditions, program_.exprs[conditions[0]].span);
        return make(Op::SetOf, set_, {domain, all}, static_cast<std::int64_t>(index(var)));
    }

    // The path to all v of which the condition holds: `v in S`, `some v.r & S` or `some w in v.r: w in S`, where a path
    // leads to S.
    ExprId path_back(ExprId condition, ir::VarId var) {
        if (!valid(condition)) return condition;
        if (program_.exprs[condition].op == Op::Exists) return path_back_over(condition, var);
        if (program_.exprs[condition].op == Op::In) return path_back_from(first(condition), second(condition), var);
        if (program_.exprs[condition].op != Op::Any) return none_id<ExprId>;
        const ExprId both = first(condition);
        if (program_.exprs[both].op != Op::Inter) return none_id<ExprId>;
        const bool left = recurs(first(both));
        const ExprId path = path_from(left ? second(both) : first(both), var);
        return valid(path) ? then(left ? first(both) : second(both), back(path)) : path;
    }

    // Of `v in S`, or `v.r in S` where r is a step, whose only end is asked for.
    ExprId path_back_from(ExprId member, ExprId set, ir::VarId var) {
        if (is_name(program_, member, var)) return path_to(set);
        if (program_.exprs[member].op != Op::The || !leads_to_one(program_, first(member))) return none_id<ExprId>;
        const ExprId path = path_from(first(member), var);
        return valid(path) ? then(set, back(path)) : path;
    }

    ExprId path_back_over(ExprId condition, ir::VarId var) {
        const auto other = static_cast<ir::VarId>(program_.exprs[condition].imm);
        std::vector<ExprId> others;
        ExprId about = none_id<ExprId>, domain = first(condition);
        if (program_.exprs[domain].op == Op::Inter && recurs(domain)) {
            const bool left = recurs(first(domain));
            about = left ? first(domain) : second(domain);
            domain = left ? second(domain) : first(domain);
            if (names(program_, about, var)) return none_id<ExprId>;
        }
        for (const ExprId part : parts(program_, second(condition), Op::And)) {
            if (!recurs(part) && !names(program_, part, var)) {
                others.push_back(part);
            } else if (is_same(part, var, other)) {
                ++with_same_;
            } else {
                const bool membership = program_.exprs[part].op == Op::In && is_name(program_, first(part), other);
                if (valid(about) || !membership) return none_id<ExprId>;
                about = second(part);
            }
        }
        if (!valid(about) || names(program_, about, other)) return none_id<ExprId>;
        ExprId path = path_from(domain, var);
        if (!others.empty()) path = into(path, those(other, make(Op::Universe, set_, {}), others));
        return valid(path) ? then(about, back(path)) : path;
    }

    // Whether the condition says that something is the same of both, as `at[e] = at[c]` does.
    bool is_same(ExprId condition, ir::VarId var, ir::VarId other) {
        if (program_.exprs[condition].op != Op::Eq || recurs(condition)) return false;
        const bool left = names(program_, first(condition), var);
        const ExprId own = left ? first(condition) : second(condition),
                     there = left ? second(condition) : first(condition);
        if (names(program_, own, other) || !alike_renamed(program_, own, var, there, other)) return false;
        if (same_ && !alike_renamed(program_, own, var, *same_, same_of_)) return false;
        if (program_.types.kind(type_of(own)) == TypeKind::Set || program_.types.kind(type_of(own)) == TypeKind::Real)
            return false;
        same_ = own;
        same_of_ = var;
        return true;
    }

    // The path that leads from the variable to the set.
    ExprId path_from(ExprId set, ir::VarId var) {
        if (recurs(set) || !has_type(set, set_)) return none_id<ExprId>;
        if (program_.exprs[set].op == Op::Inter)
            for (std::size_t i = 0; i < 2; ++i)
                if (const ExprId other = program_.argument(set, 1 - i); !names(program_, other, var))
                    return into(path_from(program_.argument(set, i), var), other);
        if (program_.exprs[set].op == Op::SetOf && !names(program_, second(set), var))
            return into(path_from(first(set), var), those(static_cast<ir::VarId>(program_.exprs[set].imm),
                                                          make(Op::Universe, set_, {}), {second(set)}));
        if (program_.exprs[set].op != Op::Image || program_.exprs[first(set)].op != Op::Single) return none_id<ExprId>;
        const bool is_path = is_name(program_, first(first(set)), var) && !names(program_, second(set), var);
        return is_path ? second(set) : none_id<ExprId>;
    }

    // The union over v in the definition of where a path leads from v.
    ExprId path_over(ExprId e) {
        const ExprId path = path_from(second(e), static_cast<ir::VarId>(program_.exprs[e].imm));
        return valid(path) ? then(first(e), path) : path;
    }

    ir::Program& program_;
    ExpressionBuilder builder_;
    ir::FunctionId id_;
    ir::TypeId set_, path_{};
    ExprId base_ = none_id<ExprId>, along_ = none_id<ExprId>;
    static constexpr std::uint64_t most_values = 16;
    std::optional<ExprId> same_; // what is the same of both ends of a step
    ir::VarId same_of_{};        // the variable that it names
    std::size_t paths_ = 0, with_same_ = 0;
    std::unordered_map<std::size_t, bool> recurs_;
};

} // namespace

std::uint64_t close_recursions(ir::Program& program) {
    return replace_each_recursive(
        program, [&](ir::FunctionId id) { return RecursiveSet(program, id).close() || follow_recursion(program, id); });
}

} // namespace zug::run
