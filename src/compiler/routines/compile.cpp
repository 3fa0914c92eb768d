#include "compiler/moves/effects.hpp"
#include "compiler/routines/compiler.hpp"

#include "base/narrow.hpp"

#include <algorithm>
#include <utility>

namespace zug::run {

// False: lowering has failed or run out of its budget, and the code built so far is unusable.
bool Compiler::ok(const std::string& what) { return (!lowering_.failed() && lowering_.within_budget()) || fail(what); }

bool Compiler::fail(const std::string& what) {
    if (why.empty()) why = what;
    return false;
}

NumberCode Compiler::number(ir::ExprId e, const Context& in) {
    const NodeRef value = lowering_.eval(e, in);
    NumberCode result;
    result.entry = graph_.finish({&value, 1}, 0);
    result.reg = graph_.reg_of(value);
    result.real = program_.types.kind(program_.exprs[e].type) == ir::TypeKind::Real;
    return result;
}

// Compiles the routines of a turn plan: the steps of each rule, the bounds of its chains, and its effects.
bool Compiler::plan() {
    const ir::TurnPlan& plan = *program_.turn;
    out_.steps.resize(program_.rules.size());
    out_.most.resize(plan.chains.size());
    out_.sums.assign(plan.chains.size(), std::vector<std::vector<NumberCode>>(program_.rules.size()));
    for (std::uint32_t player = 0; player < players(); ++player) {
        const Context in{.me = player};
        for (std::size_t r = 0; r < program_.rules.size(); ++r) {
            if (program_.rules[static_cast<ir::RuleId>(r)].chance) continue;
            lowering_.renew_budget();
            if (!finder_.find_steps(static_cast<ir::RuleId>(r), player, out_.steps[r].emplace_back()))
                return fail("the conditions of a step");
        }
        graph_.enter(Origin::Part::Turn, 0);
        for (std::size_t c = 0; c < plan.chains.size(); ++c) {
            graph_.begin();
            if (valid(plan.chains[c].most)) out_.most[c].push_back(number(plan.chains[c].most, in));
            for (std::size_t r = 0; r < plan.chains[c].most_sum.size(); ++r) {
                if (!valid(plan.chains[c].most_sum[r])) continue;
                graph_.begin();
                const auto id = static_cast<ir::RuleId>(r);
                out_.sums[c][r].push_back(
                    number(plan.chains[c].most_sum[r], effects_.with_lets(id, false, effects_.parameters(id, in))));
            }
        }
        graph_.begin();
        if (!plan_effects(player)) return fail("the effects of `turn`");
        const std::size_t first = out_.code.instrs.size();
        out_.plan_then.push_back(graph_.finish({}, 0));
        for (std::size_t i = first; i < out_.code.instrs.size(); ++i)
            out_.plan_checks = out_.plan_checks || is_check(out_.code.instrs[i].op);
        if (plan.by) out_.plan_by.push_back(key(*plan.by, player));
    }
    out_.plan_end = plan_end();
    return ok("the turn");
}

// As Compiled::plan_end says.
std::optional<Compiled::PlanEnd> Compiler::plan_end() const {
    Compiled::PlanEnd end;
    std::vector<bool> added(program_.states.size(), false), set(program_.states.size(), false);
    for (const ir::Block& block : program_.turn->then) {
        if (!block.lets.empty()) return std::nullopt;
        for (const ir::EffectId id : block.effects) {
            const ir::Effect& e = program_.effects[id];
            const bool adds = e.kind == ir::EffectKind::Add && e.indices.empty();
            const bool sets =
                e.kind == ir::EffectKind::AssignAll || (e.kind == ir::EffectKind::Assign && e.indices.empty());
            if ((!adds && !sets) || !is_constant(e.value)) return std::nullopt;
            (adds ? added : set)[index(e.state)] = true;
            if (added[index(e.state)] && set[index(e.state)]) return std::nullopt;
            const VariableLayout& at = out_.layout->variable(e.state);
            (adds ? end.adds : end.sets).emplace_back(at.reg, at.words);
        }
    }
    return end;
}

bool Compiler::is_constant(ir::ExprId e) const {
    const ir::Op op = program_.exprs[e].op;
    return op == ir::Op::Const || op == ir::Op::SetConst || op == ir::Op::Universe;
}

// The effects of the plan itself, which follow the steps of a turn.
bool Compiler::plan_effects(std::uint32_t player) {
    Context in{.me = player};
    Effects effects(lowering_, out_.code);
    return std::ranges::all_of(program_.turn->then, [&](const ir::Block& block) { return effects.block(block, in); });
}

bool Compiler::rule(ir::RuleId id) {
    const ir::Rule& rule = program_.rules[id];
    RuleCode& code = out_.rules[index(id)];
    code.ensures = !rule.ensure.empty();
    const std::string what = "the effects of `" + rule.name + "`";
    for (std::size_t p = 0; p < rule.params.size(); ++p) code.params.push_back(graph_.fresh(1));
    for (std::uint32_t player = 0; player < players(); ++player) {
        lowering_.renew_budget();
        const std::size_t first = out_.code.instrs.size();
        code.apply.push_back(effects_.apply(id, player, false));
        bool ranges = false;
        for (std::size_t i = first; i < out_.code.instrs.size(); ++i) {
            code.checks = code.checks || is_check(out_.code.instrs[i].op);
            ranges = ranges || is_range_check(out_.code.instrs[i].op);
        }
        if (code.apply.back() == no_entry) return fail(what);
        if (!ok(what)) return false;
        code.trial.push_back(code.ensures && ranges ? effects_.apply(id, player, true) : code.apply.back());
        if (code.trial.back() == no_entry) return fail(what);
        if (!rule.chance || !valid(rule.weight)) continue;
        graph_.begin();
        graph_.enter(Origin::Part::Weight, index(id));
        code.weight.push_back(
            number(rule.weight, effects_.with_lets(id, false, effects_.parameters(id, Context{.me = player}))));
        if (!ok("the weight of `" + rule.name + "`")) return false;
    }
    return true;
}

// What `can` asks for, which may ask for more.
bool Compiler::all_can() {
    for (std::size_t i = 0; i < lowering_.can_requests().size(); ++i) {
        const CanRequest request = lowering_.can_requests()[i];
        const std::string what = "whether one can `" + program_.rules[request.rule].name + "`";
        lowering_.renew_budget();
        if (!can(request)) return fail(what);
        if (!ok(what)) return false;
    }
    return true;
}

bool Compiler::can(const CanRequest& request) {
    CanCode& code = out_.can.emplace_back();
    code.rule = request.rule;
    graph_.begin();
    Context in{.me = request.player};
    const std::vector<ir::VarId>& params = program_.rules[request.rule].params;
    for (std::size_t p = 0; p < params.size(); ++p) {
        if (!request.given[p]) continue;
        code.given.push_back(graph_.fresh(1));
        const NodeRef value = graph_.fixed(code.given.back(), 1);
        effects_.bound_parameter(value, program_.vars[params[p]].type);
        in = lowering_.bind_node(params[p], value, in);
    }
    if (!finder_.find_given(request.rule, in, code.find)) return false;
    code.trial = effects_.apply(request.rule, request.player, true);
    return code.trial != no_entry;
}

std::size_t Compiler::end_clauses(std::uint32_t last, bool stuck) {
    std::size_t first = program_.ends.size();
    const Context in{.me = last, .stuck = stuck};
    const std::size_t answers = lowering_.stuck_answers();
    for (std::size_t c = 0; c < program_.ends.size(); ++c) {
        graph_.enter(Origin::Part::End, c);
        const ValueGraph::From here(graph_, program_.exprs[program_.ends[c].condition].span);
        graph_.return_if(lowering_.eval(program_.ends[c].condition, in), static_cast<std::int32_t>(c));
        if (lowering_.stuck_answers() != answers) first = std::min(first, c);
    }
    return first;
}

void Compiler::ends(std::uint32_t last) {
    const auto routine = [&](bool stuck, std::size_t& first) {
        graph_.begin();
        first = end_clauses(last, stuck);
        return graph_.finish({}, -1);
    };
    std::size_t first = 0;
    out_.ends.push_back(routine(false, first));
    out_.first_stuck_end = std::min(out_.first_stuck_end, static_cast<std::int32_t>(first));
    out_.stuck_ends.push_back(first == program_.ends.size() ? out_.ends.back() : routine(true, first));
}

Compiled::Values Compiler::reals(const std::vector<ir::ExprId>& list, std::uint32_t me) {
    graph_.begin();
    const Context in{.me = me};
    std::vector<NodeRef> roots;
    for (ir::ExprId e : list) {
        NodeRef value = lowering_.eval(e, in);
        if (program_.types.kind(program_.exprs[e].type) != ir::TypeKind::Real) value = graph_.op(Family::ToReal, value);
        roots.push_back(value);
    }
    Compiled::Values values;
    values.entry = graph_.finish(roots, 0);
    for (NodeRef n : roots) values.regs.push_back(graph_.reg_of(n));
    values.fixed = std::ranges::all_of(roots, [&](NodeRef n) { return graph_.is_constant(n); });
    return values;
}

Compiled::Key Compiler::key(const ir::HistoryKey& key, std::uint32_t me) {
    graph_.begin();
    const Context in{.me = me};
    std::vector<NodeRef> roots;
    for (ir::ExprId e : key.parts) roots.push_back(lowering_.eval(e, in));
    Compiled::Key result;
    result.entry = graph_.finish(roots, 0);
    for (NodeRef n : roots) result.parts.emplace_back(graph_.reg_of(n), graph_.width(n));
    for (ir::StateId id : key.maps)
        if (program_.states[id].assigned)
            result.parts.emplace_back(out_.layout->variable(id).reg, out_.layout->variable(id).words);
    for (ir::ExprId e : key.parts) result.of_state_alone = result.of_state_alone && !lowering_.asks_history(e);
    return result;
}

void Compiler::fixed_parts() {
    std::vector<std::uint32_t> slots;
    for (const ir::StateVariable& variable : program_.states)
        slots.insert(slots.end(), variable.initial.begin(), variable.initial.end());
    slots.push_back(0);
    if (program_.keeps_last) slots.push_back(program_.player_count() - 1);
    out_.initial.assign(out_.layout->state_words(), 0);
    out_.layout->load(slots, out_.initial.data());
    for (std::size_t s = 0; s < program_.states.size(); ++s) {
        const auto id = static_cast<ir::StateId>(s);
        if (program_.states[id].local && program_.states[id].assigned)
            out_.locals.emplace_back(out_.layout->variable(id).reg, out_.layout->variable(id).words);
    }
}

// Whether the history is read between the effects of a move. The executor must then know that the position that it has
// recorded is no longer the current one (Family::SetBetweenMoves).
bool Compiler::asks_within_moves() {
    if (program_.keys.empty() || program_.turn) return !program_.keys.empty();
    return std::ranges::any_of(program_.rules, [&](const ir::Rule& rule) {
        return rule.then.size() > 1 || std::ranges::any_of(rule.ensure, [&](const ir::Clause& clause) {
                   return lowering_.asks_history(clause.expr);
               });
    });
}

bool Compiler::all(Extras extras) {
    out_.code.main_width = out_.layout->main_words();
    out_.code.turn_reg = out_.layout->turn();
    out_.code.turned_reg = graph_.fresh(1);
    fixed_parts();
    out_.rules.resize(program_.rules.size());
    for (std::uint32_t p = 0; p < players(); ++p) {
        lowering_.renew_budget();
        if (!program_.turn && !(finder_.find(p, false, out_.moves.emplace_back()) &&
                                finder_.count(p, out_.counts.emplace_back()) && ok("the conditions of the moves")))
            return fail("the conditions of the moves");
        lowering_.renew_budget();
        if (!finder_.find(p, true, out_.chances.emplace_back()) || !ok("the conditions of chance"))
            return fail("the conditions of chance");
        lowering_.renew_budget();
        ends(p);
        if (!ok("the end of the game")) return false;
        graph_.enter(Origin::Part::Eval, 0);
        if (!program_.evals.empty()) out_.evals.push_back(reals(program_.evals, p));
        graph_.enter(Origin::Part::Bound, 0);
        if (program_.bound) out_.bounds.push_back(reals({program_.bound->moves, program_.bound->payoff}, p));
    }
    for (std::size_t r = 0; r < program_.rules.size(); ++r)
        if (!rule(static_cast<ir::RuleId>(r))) return fail("the rules");
    for (const ir::EndClause& end : program_.ends) {
        graph_.enter(Origin::Part::Payoff, out_.payoffs.size());
        out_.payoffs.emplace_back();
        for (std::uint32_t p = 0; p < players(); ++p) out_.payoffs.back().push_back(reals(end.payoffs, p));
    }
    for (const ir::HistoryKey& k : program_.keys) {
        graph_.enter(Origin::Part::Key, out_.keys.size());
        out_.keys.emplace_back();
        for (std::uint32_t p = 0; p < players(); ++p) out_.keys.back().push_back(key(k, p));
    }
    if (program_.turn && !plan()) return fail("the turn");
    if (!random_play()) return fail("random play");
    if (!ok("the payoffs")) return false;
    if (extras.walks && passes_.on(Pass::LineWalk) && !walk_lines()) return failed = &Extras::walks, false;
    if (extras.loud && passes_.on(Pass::LoudMoves) && !loud()) return failed = &Extras::loud, false;
    if (!all_can()) return false;
    for (std::size_t k = 0; k < finder_.records().size(); ++k)
        out_.records.push_back(record_code(program_, *out_.layout, out_.code.shapes[k], finder_.records()[k]));
    return why.empty();
}

// The routines of random play, and the registers that the executor reads after them.
bool Compiler::random_play() {
    const std::size_t routines = out_.code.routines.size(), first = out_.code.instrs.size();
    lowering_.renew_budget();
    if (passes_.on(Pass::Playout)) {
        const Passes::Timer timer(passes_, Pass::Playout);
        if (!play()) return false;
        ++passes_[Pass::Playout].runs;
        passes_.changed(Pass::Playout, out_.code.instrs.size() - first);
    }
    out_.code.routines.resize(routines); // the routines finished since then are parts of one
    const PlayCode& play = out_.play;
    std::vector<std::pair<Reg, std::uint16_t>> results = {{play.random, 4}, {play.left, 1}, {play.drawn, 2}};
    for (const MoveSetCode& code : play.move_sets)
        for (const MoveSetCode::Later& later : code.later) results.emplace_back(later.bit, 1);
    const std::vector<Reg> counters = game_counters();
    for (const Reg counter : counters) results.emplace_back(counter, 1);
    const auto begin = out_.code.instrs.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::any_of(begin, out_.code.instrs.end(), [](const Instr& i) { return is_check(i.op); }))
        results.emplace_back(play.before, narrow<std::uint16_t>(out_.layout->state_words()));
    for (const Entry entry : play.entries) out_.code.routines.push_back({entry, results, counters});
    return true;
}

// Line walks are optional: without them the executor expands positions one by one, which is slower.
bool Compiler::walk_lines() {
    const Passes::Timer timer(passes_, Pass::LineWalk);
    const std::size_t first = out_.code.instrs.size();
    lowering_.renew_budget();
    const bool done = walk() && !lowering_.failed() && !graph_.overflow();
    ++passes_[Pass::LineWalk].runs;
    passes_.changed(Pass::LineWalk, out_.code.instrs.size() - first);
    return done;
}

} // namespace zug::run
