// Random play as one routine (PlayCode). There is a node for each player to move: it checks the end clauses, finds the
// moves as sets, draws one, and runs the code that applies it, which ends in a jump to the next node.

#include "bytecode/operand_kinds.hpp"
#include "compiler/moves/effects.hpp"
#include "compiler/routines/compiler.hpp"

#include "base/narrow.hpp"

#include <algorithm>

namespace zug::run {
namespace {

// With at most this many move sets, each has code of its own, specialised for its parameters.
constexpr std::size_t most_own = 8;
// The same if the value at the site that a move starts from is known.
constexpr std::size_t most_assumed = 32;
constexpr std::uint32_t most_nodes = 16;

bool jumps(Opcode op) { return signature_of(op).imm == Operand::Label; }

bool turns(const ir::Program& program, const std::vector<ir::EffectId>& effects) {
    return std::ranges::any_of(effects, [&](ir::EffectId id) {
        const ir::Effect& e = program.effects[id];
        return e.kind == ir::EffectKind::Again || e.kind == ir::EffectKind::Next || turns(program, e.yes) ||
               turns(program, e.no);
    });
}

} // namespace

Opcode jump_for(Opcode returning) {
    switch (returning) {
    case Opcode::ReturnIf: return Opcode::JumpIf;
    case Opcode::ReturnIfAny_1: return Opcode::JumpIfAny_1;
    case Opcode::ReturnIfAny_M: return Opcode::JumpIfAny_M;
    case Opcode::ReturnIfAny_N: return Opcode::JumpIfAny_N;
    case Opcode::ReturnIfNone_1: return Opcode::JumpIfNone_1;
    case Opcode::ReturnIfNone_M: return Opcode::JumpIfNone_M;
    case Opcode::ReturnIfNone_N: return Opcode::JumpIfNone_N;
    default: return returning;
    }
}

bool turns(const ir::Program& program, const std::vector<ir::Block>& blocks) {
    return std::ranges::any_of(blocks, [&](const ir::Block& block) { return turns(program, block.effects); });
}

bool Compiler::play() {
    const std::uint32_t nodes = program_.keeps_last ? players() * players() : players();
    if (nodes > most_nodes || (program_.turn && out_.openings.empty())) return true;
    PlayCode& play = out_.play;
    play.random = graph_.fresh(4);
    play.left = graph_.fresh(1);
    play.drawn = graph_.fresh(2);
    play.before = graph_.fresh(narrow<std::uint16_t>(out_.layout->state_words()));
    play.games = graph_.fresh(1);
    play.begun = graph_.fresh(1);
    // Restarts are left to the executor if it keeps the history of a game or the steps of a turn.
    play.restarts = program_.keys.empty() && !program_.turn;
    if (play.restarts) play.start = graph_.fresh(narrow<std::uint16_t>(out_.layout->state_words()));
    if (play.restarts) reserve_tallies();
    std::vector<Entry> entries;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        const std::uint32_t player = program_.keeps_last ? node / players() : node;
        const std::uint32_t last = program_.keeps_last ? node % players() : (node + players() - 1) % players();
        const auto entry = program_.turn ? play_turn_node(player, last) : play_node(player, last);
        if (!entry) {
            play.restarts = false;
            return !lowering_.failed() && why.empty();
        }
        entries.push_back(*entry);
    }
    if (!to_restart_.empty()) play_restart();
    for (const auto& [instr, node] : to_nodes_) out_.code.instrs[instr].imm = static_cast<std::int32_t>(entries[node]);
    for (const auto& [instr, last] : dispatches_) {
        std::vector<std::int64_t> targets;
        for (std::uint32_t p = 0; p < players(); ++p) targets.push_back(entries[node_of(p, last)]);
        out_.code.instrs[instr].c = graph_.word_table(std::move(targets));
    }
    play.entries = std::move(entries);
    return true;
}

std::uint32_t Compiler::node_of(std::uint32_t player, std::uint32_t last) const {
    return program_.keeps_last ? player * players() + last : player;
}

std::optional<Entry> Compiler::play_node(std::uint32_t player, std::uint32_t last) {
    PlayGroup group;
    std::optional<PlayGroup> events;
    std::vector<ir::RuleId> rules;
    begin_group(group);
    if (!play_begin(player, last, group, events)) return std::nullopt;
    for (std::size_t r = 0; r < program_.rules.size(); ++r) {
        const auto id = static_cast<ir::RuleId>(r);
        if (program_.rules[id].chance) continue;
        if (!finder_.find_unchecked(id, Context{.me = player}, group.found)) return std::nullopt;
        rules.resize(group.found.move_sets.size(), id);
    }
    play_draw(group, rules);
    const PlayCode& play = out_.play;
    std::vector<Instr>& instrs = out_.code.instrs;
    instrs.push_back({.op = Opcode::Return, .imm = PlayCode::no_move});
    const auto retry = static_cast<std::int32_t>(instrs.size());
    const auto state_words = narrow<std::uint16_t>(out_.layout->state_words());
    instrs.push_back({Opcode::Mov_N, 0, play.before, 0, 0, state_words, 0});
    if (asks_within_moves_) instrs.push_back({.op = Opcode::SetBetweenMoves, .imm = 1});
    instrs.push_back({Opcode::Undraw_N, play.drawn, 0, 0, 0, 1, group.drawing});
    instrs.push_back({.op = Opcode::Jump, .imm = group.draw});
    const PlayGroup& first = events ? *events : group;
    if (play.restarts) play_next_game(first, last);
    if (events && !play_group(*events, player, 0)) return std::nullopt;
    if (!play_group(group, player, retry)) return std::nullopt;
    return first.entry;
}

void Compiler::begin_group(PlayGroup& group) {
    graph_.begin();
    group.first = drawn_move_sets().size();
    group.first_shape = out_.code.shapes.size();
}

// Replaces the routine's Return by the drawing of a move. Control falls through if there are no moves.
void Compiler::play_draw(PlayGroup& group, const std::vector<ir::RuleId>& rules) {
    PlayCode& play = out_.play;
    const std::vector<MoveSet>& move_sets = group.found.move_sets;
    std::vector<NodeRef> roots;
    std::vector<Reg> own(move_sets.size(), 0); // copies of sets from which moves that fail their `ensure` are removed
    for (std::size_t k = 0; k < move_sets.size(); ++k) {
        roots.push_back(move_sets[k].set);
        if (!out_.rules[index(rules[k])].ensures) continue;
        const std::uint16_t width = graph_.width(move_sets[k].set);
        own[k] = graph_.fresh(width);
        graph_.effect(Family::Mov, width, own[k], {move_sets[k].set, no_node, no_node});
    }
    group.entry = graph_.finish(roots, 0);
    std::vector<Drawing::Part> parts;
    std::uint16_t width = move_sets.empty() ? 1 : graph_.width(move_sets[0].set);
    for (std::size_t k = 0; k < move_sets.size(); ++k) {
        MoveSetCode& code = play.move_sets.emplace_back(
            k < group.later.size() && !group.later[k].empty()
                ? independent_code(rules[k], move_sets[k], group.later[k])
                : move_set_code(program_, *out_.layout, rules[k], move_sets[k], graph_.width(move_sets[k].set)));
        code.set = own[k] != 0 ? own[k] : graph_.reg_of(move_sets[k].set);
        parts.push_back({.set = code.set,
                         .words = code.words,
                         .bits = static_cast<std::uint32_t>(code.codes.size()),
                         .weight = k < group.weights.size() ? group.weights[k] : Reg{0},
                         .given = {}});
        if (code.words != width) width = 0; // none of the fixed widths
    }
    if (parts.size() == 1 && !group.found.emits) parts[0].weight = 0;
    group.drawing = static_cast<std::int32_t>(out_.code.drawings.size());
    group.draw = static_cast<std::int32_t>(out_.code.instrs.size() - 1);
    group.last_shape = out_.code.shapes.size();
    out_.code.drawings.push_back({parts, static_cast<std::uint32_t>(group.first),
                                  static_cast<std::uint32_t>(group.first_shape),
                                  static_cast<std::uint32_t>(group.last_shape)});
    out_.code.instrs.back() = draw_from(group.drawing, width);
}

// `width`: words of each set of the drawing; 0 if they differ.
Instr Compiler::draw_from(std::int32_t drawing, std::uint16_t width) const {
    const Opcode draw = width == 0 ? Opcode::Draw_N : graph_.opcode(Family::Draw, width);
    return {draw, out_.play.drawn, out_.play.random, 0, 0, width, drawing};
}

// The code that applies the moves, by what is drawn.
bool Compiler::play_group(const PlayGroup& group, std::uint32_t player, std::int32_t retry) {
    const std::optional<bool> merged = try_merged(group, player, retry);
    if (!merged || *merged) return merged.has_value();
    SharedMoves shared{retry, group.follows, std::nullopt, group.last}, followed{retry, false, group.then, group.last};
    for (std::size_t k = 0; k < group.found.move_sets.size(); ++k) {
        SharedMoves& among = k < group.weights.size() && group.weights[k] != 0 ? followed : shared;
        SharedMoves both{retry, false, std::nullopt};
        const bool is_pair = k + group.pairs >= group.found.move_sets.size();
        if (is_pair) both.second = SecondStep{group.second, &group.found.move_sets[k]};
        if (!play_set(group, k, player, is_pair ? both : among)) return false;
    }
    for (std::size_t k = group.first_shape; k < group.last_shape; ++k) {
        out_.code.shapes[k].target = static_cast<std::uint32_t>(out_.code.instrs.size());
        const MoveRecord record = finder_.records()[k];
        const bool own = group.ways() <= most_own || (record.assumed && group.ways() <= most_assumed);
        const MoveKind kind = kind_of(record.rule, record.assumed, record.known_legal, own);
        if (!play_drawn({kind, record.params, out_.code.shapes[k].kept, own}, player, shared)) return false;
    }
    return true;
}

// The effects of the second of two steps that are drawn together. Its parameters come after those of the first.
bool Compiler::play_second(const SecondStep& second, std::uint32_t player) {
    const auto tables = std::span(second.turns->params).last(program_.rules[second.rule].params.size());
    Context in{.me = player};
    bind_drawn(second.rule, tables, drawn(), in);
    return effects_.effects(second.rule, in);
}

// The code that applies the moves of one set.
bool Compiler::play_set(const PlayGroup& group, std::size_t k, std::uint32_t player, SharedMoves& shared) {
    const MoveSetCode& code = codes_of(group)[k];
    const std::optional<Assumption>& assumed = group.found.move_sets[k].assumed;
    out_.code.drawings[static_cast<std::size_t>(group.drawing)].parts[k].target =
        static_cast<std::uint32_t>(out_.code.instrs.size());
    if (k < group.later.size() && !group.later[k].empty()) return play_independent(group, k, player, shared);
    const bool own = shared.second || group.ways() <= most_own || (assumed && group.ways() <= most_assumed);
    return play_drawn({kind_of(code.rule, assumed, code.known_legal, own), code.params, {}, own}, player, shared);
}

// Code that is specialised for the assumed piece is faster. It is made where it is not much longer: for moves that have
// code of their own, and for those that are known to be legal, which need no test of `ensure`.
Compiler::MoveKind Compiler::kind_of(ir::RuleId id, const std::optional<Assumption>& assumed, bool known_legal,
                                     bool own) const {
    return {id, own || known_legal ? assumed : std::nullopt, known_legal};
}

// Continues with a drawn move: in code of its own, or in the code that all moves of its kind share, with the parameters
// in the rule's registers.
bool Compiler::play_drawn(const DrawnMove& move, std::uint32_t player, SharedMoves& shared) {
    const auto& [kind, params, kept, own] = move;
    const ir::RuleId id = kind.rule;
    const ir::Rule& rule = program_.rules[id];
    graph_.begin();
    const NodeRef bit = graph_.fixed(narrow<Reg>(drawn() + 1), 1);
    Context in{.me = player};
    auto next_kept = kept.begin();
    for (std::size_t p = 0; p < rule.params.size(); ++p) {
        const ir::TypeId type = program_.vars[rule.params[p]].type;
        if (!params[p].empty()) graph_.bound(bit, 0, static_cast<std::int64_t>(params[p].size()) - 1);
        const NodeRef value = params[p].empty() ? graph_.fixed(*next_kept++, 1) : parameter_of(params[p], bit);
        if (params[p].empty()) effects_.bound_parameter(value, type);
        if (own)
            in = lowering_.bind_node(rule.params[p], value, in);
        else
            graph_.effect(Family::Mov, 1, out_.rules[index(id)].params[p], {value, no_node, no_node});
    }
    if (!own) {
        graph_.finish({}, 0);
        std::vector<Instr>& instrs = out_.code.instrs;
        const auto body = std::ranges::find(shared.bodies, kind, &std::pair<MoveKind, std::uint32_t>::first);
        if (body != shared.bodies.end()) {
            instrs.back() = {.op = Opcode::Jump, .imm = static_cast<std::int32_t>(body->second)};
            return true;
        }
        instrs.pop_back();
        shared.bodies.emplace_back(kind, static_cast<std::uint32_t>(instrs.size()));
        graph_.begin();
        in = effects_.parameters(id, Context{.me = player});
    }
    return play_move(kind, in.with_assumed(kind.assumed), shared);
}

// The beginning of a node, in the code of `group`: end clauses, the limit of plies, chance. Events that can be drawn in
// code become a group before it. False: chance events cannot be found as sets.
bool Compiler::play_begin(std::uint32_t player, std::uint32_t last, PlayGroup& group,
                          std::optional<PlayGroup>& events) {
    end_clauses(last, false);
    graph_.effect(Family::CountDown, 1, out_.play.left, {no_node, no_node, no_node}, PlayCode::out_of_plies);
    if (std::ranges::none_of(program_.rules, &ir::Rule::chance)) return true;
    std::vector<DueEvents> due;
    if (!find_events(player, due)) return false;
    if (draw_events(player, due, group)) {
        group.last = last;
        events = std::exchange(group, {});
        begin_group(group);
    } else {
        for (const DueEvents& e : due) graph_.return_if(graph_.any(e.events.set), PlayCode::chance_due);
    }
    return !lowering_.failed();
}

// The rule's effects, whose parameters the context binds, and the end of the turn.
bool Compiler::play_move(const MoveKind& kind, const Context& in, const SharedMoves& shared) {
    const ir::RuleId id = kind.rule;
    std::vector<Instr>& instrs = out_.code.instrs;
    const RuleCode& rule = out_.rules[index(id)];
    const bool chance = program_.rules[id].chance;
    const bool turned = program_.turn && !chance ? turns_change_ : turns(program_, program_.rules[id].then);
    const auto state_words = narrow<std::uint16_t>(out_.layout->state_words());
    if (!shared.follows) {
        if (!walks_ && (rule.ensures || rule.checks || out_.plan_checks || shared.then || shared.second))
            graph_.effect(Family::Mov, state_words, out_.play.before, {graph_.read(0, state_words), no_node, no_node});
        if (turned) graph_.effect(Family::Mov, 1, out_.code.turned_reg, {graph_.word(0), no_node, no_node});
    }
    const std::size_t first = instrs.size();
    if (!effects_.effects(id, in, false, kind.known_legal) || (shared.second && !play_second(*shared.second, in.me)))
        return fail("the effects of `" + program_.rules[id].name + "`");
    if (shared.then) {
        // Control falls through the drawing if there is nothing to draw.
        graph_.finish({}, 0);
        instrs.back() = *shared.then;
        graph_.begin();
    }
    if (!chance) return play_end(in.me, turned, first, shared.retry);
    end_event(in.me, turned, first, shared);
    return true;
}

// The end of the turn and the jump to the next node. Failing checks from instruction `first` on jump to `retry`, where
// an illegal move is taken back.
bool Compiler::play_end(std::uint32_t player, bool turned, std::size_t first, std::int32_t retry) {
    std::vector<Instr>& instrs = out_.code.instrs;
    if (program_.turn && !plan_effects(player)) return false;
    if (asks_within_moves_) graph_.effect(Family::SetBetweenMoves, 1, 0, {no_node, no_node, no_node}, 1);
    pass_turn(player, turned);
    close_move(first, retry);
    if (walks_) {
        instrs.back() = {.op = Opcode::Jump};
        to_end_checks_.push_back(instrs.size() - 1);
    } else if (turned) {
        instrs.back() = {.op = Opcode::Dispatch, .a = out_.code.turn_reg};
        dispatches_.emplace_back(instrs.size() - 1, player);
    } else {
        instrs.back() = {.op = Opcode::Jump};
        to_nodes_.emplace_back(instrs.size() - 1, node_of((player + 1) % players(), player));
    }
    return true;
}

Compiler::Mark Compiler::mark_code() {
    const DebugInfo* const debug_info = graph_.debug_info();
    return {out_.code.instrs.size(), debug_info == nullptr ? 0 : debug_info->origins.size(), to_nodes_.size(),
            dispatches_.size(), to_end_checks_.size()};
}

// Removes the code since then.
void Compiler::take_back(const Mark& mark) {
    out_.code.instrs.resize(mark.instrs);
    if (DebugInfo* const debug_info = graph_.debug_info()) debug_info->origins.resize(mark.origins);
    to_nodes_.resize(mark.to_nodes);
    dispatches_.resize(mark.dispatches);
    to_end_checks_.resize(mark.to_end_checks);
}

void Compiler::close_move(std::size_t first, std::int32_t retry) {
    std::vector<Instr>& instrs = out_.code.instrs;
    graph_.finish({}, 0);
    drop_idle_copy(first);
    for (std::size_t i = first; i < instrs.size(); ++i) {
        const Opcode jump = jump_for(instrs[i].op);
        if (jump != instrs[i].op) instrs[i] = {jump, 0, instrs[i].a, 0, 0, instrs[i].w, retry};
    }
}

// Removes the copy of the state before a move if no instruction in the code of the move can fail.
void Compiler::drop_idle_copy(std::size_t first) {
    std::vector<Instr>& instrs = out_.code.instrs;
    const auto begin = instrs.begin() + static_cast<std::ptrdiff_t>(first);
    const auto may_fail = [](const Instr& i) { return is_check(i.op) || jumps(i.op) || jump_for(i.op) != i.op; };
    if (program_.turn || walks_ || std::any_of(begin, instrs.end(), may_fail)) return;
    const auto copy = std::find_if(begin, instrs.end(), [&](const Instr& i) { return i.d == out_.play.before; });
    if (copy == instrs.end()) return;
    if (DebugInfo* const debug_info = graph_.debug_info())
        debug_info->origins.erase(debug_info->origins.begin() + (copy - instrs.begin()));
    instrs.erase(copy);
}

void Compiler::set_to(Reg reg, std::uint64_t value) {
    graph_.effect(Family::Mov, 1, reg, {graph_.word(static_cast<std::int64_t>(value)), no_node, no_node});
}

void Compiler::reset_locals() {
    for (const auto& [reg, words] : out_.locals)
        for (std::uint32_t k = 0; k < words; ++k) set_to(narrow<Reg>(reg + k), out_.initial[reg + k]);
}

// The same as Interpreter::pass_turn. `turned`: some effect may have determined the next player.
void Compiler::pass_turn(std::uint32_t player, bool turned) {
    graph_.enter(Origin::Part::Turn, 0);
    graph_.new_epoch();
    const NodeRef how = graph_.read(out_.code.turned_reg, 1);
    if (turned) graph_.open_branch(graph_.op(Family::Eq, how, graph_.word(0)));
    set_to(out_.code.turn_reg, (player + 1) % players());
    if (turned) graph_.close_branch();
    if (turned && !out_.locals.empty()) graph_.open_branch(graph_.not_(graph_.op(Family::Eq, how, graph_.word(1))));
    reset_locals();
    if (turned && !out_.locals.empty()) graph_.close_branch();
    if (program_.keeps_last) set_to(out_.layout->last(), player);
    if (!program_.keys.empty())
        graph_.effect(Family::RecordTurn, 1, 0, {no_node, no_node, no_node}, static_cast<std::int32_t>(player));
}

} // namespace zug::run
