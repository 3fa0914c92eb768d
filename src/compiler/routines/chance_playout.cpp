// Chance in random play: the events of a chance node as sets of equally likely ones, of which one is drawn like a move.

#include "compiler/routines/compiler.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <utility>

namespace zug::run {
namespace {

// More members than this are not weighed one by one.
constexpr std::size_t most_weighed = 1024;
// What Draw can sum up.
constexpr std::int64_t most_weight = UINT32_MAX;
constexpr std::size_t most_parts = 256;

// The smallest factor that makes integers of these numbers, up to rounding.
std::optional<std::int64_t> common_factor(const std::vector<double>& numbers) {
    for (std::int64_t factor = 1; factor <= 10'000; ++factor) {
        const auto good = [&](double x) {
            const double scaled = x * static_cast<double>(factor);
            return std::abs(scaled - std::round(scaled)) <= 1e-9 * std::abs(scaled);
        };
        if (std::ranges::all_of(numbers, good)) return factor;
    }
    return std::nullopt;
}

bool is_local(const ir::Program& program, const std::vector<ir::EffectId>& effects) {
    return std::ranges::any_of(effects, [&](ir::EffectId id) {
        const ir::Effect& e = program.effects[id];
        return (valid(e.state) && program.states[e.state].local) || is_local(program, e.yes) || is_local(program, e.no);
    });
}

} // namespace

struct Compiler::WeighedEvents : DueEvents {
    NodeRef weight = no_node;
    bool real = false;
};

// With a turn plan the routine assumes that local variables have their initial values when a turn begins.
bool Compiler::chance_changes_locals() const {
    return std::ranges::any_of(program_.rules, [&](const ir::Rule& rule) {
        return rule.chance && std::ranges::any_of(
                                  rule.then, [&](const ir::Block& block) { return is_local(program_, block.effects); });
    });
}

// Splits events by their weights. False: there are too many.
bool Compiler::weigh(const DueEvents& due, std::uint32_t player, std::vector<WeighedEvents>& out) {
    const ir::Rule& rule = program_.rules[due.rule];
    if (!valid(rule.weight)) {
        out.push_back({due, combinations(due)});
        return true;
    }
    graph_.enter(Origin::Part::Weight, index(due.rule));
    const bool real = program_.types.kind(program_.exprs[rule.weight].type) == ir::TypeKind::Real;
    const NodeRef set = due.events.set;
    const std::size_t words = graph_.width(set);
    if (words * 64 > most_weighed) return false;
    std::map<NodeRef, std::vector<std::uint64_t>> by_weight;
    for (std::size_t bit = 0; bit < words * 64; ++bit) {
        Context in{.me = player};
        bool defined = true;
        for (std::size_t p = 0; p < rule.params.size() && defined; ++p) {
            const std::vector<std::int64_t>& values = due.events.params[p];
            defined = bit < values.size() && values[bit] != undefined;
            if (defined) in = lowering_.bind_node(rule.params[p], graph_.word(values[bit]), in);
        }
        if (!defined) continue;
        auto& members = by_weight[lowering_.eval(rule.weight, effects_.with_lets(due.rule, false, in))];
        members.resize(words);
        members[bit / 64] |= std::uint64_t{1} << bit % 64;
    }
    const bool splits = by_weight.size() > 1;
    for (auto& [weight, members] : by_weight) {
        WeighedEvents part{due, weight, real};
        if (splits) part.events.set = graph_.and_(set, graph_.set(std::move(members)));
        if (!graph_.is_empty(part.events.set)) out.push_back(std::move(part));
    }
    return true;
}

// Makes integers of all weights. False: some of them may be none, or negative, or too large.
bool Compiler::make_integers(std::vector<WeighedEvents>& all) {
    if (std::ranges::any_of(all, &WeighedEvents::real)) {
        std::vector<double> weights;
        for (const WeighedEvents& part : all) {
            if (!graph_.is_constant(part.weight)) return false;
            const std::int64_t word = graph_.constant_word(part.weight);
            weights.push_back(part.real ? std::bit_cast<double>(word) : static_cast<double>(word));
        }
        const auto factor = common_factor(weights);
        if (!factor) return false;
        for (std::size_t k = 0; k < all.size(); ++k)
            all[k].weight = graph_.word(std::llround(weights[k] * static_cast<double>(*factor)));
    }
    std::int64_t total = 0;
    for (const WeighedEvents& part : all) {
        const ValueGraph::Node& weight = graph_[part.weight];
        if (weight.low < 0 || weight.high > most_weight) return false;
        total += weight.high * std::int64_t{graph_.width(part.events.set)} * 64;
    }
    return all.size() <= most_parts && total <= most_weight;
}

// The events that may be due at a node of this player. False: they can't be found as sets.
bool Compiler::find_events(std::uint32_t player, std::vector<DueEvents>& out) {
    for (std::size_t r = 0; r < program_.rules.size(); ++r) {
        const auto id = static_cast<ir::RuleId>(r);
        if (!program_.rules[id].chance) continue;
        graph_.enter(Origin::Part::When, index(id));
        if (auto independent = find_independent(id, player)) {
            out.push_back(std::move(*independent));
            continue;
        }
        std::vector<MoveSet> found;
        if (!lowering_.move_sets(program_.rules[id], Context{.me = player}, found)) return false;
        for (MoveSet& events : found) out.push_back({id, std::move(events), {}});
    }
    return true;
}

// Continues with the drawing of an event where one is due. Where all that are due have weight 0, which is a fault, the
// executor is asked. False: nothing is added, because events can't be drawn in code.
bool Compiler::draw_events(std::uint32_t player, const std::vector<DueEvents>& due, PlayGroup& group) {
    if (program_.turn && chance_changes_locals()) return false;
    std::vector<WeighedEvents> all;
    if (!std::ranges::all_of(due, [&](const DueEvents& events) { return weigh(events, player, all); }) ||
        !make_integers(all))
        return false;
    NodeRef any = graph_.word(0), total = graph_.word(0);
    for (const WeighedEvents& part : all) any = graph_.either(any, graph_.any(part.events.set));
    const auto guard = graph_.open_guard(any);
    std::vector<ir::RuleId> rules;
    bool may_vanish = false;
    if (all.size() == 1 && !all[0].others.empty()) all[0].weight = graph_.word(1); // nothing to weigh it against
    for (const WeighedEvents& part : all) {
        const auto [low, high] = std::pair{graph_[part.weight].low, graph_[part.weight].high};
        const bool is_one = low == 1 && high == 1;
        may_vanish = may_vanish || (low == 0 && part.others.empty());
        group.found.move_sets.push_back(part.events);
        group.later.push_back(keep_for_later(part));
        group.weights.push_back(is_one ? Reg{0} : graph_.fresh(1));
        rules.push_back(part.rule);
        if (!is_one) graph_.effect(Family::Mov, 1, group.weights.back(), {part.weight, no_node, no_node});
        const std::uint16_t width = graph_.width(part.events.set);
        const NodeRef members = graph_.make(Family::Count, width, {part.events.set, no_node, no_node});
        total = graph_.op(Family::Add, total, graph_.op(Family::Mul, members, part.weight));
    }
    if (may_vanish) graph_.return_if(graph_.op(Family::Eq, total, graph_.word(0)), PlayCode::chance_due);
    graph_.close_guard(guard);
    play_draw(group, rules);
    return true;
}

// What follows the effects of an event: the player to move keeps the turn unless an effect has said otherwise, and only
// then local variables begin anew. Failing checks from instruction `first` on are faults.
void Compiler::end_event(std::uint32_t player, bool turned, std::size_t first, const SharedMoves& shared) {
    std::vector<Instr>& instrs = out_.code.instrs;
    if (asks_within_moves_) graph_.effect(Family::SetBetweenMoves, 1, 0, {no_node, no_node, no_node}, 1);
    if (turned && !out_.locals.empty()) {
        graph_.enter(Origin::Part::Turn, 0);
        graph_.new_epoch();
        graph_.open_branch(graph_.op(Family::Lt, graph_.word(1), graph_.read(out_.code.turned_reg, 1)));
        reset_locals();
        graph_.close_branch();
    }
    close_move(first, shared.retry);
    instrs.back() = {.op = turned ? Opcode::Dispatch : Opcode::Jump};
    if (turned) {
        instrs.back().a = out_.code.turn_reg;
        dispatches_.emplace_back(instrs.size() - 1, shared.last);
    } else {
        to_nodes_.emplace_back(instrs.size() - 1, node_of(player, shared.last));
    }
}

} // namespace zug::run
