#include "ir/verify.hpp"

#include "ir/print.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::ir {

namespace {

// Loops over args and functions could make printing endless, so findings about a node name it by number only.
class Verifier {
public:
    explicit Verifier(const Program& program) : program_(program) {}

    std::vector<std::string> run();

private:
    template <class... Args>
    void fail(fmt::format_string<Args...> pattern, Args&&... args) {
        if (findings_.size() < 100) findings_.push_back(fmt::format(pattern, std::forward<Args>(args)...));
    }

    void expr(ExprId id);
    bool immediate(ExprId id);
    void node(ExprId id);
    void arithmetic(ExprId id);
    void sets(ExprId id);
    void binder(ExprId id);
    void path(ExprId id);
    void scalars(ExprId id);
    void map_get(ExprId id);
    void tuple(ExprId id);
    void call(ExprId id);
    void can(ExprId id);

    void states();
    void rules();
    void clauses(const std::vector<Clause>& list, std::string_view where);
    void block(const Block& b);
    void effect(EffectId id);
    void places(EffectId id);
    void turn();
    void ends();

    TypeId type(ExprId id) const { return program_.exprs[id].type; }
    TypeKind kind(TypeId id) const { return program_.types.kind(id); }
    TypeKind kind(ExprId id) const { return kind(type(id)); }
    ExprId arg(ExprId id, std::size_t i) const { return program_.argument(id, i); }
    TypeId stripped(TypeId id) const { return kind(id) == TypeKind::Optional ? program_.types.inner(id) : id; }
    bool scalar(TypeId id) const;
    // Whether values of type a may stand where b is expected: ints and optionals are checked when the program runs.
    bool fits(TypeId a, TypeId b) const;
    void expect(ExprId id, std::size_t i, TypeKind wanted);
    void expect_fit(ExprId id, TypeId from, TypeId to);
    bool good(ExprId id, std::string_view where, TypeKind wanted);

    const Program& program_;
    std::vector<std::string> findings_;
};

bool Verifier::scalar(TypeId id) const {
    const TypeKind k = kind(id);
    return k != TypeKind::Real && k != TypeKind::Set && k != TypeKind::Path;
}

bool Verifier::fits(TypeId a, TypeId b) const {
    a = stripped(a);
    b = stripped(b);
    if (a == b) return true;
    if (kind(a) == TypeKind::None) return scalar(b);
    if (kind(b) == TypeKind::None) return scalar(a);
    return kind(a) == TypeKind::Int && kind(b) == TypeKind::Int;
}

void Verifier::expect(ExprId id, std::size_t i, TypeKind wanted) {
    if (kind(stripped(type(arg(id, i)))) != wanted)
        fail("expr {} ({}): argument {} has type {}", index(id), op_text(program_.exprs[id].op), i,
             type_text(program_, type(arg(id, i))));
}

void Verifier::expect_fit(ExprId id, TypeId from, TypeId to) {
    if (!fits(from, to))
        fail("expr {} ({}): type {} does not fit {}", index(id), op_text(program_.exprs[id].op),
             type_text(program_, from), type_text(program_, to));
}

bool Verifier::good(ExprId id, std::string_view where, TypeKind wanted) {
    if (index(id) >= program_.exprs.size()) {
        fail("{}: no expression {}", where, index(id));
        return false;
    }
    if (kind(stripped(type(id))) == wanted) return true;
    fail("{}: type {}", where, type_text(program_, type(id)));
    return false;
}

// Whether the immediate is an id in range.
bool Verifier::immediate(ExprId id) {
    const Expr& e = program_.exprs[id];
    auto below = [&](std::size_t size) { return e.imm >= 0 && static_cast<std::size_t>(e.imm) < size; };
    switch (e.op) {
    case Op::SetConst: return below(program_.set_consts.size());
    case Op::Var:
    case Op::Let:
    case Op::SetOf:
    case Op::UnionOver:
    case Op::Exists:
    case Op::ForAll:
    case Op::SumOver:
    case Op::MinOver:
    case Op::MaxOver:
    case Op::PathOver: return below(program_.vars.size());
    case Op::StateGet:
    case Op::MapGet: return below(program_.states.size());
    case Op::Earlier: return below(program_.keys.size());
    case Op::Call: return below(program_.functions.size());
    case Op::Can: return below(program_.rules.size());
    case Op::Table:
        return kind(id) == TypeKind::Path &&
               below(program_.boards[static_cast<BoardId>(program_.types[e.type].ref)].steps.size());
    default: return true;
    }
}

void Verifier::expr(ExprId id) {
    const Expr& e = program_.exprs[id];
    if (static_cast<std::size_t>(e.first_arg) + e.arg_count > program_.args.size()) {
        fail("expr {}: arguments out of range", index(id));
        return;
    }
    if (op_arity(e.op) >= 0 && e.arg_count != static_cast<std::uint32_t>(op_arity(e.op))) {
        fail("expr {} ({}): {} arguments", index(id), op_text(e.op), e.arg_count);
        return;
    }
    for (auto argument : program_.arguments(id)) {
        if (index(argument) < program_.exprs.size()) continue;
        fail("expr {} ({}): argument out of range", index(id), op_text(e.op));
        return;
    }
    if (!immediate(id)) {
        fail("expr {} ({}): immediate {} out of range", index(id), op_text(e.op), e.imm);
        return;
    }
    node(id);
}

void Verifier::node(ExprId id) {
    const Expr& e = program_.exprs[id];
    switch (e.op) {
    case Op::Const:
        if (!program_.types.ordinal(e.type, e.imm)) fail("expr {}: constant {} outside its type", index(id), e.imm);
        break;
    case Op::SetConst:
        if (kind(id) != TypeKind::Set || program_.set_consts[static_cast<SetConstId>(e.imm)].size() !=
                                             program_.types.cardinality(program_.types.inner(e.type)))
            fail("expr {}: set constant of another size", index(id));
        break;
    case Op::Var: expect_fit(id, program_.vars[static_cast<VarId>(e.imm)].type, e.type); break;
    case Op::MapGet: map_get(id); break;
    case Op::StateGet:
        if (!program_.states[static_cast<StateId>(e.imm)].indices.empty())
            fail("expr {}: map without index", index(id));
        break;
    case Op::Not: expect(id, 0, TypeKind::Bool); break;
    case Op::And:
    case Op::Or:
        for (std::size_t i = 0; i < e.arg_count; ++i) expect(id, i, TypeKind::Bool);
        break;
    case Op::If:
        expect(id, 0, TypeKind::Bool);
        expect_fit(id, type(arg(id, 1)), e.type);
        expect_fit(id, type(arg(id, 2)), e.type);
        break;
    case Op::Let:
        expect_fit(id, type(arg(id, 0)), program_.vars[static_cast<VarId>(e.imm)].type);
        expect_fit(id, type(arg(id, 1)), e.type);
        break;
    case Op::Call: call(id); break;
    case Op::Can: can(id); break;
    default: arithmetic(id); break;
    }
}

void Verifier::arithmetic(ExprId id) {
    const Expr& e = program_.exprs[id];
    switch (e.op) {
    case Op::Eq: expect_fit(id, type(arg(id, 0)), type(arg(id, 1))); break;
    case Op::Lt:
        expect_fit(id, type(arg(id, 0)), type(arg(id, 1)));
        if (kind(arg(id, 0)) != TypeKind::Real) expect(id, 0, TypeKind::Int);
        break;
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Mod:
    case Op::Min:
    case Op::Max: expect(id, 1, kind(e.type)); [[fallthrough]];
    case Op::Neg: expect(id, 0, kind(e.type)); break;
    case Op::ToReal: expect(id, 0, TypeKind::Int); break;
    default: scalars(id); break;
    }
}

void Verifier::scalars(ExprId id) {
    const Expr& e = program_.exprs[id];
    switch (e.op) {
    case Op::MakeTuple:
    case Op::Project: tuple(id); break;
    case Op::NextPlayer:
    case Op::PrevPlayer: expect(id, 0, TypeKind::Player); break;
    case Op::SiteAt: expect(id, 1, TypeKind::Int); [[fallthrough]];
    case Op::SiteNumber:
        expect(id, 0, TypeKind::Int);
        if (kind(stripped(e.type)) != TypeKind::Site) fail("expr {}: not a site", index(id));
        break;
    case Op::CoordX:
    case Op::CoordY:
    case Op::Number: expect(id, 0, TypeKind::Site); break;
    default: sets(id); break;
    }
}

void Verifier::tuple(ExprId id) {
    const Expr& e = program_.exprs[id];
    const TypeId tuple_type = stripped(e.op == Op::MakeTuple ? e.type : type(arg(id, 0)));
    if (kind(tuple_type) != TypeKind::Tuple) return fail("expr {}: not a tuple", index(id));
    const auto& parts = program_.types[tuple_type].parts;
    if (e.op == Op::Project) {
        if (e.imm < 0 || static_cast<std::size_t>(e.imm) >= parts.size())
            return fail("expr {}: no such part", index(id));
        return expect_fit(id, parts[static_cast<std::size_t>(e.imm)], e.type);
    }
    if (parts.size() != e.arg_count) return fail("expr {}: {} parts", index(id), e.arg_count);
    for (std::size_t i = 0; i < parts.size(); ++i) expect_fit(id, type(arg(id, i)), parts[i]);
}

void Verifier::map_get(ExprId id) {
    const Expr& e = program_.exprs[id];
    const StateVariable& state = program_.states[static_cast<StateId>(e.imm)];
    if (state.indices.size() != e.arg_count) return fail("expr {}: {} indices", index(id), e.arg_count);
    for (std::size_t i = 0; i < e.arg_count; ++i) expect_fit(id, type(arg(id, i)), state.indices[i]);
    expect_fit(id, state.value, e.type);
}

void Verifier::call(ExprId id) {
    const Expr& e = program_.exprs[id];
    const Function& function = program_.functions[static_cast<FunctionId>(e.imm)];
    if (function.params.size() != e.arg_count) return fail("expr {}: {} arguments", index(id), e.arg_count);
    for (std::size_t i = 0; i < e.arg_count; ++i)
        expect_fit(id, type(arg(id, i)), program_.vars[function.params[i]].type);
    if (index(function.body) >= program_.exprs.size()) return fail("function {}: no body", function.name);
    expect_fit(id, type(function.body), e.type);
}

void Verifier::can(ExprId id) {
    const Expr& e = program_.exprs[id];
    const Rule& rule = program_.rules[static_cast<RuleId>(e.imm)];
    if (rule.params.size() + 1 != e.arg_count) return fail("expr {}: {} arguments", index(id), e.arg_count);
    expect(id, 0, TypeKind::Player);
    for (std::size_t i = 1; i < e.arg_count; ++i) {
        if (program_.exprs[arg(id, i)].op == Op::Wildcard) continue;
        expect_fit(id, type(arg(id, i)), program_.vars[rule.params[i - 1]].type);
    }
}

void Verifier::sets(ExprId id) {
    const Expr& e = program_.exprs[id];
    switch (e.op) {
    case Op::In:
        expect(id, 1, TypeKind::Set);
        if (kind(arg(id, 1)) == TypeKind::Set) expect_fit(id, type(arg(id, 0)), program_.types.inner(type(arg(id, 1))));
        break;
    case Op::Universe:
    case Op::Single:
    case Op::IntRange:
        if (kind(id) != TypeKind::Set) fail("expr {} ({}): not a set", index(id), op_text(e.op));
        break;
    case Op::Union:
    case Op::Inter:
    case Op::Diff:
        for (std::size_t i = 0; i < 2; ++i)
            if (type(arg(id, i)) != e.type || kind(id) != TypeKind::Set) expect_fit(id, type(arg(id, i)), e.type);
        break;
    case Op::Image:
        expect(id, 0, TypeKind::Set);
        expect(id, 1, TypeKind::Path);
        break;
    case Op::Retype:
    case Op::Count:
    case Op::Any:
    case Op::The: expect(id, 0, TypeKind::Set); break;
    default: binder(id); break;
    }
}

void Verifier::binder(ExprId id) {
    const Expr& e = program_.exprs[id];
    switch (e.op) {
    case Op::SetOf:
    case Op::Exists:
    case Op::ForAll: expect(id, 1, TypeKind::Bool); break;
    case Op::UnionOver:
    case Op::SumOver:
    case Op::MinOver:
    case Op::MaxOver:
    case Op::PathOver: expect_fit(id, type(arg(id, 1)), e.type); break;
    default: return path(id);
    }
    if (kind(arg(id, 0)) != TypeKind::Set) return fail("expr {} ({}): domain is no set", index(id), op_text(e.op));
    const TypeId element = program_.types.inner(type(arg(id, 0)));
    expect_fit(id, element, program_.vars[static_cast<VarId>(e.imm)].type);
    if (e.op == Op::SetOf && type(arg(id, 0)) != e.type) fail("expr {}: domain of another type", index(id));
}

void Verifier::path(ExprId id) {
    const Expr& e = program_.exprs[id];
    switch (e.op) {
    case Op::Step: expect(id, 0, TypeKind::Dir); break;
    case Op::StepsOf: expect(id, 0, TypeKind::Set); break;
    case Op::Seq:
    case Op::Alt: expect(id, 1, TypeKind::Path); [[fallthrough]];
    case Op::Converse: expect(id, 0, TypeKind::Path); break;
    case Op::Into:
        expect(id, 0, TypeKind::Path);
        expect(id, 1, TypeKind::Set);
        break;
    case Op::Power: expect(id, 2, TypeKind::Int); [[fallthrough]];
    case Op::Closure:
        expect(id, 0, TypeKind::Path);
        expect(id, 1, TypeKind::Int);
        break;
    case Op::Table: break;
    default: return;
    }
    if (kind(id) != TypeKind::Path) fail("expr {} ({}): not typed as a path", index(id), op_text(e.op));
}

void Verifier::states() {
    std::uint64_t slot = 0;
    for (std::size_t i = 0; i < program_.states.size(); ++i) {
        const auto id = static_cast<StateId>(i);
        const StateVariable& state = program_.states[id];
        std::uint64_t count = slots_per_value(program_, id);
        for (auto type : state.indices) count *= program_.types.cardinality(type);
        if (state.first_slot != slot) fail("state {}: first slot {}, expected {}", state.name, state.first_slot, slot);
        if (state.initial.size() != count) fail("state {}: {} initial slots", state.name, state.initial.size());
        const bool is_set = kind(state.value) == TypeKind::Set;
        const auto values = is_set ? 2 : program_.types.cardinality(state.value);
        if (std::ranges::any_of(state.initial, [&](auto v) { return v >= values; }))
            fail("state {}: initial slot out of range", state.name);
        slot += count;
    }
    if (slot != program_.slot_count) fail("{} slots, expected {}", program_.slot_count, slot);
    for (const HistoryKey& key : program_.keys)
        for (auto part : key.parts)
            if (index(part) >= program_.exprs.size()) fail("key: no expression {}", index(part));
}

void Verifier::clauses(const std::vector<Clause>& list, std::string_view where) {
    for (const Clause& clause : list) {
        if (!valid(clause.bind)) {
            good(clause.expr, where, TypeKind::Bool);
        } else if (index(clause.bind) >= program_.vars.size() || index(clause.expr) >= program_.exprs.size()) {
            fail("{}: bad let", where);
        } else if (!fits(type(clause.expr), program_.vars[clause.bind].type)) {
            fail("{}: let {} has another type", where, program_.vars[clause.bind].name);
        }
    }
}

void Verifier::block(const Block& b) {
    clauses(b.lets, "then");
    for (auto id : b.effects) effect(id);
}

void Verifier::places(EffectId id) {
    const Effect& e = program_.effects[id];
    if (index(e.state) >= program_.states.size()) return fail("effect {}: no state", index(id));
    const StateVariable& state = program_.states[e.state];
    if (!state.assigned) fail("effect {}: {} is not marked as assigned", index(id), state.name);
    if (index(e.value) >= program_.exprs.size() || !fits(type(e.value), state.value))
        return fail("effect {}: value does not fit {}", index(id), state.name);
    if (e.kind == EffectKind::AssignAll) return;
    if (e.kind == EffectKind::AssignSet) {
        if (e.indices.size() != 1) return fail("effect {}: {} indices", index(id), e.indices.size());
        good(e.indices.front(), "index set", TypeKind::Set);
        return;
    }
    if (e.indices.size() != state.indices.size()) return fail("effect {}: {} indices", index(id), e.indices.size());
    for (std::size_t i = 0; i < e.indices.size(); ++i)
        if (!fits(type(e.indices[i]), state.indices[i])) fail("effect {}: index {} does not fit", index(id), i);
}

void Verifier::effect(EffectId id) {
    if (index(id) >= program_.effects.size()) return fail("no effect {}", index(id));
    const Effect& e = program_.effects[id];
    switch (e.kind) {
    case EffectKind::Assign:
    case EffectKind::Add:
    case EffectKind::AssignSet:
    case EffectKind::AssignAll: return places(id);
    case EffectKind::If: good(e.value, "effect if", TypeKind::Bool); break;
    case EffectKind::For: good(e.value, "effect for", TypeKind::Set); break;
    case EffectKind::Next: good(e.value, "next", TypeKind::Player); break;
    case EffectKind::Let:
    case EffectKind::Again: break;
    }
    for (auto inner : e.yes) effect(inner);
    for (auto inner : e.no) effect(inner);
}

void Verifier::rules() {
    std::uint64_t code = 0;
    for (const Rule& rule : program_.rules) {
        std::uint64_t count = 1;
        for (auto param : rule.params) {
            if (index(param) >= program_.vars.size()) return fail("rule {}: no parameter", rule.name);
            count *= program_.types.cardinality(program_.vars[param].type);
        }
        if (rule.first_code != code || rule.code_count != count) fail("rule {}: step codes", rule.name);
        code += count;
        clauses(rule.when, rule.name);
        clauses(rule.ensure, rule.name);
        for (const Block& b : rule.then) block(b);
    }
    if (code != program_.code_count) fail("{} step codes, expected {}", program_.code_count, code);
}

void Verifier::turn() {
    if (!program_.turn) return;
    const auto& chains = program_.turn->chains;
    auto in_range = [&](const std::vector<std::uint32_t>& list) {
        return std::ranges::all_of(list, [&](auto chain) { return chain < chains.size(); });
    };
    if (!in_range(program_.turn->alternatives)) fail("turn: no such chain");
    for (const PlanChain& chain : chains) {
        for (const PlanStep& step : chain.steps)
            if (valid(step.rule) ? index(step.rule) >= program_.rules.size() : !in_range(step.group))
                fail("turn: no such step");
        if (!chain.most_sum.empty() && chain.most_sum.size() != program_.rules.size()) fail("turn: most sum");
    }
    for (const Block& b : program_.turn->then) block(b);
}

void Verifier::ends() {
    for (const EndClause& end : program_.ends) {
        good(end.condition, "end", TypeKind::Bool);
        if (end.payoffs.size() != program_.player_count()) fail("end: {} payoffs", end.payoffs.size());
        for (auto payoff : end.payoffs) good(payoff, "payoff", TypeKind::Real);
    }
    if (!program_.evals.empty() && program_.evals.size() != program_.player_count()) fail("eval: not one a player");
    for (auto eval : program_.evals) good(eval, "eval", TypeKind::Real);
    if (!program_.notations.empty() && program_.notations.size() != program_.rules.size())
        fail("notations: not one a rule");
}

std::vector<std::string> Verifier::run() {
    if (program_.players.empty()) fail("no players");
    for (std::size_t i = 0; i < program_.exprs.size(); ++i) expr(static_cast<ExprId>(i));
    for (const Function& function : program_.functions)
        if (index(function.body) >= program_.exprs.size()) fail("function {}: no body", function.name);
    states();
    rules();
    turn();
    ends();
    return std::move(findings_);
}

} // namespace

std::vector<std::string> verify(const Program& program) { return Verifier(program).run(); }

} // namespace zug::ir
