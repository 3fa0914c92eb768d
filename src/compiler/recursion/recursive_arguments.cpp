#include "compiler/recursion/recursive_arguments.hpp"

#include "compiler/recursion/recursive_calls.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::FunctionId;
using ir::Op;
using ir::TypeKind;
using ir::VarId;

// What a definition is the union of. none_id: nothing.
struct Parts {
    ExprId own = none_id<ExprId>;  // what it has of its own
    ExprId next = none_id<ExprId>; // the arguments that it calls itself of
};

class RecursiveArguments {
public:
    RecursiveArguments(ir::Program& program, FunctionId id)
        : program_(program), builder_(program), id_(id), span_(program.exprs[program.functions[id].body].span) {}

    // False: it is not of this form.
    bool collect() {
        const ExprId body = program_.functions[id_].body;
        set_ = expr(body).type;
        varies_ = varying_arguments(program_, id_);
        if (program_.types.kind(set_) != TypeKind::Set || varies_.empty() || !find_types()) return false;
        std::set<FunctionId> met{id_};
        if (asks_beyond_state(program_, body, met)) return false;
        if (!from_set_ && varies_.size() == 1) return rewrite(body, param(0), param(0));
        if (from_set_ && !is_sum_of_members(body, param(0))) return false;
        const ir::TypeId element = program_.types.inner(arguments_);
        const VarId member = program_.vars.push({program_.vars[param(0)].name, element});
        Substitution of_member(program_, false);
        if (from_set_) of_member.name(param(0), make(Op::Single, arguments_, {name(member)}));
        for (std::size_t i = 0; i < varies_.size() && !from_set_; ++i)
            of_member.name(param(i), make(Op::Project, program_.vars[param(i)].type, {name(member)},
                                          static_cast<std::int64_t>(i)));
        const ExprId of_one = of_member(body);
        return valid(of_one) && rewrite(of_one, param(0), member);
    }

private:
    ExprId make(Op op, ir::TypeId type, const std::vector<ExprId>& args, std::int64_t imm = 0) {
        return builder_.make(op, type, imm, args, span_);
    }
    ExprId name(VarId var) { return make(Op::Var, program_.vars[var].type, {}, static_cast<std::int64_t>(index(var))); }
    ExprId arg(ExprId e, std::size_t i) const { return program_.argument(e, i); }
    const ir::Expr& expr(ExprId e) const { return program_.exprs[e]; }
    bool is_call(ExprId e) const { return expr(e).op == Op::Call && static_cast<FunctionId>(expr(e).imm) == id_; }
    bool calls(ExprId e) const {
        return is_call(e) || std::ranges::any_of(program_.arguments(e), [&](ExprId a) { return calls(a); });
    }

    // One of those that vary.
    VarId param(std::size_t i) const { return program_.functions[id_].params[varies_[i]]; }

    // The type of sets of arguments, or of tuples of them. False: there is none, as of sets of sets, or they are large.
    bool find_types() {
        constexpr std::uint64_t most_arguments = 1 << 16;
        std::vector<ir::TypeId> types;
        std::uint64_t ways = 1;
        for (std::size_t i = 0; i < varies_.size(); ++i) {
            types.push_back(program_.vars[param(i)].type);
            const std::uint64_t values = program_.types.cardinality(types.back()); // of what is no scalar, 0
            if (values > most_arguments) return false;
            ways = std::min(ways * values, most_arguments + 1);
        }
        from_set_ = types.size() == 1 && program_.types.kind(types[0]) == TypeKind::Set;
        if (from_set_) arguments_ = types[0];
        if (from_set_ || ways == 0 || ways > most_arguments) return from_set_;
        arguments_ = program_.types.set(types.size() == 1 ? types[0] : program_.types.tuple(types));
        return true;
    }

    // Whether of each set the definition is the union of what it is of the set's members. By induction over the rounds
    // in which it is grown, its calls of itself are.
    bool is_sum_of_members(ExprId e, VarId set) {
        const auto arg_is = [&](std::size_t i) { return is_sum_of_members(arg(e, i), set); };
        const auto is_fixed = [&](std::size_t i) { return !names(program_, arg(e, i), set); };
        switch (expr(e).op) {
        case Op::Var: return is_name(program_, e, set);
        case Op::SetConst: return is_empty(e);
        case Op::Union: return arg_is(0) && arg_is(1);
        case Op::Inter: return (arg_is(0) && is_fixed(1)) || (is_fixed(0) && arg_is(1));
        case Op::Diff:
        case Op::Image:
        case Op::SetOf: return arg_is(0) && is_fixed(1);
        case Op::UnionOver: return (arg_is(0) && is_fixed(1)) || (is_fixed(0) && arg_is(1));
        case Op::If: return is_fixed(0) && arg_is(1) && arg_is(2);
        case Op::Let: return is_fixed(0) && arg_is(1);
        case Op::Call: return is_call(e) && arg_is(varies_[0]);
        default: return false;
        }
    }
    bool is_empty(ExprId set) const {
        const ir::Expr& x = expr(set);
        return x.op == Op::SetConst && !program_.set_consts[static_cast<ir::SetConstId>(x.imm)].any();
    }

    // -- what the definition says

    // Of a name, or of all members of a set: of what may be nothing.
    ExprId for_each(Op op, std::int64_t var, ExprId value, ExprId part) {
        if (!valid(part)) return part;
        const auto is_member = [&](ExprId e) {
            return expr(e).op == Op::Single && is_name(program_, arg(e, 0), static_cast<VarId>(var)) &&
                   expr(e).type == expr(value).type;
        };
        if (op == Op::UnionOver && is_member(part)) return value;
        if (op == Op::UnionOver && expr(part).op == Op::If && arg(part, 2) == nothing_ && is_member(arg(part, 1)))
            return make(Op::SetOf, expr(part).type, {value, arg(part, 0)}, var);
        return make(op, expr(part).type, {value, part}, var);
    }
    ExprId chosen(ExprId condition, ExprId yes, ExprId no) {
        if (!valid(yes) && !valid(no)) return yes;
        const ir::TypeId type = expr(valid(yes) ? yes : no).type;
        if (!valid(yes)) return chosen(builder_.not_(condition), no, yes);
        if (!valid(no)) no = nothing_ = empty(type);
        return make(Op::If, type, {condition, yes, no});
    }
    ExprId empty(ir::TypeId set) {
        const ExprId all = make(Op::Universe, set, {});
        return make(Op::Diff, set, {all, all});
    }
    ExprId both(ExprId a, ExprId b) {
        if (!valid(a) || !valid(b)) return valid(a) ? a : b;
        return make(Op::Union, expr(a).type, {a, b});
    }
    std::optional<Parts> joined(const std::optional<Parts>& a, const std::optional<Parts>& b) {
        if (!a || !b) return std::nullopt;
        return Parts{both(a->own, b->own), both(a->next, b->next)};
    }

    std::optional<Parts> parts_of(ExprId e) {
        if (!calls(e)) return Parts{.own = is_empty(e) ? none_id<ExprId> : e};
        const auto fixed = [&](std::size_t i) { return !calls(arg(e, i)); };
        switch (expr(e).op) {
        case Op::Call: return call(e);
        case Op::Union: return joined(parts_of(arg(e, 0)), parts_of(arg(e, 1)));
        case Op::If: return fixed(0) ? choice(e, &RecursiveArguments::parts_of) : std::nullopt;
        case Op::Let:
        case Op::UnionOver: {
            const auto inner = fixed(0) ? parts_of(arg(e, 1)) : std::nullopt;
            if (!inner) return inner;
            const auto all = [&](ExprId part) { return for_each(expr(e).op, expr(e).imm, arg(e, 0), part); };
            return Parts{all(inner->own), all(inner->next)};
        }
        case Op::SetOf:
            if (expr(arg(e, 0)).op != Op::Universe) return std::nullopt;
            member_ = static_cast<VarId>(expr(e).imm);
            return those(arg(e, 1));
        default: return std::nullopt;
        }
    }

    std::optional<Parts> choice(ExprId e, std::optional<Parts> (RecursiveArguments::*of)(ExprId)) {
        const ExprId condition = arg(e, 0);
        const std::size_t known = some_.size();
        note_some(condition, true);
        const auto yes = (this->*of)(arg(e, 1));
        some_.resize(known);
        note_some(condition, false);
        const auto no = (this->*of)(arg(e, 2));
        some_.resize(known);
        if (!yes || !no) return std::nullopt;
        return Parts{chosen(condition, yes->own, no->own), chosen(condition, yes->next, no->next)};
    }

    // Of {member | condition}, where the condition holds of what is in calls.
    std::optional<Parts> those(ExprId e) {
        if (!calls(e)) return Parts{.own = make(Op::SetOf, set_, {make(Op::Universe, set_, {}), e}, member())};
        switch (expr(e).op) {
        case Op::In: return is_name(program_, arg(e, 0), member_) ? parts_of(arg(e, 1)) : std::nullopt;
        case Op::Or: {
            std::optional<Parts> all = Parts{};
            for (const ExprId part : parts(program_, e, Op::Or)) all = joined(all, those(part));
            return all;
        }
        case Op::And: return those_with(e);
        case Op::If: return is_apart(arg(e, 0)) ? choice(e, &RecursiveArguments::those) : std::nullopt;
        case Op::Let:
        case Op::Exists: {
            const auto inner = is_apart(arg(e, 0)) ? those(arg(e, 1)) : std::nullopt;
            if (!inner) return inner;
            const Op op = expr(e).op == Op::Let ? Op::Let : Op::UnionOver;
            const auto all = [&](ExprId part) { return for_each(op, expr(e).imm, arg(e, 0), part); };
            return Parts{all(inner->own), all(inner->next)};
        }
        default: return std::nullopt;
        }
    }
    std::int64_t member() const { return static_cast<std::int64_t>(index(member_)); }
    bool is_apart(ExprId e) const { return !calls(e) && !names(program_, e, member_); }

    // Of a conjunction: one part is about calls, and the others hold or not whatever the member is.
    std::optional<Parts> those_with(ExprId e) {
        std::vector<ExprId> others;
        ExprId about = none_id<ExprId>;
        for (const ExprId part : parts(program_, e, Op::And)) {
            if (is_apart(part)) {
                others.push_back(part);
                continue;
            }
            if (valid(about) || !calls(part)) return std::nullopt;
            about = part;
        }
        const std::size_t known = some_.size();
        for (const ExprId other : others) note_some(other, true);
        const auto inner = those(about);
        some_.resize(known);
        if (!inner || others.empty()) return inner;
        const ExprId condition = builder_.junction(Op::And, others, span_);
        return Parts{chosen(condition, inner->own, none_id<ExprId>), chosen(condition, inner->next, none_id<ExprId>)};
    }

    // None is in no set of arguments, so that none of them must be it.
    std::optional<Parts> call(ExprId e) {
        std::vector<ExprId> given;
        for (const std::size_t i : varies_) given.push_back(arg(e, i));
        if (from_set_) return expr(given[0]).type == arguments_ ? std::optional(Parts{.next = given[0]}) : std::nullopt;
        for (std::size_t i = 0; i < given.size(); ++i)
            if (!is_some(given[i], program_.vars[param(i)].type)) return std::nullopt;
        const ir::TypeId element = program_.types.inner(arguments_);
        const ExprId one = given.size() == 1 ? given[0] : make(Op::MakeTuple, element, given);
        return Parts{.next = make(Op::Single, arguments_, {one})};
    }
    bool is_some(ExprId given, ir::TypeId wanted) const {
        const ir::TypeId type = expr(given).type;
        if (type == wanted) return true;
        return program_.types.kind(type) == TypeKind::Optional && program_.types.inner(type) == wanted &&
               std::ranges::any_of(some_, [&](ExprId e) { return alike(program_, e, given); });
    }

    // Notes what is not none where the condition is as said.
    void note_some(ExprId condition, bool holds) {
        const auto is_optional = [&](ExprId e) { return program_.types.kind(expr(e).type) == TypeKind::Optional; };
        switch (expr(condition).op) {
        case Op::Not: return note_some(arg(condition, 0), !holds);
        case Op::IsNone:
            if (!holds && is_optional(arg(condition, 0))) some_.push_back(arg(condition, 0));
            return;
        case Op::In:
            if (holds && is_optional(arg(condition, 0))) some_.push_back(arg(condition, 0));
            return;
        case Op::And:
        case Op::Or:
            if (holds == (expr(condition).op == Op::And))
                for (const ExprId part : parts(program_, condition, expr(condition).op)) note_some(part, holds);
            return;
        default: return;
        }
    }

    // -- the whole

    // Gives the definition the union over all arguments that calls lead to. `member`: one argument, in the body.
    bool rewrite(ExprId body, VarId param, VarId member) {
        const auto parts = parts_of(body);
        if (!parts || !valid(parts->next)) return false;
        ir::Function& function = program_.functions[id_];
        const bool keeps = from_set_ || varies_.size() > 1; // the parameters, as they are not the member
        const VarId start = keeps ? param : program_.vars.push(ir::Variable(program_.vars[param]));
        function.params[varies_[0]] = start;
        ir::Function arguments{.name = function.name, .params = function.params, .body = {}, .recursive = true};
        std::vector<ExprId> given;
        for (const VarId one : arguments.params) given.push_back(name(one));
        const ExprId all = make(Op::Call, arguments_, given, static_cast<std::int64_t>(program_.functions.size()));
        const auto over = static_cast<std::int64_t>(index(member));
        std::vector<ExprId> starts;
        for (const std::size_t i : varies_) starts.push_back(name(function.params[i]));
        const ExprId one = starts.size() == 1 ? starts[0] : make(Op::MakeTuple, program_.vars[member].type, starts);
        const ExprId first = from_set_ ? one : make(Op::Single, arguments_, {one});
        arguments.body =
            make(Op::Union, arguments_, {first, make(Op::UnionOver, arguments_, {all, parts->next}, over)});
        function.body = valid(parts->own) ? make(Op::UnionOver, set_, {all, parts->own}, over) : empty(set_);
        function.recursive = false;
        program_.functions.push(std::move(arguments));
        return true;
    }

    ir::Program& program_;
    ExpressionBuilder builder_;
    FunctionId id_;
    Span span_;
    ir::TypeId set_{}, arguments_{};   // of the definition; of sets of arguments
    bool from_set_ = false;            // the argument is a set, whose members are taken one by one
    std::vector<std::size_t> varies_;  // the arguments that do
    VarId member_{};                   // of the set whose condition is looked at
    std::vector<ExprId> some_;         // what is not none there
    ExprId nothing_ = none_id<ExprId>; // what the last choice that leads nowhere otherwise leads to
};

} // namespace

std::uint64_t collect_recursive_arguments(ir::Program& program) {
    return replace_each_recursive(program, [&](FunctionId id) { return RecursiveArguments(program, id).collect(); });
}

} // namespace zug::run
