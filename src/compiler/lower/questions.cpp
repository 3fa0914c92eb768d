// Lowering of `can`, and of questions that the reference evaluator answers at run time.

#include "compiler/analysis/substitution.hpp"
#include "compiler/lower/lowering.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

NodeRef Lowering::ask_reference(ir::ExprId e, const Context& in) {
    const ir::Expr& x = expr(e);
    const Question::Kind kind = x.op == Op::Stuck     ? Question::Kind::Stuck
                                : x.op == Op::Earlier ? Question::Kind::Earlier
                                                      : Question::Kind::Evaluate;
    return ask({.kind = kind, .key = static_cast<std::uint32_t>(x.imm), .expr = e, .me = in.me}, {}, in);
}

NodeRef Lowering::ask(Question question, std::span<const NodeRef> given, const Context& in) {
    const bool of_expression = question.kind == Question::Kind::Evaluate || question.kind == Question::Kind::Can;
    if (!in.may_ask() || (of_expression && index(question.expr) >= most_asked_)) return fail();
    if (question.kind != Question::Kind::Can) record_refusal();
    std::vector<NodeRef> values;
    for (ir::VarId var : free_vars(question.expr)) {
        const Binding* b = find(var, in);
        if (b == nullptr || program_.types.kind(program_.vars[var].type) == TypeKind::Path) return fail();
        if (b->kind == Binding::Kind::Table) return fail();
        question.vars.emplace_back(var, Reg{0});
        values.push_back(b->kind == Binding::Kind::Value ? b->node : eval(b->expr, in.with_env(b->env)));
    }
    question.named = static_cast<std::uint32_t>(question.vars.size());
    for (const NodeRef value : given) {
        if (value == no_node) continue;
        question.vars.emplace_back(none_id<ir::VarId>, Reg{0});
        values.push_back(value);
    }
    const std::uint16_t width = width_of(expr(question.expr).type);
    code_.questions.push_back(std::move(question));
    return graph_.ask(static_cast<std::uint32_t>(code_.questions.size() - 1), width, std::move(values),
                      in.asked_inside);
}

// Whether a part of it is asked at run time, as far as this is known in advance.
bool Lowering::asks(ir::ExprId e, bool stuck_known) {
    auto& memo = asks_[stuck_known ? 1 : 0][index(e)];
    if (memo) return *memo;
    const ir::Expr& x = expr(e);
    bool result = (x.op == Op::Stuck && !stuck_known) || x.op == Op::Earlier ||
                  (x.op == Op::Can && !program_.rules[static_cast<ir::RuleId>(x.imm)].ensure.empty());
    if (x.op == Op::Call) {
        const ir::Function& function = program_.functions[static_cast<ir::FunctionId>(x.imm)];
        if (function.recursive) memo = false; // what its own calls are told
        result = (function.recursive && !grows(static_cast<ir::FunctionId>(x.imm))) || asks(function.body, stuck_known);
    }
    for (ir::ExprId a : program_.arguments(e)) result = asks(a, stuck_known) || result;
    memo = result;
    return result;
}

bool Lowering::asks_history(ir::ExprId e) {
    const ir::Expr& x = expr(e);
    if (x.op == Op::Stuck || x.op == Op::Earlier) return true;
    if (x.op == Op::Call) {
        const ir::Function& function = program_.functions[static_cast<ir::FunctionId>(x.imm)];
        if (function.recursive || asks_history(function.body)) return true;
    }
    if (x.op == Op::Can) {
        const ir::Rule& rule = program_.rules[static_cast<ir::RuleId>(x.imm)];
        const auto in_clause = [&](const ir::Clause& clause) { return asks_history(clause.expr); };
        if (std::ranges::any_of(rule.when, in_clause) || std::ranges::any_of(rule.ensure, in_clause)) return true;
        // Its `ensure` is evaluated after its effects.
        const auto asked_by = [&](const ir::Effect& effect) {
            return (valid(effect.value) && asks(effect.value, false)) ||
                   std::ranges::any_of(effect.indices, [&](ir::ExprId index) { return asks(index, false); });
        };
        if (!rule.ensure.empty() && std::ranges::any_of(program_.effects, asked_by)) return true;
    }
    return std::ranges::any_of(program_.arguments(e), [&](ir::ExprId a) { return asks_history(a); });
}

// A truth that is evaluated only where another one holds, in a loop of at most one round. Such loops stay nested.
NodeRef Lowering::only_where(NodeRef truth, const Context& in, const std::function<NodeRef(const Context&)>& body) {
    const NodeRef round = in.asked_inside == no_node
                              ? graph_.set({1})
                              : graph_.make(Family::Bit, 1, {in.asked_inside, no_node, no_node}, 1);
    const auto once = graph_.open_loop(Reduce::Or, graph_.bcast(truth, round), 1, graph_.word(0));
    return graph_.close_loop(once, body(in.with_asked_inside(once.var)));
}

// `and` and `or`: questions that are asked at run time come last, and only where they decide.
NodeRef Lowering::eval_logic(ir::ExprId e, const Context& in) {
    const bool all = expr(e).op == Op::And;
    const auto join = [&](NodeRef a, NodeRef b) { return all ? graph_.both(a, b) : graph_.either(a, b); };
    NodeRef result = graph_.word(all ? 1 : 0);
    for (ir::ExprId a : program_.arguments(e))
        if (!asks(a, in.stuck.has_value())) result = join(result, eval(a, in));
    for (ir::ExprId a : program_.arguments(e)) {
        if (!asks(a, in.stuck.has_value())) continue;
        if (graph_.is_constant(result)) {
            if ((graph_.constant_word(result) != 0) != all) return result;
            result = eval(a, in);
            continue;
        }
        const NodeRef asked =
            only_where(all ? result : graph_.not_(result), in, [&](const Context& inner) { return eval(a, inner); });
        result = all ? asked : graph_.either(result, asked);
    }
    return result;
}

NodeRef Lowering::eval_can(ir::ExprId e, const Context& in) {
    const auto id = static_cast<ir::RuleId>(expr(e).imm);
    const NodeRef player = eval(program_.argument(e, 0), in);
    std::vector<NodeRef> pattern;
    for (std::size_t i = 1; i < expr(e).arg_count; ++i) {
        const ir::ExprId a = program_.argument(e, i);
        pattern.push_back(expr(a).op == Op::Wildcard ? no_node : eval(a, in));
    }
    NodeRef result = graph_.word(0);
    for (std::uint32_t p = 0; p < program_.player_count(); ++p) {
        const NodeRef chosen = graph_.op(Family::Eq, player, graph_.word(p));
        if (graph_.is_constant(chosen) && graph_.constant_word(chosen) == 0) continue;
        const NodeRef possible = graph_.both(chosen, can_for(e, in.with_me(p).without_names(), pattern));
        const bool decided =
            program_.rules[id].ensure.empty() || (graph_.is_constant(possible) && graph_.constant_word(possible) == 0);
        result = graph_.either(result, decided ? possible : some_legal(e, p, pattern, possible, in));
    }
    return result;
}

// `ensure` is evaluated only if there are moves that meet all other conditions. The history is the reference
// evaluator's: a trial does not record positions.
NodeRef Lowering::some_legal(ir::ExprId e, std::uint32_t player, std::span<const NodeRef> pattern, NodeRef possible,
                             const Context& in) {
    const auto ask_either = [&](const Context& inner) {
        if (asks_history(e)) return ask_reference(e, inner);
        const auto key = can_request({static_cast<ir::RuleId>(expr(e).imm), player, {}}, pattern);
        return ask({.kind = Question::Kind::Can, .key = key, .expr = e, .me = in.me}, pattern, inner);
    };
    if (!in.may_ask() || graph_.is_constant(possible)) return ask_either(in);
    return only_where(possible, in, ask_either);
}

std::uint32_t Lowering::can_request(CanRequest request, std::span<const NodeRef> pattern) {
    for (const NodeRef value : pattern) request.given.push_back(value != no_node);
    const auto at = std::ranges::find(can_requests_, request);
    const auto number = static_cast<std::uint32_t>(at - can_requests_.begin());
    if (at == can_requests_.end()) can_requests_.push_back(std::move(request));
    return number;
}

// Whether this player has an instance of the rule with the given parameters.
NodeRef Lowering::can_for(ir::ExprId e, const Context& player, std::span<const NodeRef> pattern) {
    const ir::Rule& rule = program_.rules[static_cast<ir::RuleId>(expr(e).imm)];
    Context in = player;
    NodeRef possible = graph_.word(1);
    bool all_given = true;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        all_given = all_given && pattern[i] != no_node;
        if (pattern[i] == no_node) continue;
        in = bind_node(rule.params[i], pattern[i], in);
        // No move has a parameter that is none, or a number out of range.
        const ir::Type& wanted = program_.types[program_.vars[rule.params[i]].type];
        const NodeRef wrong = wanted.kind == TypeKind::Int
                                  ? graph_.either(graph_.op(Family::Lt, pattern[i], graph_.word(wanted.lo)),
                                                  graph_.op(Family::Lt, graph_.word(wanted.hi), pattern[i]))
                                  : graph_.op(Family::Eq, pattern[i], graph_.word(ir::none));
        possible = graph_.both(possible, graph_.not_(wrong));
    }
    if (all_given) return graph_.both(possible, clauses(rule.when, in));
    std::vector<MoveSet> found;
    if (!move_sets(rule, in, found)) return graph_.both(possible, eval(can_conditions_.at(index(e)), in));
    NodeRef some = graph_.word(0);
    for (const MoveSet& c : found) some = graph_.either(some, graph_.any(c.set));
    return graph_.both(possible, some);
}

bool Lowering::is_about_state(const std::vector<ir::Clause>& list) {
    std::vector<ir::VarId> bound;
    for (const ir::Clause& clause : list) {
        for (ir::VarId v : free_vars(clause.expr))
            if (std::ranges::find(bound, v) == bound.end()) return false;
        if (valid(clause.bind)) bound.push_back(clause.bind);
    }
    return true;
}

// -- definitions of sets that use themselves
//
// Their meaning is the least set that satisfies them, which is grown from the empty one: since more of the one only
// means more of the other, each round of the body adds members until none is new (A. Tarski, A lattice-theoretical
// fixpoint theorem and its applications, 1955).

// All others are left to the reference evaluator.
NodeRef Lowering::eval_recursive(ir::ExprId e, const Context& in) {
    const auto id = static_cast<ir::FunctionId>(expr(e).imm);
    for (const Recursion* r = in.recursion; r != nullptr; r = r->outer)
        if (r->function == id && kind(e) == TypeKind::Set) return r->value;
    if (const EntryRecursion* const about = entry_recursion(id); about != nullptr)
        if (const NodeRef found = eval_entry_recursion({e, in}, *about); found != no_node) return found;
    if (!grows(id)) return ask_reference(e, in);
    const std::optional<WordsHash> key = key_of_call({e, in});
    if (key)
        if (const auto known = memo_.find(*key); known != memo_.end() && graph_.visible(known->second))
            return known->second;
    const ir::Function& function = program_.functions[id];
    const Context inner = inside_call({e, in});
    const std::uint16_t width = width_of(expr(e).type);
    const auto open = graph_.open_loop(Reduce::Grow, no_node, width, empty(width));
    const Recursion now{id, open.var, in.recursion};
    const NodeRef body = eval(function.body, inner.with_recursion(&now));
    if (is_sum_of_calls(function.body)) graph_.grow_by_new(open);
    const NodeRef grown = graph_.close_loop(open, body);
    if (key && !failed()) memo_.insert_or_assign(*key, grown);
    return grown;
}

// What calls of a definition with equal results have in common, wherever they are. Nothing: it is not known.
std::optional<WordsHash> Lowering::key_of_call(const Scoped& call) {
    WordsHasher hasher = hasher_of(call);
    for (const ir::ExprId given : program_.arguments(call.expr)) {
        if (depends(given, call.in) || kind(given) == TypeKind::Path) return std::nullopt;
        hasher.add(static_cast<std::uint64_t>(eval(given, call.in)));
    }
    return hasher.done();
}

// Of all but the arguments.
WordsHasher Lowering::hasher_of(const Scoped& call) const {
    WordsHasher hasher;
    hasher.add(UINT64_MAX); // no expression, as in memo_key
    hasher.add(static_cast<std::uint64_t>(expr(call.expr).imm));
    hasher.add(call.in.me);
    hasher.add(graph_.stamp());
    hasher.add(call.in.stuck ? 1 : 0); // as in memo_key
    hasher.add(call.in.recursion == nullptr ? 0 : static_cast<std::uint64_t>(call.in.recursion->value));
    hash_assumptions(call.in, hasher);
    return hasher;
}

Context Lowering::inside_call(const Scoped& call) {
    const ir::Function& function = program_.functions[static_cast<ir::FunctionId>(expr(call.expr).imm)];
    Context inner = call.in.without_names();
    for (std::size_t i = 0; i < function.params.size(); ++i)
        inner = bind(function.params[i], program_.argument(call.expr, i), call.in, inner);
    return inner;
}

const EntryRecursion* Lowering::entry_recursion(ir::FunctionId id) {
    auto& known = entry_recursions_[index(id)];
    if (!known) {
        known = run::entry_recursion(program_, id);
        if (*known && !layout_.variable((*known)->matrix).matrix) known->reset();
    }
    return *known ? &**known : nullptr;
}

// Of one entry: whether it is among those. Of what is no entry: whether an alternative holds that needs none.
NodeRef Lowering::eval_entry_recursion(const Scoped& call, const EntryRecursion& about) {
    const NodeRef entries = grown_entries(call, about);
    if (entries == no_node) return no_node;
    std::vector<NodeRef> indices;
    for (const std::size_t i : about.indices) indices.push_back(eval(program_.argument(call.expr, i), call.in));
    const NodeRef number = entry_number(about.matrix, indices);
    NodeRef result = graph_.make(Family::Test, graph_.width(entries), {number, entries, no_node},
                                 static_cast<std::int32_t>(layout_.variable(about.matrix).slots));
    const NodeRef is_outside = graph_.op(Family::Lt, number, graph_.word(0));
    for (const ir::ExprId part : about.outside)
        result = graph_.either(result, graph_.both(is_outside, eval(part, inside_call(call))));
    return result;
}

NodeRef Lowering::grown_entries(const Scoped& call, const EntryRecursion& about) {
    const auto id = static_cast<ir::FunctionId>(expr(call.expr).imm);
    for (const Recursion* r = call.in.recursion; r != nullptr; r = r->outer)
        if (r->function == id) return r->value;
    const ir::Function& function = program_.functions[id];
    Context inner = call.in.without_names();
    WordsHasher hasher = hasher_of(call);
    for (std::size_t i = 0; i < function.params.size(); ++i) {
        if (std::ranges::find(about.indices, i) != about.indices.end()) continue;
        const ir::ExprId given = program_.argument(call.expr, i);
        if (depends(given, call.in) || kind(given) == TypeKind::Path) return no_node;
        const NodeRef value = eval(given, call.in);
        hasher.add(static_cast<std::uint64_t>(value));
        inner = bind_node(function.params[i], value, inner);
    }
    const WordsHash key = hasher.done();
    if (const auto known = memo_.find(key); known != memo_.end() && graph_.visible(known->second)) return known->second;
    std::vector<ir::VarId> vars;
    for (const std::size_t i : about.indices) vars.push_back(function.params[i]);
    EntryLift lifted = entry_lift(about.matrix);
    for (std::size_t v = 0; v < vars.size(); ++v) inner = bind_table(vars[v], std::move(lifted.values[v]), inner);
    const std::uint16_t width = lifted.lift.shape.words;
    const auto open = graph_.open_loop(Reduce::Grow, no_node, width, empty(width));
    const Recursion now{id, open.var, call.in.recursion};
    const NodeRef truth = lift_truth(function.body, inner.with_recursion(&now), lifted.lift);
    const NodeRef grown = graph_.close_loop(open, truth == no_node ? empty(width) : truth);
    if (truth == no_node) return no_node;
    if (!failed()) memo_.insert_or_assign(key, grown);
    return grown;
}

// Whether it is a set whose calls of itself are all about the same arguments.
bool Lowering::grows(ir::FunctionId id) {
    std::optional<bool>& known = grows_[index(id)];
    if (!known) {
        const ir::ExprId body = program_.functions[id].body;
        known = kind(body) == TypeKind::Set && calls_itself_only(id, body);
    }
    return *known;
}

bool Lowering::recurs(ir::ExprId e) const {
    const ir::Expr& x = expr(e);
    return (x.op == Op::Call && program_.functions[static_cast<ir::FunctionId>(x.imm)].recursive) ||
           std::ranges::any_of(program_.arguments(e), [&](ir::ExprId part) { return recurs(part); });
}

// Whether a definition that calls itself is asked, also by other definitions. `met`: those that are known not to.
bool Lowering::asks_recursive(ir::ExprId e, std::set<ir::FunctionId>& met) const {
    const ir::Expr& x = expr(e);
    if (x.op == Op::Call) {
        const ir::Function& called = program_.functions[static_cast<ir::FunctionId>(x.imm)];
        if (called.recursive) return true;
        if (met.insert(static_cast<ir::FunctionId>(x.imm)).second && asks_recursive(called.body, met)) return true;
    }
    return std::ranges::any_of(program_.arguments(e), [&](ir::ExprId part) { return asks_recursive(part, met); });
}

// Whether what the body of a recursive definition makes of a union of two results of its calls is the union of what it
// makes of each, and of what it has without them; of a condition, whether it holds of a union where it does of a part.
bool Lowering::is_sum_of_calls(ir::ExprId e) const {
    if (!recurs(e)) return true;
    const auto is_sum = [&](ir::ExprId part) { return is_sum_of_calls(part); };
    const auto args = program_.arguments(e);
    switch (expr(e).op) {
    case Op::Call: return true;
    case Op::Union:
    case Op::Or: return std::ranges::all_of(args, is_sum);
    case Op::Inter:
    case Op::And:
    case Op::SetOf:
    case Op::UnionOver:
    case Op::Exists:
        return std::ranges::count_if(args, [&](ir::ExprId part) { return recurs(part); }) == 1 &&
               std::ranges::all_of(args, is_sum);
    case Op::Diff:
    case Op::Image: return is_sum(args[0]) && !recurs(args[1]);
    case Op::If: return !recurs(args[0]) && is_sum(args[1]) && is_sum(args[2]);
    case Op::Let:
    case Op::In: return !recurs(args[0]) && is_sum(args[1]);
    case Op::Any: return is_sum(args[0]);
    default: return false;
    }
}

bool Lowering::calls_itself_only(ir::FunctionId id, ir::ExprId e) {
    const ir::Expr& x = expr(e);
    if (x.op == Op::Call && program_.functions[static_cast<ir::FunctionId>(x.imm)].recursive)
        return calls_alike(program_, e, id);
    return std::ranges::all_of(program_.arguments(e), [&](ir::ExprId part) { return calls_itself_only(id, part); });
}

} // namespace zug::run
