// Lines of play by WalkCode: one routine a move. Games without it, and nodes of chance, go by states and lists.

#include "interpreter/interpreter.hpp"

#include "base/copy_words.hpp"

#include <algorithm>

namespace zug::run {

void Interpreter::pack(const PositionBuffer& ply, State& out) const {
    out.words.resize(compiled_->layout->stored_words());
    compiled_->layout->pack(ply.words.get() + WalkCode::state_at, out.words.data());
    out.history.reset(); // there is none where there is WalkCode
}

// The position into the frame.
void Interpreter::enter(PositionBuffer& ply) {
    if (!ply.has_words) return enter(state(ply));
    use_routines();
    copy_words(ply.words.get() + WalkCode::state_at, state_words_, frame_.get());
    settled_ = true;
}

void Interpreter::make_words(PositionBuffer& ply) const {
    if (!ply.words) ply.words = std::make_unique<std::uint64_t[]>(compiled_->walk.words);
}

void Interpreter::need_words(PositionBuffer& ply) const {
    if (ply.has_words) return;
    make_words(ply);
    compiled_->layout->unpack(state(ply).words.data(), ply.words.get() + WalkCode::state_at);
    ply.has_words = true;
}

// The position in the words is new: this end clause holds, or none.
void Interpreter::judge(PositionBuffer& ply, std::int32_t clause) const {
    ply.mover = static_cast<std::uint32_t>(ply.words[WalkCode::state_at + turn_]);
    ply.has_words = ply.judged = true;
    ply.has_state = ply.listed = false;
    ply.clause = clause;
}

Next Interpreter::first(PositionBuffer& here, PositionBuffer& there) {
    if (!walks()) return Executor::first(here, there);
    use_routines();
    need_words(here);
    if (!here.judged || here.clause >= 0 || chances_) {
        enter(here);
        if (!here.judged) here.clause = ending_before_moves();
        here.judged = true;
        if (here.clause >= 0) {
            here.kind = NodeKind::Terminal;
            return Next::None;
        }
        if (chances_ && find(compiled_->chances[here.mover]) > 0) return Executor::first(here, there);
    }
    make_words(there);
    here.listed = false;
    here.kind = NodeKind::Decision;
    const std::uint64_t passes = here.skips;
    const Next result = step(compiled_->walk.first[here.mover], here, there);
    return result == Next::None && here.skips == passes ? stuck(here, there) : result;
}

Next Interpreter::next(PositionBuffer& here, PositionBuffer& there) {
    return here.listed ? Executor::next(here, there) : step(compiled_->walk.next[here.mover], here, there);
}

bool Interpreter::walks() const { return !compiled_->walk.first.empty(); }

std::uint32_t Interpreter::line_words() const { return walks() ? state_words_ : Executor::line_words(); }

const std::uint64_t* Interpreter::words(PositionBuffer& ply) const {
    if (!walks()) return Executor::words(ply);
    need_words(ply);
    return ply.words.get() + WalkCode::state_at;
}

void Interpreter::begin(std::span<const std::uint64_t> words, PositionBuffer& ply) const {
    if (!walks()) return Executor::begin(words, ply);
    make_words(ply);
    copy_words(words.data(), words.size(), ply.words.get() + WalkCode::state_at);
    ply.mover = static_cast<std::uint32_t>(words[turn_]);
    ply.has_words = true;
    ply.has_state = ply.judged = ply.listed = false;
}

Next Interpreter::successors(PositionBuffer& here, PositionBuffer& there, Positions& out) {
    if (!walks()) return Executor::successors(here, there, out);
    out.size = 0;
    out.first = WalkCode::state_at;
    out.stride = WalkCode::state_at + state_words_;
    Next at = first(here, there);
    while (at != Next::None && at != Next::Fault) {
        need_words(there);
        copy_words(there.words.get(), out.stride, out.room());
        ++out.size;
        at = here.listed ? next(here, there) : lay_out(here, there, out);
    }
    return at;
}

// next() for all moves that are left, each position behind the one before it: an end that holds is a position like
// others. Where a move fails a check, next() goes on.
Next Interpreter::lay_out(PositionBuffer& here, PositionBuffer& there, Positions& out) {
    const WalkCode& walk = compiled_->walk;
    const std::uint64_t bytes = out.stride * sizeof(std::uint64_t);
    frame_[walk.here] = reinterpret_cast<std::uintptr_t>(here.words.get());
    frame_[walk.onward] = bytes;
    if (walk.emits) std::swap(records, here.records);
    std::int32_t result = 0;
    while (result != WalkCode::none && result != faulted) {
        const auto room = reinterpret_cast<std::uintptr_t>(out.room());
        frame_[walk.there] = room;
        frame_[walk.passes] = out.rooms() - 1;
        result = run(walk.next[here.mover]);
        out.size += (frame_[walk.there] - room) / bytes + (result >= WalkCode::open ? 1 : 0);
    }
    if (walk.emits) std::swap(records, here.records);
    frame_[walk.onward] = 0;
    return result == WalkCode::none ? Next::None : step_failed(here, there);
}

// Whether all that first() leaves for next() is legal and in sets.
bool Interpreter::lists_sets() const { return walks() && !compiled_->walk.emits && !chances_ && !ensures_; }

NodeKind Interpreter::list(PositionBuffer& here) {
    if (!lists_sets() || (here.judged && here.clause >= 0)) return Executor::list(here);
    const Next made = first(here, after_first_);
    if (made == Next::Fault) clear_fault(); // a move's, which need not be made
    if (here.listed || made == Next::None || made == Next::Fault) return Executor::list(here);
    pick_from_sets(here, after_first_);
    here.listed = true;
    here.tried = 0;
    here.moves.clear();
    for (const auto& drawn : here.picks)
        here.moves.add(code_of(pick_of(drawn.data(), compiled_->walk.move_sets, here.records)));
    return here.kind;
}

// The move that was made, and those that are left.
void Interpreter::pick_from_sets(PositionBuffer& here, const PositionBuffer& after_first) const {
    const WalkCode& walk = compiled_->walk;
    here.picks.clear();
    here.picks.push_back({after_first.words[0], after_first.words[1]});
    for (std::uint32_t k = walk.first_move_set[here.mover], at = walk.sets[k]; at < walk.ends[here.mover];
         at += walk.move_sets[k++].words)
        for (std::uint32_t w = 0; w < walk.move_sets[k].words; ++w)
            for (std::uint64_t word = here.words[at + w]; word != 0; word &= word - 1)
                here.picks.push_back({k, w * 64 + static_cast<std::uint64_t>(std::countr_zero(word))});
}

// The move becomes the only one left, and the next.
Next Interpreter::make(PositionBuffer& here, std::size_t i, PositionBuffer& there) {
    if (here.picks.empty()) return Executor::make(here, i, there);
    const WalkCode& walk = compiled_->walk;
    here.tried = i + 1;
    make_words(there);
    const auto [number, bit] = here.picks[i];
    const std::uint32_t first = WalkCode::state_at + state_words_;
    std::fill(here.words.get() + first, here.words.get() + walk.ends[here.mover], 0);
    here.words[walk.sets[number] + bit / 64] = std::uint64_t{1} << bit % 64;
    return step(walk.next[here.mover], here, there);
}

Next Interpreter::step(Entry entry, PositionBuffer& here, PositionBuffer& there) {
    const WalkCode& walk = compiled_->walk;
    frame_[walk.here] = reinterpret_cast<std::uintptr_t>(here.words.get());
    frame_[walk.there] = reinterpret_cast<std::uintptr_t>(there.words.get());
    // A position whose moves are counted has some.
    const bool sure = frame_[walk.counts] != 0 || (!ends_ask_stuck_ && !chances_);
    frame_[walk.passes] = sure ? here.skips : 0;
    std::int32_t result = 0;
    if (walk.emits) {
        std::swap(records, here.records);
        result = run(entry);
        std::swap(records, here.records);
    } else {
        result = run(entry);
    }
    if (sure) here.skips = frame_[walk.passes];
    judge(there, result);
    if (result == WalkCode::open) return ends_ask_stuck_ ? Next::Unknown : Next::Open;
    return result >= 0 && result < compiled_->first_stuck_end ? Next::Terminal : step_back(result, here, there);
}

std::uint64_t Interpreter::count_next(PositionBuffer& here, PositionBuffer& there) {
    const WalkCode& walk = compiled_->walk;
    if (!walk.can_count) return Executor::count_next(here, there);
    here.skips = UINT64_MAX;
    frame_[walk.counts] = 1;
    frame_[walk.total] = 0;
    const std::uint64_t others = Executor::count_next(here, there);
    frame_[walk.counts] = here.skips = 0;
    return others + frame_[walk.total];
}

// What is not the common case.
Next Interpreter::step_back(std::int32_t result, PositionBuffer& here, PositionBuffer& there) {
    if (result == WalkCode::none) return Next::None;
    if (result == faulted) return step_failed(here, there);
    enter(there);
    there.clause = ending_of(result);
    return there.clause >= 0 ? Next::Terminal : Next::Open;
}

// The move failed a check: a fault, unless it isn't legal.
Next Interpreter::step_failed(PositionBuffer& here, PositionBuffer& there) {
    const WalkCode& walk = compiled_->walk;
    const Pick taken = pick_of(frame_.get() + walk.drawn, walk.move_sets, here.records);
    const ir::RuleId rule = taken.found != nullptr ? taken.found->rule : shape_of(taken.record).rule;
    const std::span<const std::uint64_t> before(here.words.get() + WalkCode::state_at, state_words_);
    if (compiled_->rules[index(rule)].ensures && !legal_by_reference(code_of(taken), before)) return next(here, there);
    fault_of_check(rule, code_of(taken), before);
    return Next::Fault;
}

// No move was found.
Next Interpreter::stuck(PositionBuffer& here, PositionBuffer& there) {
    enter(here);
    here.listed = true;
    here.tried = 0;
    here.moves.clear();
    here.picks.clear();
    here.kind = stuck_node(here.moves);
    here.clause = -1;
    return here.kind == NodeKind::Fault ? Next::Fault : Executor::next(here, there);
}

Interpreter::Pick Interpreter::pick_of(const std::uint64_t* drawn, const std::vector<MoveSetCode>& move_sets,
                                       const Records& from) const {
    Pick pick{nullptr, nullptr, static_cast<std::uint32_t>(drawn[1])};
    if (drawn[0] < from_record)
        pick.found = &move_sets[drawn[0]];
    else
        pick.record = from.words.get() + (drawn[0] - from_record);
    return pick;
}

std::uint64_t Interpreter::move_id(const PositionBuffer& here, const PositionBuffer& there) const {
    if (here.listed) return Executor::move_id(here, there);
    return code_of(pick_of(there.words.get(), compiled_->walk.move_sets, here.records));
}

NodeKind Interpreter::kind(PositionBuffer& ply) {
    if (!ply.judged) return kind(state(ply));
    if (ply.clause >= 0) return NodeKind::Terminal;
    enter(ply);
    if (chances_ && find(compiled_->chances[ply.mover]) > 0) return NodeKind::Chance;
    return ends_ask_stuck_ && !any_legal() && ending_if_stuck() >= 0 ? NodeKind::Terminal : NodeKind::Decision;
}

std::uint64_t Interpreter::count(PositionBuffer& ply) {
    if (!ply.judged || chances_) return count(state(ply));
    if (ply.clause >= 0) return 0;
    enter(ply);
    return count_moves();
}

void Interpreter::payoffs(PositionBuffer& ply, std::span<double> out) {
    if (!ply.judged || ply.clause < 0) return payoffs(state(ply), out);
    enter(ply);
    give(compiled_->payoffs[static_cast<std::size_t>(ply.clause)][last()], out);
}

void Interpreter::evals(PositionBuffer& ply, std::span<double> out) {
    enter(ply);
    give(compiled_->evals[last()], out);
}

bool Interpreter::more(const PositionBuffer& here) const {
    if (here.listed) return Executor::more(here);
    const auto sets =
        std::span(here.words.get(), compiled_->walk.ends[here.mover]).subspan(WalkCode::state_at + state_words_);
    return std::ranges::any_of(sets, [](std::uint64_t set) { return set != 0; });
}

} // namespace zug::run
