#include "compiler/recursion/recursive_families.hpp"

#include "compiler/recursion/recursive_calls.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::FunctionId;
using ir::Op;
using ir::TypeId;
using ir::TypeKind;
using ir::VarId;

class RecursiveFamily {
public:
    RecursiveFamily(ir::Program& program, FunctionId id)
        : program_(program), builder_(program), id_(id), span_(program.exprs[program.functions[id].body].span) {}

    // False: it is not of this form.
    bool grow() {
        const ir::Function function = program_.functions[id_];
        set_ = expr(function.body).type;
        values_ = varying_arguments(program_, id_);
        if (values_.empty() || program_.types.kind(set_) != TypeKind::Set) return false;
        if (!may_be_family(program_, id_, values_, element()) || !has_fitting_calls(function.body)) return false;
        std::vector<TypeId> types;
        for (const std::size_t i : values_) {
            given_.push_back(function.params[i]);
            types.push_back(param_type(i));
        }
        types.push_back(element());
        tuple_ = program_.types.tuple(types);
        tuples_ = program_.types.set(tuple_);
        family_ = static_cast<std::int64_t>(program_.functions.size());
        ir::Function family{.name = function.name, .params = fixed_of(function.params), .body = {}, .recursive = true};
        for (const VarId param : family.params) fixed_.push_back(name(param));
        family.body = family_of(function.body);
        program_.functions.push(std::move(family));
        become_slice();
        return true;
    }

private:
    ExprId make(Op op, TypeId type, const std::vector<ExprId>& args, std::int64_t imm = 0) {
        return builder_.make(op, type, imm, args, span_);
    }
    ExprId name(VarId var) { return make(Op::Var, program_.vars[var].type, {}, number(var)); }
    static std::int64_t number(VarId var) { return static_cast<std::int64_t>(index(var)); }
    const ir::Expr& expr(ExprId e) const { return program_.exprs[e]; }
    TypeId element() const { return program_.types.inner(set_); }
    TypeId param_type(std::size_t i) const { return program_.vars[program_.functions[id_].params[i]].type; }
    bool is_call(ExprId e) const { return expr(e).op == Op::Call && static_cast<FunctionId>(expr(e).imm) == id_; }

    // Whether no argument of a call may be cut to the range of its parameter, or be none.
    bool has_fitting_calls(ExprId e) const {
        const auto fits = [&](std::size_t i) { return is_of_type(program_, program_.argument(e, i), param_type(i)); };
        if (is_call(e) && !std::ranges::all_of(values_, fits)) return false;
        return std::ranges::all_of(program_.arguments(e), [&](ExprId part) { return has_fitting_calls(part); });
    }

    std::vector<VarId> fixed_of(const std::vector<VarId>& params) const {
        std::vector<VarId> fixed;
        for (std::size_t i = 0; i < params.size(); ++i)
            if (std::ranges::find(values_, i) == values_.end()) fixed.push_back(params[i]);
        return fixed;
    }

    // -- what they become

    // The union, over the values, of what the body has of them.
    ExprId family_of(ExprId body) {
        const VarId member = new_member();
        const ExprId members = rewritten(body);
        std::vector<ExprId> parts;
        for (const VarId value : given_) parts.push_back(name(value));
        parts.push_back(name(member));
        const ExprId one = make(Op::Single, tuples_, {make(Op::MakeTuple, tuple_, parts)});
        ExprId all = make(Op::UnionOver, tuples_, {members, one}, number(member));
        for (std::size_t i = given_.size(); i > 0; --i) {
            const TypeId values = program_.types.set(program_.vars[given_[i - 1]].type);
            all = make(Op::UnionOver, tuples_, {make(Op::Universe, values, {}), all}, number(given_[i - 1]));
        }
        return all;
    }
    VarId new_member() { return program_.vars.push({program_.functions[id_].name, element()}); }

    // The members that the family has of these values.
    ExprId slice(std::vector<ExprId> values) {
        const VarId member = new_member();
        values.push_back(name(member));
        const ExprId all = make(Op::Call, tuples_, fixed_, family_);
        const ExprId is_in = make(Op::In, program_.types.boolean(), {make(Op::MakeTuple, tuple_, values), all});
        return make(Op::SetOf, set_, {make(Op::Universe, set_, {}), is_in}, number(member));
    }

    // A number of a smaller range becomes one of the parameter's.
    ExprId as_parameter(ExprId given, TypeId wanted) {
        if (expr(given).type == wanted) return given;
        return make(Op::Max, wanted, {given, builder_.constant(wanted, program_.types[wanted].lo, span_)});
    }

    // With slices for calls.
    ExprId rewritten(ExprId e) {
        if (const auto known = rewritten_.find(index(e)); known != rewritten_.end()) return known->second;
        const ir::Expr x = expr(e);
        const auto parts = program_.arguments(e);
        const std::vector<ExprId> before(parts.begin(), parts.end());
        std::vector<ExprId> args = before;
        for (ExprId& part : args) part = rewritten(part);
        ExprId made = e;
        if (is_call(e)) {
            std::vector<ExprId> values;
            for (const std::size_t i : values_) values.push_back(as_parameter(args[i], param_type(i)));
            made = slice(std::move(values));
        } else if (args != before) {
            made = make(x.op, x.type, args, x.imm);
            program_.exprs[made].span = x.span;
        }
        rewritten_.emplace(index(e), made);
        return made;
    }

    // Its own parameters are new names: those of the family are bound in it.
    void become_slice() {
        std::vector<ExprId> values;
        for (const std::size_t i : values_) {
            VarId& param = program_.functions[id_].params[i];
            param = program_.vars.push(ir::Variable(program_.vars[param]));
            values.push_back(name(param));
        }
        const ExprId all = slice(std::move(values));
        program_.functions[id_].body = all;
        program_.functions[id_].recursive = false;
    }

    ir::Program& program_;
    ExpressionBuilder builder_;
    FunctionId id_;
    Span span_;
    std::vector<std::size_t> values_; // the parameters that are values of the family
    std::vector<VarId> given_;        // these, as they are bound in the family
    TypeId set_{}, tuple_{}, tuples_{};
    std::int64_t family_ = 0;   // its number
    std::vector<ExprId> fixed_; // what it is called of
    std::unordered_map<std::size_t, ExprId> rewritten_;
};

} // namespace

std::uint64_t grow_recursive_families(ir::Program& program) {
    return replace_each_recursive(program, [&](FunctionId id) { return RecursiveFamily(program, id).grow(); });
}

} // namespace zug::run
