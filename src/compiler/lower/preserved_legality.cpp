// Moves whose `ensure` holds without being asked: it holds before them, and none of their changes is a danger to it.

#include "compiler/graph/invalidation.hpp"
#include "compiler/lower/lowering.hpp"

#include <algorithm>
#include <bit>

namespace zug::run {

using ir::EffectKind;

// A change that may be a danger, by member of the lifted type.
struct Lowering::Change {
    NodeRef where = no_node;        // it happens
    NodeRef invalidating = no_node; // and is one, whatever else changes
    NodeRef early_exit = no_node;   // the same if it is the only one
    NodeRef fatal = no_node;        // it makes the condition false if it is the only one
};

namespace {

// The ways in which a change of a place may be a danger.
struct Ways {
    NodeRef places = no_node, early_exit = no_node;
    std::size_t count = 0;
};

bool change_any(const ir::Program& program, const std::vector<ir::EffectId>& list, const Invalidation& invalidation) {
    return std::ranges::any_of(list, [&](ir::EffectId id) {
        const ir::Effect& e = program.effects[id];
        const bool changes = e.kind == EffectKind::Assign || e.kind == EffectKind::Add ||
                             e.kind == EffectKind::AssignSet || e.kind == EffectKind::AssignAll;
        return (changes && invalidation.concern(e.state)) || change_any(program, e.yes, invalidation) ||
               change_any(program, e.no, invalidation);
    });
}

} // namespace

// The ordinals that the value may have, as bits.
std::uint64_t Lowering::values_of(ir::ExprId e, ir::TypeId type, const Context& in, const Lift& lift) {
    Term term;
    const auto bit = [&](std::int64_t word) {
        const auto ordinal = program_.types.ordinal(type, layout_.from_register(type, word));
        return ordinal && *ordinal < 64 ? std::uint64_t{1} << *ordinal : ~std::uint64_t{0};
    };
    if (!lift_term(e, in, lift, term) || term.kind == Term::Kind::Map) return ~std::uint64_t{0};
    if (term.kind == Term::Kind::Word)
        return graph_.is_constant(term.word) ? bit(graph_.constant_word(term.word)) : ~std::uint64_t{0};
    std::uint64_t values = 0;
    for (std::int64_t word : term.table)
        if (word != undefined) values |= bit(word);
    return values;
}

// {v | place(v) in the set}; no_node: it can't be told.
NodeRef Lowering::lift_in(ir::ExprId place, NodeRef set, const Context& in, const Lift& lift) {
    Term term;
    if (!lift_term(place, in, lift, term) || term.kind == Term::Kind::Map) return no_node;
    if (term.kind == Term::Kind::Word) {
        const std::uint16_t words = graph_.width(set);
        return graph_.bcast(graph_.make(Family::Test, words, {term.word, set, no_node}, words * 64), lift.universe);
    }
    return preimage(term.table, set, lift);
}

bool Lowering::add_change(const ir::Effect& effect, const Context& in, const Lift& lift, NodeRef where,
                          const Invalidation& invalidation, std::vector<Change>& out) {
    if (invalidation.any_change[index(effect.state)]) return false;
    const ir::ExprId place = effect.indices[0];
    const std::uint64_t now = values_of(effect.value, program_.states[effect.state].value, in, lift);
    std::uint64_t before = ~std::uint64_t{0};
    const Scoped r = resolve(place, in);
    if (in.assumed && in.assumed->state == effect.state && expr(r.expr).op == ir::Op::Var &&
        static_cast<ir::VarId>(expr(r.expr).imm) == in.assumed->var)
        if (const auto ordinal =
                program_.types.ordinal(program_.states[effect.state].value,
                                       layout_.from_register(program_.states[effect.state].value, in.assumed->value)))
            before = std::uint64_t{1} << *ordinal;
    Ways ways;
    const auto add = [&](NodeRef places, NodeRef early_exit) {
        if (places == no_node) return;
        ways.places = ways.count == 0 ? places : graph_.or_(ways.places, places);
        ways.early_exit = early_exit;
        ++ways.count;
    };
    for (const InvalidatingChange& d : invalidation.maps) {
        if (d.state != effect.state) continue;
        if ((now & d.values) != 0 && (before & ~d.values) != 0) add(d.places.gain, d.places.gain_alone);
        if ((now & ~d.values) != 0 && (before & d.values) != 0) add(d.places.loss, d.places.loss_alone);
    }
    if (ways.count == 0) return true;
    const auto there = [&](NodeRef places) {
        const NodeRef is_in = lift_in(place, places, in, lift);
        return is_in == no_node ? where : graph_.and_(where, is_in);
    };
    const NodeRef invalidating = there(ways.places);
    out.push_back({where, invalidating, ways.count > 1 ? invalidating : there(ways.early_exit),
                   fatal_places(effect, now, in, invalidation)});
    NodeRef& fatal = out.back().fatal;
    if (fatal != no_node) fatal = lift_in(place, fatal, in, lift);
    if (fatal != no_node) fatal = graph_.and_(where, fatal);
    return true;
}

// Where the change to the only value in `now` makes the condition false. Only of places without a value: with one, more
// than this changes.
NodeRef Lowering::fatal_places(const ir::Effect& effect, std::uint64_t now, const Context& in,
                               const Invalidation& invalidation) {
    if (std::popcount(now) != 1 || program_.types.kind(program_.states[effect.state].value) != ir::TypeKind::Optional)
        return no_node;
    NodeRef places = no_node;
    for (const InvalidatingChange& d : invalidation.maps)
        if (d.state == effect.state && (now & d.values) != 0 && d.places.gain_surely != no_node)
            places = places == no_node ? d.places.gain_surely : graph_.or_(places, d.places.gain_surely);
    return places == no_node ? no_node : graph_.and_(places, plane_of(effect.state, 0, in));
}

bool Lowering::collect_changes(const std::vector<ir::EffectId>& list, const Context& in, const Lift& lift,
                               NodeRef where, const Invalidation& invalidation, std::vector<Change>& out) {
    for (ir::EffectId id : list) {
        const ir::Effect& e = program_.effects[id];
        bool done = true;
        switch (e.kind) {
        case EffectKind::If: {
            const NodeRef truth = lift_truth(e.value, in, lift);
            const NodeRef yes = truth == no_node ? where : graph_.and_(where, truth);
            const NodeRef no = truth == no_node ? where : graph_.and_not(where, truth);
            done = (graph_.is_empty(yes) || collect_changes(e.yes, in, lift, yes, invalidation, out)) &&
                   (graph_.is_empty(no) || collect_changes(e.no, in, lift, no, invalidation, out));
            break;
        }
        case EffectKind::Let:
            done = collect_changes(e.yes, bind(e.var, e.value, in, in), lift, where, invalidation, out);
            break;
        case EffectKind::Assign:
            done = !invalidation.concern(e.state) ||
                   (e.indices.size() == 1 && add_change(e, in, lift, where, invalidation, out));
            break;
        case EffectKind::Add:
        case EffectKind::AssignSet:
        case EffectKind::AssignAll: done = !invalidation.concern(e.state); break;
        case EffectKind::For: done = !change_any(program_, e.yes, invalidation); break;
        case EffectKind::Again:
        case EffectKind::Next: break;
        }
        if (!done || failed_) return false;
    }
    return true;
}

Lowering::KnownLegal Lowering::known_legal(ir::RuleId id, const MoveSet& found, const Context& around,
                                           const Invalidation& invalidation) {
    const ir::Rule& rule = program_.rules[id];
    if (rule.then.size() != 1) return {};
    Context in = around;
    for (std::size_t p = 0; p < rule.params.size(); ++p)
        if (!found.params[p].empty()) in = bind_table(rule.params[p], found.params[p], in);
    for (const ir::Clause& clause : rule.when)
        if (valid(clause.bind)) in = bind(clause.bind, clause.expr, in, in);
    for (const ir::Clause& let : rule.then[0].lets) in = bind(let.bind, let.expr, in, in);
    std::vector<Change> changes;
    if (!collect_changes(rule.then[0].effects, in, found.lift, found.lift.universe, invalidation, changes)) return {};
    const KnownLegal sure = sure_by(changes, found.lift, invalidation);
    return sure.legal != no_node ? sure : known_legal_after_first(rule, in, found.lift);
}

// Two changes are no danger if neither is one whatever the other does.
Lowering::KnownLegal Lowering::sure_by(const std::vector<Change>& changes, const Lift& lift,
                                       const Invalidation& invalidation) {
    NodeRef invalidating = empty(lift.shape.words);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        invalidating = graph_.or_(invalidating, changes[i].early_exit);
        for (std::size_t j = 0; j < i; ++j)
            invalidating = graph_.or_(invalidating, graph_.or_(graph_.and_(changes[i].invalidating, changes[j].where),
                                                               graph_.and_(changes[j].invalidating, changes[i].where)));
    }
    const NodeRef sure = graph_.bcast(invalidation.holds, graph_.and_not(lift.universe, invalidating));
    return {graph_.is_empty(sure) ? no_node : sure, changes.size() == 1 ? changes[0].fatal : no_node};
}

// A change, whatever the lifted variable is, of the place whose value is assumed.
bool Lowering::first_change(const ir::Effect& effect, const Context& in, const Lift& lift, Moved& out) {
    if (effect.kind != EffectKind::Assign || effect.indices.size() != 1 || !in.assumed ||
        in.assumed->state != effect.state)
        return false;
    const ir::TypeId type = program_.states[effect.state].value;
    const Scoped r = resolve(effect.indices[0], in);
    Term place;
    if (expr(r.expr).op != ir::Op::Var || static_cast<ir::VarId>(expr(r.expr).imm) != in.assumed->var ||
        !lift_term(effect.indices[0], in, lift, place) || place.kind != Term::Kind::Word)
        return false;
    const std::uint64_t now = values_of(effect.value, type, in, lift);
    const auto before = program_.types.ordinal(type, layout_.from_register(type, in.assumed->value));
    if (std::popcount(now) != 1 || !before) return false;
    out = {effect.state, place.word, *before, static_cast<std::uint64_t>(std::countr_zero(now))};
    return true;
}

// Where one piece of the sort is expected, the condition is asked without any of them, if there is no other: most of it
// falls away then.
void Lowering::hold_without(Moved moved, const ir::Rule& rule, const Context& in, Invalidation& invalidation) {
    const NodeRef pieces = plane_of(moved.state, moved.before, in);
    if (expected_size(pieces) != 1) return;
    moved.only = true;
    Context without = in.without_names().with_moved(&moved);
    const NodeRef holds = clauses(rule.ensure, without);
    const NodeRef count = graph_.make(Family::Count, graph_.width(pieces), {pieces, no_node, no_node});
    invalidation.holds = graph_.both(graph_.op(Family::Eq, count, graph_.word(1)), holds);
}

// For the few pieces all whose moves seem a danger, such as a king's: the condition is asked with the piece gone from
// where it stood, and then where coming back would be a danger.
Lowering::KnownLegal Lowering::known_legal_after_first(const ir::Rule& rule, const Context& in, const Lift& lift) {
    constexpr std::uint64_t few = 2;
    std::vector<ir::EffectId> effects = rule.then[0].effects;
    Moved moved;
    const auto first = std::ranges::find_if(
        effects, [&](ir::EffectId e) { return first_change(program_.effects[e], in, lift, moved); });
    if (first == effects.end() || expected_size(plane_of(moved.state, moved.before, in)) > few) return {};
    Context without = in.without_names().with_moved(&moved);
    auto invalidation = find_invalidation(graph_, layout_, program_, clauses(rule.ensure, without));
    if (!invalidation || moved.missed || failed_) return {};
    hold_without(moved, rule, in, *invalidation);
    effects.erase(first);
    std::vector<Change> changes;
    if (!collect_changes(effects, in, lift, lift.universe, *invalidation, changes)) return {};
    return sure_by(changes, lift, *invalidation);
}

} // namespace zug::run
