// Alpha-beta below a position as one routine (SubtreeCode): the moves as in the walk of a line, the recursion as a
// block of memory for each ply. Each player has code of their own, so that a value goes up and a move goes down by a
// jump.

#include "run/claim.hpp"
#include "run/compiler.hpp"
#include "run/ordered.hpp"
#include "run/subtree_writer.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace zug::run {
namespace {

// A block is read and written in pieces of at most so many words.
constexpr std::uint32_t longest_piece = 24;

} // namespace

// Everything that src/search does otherwise than the plain case is left to it.
bool Compiler::has_subtrees() const {
    const WalkCode& walk = out_.walk;
    if (walk.first.empty() || players() != 2 || !walk.by_id || walk.emits) return false;
    if (out_.first_stuck_end < static_cast<std::int32_t>(program_.ends.size())) return false;
    for (std::uint32_t p = 0; p < players(); ++p)
        if (moves_words(p) > longest_piece) return false;
    return std::ranges::none_of(program_.rules, &ir::Rule::chance) &&
           std::ranges::none_of(out_.rules, [](const RuleCode& r) { return r.ensures || r.checks; });
}

std::uint32_t Compiler::walk_sets_at() const { return WalkCode::state_at + out_.layout->state_words(); }

std::uint32_t Compiler::moves_words(std::uint32_t player) const { return out_.walk.ends[player] - walk_sets_at(); }

bool Compiler::subtree() {
    if (!has_subtrees()) return true;
    SubtreeCode& code = out_.subtree;
    code.window_at = out_.walk.words;
    code.stride = code.window_at + SubtreeCode::window_words;
    code.control = graph_.fresh(1);
    SubtreeWords words = subtree_words();
    std::vector<Instr>& instrs = out_.code.instrs;
    const std::size_t routines = out_.code.routines.size(), begin = instrs.size();
    SubtreeWriter writer(instrs, players());
    const auto table = subtree_entry(writer, words);
    bool possible = true;
    for (std::uint32_t player = 0; player < players() && possible; ++player)
        possible = subtree_node(writer, words, player);
    out_.code.routines.resize(routines); // what was finished are parts of this one
    const auto has_no_place = [](const Instr& i) {
        return is_check(i.op) || i.op == Opcode::Ask || i.op == Opcode::TurnTo;
    };
    if (!possible || std::any_of(instrs.begin() + static_cast<std::ptrdiff_t>(begin), instrs.end(), has_no_place)) {
        code = {};
        return !lowering_.failed() && why.empty();
    }
    subtree_exit(writer, words);
    using enum SubtreeWriter::Label;
    for (std::uint32_t player = 0; player < players(); ++player)
        for (const auto label : {Enter, Next, Given, Raised})
            out_.code.tables.words[table].push_back(writer.place(label, player));
    writer.finish();
    code.entry = static_cast<Entry>(begin);
    out_.code.routines.emplace_back().entry = code.entry;
    return !lowering_.failed();
}

SubtreeWords Compiler::subtree_words() {
    const auto word = [&] { return graph_.fresh(1); };
    SubtreeWords w{};
    for (Reg* const reg : {&w.event, &w.resume, &w.remaining, &w.nodes, &w.nearest, &w.known, &w.leaf, &w.value,
                           &w.lower, &w.upper, &w.plies, &w.truth})
        *reg = word();
    w.alpha = graph_.fresh(SubtreeCode::window_words);
    w.beta = static_cast<Reg>(w.alpha + 1);
    w.best = static_cast<Reg>(w.alpha + 2);
    w.best_lower = static_cast<Reg>(w.alpha + 3);
    w.best_upper = static_cast<Reg>(w.alpha + 4);
    for (std::uint32_t p = 0; p < players(); ++p) {
        w.even[p] = word();
        w.ceiling[p] = word();
        w.floor[p] = word();
    }
    w.moves = graph_.fresh(static_cast<std::uint16_t>(std::max(moves_words(0), moves_words(1))));
    return w;
}

// The registers that outlive a call, and where they are in memory meanwhile.
std::vector<std::pair<Reg, std::uint32_t>> Compiler::subtree_kept(const SubtreeWords& w) const {
    using Control = SubtreeCode::Control;
    return {{w.resume, Control::resume}, {out_.walk.here, Control::here}, {w.remaining, Control::remaining},
            {w.nodes, Control::nodes},   {w.nearest, Control::nearest},   {w.known, Control::known},
            {w.leaf, Control::leaf},     {w.value, Control::value},       {w.lower, Control::lower},
            {w.upper, Control::upper}};
}

// From memory into registers, and to where it goes on: by the number of the table, which is filled in later.
std::uint32_t Compiler::subtree_entry(SubtreeWriter& to, const SubtreeWords& w) {
    using Control = SubtreeCode::Control;
    const Reg control = out_.subtree.control;
    for (const auto& [reg, at] : subtree_kept(w)) to.fetch(reg, control, at);
    to.fetch(w.plies, control, Control::plies);
    for (std::uint32_t p = 0; p < players(); ++p) {
        to.fetch(w.even[p], control, Control::even + p);
        to.fetch(w.ceiling[p], control, Control::ceiling + p);
        to.fetch(w.floor[p], control, Control::floor + p);
    }
    out_.code.tables.words.emplace_back();
    const auto table = static_cast<std::uint32_t>(out_.code.tables.words.size() - 1);
    out_.code.instrs.push_back({.op = Opcode::Dispatch, .a = w.resume, .c = static_cast<Reg>(table)});
    return table;
}

void Compiler::subtree_exit(SubtreeWriter& to, const SubtreeWords& w) {
    using Control = SubtreeCode::Control;
    using enum SubtreeWriter::Label;
    to.bind(Done, 0);
    to.move(w.value, w.best);
    to.move(w.lower, w.best_lower);
    to.move(w.upper, w.best_upper);
    to.move(w.event, subtree_constant(SubtreeCode::done));
    to.bind(Leave, 0);
    const Reg control = out_.subtree.control;
    for (const auto& [reg, at] : subtree_kept(w)) to.stow(reg, control, at);
    to.stow(w.event, control, Control::event);
    to.put(Opcode::Return, 0);
}

Reg Compiler::subtree_constant(std::int64_t word) {
    const std::array words{static_cast<std::uint64_t>(word)};
    return graph_.constant_register(words);
}

// Hands over to the caller; it goes on at `label` of that player.
void Compiler::subtree_leave(SubtreeWriter& to, const SubtreeWords& w, std::int64_t event, std::int64_t resume,
                             std::uint32_t player) {
    to.move(w.event, subtree_constant(event));
    to.move(w.resume, subtree_constant(SubtreeCode::resumes * player + resume));
    to.jump(SubtreeWriter::Leave, 0);
}

bool Compiler::subtree_node(SubtreeWriter& to, const SubtreeWords& w, std::uint32_t player) {
    using enum SubtreeWriter::Label;
    const Reg here = out_.walk.here;
    const auto state_words = out_.layout->state_words();
    to.bind(Enter, player);
    to.fetch(0, here, WalkCode::state_at, state_words);
    PlayGroup group;
    if (!subtree_moves(group, w, player)) return false;
    const std::array<std::uint64_t, 3> nothing{word_of(-infinity), unknown, 0};
    to.stow(graph_.constant_register(nothing), here, out_.subtree.window_at + 2, 3);
    to.put(Opcode::Add, w.remaining, w.remaining, subtree_constant(-1));
    to.put(Opcode::Min, w.nearest, w.nearest, w.remaining);
    return subtree_try(to, w, group, player) && subtree_ends(to, w, player);
}

// Where a set of moves of the walk is in registers.
Reg Compiler::subtree_set(const SubtreeWords& w, const Drawing::Part& part) const {
    return static_cast<Reg>(w.moves + part.set - walk_sets_at());
}

// Finds the moves.
bool Compiler::subtree_moves(PlayGroup& group, const SubtreeWords& w, std::uint32_t player) {
    begin_group(group);
    const Drawing& drawing = out_.code.drawings[static_cast<std::size_t>(walk_takes_[player].imm)];
    group.first = drawing.first;
    lowering_.set_me(player);
    std::vector<bool> assured;
    for (std::size_t r = 0; r < program_.rules.size(); ++r)
        if (!instances(static_cast<ir::RuleId>(r), std::nullopt, group.found, assured)) return false;
    if (group.found.emits || group.found.cases.size() != drawing.parts.size()) return false;
    for (std::size_t k = 0; k < drawing.parts.size(); ++k) {
        const NodeRef set = group.found.cases[k].set;
        graph_.effect(Family::Mov, graph_.width(set), subtree_set(w, drawing.parts[k]), {set, no_node, no_node});
    }
    graph_.finish({}, 0);
    out_.code.instrs.pop_back();
    return !lowering_.failed();
}

// Makes the next move and judges what it leads to.
bool Compiler::subtree_try(SubtreeWriter& to, const SubtreeWords& w, PlayGroup& group, std::uint32_t player) {
    using enum SubtreeWriter::Label;
    Drawing drawing = out_.code.drawings[static_cast<std::size_t>(walk_takes_[player].imm)];
    for (Drawing::Part& part : drawing.parts) part.given.clear();
    group.drawing = static_cast<std::int32_t>(out_.code.drawings.size());
    out_.code.drawings.push_back(drawing);
    to_judges_.clear();
    // A single set's code comes right behind what takes its members.
    const bool single = drawing.parts.size() == 1;
    if (single)
        subtree_take(to, w, group, player);
    else
        to.jump(Again, player);
    if (!play_group(group, player, 0)) return false;
    if (!single) subtree_take(to, w, group, player);
    if (!to_judges_.empty() && to_judges_.back() + 1 == out_.code.instrs.size()) {
        to_judges_.pop_back(); // what comes next
        out_.code.instrs.pop_back();
    }
    for (const std::size_t jump : to_judges_) to.bind_jump(jump);
    to.jump_if_not(w.nodes, Pause, player);
    to.put(Opcode::Add, w.nodes, w.nodes, subtree_constant(-1));
    subtree_judge(player);
    // All positions at the depth limit are worth the same: after the first only those that end the game matter.
    to.jump_if(w.known, Again, player);
    to.jump_if(w.remaining, Inner, player);
    to.move(w.known, subtree_constant(1));
    to.move(w.value, w.even[player]);
    to.move(w.lower, subtree_constant(at_depth));
    to.move(w.upper, subtree_constant(at_depth));
    to.jump(Down, player);

    to.bind(Next, player);
    to.fetch(w.moves, out_.walk.here, walk_sets_at(), moves_words(player));
    to.jump(Again, player);

    to.bind(Inner, player);
    const Reg here = out_.walk.here, there = out_.walk.there;
    subtree_put_down(to, w, player);
    to.fetch(w.alpha, here, out_.subtree.window_at, 2);
    // The window in the other's view, in registers that are free here.
    to.put(Opcode::Neg, w.best_lower, w.alpha);
    to.put(Opcode::Neg, w.best, w.beta);
    to.stow(w.best, there, out_.subtree.window_at, 2);
    to.move(here, there);
    to.jump(Enter, 1 - player);
    return true;
}

// Takes the first of the moves that are left, and goes on to where it is made: as Take does, from registers.
void Compiler::subtree_take(SubtreeWriter& to, const SubtreeWords& w, const PlayGroup& group, std::uint32_t player) {
    using enum SubtreeWriter::Label;
    const Drawing& drawing = out_.code.drawings[static_cast<std::size_t>(group.drawing)];
    const auto bit = static_cast<Reg>(out_.walk.drawn + 1);
    to.bind(Again, player);
    to.fetch(0, out_.walk.here, WalkCode::state_at, out_.layout->state_words());
    for (std::size_t k = 0; k < drawing.parts.size(); ++k) {
        const Drawing::Part& part = drawing.parts[k];
        const std::size_t next = out_.code.instrs.size();
        to.put(graph_.opcode(Family::NextBit, part.words), subtree_set(w, part), bit, 0, 0, part.words);
        to.move(out_.walk.drawn, subtree_constant(static_cast<std::int64_t>(drawing.first + k)));
        for (const Drawing::Given& given : part.given)
            if (given.from_member)
                to.put(Opcode::Add, given.reg, bit, subtree_constant(given.number));
            else
                to.move(given.reg, subtree_constant(given.number));
        if (drawing.parts.size() > 1) to.put(Opcode::Jump, 0, 0, 0, static_cast<std::int32_t>(part.target));
        if (k + 1 < drawing.parts.size())
            to.bind_jump(next);
        else
            to.jump_from(next, Exhausted, player);
    }
}

// The position in the frame becomes the one after that of `here`, and the moves that are left stay there.
void Compiler::subtree_put_down(SubtreeWriter& to, const SubtreeWords& w, std::uint32_t player) {
    to.stow(w.moves, out_.walk.here, walk_sets_at(), moves_words(player));
    subtree_step(to, 1);
    to.stow(out_.walk.drawn, out_.walk.there, 0, 2);
    to.stow(0, out_.walk.there, WalkCode::state_at, out_.layout->state_words());
}

// `there` or `here` is so many plies below `here`.
void Compiler::subtree_step(SubtreeWriter& to, int plies) {
    const auto bytes = static_cast<std::int64_t>(out_.subtree.stride * sizeof(std::uint64_t));
    to.put(Opcode::Add, plies > 0 ? out_.walk.there : out_.walk.here, out_.walk.here, subtree_constant(plies * bytes));
}

// The end clauses; where one holds it goes on with the code of that clause.
void Compiler::subtree_judge(std::uint32_t player) {
    std::vector<Instr>& instrs = out_.code.instrs;
    const std::size_t first = instrs.size();
    graph_.begin();
    lowering_.set_me(player);
    end_clauses(false);
    graph_.finish({}, 0);
    instrs.pop_back();
    for (std::size_t i = first; i < instrs.size(); ++i) {
        const Opcode jump = jump_for(instrs[i].op);
        if (jump == instrs[i].op) continue;
        to_clauses_.emplace_back(i, instrs[i].imm);
        instrs[i].op = jump;
    }
}

// What a leaf is worth, and what a move's claim does to the node.
bool Compiler::subtree_ends(SubtreeWriter& to, const SubtreeWords& w, std::uint32_t player) {
    using enum SubtreeWriter::Label;
    const Reg there = out_.walk.there, drawn = out_.walk.drawn;
    bool hands = false;
    for (std::size_t c = 0; c < program_.ends.size(); ++c) {
        for (const auto& [jump, clause] : to_clauses_)
            if (static_cast<std::size_t>(clause) == c) to.bind_jump(jump);
        const Compiled::Values& payoffs = out_.payoffs[c][player];
        if (!payoffs.fixed) {
            hands = true;
            to.move(w.value, subtree_constant(static_cast<std::int64_t>(c)));
            to.jump(Hand, player);
            continue;
        }
        const auto value = std::bit_cast<double>(constant_of(payoffs.regs[0]));
        to.move(w.value, subtree_constant(static_cast<std::int64_t>(word_of(player == 0 ? value : -value))));
        to.move(w.lower, subtree_constant(above(Reason{0})));
        to.move(w.upper, subtree_constant(above(Reason{0})));
        to.jump(Down, player);
    }
    to_clauses_.clear();
    if (hands) {
        to.bind(Hand, player);
        subtree_put_down(to, w, player);
        to.move(out_.walk.here, there);
        to.put(Opcode::Add, w.remaining, w.remaining, subtree_constant(-1));
        subtree_leave(to, w, SubtreeCode::ended, SubtreeCode::given, 1 - player);
    }
    to.bind(Pause, player);
    to.stow(w.moves, out_.walk.here, walk_sets_at(), moves_words(player));
    to.stow(drawn, out_.subtree.control, SubtreeCode::Control::drawn, 2);
    subtree_leave(to, w, SubtreeCode::paused, SubtreeCode::next, player);
    to.bind(Down, player);
    to.stow(w.moves, out_.walk.here, walk_sets_at(), moves_words(player));
    to.move(w.leaf, subtree_constant(1));
    subtree_combine(to, w, player);
    subtree_close(to, w, player);
    return true;
}

// As search::AlphaBeta::combine and decide do.
void Compiler::subtree_combine(SubtreeWriter& to, const SubtreeWords& w, std::uint32_t player) {
    using enum SubtreeWriter::Label;
    const Reg here = out_.walk.here;
    const std::uint32_t at = out_.subtree.window_at;
    to.bind(Combine, player);
    to.fetch(w.alpha, here, at, SubtreeCode::window_words);
    to.put(Opcode::Max, w.best_upper, w.best_upper, w.upper);
    to.put(Opcode::Lt, w.truth, w.best, w.value);
    to.jump_if(w.truth, Better, player);
    to.stow(w.best_upper, here, at + 4);
    to.put(Opcode::Eq, w.truth, w.best, w.value);
    to.jump_if_not(w.truth, Next, player);
    to.put(Opcode::Min, w.best_lower, w.best_lower, w.lower);
    to.stow(w.best_lower, here, at + 3);
    to.jump(Next, player);

    to.bind(Better, player);
    to.move(w.best, w.value);
    to.move(w.best_lower, w.lower);
    to.put(Opcode::Lt, w.truth, w.value, w.beta);
    to.jump_if_not(w.truth, Cut, player);
    to.put(Opcode::Lt, w.truth, w.alpha, w.value);
    to.jump_if_not(w.truth, Low, player);
    to.move(w.alpha, w.value);
    to.stow(w.alpha, here, at, SubtreeCode::window_words);
    to.stow(out_.walk.drawn, out_.subtree.control, SubtreeCode::Control::drawn, 2);
    subtree_leave(to, w, SubtreeCode::raised, SubtreeCode::raising, player);
    to.bind(Raised, player);
    to.fetch(w.alpha, here, at, SubtreeCode::window_words);
    to.put(Opcode::Lt, w.truth, w.best, w.ceiling[player]);
    to.jump_if(w.truth, Next, player);
    to.jump(Top, player);

    to.bind(Low, player);
    to.stow(w.best, here, at + 2, 3);
    to.jump(Next, player);
}

// The node is done with: its claim goes up.
void Compiler::subtree_close(SubtreeWriter& to, const SubtreeWords& w, std::uint32_t player) {
    using enum SubtreeWriter::Label;
    const Reg here = out_.walk.here;
    to.bind(Exhausted, player);
    to.fetch(w.best, here, out_.subtree.window_at + 2, 3);
    to.put(Opcode::Eq, w.truth, w.best, subtree_constant(static_cast<std::int64_t>(word_of(-infinity))));
    to.jump_if_not(w.truth, Closing, player);
    subtree_leave(to, w, SubtreeCode::stuck, SubtreeCode::given, player);

    to.bind(Given, player);
    to.move(w.best, w.value);
    to.move(w.best_lower, w.lower);
    to.move(w.best_upper, w.upper);
    to.jump(Closing, player);

    to.bind(Cut, player);
    to.put(Opcode::Lt, w.truth, w.best, w.ceiling[player]);
    to.jump_if_not(w.truth, Top, player);
    const auto words = static_cast<std::uint16_t>(moves_words(player));
    to.fetch(w.moves, here, walk_sets_at(), words);
    to.jump({.op = Opcode::JumpIfNone_N, .a = w.moves, .w = words}, Closing, player);
    to.move(w.best_upper, subtree_constant(unknown));
    to.jump(Closing, player);
    to.bind(Top, player);
    to.move(w.best_upper, subtree_constant(0));

    to.bind(Closing, player);
    // Nothing is worse than the floor, so a bound that low is proven.
    to.put(Opcode::Lt, w.truth, w.floor[player], w.best);
    to.put(Opcode::Bcast_1, w.best_lower, w.truth, w.best_lower);
    to.put(Opcode::Add, w.remaining, w.remaining, subtree_constant(1));
    to.put(Opcode::Eq, w.truth, w.remaining, w.plies);
    to.jump_if(w.truth, Done, 0);
    // In the other's view, one ply further from the leaves.
    to.put(Opcode::Neg, w.value, w.best);
    to.put(Opcode::Lt, w.truth, w.best_upper, subtree_constant(at_depth));
    to.put(Opcode::Add, w.lower, w.best_upper, w.truth);
    to.put(Opcode::Lt, w.truth, w.best_lower, subtree_constant(at_depth));
    to.put(Opcode::Add, w.upper, w.best_lower, w.truth);
    to.move(w.leaf, subtree_constant(0));
    to.move(w.known, subtree_constant(0));
    subtree_step(to, -1);
    to.jump(Combine, 1 - player);
}

std::uint64_t Compiler::constant_of(Reg reg) const {
    return std::ranges::find(out_.code.constants, reg, &std::pair<Reg, std::uint64_t>::first)->second;
}

} // namespace zug::run
