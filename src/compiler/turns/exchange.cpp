#include "compiler/turns/exchange.hpp"

#include "compiler/analysis/block_effects.hpp"
#include "compiler/analysis/substitution.hpp"

#include <algorithm>
#include <span>

namespace zug::run {
namespace {

using ir::EffectKind;
using ir::ExprId;
using ir::Op;
using ir::VarId;

// The operands of an operation, those of the same operation below it among them if brackets make no difference.
void add_operands(const ir::Program& program, ExprId e, std::vector<ExprId>& all) {
    const Op op = program.exprs[e].op;
    const bool any_brackets = op == Op::And || op == Op::Or || op == Op::Add || op == Op::Union || op == Op::Inter;
    for (const ExprId a : program.arguments(e)) {
        // A \ x \ y: A, x and y.
        if (program.exprs[a].op == op && (any_brackets || (op == Op::Diff && a == program.argument(e, 0))))
            add_operands(program, a, all);
        else
            all.push_back(a);
    }
}

// Whether two expressions are equal but for the order of operands that have none.
bool equal(const ir::Program& program, ExprId a, ExprId b) {
    const ir::Expr &x = program.exprs[a], &y = program.exprs[b];
    if (x.op != y.op || x.imm != y.imm || x.type != y.type) return false;
    const bool any_order = x.op == Op::And || x.op == Op::Or || x.op == Op::Eq || x.op == Op::Add || x.op == Op::Mul ||
                           x.op == Op::Union || x.op == Op::Inter;
    const auto same = [&](ExprId of_a, ExprId of_b) { return equal(program, of_a, of_b); };
    std::vector<ExprId> ours, theirs;
    add_operands(program, a, ours);
    add_operands(program, b, theirs);
    if (any_order) return std::ranges::is_permutation(ours, theirs, same);
    if (x.op == Op::Diff)
        return same(ours[0], theirs[0]) &&
               std::ranges::is_permutation(std::span(ours).subspan(1), std::span(theirs).subspan(1), same);
    return std::ranges::equal(ours, theirs, same);
}

// A condition, or its opposite.
struct Literal {
    ExprId e;
    bool holds;
};

class Exchange {
public:
    Exchange(ir::Program& program, const TwoSteps& two)
        : program_(program), two_(two), builder_(program), as_is_(program, false), exchanged_(program, false) {
        for (std::size_t i = 0; i < two.first.size(); ++i) {
            const ExprId a = variable(two.first[i]), b = variable(two.second[i]);
            as_is_.name(two.first[i], a);
            as_is_.name(two.second[i], b);
            exchanged_.name(two.first[i], b);
            exchanged_.name(two.second[i], a);
        }
    }

    ExchangeOrder order() {
        Literals when, ensure;
        if (!note(two_.conditions, when) || !differ(when.as_is)) return {};
        if (!note(two_.ensure, ensure) || !missing(ensure).empty() || !effects_commute()) return {};
        const ExprId a = ordinal(two_.first[0]), b = ordinal(two_.second[0]);
        if (!valid(a)) return {};
        const ExprId ascending = builder_.make(Op::Lt, program_.types.boolean(), 0, {a, b}, {});
        const std::vector<ExprId> others = missing(when);
        if (others.empty()) return {ascending, true};
        const ExprId possible = builder_.junction(Op::And, others, {});
        return {builder_.junction(Op::Or, {ascending, builder_.not_(possible)}, {}), false};
    }

private:
    ExprId variable(VarId var) {
        return builder_.make(Op::Var, program_.vars[var].type, static_cast<std::int64_t>(index(var)), {}, {});
    }

    // A number that grows with the ordinal of the variable's value.
    ExprId ordinal(VarId var) {
        const ir::TypeId type = program_.vars[var].type;
        switch (program_.types.kind(type)) {
        case ir::TypeKind::Int: return variable(var);
        case ir::TypeKind::Site:
            return builder_.make(Op::Number,
                                 program_.types.integer(0, static_cast<std::int64_t>(program_.types.cardinality(type))),
                                 0, {variable(var)}, {});
        default: return none_id<ExprId>;
        }
    }

    // -- conditions

    struct Literals {
        std::vector<Literal> as_is, exchanged;
    };

    bool note(const std::vector<ir::Clause>& clauses, Literals& all) {
        for (const ir::Clause& clause : clauses) {
            const ExprId e = as_is_(clause.expr), x = exchanged_(clause.expr);
            if (!valid(e) || !valid(x)) return false;
            if (valid(clause.bind)) {
                as_is_.name(clause.bind, e);
                exchanged_.name(clause.bind, x);
            } else if (!add(e, true, all.as_is) || !add(x, true, all.exchanged)) {
                return false;
            }
        }
        return true;
    }

    // What must hold besides the conditions for them to hold for the exchanged parameters.
    std::vector<ExprId> missing(const Literals& all) {
        std::vector<ExprId> missing;
        for (const Literal& exchanged : all.exchanged)
            if (std::ranges::none_of(all.as_is, [&](const Literal& one) {
                    return one.holds == exchanged.holds && equal(program_, one.e, exchanged.e);
                }))
                missing.push_back(exchanged.holds ? exchanged.e : builder_.not_(exchanged.e));
        return missing;
    }

    // Conjunctions and membership in compositions of sets are taken to pieces.
    bool add(ExprId e, bool holds, std::vector<Literal>& all) {
        const ir::Expr x = program_.exprs[e];
        if (x.op == Op::Not) return add(program_.argument(e, 0), !holds, all);
        if (x.op == (holds ? Op::And : Op::Or)) {
            const std::vector<ExprId> of = parts(program_, e, x.op);
            return std::ranges::all_of(of, [&](ExprId part) { return add(part, holds, all); });
        }
        const ir::Op set = x.op == Op::In ? program_.exprs[program_.argument(e, 1)].op : x.op;
        if (set == Op::Single && is_variable(program_.argument(e, 0))) {
            const std::vector<ExprId> sides{program_.argument(e, 0), program_.argument(program_.argument(e, 1), 0)};
            all.push_back({builder_.make(Op::Eq, x.type, 0, sides, x.span), holds});
            return true;
        }
        if (set == (holds ? Op::Inter : Op::Union)) return add_member(e, 0, holds, all) && add_member(e, 1, holds, all);
        if (set == Op::Diff && holds) return add_member(e, 0, true, all) && add_member(e, 1, false, all);
        all.push_back({e, holds});
        return true;
    }

    // Of `item in A with B`: that the item is in this operand, or not.
    bool add_member(ExprId in, std::size_t operand, bool holds, std::vector<Literal>& all) {
        const ExprId item = program_.argument(in, 0), set = program_.argument(program_.argument(in, 1), operand);
        const ExprId e =
            as_is_(builder_.make(Op::In, program_.types.boolean(), 0, {item, set}, program_.exprs[in].span));
        return valid(e) && add(e, holds, all);
    }

    bool is_variable(ExprId e) const { return program_.exprs[e].op == Op::Var; }

    // Whether the steps differ in their first parameters.
    bool differ(const std::vector<Literal>& literals) const {
        return std::ranges::any_of(literals, [&](const Literal& literal) {
            if (literal.holds || program_.exprs[literal.e].op != Op::Eq) return false;
            const ExprId a = program_.argument(literal.e, 0), b = program_.argument(literal.e, 1);
            const VarId one = two_.first[0], other = two_.second[0];
            return (is_name(program_, a, one) && is_name(program_, b, other)) ||
                   (is_name(program_, a, other) && is_name(program_, b, one));
        });
    }

    // -- effects

    bool effects_commute() {
        const auto blocks_of = [&](std::size_t begin, std::size_t end) {
            return std::span(two_.blocks).subspan(begin, end - begin);
        };
        const auto first = blocks_of(two_.first_blocks, two_.second_blocks),
                   second = blocks_of(two_.second_blocks, two_.end_blocks);
        if (first.size() > 1 || second.size() != first.size()) return false;
        if (first.empty()) return true;
        std::vector<ir::StateId> assigned = assigned_by(program_, first[0]);
        const std::vector<ir::StateId> too = assigned_by(program_, second[0]);
        assigned.insert(assigned.end(), too.begin(), too.end());
        return note_lets(first[0]) && note_lets(second[0]) && are_exchanged(first[0].effects, second[0].effects) &&
               forget_order(second[0], assigned) && others_read_nothing_of(assigned);
    }

    // The names of a block stand for what they are worked out from.
    bool note_lets(const ir::Block& block) {
        return std::ranges::all_of(block.lets, [&](const ir::Clause& let) {
            const ExprId e = as_is_(let.expr), x = exchanged_(let.expr);
            as_is_.name(let.bind, e);
            exchanged_.name(let.bind, x);
            return valid(e) && valid(x);
        });
    }

    // Whether the effects of the first are those of the second when the parameters are exchanged.
    bool are_exchanged(const std::vector<ir::EffectId>& first, const std::vector<ir::EffectId>& second) {
        return std::ranges::equal(kept(first), kept(second), [&](ir::EffectId a, ir::EffectId b) {
            return are_exchanged(ir::Effect(program_.effects[a]), ir::Effect(program_.effects[b]));
        });
    }

    // Without what is forgotten when the turn is over.
    std::vector<ir::EffectId> kept(std::vector<ir::EffectId> list) const {
        std::erase_if(list, [&](ir::EffectId id) {
            const ir::Effect& effect = program_.effects[id];
            return is_whole(effect) && is_local_value(effect.state);
        });
        return list;
    }

    bool are_exchanged(const ir::Effect& a, const ir::Effect& b) {
        if (a.kind != b.kind || a.state != b.state || valid(a.value) != valid(b.value)) return false;
        if (is_whole(b)) return is_symmetric(b.value) || !has_names(b.value);
        const auto same = [&](ExprId first, ExprId second) {
            const ExprId x = exchanged_(first), y = as_is_(second);
            return valid(x) && valid(y) && equal(program_, x, y);
        };
        if (valid(a.value) && !same(a.value, b.value)) return false;
        if (!std::ranges::equal(a.indices, b.indices, same)) return false;
        if (valid(a.var)) exchanged_.name(a.var, variable(b.var)), as_is_.name(b.var, variable(b.var));
        return are_exchanged(a.yes, b.yes) && are_exchanged(a.no, b.no);
    }

    // An assignment to a variable without index.
    bool is_whole(const ir::Effect& effect) const {
        return effect.kind == EffectKind::Assign && effect.indices.empty();
    }

    // Whether it has the same value when the parameters are exchanged.
    bool is_symmetric(ExprId e) {
        const ExprId one = as_is_(e), other = exchanged_(e);
        return valid(one) && valid(other) && equal(program_, one, other);
    }

    // Whether effects like those of the second step leave the same whichever step is first. It reads what the first has
    // assigned to variables without index by the names of the values.
    bool forget_order(const ir::Block& block, const std::vector<ir::StateId>& assigned) {
        if (Reads(program_, assigned)(block)) return false;
        bool next = false;
        for_each_effect(program_, block.effects, [&](const ir::Effect& effect) {
            next = next || (effect.kind == EffectKind::Next && has_names(effect.value));
        });
        return !next && std::ranges::all_of(assigned, [&](ir::StateId state) {
            const std::vector<ir::Effect> effects = effects_on(block, state);
            return is_local_value(state) || agree(effects) ||
                   (is_assigned_once(block, state) && is_symmetric(effects[0].value));
        });
    }

    // Whether the block assigns to the variable without index, once, whatever else holds.
    bool is_assigned_once(const ir::Block& block, ir::StateId state) const {
        return effects_on(block, state).size() == 1 && std::ranges::any_of(block.effects, [&](ir::EffectId id) {
                   return is_whole(program_.effects[id]) && program_.effects[id].state == state;
               });
    }

    // A local variable without index: forgotten when the turn is over. Nobody reads it, which is seen to.
    bool is_local_value(ir::StateId state) const {
        return program_.states[state].local && program_.states[state].indices.empty();
    }

    std::vector<ir::Effect> effects_on(const ir::Block& block, ir::StateId state) const {
        std::vector<ir::Effect> effects;
        for_each_effect(program_, block.effects, [&](const ir::Effect& effect) {
            if (assigns_state(effect) && effect.state == state) effects.push_back(effect);
        });
        return effects;
    }

    // Effects on one variable: all add, or all assign to slots of their own, or all assign one value.
    bool agree(const std::vector<ir::Effect>& effects) const {
        const auto adds = [](const ir::Effect& effect) { return effect.kind == EffectKind::Add; };
        const auto own_slots = [&](std::size_t i) {
            return std::ranges::all_of(effects, [&](const ir::Effect& effect) {
                return effect.kind == EffectKind::Assign && is_name(program_, effect.indices[i], two_.second[0]);
            });
        };
        const auto one_value = [&](const ir::Effect& effect) {
            return !adds(effect) && !has_names(effect.value) && alike(program_, effect.value, effects[0].value);
        };
        bool own = false;
        for (std::size_t i = 0; i < program_.states[effects[0].state].indices.size(); ++i) own = own || own_slots(i);
        return own || std::ranges::all_of(effects, adds) || std::ranges::all_of(effects, one_value);
    }

    bool has_names(ExprId e) const {
        return program_.exprs[e].op == Op::Var ||
               std::ranges::any_of(program_.arguments(e), [&](ExprId part) { return has_names(part); });
    }

    // Whether the rest of the turn is the same whichever step was first.
    bool others_read_nothing_of(std::vector<ir::StateId> locals) {
        std::erase_if(locals, [&](ir::StateId state) { return !is_local_value(state); });
        bool reads = std::ranges::any_of(
            two_.ensure, [&](const ir::Clause& clause) { return Reads(program_, locals)(clause.expr); });
        for (std::size_t b = 0; b < two_.blocks.size(); ++b) {
            if (b >= two_.first_blocks && b < two_.end_blocks) continue;
            reads = reads || Reads(program_, locals)(two_.blocks[b]);
            for_each_expression(program_, two_.blocks[b], [&](ExprId e) { reads = reads || reads_names(e); });
        }
        return !reads;
    }

    // Whether it reads a parameter of the two, or a name of their blocks.
    bool reads_names(ExprId e) const {
        const auto reads = [&](VarId var) { return names(program_, e, var); };
        if (std::ranges::any_of(two_.first, reads) || std::ranges::any_of(two_.second, reads)) return true;
        for (std::size_t b = two_.first_blocks; b < two_.end_blocks; ++b)
            if (std::ranges::any_of(two_.blocks[b].lets, reads, &ir::Clause::bind)) return true;
        return false;
    }

    ir::Program& program_;
    const TwoSteps& two_;
    ExpressionBuilder builder_;
    Substitution as_is_, exchanged_; // of the parameters
};

} // namespace

ExchangeOrder order_of_exchange(ir::Program& program, const TwoSteps& two) {
    const auto type = [&](VarId var) { return program.vars[var].type; };
    if (two.first.empty() || !std::ranges::equal(two.first, two.second, {}, type, type)) return {};
    return Exchange(program, two).order();
}

} // namespace zug::run
