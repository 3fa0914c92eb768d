// The first half: expressions.

#include "tests/unit/executor/random_program.hpp"

#include <algorithm>

namespace zug::run {

using ir::ExprId;
using ir::Op;
using ir::TypeId;

TypeId RandomProgram::integer_type(std::int64_t lo, std::int64_t hi) {
    return types().integer(std::clamp(lo, ir::int_min, ir::int_max), std::clamp(hi, ir::int_min, ir::int_max));
}

std::pair<std::int64_t, std::int64_t> RandomProgram::range(ExprId id) const {
    const ir::Type& type = b_.program.types[b_.program.exprs[id].type];
    return {type.lo, type.hi};
}

ExprId RandomProgram::leaf_number() {
    if (!scope_.numbers.empty() && once_in(2))
        return b_.ref(scope_.numbers[below(static_cast<std::uint32_t>(scope_.numbers.size()))]);
    if (once_in(2)) return b_.number(static_cast<std::int64_t>(below(7)) - 2);
    return b_.get(count_);
}

ExprId RandomProgram::integer(Op op, ExprId a, ExprId b) {
    const auto [alo, ahi] = range(a);
    const auto [blo, bhi] = range(b);
    const std::int64_t most = std::max({std::abs(alo), std::abs(ahi), std::abs(blo), std::abs(bhi)});
    TypeId type = integer_type(-most, most);
    if (op == Op::Add) type = integer_type(alo + blo, ahi + bhi);
    if (op == Op::Sub) type = integer_type(alo - bhi, ahi - blo);
    if (op == Op::Mul) type = integer_type(-most * most, most * most);
    if (op == Op::Min) type = integer_type(std::min(alo, blo), std::min(ahi, bhi));
    if (op == Op::Max) type = integer_type(std::max(alo, blo), std::max(ahi, bhi));
    return node(op, type, {a, b});
}

ExprId RandomProgram::arithmetic(int depth) {
    static constexpr Op ops[] = {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Mod, Op::Min, Op::Max};
    const ExprId a = number(depth - 1);
    const ExprId b = number(depth - 1);
    // Intervals are computed in machine words, which products of products would overflow.
    const auto most = [&](ExprId e) { return std::max(std::abs(range(e).first), std::abs(range(e).second)); };
    const Op op = ops[below(7)];
    return integer(most(a) > 10'000 || most(b) > 10'000 ? Op::Min : op, a, b);
}

// SumOver, MinOver and MaxOver.
ExprId RandomProgram::fold(int depth) {
    const auto v = b_.var("v", site_);
    const ExprId domain = sites(depth - 1);
    scope_.sites.push_back(v);
    const ExprId body = number(depth - 1);
    scope_.sites.pop_back();
    const auto [lo, hi] = range(body);
    const auto count = static_cast<std::int64_t>(types().cardinality(site_));
    if (once_in(2))
        return b_.bind(Op::SumOver,
                       integer_type(std::min<std::int64_t>(0, lo * count), std::max<std::int64_t>(0, hi * count)), v,
                       domain, body);
    return b_.bind(once_in(2) ? Op::MinOver : Op::MaxOver, integer_type(lo, hi), v, domain, body);
}

ExprId RandomProgram::number(int depth) {
    if (depth <= 0) return leaf_number();
    const auto sites_count = static_cast<std::int64_t>(types().cardinality(site_));
    switch (below(9)) {
    case 0: return node(Op::Count, integer_type(0, sites_count), {sites(depth - 1)});
    case 1: return b_.get(score_, {player(depth - 1)});
    case 2: return node(Op::CoordX, integer_type(0, 3), {site(depth - 1)});
    case 3: return node(Op::Number, integer_type(0, sites_count), {site(depth - 1)});
    case 4: return fold(depth);
    case 5: return choice(truth(depth - 1), number(depth - 1), number(depth - 1));
    case 6: return node(Op::Neg, integer_type(-5, 5), {b_.get(count_)});
    default: return arithmetic(depth);
    }
}

ExprId RandomProgram::choice(ExprId condition, ExprId yes, ExprId no) {
    const auto [alo, ahi] = range(yes);
    const auto [blo, bhi] = range(no);
    const bool is_int = types().kind(b_.program.exprs[yes].type) == ir::TypeKind::Int;
    const TypeId type = is_int ? integer_type(std::min(alo, blo), std::max(ahi, bhi)) : b_.program.exprs[yes].type;
    return node(Op::If, type, {condition, yes, no});
}

ExprId RandomProgram::real(int depth) {
    if (depth <= 0 || once_in(3)) return node(Op::ToReal, types().real(), {number(depth)});
    static constexpr Op ops[] = {Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Max, Op::Div};
    if (once_in(4)) return node(Op::If, types().real(), {truth(depth - 1), real(depth - 1), b_.real(0.5)});
    return node(ops[below(6)], types().real(), {real(depth - 1), b_.real(0.25 * below(9))});
}

ExprId RandomProgram::site(int depth) {
    if (!scope_.sites.empty() && !once_in(3))
        return b_.ref(scope_.sites[below(static_cast<std::uint32_t>(scope_.sites.size()))]);
    if (depth <= 0) {
        if (once_in(6)) return b_.constant(site_or_none_, ir::none);
        if (once_in(3)) return b_.get(spot_);
        return b_.constant(site_, below(static_cast<std::uint32_t>(types().cardinality(site_))));
    }
    switch (below(4)) {
    case 0: return node(Op::The, site_or_none_, {sites(depth - 1)});
    case 1: return node(Op::SiteAt, site_or_none_, {number(depth - 1), number(depth - 1)});
    case 2: return node(Op::SiteNumber, site_or_none_, {number(depth - 1)});
    default: return node(Op::If, site_or_none_, {truth(depth - 1), site(depth - 1), site(depth - 1)});
    }
}

ExprId RandomProgram::player(int depth) {
    if (!scope_.players.empty() && once_in(2))
        return b_.ref(scope_.players[below(static_cast<std::uint32_t>(scope_.players.size()))]);
    if (depth <= 0) return once_in(2) ? node(Op::Me, player_, {}) : b_.constant(player_, below(2));
    switch (below(3)) {
    case 0: return b_.node(Op::MapGet, player_or_none_, {site(depth - 1)}, static_cast<std::int64_t>(index(at_)));
    case 1: return node(once_in(2) ? Op::NextPlayer : Op::PrevPlayer, player_or_none_, {player(depth - 1)});
    default: return player(depth - 1);
    }
}

ExprId RandomProgram::over(Op op, TypeId type, ExprId (RandomProgram::*body)(int), int depth) {
    const auto v = b_.var("v", site_);
    const ExprId domain = sites(depth - 1);
    scope_.sites.push_back(v);
    const ExprId inner = (this->*body)(depth - 1);
    scope_.sites.pop_back();
    return b_.bind(op, type, v, domain, inner);
}

// A name for a number, a set or a path.
ExprId RandomProgram::let(TypeId type, ExprId (RandomProgram::*body)(int), int depth) {
    const auto kind = below(3);
    const ExprId value = kind == 0 ? number(depth - 1) : kind == 1 ? sites(depth - 1) : path(depth - 1);
    const auto v = b_.var("l", b_.program.exprs[value].type);
    auto& names = kind == 0 ? scope_.numbers : kind == 1 ? scope_.sets : scope_.paths;
    names.push_back(v);
    const ExprId inner = (this->*body)(depth - 1);
    names.pop_back();
    return node(Op::Let, type, {value, inner}, static_cast<std::int64_t>(index(v)));
}

ExprId RandomProgram::call(int depth) {
    const auto f = once_in(2) ? reach_ : plain_;
    if (!valid(f)) return sites(depth - 1);
    return node(Op::Call, sites_, {node(Op::The, site_or_none_, {sites(depth - 1)})},
                static_cast<std::int64_t>(index(f)));
}

ExprId RandomProgram::sites(int depth) {
    if (depth <= 0) {
        if (!scope_.sets.empty() && once_in(2))
            return b_.ref(scope_.sets[below(static_cast<std::uint32_t>(scope_.sets.size()))]);
        if (once_in(2)) return b_.get(marked_);
        if (once_in(4)) return node(Op::Universe, sites_, {});
        return b_.set_const(sites_, {below(4), 4 + below(4), 8 + below(4)});
    }
    switch (below(12)) {
    case 0: return node(Op::Single, sites_, {site(depth - 1)});
    case 1: return node(Op::Union, sites_, {sites(depth - 1), sites(depth - 1)});
    case 2: return node(Op::Inter, sites_, {sites(depth - 1), sites(depth - 1)});
    case 3: return node(Op::Diff, sites_, {sites(depth - 1), sites(depth - 1)});
    case 4: return over(Op::UnionOver, sites_, &RandomProgram::sites, depth);
    case 5: return node(Op::If, sites_, {truth(depth - 1), sites(depth - 1), sites(depth - 1)});
    case 6: return let(sites_, &RandomProgram::sites, depth);
    case 7: return call(depth);
    case 8: return b_.node(Op::MapGet, sites_, {player(depth - 1)}, static_cast<std::int64_t>(index(held_)));
    case 9: return node(Op::Image, sites_, {sites(depth - 1), path(depth - 1)});
    default: return over(Op::SetOf, sites_, &RandomProgram::truth, depth);
    }
}

ExprId RandomProgram::numbers(int depth) {
    const ExprId span = node(Op::IntRange, numbers_, {number(depth - 1), number(depth - 1)});
    if (once_in(2)) return span;
    const TypeId wider = types().set(types().integer(-3, 8));
    return node(Op::Retype, numbers_, {node(Op::IntRange, wider, {number(depth - 1), b_.number(6)})});
}

ExprId RandomProgram::directions() {
    if (once_in(3)) return node(Op::Universe, types().set(dir_), {});
    return b_.set_const(types().set(dir_), {below(2), 2 + below(2)});
}

ExprId RandomProgram::path(int depth) {
    if (depth <= 0 || once_in(5)) {
        if (!scope_.paths.empty() && once_in(2))
            return b_.ref(scope_.paths[below(static_cast<std::uint32_t>(scope_.paths.size()))]);
        if (once_in(3)) return node(Op::StepsOf, path_, {directions()});
        if (once_in(3)) return node(Op::Table, path_, {}, below(5));
        return node(Op::Step, path_, {b_.constant(dir_, below(4))});
    }
    switch (below(9)) {
    case 0: return node(Op::Seq, path_, {path(depth - 1), path(depth - 1)});
    case 1: return node(Op::Alt, path_, {path(depth - 1), path(depth - 1)});
    case 2:
    case 3: return node(Op::Into, path_, {path(depth - 1), sites(depth - 1)});
    case 4: return node(Op::Converse, path_, {path(depth - 1)});
    case 5: {
        const auto low = static_cast<std::int64_t>(below(3));
        return node(Op::Power, path_,
                    {path(depth - 1), b_.number(low), once_in(3) ? number(0) : b_.number(low + below(3))});
    }
    case 6: return node(Op::Closure, path_, {path(depth - 1), b_.number(below(3))});
    case 7: {
        const auto d = b_.var("d", dir_);
        const ExprId step = node(Op::Step, path_, {b_.ref(d)});
        const ExprId more = node(Op::Into, path_, {step, sites(depth - 1)});
        const ExprId body = once_in(2) ? node(Op::Seq, path_, {node(Op::Closure, path_, {more, b_.number(0)}), step})
                                       : node(Op::Seq, path_, {more, more});
        return b_.bind(Op::PathOver, path_, d, directions(), body);
    }
    default: return node(Op::If, path_, {truth(depth - 1), path(depth - 1), path(depth - 1)});
    }
}

ExprId RandomProgram::truth(int depth) {
    if (depth <= 0) return once_in(2) ? b_.get(flag_) : b_.truth(Op::Any, {sites(0)});
    switch (below(14)) {
    case 0: return b_.truth(Op::Not, {truth(depth - 1)});
    case 1: return b_.truth(Op::And, {truth(depth - 1), truth(depth - 1), truth(depth - 1)});
    case 2: return b_.truth(Op::Or, {truth(depth - 1), truth(depth - 1)});
    case 3: return b_.truth(Op::Eq, {number(depth - 1), number(depth - 1)});
    case 4: return b_.truth(Op::Lt, {number(depth - 1), number(depth - 1)});
    case 5: return b_.truth(Op::Eq, {player(depth - 1), player(depth - 1)});
    case 6: return b_.truth(Op::Eq, {sites(depth - 1), sites(depth - 1)});
    case 7: return b_.truth(Op::IsNone, {b_.get(at_, {site(depth - 1)})});
    case 8: return b_.truth(Op::In, {site(depth - 1), sites(depth - 1)});
    case 9: return b_.truth(Op::In, {number(depth - 1), numbers(depth)});
    case 10: return over(Op::Exists, types().boolean(), &RandomProgram::truth, depth);
    case 11: return over(Op::ForAll, types().boolean(), &RandomProgram::truth, depth);
    case 12: return b_.truth(Op::Lt, {real(depth - 1), real(depth - 1)});
    default: return let(types().boolean(), &RandomProgram::truth, depth);
    }
}

} // namespace zug::run
