#include "compiler/moves/effects.hpp"
#include "compiler/routines/compiler.hpp"

#include <algorithm>

namespace zug::run {

bool is_check(Opcode op) {
    switch (op) {
    case Opcode::Touch_1:
    case Opcode::Touch_M:
    case Opcode::Touch_N:
    case Opcode::TouchAll_1:
    case Opcode::TouchAll_M:
    case Opcode::TouchAll_N:
    case Opcode::CheckDistinct:
    case Opcode::CheckRange:
    case Opcode::CheckRangeOrNone:
    case Opcode::CheckRow:
    case Opcode::TurnTo: return true;
    default: return false;
    }
}

MoveSetCode move_set_code(const ir::Program& program, const StateLayout& layout, ir::RuleId id, const MoveSet& c,
                          std::uint16_t words) {
    const ir::Rule& rule = program.rules[id];
    MoveSetCode code;
    code.rule = id;
    code.words = words;
    code.params = c.params;
    const std::size_t bits = rule.params.empty() ? 1 : c.params[0].size();
    code.codes.assign(bits, 0);
    code.real.assign(bits, false);
    for (std::size_t b = 0; b < bits; ++b) {
        std::vector<std::int64_t> values;
        bool real = true;
        for (std::size_t p = 0; p < rule.params.size(); ++p) {
            const ir::TypeId type = program.vars[rule.params[p]].type;
            const std::int64_t word = c.params[p][b];
            const bool site = program.types.kind(type) == ir::TypeKind::Site;
            if (word == undefined ||
                (site && layout.value_of_bit(type, static_cast<std::uint64_t>(word)) == ir::none)) {
                real = false;
                break;
            }
            values.push_back(layout.from_register(type, word));
        }
        const auto step = real ? ir::encode_step(program, id, values) : std::nullopt;
        code.real[b] = step.has_value();
        code.codes[b] = step.value_or(0);
    }
    return code;
}

// The same for records: a step code is linear in the ordinals of the parameters.
static RecordCode record_code(const ir::Program& program, const StateLayout& layout, const RecordShape& shape,
                              const MoveRecord& record) {
    const ir::Rule& rule = program.rules[record.rule];
    RecordCode code{record.rule, shape.words, {}, record.params, {}, record.known_legal};
    code.codes.assign(std::size_t{shape.words} * 64, rule.first_code);
    std::uint64_t stride = rule.code_count;
    for (std::size_t p = 0; p < rule.params.size(); ++p) {
        const ir::TypeId type = program.vars[rule.params[p]].type;
        stride /= program.types.cardinality(type);
        const auto added = [&](std::int64_t word) -> std::uint64_t {
            const bool site = program.types.kind(type) == ir::TypeKind::Site;
            const bool real = word != undefined &&
                              (!site || (word >= 0 && word < layout.shape(type).bits &&
                                         layout.value_of_bit(type, static_cast<std::uint64_t>(word)) != ir::none));
            return real ? program.types.ordinal(type, layout.from_register(type, word)).value_or(0) * stride : 0;
        };
        if (!record.params[p].empty()) {
            for (std::size_t b = 0; b < record.params[p].size(); ++b) code.codes[b] += added(record.params[p][b]);
            continue;
        }
        const ir::Type& t = program.types[type];
        RecordCode::Kept kept{t.kind == ir::TypeKind::Int ? t.lo : 0, {}};
        for (std::uint32_t b = 0; b < layout.shape(type).bits; ++b)
            kept.codes.push_back(added(kept.low + static_cast<std::int64_t>(b)));
        code.kept.push_back(std::move(kept));
    }
    return code;
}

// False: what was built so far can't be used.
bool Compiler::ok(const std::string& what) { return (!lowering_.failed() && lowering_.within_budget()) || fail(what); }

bool Compiler::fail(const std::string& what) {
    if (why.empty()) why = what;
    return false;
}

bool Compiler::find(std::uint32_t player, bool chance, FindCode& out) {
    graph_.begin();
    std::vector<NodeRef> roots;
    std::optional<std::int32_t> early_exit;
    if (std::ranges::count(program_.rules, chance, &ir::Rule::chance) == 1) early_exit = 0;
    for (std::size_t r = 0; r < program_.rules.size(); ++r) {
        const auto id = static_cast<ir::RuleId>(r);
        if (program_.rules[id].chance == chance &&
            !find_rule(id, Context{.me = player}, {.early_exit = early_exit}, out, roots))
            return false;
    }
    finish_find(out, roots);
    return true;
}

void Compiler::finish_find(FindCode& out, const std::vector<NodeRef>& roots) {
    out.entry = graph_.finish(roots, 0);
    for (std::size_t k = 0; k < out.move_sets.size(); ++k) {
        out.move_sets[k].set = graph_.reg_of(roots[k]);
        out.sets.emplace_back(out.move_sets[k].set, out.move_sets[k].words);
    }
}

bool Compiler::count(std::uint32_t player, CountCode& out) {
    graph_.begin();
    out.total = graph_.fresh(1);
    graph_.effect(Family::Mov, 1, out.total, {graph_.word(0), no_node, no_node});
    MoveCounter counter(graph_, out.total, std::nullopt);
    const Context in{.me = player};
    std::vector<NodeRef> roots;
    bool done = true;
    for (std::size_t r = 0; r < program_.rules.size() && done; ++r) {
        const auto id = static_cast<ir::RuleId>(r);
        done = program_.rules[id].chance || find_rule(id, in, {.counter = &counter}, out.needs_check, roots);
    }
    counter.finish();
    if (!done) return false;
    roots.push_back(graph_.fixed(out.total, 1));
    finish_find(out.needs_check, roots);
    return true;
}

bool Compiler::find_rule(ir::RuleId id, const Context& in, const MoveEmitter::Options& options, FindCode& out,
                         std::vector<NodeRef>& roots) {
    FoundMoves found{{}, out.emits};
    std::vector<bool> known_legal;
    if (!find_moves(id, in, options, found, known_legal)) return false;
    for (std::size_t k = 0; k < found.move_sets.size(); ++k) {
        const MoveSet& c = found.move_sets[k];
        roots.push_back(c.set);
        out.move_sets.push_back(move_set_code(program_, *out_.layout, id, c, graph_.width(c.set)));
        out.move_sets.back().known_legal = known_legal[k];
    }
    out.emits = found.emits;
    return true;
}

bool Compiler::find_moves(ir::RuleId id, const Context& in, MoveEmitter::Options options, FoundMoves& out,
                          std::vector<bool>& known_legal) {
    graph_.enter(Origin::Part::When, index(id));
    FoundMoves found{{}, out.emits};
    const std::optional<Invalidation> invalidation = invalidation_of(id, in);
    if (invalidation) options.invalidation = &*invalidation;
    if (!MoveEmitter(lowering_, records_, id, options).find(in, found)) return false;
    const auto put = [&](const MoveSet& c, NodeRef set, bool sure) {
        if (graph_.is_empty(set)) return;
        if (options.counter != nullptr && options.counter->count(set, sure || program_.rules[id].ensure.empty()))
            return;
        out.move_sets.push_back(c);
        out.move_sets.back().set = set;
        known_legal.push_back(sure);
    };
    LegalityAnalysis legality(lowering_);
    for (const MoveSet& c : found.move_sets) {
        const KnownLegal known =
            invalidation ? legality.known_legal(id, c, in.with_assumed(c.assumed), *invalidation) : KnownLegal{};
        if (known.legal != no_node) put(c, graph_.and_(c.set, known.legal), true);
        put(c, legality.needs_check(c.set, known), false);
    }
    out.emits = found.emits;
    return true;
}

// Of the rule's `ensure`, if it is about the state alone.
std::optional<Invalidation> Compiler::invalidation_of(ir::RuleId id, const Context& in) {
    const ir::Rule& rule = program_.rules[id];
    if (rule.ensure.empty() || rule.chance || program_.turn || !lowering_.is_about_state(rule.ensure))
        return std::nullopt;
    Context state = in;
    return find_invalidation(graph_, *out_.layout, program_, lowering_.clauses(rule.ensure, state));
}

NumberCode Compiler::number(ir::ExprId e, const Context& in) {
    const NodeRef value = lowering_.eval(e, in);
    NumberCode result;
    result.entry = graph_.finish({&value, 1}, 0);
    result.reg = graph_.reg_of(value);
    result.real = program_.types.kind(program_.exprs[e].type) == ir::TypeKind::Real;
    return result;
}

// The routines of a turn plan.
bool Compiler::plan() {
    const ir::TurnPlan& plan = *program_.turn;
    out_.steps.resize(program_.rules.size());
    out_.most.resize(plan.chains.size());
    out_.sums.assign(plan.chains.size(), std::vector<std::vector<NumberCode>>(program_.rules.size()));
    for (std::uint32_t player = 0; player < players(); ++player) {
        const Context in{.me = player};
        for (std::size_t r = 0; r < program_.rules.size(); ++r) {
            if (program_.rules[static_cast<ir::RuleId>(r)].chance) continue;
            graph_.begin();
            std::vector<NodeRef> roots;
            FindCode& code = out_.steps[r].emplace_back();
            const NodeRef possible = lowering_.common_condition(program_.rules[static_cast<ir::RuleId>(r)], in);
            graph_.return_if(graph_.not_(possible), FindCode::nothing);
            if (!find_rule(static_cast<ir::RuleId>(r), in, {.early_exit = FindCode::nothing}, code, roots))
                return fail("the conditions of a step");
            finish_find(code, roots);
        }
        graph_.enter(Origin::Part::Turn, 0);
        for (std::size_t c = 0; c < plan.chains.size(); ++c) {
            graph_.begin();
            if (valid(plan.chains[c].most)) out_.most[c].push_back(number(plan.chains[c].most, in));
            for (std::size_t r = 0; r < plan.chains[c].most_sum.size(); ++r) {
                if (!valid(plan.chains[c].most_sum[r])) continue;
                graph_.begin();
                const auto id = static_cast<ir::RuleId>(r);
                out_.sums[c][r].push_back(number(plan.chains[c].most_sum[r], with_lets(id, false, parameters(id, in))));
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
    return ok("the turn");
}

// What the plan does when the steps have been made.
bool Compiler::plan_effects(std::uint32_t player) {
    Context in{.me = player};
    Effects effects(lowering_, out_.code);
    return std::ranges::all_of(program_.turn->then, [&](const ir::Block& block) { return effects.block(block, in); });
}

void Compiler::bound_parameter(NodeRef value, ir::TypeId type) {
    if (const ir::Type& t = program_.types[type]; t.kind == ir::TypeKind::Int)
        graph_.bound(value, t.lo, t.hi);
    else if (t.kind == ir::TypeKind::Site || t.kind == ir::TypeKind::Dir)
        graph_.bound(value, 0, std::int64_t{out_.layout->shape(type).bits} - 1);
}

Context Compiler::parameters(ir::RuleId id, const Context& in) {
    Context bound = in;
    const ir::Rule& rule = program_.rules[id];
    for (std::size_t p = 0; p < rule.params.size(); ++p) {
        const NodeRef param = graph_.fixed(out_.rules[index(id)].params[p], 1);
        const ir::TypeId type = program_.vars[rule.params[p]].type;
        bound_parameter(param, type);
        bound = lowering_.bind_node(rule.params[p], param, bound);
    }
    return bound;
}

Context Compiler::with_lets(ir::RuleId id, bool kept, Context in) {
    for (const ir::Clause& clause : program_.rules[id].when) {
        if (!valid(clause.bind)) continue;
        in = kept ? lowering_.bind_kept(clause, in) : lowering_.bind(clause.bind, clause.expr, in, in);
    }
    return in;
}

Entry Compiler::apply(ir::RuleId id, std::uint32_t player, bool trial) {
    graph_.begin();
    return effects(id, parameters(id, Context{.me = player}), trial) ? graph_.finish({}, 0) : no_entry;
}

// Whether the effects of the rule are only worked out in states that no end clause holds in: `ensure` may be asked of
// others, and a turn plan asks the ends before its first step only.
bool Compiler::only_when_open(ir::RuleId id) const {
    if (!program_.rules[id].ensure.empty()) return false;
    if (!program_.turn || program_.rules[id].chance) return true;
    std::size_t places = 0;
    for (const ir::PlanChain& chain : program_.turn->chains)
        places += static_cast<std::size_t>(std::ranges::count(chain.steps, id, &ir::PlanStep::rule));
    return places == 1 && std::ranges::any_of(out_.openings, [&](const TurnOpening& l) {
               return l.rule == id && (l.whole || valid(l.then));
           });
}

// Takes it that the condition doesn't hold: a number isn't the last of its range.
void Compiler::suppose_not(ir::ExprId condition) {
    const ir::Expr& x = program_.exprs[condition];
    if (x.op == ir::Op::Or) {
        for (ir::ExprId part : program_.arguments(condition)) suppose_not(part);
        return;
    }
    if (x.op != ir::Op::Eq) return;
    const ir::Expr &number = program_.exprs[program_.argument(condition, 0)],
                   &value = program_.exprs[program_.argument(condition, 1)];
    if (number.op != ir::Op::StateGet || value.op != ir::Op::Const) return;
    const auto id = static_cast<ir::StateId>(number.imm);
    const ir::Type& type = program_.types[program_.states[id].value];
    const VariableLayout& at = out_.layout->variable(id);
    if (type.kind == ir::TypeKind::Int && program_.states[id].assigned && at.storage == Storage::Word &&
        value.imm == type.hi)
        graph_.bound(graph_.place(at.reg, 1), type.lo, type.hi - 1);
}

bool Compiler::effects(ir::RuleId id, Context in, bool trial, bool known_legal) {
    const ir::Rule& rule = program_.rules[id];
    graph_.enter(Origin::Part::Then, index(id));
    if (only_when_open(id))
        for (const ir::EndClause& end : program_.ends) suppose_not(end.condition);
    in = with_lets(id, true, in);
    Effects effects(lowering_, out_.code);
    if (trial) effects.cut_to_range();
    // Conditions `p in S` are facts about the state before the move.
    for (const ir::Clause& clause : rule.when) {
        if (valid(clause.bind) || program_.exprs[clause.expr].op != ir::Op::In) continue;
        const ir::ExprId member = program_.argument(clause.expr, 0);
        if (program_.exprs[member].op != ir::Op::Var) continue;
        effects.know(lowering_.eval(member, in), lowering_.eval(program_.argument(clause.expr, 1), in));
    }
    for (const ir::Block& block : rule.then) {
        if (!effects.block(block, in)) {
            if (why.empty()) why = "the effects of `" + rule.name + "`";
            return false;
        }
        // The first block is asked of the state as it stood.
        if (unsettles_ && &block == &rule.then[0]) graph_.effect(Family::Settle, 1, 0, {no_node, no_node, no_node}, 0);
    }
    graph_.enter(Origin::Part::Ensure, index(id));
    if (!rule.ensure.empty() && !known_legal) graph_.return_if(graph_.not_(lowering_.clauses(rule.ensure, in)), 1);
    return true;
}

bool Compiler::rule(ir::RuleId id) {
    const ir::Rule& rule = program_.rules[id];
    RuleCode& code = out_.rules[index(id)];
    code.ensures = !rule.ensure.empty();
    for (std::size_t p = 0; p < rule.params.size(); ++p) code.params.push_back(graph_.fresh(1));
    for (std::uint32_t player = 0; player < players(); ++player) {
        const std::size_t first = out_.code.instrs.size();
        code.apply.push_back(apply(id, player, false));
        bool ranges = false;
        for (std::size_t i = first; i < out_.code.instrs.size(); ++i) {
            code.checks = code.checks || is_check(out_.code.instrs[i].op);
            ranges = ranges || out_.code.instrs[i].op == Opcode::CheckRange;
        }
        if (code.apply.back() == no_entry || !ok("the effects of `" + rule.name + "`")) return false;
        code.trial.push_back(code.ensures && ranges ? apply(id, player, true) : code.apply.back());
        if (!rule.chance || !valid(rule.weight)) continue;
        graph_.begin();
        graph_.enter(Origin::Part::Weight, index(id));
        code.weight.push_back(number(rule.weight, with_lets(id, false, parameters(id, Context{.me = player}))));
        if (!ok("the weight of `" + rule.name + "`")) return false;
    }
    return true;
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

// Whether the history is asked about after some effects of a move, so that it matters that they have been made.
bool Compiler::asks_within_moves() {
    if (program_.keys.empty() || program_.turn) return !program_.keys.empty();
    return std::ranges::any_of(program_.rules, [&](const ir::Rule& rule) {
        return rule.then.size() > 1 || std::ranges::any_of(rule.ensure, [&](const ir::Clause& clause) {
                   return lowering_.asks_history(clause.expr);
               });
    });
}

bool Compiler::all(bool walks) {
    out_.code.main_width = out_.layout->main_words();
    out_.code.turn_reg = out_.layout->turn();
    out_.code.turned_reg = graph_.fresh(1);
    fixed_parts();
    unsettles_ = asks_within_moves();
    out_.rules.resize(program_.rules.size());
    for (std::uint32_t p = 0; p < players(); ++p) {
        if (!program_.turn && !(find(p, false, out_.moves.emplace_back()) && count(p, out_.counts.emplace_back())))
            return fail("the conditions of the moves");
        if (!find(p, true, out_.chances.emplace_back())) return fail("the conditions of chance");
        ends(p);
        if (!ok("the end of the game")) return false;
        graph_.enter(Origin::Part::Eval, 0);
        if (!program_.evals.empty()) out_.evals.push_back(reals(program_.evals, p));
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
    const std::size_t routines = out_.code.routines.size(), first = out_.code.instrs.size();
    if (!play()) return fail("random play");
    out_.code.routines.resize(routines); // what was finished there are parts of one
    const PlayCode& play = out_.play;
    std::vector<std::pair<Reg, std::uint16_t>> results = {
        {play.random, 4}, {play.left, 1}, {play.games, 1}, {play.begun, 1}};
    const auto begin = out_.code.instrs.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::any_of(begin, out_.code.instrs.end(), [](const Instr& i) { return is_check(i.op); })) {
        results.emplace_back(play.drawn, 2);
        results.emplace_back(play.before, static_cast<std::uint16_t>(out_.layout->state_words()));
    }
    for (const Entry entry : play.entries) out_.code.routines.push_back({entry, results, {play.games, play.begun}});
    if (!ok("the payoffs")) return false;
    if (walks && !walk_lines()) return false;
    for (std::size_t k = 0; k < records_.size(); ++k)
        out_.records.push_back(record_code(program_, *out_.layout, out_.code.shapes[k], records_[k]));
    return why.empty();
}

// Nothing depends on this but speed.
bool Compiler::walk_lines() {
    lowering_.renew_budget();
    walks_failed = !walk() || lowering_.failed() || graph_.overflow();
    return !walks_failed;
}

namespace {

std::unique_ptr<Compiled> attempt(const std::shared_ptr<const ir::Program>& program, bool& walks, std::string& why,
                                  DebugInfo* debug_info) {
    auto result = compiled_of(program, {});
    if (result->layout->state_words() > frame_words / 2) {
        why = "the size of the state";
        walks = false;
        return nullptr;
    }
    Compiler compiler(*result, debug_info);
    if (compiler.all(walks)) return result;
    walks = compiler.walks_failed;
    why = compiler.why.empty() ? "the program" : compiler.why;
    return nullptr;
}

} // namespace

std::unique_ptr<Compiled> compiled_of(std::shared_ptr<const ir::Program> program, CompiledParts parts) {
    auto result = std::make_unique<Compiled>();
    static_cast<CompiledParts&>(*result) = std::move(parts);
    result->layout = std::make_unique<StateLayout>(*program);
    result->vm = vm_for(result->layout->main_words());
    result->program = std::move(program);
    return result;
}

std::unique_ptr<Compiled> compile(std::shared_ptr<const ir::Program> program, std::string& why, DebugInfo* debug_info) {
    const DebugInfo before = debug_info != nullptr ? *debug_info : DebugInfo{};
    bool walks = true;
    auto result = attempt(program, walks, why, debug_info);
    // Where there is no room for that code, lines are walked by states and lists.
    if (!result && walks) {
        if (debug_info != nullptr) *debug_info = before;
        walks = false;
        why.clear();
        result = attempt(program, walks, why, debug_info);
    }
    if (!result) return nullptr;
    if (debug_info != nullptr) {
        // What was built and given up again left notes, too.
        const std::vector<Instr>& instrs = result->code.instrs;
        debug_info->origins.resize(instrs.size());
        std::erase_if(debug_info->loops, [&](const DebugInfo::Loop& loop) {
            return loop.back >= instrs.size() || instrs[loop.back].op != Opcode::Jump ||
                   static_cast<std::size_t>(instrs[loop.back].imm) != loop.top;
        });
    }
    return result;
}

} // namespace zug::run
