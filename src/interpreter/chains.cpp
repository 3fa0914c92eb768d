#include "interpreter/chains.hpp"

#include "base/copy_words.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace zug::run {
namespace {

// Whether a rule stands at several places of the plan, so that the same steps may be found twice.
bool names_twice(const ir::TurnPlan& plan) {
    std::set<ir::RuleId> met;
    return std::ranges::any_of(plan.chains, [&](const ir::PlanChain& chain) {
        return std::ranges::any_of(
            chain.steps, [&](const ir::PlanStep& step) { return valid(step.rule) && !met.insert(step.rule).second; });
    });
}

bool chain_may_be_empty(const ir::TurnPlan& plan, std::uint32_t chain) {
    return std::ranges::all_of(plan.chains[chain].steps, [&](const ir::PlanStep& step) {
        if (step.repeat == ir::PlanStep::Repeat::Optional || step.repeat == ir::PlanStep::Repeat::Star) return true;
        return std::ranges::any_of(step.group, [&](auto c) { return chain_may_be_empty(plan, c); });
    });
}

} // namespace

TurnChains::TurnChains(Referee& referee)
    : referee_(referee), plan_(*referee.program().turn), state_words_(referee.state_words()), kind_(state_words_),
      player_(kind_ + 1), sums_(player_ + 1), key_(sums_ + plan_.chains.size()),
      node_words_(key_ + (plan_.by ? std::tuple_size_v<WordsHash> : 0)), arena_(node_words_) {
    for (std::uint32_t c = 0; c < plan_.chains.size(); ++c)
        may_be_empty_.push_back(chain_may_be_empty(plan_, c) ? 1 : 0);
    same_steps_ = plan_.by_steps && names_twice(plan_);
}

// -- nodes and the frame

void TurnChains::begin() {
    arena_.clear();
    failed_ = exceeded_ = false;
    mover_ = referee_.turn();
    start_ = arena_.next();
    std::uint64_t* const words = arena_.draft();
    copy_words(referee_.frame(), state_words_, words);
    std::fill(words + kind_, words + node_words_, 0);
    arena_.add(ChainArena::none, 0, arena_.hash_of_words(start_));
    in_frame_ = ChainArena::none;
}

void TurnChains::enter(Node n) {
    referee_.set_between_moves(arena_.length(n) == 0);
    if (n == in_frame_) return;
    const auto words = arena_.words(n);
    copy_words(words.data(), state_words_, referee_.frame());
    referee_.word(referee_.compiled().code.turned_reg) = words[kind_];
    in_frame_ = n;
}

// Writes the state's words of a node, and what a turn effect has said. The mover keeps the turn until the chain is
// over.
void TurnChains::leave(std::uint64_t* words) const {
    const std::uint64_t* const frame = referee_.frame();
    copy_words(frame, state_words_, words);
    words[referee_.turn_reg()] = mover_;
    const std::uint64_t kind = frame[referee_.compiled().code.turned_reg];
    if (kind == words[kind_]) return;
    words[kind_] = kind;
    words[player_] = frame[referee_.turn_reg()];
}

void TurnChains::fail(ir::RuleId rule, Node n) {
    failed_ = true;
    std::vector<StepCode> steps;
    arena_.steps(n, steps);
    const auto before = arena_.words(start_).first(state_words_);
    if (steps.size() <= max_chain) return referee_.reference().describe_check(rule, steps, before);
    Fault fault = endless_turn(referee_.program().rules[rule]);
    fault.rule = rule;
    fault.move = steps;
    referee_.layout().store(before.data(), fault.slots);
    referee_.fault() = std::move(fault);
}

void TurnChains::fail_for_excess(ir::RuleId rule) {
    failed_ = exceeded_ = true;
    std::vector<std::uint32_t> slots;
    referee_.layout().store(arena_.words(start_).data(), slots);
    referee_.fault() = too_much(Excess::Chains, referee_.program(), rule, std::move(slots));
}

// -- the search

const TurnChains::Nodes& TurnChains::moves(Order order, ir::RuleId opening) {
    begin();
    order_ = order;
    found_for_start_ = opening;
    moves_.clear();
    first_nonempty(plan_.alternatives, start_, moves_);
    if (moves_.empty() && may_be_empty(plan_.alternatives)) moves_.push_back(arena_.copy(start_));
    ends_later_ = order == Order::Any && end_is_alike(moves_);
    if (ends_later_)
        drop_alike(moves_);
    else if (!failed_)
        finish(moves_);
    if (!failed_ && moves_.size() > max_moves) fail_for_excess(none_id<ir::RuleId>);
    if (failed_) moves_.clear();
    return moves_;
}

// Where every alternative is one rule's steps, the first step tells.
bool TurnChains::any() {
    if (may_be_empty(plan_.alternatives)) return true;
    begin();
    return std::ranges::any_of(plan_.alternatives, [&](auto c) {
        const auto& steps = plan_.chains[c].steps;
        if (steps.size() == 1 && valid(steps.front().rule)) return can_step(steps.front().rule, start_);
        moves_.clear();
        chain_nodes(c, start_, moves_);
        return !moves_.empty() || failed_;
    });
}

bool TurnChains::may_be_empty(const Alternatives& alternatives) const {
    return std::ranges::any_of(alternatives, [&](auto c) { return may_be_empty_[c] != 0; });
}

// `from`, of no step, is no repeat of a step that changes nothing: it may be left out in the end, where that step
// stays.
void TurnChains::drop_repeats(Nodes& nodes, Node from) {
    if (plan_.by_steps || nodes.size() < 2) return;
    const Pool<MetNodes>::Loan met(mets_);
    keep_if(nodes, [&](Node n) { return n == from || met->insert(arena_, n); });
}

// Appends the chains of at least one step of the first alternative that has one.
void TurnChains::first_nonempty(const Alternatives& alternatives, Node from, Nodes& out) {
    const Pool<Nodes>::Loan nodes(lists_);
    for (auto chain : alternatives) {
        nodes->clear();
        chain_nodes(chain, from, *nodes);
        if (may_be_empty_[chain]) std::erase(*nodes, from);
        if (nodes->empty()) continue;
        keep_most(chain, from, *nodes);
        out.insert(out.end(), nodes->begin(), nodes->end());
        return;
    }
}

void TurnChains::chain_nodes(std::uint32_t chain, Node from, Nodes& out) {
    const auto& steps = plan_.chains[chain].steps;
    if (steps.size() == 1) return step_nodes(steps.front(), from, out);
    const Pool<Nodes>::Loan nodes(lists_), next(lists_);
    nodes->push_back(from);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        drop_repeats(*nodes, from);
        next->clear();
        for (Node n : *nodes) step_nodes(steps[i], n, *next);
        std::swap(*nodes, *next);
    }
    out.insert(out.end(), nodes->begin(), nodes->end());
}

void TurnChains::keep_most(std::uint32_t chain, Node from, Nodes& nodes) {
    const ir::PlanChain& of = plan_.chains[chain];
    if ((!valid(of.most) && of.most_sum.empty()) || nodes.size() < 2) return;
    values_.clear();
    for (Node n : nodes) values_.push_back(valid(of.most) ? most(chain, n) : sum(n, chain) - sum(from, chain));
    const double best = *std::ranges::max_element(values_);
    std::size_t i = 0;
    keep_if(nodes, [&](Node) { return values_[i++] == best; });
}

double TurnChains::most(std::uint32_t chain, Node n) {
    enter(n);
    referee_.set_between_moves(false);
    return referee_.number(referee_.compiled().most[chain][mover_]);
}

void TurnChains::step_nodes(const ir::PlanStep& step, Node from, Nodes& out) {
    const bool item_may_be_empty = !valid(step.rule) && may_be_empty(step.group);
    if (step.repeat == Repeat::Star) {
        const Pool<MetNodes>::Loan met(mets_);
        return star_nodes(step, from, out, *met);
    }
    if (step.repeat == Repeat::Plus) {
        const Pool<Nodes>::Loan nodes(lists_);
        const Pool<MetNodes>::Loan met(mets_);
        item_nodes(step, from, *nodes);
        if (nodes->empty() && item_may_be_empty) out.push_back(from);
        drop_repeats(*nodes, from);
        for (Node n : *nodes) star_nodes(step, n, out, *met);
        return;
    }
    if (step.may) out.push_back(from);
    const std::size_t before = out.size();
    item_nodes(step, from, out);
    if (!step.may && out.size() == before && (step.repeat == Repeat::Optional || item_may_be_empty))
        out.push_back(from);
}

// Depth first, so that the first found is the least in the order of steps; equal nodes are followed once.
void TurnChains::star_nodes(const ir::PlanStep& step, Node from, Nodes& out, MetNodes& met) {
    if (!plan_.by_steps && !met.insert(arena_, from)) return;
    const Pool<Nodes>::Loan open(lists_);
    open->push_back(from);
    arena_.set_open(from, true);
    while (!open->empty() && !failed_) {
        const Node n = open->back();
        open->pop_back();
        if (!arena_.is_open(n)) continue;
        arena_.set_open(n, false);
        const std::size_t before = open->size();
        const bool goes_on = next_nodes(step, n, *open, met);
        if (step.may || !goes_on) out.push_back(n);
        std::reverse(open->begin() + static_cast<std::ptrdiff_t>(before), open->end());
    }
}

// Appends the nodes after `n` that are to be followed. Whether there are any, those met before included.
bool TurnChains::next_nodes(const ir::PlanStep& step, Node n, Nodes& open, MetNodes& met) {
    Siblings siblings{plan_.by_steps ? nullptr : &met, arena_.next()};
    if (valid(step.rule)) return rule_nodes(step.rule, n, open, siblings);
    const Pool<Nodes>::Loan nodes(lists_);
    item_nodes(step, n, *nodes);
    for (Node next : *nodes) {
        if (!siblings.is_new(arena_, next, arena_.hash(next))) continue;
        arena_.set_open(next, true);
        open.push_back(next);
    }
    return !nodes->empty();
}

// A node that is met again is followed where the depth-first order comes to it first: if the first is still open, and
// no sibling, that is here.
bool TurnChains::Siblings::is_new(ChainArena& arena, Node n, std::uint64_t hash) {
    if (met == nullptr) return true;
    Node& known = met->member(arena, n, hash);
    if (known != ChainArena::none) {
        if (known >= first || !arena.is_open(known)) return false;
        arena.set_open(known, false);
    }
    known = n;
    return true;
}

// Appends the chains that the rule or group of the step adds when made once, each at least one step long.
void TurnChains::item_nodes(const ir::PlanStep& step, Node from, Nodes& out) {
    if (failed_) return;
    if (valid(step.rule))
        rule_nodes(step.rule, from, out);
    else
        first_nonempty(step.group, from, out);
}

// Whether the rule has an instance. Of siblings, only those that are new are appended.
bool TurnChains::rule_nodes(ir::RuleId rule, Node from, Nodes& out, Siblings siblings) {
    enter(from);
    const FindCode& find = referee_.compiled().steps[index(rule)][mover_];
    const bool known = rule == found_for_start_;
    found_for_start_ = none_id<ir::RuleId>;
    if (!known && referee_.run(find.entry) == FindCode::nothing) return false;
    found_.clear();
    referee_.each(find, [&](const Pick& p) { return found_.push_back({referee_.code_of(p), p}), false; });
    if (order_ == Order::Steps) std::ranges::sort(found_, std::less{}); // as the reference finds them
    bool any = false;
    for (const Found& step : found_) {
        if (failed_) break;
        enter(from);
        if (!make_step(rule, step, from)) continue;
        any = true;
        const Node n = arena_.next();
        const std::uint64_t hash = arena_.hash_of_words(n);
        if (!siblings.is_new(arena_, n, hash)) continue;
        arena_.add(from, step.code, hash);
        out.push_back(n);
    }
    return any;
}

// Makes a step in the frame that `from` was entered into, and leaves the draft of its node. False: its `ensure` fails,
// or a fault.
bool TurnChains::make_step(ir::RuleId rule, const Found& step, Node from) {
    if (arena_.is_full()) return fail_for_excess(rule), false;
    const Compiled& compiled = referee_.compiled();
    std::uint64_t* const draft = arena_.draft();
    copy_words(arena_.words(from).data() + kind_, node_words_ - kind_, draft + kind_);
    referee_.set_params(step.pick, step.code);
    for (std::size_t c = 0; c < compiled.sums.size(); ++c) {
        const auto& sums = compiled.sums[c][index(rule)];
        // -0.0 becomes 0.0: nodes are compared word by word.
        if (!sums.empty())
            draft[sums_ + c] = std::bit_cast<std::uint64_t>(sum(from, c) + referee_.number(sums[mover_]) + 0.0);
    }
    in_frame_ = ChainArena::none;
    const std::int32_t result = referee_.run(compiled.rules[index(rule)].apply[mover_]);
    if (result == faulted || arena_.length(from) >= max_chain) {
        const Node n = arena_.next();
        arena_.add(from, step.code, 0);
        return fail(rule, n), false;
    }
    if (result != 1) leave(draft);
    return result != 1;
}

bool TurnChains::can_step(ir::RuleId rule, Node from) {
    if (referee_.program().rules[rule].ensure.empty()) {
        enter(from);
        return referee_.find(referee_.compiled().steps[index(rule)][mover_]) > 0;
    }
    moves_.clear();
    rule_nodes(rule, from, moves_);
    return !moves_.empty() || failed_;
}

} // namespace zug::run
