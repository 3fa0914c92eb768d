// Lowering of images along paths: forward, and backward as preimages.

#include "compiler/lower/lowering.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace zug::run {

using ir::Op;
using ir::TypeKind;

namespace {

constexpr std::uint64_t few = 6; // members of a set that are cheaper one by one than all at once

// The one distance that all steps of the table go, if there is one; 0 for an empty table.
std::optional<std::int32_t> distance(const std::vector<std::int64_t>& table) {
    std::optional<std::int32_t> found;
    for (std::size_t b = 0; b < table.size(); ++b) {
        if (table[b] < 0) continue;
        const auto d = static_cast<std::int32_t>(table[b] - static_cast<std::int64_t>(b));
        if (found && *found != d) return std::nullopt;
        found = d;
    }
    return found.value_or(0);
}

std::vector<std::uint64_t> landing(const std::vector<std::int64_t>& table, std::uint16_t words) {
    std::vector<std::uint64_t> result(words, 0);
    for (std::int64_t to : table)
        if (to >= 0) result[static_cast<std::size_t>(to) / 64] |= std::uint64_t{1} << (to % 64);
    return result;
}

// Whether shifting any set of sites by the table's distance lands on sites only where the table leads there.
bool clean(const std::vector<std::int64_t>& table, std::int32_t d, std::span<const std::int32_t> site_of_bit) {
    for (std::size_t b = 0; b < table.size(); ++b) {
        if (site_of_bit[b] < 0 || table[b] >= 0) continue;
        const std::int64_t to = static_cast<std::int64_t>(b) + d;
        if (to >= 0 && to < static_cast<std::int64_t>(table.size()) && site_of_bit[static_cast<std::size_t>(to)] >= 0)
            return false;
    }
    return true;
}

std::vector<std::int64_t> inverted(const std::vector<std::int64_t>& table) {
    std::vector<std::int64_t> result(table.size(), -1);
    for (std::size_t b = 0; b < table.size(); ++b)
        if (table[b] >= 0) result[static_cast<std::size_t>(table[b])] = static_cast<std::int64_t>(b);
    return result;
}

bool injective(const std::vector<std::int64_t>& table) {
    std::vector<std::int64_t> targets;
    for (std::int64_t to : table)
        if (to >= 0) targets.push_back(to);
    std::sort(targets.begin(), targets.end());
    return std::adjacent_find(targets.begin(), targets.end()) == targets.end();
}

} // namespace

std::vector<std::int64_t> Lowering::step_table(ir::BoardId id, const std::vector<std::int32_t>& to, bool back) const {
    const BoardLayout& board = layout_.board(id);
    std::vector<std::int64_t> table(board.bits, -1);
    for (std::size_t s = 0; s < to.size(); ++s)
        if (to[s] >= 0)
            table[static_cast<std::size_t>(board.bit_of_site[s])] = board.bit_of_site[static_cast<std::size_t>(to[s])];
    return back ? inverted(table) : table;
}

NodeRef Lowering::all_sites(ir::BoardId id) {
    const BoardLayout& board = layout_.board(id);
    std::vector<std::uint64_t> words(board.words, 0);
    for (std::int32_t bit : board.bit_of_site)
        words[static_cast<std::size_t>(bit) / 64] |= std::uint64_t{1} << (bit % 64);
    return graph_.set(std::move(words), true);
}

// Where one place leads, by a table (-1: nowhere). `set` holds that place; `row` is its number in the table.
NodeRef Lowering::step_of_one(NodeRef set, NodeRef row, std::vector<std::int64_t> table) {
    const std::int32_t bits = graph_[set].imm;
    std::ranges::replace(table, -1, ir::none);
    const NodeRef to =
        graph_.make(Family::WordTable, 1, {row, no_node, no_node}, 0, graph_.add_words(std::move(table)));
    return graph_.make(Family::Bit, graph_.width(set), {to, no_node, no_node}, bits);
}

// The image of the set along an injective table of bits.
NodeRef Lowering::shift_by(NodeRef set, const std::vector<std::int64_t>& table) {
    const std::uint16_t words = graph_.width(set);
    if (graph_[set].family == Family::Bit) return step_of_one(set, graph_[set].in[0], table);
    const auto d = distance(table);
    if (d) {
        for (std::size_t b = 0; b < program_.boards.size(); ++b) {
            const BoardLayout& board = layout_.board(static_cast<ir::BoardId>(b));
            if (board.bits != table.size()) continue;
            if (clean(table, *d, board.site_of_bit))
                return graph_.shift_and(set, *d, all_sites(static_cast<ir::BoardId>(b)));
            break;
        }
        return graph_.shift_and(set, *d, graph_.set(landing(table, words)));
    }
    // dst has v where the inverse leads from v into the set.
    return graph_.gather(set, inverted(table));
}

NodeRef Lowering::image_table(NodeRef set, const ir::Board&, ir::BoardId id, const std::vector<std::int32_t>& to,
                              bool back) {
    const std::vector<std::int64_t> forward = step_table(id, to, false);
    if (back) {
        if (injective(forward)) return shift_by(set, inverted(forward));
        return graph_.gather(set, forward);
    }
    if (injective(forward)) return shift_by(set, forward);
    // Several places lead to one: split into injective parts.
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

// Along every direction of a set that is only known at run time.
NodeRef Lowering::image_dirs(NodeRef set, ir::BoardId id, NodeRef dirs, bool back) {
    const ir::Board& board = program_.boards[id];
    NodeRef result = empty(graph_.width(set));
    for (std::uint32_t d = 0; d < board.dir_count; ++d) {
        const NodeRef is_in = graph_.make(Family::Test, graph_.width(dirs), {graph_.word(d), dirs, no_node},
                                          static_cast<std::int32_t>(board.dir_count));
        if (graph_.is_constant(is_in) && graph_.constant_word(is_in) == 0) continue;
        const NodeRef moved = image_table(set, board, id, board.steps[static_cast<ir::StepId>(d)].to, back);
        result = graph_.or_(result, graph_.bcast(is_in, moved));
    }
    return result;
}

NodeRef Lowering::image(NodeRef set, ir::ExprId unresolved, const Context& around, bool back) {
    if (graph_.is_empty(set) || failed_) return set;
    const ValueGraph::From here(graph_, expr(unresolved).span);
    const Scoped resolved = resolve(unresolved, around);
    const ir::ExprId path = resolved.expr;
    const Context& in = resolved.in;
    const ir::Expr& x = expr(path);
    const auto id = static_cast<ir::BoardId>(program_.types[x.type].ref);
    const auto arg = [&](std::size_t i) { return program_.argument(path, i); };
    if (const NodeRef found = image_of_few(set, path, in, back); found != no_node) return found;
    switch (x.op) {
    case Op::Step: {
        const NodeRef dir = eval(arg(0), in);
        const ir::Board& board = program_.boards[id];
        if (graph_.is_constant(dir)) {
            const std::int64_t d = graph_.constant_word(dir);
            if (d < 0) return empty(graph_.width(set));
            return image_table(set, board, id, board.steps[static_cast<ir::StepId>(d)].to, back);
        }
        std::vector<std::int64_t> tables;
        bool simple = true, one_to_one = true;
        for (std::uint32_t d = 0; d < board.dir_count; ++d) {
            const auto& to = board.steps[static_cast<ir::StepId>(d)].to;
            const bool unique = injective(step_table(id, to, false));
            simple = simple && (back || unique);
            one_to_one = one_to_one && unique;
            const auto table = step_table(id, to, !back); // Gather reads where a place gets its bit from
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
        return image_dirs(
            set, id, graph_.make(Family::Bit, 1, {dir, no_node, no_node}, static_cast<std::int32_t>(board.dir_count)),
            back);
    }
    case Op::StepsOf: return image_dirs(set, id, eval(arg(0), in), back);
    case Op::Table:
        return image_table(set, program_.boards[id], id, program_.boards[id].steps[static_cast<ir::StepId>(x.imm)].to,
                           back);
    case Op::Seq: {
        if (const NodeRef seen = image_slide(set, path, in, back); seen != no_node) return seen;
        const NodeRef middle = image(set, arg(back ? 1 : 0), in, back);
        return image(middle, arg(back ? 0 : 1), in, back);
    }
    case Op::Alt: return graph_.or_(image(set, arg(0), in, back), image(set, arg(1), in, back));
    case Op::Into: {
        const NodeRef into = eval(arg(1), in);
        if (back) return image(graph_.and_(set, into), arg(0), in, true);
        return graph_.and_(image(set, arg(0), in, false), into);
    }
    case Op::Converse: return image(set, arg(0), in, !back);
    case Op::Power: return image_power(set, path, in, back);
    case Op::Closure: return image_closure(set, path, in, back);
    case Op::If: {
        const NodeRef c = eval(arg(0), in);
        return graph_.or_(image(graph_.bcast(c, set), arg(1), in, back),
                          image(graph_.bcast(graph_.not_(c), set), arg(2), in, back));
    }
    case Op::PathOver: {
        const NodeRef domain = eval(arg(0), in);
        const ir::TypeId type = element(arg(0));
        const SetShape shape = layout_.shape(type);
        NodeRef result = empty(graph_.width(set));
        for (std::uint32_t b = 0; b < shape.bits; ++b) {
            if (layout_.value_of_bit(type, b) == ir::none) continue;
            const NodeRef bit = graph_.word(b);
            const NodeRef is_in =
                graph_.make(Family::Test, shape.words, {bit, domain, no_node}, static_cast<std::int32_t>(shape.bits));
            if (graph_.is_constant(is_in) && graph_.constant_word(is_in) == 0) continue;
            Context inner = bind_node(static_cast<ir::VarId>(x.imm), from_bit(type, bit), in);
            result = graph_.or_(result, image(graph_.bcast(is_in, set), arg(1), inner, back));
        }
        return result;
    }
    default: return fail();
    }
}

// -- powers and closures

// The tables of a path that is a union of constant steps.
bool Lowering::constant_dirs(ir::ExprId path, const Context& in, std::vector<std::vector<std::int64_t>>& steps) {
    const Scoped r = resolve(path, in);
    const ir::Expr& x = expr(r.expr);
    if (program_.types.kind(x.type) != TypeKind::Path) return false;
    const auto id = static_cast<ir::BoardId>(program_.types[x.type].ref);
    const ir::Board& board = program_.boards[id];
    const auto push = [&](ir::StepId step) { steps.push_back(step_table(id, board.steps[step].to, false)); };
    if (x.op == Op::Table) {
        push(static_cast<ir::StepId>(x.imm));
        return true;
    }
    if (x.op == Op::Step) {
        const NodeRef dir = eval(program_.argument(r.expr, 0), r.in);
        if (!graph_.is_constant(dir)) return false;
        if (graph_.constant_word(dir) >= 0) push(static_cast<ir::StepId>(graph_.constant_word(dir)));
        return true;
    }
    if (x.op == Op::StepsOf) {
        const NodeRef dirs = eval(program_.argument(r.expr, 0), r.in);
        if (!graph_.is_constant(dirs)) return false;
        for (std::uint32_t d = 0; d < board.dir_count; ++d)
            if ((graph_[dirs].value[d / 64] >> (d % 64) & 1) != 0) push(static_cast<ir::StepId>(d));
        return true;
    }
    if (x.op == Op::Alt)
        return constant_dirs(program_.argument(r.expr, 0), r.in, steps) &&
               constant_dirs(program_.argument(r.expr, 1), r.in, steps);
    if (x.op == Op::Converse) {
        std::vector<std::vector<std::int64_t>> inner;
        if (!constant_dirs(program_.argument(r.expr, 0), r.in, inner)) return false;
        for (auto& table : inner) {
            if (!injective(table)) return false;
            steps.push_back(inverted(table));
        }
        return true;
    }
    return false;
}

bool Lowering::as_flood(ir::ExprId path, const Context& in, Flood& flood) {
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
    return constant_dirs(r.expr, r.in, flood.steps);
}

// -- few places

// Whether the path is a straight step into a set, and the set that it leads from has few members.
bool Lowering::is_line(NodeRef set, ir::ExprId path, const Context& in, Flood& line) {
    return expected_size(set) <= few && as_flood(path, in, line) && line.steps.size() == 1 && line.into != no_node &&
           injective(line.steps[0]) && ValueGraph::straight(line.steps[0]);
}

// (d & s)^* . d is what can be seen in direction d through s.
NodeRef Lowering::image_slide(NodeRef set, ir::ExprId path, const Context& in, bool back) {
    const Scoped run = resolve(program_.argument(path, 0), in);
    if (expr(run.expr).op != Op::Closure) return no_node;
    const NodeRef low = eval(program_.argument(run.expr, 1), run.in);
    if (!graph_.is_constant(low) || graph_.constant_word(low) != 0) return no_node;
    Flood line;
    std::vector<std::vector<std::int64_t>> last;
    if (!is_line(set, program_.argument(run.expr, 0), run.in, line) ||
        !constant_dirs(program_.argument(path, 1), in, last) || last != line.steps)
        return no_node;
    return graph_.rays(set, line.into, back ? inverted(last[0]) : last[0]);
}

// Constant steps from one place, or a few, are read off a table. no_node: not in this way.
NodeRef Lowering::image_of_few(NodeRef set, ir::ExprId path, const Context& in, bool back) {
    const bool one = graph_[set].family == Family::Bit;
    if (graph_.is_constant(set) || expected_size(set) > few) return no_node;
    std::vector<std::vector<std::int64_t>> steps;
    if (!constant_dirs(path, in, steps) || steps.size() < (one ? 2U : 4U)) return no_node;
    const std::uint16_t words = graph_.width(set);
    std::vector<std::uint64_t> rows(steps[0].size() * words, 0);
    for (const auto& step : steps)
        for (std::size_t from = 0; from < step.size(); ++from) {
            if (step[from] < 0) continue;
            const auto to = static_cast<std::size_t>(step[from]);
            const std::size_t row = back ? to : from, bit = back ? from : to;
            rows[row * words + bit / 64] |= std::uint64_t{1} << (bit % 64);
        }
    const std::uint32_t table = graph_.add_sets(std::move(rows));
    if (one) return graph_.make(Family::SetTable, words, {graph_[set].in[0], no_node, no_node}, 0, table);
    return graph_.make(Family::Image, words, {set, no_node, no_node}, 0, table);
}

std::uint64_t Lowering::expected_size(NodeRef set, int depth) const {
    constexpr std::uint64_t many = 1'000'000;
    const auto& node = graph_[set];
    if (depth == 0) return many;
    const auto of = [&](std::size_t i) { return expected_size(node.in[i], depth - 1); };
    switch (node.family) {
    case Family::Bit: return 1;
    case Family::Constant: {
        std::uint64_t count = 0;
        for (std::uint64_t word : node.value) count += static_cast<unsigned>(std::popcount(word));
        return count;
    }
    case Family::Place: {
        const auto found = std::ranges::find(plane_sizes_, static_cast<Reg>(node.extra), &PlaneSize::reg);
        return found == plane_sizes_.end() || found->words != node.width ? many : found->size;
    }
    case Family::And: return std::min(of(0), of(1));
    case Family::AndNot:
    case Family::ShlAnd:
    case Family::ShrAnd: return of(0);
    case Family::Or: return std::min(many, of(0) + of(1));
    case Family::Bcast: return of(1);
    default: return many;
    }
}

NodeRef Lowering::image_closure(NodeRef set, ir::ExprId path, const Context& in, bool back) {
    const ir::ExprId inner = program_.argument(path, 0);
    const NodeRef low = eval(program_.argument(path, 1), in);
    if (!graph_.is_constant(low)) return fail();
    if (Flood line; graph_.constant_word(low) <= 1 && is_line(set, inner, in, line)) {
        const NodeRef seen = back ? graph_.rays(graph_.and_(set, line.into), line.into, inverted(line.steps[0]))
                                  : graph_.and_(graph_.rays(set, line.into, line.steps[0]), line.into);
        return graph_.constant_word(low) == 0 ? graph_.or_(set, seen) : seen;
    }
    NodeRef start = set;
    for (std::int64_t k = 0; k < graph_.constant_word(low); ++k) start = image(start, inner, in, back);
    if (graph_.is_empty(start)) return start;
    Flood flood;
    bool shifts = as_flood(inner, in, flood) && !flood.steps.empty();
    std::vector<std::pair<std::int32_t, std::vector<std::uint64_t>>> list;
    bool masked = false;
    const auto board_id = static_cast<ir::BoardId>(program_.types[expr(path).type].ref);
    for (const auto& step : flood.steps) {
        if (!injective(step)) shifts = false;
        const auto table = back ? inverted(step) : step;
        const auto d = distance(table);
        if (!d)
            shifts = false;
        else if (*d != 0) {
            list.emplace_back(*d, landing(table, graph_.width(set)));
            masked = masked || !clean(table, *d, layout_.board(board_id).site_of_bit);
        }
    }
    if (shifts) {
        const NodeRef into = flood.into != no_node ? flood.into : all_sites(board_id);
        return graph_.make(back ? Family::FloodFrom : Family::FloodTo, graph_.width(set), {start, into, no_node}, 0,
                           graph_.add_shifts(std::move(list), masked));
    }
    const auto open = graph_.open_loop(Reduce::Grow, no_node, graph_.width(set), start);
    return graph_.close_loop(open, image(open.var, inner, in, back));
}

NodeRef Lowering::image_power(NodeRef set, ir::ExprId path, const Context& in, bool back) {
    const ir::ExprId inner = program_.argument(path, 0);
    const NodeRef low = eval(program_.argument(path, 1), in), high = eval(program_.argument(path, 2), in);
    if (!graph_.is_constant(low) || !graph_.is_constant(high)) {
        // low times, then up to high - low times more, keeping what was passed.
        const auto repeat = [&](NodeRef times, NodeRef from) {
            const auto open = graph_.open_loop(Reduce::Repeat, times, graph_.width(set), from);
            return open;
        };
        const auto first = repeat(low, set);
        const NodeRef at_low = graph_.close_loop(first, image(first.var, inner, in, back));
        if (low == high) return at_low;
        const NodeRef more = graph_.op(Family::Sub, high, low);
        const NodeRef start = graph_.bcast(graph_.not_(graph_.op(Family::Lt, more, graph_.word(0))), at_low);
        const auto second = repeat(more, start);
        return graph_.close_loop(second, graph_.or_(second.var, image(second.var, inner, in, back)));
    }
    const std::int64_t lo = std::max<std::int64_t>(0, graph_.constant_word(low)), hi = graph_.constant_word(high);
    if (hi < lo) return empty(graph_.width(set));
    // A run: sh(x) & s again and again, starting from s itself, by doubling. The path lands in s, so with x within s
    // every place passed is in s.
    Flood flood;
    if (lo == hi && hi > 1 && as_flood(inner, in, flood) && flood.steps.size() == 1 && flood.into == set && !back &&
        injective(flood.steps[0]) && distance(flood.steps[0]) &&
        clean(flood.steps[0], *distance(flood.steps[0]),
              layout_.board(static_cast<ir::BoardId>(program_.types[expr(path).type].ref)).site_of_bit)) {
        const std::int32_t d = *distance(flood.steps[0]);
        const auto bits = static_cast<std::int64_t>(graph_.width(set)) * 64;
        if (std::abs(d) * hi >= bits) return empty(graph_.width(set));
        return graph_.make(Family::Runs, graph_.width(set), {set, no_node, no_node}, static_cast<std::int32_t>(hi + 1),
                           graph_.add_words({d}));
    }
    NodeRef current = set, result = lo == 0 ? set : empty(graph_.width(set));
    for (std::int64_t k = 1; k <= hi && !graph_.is_empty(current); ++k) {
        if (k > 4096 || !within_budget()) return fail();
        current = image(current, inner, in, back);
        if (k >= lo) result = graph_.or_(result, current);
    }
    return result;
}

} // namespace zug::run
