#include "compiler/lower/path_lowering.hpp"

#include <algorithm>
#include <utility>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::uint64_t few = 6; // a set with at most so many members is cheaper member by member

} // namespace

// -- step tables

std::optional<std::int32_t> distance(const StepTable& table) {
    std::optional<std::int32_t> found;
    for (std::size_t b = 0; b < table.size(); ++b) {
        if (table[b] < 0) continue;
        const auto d = static_cast<std::int32_t>(table[b] - static_cast<std::int64_t>(b));
        if (found && *found != d) return std::nullopt;
        found = d;
    }
    return found.value_or(0);
}

std::vector<std::uint64_t> landing(const StepTable& table, std::uint16_t words) {
    std::vector<std::uint64_t> result(words, 0);
    for (std::int64_t to : table)
        if (to >= 0) result[static_cast<std::size_t>(to) / 64] |= std::uint64_t{1} << (to % 64);
    return result;
}

bool shifts_cleanly(const StepTable& table, std::int32_t d, std::span<const std::int32_t> site_of_bit) {
    for (std::size_t b = 0; b < table.size(); ++b) {
        if (site_of_bit[b] < 0 || table[b] >= 0) continue;
        const std::int64_t to = static_cast<std::int64_t>(b) + d;
        if (to >= 0 && to < static_cast<std::int64_t>(table.size()) && site_of_bit[static_cast<std::size_t>(to)] >= 0)
            return false;
    }
    return true;
}

StepTable inverted(const StepTable& table) {
    StepTable result(table.size(), -1);
    for (std::size_t b = 0; b < table.size(); ++b)
        if (table[b] >= 0) result[static_cast<std::size_t>(table[b])] = static_cast<std::int64_t>(b);
    return result;
}

bool injective(const StepTable& table) {
    std::vector<std::int64_t> targets;
    for (std::int64_t to : table)
        if (to >= 0) targets.push_back(to);
    std::sort(targets.begin(), targets.end());
    return std::adjacent_find(targets.begin(), targets.end()) == targets.end();
}

std::vector<std::int64_t> PathLowering::step_table(ir::BoardId id, const std::vector<std::int32_t>& to,
                                                   bool back) const {
    const BoardLayout& board = layout_.board(id);
    std::vector<std::int64_t> table(board.bits, -1);
    for (std::size_t s = 0; s < to.size(); ++s)
        if (to[s] >= 0)
            table[static_cast<std::size_t>(board.bit_of_site[s])] = board.bit_of_site[static_cast<std::size_t>(to[s])];
    return back ? inverted(table) : table;
}

NodeRef PathLowering::all_sites(ir::BoardId id) {
    const BoardLayout& board = layout_.board(id);
    std::vector<std::uint64_t> words(board.words, 0);
    for (std::int32_t bit : board.bit_of_site)
        words[static_cast<std::size_t>(bit) / 64] |= std::uint64_t{1} << (bit % 64);
    return graph_.set(std::move(words), true);
}

// The image of a single site, by a table (-1: nowhere). `set` holds that site; `row` is its index in the table.
NodeRef PathLowering::step_of_one(NodeRef set, NodeRef row, std::vector<std::int64_t> table) {
    const std::int32_t bits = graph_[set].imm;
    std::ranges::replace(table, -1, ir::none);
    const NodeRef to =
        graph_.make(Family::WordTable, 1, {row, no_node, no_node}, 0, graph_.add_words(std::move(table)));
    return graph_.make(Family::Bit, graph_.width(set), {to, no_node, no_node}, bits);
}

// The image of the set along an injective table of bits.
NodeRef PathLowering::shift_by(NodeRef set, const std::vector<std::int64_t>& table) {
    const std::uint16_t words = graph_.width(set);
    if (graph_[set].family == Family::Bit) return step_of_one(set, graph_[set].in[0], table);
    const auto d = distance(table);
    if (d) {
        for (std::size_t b = 0; b < program_.boards.size(); ++b) {
            const BoardLayout& board = layout_.board(static_cast<ir::BoardId>(b));
            if (board.bits != table.size()) continue;
            if (shifts_cleanly(table, *d, board.site_of_bit))
                return graph_.shift_and(set, *d, all_sites(static_cast<ir::BoardId>(b)));
            break;
        }
        return graph_.shift_and(set, *d, graph_.set(landing(table, words)));
    }
    // dst has v where the inverse leads from v into the set.
    return graph_.gather(set, inverted(table));
}

NodeRef PathLowering::image_table(NodeRef set, ir::BoardId id, const std::vector<std::int32_t>& to, bool back) {
    const std::vector<std::int64_t> forward = step_table(id, to, false);
    if (back) {
        if (injective(forward)) return shift_by(set, inverted(forward));
        return graph_.gather(set, forward);
    }
    if (injective(forward)) return shift_by(set, forward);
    // The table is not injective: it is split into injective parts.
    std::vector<std::int64_t> rest = forward;
    NodeRef result = empty(graph_.width(set));
    while (std::any_of(rest.begin(), rest.end(), [](std::int64_t t) { return t >= 0; })) {
        std::vector<std::int64_t> part(rest.size(), -1);
        std::vector<bool> used(rest.size(), false);
        for (std::size_t b = 0; b < rest.size(); ++b) {
            if (rest[b] < 0 || used[static_cast<std::size_t>(rest[b])]) continue;
            used[static_cast<std::size_t>(rest[b])] = true;
            part[b] = std::exchange(rest[b], -1);
        }
        result = graph_.or_(result, shift_by(set, part));
    }
    return result;
}

// Along every direction of a set that is known only at run time.
NodeRef PathLowering::image_dirs(NodeRef set, ir::BoardId id, NodeRef dirs, bool back) {
    const ir::Board& board = program_.boards[id];
    NodeRef result = empty(graph_.width(set));
    for (std::uint32_t d = 0; d < board.dir_count; ++d) {
        const NodeRef is_in = graph_.make(Family::Test, graph_.width(dirs), {graph_.word(d), dirs, no_node},
                                          static_cast<std::int32_t>(board.dir_count));
        if (graph_.is_constant(is_in) && graph_.constant_word(is_in) == 0) continue;
        const NodeRef moved = image_table(set, id, board.steps[static_cast<ir::StepId>(d)].to, back);
        result = graph_.or_(result, graph_.bcast(is_in, moved));
    }
    return result;
}

NodeRef PathLowering::image(NodeRef set, ir::ExprId path, const Context& in, bool back) {
    if (graph_.is_empty(set) || failed()) return set;
    const ValueGraph::From here(graph_, expr(path).span);
    const Scoped r = resolve(path, in);
    const Way way{r.expr, r.in, back};
    const auto arg = [&](std::size_t i) { return program_.argument(r.expr, i); };
    if (const NodeRef found = image_of_few(set, way); found != no_node) return found;
    switch (expr(r.expr).op) {
    case Op::Step: return image_step(set, way);
    case Op::StepsOf: return image_dirs(set, board_of(r.expr), eval(arg(0), r.in), back);
    case Op::Table: {
        const ir::BoardId id = board_of(r.expr);
        return image_table(set, id, program_.boards[id].steps[static_cast<ir::StepId>(expr(r.expr).imm)].to, back);
    }
    case Op::Seq: return image_seq(set, way);
    case Op::Alt: return graph_.or_(image(set, arg(0), r.in, back), image(set, arg(1), r.in, back));
    case Op::Into: return image_into(set, way);
    case Op::Converse: return image(set, arg(0), r.in, !back);
    case Op::Power: return image_power(set, way);
    case Op::Closure: return image_closure(set, way);
    case Op::If: return image_if(set, way);
    case Op::PathOver: return image_over(set, way);
    default: return fail();
    }
}

NodeRef PathLowering::image_step(NodeRef set, const Way& way) {
    const NodeRef dir = eval(program_.argument(way.path, 0), way.in);
    const ir::BoardId id = board_of(way.path);
    const ir::Board& board = program_.boards[id];
    if (!graph_.is_constant(dir)) return image_steps_at(set, dir, id, way.back);
    const std::int64_t d = graph_.constant_word(dir);
    if (d < 0) return empty(graph_.width(set));
    return image_table(set, id, board.steps[static_cast<ir::StepId>(d)].to, way.back);
}

// In a direction that is known only at run time.
NodeRef PathLowering::image_steps_at(NodeRef set, NodeRef dir, ir::BoardId id, bool back) {
    const ir::Board& board = program_.boards[id];
    std::vector<std::int64_t> tables;
    bool simple = true, one_to_one = true;
    for (std::uint32_t d = 0; d < board.dir_count; ++d) {
        const auto& to = board.steps[static_cast<ir::StepId>(d)].to;
        const bool unique = injective(step_table(id, to, false));
        simple = simple && (back || unique);
        one_to_one = one_to_one && unique;
        const auto table = step_table(id, to, !back); // Gather takes the source of each site
        tables.insert(tables.end(), table.begin(), table.end());
    }
    if (one_to_one && graph_[set].family == Family::Bit && graph_[dir].low >= 0 &&
        graph_[dir].high < std::int64_t{board.dir_count}) {
        std::vector<std::int64_t> forward;
        for (std::uint32_t d = 0; d < board.dir_count; ++d) {
            const auto table = step_table(id, board.steps[static_cast<ir::StepId>(d)].to, back);
            forward.insert(forward.end(), table.begin(), table.end());
        }
        const NodeRef first = graph_.op(Family::Mul, dir, graph_.word(layout_.board(id).bits));
        return step_of_one(set, graph_.op(Family::Add, first, graph_[set].in[0]), std::move(forward));
    }
    if (simple)
        return graph_.make(Family::GatherAt, graph_.width(set), {set, dir, no_node},
                           static_cast<std::int32_t>(layout_.board(id).bits), graph_.add_words(std::move(tables)));
    const auto dirs = static_cast<std::int32_t>(board.dir_count);
    return image_dirs(set, id, graph_.make(Family::Bit, 1, {dir, no_node, no_node}, dirs), back);
}

NodeRef PathLowering::image_seq(NodeRef set, const Way& way) {
    if (const NodeRef seen = image_slide(set, way); seen != no_node) return seen;
    const NodeRef middle = image(set, program_.argument(way.path, way.back ? 1 : 0), way.in, way.back);
    return image(middle, program_.argument(way.path, way.back ? 0 : 1), way.in, way.back);
}

NodeRef PathLowering::image_into(NodeRef set, const Way& way) {
    const NodeRef into = loosened(eval(program_.argument(way.path, 1), way.in));
    const ir::ExprId path = program_.argument(way.path, 0);
    if (way.back) return image(graph_.and_(set, into), path, way.in, true);
    return graph_.and_(image(set, path, way.in, false), into);
}

NodeRef PathLowering::image_if(NodeRef set, const Way& way) {
    const NodeRef c = eval(program_.argument(way.path, 0), way.in);
    return graph_.or_(image(graph_.bcast(c, set), program_.argument(way.path, 1), way.in, way.back),
                      image(graph_.bcast(graph_.not_(c), set), program_.argument(way.path, 2), way.in, way.back));
}

// The union of the images for each member of a set.
NodeRef PathLowering::image_over(NodeRef set, const Way& way) {
    const ir::ExprId domain_expr = program_.argument(way.path, 0);
    const NodeRef domain = eval(domain_expr, way.in);
    const ir::TypeId type = element(domain_expr);
    const auto var = static_cast<ir::VarId>(expr(way.path).imm);
    const SetShape shape = layout_.shape(type);
    NodeRef result = empty(graph_.width(set));
    for (std::uint32_t b = 0; b < shape.bits; ++b) {
        if (layout_.value_of_bit(type, b) == ir::none) continue;
        const NodeRef bit = graph_.word(b);
        const NodeRef is_in =
            graph_.make(Family::Test, shape.words, {bit, domain, no_node}, static_cast<std::int32_t>(shape.bits));
        if (graph_.is_constant(is_in) && graph_.constant_word(is_in) == 0) continue;
        const Context inner = bind_node(var, lowering_.from_bit(type, bit), way.in);
        result = graph_.or_(result, image(graph_.bcast(is_in, set), program_.argument(way.path, 1), inner, way.back));
    }
    return result;
}

// -- constant steps

bool PathLowering::constant_steps(ir::ExprId path, const Context& in, StepTables& steps) {
    const Scoped r = resolve(path, in);
    const ir::Expr& x = expr(r.expr);
    if (program_.types.kind(x.type) != TypeKind::Path) return false;
    const ir::BoardId id = board_of(r.expr);
    const ir::Board& board = program_.boards[id];
    const auto push = [&](std::int64_t step) {
        steps.push_back(step_table(id, board.steps[static_cast<ir::StepId>(step)].to, false));
    };
    const auto arg = [&](std::size_t i) { return program_.argument(r.expr, i); };
    switch (x.op) {
    case Op::Table: push(x.imm); return true;
    case Op::Step: {
        const NodeRef dir = eval(arg(0), r.in);
        if (!graph_.is_constant(dir)) return false;
        if (graph_.constant_word(dir) >= 0) push(graph_.constant_word(dir));
        return true;
    }
    case Op::StepsOf: {
        const NodeRef dirs = eval(arg(0), r.in);
        if (!graph_.is_constant(dirs)) return false;
        for (std::uint32_t d = 0; d < board.dir_count; ++d)
            if ((graph_[dirs].value[d / 64] >> (d % 64) & 1) != 0) push(d);
        return true;
    }
    case Op::Alt: return constant_steps(arg(0), r.in, steps) && constant_steps(arg(1), r.in, steps);
    case Op::Converse: {
        StepTables inner;
        if (!constant_steps(arg(0), r.in, inner)) return false;
        for (auto& table : inner) {
            if (!injective(table)) return false;
            steps.push_back(inverted(table));
        }
        return true;
    }
    default: return false;
    }
}

bool PathLowering::as_flood(ir::ExprId path, const Context& in, Flood& flood) {
    const Scoped r = resolve(path, in);
    const ir::Expr& x = expr(r.expr);
    if (x.op == Op::Into) {
        if (!as_flood(program_.argument(r.expr, 0), r.in, flood)) return false;
        const NodeRef into = eval(program_.argument(r.expr, 1), r.in);
        flood.into = flood.into == no_node ? into : graph_.and_(flood.into, into);
        return true;
    }
    if (x.op == Op::Alt) {
        Flood a, b;
        if (!as_flood(program_.argument(r.expr, 0), r.in, a) || !as_flood(program_.argument(r.expr, 1), r.in, b))
            return false;
        if (a.into != b.into) return false;
        flood = std::move(a);
        flood.steps.insert(flood.steps.end(), b.steps.begin(), b.steps.end());
        return true;
    }
    return constant_steps(r.expr, r.in, flood.steps);
}

// -- few sites

// Whether the path is a straight step into a set, and the set of sources has few members.
bool PathLowering::is_line(NodeRef set, ir::ExprId path, const Context& in, Flood& line) {
    return graph_.passes().on(Pass::LineTables) && lowering_.expected_size(set) <= few && as_flood(path, in, line) &&
           line.steps.size() == 1 && line.into != no_node && injective(line.steps[0]) &&
           ValueGraph::straight(line.steps[0]);
}

// (d & s)^* . d leads to what is visible in direction d through s: rays.
NodeRef PathLowering::image_slide(NodeRef set, const Way& way) {
    const Passes::Timer timer(graph_.passes(), Pass::LineTables);
    const Scoped run = resolve(program_.argument(way.path, 0), way.in);
    if (expr(run.expr).op != Op::Closure) return no_node;
    const NodeRef low = eval(program_.argument(run.expr, 1), run.in);
    if (!graph_.is_constant(low) || graph_.constant_word(low) != 0) return no_node;
    Flood line;
    StepTables last;
    if (!is_line(set, program_.argument(run.expr, 0), run.in, line) ||
        !constant_steps(program_.argument(way.path, 1), way.in, last) || last != line.steps)
        return no_node;
    graph_.passes().changed(Pass::LineTables);
    return graph_.rays(set, line.into, way.back ? inverted(last[0]) : last[0]);
}

// Constant steps from one site, or from few, are rows of a table of sets. no_node: the path or the set is another.
NodeRef PathLowering::image_of_few(NodeRef set, const Way& way) {
    const Passes::Timer timer(graph_.passes(), Pass::LineTables);
    const bool one = graph_[set].family == Family::Bit;
    if (!graph_.passes().on(Pass::LineTables) || graph_.is_constant(set) || lowering_.expected_size(set) > few)
        return no_node;
    StepTables steps;
    if (!constant_steps(way.path, way.in, steps) || steps.size() < (one ? 2U : 4U)) return no_node;
    const std::uint16_t words = graph_.width(set);
    std::vector<std::uint64_t> rows(steps[0].size() * words, 0);
    for (const auto& step : steps)
        for (std::size_t from = 0; from < step.size(); ++from) {
            if (step[from] < 0) continue;
            const auto to = static_cast<std::size_t>(step[from]);
            const std::size_t row = way.back ? to : from, bit = way.back ? from : to;
            rows[row * words + bit / 64] |= std::uint64_t{1} << (bit % 64);
        }
    graph_.passes().changed(Pass::LineTables);
    const std::uint32_t table = graph_.add_sets(std::move(rows));
    if (one) return graph_.make(Family::SetTable, words, {graph_[set].in[0], no_node, no_node}, 0, table);
    return graph_.make(Family::Image, words, {set, no_node, no_node}, 0, table);
}

} // namespace zug::run
