// Line walks (WalkCode): the successors of a position, one by one. Moves are applied by the same code as in random play
// (playout.cpp), which read from and write to the memory of a line.

#include "compiler/routines/compiler.hpp"

#include "base/narrow.hpp"

#include <algorithm>

namespace zug::run {
namespace {

// With at most this many move sets, `first` and `next` each have a copy of the code that takes a move, so that neither
// needs a jump.
constexpr std::size_t most_copied = 2;
// The most words that a position may take in memory: its state and its move sets.
constexpr std::uint32_t most_words = 4096;

} // namespace

bool Compiler::walk() {
    if (program_.turn || !program_.keys.empty()) return true;
    WalkCode& walk = out_.walk;
    walk.here = graph_.fresh(1);
    walk.there = graph_.fresh(1);
    walk.passes = graph_.fresh(1);
    walk.onward = graph_.fresh(1);
    walk.drawn = graph_.fresh(2);
    walk.counts = graph_.fresh(1);
    walk.total = graph_.fresh(1);
    walk.words = WalkCode::state_at + out_.layout->state_words();
    walks_ = walk.by_id = true;
    walk.can_count = std::ranges::none_of(program_.rules, &ir::Rule::chance);
    const std::vector<Instr>& instrs = out_.code.instrs;
    const std::size_t routines = out_.code.routines.size(), begin = instrs.size();
    bool possible = true;
    for (std::uint32_t player = 0; player < players() && possible; ++player) possible = walk_from(player);
    // Questions read the state in the frame, which is not that of the line, and may need moves: no walk is made.
    possible = possible && std::none_of(instrs.begin() + static_cast<std::ptrdiff_t>(begin), instrs.end(),
                                        [](const Instr& i) { return i.op == Opcode::CallHost; });
    out_.code.routines.resize(routines); // the routines finished since then are parts of these
    if (!possible) {
        walk = {};
        return !lowering_.failed() && why.empty();
    }
    // A move that fails a check is returned, for the reference evaluator to report the fault.
    const bool checks = std::ranges::any_of(out_.rules, &RuleCode::checks);
    for (const auto* const entries : {&walk.first, &walk.next})
        for (const Entry entry : *entries) {
            RoutineInfo& routine = out_.code.routines.emplace_back();
            routine.entry = entry;
            routine.results.emplace_back(walk.passes, 1);
            routine.results.emplace_back(walk.there, 1);
            routine.results.emplace_back(walk.total, 1);
            if (checks) routine.results.emplace_back(walk.drawn, 2);
        }
    return true;
}

// Whether the step codes of these move sets ascend from one set to the next.
bool Compiler::codes_ascend(std::span<const MoveSetCode> move_sets) const {
    std::optional<std::uint64_t> before;
    for (const MoveSetCode& c : move_sets)
        for (std::size_t b = 0; b < c.codes.size(); ++b) {
            if (!c.real[b]) continue;
            if (before && c.codes[b] <= *before) return false;
            before = c.codes[b];
        }
    return true;
}

bool Compiler::walk_from(std::uint32_t player) {
    WalkCode& walk = out_.walk;
    std::vector<Instr>& instrs = out_.code.instrs;
    const auto state_words = narrow<std::uint16_t>(out_.layout->state_words());
    const Instr load_words{Opcode::Load_N, 0, walk.here, 0, 0, state_words, WalkCode::state_at};
    const auto fetched = static_cast<Entry>(instrs.size());
    instrs.push_back(load_words);
    PlayGroup group;
    begin_group(group);
    walk.first_move_set.push_back(static_cast<std::uint32_t>(group.first));
    const Context in{.me = player};
    std::vector<bool> known_legal;
    for (std::size_t r = 0; r < program_.rules.size(); ++r) {
        const auto id = static_cast<ir::RuleId>(r);
        if (program_.rules[id].chance) continue;
        if (!finder_.find_moves(id, in, {}, group.found, known_legal)) return false;
        // If the legality of all moves must be checked there is nothing to count.
        walk.can_count = walk.can_count && (program_.rules[id].ensure.empty() || finder_.invalidation_of(id, in));
        for (std::size_t k = drawn_move_sets().size() - group.first; k < group.found.move_sets.size(); ++k) {
            const MoveSet& c = group.found.move_sets[k];
            drawn_move_sets().push_back(move_set_code(program_, *out_.layout, id, c, graph_.width(c.set)));
            drawn_move_sets().back().known_legal = known_legal[k];
        }
    }
    walk.emits = walk.emits || group.found.emits;
    walk.by_id = walk.by_id && !group.found.emits && codes_ascend(codes_of(group));
    if (!store_moves(group)) return false;
    walk.first.push_back(fetched);
    const Instr take = instrs.back();
    const bool has_own_copy = group.found.move_sets.size() <= most_copied && !group.found.emits;
    const Instr none{.op = Opcode::Return, .imm = WalkCode::none};
    if (has_own_copy)
        instrs.push_back(none);
    else
        instrs.back() = {.op = Opcode::Jump, .imm = static_cast<std::int32_t>(instrs.size())};
    const auto again = static_cast<std::int32_t>(instrs.size());
    instrs.insert(instrs.end(), {load_words, take, none});
    walk.next.push_back(static_cast<Entry>(has_own_copy ? instrs.size() : static_cast<std::size_t>(again)));
    if (has_own_copy) instrs.push_back({.op = Opcode::Jump, .imm = again});
    to_end_checks_.clear();
    if (!play_group(group, player, again)) return false;
    for (const std::size_t jump : to_end_checks_) instrs[jump].imm = static_cast<std::int32_t>(instrs.size());
    const bool turns =
        std::any_of(instrs.begin() + again, instrs.end(), [](const Instr& i) { return i.op == Opcode::SetTurn; });
    walk.can_count = walk.can_count && !turns;
    if (walk.can_count) skip_if_counted(player, again);
    store_position(player);
    instrs.back() = {.op = Opcode::Add, .d = walk.there, .a = walk.there, .b = walk.onward};
    if (!walk.can_count) return instrs.push_back({.op = Opcode::Jump, .imm = again}), !lowering_.failed();
    instrs.push_back({.op = Opcode::JumpIfNot, .a = walk.counts, .imm = again});
    instrs.push_back({.op = Opcode::Return, .imm = WalkCode::open});
    return !lowering_.failed();
}

// Stores the move sets in memory. The last instruction of the routine then takes the first move. False: they do not
// fit.
bool Compiler::store_moves(PlayGroup& group) {
    WalkCode& walk = out_.walk;
    std::vector<Drawing::Part> parts;
    std::uint32_t at = WalkCode::state_at + out_.layout->state_words();
    std::uint16_t width = group.found.move_sets.empty() ? 1 : graph_.width(group.found.move_sets[0].set);
    for (const MoveSet& c : group.found.move_sets) {
        const std::uint16_t words = graph_.width(c.set);
        graph_.effect(Family::Store, words, 0, {c.set, graph_.fixed(walk.here, 1), no_node},
                      static_cast<std::int32_t>(at));
        parts.push_back({.set = narrow<Reg>(std::min(at, most_words)),
                         .words = words,
                         .bits = static_cast<std::uint32_t>(codes_of(group)[parts.size()].codes.size()),
                         .given = {}});
        walk.sets.push_back(at);
        at += words;
        if (words != width) width = 0; // none of the fixed widths
    }
    walk.words = std::max(walk.words, at);
    walk.ends.push_back(at);
    if (at > most_words) return false;
    group.entry = graph_.finish({}, 0);
    group.drawing = static_cast<std::int32_t>(out_.code.drawings.size());
    group.last_shape = out_.code.shapes.size();
    out_.code.drawings.push_back({parts, static_cast<std::uint32_t>(group.first),
                                  static_cast<std::uint32_t>(group.first_shape),
                                  static_cast<std::uint32_t>(group.last_shape)});
    const Opcode take = width == 0 ? Opcode::TakeFirst_N : graph_.opcode(Family::TakeFirst, width);
    out_.code.instrs.back() = {take, walk.drawn, walk.here, 0, 0, width, group.drawing};
    return true;
}

// Stores the position after a move (the move, the state) and checks the end clauses. If the game goes on, the routine
// returns, unless it is to skip positions.
void Compiler::store_position(std::uint32_t player) {
    const WalkCode& walk = out_.walk;
    const auto state_words = narrow<std::uint16_t>(out_.layout->state_words());
    graph_.begin();
    const NodeRef there = graph_.fixed(walk.there, 1);
    graph_.effect(Family::Store, 2, 0, {graph_.fixed(walk.drawn, 2), there, no_node}, 0);
    graph_.effect(Family::Store, state_words, 0, {graph_.read(0, state_words), there, no_node}, WalkCode::state_at);
    end_clauses(player, false);
    graph_.effect(Family::CountDown, 1, walk.passes, {no_node, no_node, no_node}, WalkCode::open);
    graph_.finish({}, 0);
}

// In counting mode: if the game goes on and all moves of the position are known to be legal, their number is added to
// the total and the position is skipped. Any other position is returned as without counting.
void Compiler::skip_if_counted(std::uint32_t player, std::int32_t again) {
    WalkCode& walk = out_.walk;
    std::vector<Instr>& instrs = out_.code.instrs;
    const Reg counted = graph_.fresh(1), count_unchecked = graph_.fresh(1);
    const std::size_t first = instrs.size();
    instrs.push_back({.op = Opcode::JumpIfNot, .a = walk.counts});
    graph_.begin();
    end_clauses(player, false);
    for (const Reg reg : {counted, count_unchecked})
        graph_.effect(Family::Mov, 1, reg, {graph_.word(0), no_node, no_node});
    MoveCounter counter(graph_, counted, count_unchecked);
    const Context in{.me = (player + 1) % players()};
    FoundMoves found;
    std::vector<bool> known_legal;
    for (std::size_t r = 0; r < program_.rules.size() && walk.can_count; ++r)
        walk.can_count = finder_.find_moves(static_cast<ir::RuleId>(r), in, {.counter = &counter}, found, known_legal);
    counter.finish();
    const NodeRef some = graph_.fixed(counted, 1);
    graph_.return_if(graph_.fixed(count_unchecked, 1), WalkCode::open);
    graph_.return_if(graph_.op(Family::Eq, some, graph_.word(0)), WalkCode::open);
    graph_.effect(Family::Add, 1, walk.total, {graph_.fixed(walk.total, 1), some, no_node});
    graph_.effect(Family::Sub, 1, walk.passes, {graph_.fixed(walk.passes, 1), graph_.word(1), no_node});
    graph_.finish({}, 0);
    instrs.back() = {.op = Opcode::Jump, .imm = again};
    const auto given = static_cast<std::int32_t>(instrs.size());
    instrs[first].imm = given;
    for (std::size_t i = first; i < instrs.size(); ++i)
        if (const Opcode jump = jump_for(instrs[i].op); jump != instrs[i].op)
            instrs[i] = {jump, 0, instrs[i].a, 0, 0, instrs[i].w, given};
}

} // namespace zug::run
