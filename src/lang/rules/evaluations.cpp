#include "lang/rules/evaluations.hpp"

#include "lang/check/expressions.hpp"
#include "lang/check/operators.hpp"
#include "lang/core/conversions.hpp"
#include "lang/core/scopes.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <ranges>
#include <utility>

namespace zug::lang {

void Evaluations::check_eval(NodeId id) {
    if (!program_.evals.empty()) {
        error(Message::DeclaredTwice, span(id), {"eval"});
        return;
    }
    const bool stuck = std::exchange(context_.stuck_allowed, true);
    std::vector<Values> players;
    bool fine = true;
    for (std::size_t i = 0; i < program_.players.size(); ++i) {
        const Names scope(context_);
        const Span at = name_span(id);
        const ExprId player = builder_.constant(program_.player_type, static_cast<std::int64_t>(i), at);
        push_local({.name = node(id).text, .span = at, .value = value(player, at), .warn = i == 0});
        fine &= read(child(id, 0), players.emplace_back());
    }
    context_.stuck_allowed = stuck;
    program_.evals.assign(program_.players.size(), none_id<ExprId>);
    if (!fine) return;
    const auto has_tuple = [](const Values& values) { return std::ranges::any_of(values, &Value::tuple); };
    if (std::ranges::any_of(players, has_tuple)) return check_tuples(players, span(id));
    for (std::size_t i = 0; i < players.size(); ++i)
        program_.evals[i] = conversions_.as_real(plain(players[i], players[i].size() - 1));
}

bool Evaluations::read(NodeId id, Values& values) {
    if (!valid(id)) return false;
    switch (node(id).kind) {
    case Kind::If: return read_choice(id, values);
    case Kind::LetIn: return read_let(id, values);
    case Kind::Tuple: return read_tuple(id, values);
    default: break;
    }
    const Operand found = expressions_.expr(id);
    if (!found.ok()) return false;
    Value made{.span = found.span, .parts = {found}};
    if (kind(found.type) == TypeKind::Tuple && valid(found.expr)) { // of a definition
        made.tuple = true;
        made.parts.clear();
        for (std::size_t i = 0; i < types()[found.type].parts.size(); ++i)
            made.parts.push_back(conversions_.part_of(found.expr, found.type, i, found.span));
    }
    values.push_back(std::move(made));
    return true;
}

bool Evaluations::read_choice(NodeId id, Values& values) {
    step(span(id));
    const ExprId test = expressions_.condition(child(id, 0));
    const bool yes = read(child(id, 1), values);
    const std::size_t yes_at = values.size() - 1;
    const bool no = read(child(id, 2), values);
    if (!valid(test) || !yes || !no) return false;
    values.push_back({.span = span(id), .parts = {}, .test = test, .yes = yes_at, .no = values.size() - 1});
    return true;
}

bool Evaluations::read_let(NodeId id, Values& values) {
    step(span(id));
    const Names scope(context_);
    const std::vector<LetBinding> bound = expressions_.bind_names(child(id, 0));
    if (!read(child(id, 1), values)) return false;
    auto& all = values.back().bound;
    all.insert(all.begin(), bound.begin(), bound.end());
    return true;
}

bool Evaluations::read_tuple(NodeId id, Values& values) {
    step(span(id));
    Value made{.span = span(id), .parts = {}, .tuple = true};
    for (NodeId part : children(id)) made.parts.push_back(expressions_.expr(part));
    const bool fine = std::ranges::all_of(made.parts, &Operand::ok);
    values.push_back(std::move(made));
    return fine;
}

Operand Evaluations::plain(const Values& values, std::size_t at) {
    const Value& v = values[at];
    Operand result =
        valid(v.test) ? operators_.choose(v.test, plain(values, v.yes), plain(values, v.no), v.span) : v.parts.front();
    result = operators_.wrap_lets(v.bound, std::move(result));
    result.span = v.span;
    return result;
}

bool Evaluations::make_whole(Values& values) {
    bool fine = true;
    for (Value& v : values) {
        for (Operand& part : v.parts) {
            part = whole(part);
            fine &= part.ok();
        }
    }
    return fine;
}

// A truth counts as 1 if it holds, else as 0.
Operand Evaluations::whole(const Operand& part) {
    const Span at = part.span;
    const TypeKind found = kind(bare(conversions_.as_element(part).type));
    if (found == TypeKind::Int) return conversions_.as_integer(part);
    if (found == TypeKind::Bool && kind(part.type) == TypeKind::Bool) {
        const ExprId one = builder_.integer(1, at), nothing = builder_.integer(0, at);
        return value(builder_.choose(part.expr, one, nothing, types().integer(0, 1), at), at);
    }
    const bool real = found == TypeKind::Real;
    error(Message::EvalPart, at, {real ? "a number with a fraction" : found_text(part)},
          real ? "`div` gives whole numbers" : "");
    return poison(at);
}

// How far differences of means can be apart, in their least steps, where the values are at most 1 apart.
double Evaluations::difference_steps() const {
    const std::uint32_t teams = program_.team_count();
    if (teams == 1) return 1;
    std::vector<std::int64_t> members(teams);
    for (std::uint32_t p = 0; p < program_.player_count(); ++p) ++members[program_.team_of(p)];
    std::int64_t multiple = 1;
    for (const std::int64_t count : members) multiple = std::lcm(multiple, count);
    return 2 * static_cast<double>(multiple) * (teams - 1);
}

std::optional<std::vector<Evaluations::Part>> Evaluations::weigh(const std::vector<Values>& players, Span at) {
    std::size_t length = 0;
    for (const Values& values : players)
        for (const Value& v : values) length = std::max(length, v.parts.size());
    std::vector<Part> parts(length, {INT64_MAX, INT64_MIN});
    for (const Values& values : players) {
        for (const Value& v : values) {
            if (v.parts.empty()) continue;
            for (std::size_t i = 0; i < length; ++i) {
                const bool given = i < v.parts.size();
                parts[i].low = std::min(parts[i].low, given ? types()[v.parts[i].type].lo : 0);
                parts[i].high = std::max(parts[i].high, given ? types()[v.parts[i].type].hi : 0);
            }
        }
    }
    const double steps = difference_steps();
    double later = 0;
    for (Part& part : std::views::reverse(parts)) {
        part.weight = later + 1;
        later += part.weight * steps * static_cast<double>(part.high - part.low);
    }
    const auto most = static_cast<double>(ir::int_max);
    double greatest = 0;
    for (const Part& part : parts)
        greatest += part.weight * static_cast<double>(std::max(std::abs(part.low), std::abs(part.high)));
    if (std::max(later, greatest) <= most) return parts;
    error(Message::EvalTooLarge, at, {fmt::format("{:.2g}", later + 1), std::to_string(ir::int_max)},
          "`min` and `max` bound a part; every part counts with all values that it could have");
    return std::nullopt;
}

Operand Evaluations::number(const Values& values, std::size_t at, const std::vector<Part>& parts) {
    const Value& v = values[at];
    Operand result = value(builder_.integer(0, v.span), v.span);
    if (valid(v.test)) {
        result = operators_.choose(v.test, number(values, v.yes, parts), number(values, v.no, parts), v.span);
    } else {
        for (std::size_t i = 0; i < v.parts.size(); ++i) {
            const ExprId weight = builder_.integer(static_cast<std::int64_t>(parts[i].weight), v.span);
            const Operand term = operators_.arithmetic("*", v.parts[i], value(weight, v.span), v.span);
            result = i == 0 ? term : operators_.arithmetic("+", result, term, v.span);
        }
    }
    return operators_.wrap_lets(v.bound, std::move(result));
}

void Evaluations::check_tuples(std::vector<Values>& players, Span at) {
    bool fine = true;
    for (Values& values : players) fine &= make_whole(values);
    if (!fine) return;
    const auto parts = weigh(players, at);
    if (!parts) return;
    if (std::ranges::any_of(program_.rules, [](const ir::Rule& rule) { return rule.chance; }))
        warn(Message::EvalOfMeans, at);
    double greatest = 1;
    for (const Part& part : *parts) {
        const std::int64_t most =
            players.size() > 1 ? part.high - part.low : std::max(std::abs(part.low), std::abs(part.high));
        greatest += part.weight * static_cast<double>(most);
    }
    const Operand scale = value(builder_.real(std::exp2(-std::ceil(std::log2(greatest))), at), at);
    for (std::size_t i = 0; i < players.size(); ++i) {
        const Operand whole = number(players[i], players[i].size() - 1, *parts);
        program_.evals[i] = conversions_.as_real(operators_.arithmetic("*", whole, scale, at));
    }
}

} // namespace zug::lang
