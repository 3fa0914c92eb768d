// Scalars that depend on the lifted variable, and preimages along them.

#include "compiler/lower/lowering.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

bool all_equal(const std::vector<std::int64_t>& table, const std::vector<bool>& real, std::int64_t& value) {
    bool found = false;
    for (std::size_t b = 0; b < table.size(); ++b) {
        if (!real[b] || table[b] == undefined) continue;
        if (found && table[b] != value) return false;
        value = table[b];
        found = true;
    }
    return found;
}

} // namespace

Lift Lowering::lift_over(ir::TypeId type) {
    Lift lift;
    lift.shape = layout_.shape(type);
    lift.universe = universe(type);
    for (std::uint32_t b = 0; b < lift.shape.bits; ++b) lift.real.push_back(layout_.value_of_bit(type, b) != ir::none);
    return lift;
}

NodeRef Lowering::lifted_constant(const std::vector<bool>& members, const Lift& lift) {
    std::vector<std::uint64_t> words(lift.shape.words, 0);
    bool all = true;
    for (std::uint32_t b = 0; b < lift.shape.bits; ++b) {
        if (!lift.real[b]) continue;
        all = all && members[b];
        if (members[b]) words[b / 64] |= std::uint64_t{1} << (b % 64);
    }
    return all ? lift.universe : graph_.set(std::move(words));
}

// {v | table[v] in set}
NodeRef Lowering::preimage(const std::vector<std::int64_t>& table, NodeRef set, const Lift& lift) {
    std::int64_t value = 0;
    const std::uint16_t words = graph_.width(set);
    if (graph_.is_constant(set)) {
        const auto& bits = graph_[set].value;
        std::vector<bool> is_in(table.size());
        for (std::size_t b = 0; b < table.size(); ++b)
            is_in[b] = table[b] >= 0 && table[b] < words * 64 &&
                       (bits[static_cast<std::size_t>(table[b]) / 64] >> (table[b] % 64) & 1) != 0;
        return lifted_constant(is_in, lift);
    }
    std::vector<bool> defined(table.size());
    for (std::size_t b = 0; b < table.size(); ++b) defined[b] = table[b] >= 0;
    const NodeRef domain = lifted_constant(defined, lift);
    if (graph_.is_empty(domain)) return domain;
    if (all_equal(table, defined, value)) {
        const NodeRef is_in = graph_.make(Family::Test, words, {graph_.word(value), set, no_node}, words * 64);
        return graph_.bcast(is_in, domain);
    }
    if (words == lift.shape.words) {
        // A constant distance is a shift of the set towards the variable.
        std::optional<std::int64_t> d;
        bool constant = true;
        for (std::size_t b = 0; b < table.size() && constant; ++b) {
            if (table[b] < 0) continue;
            const std::int64_t here = static_cast<std::int64_t>(b) - table[b];
            constant = !d || *d == here;
            d = here;
        }
        // Places where the table leads nowhere must not be hit by the shift of any site.
        if (constant) {
            bool exact = lift.shape.board >= 0;
            for (std::size_t b = 0; b < table.size() && exact; ++b) {
                if (!lift.real[b] || table[b] >= 0) continue;
                const std::int64_t from = static_cast<std::int64_t>(b) - *d;
                exact = from < 0 || from >= static_cast<std::int64_t>(table.size()) ||
                        !lift.real[static_cast<std::size_t>(from)];
            }
            // Of numbers the set may be over a larger type: its other members are to be left out, so that the mask
            // isn't one that all sets are known to be within.
            const bool numbers = lift.shape.board < 0 && graph_.is_universe(domain);
            const NodeRef mask = exact     ? lift.universe
                                 : numbers ? graph_.set(ValueGraph::Node(graph_[domain]).value)
                                           : domain;
            return graph_.shift_and(set, static_cast<std::int32_t>(*d), mask);
        }
        std::vector<std::int64_t> gather(table);
        for (auto& t : gather) t = t < 0 ? -1 : t;
        return graph_.gather(set, std::move(gather));
    }
    // Between sets of different widths: one value of the table at a time.
    std::vector<std::int64_t> values;
    for (std::int64_t t : table)
        if (t >= 0 && std::find(values.begin(), values.end(), t) == values.end()) values.push_back(t);
    if (values.size() > 64) return no_node;
    NodeRef result = empty(lift.shape.words);
    for (std::int64_t v : values) {
        std::vector<bool> here(table.size());
        for (std::size_t b = 0; b < table.size(); ++b) here[b] = table[b] == v;
        const NodeRef is_in = graph_.make(Family::Test, words, {graph_.word(v), set, no_node}, words * 64);
        result = graph_.or_(result, graph_.bcast(is_in, lifted_constant(here, lift)));
    }
    return result;
}

// -- terms

bool Lowering::lift_table(ir::ExprId e, const Context& in, const Lift& lift, std::vector<std::int64_t>& out) {
    Term term;
    if (!lift_term(e, in, lift, term) || term.kind != Term::Kind::Table) return false;
    out = std::move(term.table);
    return true;
}

bool Lowering::find_term(ir::ExprId e, const Context& in, const Lift& lift, Term& out) {
    const Scoped r = resolve(e, in);
    const ir::Expr& x = expr(r.expr);
    const auto constant = [&](NodeRef n) {
        out.kind = graph_.is_constant(n) ? Term::Kind::Table : Term::Kind::Word;
        out.word = n;
        if (graph_.is_constant(n)) out.table.assign(lift.shape.bits, graph_.constant_word(n));
        return true;
    };
    if (!depends(r.expr, r.in)) {
        const TypeKind k = program_.types.kind(x.type);
        if (k == TypeKind::Set || k == TypeKind::Path || k == TypeKind::Real) return false;
        return constant(eval(r.expr, r.in));
    }
    const auto arg = [&](std::size_t i) { return program_.argument(r.expr, i); };
    if (x.op == Op::Var) {
        const Binding* b = find(static_cast<ir::VarId>(x.imm), r.in);
        if (b->kind != Binding::Kind::Table || b->table.size() != lift.shape.bits) return false;
        out.kind = Term::Kind::Table;
        out.table = b->table;
        return true;
    }
    if (x.op == Op::MapGet) {
        if (const std::int64_t* const assumed = assumed_at(r.expr, r.in); assumed != nullptr)
            return constant(graph_.word(*assumed));
        const auto id = static_cast<ir::StateId>(x.imm);
        const ir::StateVariable& variable = program_.states[id];
        if (variable.indices.size() != 1 || !variable.assigned || layout_.variable(id).storage != Storage::Planes)
            return false;
        Term at;
        if (!lift_term(arg(0), r.in, lift, at) || at.kind != Term::Kind::Table) return false;
        out.kind = Term::Kind::Map;
        out.table = std::move(at.table);
        out.state = id;
        const std::uint64_t count = program_.types.cardinality(variable.value);
        out.values.clear();
        for (std::uint64_t o = 0; o < count; ++o)
            out.values.push_back(layout_.to_register(variable.value, program_.types.value(variable.value, o)));
        return true;
    }
    if (x.op == Op::Project) {
        Term whole;
        if (!lift_term(arg(0), r.in, lift, whole) || whole.kind == Term::Kind::Word) return false;
        const ir::TypeId given = expr(arg(0)).type;
        const ir::TypeId tuple = program_.types.kind(given) == TypeKind::Optional ? program_.types.inner(given) : given;
        const ir::TypeId part = program_.types[tuple].parts[static_cast<std::size_t>(x.imm)];
        const std::int64_t first = program_.types.kind(part) == TypeKind::Optional
                                       ? ir::none
                                       : layout_.to_register(part, program_.types.value(part, 0));
        out = std::move(whole);
        for (std::int64_t& v : out.kind == Term::Kind::Map ? out.values : out.table)
            if (v != undefined)
                v = v == ir::none
                        ? first
                        : layout_.to_register(part, program_.types.project(tuple, v, static_cast<std::size_t>(x.imm)));
        return true;
    }
    if (x.op == Op::The && functional(arg(0), r.in)) {
        // A term along constant steps; anything else would need a guard.
        std::vector<Candidate> list;
        if (!candidates(arg(0), r.in, lift, list)) return false;
        if (list.size() > 1) return false;
        out.kind = Term::Kind::Table;
        out.table.assign(lift.shape.bits, ir::none);
        if (list.empty()) return true;
        if (!graph_.is_constant(list[0].guard)) return false;
        const auto& words = graph_[list[0].guard].value;
        for (std::uint32_t b = 0; b < lift.shape.bits; ++b)
            if ((words[b / 64] >> (b % 64) & 1) != 0 && list[0].table[b] >= 0) out.table[b] = list[0].table[b];
        return true;
    }
    // Anything else is worked out value by value, if every argument is a table: by folding the operation.
    if (program_.types.kind(x.type) == TypeKind::Set || program_.types.kind(x.type) == TypeKind::Real) return false;
    switch (x.op) {
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Mod:
    case Op::Neg:
    case Op::Min:
    case Op::Max:
    case Op::CoordX:
    case Op::CoordY:
    case Op::Number:
    case Op::SiteAt:
    case Op::SiteNumber:
    case Op::NextPlayer:
    case Op::PrevPlayer:
    case Op::MakeTuple:
    case Op::If: break;
    default: return false;
    }
    std::vector<std::pair<ir::VarId, std::vector<std::int64_t>>> tables;
    for (ir::VarId v : free_vars(r.expr)) {
        const Binding* b = find(v, r.in);
        if (b == nullptr) return false;
        if (b->kind == Binding::Kind::Table) tables.emplace_back(v, b->table);
        if (b->kind != Binding::Kind::Closure) continue;
        Term named;
        if (!lift_term(b->expr, in.with_env(b->env), lift, named) || named.kind != Term::Kind::Table) return false;
        tables.emplace_back(v, std::move(named.table));
    }
    out.kind = Term::Kind::Table;
    out.table.assign(lift.shape.bits, undefined);
    for (std::uint32_t bit = 0; bit < lift.shape.bits; ++bit) {
        if (!lift.real[bit]) continue;
        Context at = r.in;
        bool defined = true;
        for (const auto& [v, table] : tables) {
            const std::int64_t value = table[bit];
            defined = defined && value != undefined;
            at = bind_node(v, graph_.word(value), at);
        }
        if (!defined) continue;
        const NodeRef n = eval(r.expr, at);
        if (!graph_.is_constant(n)) return false;
        out.table[bit] = graph_.constant_word(n);
    }
    return true;
}

NodeRef Lowering::map_equals(const Term& term, std::int64_t value, const Context& in, const Lift& lift) {
    // A place that is none reads as the value with ordinal 0.
    std::vector<std::int64_t> places(term.table);
    std::vector<bool> nowhere(places.size());
    for (std::size_t b = 0; b < places.size(); ++b) {
        nowhere[b] = places[b] == ir::none;
        if (places[b] == ir::none || places[b] == undefined) places[b] = -1;
    }
    NodeRef planes = no_node;
    bool zero = false;
    for (std::size_t o = 0; o < term.values.size(); ++o) {
        if (term.values[o] != value) continue;
        if (o == 0)
            zero = true;
        else
            planes = planes == no_node ? plane_of(term.state, o, in) : graph_.or_(planes, plane_of(term.state, o, in));
    }
    NodeRef result = planes == no_node ? empty(lift.shape.words) : preimage(places, planes, lift);
    if (zero && result != no_node) {
        const NodeRef zeros = preimage(places, plane_of(term.state, 0, in), lift);
        if (zeros == no_node) return no_node;
        result = graph_.or_(result, graph_.or_(zeros, lifted_constant(nowhere, lift)));
    }
    return result;
}

} // namespace zug::run
