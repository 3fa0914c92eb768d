#include "compiler/recursion/recursive_numbers.hpp"

#include "compiler/analysis/substitution.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace zug::run {
namespace {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;

// The definitions that one call needs.
class Unrolled : private ExpressionBuilder {
public:
    Unrolled(ir::Program& program, ir::FunctionId id, std::size_t param)
        : ExpressionBuilder(program), id_(id), param_(param), function_(program.functions[id]) {}

    // A call with the number known, of the same arguments otherwise; none_id: not all numbers are known, or they are
    // too many.
    ExprId call(ExprId e) {
        const ExprId given = program_.argument(e, param_);
        const auto value = number(given);
        const ExprId made = value ? call_of(*value, arguments(e), e) : call_of_any(given, e);
        if (!valid(made) || failed_) return none_id<ExprId>;
        for (ir::Function& f : made_) program_.functions.push(std::move(f));
        return made;
    }

private:
    std::optional<std::int64_t> number(ExprId e) const {
        const ir::Expr& x = program_.exprs[e];
        if (x.op != Op::Const || program_.types.kind(x.type) != TypeKind::Int) return std::nullopt;
        return x.imm;
    }

    // A choice among the calls for all numbers that the argument can be.
    ExprId call_of_any(ExprId given, ExprId e) {
        const ir::Type range = program_.types[program_.exprs[given].type];
        if (range.kind != TypeKind::Int || range.hi - range.lo >= most_choices) return none_id<ExprId>;
        ExprId result = call_of(range.hi, arguments(e), e);
        for (std::int64_t value = range.hi; value-- > range.lo && !failed_;) {
            const Span span = program_.exprs[e].span;
            const ExprId own = constant(program_.exprs[given].type, value, span);
            const ExprId equal = make(Op::Eq, program_.types.boolean(), 0, {given, own}, span);
            result = make(Op::If, program_.exprs[e].type, 0, {equal, call_of(value, arguments(e), e), result}, span);
        }
        return result;
    }

    ExprId call_of(std::int64_t value, std::vector<ExprId> args, ExprId original) {
        const ir::Type& range = program_.types[program_.vars[function_.params[param_]].type];
        if (value < range.lo || value > range.hi) return fail(); // it would be cut to the range
        const ir::FunctionId id = function_for(value);
        if (failed_) return none_id<ExprId>;
        size_ += sizes_[numbers_.at(value)];
        if (size_ > most_size) return fail();
        args.erase(args.begin() + static_cast<std::ptrdiff_t>(param_));
        const ir::Expr x = program_.exprs[original];
        return make(Op::Call, x.type, static_cast<std::int64_t>(index(id)), args, x.span);
    }

    ir::FunctionId function_for(std::int64_t value) {
        const auto [at, is_new] = numbers_.try_emplace(value, made_.size());
        const std::size_t k = at->second;
        const auto id = static_cast<ir::FunctionId>(program_.functions.size() + k);
        if (!is_new) {
            // One that is still being made is called by itself, or, which is not followed, by way of another number.
            if (!valid(made_[k].body)) made_[k].recursive = true;
            if (!valid(made_[k].body) && value_ != value) fail();
            return id;
        }
        if (made_.size() == most_numbers) {
            numbers_.erase(at);
            fail();
            return id;
        }
        ir::Function own{.name = function_.name, .params = function_.params, .body = none_id<ExprId>};
        own.params.erase(own.params.begin() + static_cast<std::ptrdiff_t>(param_));
        made_.push_back(std::move(own));
        sizes_.push_back(0);
        const std::size_t outer_size = std::exchange(size_, 0);
        const auto outer_met = std::exchange(met_, {});
        const auto outer_known = std::exchange(known_, {{index(function_.params[param_]), value}});
        const std::int64_t outer = std::exchange(value_, value);
        const std::size_t outer_binders = std::exchange(binders_, 0);
        const ExprId body = with_number(function_.body);
        value_ = outer;
        binders_ = outer_binders;
        known_ = outer_known;
        met_ = outer_met;
        made_[k].body = body;
        sizes_[k] = std::exchange(size_, outer_size);
        return id;
    }

    ExprId fail() {
        failed_ = true;
        return none_id<ExprId>;
    }

    // The expression with the number in it, as far as it is asked: what a known condition excludes is left out, and
    // with it the calls that would never end.
    ExprId with_number(ExprId e) {
        if (failed_) return e;
        if (const auto met = met_.find(index(e)); met != met_.end()) return met->second;
        ++size_;
        const ExprId made = rewritten(e);
        if (failed_) return e;
        met_.emplace(index(e), made);
        return made;
    }

    ExprId rewritten(ExprId e) {
        const ir::Expr x = program_.exprs[e];
        if (x.op == Op::Var) {
            const auto number = known_.find(static_cast<std::size_t>(x.imm));
            return number == known_.end() ? e : constant(x.type, number->second, x.span);
        }
        if (x.op == Op::And || x.op == Op::Or) return rewritten_junction(e);
        if (x.op == Op::If) {
            const ExprId condition = with_number(program_.argument(e, 0));
            if (const auto holds = known(condition)) return with_number(program_.argument(e, *holds ? 1 : 2));
        }
        const bool binds = ir::binds_variable(x.op) && x.op != Op::Let;
        std::vector<ExprId> args;
        binders_ += binds ? 1 : 0;
        for (const ExprId a : arguments(e)) args.push_back(with_number(a));
        binders_ -= binds ? 1 : 0;
        if (failed_) return e;
        if (x.op == Op::Call && static_cast<ir::FunctionId>(x.imm) == id_) {
            const auto value = number(args[param_]);
            return value && binders_ <= most_binders ? call_of(*value, args, e) : fail();
        }
        if (args == arguments(e)) return e;
        const ExprId folded = computed(x, args);
        return valid(folded) ? folded : remake(e, args);
    }

    ExprId rewritten_junction(ExprId e) {
        const ir::Expr x = program_.exprs[e];
        std::vector<ExprId> parts;
        for (const ExprId a : arguments(e)) {
            parts.push_back(with_number(a));
            if (const auto holds = failed_ ? std::nullopt : known(parts.back()); holds && *holds == (x.op == Op::Or))
                return parts.back();
        }
        return failed_ ? e : junction(x.op, parts, x.span);
    }

    // An operation on known numbers; none_id: it is another one.
    ExprId computed(const ir::Expr& x, const std::vector<ExprId>& args) {
        if (args.empty() || args.size() > 2) return none_id<ExprId>;
        const auto a = number(args.front()), b = number(args.back());
        if (!a || !b) return none_id<ExprId>;
        switch (x.op) {
        case Op::Eq: return truth(*a == *b, x.span);
        case Op::Lt: return truth(*a < *b, x.span);
        case Op::Add: return constant(x.type, *a + *b, x.span);
        case Op::Sub: return constant(x.type, *a - *b, x.span);
        case Op::Neg: return constant(x.type, -*a, x.span);
        case Op::Min: return constant(x.type, std::min(*a, *b), x.span);
        case Op::Max: return constant(x.type, std::max(*a, *b), x.span);
        default: return none_id<ExprId>;
        }
    }

    static constexpr std::size_t most_numbers = 64;
    static constexpr std::int64_t most_choices = 16;
    static constexpr std::size_t most_size = 20'000;
    static constexpr std::size_t most_binders = 1; // around a call: loops within loops at each number are too many
    ir::FunctionId id_;
    std::size_t param_;
    ir::Function function_;
    std::vector<ir::Function> made_;                      // their ids follow those of the program
    std::map<std::int64_t, std::size_t> numbers_;         // which of them
    std::unordered_map<std::size_t, std::int64_t> known_; // variables, in the one that is being made
    std::unordered_map<std::size_t, ExprId> met_;         // what they were rewritten to, in the same
    std::int64_t value_ = 0;                              // its number
    std::size_t binders_ = 0;                             // around the expression
    std::size_t size_ = 0;           // its expressions so far, with those of the definitions that it calls
    std::vector<std::size_t> sizes_; // of all of them; 0: not known yet
    bool failed_ = false;
};

// Whether the function's calls of itself count: with another number than its own, that is.
bool counts(const ir::Program& program, ir::FunctionId id, std::size_t param) {
    const ir::VarId own = program.functions[id].params[param];
    bool found = false;
    const auto look = [&](const auto& self, ExprId e) -> void {
        const ir::Expr& x = program.exprs[e];
        if (x.op == Op::Call && static_cast<ir::FunctionId>(x.imm) == id)
            found = found || !is_name(program, program.argument(e, param), own);
        for (const ExprId a : program.arguments(e)) self(self, a);
    };
    look(look, program.functions[id].body);
    return found;
}

// By expression: whether it is a part of a definition that calls itself.
std::vector<bool> inside_recursion(const ir::Program& program) {
    std::vector<bool> inside(program.exprs.size(), false);
    const auto mark = [&](const auto& self, ExprId e) -> void {
        if (inside[index(e)]) return;
        inside[index(e)] = true;
        for (const ExprId a : program.arguments(e)) self(self, a);
    };
    for (const ir::Function& function : program.functions)
        if (function.recursive) mark(mark, function.body);
    return inside;
}

} // namespace

std::uint64_t unroll_recursive_numbers(ir::Program& program) {
    constexpr std::size_t most_tried = 256; // calls, each of which takes a copy of the program
    std::uint64_t unrolled = 0;
    std::size_t tried = 0;
    const std::vector<bool> inside = inside_recursion(program);
    for (std::size_t k = 0, exprs = program.exprs.size(); k < exprs && tried < most_tried; ++k) {
        const auto e = static_cast<ExprId>(k);
        const ir::Expr x = program.exprs[e];
        if (x.op != Op::Call || !program.functions[static_cast<ir::FunctionId>(x.imm)].recursive) continue;
        const auto id = static_cast<ir::FunctionId>(x.imm);
        for (std::size_t p = 0; p < x.arg_count; ++p) {
            const Op given = program.exprs[program.argument(e, p)].op;
            const ir::TypeId type = program.vars[program.functions[id].params[p]].type;
            if ((given != Op::Const && inside[k]) || program.types.kind(type) != TypeKind::Int ||
                !counts(program, id, p))
                continue;
            ++tried;
            ir::Program trial = program; // of which nothing must be left if it fails
            const ExprId made = Unrolled(trial, id, p).call(e);
            if (!valid(made)) continue;
            trial.exprs[e] = trial.exprs[made];
            program = std::move(trial);
            ++unrolled;
            break;
        }
    }
    return unrolled;
}

} // namespace zug::run
