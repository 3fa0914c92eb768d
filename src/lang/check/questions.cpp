// Questions that an expression asks of the game: whether a move is legal, how often a position has occurred.

#include "lang/check/calls.hpp"
#include "lang/check/expressions.hpp"
#include "lang/check/operators.hpp"
#include "lang/core/conversions.hpp"
#include "lang/resolve/states.hpp"
#include "lang/resolve/symbols.hpp"

#include <algorithm>

namespace zug::lang {

Operand Expressions::can_value(NodeId id) {
    const std::string& name = node(id).text;
    const Span at = span(id);
    const NodeId player_node = child(id, 0);
    const auto given = children(id).subspan(1);
    const Operand player = valid(player_node) ? conversions_.as_element(expr(player_node))
                                              : value(builder_.make(Op::Me, program_.player_type, {}, at), at);
    std::vector<Operand> operands;
    for (NodeId item : given) operands.push_back(calls_.argument(item));
    const auto rule = symbols_.find_rule(name);
    if (!rule) {
        symbols_.none_of(Message::UnknownRule, name, at, {symbols_.rule_names(), "rules"});
        return poison(at);
    }
    note_use(id, program_.rules[*rule].span);
    if (program_.rules[*rule].chance) {
        error(Message::CanChance, at, {name});
        return poison(at);
    }
    if (symbols_.rules()[*rule].broken) return poison(at);
    const std::vector<VarId> params = program_.rules[*rule].params;
    if (!given.empty() && given.size() != params.size()) {
        error(Message::ArgumentCount, at, {name, std::to_string(params.size()), std::to_string(given.size())});
        return poison(at);
    }
    std::vector<ExprId> args{conversions_.convert(player, program_.player_type)};
    std::vector<std::pair<VarId, ExprId>> members; // a set argument stands for any of its members
    std::vector<LetBinding> bound;
    bool fine = valid(args[0]);
    for (std::size_t i = 0; i < params.size(); ++i) {
        const TypeId wanted = program_.vars[params[i]].type;
        if (operands.empty() || operands[i].wildcard) {
            args.push_back(builder_.make(Op::Wildcard, wanted, {}, at));
            continue;
        }
        if (const TypeId set = symbols_.rules()[*rule].sets[i]; valid(set)) {
            args.push_back(picked(conversions_.convert(operands[i], set), wanted, bound, at));
            fine &= valid(args.back());
            continue;
        }
        if (operands[i].ok() && kind(operands[i].type) == TypeKind::Set) {
            const VarId member = builder_.new_var("_", wanted);
            members.emplace_back(member, conversions_.convert(operands[i], types().set(wanted)));
            args.push_back(builder_.var(member, at));
            fine &= valid(members.back().second);
            continue;
        }
        args.push_back(conversions_.convert(conversions_.as_element(operands[i]), wanted));
        fine &= valid(args.back());
    }
    if (!fine) return poison(at);
    ExprId can = builder_.make(Op::Can, types().boolean(), args, static_cast<std::int64_t>(index(*rule)), at);
    for (const auto& [member, set] : members)
        can = builder_.bind(Op::Exists, types().boolean(), {member, set, can}, at);
    return operators_.wrap_lets(bound, value(can, at));
}

// A set as the value of a rule's parameter: of each member, whether it is in it.
ExprId Expressions::picked(ExprId set, TypeId truths, std::vector<LetBinding>& bound, Span at) {
    if (!valid(set)) return set;
    const TypeId type = builder_.type(set), element = types().inner(type);
    if (!builder_.is_simple(set)) {
        const VarId var = builder_.new_var("set", type);
        bound.push_back({var, set});
        set = builder_.var(var, at);
    }
    std::vector<ExprId> parts;
    for (std::uint64_t i = 0; i < types().cardinality(element); ++i) {
        const ExprId member = builder_.constant(element, types().value(element, i), at);
        parts.push_back(builder_.make(Op::In, types().boolean(), {member, set}, at));
    }
    return builder_.make(Op::MakeTuple, truths, parts, 0, at);
}

// The values and whole maps by which positions or chains are distinguished.
bool Expressions::history_key(std::span<const NodeId> parts, ir::HistoryKey& key) {
    bool fine = true;
    for (NodeId part : parts) {
        if (const ir::StateId map = states_.map_named(part); valid(map)) {
            key.maps.push_back(map);
            continue;
        }
        const Operand found = valid(part) ? expr(part) : Operand{};
        fine &= found.ok();
        if (!found.ok()) continue;
        if (kind(found.type) == TypeKind::Path || !valid(found.expr)) {
            mismatch(found.span, found, "a value or a state map");
            fine = false;
            continue;
        }
        if (!builder_.facts(found.expr).free.empty()) {
            error(Message::KeyNames, found.span);
            fine = false;
            continue;
        }
        key.parts.push_back(found.expr);
    }
    return fine;
}

Operand Expressions::earlier_value(NodeId id) {
    const Span at = span(id);
    ir::HistoryKey key;
    if (!history_key(children(id), key)) return poison(at);
    const auto same = [&](const ir::HistoryKey& other) {
        return other.maps == key.maps &&
               std::ranges::equal(other.parts, key.parts, [&](ExprId a, ExprId b) { return builder_.same(a, b); });
    };
    std::size_t number = 0;
    while (number < program_.keys.size() && !same(program_.keys[static_cast<ir::KeyId>(number)])) ++number;
    if (number == program_.keys.size()) program_.keys.push(std::move(key));
    constexpr std::int64_t most_turns = std::int64_t{1} << 32;
    return value(builder_.make(Op::Earlier, types().integer(0, most_turns), {}, static_cast<std::int64_t>(number), at),
                 at);
}

} // namespace zug::lang
