#include "compiler/analysis/entry_recursion.hpp"

#include "compiler/analysis/substitution.hpp"

#include <algorithm>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;

class Finder {
public:
    Finder(const ir::Program& program, ir::FunctionId id)
        : program_(program), id_(id), params_(program.functions[id].params), varies_(params_.size(), false) {}

    std::optional<EntryRecursion> find() {
        const ExprId body = program_.functions[id_].body;
        if (kind(body) != TypeKind::Bool || !find_calls(body) || !find_read(body)) return std::nullopt;
        if (!find_outside(body)) return std::nullopt;
        return std::move(found_);
    }

private:
    TypeKind kind(ExprId e) const { return program_.types.kind(program_.exprs[e].type); }
    bool any_argument(ExprId e, auto&& holds) const { return std::ranges::any_of(program_.arguments(e), holds); }
    bool is_call(ExprId e) const {
        const ir::Expr& x = program_.exprs[e];
        return x.op == Op::Call && static_cast<ir::FunctionId>(x.imm) == id_;
    }
    bool calls(ExprId e) const {
        return is_call(e) || any_argument(e, [&](ExprId part) { return calls(part); });
    }
    // Adds the alternatives that can hold outside of the matrix. False: one of them calls the definition.
    bool find_outside(ExprId e) {
        if (fails_outside(e)) return true;
        const auto args = program_.arguments(e);
        if (program_.exprs[e].op == Op::Or)
            return std::ranges::all_of(args, [&](ExprId part) { return find_outside(part); });
        if (program_.exprs[e].op == Op::If && fails_outside(args[0])) return find_outside(args[2]);
        found_.outside.push_back(e);
        return !calls(e);
    }
    // The number of the parameter that the expression is; that of parameters if it is another one.
    std::size_t parameter(ExprId e) const {
        std::size_t i = 0;
        while (i < params_.size() && !is_name(program_, e, params_[i])) ++i;
        return i;
    }

    // Whether all calls of recursive functions are of this one. Notes the parameters that differ from call to call.
    bool find_calls(ExprId e) {
        const ir::Expr& x = program_.exprs[e];
        if (x.op == Op::Call && program_.functions[static_cast<ir::FunctionId>(x.imm)].recursive) {
            if (!is_call(e)) return false;
            for (std::size_t i = 0; i < params_.size(); ++i)
                if (parameter(program_.argument(e, i)) != i) varies_[i] = true;
        }
        return !any_argument(e, [&](ExprId part) { return !find_calls(part); });
    }

    // A map that is read by those parameters, and perhaps others.
    bool find_read(ExprId e) {
        const ir::Expr& x = program_.exprs[e];
        if (x.op == Op::MapGet && is_read(static_cast<ir::StateId>(x.imm), e)) return true;
        return any_argument(e, [&](ExprId part) { return find_read(part); });
    }
    bool is_read(ir::StateId id, ExprId e) {
        std::vector<std::size_t> indices;
        for (const ExprId a : program_.arguments(e)) {
            const std::size_t i = parameter(a);
            if (i == params_.size() || kind(a) != TypeKind::Int || std::ranges::find(indices, i) != indices.end())
                return false;
            indices.push_back(i);
        }
        const auto is_index = [&](std::size_t i) { return std::ranges::find(indices, i) != indices.end(); };
        for (std::size_t i = 0; i < params_.size(); ++i)
            if (varies_[i] && !is_index(i)) return false;
        const auto is_number = [&](ir::TypeId type) { return program_.types.kind(type) == TypeKind::Int; };
        if (!program_.states[id].assigned || !std::ranges::all_of(program_.states[id].indices, is_number)) return false;
        found_.matrix = id;
        found_.indices = std::move(indices);
        return true;
    }

    // Whether it is the value of the matrix, or of a map that is no larger, at the parameters.
    bool is_own_read(ExprId e) const {
        const ir::Expr& x = program_.exprs[e];
        if (x.op != Op::MapGet) return false;
        std::vector<std::size_t> indices;
        for (const ExprId a : program_.arguments(e)) indices.push_back(parameter(a));
        const auto within = [&](ir::TypeId index, ir::TypeId of) {
            const ir::Type &i = program_.types[index], &o = program_.types[of];
            return i.kind == TypeKind::Int && i.lo >= o.lo && i.hi <= o.hi;
        };
        return indices == found_.indices && std::ranges::equal(program_.states[static_cast<ir::StateId>(x.imm)].indices,
                                                               program_.states[found_.matrix].indices, within);
    }

    // Whether it is false where there is no such entry: the value read there is none, or false.
    bool fails_outside(ExprId e) const {
        const auto arg = [&](std::size_t i) { return program_.argument(e, i); };
        switch (program_.exprs[e].op) {
        case Op::And: return any_argument(e, [&](ExprId part) { return fails_outside(part); });
        case Op::Or: return !any_argument(e, [&](ExprId part) { return !fails_outside(part); });
        case Op::Let:
        case Op::Exists: return fails_outside(arg(1));
        case Op::If: return fails_outside(arg(2)) && (fails_outside(arg(0)) || fails_outside(arg(1)));
        case Op::MapGet: return kind(e) == TypeKind::Bool && is_own_read(e);
        case Op::Not: {
            const ExprId inner = arg(0);
            return program_.exprs[inner].op == Op::IsNone && is_optional_read(program_.argument(inner, 0));
        }
        case Op::Eq:
            return (is_optional_read(arg(0)) && kind(arg(1)) != TypeKind::Optional && kind(arg(1)) != TypeKind::None) ||
                   (is_optional_read(arg(1)) && kind(arg(0)) != TypeKind::Optional && kind(arg(0)) != TypeKind::None);
        default: return false;
        }
    }
    bool is_optional_read(ExprId e) const { return kind(e) == TypeKind::Optional && is_own_read(e); }

    const ir::Program& program_;
    ir::FunctionId id_;
    const std::vector<ir::VarId>& params_;
    std::vector<bool> varies_; // by parameter
    EntryRecursion found_;
};

} // namespace

std::optional<EntryRecursion> entry_recursion(const ir::Program& program, ir::FunctionId id) {
    return Finder(program, id).find();
}

} // namespace zug::run
