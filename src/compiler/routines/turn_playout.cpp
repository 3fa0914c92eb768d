// Random play of turns that a plan describes. The first rule with moves opens the turn. Its steps are drawn like moves
// if they are whole turns, or if their continuations are known in advance
// (compiler/analysis/weakest_precondition.hpp): a step with n continuations has weight n, and one of these is drawn
// after it. All other turns need a search for chains, which is left to the executor.

#include "compiler/normalise/index_order.hpp"
#include "compiler/normalise/normalise.hpp"
#include "compiler/routines/compiler.hpp"
#include "compiler/turns/turn_openings.hpp"

#include <algorithm>
#include <utility>

namespace zug::run {
namespace {

// The most sets of first steps that are tested for whether a search for chains is needed...
constexpr std::size_t most_tested = 48;
// ...sets of pairs of steps...
constexpr std::size_t most_further = 64;
// ...and sets of second steps to draw from.
constexpr std::size_t most_second = 16;
// ...or, where they depend on the first ones, sets of turns of two steps.
constexpr std::size_t most_turns = 64;

// A rule with the parameters and conditions of both steps.
ir::Rule both_steps(const FirstStep& first, const Continuation& next) {
    ir::Rule both = first.rule;
    both.params.insert(both.params.end(), next.rule.params.begin(), next.rule.params.end());
    for (const ir::ExprId condition : next.gate) both.when.push_back({condition, none_id<ir::VarId>});
    both.when.insert(both.when.end(), next.rule.when.begin(), next.rule.when.end());
    return both;
}

} // namespace

// The node under construction: code that finds turns and draws one, group after group.
struct Compiler::TurnNode {
    std::uint32_t player = 0;
    std::vector<PlayGroup> groups; // the last is being built
    std::optional<Entry> entry;
    bool searches = false; // the rest is left to the search

    Context context() const { return {.me = player}; }
};

// The second steps of a group, and the registers of their sets.
struct Compiler::Second {
    ir::RuleId rule{};
    PlayGroup group = {};
    std::vector<Reg> sets = {};
    std::vector<std::uint16_t> widths = {};
};

const ir::Program& Compiler::extended() {
    const ir::Program& program = *out_.program;
    extended_ = program;
    order_indices(*extended_, *out_.layout);
    normalise_questions(*extended_, passes_);
    can_conditions_ = can_conditions(*extended_);
    normalise(*extended_, passes_);
    if (program.turn) find_openings(program);
    out_.layout->know(extended_->types);
    return *extended_;
}

void Compiler::find_openings(const ir::Program& program) {
    out_.openings = turn_openings(for_proofs(program, passes_.options()), passes_);
    turns_change_ = turns(program, program.turn->then);
    for (const ir::Rule& rule : program.rules)
        turns_change_ = turns_change_ || (!rule.chance && turns(program, rule.then));
    for (const TurnOpening& opening : out_.openings) {
        OpeningPlan& plan = opening_plans_.emplace_back();
        plan.first = first_steps(*extended_, opening.rule, !turns_change_);
        const ir::RuleId next = valid(opening.then) ? opening.then : opening.unless;
        for (std::uint32_t p = 0; p < program.player_count() && valid(next); ++p)
            plan.next.push_back(continuation({opening.rule, next, p}));
    }
}

std::optional<Continuation> Compiler::continuation(const StepPair& steps) {
    if (!passes_.on(Pass::WeakestPreconditions)) return std::nullopt;
    const Passes::Timer timer(passes_, Pass::WeakestPreconditions);
    ++passes_[Pass::WeakestPreconditions].runs;
    auto next = continuation_after(*extended_, steps.first, steps.second, steps.player, !turns_change_);
    if (next) passes_.changed(Pass::WeakestPreconditions);
    if (passes_.dumps(Pass::WeakestPreconditions)) {
        const auto name = [&](ir::RuleId id) { return "`" + extended_->rules[id].name + "`"; };
        passes_.dump(std::nullopt,
                     name(steps.second) + " after " + name(steps.first) + " by " + extended_->players[steps.player] +
                         (next ? ": " + std::to_string(next->gate.size()) + " conditions on the first step alone, " +
                                     std::to_string(next->rule.when.size()) + " on both, " +
                                     std::to_string(next->rule.params.size()) + " parameters left\n"
                               : ": not known before the first step is made\n"));
    }
    return next;
}

std::optional<Entry> Compiler::play_turn_node(std::uint32_t player, std::uint32_t last) {
    TurnNode node{player, std::vector<PlayGroup>(1), std::nullopt, false};
    open(node);
    std::optional<PlayGroup> events;
    if (!play_begin(player, last, node.groups.back(), events)) return std::nullopt;
    if (events) node.entry = events->entry;
    const auto is_drawn = [](const TurnOpening& l) { return l.whole || valid(l.then) || valid(l.unless); };
    for (std::size_t k = 0; k < out_.openings.size() && !node.searches; ++k) {
        node.searches =
            std::none_of(out_.openings.begin() + static_cast<std::ptrdiff_t>(k), out_.openings.end(), is_drawn);
        if (!node.searches && !play_opening(node, out_.openings[k], opening_plans_[k])) return std::nullopt;
    }
    const Entry rest = graph_.finish({}, node.searches ? PlayCode::search_due : PlayCode::no_move);
    node.groups.pop_back();
    if (events && !play_group(*events, player, 0)) return std::nullopt;
    for (const PlayGroup& group : node.groups)
        if (!play_group(group, player, 0)) return std::nullopt;
    return node.entry.value_or(rest);
}

// Starts the node's last group.
void Compiler::open(TurnNode& node) {
    node.groups.back() = {};
    begin_group(node.groups.back());
}

NodeRef Compiler::any_of(const std::vector<MoveSet>& move_sets) {
    NodeRef any = graph_.word(0);
    for (const MoveSet& c : move_sets) any = graph_.either(any, graph_.any(c.set));
    return any;
}

// The same for sets of which many share a factor: (a & b) | (a & c) = a & (b | c).
NodeRef Compiler::any_pair(const std::vector<MoveSet>& move_sets) {
    std::vector<std::pair<NodeRef, NodeRef>> products;
    NodeRef all = no_node;
    const auto add = [&](NodeRef set) { all = all == no_node ? set : graph_.or_(all, set); };
    for (const MoveSet& c : move_sets) {
        const ValueGraph::Node& n = graph_[c.set];
        if (n.family != Family::And) {
            add(c.set);
            continue;
        }
        const auto [a, b] = std::pair{n.in[0], n.in[1]};
        const auto known = std::ranges::find_if(products, [&](auto& p) { return p.first == a || p.first == b; });
        if (known == products.end())
            products.emplace_back(a, b);
        else
            known->second = graph_.or_(known->second, known->first == a ? b : a);
    }
    for (const auto& [factor, rest] : products) add(graph_.and_(factor, rest));
    return all == no_node ? graph_.word(0) : graph_.any(all);
}

// Adds the code that draws the turns with this opening. False: the program has no such code.
bool Compiler::play_opening(TurnNode& node, const TurnOpening& opening, const OpeningPlan& plan) {
    graph_.enter(Origin::Part::When, index(opening.rule));
    const bool usable = (opening.whole || valid(opening.then) || valid(opening.unless)) &&
                        !(opening.from_initial_locals && turns_change_);
    if (!usable) {
        std::vector<MoveSet> move_sets;
        if (lowering_.move_sets(program_.rules[opening.rule], node.context(), move_sets) &&
            move_sets.size() <= most_tested)
            graph_.return_if(any_of(move_sets), PlayCode::search_due);
        else
            node.searches = true;
        return !lowering_.failed();
    }
    const std::optional<Continuation> next = plan.next.empty() ? std::nullopt : plan.next[node.player];
    if (opening.whole) return play_first(node, opening, plan.first[0], next);
    // Conditions on the state alone come first.
    NodeRef possible = graph_.word(1);
    for (const ir::ExprId condition : plan.first[0].possible)
        possible = graph_.both(possible, lowering_.eval(condition, node.context()));
    if (graph_.is_constant(possible) && graph_.constant_word(possible) != 0)
        return play_ways(node, opening, plan, next);
    const std::size_t skip = jump_unless(node, possible);
    if (!play_ways(node, opening, plan, next)) return false;
    if (node.searches) {
        graph_.finish({}, PlayCode::search_due);
        node.searches = false;
        open(node);
    }
    out_.code.instrs[skip].imm = static_cast<std::int32_t>(out_.code.instrs.size());
    return true;
}

// Ends the code so far with a conditional jump, whose target is to be patched, and starts new code behind it. Returns
// the number of the jump.
std::size_t Compiler::jump_unless(TurnNode& node, NodeRef truth) {
    std::vector<Instr>& instrs = out_.code.instrs;
    const bool opposite = graph_[truth].family == Family::Not;
    const NodeRef asked = opposite ? graph_[truth].in[0] : truth;
    const Entry entry = graph_.finish({&asked, 1}, 0);
    node.entry = node.entry.value_or(entry);
    instrs.back() = {.op = opposite ? Opcode::JumpIf : Opcode::JumpIfNot, .a = graph_.reg_of(asked)};
    open(node);
    return instrs.size() - 1;
}

bool Compiler::play_ways(TurnNode& node, const TurnOpening& opening, const OpeningPlan& plan,
                         const std::optional<Continuation>& next) {
    if (plan.first.size() == 1) return play_first(node, opening, plan.first[0], next);
    // One of two ways, depending on a condition on the state.
    std::vector<Instr>& instrs = out_.code.instrs;
    const NodeRef given = lowering_.eval(plan.first[0].given, node.context());
    const std::size_t choice = jump_unless(node, plan.first[0].holds ? given : graph_.not_(given));
    std::size_t over = 0;
    bool searched = false;
    for (const FirstStep& first : plan.first) {
        if (&first != &plan.first[0]) {
            instrs[choice].imm = static_cast<std::int32_t>(instrs.size());
            open(node);
        }
        if (!play_first(node, opening, first, next)) return false;
        if (&first != &plan.first[0] && !node.searches) break;
        graph_.finish({}, PlayCode::search_due);
        if (&first == &plan.first[0]) {
            over = instrs.size() - 1;
            searched = node.searches;
        } else {
            open(node);
        }
        node.searches = false;
    }
    if (!searched) instrs[over] = {.op = Opcode::Jump, .imm = static_cast<std::int32_t>(instrs.size())};
    return true;
}

bool Compiler::play_first(TurnNode& node, const TurnOpening& opening, const FirstStep& first,
                          const std::optional<Continuation>& next) {
    graph_.enter(Origin::Part::When, index(opening.rule));
    PlayGroup& group = node.groups.back();
    Second second{.rule = opening.then};
    if (opening.whole) {
        if (!finder_.find_unchecked(opening.rule, node.context(), group.found)) return false;
    } else {
        node.searches =
            !next || !lowering_.move_sets(first.rule, node.context(), group.found.move_sets, {.most = most_tested}) ||
            !(valid(opening.then) ? add_pairs(node, second, first, *next) : none_further(node, first, *next));
        if (lowering_.failed()) return false;
        if (node.searches) return true;
    }
    play_draw(group, std::vector(group.found.move_sets.size(), opening.rule));
    if (group.guard != no_node) pass_idle_draw(group);
    node.entry = node.entry.value_or(group.entry);
    if (!second.sets.empty()) {
        draw_second(group, second);
        node.groups.push_back(std::move(second.group));
    }
    node.groups.emplace_back();
    open(node);
    return true;
}

// Splits the first steps by whether a second one can follow. False: the condition cannot be lifted.
bool Compiler::add_pairs(TurnNode& node, Second& second, const FirstStep& first, const Continuation& next) {
    PlayGroup& group = node.groups.back();
    if (next.rule.params.size() != program_.rules[second.rule].params.size()) return false;
    if (!next.independent) return add_turns(node, second.rule, first, next);
    const std::vector<MoveSet> all = std::exchange(group.found.move_sets, {});
    const Reg weight = graph_.fresh(1);
    NodeRef any = graph_.word(0);
    for (const MoveSet& c : all) {
        MoveSet followed = c, last = c;
        for (const ir::ExprId condition : next.gate) {
            followed.set = lowering_.those_where(first.rule, followed, condition, node.context());
            if (followed.set == no_node) return false;
        }
        last.set = graph_.and_not(c.set, followed.set);
        any = graph_.either(any, graph_.any(followed.set));
        for (const auto& [part, reg] : {std::pair{last, Reg{0}}, std::pair{followed, weight}}) {
            if (graph_.is_empty(part.set)) continue;
            group.found.move_sets.push_back(part);
            group.weights.push_back(reg);
        }
    }
    graph_.effect(Family::Mov, 1, weight, {graph_.word(1), no_node, no_node});
    const auto guard = graph_.open_guard(any);
    std::vector<MoveSet>& move_sets = second.group.found.move_sets;
    const bool found = lowering_.move_sets(next.rule, node.context(), move_sets, {.most = most_second});
    NodeRef total = graph_.word(0);
    for (const MoveSet& c : move_sets) {
        const std::uint16_t width = graph_.width(c.set);
        second.sets.push_back(graph_.fresh(width));
        second.widths.push_back(width);
        graph_.effect(Family::Mov, width, second.sets.back(), {c.set, no_node, no_node});
        total = graph_.op(Family::Add, total, graph_.make(Family::Count, width, {c.set, no_node, no_node}));
    }
    graph_.effect(Family::Mov, 1, weight, {graph_.op(Family::Max, total, graph_.word(1)), no_node, no_node});
    graph_.close_guard(guard);
    return found;
}

// Where the second step depends on the first: draws both together, or a first step that no second one can follow.
// False: there are too many sets of turns, or they are not those of the first steps.
bool Compiler::add_turns(TurnNode& node, ir::RuleId second, const FirstStep& first, const Continuation& next) {
    PlayGroup& group = node.groups.back();
    std::vector<MoveSet>& firsts = group.found.move_sets;
    std::vector<MoveSet> turns;
    if (!lowering_.move_sets(both_steps(first, next), node.context(), turns, {.most = most_turns})) return false;
    std::vector<NodeRef> followed(firsts.size(), no_node);
    for (const MoveSet& turn : turns) {
        const auto its_first = std::ranges::find_if(firsts, [&](const MoveSet& step) {
            return std::ranges::equal(step.params, std::span(turn.params).first(step.params.size()));
        });
        if (its_first == firsts.end()) return false;
        NodeRef& set = followed[static_cast<std::size_t>(its_first - firsts.begin())];
        set = set == no_node ? turn.set : graph_.or_(set, turn.set);
    }
    for (std::size_t k = 0; k < firsts.size(); ++k)
        if (followed[k] != no_node) firsts[k].set = graph_.and_not(firsts[k].set, followed[k]);
    std::erase_if(firsts, [&](const MoveSet& step) { return graph_.is_empty(step.set); });
    group.pairs = turns.size();
    group.second = second;
    firsts.insert(firsts.end(), turns.begin(), turns.end());
    return true;
}

void Compiler::draw_second(PlayGroup& group, Second& second) {
    PlayCode& play = out_.play;
    PlayGroup& drawn = second.group;
    drawn.follows = true;
    drawn.first = play.move_sets.size();
    drawn.first_shape = drawn.last_shape = out_.code.shapes.size();
    drawn.drawing = static_cast<std::int32_t>(out_.code.drawings.size());
    Drawing& drawing = out_.code.drawings.emplace_back();
    drawing.first = static_cast<std::uint32_t>(drawn.first);
    std::uint16_t width = second.widths.front();
    for (std::size_t k = 0; k < second.sets.size(); ++k) {
        MoveSetCode& code = play.move_sets.emplace_back(
            move_set_code(program_, *out_.layout, second.rule, drawn.found.move_sets[k], second.widths[k]));
        code.set = second.sets[k];
        drawing.parts.push_back({.set = code.set, .words = code.words, .given = {}});
        if (code.words != width) width = 0;
    }
    group.then = draw_from(drawn.drawing, width);
}

// Where the guard jumps to the drawing because there is nothing to draw, it jumps behind it.
void Compiler::pass_idle_draw(const PlayGroup& group) {
    const Reg asked = graph_.reg_of(group.guard);
    std::vector<Instr>& instrs = out_.code.instrs;
    for (auto i = static_cast<std::size_t>(group.entry); i < static_cast<std::size_t>(group.draw); ++i)
        if (instrs[i].op == Opcode::JumpIfNot && instrs[i].a == asked && instrs[i].imm == group.draw) ++instrs[i].imm;
}

// Returns from the routine if a step can follow one of the group. False: the condition cannot be lifted.
bool Compiler::none_further(TurnNode& node, const FirstStep& first, const Continuation& next) {
    PlayGroup& group = node.groups.back();
    group.guard = any_of(group.found.move_sets);
    const auto guard = graph_.open_guard(group.guard);
    std::vector<MoveSet> pairs;
    const bool found = lowering_.move_sets(both_steps(first, next), node.context(), pairs, {.most = most_further});
    if (found) graph_.return_if(any_pair(pairs), PlayCode::search_due);
    graph_.close_guard(guard);
    return found;
}

} // namespace zug::run
