#include "compiler/moves/legality_analysis.hpp"

#include "compiler/lower/set_lifter.hpp"

#include <algorithm>
#include <bit>

namespace zug::run {

using ir::EffectKind;

// An assignment that may invalidate the condition, for all moves of a set: sets over the lifted parameter.
struct LegalityAnalysis::Change {
    NodeRef where = no_node;        // it happens
    NodeRef invalidating = no_node; // and is an invalidating change, whatever else changes
    NodeRef by_itself = no_node;    // the same if it is the only change
    NodeRef fatal = no_node;        // it makes the condition false if it is the only change
};

// The changes of a rule that have been found so far.
struct LegalityAnalysis::Changes {
    const Lift& lift;
    const Invalidation& invalidation;
    std::vector<Change> list;
};

namespace {

// The ways in which a change of a site may invalidate the condition.
struct Ways {
    NodeRef sites = no_node, by_itself = no_node; // by_itself: if it is the only change
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

// The values that the expression may have, as bits by ordinal.
std::uint64_t LegalityAnalysis::values_of(ir::ExprId e, ir::TypeId type, const Context& in, const Lift& lift) {
    LiftedScalar scalar;
    const auto bit = [&](std::int64_t word) {
        const auto ordinal = program_.types.ordinal(type, layout_.from_register(type, word));
        return ordinal && *ordinal < 64 ? std::uint64_t{1} << *ordinal : ~std::uint64_t{0};
    };
    if (!lift_scalar(e, in, lift, scalar) || scalar.kind == LiftedScalar::Kind::Map) return ~std::uint64_t{0};
    if (scalar.kind == LiftedScalar::Kind::Word)
        return graph_.is_constant(scalar.word) ? bit(graph_.constant_word(scalar.word)) : ~std::uint64_t{0};
    std::uint64_t values = 0;
    for (std::int64_t word : scalar.table)
        if (word != undefined) values |= bit(word);
    return values;
}

// {v | site(v) in the set}; no_node: the site cannot be lifted.
NodeRef LegalityAnalysis::lift_in(ir::ExprId site, NodeRef set, const Context& in, const Lift& lift) {
    LiftedScalar scalar;
    if (!lift_scalar(site, in, lift, scalar) || scalar.kind == LiftedScalar::Kind::Map) return no_node;
    if (scalar.kind == LiftedScalar::Kind::Word) {
        const std::uint16_t words = graph_.width(set);
        return graph_.bcast(graph_.make(Family::Test, words, {scalar.word, set, no_node}, words * 64), lift.universe);
    }
    return lowering_.lifter().preimage(scalar.table, set, layout_.shape(expr(site).type), lift);
}

// The ordinal of the value that the assigned site is assumed to hold, if there is such an assumption.
std::optional<std::uint64_t> LegalityAnalysis::assumed_ordinal(const ir::Effect& effect, const Context& in) {
    if (!in.assumed || in.assumed->state != effect.state) return std::nullopt;
    const ir::Expr& site = expr(resolve(effect.indices[0], in).expr);
    if (site.op != ir::Op::Var || static_cast<ir::VarId>(site.imm) != in.assumed->var) return std::nullopt;
    const ir::TypeId type = program_.states[effect.state].value;
    return program_.types.ordinal(type, layout_.from_register(type, in.assumed->value));
}

// False: the sites of the change cannot be lifted.
bool LegalityAnalysis::add_change(const ir::Effect& effect, const Context& in, NodeRef where, Changes& out) {
    const Invalidation& invalidation = out.invalidation;
    const Lift& lift = out.lift;
    if (invalidation.any_change[index(effect.state)]) return false;
    const ir::ExprId site = effect.indices[0];
    const std::uint64_t now = values_of(effect.value, program_.states[effect.state].value, in, lift);
    const auto assumed = assumed_ordinal(effect, in);
    const std::uint64_t before = assumed ? std::uint64_t{1} << *assumed : ~std::uint64_t{0};
    Ways ways;
    const auto add = [&](NodeRef sites, NodeRef by_itself) {
        if (sites == no_node) return;
        ways.sites = ways.count == 0 ? sites : graph_.or_(ways.sites, sites);
        ways.by_itself = by_itself;
        ++ways.count;
    };
    for (const InvalidatingChange& d : invalidation.maps) {
        if (d.state != effect.state) continue;
        if ((now & d.values) != 0 && (before & ~d.values) != 0) add(d.sites.gain, d.sites.gain_alone);
        if ((now & ~d.values) != 0 && (before & d.values) != 0) add(d.sites.loss, d.sites.loss_alone);
    }
    if (ways.count == 0) return true;
    const auto there = [&](NodeRef sites) {
        const NodeRef member = lift_in(site, sites, in, lift);
        return member == no_node ? where : graph_.and_(where, member);
    };
    const NodeRef invalidating = there(ways.sites);
    Change change{where, invalidating, ways.count > 1 ? invalidating : there(ways.by_itself),
                  fatal_sites(effect, now, in, invalidation)};
    if (change.fatal != no_node) change.fatal = lift_in(site, change.fatal, in, lift);
    if (change.fatal != no_node) change.fatal = graph_.and_(where, change.fatal);
    out.list.push_back(change);
    return true;
}

// The sites where a change from no value to the only value in `now` certainly makes the condition false. Where a site
// held a value before, its loss is a change, too.
NodeRef LegalityAnalysis::fatal_sites(const ir::Effect& effect, std::uint64_t now, const Context& in,
                                      const Invalidation& invalidation) {
    if (std::popcount(now) != 1 || program_.types.kind(program_.states[effect.state].value) != ir::TypeKind::Optional)
        return no_node;
    NodeRef sites = no_node;
    for (const InvalidatingChange& d : invalidation.maps)
        if (d.state == effect.state && (now & d.values) != 0 && d.sites.gain_surely != no_node)
            sites = sites == no_node ? d.sites.gain_surely : graph_.or_(sites, d.sites.gain_surely);
    return sites == no_node ? no_node : graph_.and_(sites, plane_of(effect.state, 0, in));
}

// False: the changes are not known, or may invalidate the condition anywhere.
bool LegalityAnalysis::collect_changes(const std::vector<ir::EffectId>& list, const Context& in, NodeRef where,
                                       Changes& out) {
    const Invalidation& invalidation = out.invalidation;
    for (ir::EffectId id : list) {
        const ir::Effect& e = program_.effects[id];
        bool done = true;
        switch (e.kind) {
        case EffectKind::If: {
            const NodeRef truth = lift_truth(e.value, in, out.lift);
            const NodeRef yes = truth == no_node ? where : graph_.and_(where, truth);
            const NodeRef no = truth == no_node ? where : graph_.and_not(where, truth);
            done = (graph_.is_empty(yes) || collect_changes(e.yes, in, yes, out)) &&
                   (graph_.is_empty(no) || collect_changes(e.no, in, no, out));
            break;
        }
        case EffectKind::Let: done = collect_changes(e.yes, bind(e.var, e.value, in, in), where, out); break;
        case EffectKind::Assign:
            done = !invalidation.concern(e.state) || (e.indices.size() == 1 && add_change(e, in, where, out));
            break;
        case EffectKind::Add:
        case EffectKind::AssignSet:
        case EffectKind::AssignAll: done = !invalidation.concern(e.state); break;
        case EffectKind::For: done = !change_any(program_, e.yes, invalidation); break;
        case EffectKind::Again:
        case EffectKind::Next: break;
        }
        if (!done || failed()) return false;
    }
    return true;
}

KnownLegal LegalityAnalysis::known_legal(ir::RuleId id, const MoveSet& found, const Context& around,
                                         const Invalidation& invalidation) {
    const ir::Rule& rule = program_.rules[id];
    if (rule.then.size() != 1 || !graph_.passes().on(Pass::KnownLegality)) return {};
    const Passes::Timer timer(graph_.passes(), Pass::KnownLegality);
    Context in = around;
    for (std::size_t p = 0; p < rule.params.size(); ++p)
        if (!found.params[p].empty()) in = bind_table(rule.params[p], found.params[p], in);
    for (const ir::Clause& clause : rule.when)
        if (valid(clause.bind)) in = bind(clause.bind, clause.expr, in, in);
    for (const ir::Clause& let : rule.then[0].lets) in = bind(let.bind, let.expr, in, in);
    Changes changes{found.lift, invalidation, {}};
    if (!collect_changes(rule.then[0].effects, in, found.lift.universe, changes)) return {};
    const KnownLegal sure = conclude(changes);
    const KnownLegal known = sure.legal != no_node ? sure : known_legal_after_first(rule, in, found.lift);
    if (known.legal != no_node) graph_.passes().changed(Pass::KnownLegality);
    return known;
}

// A move is legal if none of its changes invalidates the condition, alone or, where it makes several, in combination.
KnownLegal LegalityAnalysis::conclude(const Changes& changes) {
    const std::vector<Change>& list = changes.list;
    NodeRef invalidating = empty(changes.lift.shape.words);
    for (std::size_t i = 0; i < list.size(); ++i) {
        invalidating = graph_.or_(invalidating, list[i].by_itself);
        for (std::size_t j = 0; j < i; ++j)
            invalidating = graph_.or_(invalidating, graph_.or_(graph_.and_(list[i].invalidating, list[j].where),
                                                               graph_.and_(list[j].invalidating, list[i].where)));
    }
    const NodeRef sure = graph_.bcast(changes.invalidation.holds, graph_.and_not(changes.lift.universe, invalidating));
    return {graph_.is_empty(sure) ? no_node : sure, list.size() == 1 ? list[0].fatal : no_node};
}

NodeRef LegalityAnalysis::needs_check(NodeRef set, const KnownLegal& known) {
    if (known.illegal != no_node) set = graph_.and_not(set, known.illegal);
    return known.legal == no_node ? set : graph_.and_not(set, known.legal);
}

// A change of the site whose value is assumed, if it is the same for all values of the lifted variable.
bool LegalityAnalysis::first_change(const ir::Effect& effect, const Context& in, const Lift& lift, Moved& out) {
    if (effect.kind != EffectKind::Assign || effect.indices.size() != 1) return false;
    const auto before = assumed_ordinal(effect, in);
    LiftedScalar site;
    if (!before || !lift_scalar(effect.indices[0], in, lift, site) || site.kind != LiftedScalar::Kind::Word)
        return false;
    const std::uint64_t now = values_of(effect.value, program_.states[effect.state].value, in, lift);
    if (std::popcount(now) != 1) return false;
    out = {effect.state, site.word, *before, static_cast<std::uint64_t>(std::countr_zero(now))};
    return true;
}

// Where one piece of a kind is expected, the condition is evaluated for a state without any of them (if there is no
// other): most of it is then constant.
void LegalityAnalysis::suppose_absent(Moved moved, const ir::Rule& rule, const Context& in,
                                      Invalidation& invalidation) {
    const NodeRef pieces = plane_of(moved.state, moved.before, in);
    if (lowering_.expected_size(pieces) != 1) return;
    moved.only = true;
    Context without = in.without_names().with_moved(&moved);
    const NodeRef holds = lowering_.clauses(rule.ensure, without);
    const NodeRef count = graph_.count(pieces);
    invalidation.holds = graph_.both(graph_.op(Family::Eq, count, graph_.word(1)), holds);
}

// For the few pieces all of whose moves may invalidate the condition, such as a king: the condition is evaluated for
// the state without the piece, and then the sites are found where its return would invalidate the condition.
KnownLegal LegalityAnalysis::known_legal_after_first(const ir::Rule& rule, const Context& in, const Lift& lift) {
    constexpr std::uint64_t few = 2;
    std::vector<ir::EffectId> effects = rule.then[0].effects;
    Moved moved;
    const auto first = std::ranges::find_if(
        effects, [&](ir::EffectId e) { return first_change(program_.effects[e], in, lift, moved); });
    if (first == effects.end() || lowering_.expected_size(plane_of(moved.state, moved.before, in)) > few) return {};
    Context without = in.without_names().with_moved(&moved);
    auto invalidation = find_invalidation(graph_, layout_, program_, lowering_.clauses(rule.ensure, without));
    if (!invalidation || moved.missed || failed()) return {};
    suppose_absent(moved, rule, in, *invalidation);
    effects.erase(first);
    Changes changes{lift, *invalidation, {}};
    if (!collect_changes(effects, in, lift.universe, changes)) return {};
    return conclude(changes);
}

} // namespace zug::run
