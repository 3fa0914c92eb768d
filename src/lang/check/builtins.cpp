// Calls of built-in functions.

#include "lang/check/calls.hpp"
#include "lang/check/expressions.hpp"
#include "lang/check/operators.hpp"
#include "lang/core/conversions.hpp"
#include "lang/resolve/boards.hpp"
#include "lang/resolve/constants.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zug::lang {

std::optional<Operand> Calls::builtin_call(const std::string& name, NodeId id) {
    if (name == "min" || name == "max") return extreme_call(name == "min", id);
    if (name == "abs") return absolute_call(id);
    if (name == "next" || name == "prev") return player_call(name == "next" ? Op::NextPlayer : Op::PrevPlayer, id);
    if (name == "team") return team_call(id);
    if (name == "x") return coordinate_call(Op::CoordX, id);
    if (name == "y") return coordinate_call(Op::CoordY, id);
    if (name == "number") return number_call(id);
    if (name == "tip") return tip_call(id);
    if (name == "offsets") return offsets_call(id);
    if (name == "payoff") return payoff_call(id);
    return {};
}

bool Calls::expect_arguments(NodeId id, std::size_t count) {
    if (children(id).size() == count) return true;
    error(Message::ArgumentCount, span(id),
          {node(id).text, std::to_string(count), std::to_string(children(id).size())});
    return false;
}

Operand Calls::extreme_call(bool least, NodeId id) {
    const auto args = children(id);
    const Span at = span(id);
    if (args.size() < 2) {
        error(
            Message::ArgumentCount, at, {node(id).text, "2 or more", std::to_string(args.size())},
            fmt::format("of the members of a set it is `{0} s`, of values for each `{0} x in s: ...`", node(id).text));
        return poison(at);
    }
    Operand result = expressions_.expr(args[0]);
    for (NodeId arg : args.subspan(1)) {
        const Operand next = expressions_.expr(arg);
        result = result.ok() && next.ok() ? operators_.arithmetic(least ? "min" : "max", result, next, at) : poison(at);
    }
    return result;
}

Operand Calls::absolute_call(NodeId id) {
    const Span at = span(id);
    if (!expect_arguments(id, 1)) return poison(at);
    const Operand operand = expressions_.expr(child(id, 0));
    if (!operand.ok()) return poison(at);
    const Operand minus = operators_.negative(operand, at);
    return minus.ok() ? operators_.arithmetic("max", operand, minus, at) : minus;
}

Operand Calls::player_call(Op op, NodeId id) {
    const Span at = span(id);
    if (!expect_arguments(id, 1)) return poison(at);
    const Operand player = conversions_.as_element(expressions_.expr(child(id, 0)));
    if (!player.ok()) return poison(at);
    const bool maybe_none = kind(player.type) == TypeKind::Optional;
    const TypeId type = maybe_none ? types().optional(program_.player_type) : program_.player_type;
    const ExprId arg = conversions_.convert(player, type);
    return valid(arg) ? value(builder_.make(op, type, {arg}, at), at) : poison(at);
}

// The players of a player's team; of none, none.
Operand Calls::team_call(NodeId id) {
    const Span at = span(id);
    if (!expect_arguments(id, 1)) return poison(at);
    const Operand found = conversions_.as_element(expressions_.expr(child(id, 0)));
    if (!found.ok()) return poison(at);
    if (kind(bare(found.type)) != TypeKind::Player) {
        mismatch(found.span, found, "a player");
        return poison(at);
    }
    if (program_.teams.empty()) return value(builder_.single(found.expr, at), at);
    const TypeId type = types().set(program_.player_type);
    const std::uint32_t count = program_.player_count();
    ExprId result = conversions_.missing(type, at);
    for (std::uint32_t team = 0; team < program_.team_count(); ++team) {
        Bits members(count);
        std::vector<ExprId> ways;
        for (std::uint32_t p = 0; p < count; ++p) {
            if (program_.team_of(p) != team) continue;
            members.set(p);
            ways.push_back(builder_.equal(found.expr, builder_.constant(bare(found.type), p, at), at));
        }
        const ExprId set = builder_.set_constant(type, std::move(members), at);
        result = builder_.choose(builder_.disjunction(std::move(ways), at), set, result, type, at);
    }
    return value(result, at);
}

Operand Calls::coordinate_call(Op op, NodeId id) {
    const Span at = span(id);
    if (!expect_arguments(id, 1)) return poison(at);
    const Operand site = conversions_.as_element(expressions_.expr(child(id, 0)));
    return site.ok() ? coordinate_of(op, site, at) : poison(at);
}

Operand Calls::coordinate_of(Op op, const Operand& site, Span at) {
    if (kind(bare(site.type)) != TypeKind::Site) {
        mismatch(site.span, site, "a site");
        return poison(at);
    }
    const ir::Board& board = program_.boards[board_of(site.type)];
    const bool number = op == Op::Number;
    const std::int64_t low = kind(site.type) == TypeKind::Optional || (!number && board.height == 0) ? 0 : 1;
    const std::int64_t high = number             ? static_cast<std::int64_t>(board.sites.size())
                              : op == Op::CoordX ? board.width
                                                 : board.height;
    return value(builder_.make(op, types().integer(low, std::max(high, low)), {site.expr}, at), at);
}

// The number of a site, a player or a member of an enumeration, from 1.
Operand Calls::number_call(NodeId id) {
    const Span at = span(id);
    if (!expect_arguments(id, 1)) return poison(at);
    const Operand found = conversions_.as_element(expressions_.expr(child(id, 0)));
    if (!found.ok()) return poison(at);
    const TypeId type = bare(found.type);
    if (kind(type) == TypeKind::Site) return coordinate_of(Op::Number, found, at);
    if (kind(type) != TypeKind::Player && kind(type) != TypeKind::Enum) {
        mismatch(found.span, found, "a site, a player or a member of an enumeration");
        return poison(at);
    }
    return one_of_values(found, at, [&](std::int64_t i) { return value(builder_.integer(i + 1, at), at); });
}

// The tips of a star, 0 to 5, clockwise from the bottom.
Operand Calls::tip_call(NodeId id) {
    const Span at = span(id);
    if (!expect_arguments(id, 1)) return poison(at);
    const Operand given = expressions_.expr(child(id, 0));
    const TypeId site = boards_.first_site(at);
    const Operand number = conversions_.as_integer(given);
    if (!number.ok() || !valid(site)) return poison(at);
    const auto tip_set = [&](std::int64_t i) {
        const auto& board = program_.boards[board_of(site)];
        Bits sites(board.sites.size());
        for (const auto& group : board.groups)
            if (group.name == "tip" + std::to_string(i)) sites |= group.sites;
        return value(builder_.set_constant(types().set(site), std::move(sites), at), at);
    };
    if (program_.boards[board_of(site)].groups.empty()) {
        error(Message::TipHere, at);
        return poison(at);
    }
    Operand result = value(conversions_.missing(types().set(site), at), at);
    for (std::int64_t i = 6; i-- > 0 && result.ok();) {
        const ExprId same = builder_.equal(number.expr, builder_.integer(i, at), at);
        result = operators_.choose(same, tip_set(i), result, at);
    }
    return result;
}

// f(i), where i is the ordinal of the value.
Operand Calls::one_of_values(const Operand& found, Span at, const std::function<Operand(std::int64_t)>& f) {
    const TypeId type = bare(found.type);
    const auto count = static_cast<std::int64_t>(types().cardinality(type));
    Operand result = f(count - 1);
    for (std::int64_t i = count - 1; i-- > 0 && result.ok();) {
        const ExprId same = builder_.equal(found.expr, builder_.constant(type, i, at), at);
        result = operators_.choose(same, f(i), result, at);
    }
    return result;
}

// A board's name as the constructor of its sites: by coordinates, or by number on a ring or a listed board.
Operand Calls::site_call(Declaration& d, const std::vector<Operand>& args, Span at) {
    boards_.resolve_board(d);
    if (!valid(d.type)) return poison(at);
    const auto id = static_cast<ir::BoardId>(d.number);
    const auto shape = program_.boards[id].shape;
    const bool numbered =
        shape == ir::BoardShape::Ring || shape == ir::BoardShape::Graph || program_.boards[id].height == 0;
    const std::size_t wanted = numbered ? 1 : 2;
    if (args.size() != wanted && !(args.size() == 1 && shape == ir::BoardShape::Lines)) {
        error(Message::ArgumentCount, at, {d.name, std::to_string(wanted), std::to_string(args.size())});
        return poison(at);
    }
    std::vector<ExprId> numbers;
    for (const auto& arg : args) {
        const Operand number = arg.wildcard ? poison(at) : conversions_.as_integer(arg);
        if (arg.wildcard) error(Message::WildcardHere, arg.span);
        if (!number.ok()) return poison(at);
        numbers.push_back(number.expr);
    }
    const TypeId type = types().optional(d.type);
    const ExprId site = builder_.make(numbers.size() == 1 ? Op::SiteNumber : Op::SiteAt, type, numbers, 0, at);
    if (const auto constant = builder_.scalar(site); constant && *constant != ir::none)
        return value(builder_.constant(d.type, *constant, at), at);
    return value(site, at);
}

Operand Calls::offsets_call(NodeId id) {
    const Span at = span(id);
    if (!expect_arguments(id, 2)) return poison(at);
    const auto dx = constants_.constant_int(child(id, 0)), dy = constants_.constant_int(child(id, 1));
    const TypeId site = boards_.first_site(at);
    if (!dx || !dy || !valid(site)) return poison(at);
    constexpr std::int64_t far = 4096;
    return operators_.offset_path(board_of(site), std::clamp(*dx, -far, far), std::clamp(*dy, -far, far), true, at);
}

// `payoff(Black)` inside a payoff clause: what the same clause gives to Black.
Operand Calls::payoff_call(NodeId id) {
    const Span at = span(id);
    if (!expect_arguments(id, 1)) return poison(at);
    const Operand player = expressions_.expr(child(id, 0));
    const ExprId arg = conversions_.convert(player, program_.player_type);
    if (!valid(arg)) return poison(at);
    const auto who = builder_.scalar(arg);
    const auto team = who ? std::optional(program_.team_of(static_cast<std::uint32_t>(*who))) : std::nullopt;
    const auto given = team ? payoffs_.values.find(*team) : payoffs_.values.end();
    if (given == payoffs_.values.end() || !payoffs_.under_way.insert(*team).second) {
        error(Message::PayoffHere, at);
        return poison(at);
    }
    const Operand result = expressions_.expr(given->second);
    payoffs_.under_way.erase(*team);
    return result;
}

} // namespace zug::lang
