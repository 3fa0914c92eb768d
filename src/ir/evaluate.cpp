#include "ir/evaluate.hpp"

#include <algorithm>
#include <bit>

namespace zug::ir {

namespace {

std::int64_t clamped(std::int64_t value) { return std::clamp(value, int_min, int_max); }

std::int64_t added(std::int64_t a, std::int64_t b) { return clamped(clamped(a) + clamped(b)); }

std::int64_t multiplied(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(clamped(a), clamped(b), &result)) return (a < 0) == (b < 0) ? int_max : int_min;
    return clamped(result);
}

std::int64_t divided(std::int64_t a, std::int64_t b) {
    if (b == 0) return 0;
    const std::int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

} // namespace

std::int64_t arithmetic(Op op, std::int64_t a, std::int64_t b) {
    a = clamped(a);
    b = clamped(b);
    switch (op) {
    case Op::Add: return added(a, b);
    case Op::Sub: return added(a, -b);
    case Op::Mul: return multiplied(a, b);
    case Op::Div: return divided(a, b);
    case Op::Mod: return b == 0 ? 0 : a - b * divided(a, b);
    case Op::Min: return std::min(a, b);
    default: return std::max(a, b);
    }
}

namespace {

double arithmetic(Op op, double a, double b) {
    switch (op) {
    case Op::Add: return a + b;
    case Op::Sub: return a - b;
    case Op::Mul: return a * b;
    case Op::Div: return a / b;
    case Op::Mod: return 0;
    case Op::Min: return std::min(a, b);
    default: return std::max(a, b);
    }
}

} // namespace

Value scalar_value(std::int64_t scalar) { return {.scalar = scalar, .set = {}}; }
Value real_value(double real) { return {.real = real, .set = {}}; }
Value set_value(Bits set) { return {.set = std::move(set)}; }

Evaluator::Evaluator(const Program& program, const GameQuestions* questions, Work* work)
    : program_(program), questions_(questions), work_(work), vars_(program.vars.size()), paths_(program.vars.size()) {}

void Evaluator::bind(VarId var, Value value) { slot_of(var) = std::move(value); }

const Value& Evaluator::bound(VarId var) const { return vars_[index(var)]; }

// The checker folds constants while it still makes variables, so the table may have to grow.
Value& Evaluator::slot_of(VarId var) {
    if (vars_.size() <= index(var)) {
        vars_.resize(program_.vars.size());
        paths_.resize(program_.vars.size());
    }
    return vars_[index(var)];
}

TypeKind Evaluator::kind(ExprId id) const { return program_.types.kind(program_.exprs[id].type); }

TypeId Evaluator::element(TypeId set) const { return program_.types.inner(set); }

BoardId Evaluator::board_of(TypeId type) const {
    if (program_.types.kind(type) == TypeKind::Optional || program_.types.kind(type) == TypeKind::Set)
        type = program_.types.inner(type);
    return static_cast<BoardId>(program_.types[type].ref);
}

Bits Evaluator::empty_set(TypeId type) const { return Bits(program_.types.cardinality(element(type))); }

// The value that replaces an absent one: none, false, the first value of the type, {}.
Value Evaluator::missing(TypeId type) const {
    if (program_.types.kind(type) == TypeKind::Set) return set_value(empty_set(type));
    if (program_.types.kind(type) == TypeKind::Real) return real_value(0);
    return scalar_value(program_.types.value(type, 0));
}

Value Evaluator::value(ExprId id) {
    const Expr& e = program_.exprs[id];
    if (!step(1)) return missing(e.type);
    switch (e.op) {
    case Op::Const: return scalar_value(e.imm);
    case Op::RealConst: return real_value(std::bit_cast<double>(e.imm));
    case Op::SetConst: return set_value(program_.set_consts[static_cast<SetConstId>(e.imm)]);
    case Op::Var: return bound(static_cast<VarId>(e.imm));
    case Op::Me: return scalar_value(me_);
    case Op::StateGet: return read_entry(static_cast<StateId>(e.imm), 0);
    case Op::MapGet: return map_get(id);
    case Op::Stuck: return scalar_value(questions_->stuck(slots_));
    case Op::Earlier: return scalar_value(questions_->earlier(static_cast<KeyId>(e.imm), slots_, me_));
    case Op::If: return value(program_.argument(id, truth(program_.argument(id, 0)) ? 1 : 2));
    case Op::Let: return let(id);
    case Op::Call: return call(id);
    case Op::Can: return scalar_value(can(id));
    case Op::ToReal: return real_value(static_cast<double>(scalar(program_.argument(id, 0))));
    case Op::Wildcard: return {};
    case Op::Not:
    case Op::And:
    case Op::Or:
    case Op::Eq:
    case Op::Lt:
    case Op::IsNone:
    case Op::In:
    case Op::Any:
    case Op::Exists:
    case Op::ForAll: return scalar_value(truth_of(id));
    case Op::SumOver:
    case Op::MinOver:
    case Op::MaxOver: return fold(id);
    case Op::Universe:
    case Op::Single:
    case Op::IntRange:
    case Op::Union:
    case Op::Inter:
    case Op::Diff:
    case Op::Retype:
    case Op::SetOf:
    case Op::UnionOver:
    case Op::Image: return set_value(set_of(id));
    default: return is_arithmetic(e.op) ? calculate(id) : scalar_value(structure(id));
    }
}

// One entry of a state variable, by the row-major number of its indices.
Value Evaluator::read_entry(StateId id, std::uint64_t entry) const {
    const StateVariable& state = program_.states[id];
    if (program_.types.kind(state.value) != TypeKind::Set) // one slot an entry
        return scalar_value(program_.types.value(state.value, slots_[state.first_slot + entry]));
    const std::uint32_t width = slots_per_value(program_, id);
    const auto slots = slots_.subspan(state.first_slot + entry * width, width);
    Bits set(width);
    for (std::size_t i = 0; i < width; ++i)
        if (slots[i] != 0) set.set(i);
    return set_value(std::move(set));
}

Value Evaluator::map_get(ExprId id) {
    const Expr& e = program_.exprs[id];
    const auto state_id = static_cast<StateId>(e.imm);
    const StateVariable& state = program_.states[state_id];
    std::uint64_t entry = 0;
    for (std::size_t i = 0; i < e.arg_count; ++i) {
        const auto ordinal = program_.types.ordinal(state.indices[i], scalar(program_.argument(id, i)));
        if (!ordinal) return missing(program_.types.kind(e.type) == TypeKind::Optional ? e.type : state.value);
        entry = i == 0 ? *ordinal : entry * program_.types.cardinality(state.indices[i]) + *ordinal;
    }
    return read_entry(state_id, entry);
}

// Bindings are restored when their scope ends, so that shared expressions and recursive calls are safe.
Value Evaluator::let(ExprId id) {
    const auto var = static_cast<VarId>(program_.exprs[id].imm);
    if (kind(program_.argument(id, 0)) == TypeKind::Path) {
        name_path(var, program_.argument(id, 0));
        return value(program_.argument(id, 1));
    }
    return with(var, value(program_.argument(id, 0)), [&] { return value(program_.argument(id, 1)); });
}

void Evaluator::name_path(VarId var, ExprId path) {
    slot_of(var);
    paths_[index(var)] = path;
}

bool Evaluator::equal(ExprId a, ExprId b) {
    const Value left = value(a);
    const Value right = value(b);
    switch (kind(a)) {
    case TypeKind::Real: return left.real == right.real;
    case TypeKind::Set: return left.set == right.set;
    default: return left.scalar == right.scalar;
    }
}

bool Evaluator::truth_of(ExprId id) {
    const Expr& e = program_.exprs[id];
    const auto args = program_.arguments(id);
    const auto var = static_cast<VarId>(e.imm);
    switch (e.op) {
    case Op::Not: return !truth(args[0]);
    case Op::And: return std::ranges::all_of(args, [&](ExprId arg) { return truth(arg); });
    case Op::Or: return std::ranges::any_of(args, [&](ExprId arg) { return truth(arg); });
    case Op::Eq: return equal(args[0], args[1]);
    case Op::Lt:
        if (kind(args[0]) == TypeKind::Real) return real(args[0]) < real(args[1]);
        return scalar(args[0]) < scalar(args[1]);
    case Op::IsNone: return scalar(args[0]) == none;
    case Op::In: return is_in(scalar(args[0]), args[1]);
    case Op::Any: return set(args[0]).any();
    case Op::Exists: return any_member(var, args[0], [&] { return truth(args[1]); });
    default: return !any_member(var, args[0], [&] { return !truth(args[1]); });
    }
}

bool Evaluator::is_in(std::int64_t value, ExprId set_expr) {
    const Bits members = set(set_expr);
    const auto ordinal = program_.types.ordinal(element(program_.exprs[set_expr].type), value);
    return value != none && ordinal && members.test(*ordinal);
}

Value Evaluator::calculate(ExprId id) {
    const Expr& e = program_.exprs[id];
    const auto args = program_.arguments(id);
    if (kind(id) == TypeKind::Real) {
        if (e.op == Op::Neg) return real_value(-real(args[0]));
        return real_value(arithmetic(e.op, real(args[0]), real(args[1])));
    }
    if (e.op == Op::Neg) return scalar_value(arithmetic(Op::Sub, 0, scalar(args[0])));
    return scalar_value(arithmetic(e.op, scalar(args[0]), scalar(args[1])));
}

// SumOver, MinOver, MaxOver.
Value Evaluator::fold(ExprId id) {
    const Expr& e = program_.exprs[id];
    const auto args = program_.arguments(id);
    const bool is_real = kind(id) == TypeKind::Real;
    const Op step = e.op == Op::SumOver ? Op::Add : e.op == Op::MinOver ? Op::Min : Op::Max;
    Value total = is_real ? real_value(0) : scalar_value(0);
    bool first = true;
    any_member(static_cast<VarId>(e.imm), args[0], [&] {
        const Value item = value(args[1]);
        if (first) {
            total = item;
        } else if (is_real) {
            total.real = arithmetic(step, total.real, item.real);
        } else {
            total.scalar = arithmetic(step, total.scalar, item.scalar);
        }
        first = false;
        return false;
    });
    if (first && !is_real && e.op == Op::MinOver) total.scalar = program_.types[e.type].hi;
    if (first && !is_real && e.op == Op::MaxOver) total.scalar = program_.types[e.type].lo;
    return total;
}

// Scalars with structure, Count and The.
std::int64_t Evaluator::structure(ExprId id) {
    const Expr& e = program_.exprs[id];
    const auto args = program_.arguments(id);
    if (e.op == Op::MakeTuple) return make_tuple(id);
    if (e.op == Op::Count) return static_cast<std::int64_t>(set(args[0]).count());
    if (e.op == Op::The) {
        const Bits members = set(args[0]);
        return members.count() == 1 ? program_.types.value(element(program_.exprs[args[0]].type), members.first())
                                    : none;
    }
    if (e.op == Op::SiteAt) return site_at(board_of(e.type), scalar(args[0]), scalar(args[1]));
    const std::int64_t value = scalar(args[0]);
    if (e.op == Op::Project) return project(id, value);
    const TypeId argument_type = program_.exprs[args[0]].type;
    const auto players = static_cast<std::int64_t>(program_.player_count());
    switch (e.op) {
    case Op::NextPlayer: return value == none ? none : (value + 1) % players;
    case Op::PrevPlayer: return value == none ? none : (value + players - 1) % players;
    case Op::SiteNumber: {
        const auto count = static_cast<std::int64_t>(program_.boards[board_of(e.type)].sites.size());
        return value >= 1 && value <= count ? value - 1 : none;
    }
    case Op::CoordX:
        return value == none ? 0 : program_.boards[board_of(argument_type)].sites[static_cast<std::size_t>(value)].x;
    case Op::CoordY:
        return value == none ? 0 : program_.boards[board_of(argument_type)].sites[static_cast<std::size_t>(value)].y;
    default: return value == none ? 0 : value + 1; // Number
    }
}

std::int64_t Evaluator::make_tuple(ExprId id) {
    TypeId type = program_.exprs[id].type;
    if (program_.types.kind(type) == TypeKind::Optional) type = program_.types.inner(type);
    const auto& parts = program_.types[type].parts;
    std::uint64_t code = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto ordinal = program_.types.ordinal(parts[i], scalar(program_.argument(id, i)));
        if (!ordinal) return none;
        code = code * program_.types.cardinality(parts[i]) + *ordinal;
    }
    return static_cast<std::int64_t>(code);
}

std::int64_t Evaluator::project(ExprId id, std::int64_t tuple) const {
    const Expr& e = program_.exprs[id];
    if (tuple == none) return missing(e.type).scalar;
    TypeId type = program_.exprs[program_.argument(id, 0)].type;
    if (program_.types.kind(type) == TypeKind::Optional) type = program_.types.inner(type);
    return program_.types.project(type, tuple, static_cast<std::size_t>(e.imm));
}

std::int64_t Evaluator::site_at(BoardId board, std::int64_t x, std::int64_t y) const {
    if (x < 1 || y < 1) return none; // boards without coordinates have zeros
    const auto& sites = program_.boards[board].sites;
    for (std::size_t i = 0; i < sites.size(); ++i)
        if (sites[i].x == x && sites[i].y == y) return static_cast<std::int64_t>(i);
    return none;
}

Bits Evaluator::set_of(ExprId id) {
    const Expr& e = program_.exprs[id];
    const auto args = program_.arguments(id);
    Bits result = empty_set(e.type);
    if (!step(result.word_count())) return result;
    switch (e.op) {
    case Op::Universe: return Bits::full(result.size());
    case Op::Single: {
        const std::int64_t value = scalar(args[0]);
        const auto ordinal = program_.types.ordinal(element(e.type), value);
        if (value != none && ordinal) result.set(*ordinal);
        return result;
    }
    case Op::IntRange: return int_range(e.type, scalar(args[0]), scalar(args[1]));
    case Op::Union: (result = set(args[0])) |= set(args[1]); return result;
    case Op::Inter: (result = set(args[0])) &= set(args[1]); return result;
    case Op::Diff: (result = set(args[0])) -= set(args[1]); return result;
    case Op::Retype: return retype(e.type, args[0]);
    case Op::SetOf: {
        const TypeId type = element(e.type);
        const auto var = static_cast<VarId>(e.imm);
        any_member(var, args[0], [&] {
            if (truth(args[1])) result.set(*program_.types.ordinal(type, bound(var).scalar));
            return false;
        });
        return result;
    }
    case Op::UnionOver:
        any_member(static_cast<VarId>(e.imm), args[0], [&] {
            result |= set(args[1]);
            return false;
        });
        return result;
    default: return image(set(args[0]), args[1]);
    }
}

Bits Evaluator::int_range(TypeId type, std::int64_t low, std::int64_t high) const {
    Bits result = empty_set(type);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const std::int64_t value = program_.types.value(element(type), i);
        if (value != none && low <= value && value <= high) result.set(i);
    }
    return result;
}

Bits Evaluator::retype(TypeId type, ExprId from) {
    Bits result = empty_set(type);
    const TypeId from_element = element(program_.exprs[from].type);
    for_each_bit(set(from), [&](std::size_t i) {
        const auto ordinal = program_.types.ordinal(element(type), program_.types.value(from_element, i));
        if (ordinal) result.set(*ordinal);
    });
    return result;
}

} // namespace zug::ir
