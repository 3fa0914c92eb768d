// The image of a set of sites under a path, forward or backward. A path is a relation on sites; backward means under
// its converse, which every form of path passes on to its parts.

#include "ir/evaluate.hpp"

#include <algorithm>

namespace zug::ir {

Bits Evaluator::image(const Bits& sources, ExprId path) { return follow(sources, path, false); }

Bits Evaluator::follow(const Bits& sources, ExprId id, bool back) {
    const Expr& e = program_.exprs[id];
    const auto args = program_.arguments(id);
    const auto var = static_cast<VarId>(e.imm);
    if (!step(1 + sources.size() / 16)) return Bits(sources.size());
    switch (e.op) {
    case Op::Step: {
        const std::int64_t dir = scalar(args[0]);
        return dir == none ? Bits(sources.size()) : follow_map(sources, e.type, static_cast<StepId>(dir), back);
    }
    case Op::StepsOf: {
        Bits result(sources.size());
        for_each_bit(set(args[0]),
                     [&](std::size_t dir) { result |= follow_map(sources, e.type, static_cast<StepId>(dir), back); });
        return result;
    }
    case Op::Table: return follow_map(sources, e.type, static_cast<StepId>(e.imm), back);
    case Op::Seq:
        if (back) return follow(follow(sources, args[1], back), args[0], back);
        return follow(follow(sources, args[0], back), args[1], back);
    case Op::Alt: {
        Bits result = follow(sources, args[0], back);
        return result |= follow(sources, args[1], back);
    }
    case Op::Into: return follow_into(sources, id, back);
    case Op::Converse: return follow(sources, args[0], !back);
    case Op::Power: {
        const std::int64_t low = std::max<std::int64_t>(scalar(args[1]), 0);
        const std::int64_t high = scalar(args[2]);
        if (high < low) return Bits(sources.size());
        return spread(repeat(sources, args[0], low, back), args[0], high - low, back);
    }
    case Op::Closure: {
        const std::int64_t low = std::max<std::int64_t>(scalar(args[1]), 0);
        return spread(repeat(sources, args[0], low, back), args[0], int_max, back);
    }
    case Op::PathOver: {
        Bits result(sources.size());
        any_member(var, args[0], [&] {
            result |= follow(sources, args[1], back);
            return false;
        });
        return result;
    }
    case Op::If: return follow(sources, args[truth(args[0]) ? 1 : 2], back);
    case Op::Let:
        if (kind(args[0]) == TypeKind::Path) {
            name_path(var, args[0]);
            return follow(sources, args[1], back);
        }
        return with(var, value(args[0]), [&] { return follow(sources, args[1], back); });
    case Op::Var: return follow(sources, paths_[index(var)], back);
    default: assert(false && "not a path"); return Bits(sources.size());
    }
}

Bits Evaluator::follow_into(const Bits& sources, ExprId id, bool back) {
    const auto args = program_.arguments(id);
    Bits landing = set(args[1]);
    if (back) return follow(landing &= sources, args[0], back);
    return landing &= follow(sources, args[0], back);
}

Bits Evaluator::follow_map(const Bits& sources, TypeId path, StepId step, bool back) const {
    const auto& to = program_.boards[board_of(path)].steps[step].to;
    Bits result(sources.size());
    for (std::size_t from = 0; from < to.size(); ++from) {
        if (to[from] < 0) continue;
        const auto target = static_cast<std::size_t>(to[from]);
        if (sources.test(back ? target : from)) result.set(back ? from : target);
    }
    return result;
}

// The path repeated exactly `times` times. An exponent beyond the number of sites (computed exponents may be
// arbitrarily large) is handled by repeated squaring of the relation, so that the cost is logarithmic in it.
Bits Evaluator::repeat(Bits sources, ExprId path, std::int64_t times, bool back) {
    const auto sites = static_cast<std::int64_t>(sources.size());
    for (; times > 0 && (times <= sites || !sources.any()); --times) {
        if (!sources.any()) return sources;
        sources = follow(sources, path, back);
    }
    if (times == 0) return sources;
    std::vector<Bits> relation;
    for (std::size_t site = 0; site < sources.size(); ++site) {
        Bits single(sources.size());
        single.set(site);
        relation.push_back(follow(single, path, back));
    }
    auto apply = [&](const Bits& from) {
        Bits result(from.size());
        for_each_bit(from, [&](std::size_t site) { result |= relation[site]; });
        return result;
    };
    for (; times > 0 && step(sources.size() * sources.size()); times /= 2) {
        if (times % 2 != 0) sources = apply(sources);
        std::vector<Bits> square;
        for (const Bits& row : relation) square.push_back(apply(row));
        relation = std::move(square);
    }
    return sources;
}

// The path repeated any number of times from 0 to `times`.
Bits Evaluator::spread(Bits sources, ExprId path, std::int64_t times, bool back) {
    for (; times > 0; --times) {
        Bits more = follow(sources, path, back);
        more |= sources;
        if (more == sources) break;
        sources = std::move(more);
    }
    return sources;
}

} // namespace zug::ir
