// Lowering of scalars, truths and calls.

#include "run/lower.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

Lowering::Lowering(const ir::Program& program, const Layout& layout, Code& code, Graph& graph)
    : snapshot(program.states.size(), 0), program_(program), layout_(layout), code_(code), graph_(graph),
      free_(program.exprs.size()) {}

NodeRef Lowering::fail() {
    failed_ = true;
    return graph_.word(0);
}

// -- variables

const std::vector<ir::VarId>& Lowering::free_vars(ir::ExprId e) {
    auto& memo = free_[index(e)];
    if (memo) return *memo;
    const ir::Expr& x = expr(e);
    std::vector<ir::VarId> result;
    if (x.op == Op::Var) result.push_back(static_cast<ir::VarId>(x.imm));
    for (ir::ExprId a : program_.arguments(e)) {
        const auto& inner = free_vars(a);
        result.insert(result.end(), inner.begin(), inner.end());
    }
    const bool binds = x.op == Op::Let || x.op == Op::SetOf || x.op == Op::UnionOver || x.op == Op::Exists ||
                       x.op == Op::ForAll || x.op == Op::SumOver || x.op == Op::MinOver || x.op == Op::MaxOver ||
                       x.op == Op::PathOver;
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    if (binds) {
        // The bound variable is free in the first argument only if it is there by a mistake of the checker.
        std::erase(result, static_cast<ir::VarId>(x.imm));
    }
    return memo.emplace(std::move(result));
}

const Binding* Lowering::find(ir::VarId var, const Env* env) const {
    for (; env != nullptr; env = env->next)
        if (env->var == var) return &env->binding;
    return nullptr;
}

bool Lowering::depends(ir::ExprId e, const Env* env) {
    for (ir::VarId var : free_vars(e)) {
        const Binding* b = find(var, env);
        if (b == nullptr) continue;
        if (b->kind == Binding::Kind::Table) return true;
        if (b->kind == Binding::Kind::Closure && depends(b->expr, b->env)) return true;
    }
    return false;
}

const Env* Lowering::bind_node(ir::VarId var, NodeRef node, const Env* onto) {
    return &envs_.emplace_back(Env{var, {Binding::Kind::Value, node, {}, {}, nullptr}, onto});
}

const Env* Lowering::bind_table(ir::VarId var, std::vector<std::int64_t> table, const Env* onto) {
    return &envs_.emplace_back(Env{var, {Binding::Kind::Table, no_node, std::move(table), {}, nullptr}, onto});
}

const Env* Lowering::bind(ir::VarId var, ir::ExprId value, const Env* env, const Env* onto) {
    if (kind(value) == TypeKind::Path || depends(value, env))
        return &envs_.emplace_back(Env{var, {Binding::Kind::Closure, no_node, {}, value, env}, onto});
    return bind_node(var, eval(value, env), onto);
}

Lowering::Resolved Lowering::resolve(ir::ExprId e, const Env* env) {
    for (;;) {
        const ir::Expr& x = expr(e);
        if (x.op == Op::Var) {
            const Binding* b = find(static_cast<ir::VarId>(x.imm), env);
            if (b == nullptr || b->kind != Binding::Kind::Closure) return {e, env};
            e = b->expr;
            env = b->env;
        } else if (x.op == Op::Let) {
            env = bind(static_cast<ir::VarId>(x.imm), program_.argument(e, 0), env, env);
            e = program_.argument(e, 1);
        } else if (x.op == Op::Call && !program_.functions[static_cast<ir::FunctionId>(x.imm)].recursive) {
            const ir::Function& f = program_.functions[static_cast<ir::FunctionId>(x.imm)];
            const Env* inner = nullptr;
            for (std::size_t i = 0; i < f.params.size(); ++i)
                inner = bind(f.params[i], program_.argument(e, i), env, inner);
            env = inner;
            e = f.body;
        } else if (x.op == Op::If && !depends(program_.argument(e, 0), env)) {
            const NodeRef c = eval(program_.argument(e, 0), env);
            if (!graph_.is_constant(c)) return {e, env};
            e = program_.argument(e, graph_.constant_word(c) != 0 ? 1 : 2);
        } else {
            return {e, env};
        }
    }
}

// -- representation

std::uint16_t Lowering::width_of(ir::TypeId type) const {
    return program_.types.kind(type) == TypeKind::Set ? layout_.shape(program_.types.inner(type)).words
                                                      : std::uint16_t{1};
}

NodeRef Lowering::universe(ir::TypeId element) {
    const SetShape shape = layout_.shape(element);
    std::vector<std::uint64_t> words(shape.words, 0);
    for (std::uint32_t b = 0; b < shape.bits; ++b)
        if (layout_.value_of_bit(element, b) != ir::none) words[b / 64] |= std::uint64_t{1} << (b % 64);
    return graph_.set(std::move(words), true);
}

NodeRef Lowering::to_bit(ir::TypeId type, NodeRef value) {
    const ir::Type& t = program_.types[type];
    if (t.kind == TypeKind::Optional) return to_bit(t.parts[0], value);
    if (t.kind != TypeKind::Int || t.lo == 0) return value;
    // none - lo could wrap into the range, so it is kept apart.
    return graph_.op(Family::Sub, graph_.op(Family::Max, value, graph_.word(t.lo - 1)), graph_.word(t.lo));
}

NodeRef Lowering::from_bit(ir::TypeId type, NodeRef bit) {
    const ir::Type& t = program_.types[type];
    if (t.kind != TypeKind::Int || t.lo == 0) return bit;
    return graph_.op(Family::Add, bit, graph_.word(t.lo));
}

NodeRef Lowering::ordinal(ir::TypeId type, NodeRef value) {
    const ir::Type& t = program_.types[type];
    if (t.kind == TypeKind::Optional) {
        const NodeRef inner = graph_.op(Family::Add, ordinal(t.parts[0], value), graph_.word(1));
        return graph_.select(graph_.op(Family::Eq, value, graph_.word(ir::none)), graph_.word(0), inner);
    }
    if (t.kind == TypeKind::Site) {
        const auto& sites = layout_.board(static_cast<ir::BoardId>(t.ref)).site_of_bit;
        return graph_.make(Family::WordTable, 1, {value, no_node, no_node}, 0,
                           graph_.add_words({sites.begin(), sites.end()}));
    }
    return to_bit(type, value);
}

NodeRef Lowering::place_number(const ir::StateVariable& variable, std::span<const NodeRef> indices) {
    NodeRef place = graph_.word(0);
    NodeRef outside = graph_.word(0);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const NodeRef bit = to_bit(variable.indices[i], indices[i]);
        if (indices.size() == 1) return bit;
        const NodeRef size = graph_.word(layout_.place_bits(variable.indices[i]));
        const NodeRef wrong =
            graph_.either(graph_.op(Family::Lt, bit, graph_.word(0)), graph_.not_(graph_.op(Family::Lt, bit, size)));
        outside = graph_.either(outside, wrong);
        place = graph_.op(Family::Add, graph_.op(Family::Mul, place, size), bit);
    }
    return graph_.select(outside, graph_.word(ir::none), place);
}

// -- state

NodeRef Lowering::state_place(ir::StateId id) {
    const VariableLayout& at = layout_.variable(id);
    if (snapshot[index(id)] != 0) return graph_.fixed(snapshot[index(id)], static_cast<std::uint16_t>(at.words));
    return graph_.place(at.reg, static_cast<std::uint16_t>(at.words));
}

std::vector<std::uint64_t> Lowering::real_places(const ir::StateVariable& variable) const {
    std::uint32_t places = 1;
    for (ir::TypeId t : variable.indices) places *= layout_.place_bits(t);
    std::vector<std::uint64_t> result((places + 63) / 64, 0);
    for (std::uint32_t p = 0; p < places; ++p) {
        std::uint32_t rest = p;
        bool real = true;
        for (std::size_t i = variable.indices.size(); i-- > 0;) {
            const std::uint32_t size = layout_.place_bits(variable.indices[i]);
            real = real && layout_.value_of_bit(variable.indices[i], rest % size) != ir::none;
            rest /= size;
        }
        if (real) result[p / 64] |= std::uint64_t{1} << (p % 64);
    }
    return result;
}

// A variable that no rule assigns, without index.
NodeRef Lowering::constant_state(ir::StateId id) {
    const ir::StateVariable& variable = program_.states[id];
    if (program_.types.kind(variable.value) == TypeKind::Set) {
        Bits set(variable.initial.size());
        for (std::size_t o = 0; o < set.size(); ++o)
            if (variable.initial[o] != 0) set.set(o);
        return graph_.set(layout_.words(program_.types.inner(variable.value), set));
    }
    return graph_.word(layout_.to_register(variable.value, program_.types.value(variable.value, variable.initial[0])));
}

NodeRef Lowering::plane_of(ir::StateId state, std::uint64_t ordinal) {
    const VariableLayout& at = layout_.variable(state);
    const Reg base = snapshot[index(state)] != 0 ? snapshot[index(state)] : at.reg;
    const auto plane = [&](std::uint64_t o) {
        const Reg reg = static_cast<Reg>(base + (o - 1) * at.set_words);
        return base == at.reg ? graph_.place(reg, at.set_words) : graph_.fixed(reg, at.set_words);
    };
    if (ordinal > 0) return plane(ordinal);
    NodeRef rest = universe(program_.states[state].indices[0]);
    for (std::uint64_t o = 1; o <= at.planes; ++o) rest = graph_.and_not(rest, plane(o));
    return rest;
}

// `values`: what the result is by ordinal of the stored value, instead of the value itself.
NodeRef Lowering::eval_map(ir::ExprId e, const Env* env, const std::vector<std::int64_t>* values) {
    const auto id = static_cast<ir::StateId>(expr(e).imm);
    const ir::StateVariable& variable = program_.states[id];
    const VariableLayout& at = layout_.variable(id);
    std::vector<NodeRef> indices;
    for (ir::ExprId a : program_.arguments(e)) indices.push_back(eval(a, env));
    const NodeRef place = place_number(variable, indices);
    const ir::TypeTable& types = program_.types;
    const std::uint64_t count = types.kind(variable.value) == TypeKind::Set ? 0 : types.cardinality(variable.value);
    const auto value_at = [&](std::uint64_t o) {
        return values != nullptr ? (*values)[o] : layout_.to_register(variable.value, types.value(variable.value, o));
    };
    const TypeKind k = types.kind(variable.value);
    const std::int64_t outside = k == TypeKind::Optional ? ir::none : value_at(0);
    if (!variable.assigned && k != TypeKind::Set) {
        const auto real = real_places(variable);
        std::vector<std::int64_t> table(real.size() * 64, outside);
        for (std::size_t p = 0, number = 0; p < table.size(); ++p)
            if ((real[p / 64] >> (p % 64) & 1) != 0) table[p] = value_at(variable.initial[number++]);
        const NodeRef found = graph_.make(Family::WordTable, 1, {place, no_node, no_node}, 0, graph_.add_words(table));
        if (outside == ir::none) return found;
        return graph_.select(graph_.op(Family::Eq, found, graph_.word(ir::none)), graph_.word(outside), found);
    }
    if (!variable.assigned) return fail(); // a constant table of sets: the checker folds those
    switch (at.storage) {
    case Storage::Planes: {
        std::vector<std::int64_t> table;
        for (std::uint64_t o = 0; o < count; ++o) table.push_back(value_at(o));
        return graph_.make(Family::Plane, at.set_words, {place, state_place(id), no_node},
                           static_cast<std::int32_t>(at.planes), graph_.add_words(std::move(table)));
    }
    case Storage::Words: {
        const std::int64_t low =
            k == TypeKind::Optional ? ir::none : layout_.to_register(variable.value, types.value(variable.value, 0));
        const NodeRef found = graph_.make(Family::WordAt, 1, {state_place(id), place, graph_.word(low)},
                                          static_cast<std::int32_t>(at.places));
        if (values == nullptr) return found;
        return graph_.make(Family::WordTable, 1, {ordinal(variable.value, found), no_node, no_node}, 0,
                           graph_.add_words(*values));
    }
    case Storage::Sets:
        return graph_.make(Family::SetAt, at.set_words, {state_place(id), place, no_node},
                           static_cast<std::int32_t>(at.places));
    default: return fail();
    }
}

// -- the dispatcher

NodeRef Lowering::eval(ir::ExprId e, const Env* env) {
    if (failed_ || !within_budget() || depth_ > 2000) return fail();
    ++depth_;
    const Resolved r = resolve(e, env);
    e = r.expr;
    env = r.env;
    const ir::Expr& x = expr(e);
    const auto arg = [&](std::size_t i) { return eval(program_.argument(e, i), env); };
    NodeRef result = no_node;
    // Loops and images are not shared by the graph, so equal questions are recognised here.
    std::vector<std::uint64_t> key;
    if (x.arg_count > 0 && memo_key(e, env, key)) {
        const auto found = memo_.find(key);
        if (found != memo_.end() && graph_.visible(found->second)) {
            --depth_;
            return found->second;
        }
    }
    switch (x.op) {
    case Op::Const: result = graph_.word(layout_.to_register(x.type, x.imm)); break;
    case Op::RealConst: result = graph_.real(std::bit_cast<double>(x.imm)); break;
    case Op::Var: {
        const Binding* b = find(static_cast<ir::VarId>(x.imm), env);
        result = b != nullptr && b->kind == Binding::Kind::Value ? b->node : fail();
        break;
    }
    case Op::Me: result = graph_.word(me_); break;
    case Op::StateGet:
        result = program_.states[static_cast<ir::StateId>(x.imm)].assigned
                     ? state_place(static_cast<ir::StateId>(x.imm))
                     : constant_state(static_cast<ir::StateId>(x.imm));
        break;
    case Op::MapGet: result = eval_map(e, env, nullptr); break;
    case Op::Not: result = graph_.not_(arg(0)); break;
    case Op::And:
    case Op::Or:
        result = graph_.word(x.op == Op::And ? 1 : 0);
        for (ir::ExprId a : program_.arguments(e))
            result = x.op == Op::And ? graph_.both(result, eval(a, env)) : graph_.either(result, eval(a, env));
        break;
    case Op::If: result = graph_.select(arg(0), arg(1), arg(2)); break;
    case Op::Eq: result = eval_equal(e, env); break;
    case Op::In: result = eval_in(e, env); break;
    case Op::Can: result = eval_can(e, env); break;
    case Op::Exists:
    case Op::ForAll:
    case Op::SumOver:
    case Op::MinOver:
    case Op::MaxOver:
    case Op::SetOf:
    case Op::UnionOver: result = eval_binder(e, env); break;
    case Op::Stuck:
    case Op::Earlier:
    case Op::Call: result = ask_reference(e, env); break;
    default:
        result = eval_arithmetic(e, env);
        if (result == no_node) result = eval_structure(e, env);
        if (result == no_node) result = eval_set(e, env);
    }
    --depth_;
    if (result == no_node) return fail();
    if (!key.empty()) memo_.insert_or_assign(std::move(key), result);
    return result;
}

// What the value of an expression depends on, besides the state: false if a variable stands for more than a value.
bool Lowering::memo_key(ir::ExprId e, const Env* env, std::vector<std::uint64_t>& key) {
    key = {static_cast<std::uint64_t>(e), me_, graph_.stamp()};
    for (ir::VarId var : free_vars(e)) {
        const Binding* b = find(var, env);
        if (b == nullptr || b->kind != Binding::Kind::Value) {
            key.clear();
            return false;
        }
        key.push_back(static_cast<std::uint64_t>(b->node));
    }
    return true;
}

NodeRef Lowering::eval_arithmetic(ir::ExprId e, const Env* env) {
    const ir::Expr& x = expr(e);
    const auto arg = [&](std::size_t i) { return eval(program_.argument(e, i), env); };
    const bool real = x.op == Op::Lt ? kind(program_.argument(e, 0)) == TypeKind::Real
                                     : program_.types.kind(x.type) == TypeKind::Real;
    switch (x.op) {
    case Op::Add: return graph_.op(real ? Family::AddReal : Family::Add, arg(0), arg(1));
    case Op::Sub: return graph_.op(real ? Family::SubReal : Family::Sub, arg(0), arg(1));
    case Op::Mul: return graph_.op(real ? Family::MulReal : Family::Mul, arg(0), arg(1));
    case Op::Div: return graph_.op(real ? Family::DivReal : Family::Div, arg(0), arg(1));
    case Op::Mod: return graph_.op(Family::Mod, arg(0), arg(1));
    case Op::Neg: return graph_.op(real ? Family::NegReal : Family::Neg, arg(0));
    case Op::Min: return graph_.op(real ? Family::MinReal : Family::Min, arg(0), arg(1));
    case Op::Max: return graph_.op(real ? Family::MaxReal : Family::Max, arg(0), arg(1));
    case Op::Lt: return graph_.op(real ? Family::LtReal : Family::Lt, arg(0), arg(1));
    case Op::ToReal: return graph_.op(Family::ToReal, arg(0));
    default: return no_node;
    }
}

NodeRef Lowering::eval_structure(ir::ExprId e, const Env* env) {
    const ir::Expr& x = expr(e);
    const ir::TypeTable& types = program_.types;
    const auto arg = [&](std::size_t i) { return eval(program_.argument(e, i), env); };
    const auto table = [&](NodeRef at, std::vector<std::int64_t> values, std::int64_t low) {
        return graph_.make(Family::WordTable, 1, {at, no_node, no_node}, static_cast<std::int32_t>(low),
                           graph_.add_words(std::move(values)));
    };
    const auto site_table = [&](auto&& of_site) {
        const ir::TypeId type = expr(program_.argument(e, 0)).type;
        const ir::TypeId site = types.kind(type) == TypeKind::Optional ? types.inner(type) : type;
        std::vector<std::int64_t> values;
        for (std::uint32_t b = 0; b < layout_.shape(site).bits; ++b) {
            const std::int64_t s = layout_.value_of_bit(site, b);
            values.push_back(s == ir::none ? 0 : of_site(static_cast<std::size_t>(s)));
        }
        return graph_.op(Family::Max, table(arg(0), std::move(values), 0), graph_.word(0));
    };
    const auto board_of = [&](ir::TypeId type) -> const ir::Board& {
        const ir::TypeId site = types.kind(type) == TypeKind::Optional ? types.inner(type) : type;
        return program_.boards[static_cast<ir::BoardId>(types[site].ref)];
    };
    switch (x.op) {
    case Op::IsNone: {
        const Resolved r = resolve(program_.argument(e, 0), env);
        if (expr(r.expr).op == Op::The && functional(program_.argument(r.expr, 0), r.env))
            return graph_.not_(graph_.any(eval(program_.argument(r.expr, 0), r.env)));
        if (expr(r.expr).op == Op::MapGet) {
            const auto id = static_cast<ir::StateId>(expr(r.expr).imm);
            if (program_.states[id].assigned && layout_.variable(id).storage == Storage::Planes) {
                const NodeRef place = eval(program_.argument(r.expr, 0), r.env);
                const ir::TypeId index_type = program_.states[id].indices[0];
                const NodeRef taken = graph_.and_not(universe(index_type), plane_of(id, 0));
                return graph_.not_(graph_.make(Family::Test, layout_.variable(id).set_words, {place, taken, no_node},
                                               static_cast<std::int32_t>(layout_.shape(index_type).bits)));
            }
        }
        return graph_.op(Family::Eq, eval(r.expr, r.env), graph_.word(ir::none));
    }
    case Op::MakeTuple: {
        const ir::Type& t = types[x.type];
        NodeRef code = graph_.word(0), missing = graph_.word(0);
        for (std::size_t i = 0; i < x.arg_count; ++i) {
            const NodeRef part = arg(i);
            if (types.kind(t.parts[i]) != TypeKind::Optional &&
                types.kind(expr(program_.argument(e, i)).type) == TypeKind::Optional)
                missing = graph_.either(missing, graph_.op(Family::Eq, part, graph_.word(ir::none)));
            const NodeRef size = graph_.word(static_cast<std::int64_t>(types.cardinality(t.parts[i])));
            code = graph_.op(Family::Add, graph_.op(Family::Mul, code, size), ordinal(t.parts[i], part));
        }
        return graph_.select(missing, graph_.word(ir::none), code);
    }
    case Op::Project: {
        const Resolved r = resolve(program_.argument(e, 0), env);
        const ir::TypeId whole = expr(r.expr).type;
        const ir::TypeId tuple = types.kind(whole) == TypeKind::Optional ? types.inner(whole) : whole;
        const ir::TypeId part = types[tuple].parts[static_cast<std::size_t>(x.imm)];
        const std::uint64_t count = types.cardinality(tuple);
        const std::int64_t first =
            types.kind(part) == TypeKind::Optional ? ir::none : layout_.to_register(part, types.value(part, 0));
        if (count > 65536) return no_node;
        std::vector<std::int64_t> values;
        for (std::uint64_t c = 0; c < count; ++c)
            values.push_back(layout_.to_register(
                part, types.project(tuple, static_cast<std::int64_t>(c), static_cast<std::size_t>(x.imm))));
        if (expr(r.expr).op == Op::MapGet && types.kind(whole) == TypeKind::Optional) {
            std::vector<std::int64_t> by_ordinal{first};
            by_ordinal.insert(by_ordinal.end(), values.begin(), values.end());
            return eval_map(r.expr, r.env, &by_ordinal);
        }
        const NodeRef code = eval(r.expr, r.env);
        const NodeRef found = table(code, std::move(values), 0);
        return graph_.select(graph_.op(Family::Eq, code, graph_.word(ir::none)), graph_.word(first), found);
    }
    case Op::NextPlayer:
    case Op::PrevPlayer: {
        const auto n = static_cast<std::int64_t>(program_.player_count());
        std::vector<std::int64_t> values;
        for (std::int64_t p = 0; p < n; ++p) values.push_back((p + (x.op == Op::NextPlayer ? 1 : n - 1)) % n);
        return table(arg(0), std::move(values), 0);
    }
    case Op::SiteAt: {
        const ir::Board& board = board_of(x.type);
        std::vector<std::int64_t> values(static_cast<std::size_t>(board.width) * static_cast<std::size_t>(board.height),
                                         ir::none);
        const ir::TypeId site = types.kind(x.type) == TypeKind::Optional ? types.inner(x.type) : x.type;
        for (std::size_t s = 0; s < board.sites.size(); ++s)
            if (board.sites[s].x > 0)
                values[static_cast<std::size_t>((board.sites[s].y - 1) * board.width + board.sites[s].x - 1)] =
                    layout_.to_register(site, static_cast<std::int64_t>(s));
        const NodeRef column = arg(0), row = arg(1), width = graph_.word(board.width);
        const NodeRef wrong =
            graph_.either(graph_.op(Family::Lt, column, graph_.word(1)), graph_.op(Family::Lt, width, column));
        const NodeRef at = graph_.op(Family::Add, graph_.op(Family::Mul, row, width), column);
        return graph_.select(wrong, graph_.word(ir::none), table(at, std::move(values), board.width + 1));
    }
    case Op::SiteNumber: {
        const ir::Board& board = board_of(x.type);
        const ir::TypeId site = types.kind(x.type) == TypeKind::Optional ? types.inner(x.type) : x.type;
        std::vector<std::int64_t> values;
        for (std::size_t s = 0; s < board.sites.size(); ++s)
            values.push_back(layout_.to_register(site, static_cast<std::int64_t>(s)));
        return table(arg(0), std::move(values), 1);
    }
    case Op::CoordX:
    case Op::CoordY: {
        const ir::Board& board = board_of(expr(program_.argument(e, 0)).type);
        return site_table(
            [&](std::size_t s) -> std::int64_t { return x.op == Op::CoordX ? board.sites[s].x : board.sites[s].y; });
    }
    case Op::Number: return site_table([](std::size_t s) { return static_cast<std::int64_t>(s) + 1; });
    default: return no_node;
    }
}

NodeRef Lowering::eval_equal(ir::ExprId e, const Env* env) {
    const ir::ExprId a = program_.argument(e, 0), b = program_.argument(e, 1);
    if (kind(a) == TypeKind::Real) return graph_.op(Family::EqReal, eval(a, env), eval(b, env));
    if (kind(a) == TypeKind::Set) {
        const NodeRef x = eval(a, env);
        return graph_.make(Family::EqSet, graph_.width(x), {x, eval(b, env), no_node});
    }
    // A stored value compared with a constant is one bit of one plane.
    for (const auto& [map, other] : {std::pair{a, b}, std::pair{b, a}}) {
        const Resolved r = resolve(map, env);
        if (expr(r.expr).op != Op::MapGet) continue;
        const auto id = static_cast<ir::StateId>(expr(r.expr).imm);
        const ir::StateVariable& variable = program_.states[id];
        if (!variable.assigned || layout_.variable(id).storage != Storage::Planes) continue;
        const NodeRef value = eval(other, env);
        if (!graph_.is_constant(value)) continue;
        const auto ord =
            program_.types.ordinal(variable.value, layout_.from_register(variable.value, graph_.constant_word(value)));
        if (!ord) return graph_.word(0);
        if (*ord == 0) continue;
        const NodeRef place = eval(program_.argument(r.expr, 0), r.env);
        return graph_.make(Family::Test, layout_.variable(id).set_words, {place, plane_of(id, *ord), no_node},
                           static_cast<std::int32_t>(layout_.shape(variable.indices[0]).bits));
    }
    return graph_.op(Family::Eq, eval(a, env), eval(b, env));
}

// An image from one place along steps that each lead to one place at most.
bool Lowering::functional(ir::ExprId e, const Env* env) {
    const Resolved r = resolve(e, env);
    const auto arg = [&](std::size_t i) { return program_.argument(r.expr, i); };
    switch (expr(r.expr).op) {
    case Op::Single:
    case Op::Step:
    case Op::Table: return true;
    case Op::Image:
    case Op::Seq: return functional(arg(0), r.env) && functional(arg(1), r.env);
    case Op::Inter:
    case Op::Into: return functional(arg(0), r.env);
    case Op::Power: return functional(arg(0), r.env) && arg(1) == arg(2);
    default: return false;
    }
}

NodeRef Lowering::eval_in(ir::ExprId e, const Env* env) {
    const Resolved a = resolve(program_.argument(e, 0), env), s = resolve(program_.argument(e, 1), env);
    const ir::TypeId type = element(s.expr);
    if (expr(a.expr).op == Op::The && functional(program_.argument(a.expr, 0), a.env))
        return graph_.any(graph_.and_(eval(program_.argument(a.expr, 0), a.env), eval(s.expr, s.env)));
    const SetShape shape = layout_.shape(type);
    return graph_.make(Family::Test, shape.words, {to_bit(type, eval(a.expr, a.env)), eval(s.expr, s.env), no_node},
                       static_cast<std::int32_t>(shape.bits));
}

// -- questions to the reference evaluator

NodeRef Lowering::ask_reference(ir::ExprId e, const Env* env) {
    if (no_questions_) return fail();
    Question question;
    const ir::Expr& x = expr(e);
    std::vector<NodeRef> values;
    question.me = me_;
    question.expr = e;
    question.kind = x.op == Op::Stuck     ? Question::Kind::Stuck
                    : x.op == Op::Earlier ? Question::Kind::Earlier
                                          : Question::Kind::Evaluate;
    question.key = static_cast<std::uint32_t>(x.imm);
    for (ir::VarId var : free_vars(e)) {
        const Binding* b = find(var, env);
        if (b == nullptr || program_.types.kind(program_.vars[var].type) == TypeKind::Path) return fail();
        if (b->kind == Binding::Kind::Table) return fail();
        question.vars.emplace_back(var, Reg{0});
        values.push_back(b->kind == Binding::Kind::Value ? b->node : eval(b->expr, b->env));
    }
    code_.questions.push_back(std::move(question));
    return graph_.ask(static_cast<std::uint32_t>(code_.questions.size() - 1), width_of(x.type), std::move(values));
}

NodeRef Lowering::eval_can(ir::ExprId e, const Env* env) {
    const auto id = static_cast<ir::RuleId>(expr(e).imm);
    if (!program_.rules[id].ensure.empty()) return ask_reference(e, env);
    const NodeRef player = eval(program_.argument(e, 0), env);
    std::vector<NodeRef> pattern;
    for (std::size_t i = 1; i < expr(e).arg_count; ++i) {
        const ir::ExprId a = program_.argument(e, i);
        pattern.push_back(expr(a).op == Op::Wildcard ? no_node : eval(a, env));
    }
    NodeRef result = graph_.word(0);
    for (std::uint32_t p = 0; p < program_.player_count(); ++p) {
        const NodeRef chosen = graph_.op(Family::Eq, player, graph_.word(p));
        if (graph_.is_constant(chosen) && graph_.constant_word(chosen) == 0) continue;
        const NodeRef possible = can_for(id, p, pattern);
        if (possible == no_node) return ask_reference(e, env);
        result = graph_.either(result, graph_.both(chosen, possible));
    }
    return result;
}

// Some instance of the rule with the given parameters, for this player. no_node: its conditions can't be lifted.
NodeRef Lowering::can_for(ir::RuleId id, std::uint32_t player, std::span<const NodeRef> pattern) {
    const ir::Rule& rule = program_.rules[id];
    const std::uint32_t me = std::exchange(me_, player);
    const Env* env = nullptr;
    NodeRef possible = graph_.word(1);
    bool all_given = true;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        all_given = all_given && pattern[i] != no_node;
        if (pattern[i] == no_node) continue;
        env = bind_node(rule.params[i], pattern[i], env);
        // none is no instance, unless the parameter may be none.
        if (program_.types.kind(program_.vars[rule.params[i]].type) != TypeKind::Optional)
            possible = graph_.both(possible, graph_.not_(graph_.op(Family::Eq, pattern[i], graph_.word(ir::none))));
    }
    NodeRef result = no_node;
    if (all_given) {
        result = graph_.both(possible, clauses(rule.when, env));
    } else if (std::vector<Case> found; cases(rule, env, found)) {
        result = graph_.word(0);
        for (const Case& c : found) result = graph_.either(result, graph_.any(c.set));
        result = graph_.both(possible, result);
    }
    me_ = me;
    return result;
}

} // namespace zug::run
