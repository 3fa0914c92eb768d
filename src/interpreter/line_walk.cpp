#include "interpreter/line_walk.hpp"

#include "base/copy_words.hpp"

#include <algorithm>
#include <bit>

namespace zug::run {

LineWalk::LineWalk(Executor& executor, Referee& referee)
    : executor_(executor), referee_(referee), walk_(referee.compiled().walk), frame_(referee.frame()),
      first_stuck_end_(referee.compiled().first_stuck_end), ends_ask_stuck_(referee.ends_ask_stuck()),
      may_skip_(!ends_ask_stuck_ && !referee.has_chance()) {}

// -- buffers

void LineWalk::pack(const PositionBuffer& here, State& out) const {
    out.words.resize(referee_.layout().stored_words());
    referee_.layout().pack(here.words.get() + WalkCode::state_at, out.words.data());
    out.history.reset(); // programs with a history have no WalkCode
}

void LineWalk::enter(PositionBuffer& here) {
    if (here.has_words)
        referee_.enter(here.words.get() + WalkCode::state_at);
    else
        referee_.enter(executor_.state(here));
}

void LineWalk::make_words(PositionBuffer& here) const {
    if (!here.words) here.words = std::make_unique<std::uint64_t[]>(walk_.words);
}

void LineWalk::need_words(PositionBuffer& here) const {
    if (here.has_words) return;
    make_words(here);
    referee_.layout().unpack(executor_.state(here).words.data(), here.words.get() + WalkCode::state_at);
    here.has_words = true;
}

const std::uint64_t* LineWalk::words(PositionBuffer& here) const {
    need_words(here);
    return here.words.get() + WalkCode::state_at;
}

void LineWalk::begin(std::span<const std::uint64_t> words, PositionBuffer& here) const {
    make_words(here);
    copy_words(words.data(), words.size(), here.words.get() + WalkCode::state_at);
    here.mover = static_cast<std::uint32_t>(words[referee_.turn_reg()]);
    here.has_words = true;
    here.has_state = here.judged = here.listed = false;
}

// The position in the words is new, and this end clause holds, or none.
void LineWalk::judge(PositionBuffer& here, std::int32_t clause) const {
    here.mover = static_cast<std::uint32_t>(here.words[WalkCode::state_at + referee_.turn_reg()]);
    here.has_words = here.judged = true;
    here.has_state = here.listed = false;
    here.clause = clause;
}

// -- move by move

Next LineWalk::first(PositionBuffer& here, PositionBuffer& there) {
    if (!walks()) return executor_.Executor::first(here, there);
    referee_.use_routines();
    need_words(here);
    if (!here.judged || here.clause >= 0 || referee_.has_chance()) {
        enter(here);
        if (!here.judged) here.clause = referee_.ending_before_moves();
        here.judged = true;
        if (here.clause >= 0) {
            here.kind = NodeKind::Terminal;
            return Next::None;
        }
        if (referee_.chance_is_due()) return executor_.Executor::first(here, there);
    }
    make_words(there);
    here.listed = false;
    here.kind = NodeKind::Decision;
    const std::uint64_t skips = here.skips;
    const Next result = step(walk_.first[here.mover], here, there);
    return result == Next::None && here.skips == skips ? stuck(here, there) : result;
}

Next LineWalk::step(Entry entry, PositionBuffer& here, PositionBuffer& there) {
    frame_[walk_.here] = reinterpret_cast<std::uintptr_t>(here.words.get());
    frame_[walk_.there] = reinterpret_cast<std::uintptr_t>(there.words.get());
    // A position whose moves are counted has some.
    const bool sure = frame_[walk_.counts] != 0 || may_skip_;
    frame_[walk_.passes] = sure ? here.skips : 0;
    std::int32_t result = 0;
    if (walk_.emits) {
        std::swap(referee_.records, here.records);
        result = referee_.run(entry);
        std::swap(referee_.records, here.records);
    } else {
        result = referee_.run(entry);
    }
    if (sure) here.skips = frame_[walk_.passes];
    judge(there, result);
    if (result == WalkCode::open) return ends_ask_stuck_ ? Next::Unknown : Next::Open;
    const bool over = result >= 0 && result < first_stuck_end_;
    return over ? Next::Terminal : other_result(result, here, there);
}

// The less common results of a step.
Next LineWalk::other_result(std::int32_t result, PositionBuffer& here, PositionBuffer& there) {
    if (result == WalkCode::none) return Next::None;
    if (result == faulted) return step_failed(here, there);
    enter(there);
    there.clause = referee_.ending_of(result);
    return there.clause >= 0 ? Next::Terminal : Next::Open;
}

// The move failed a check: a fault, unless it isn't legal.
Next LineWalk::step_failed(PositionBuffer& here, PositionBuffer& there) {
    const Pick taken = Machine::pick(frame_ + walk_.drawn, walk_.move_sets, here.records);
    const ir::RuleId rule = referee_.rule_of(taken);
    const StepCode code = referee_.code_of(taken);
    const std::span<const std::uint64_t> before(here.words.get() + WalkCode::state_at, referee_.state_words());
    const bool ensures = referee_.compiled().rules[index(rule)].ensures;
    if (ensures && !referee_.reference().is_legal(code, before)) return next(here, there);
    referee_.reference().describe_step(rule, code, before);
    return Next::Fault;
}

// No move was found.
Next LineWalk::stuck(PositionBuffer& here, PositionBuffer& there) {
    enter(here);
    here.listed = true;
    here.tried = 0;
    here.moves.clear();
    here.picks.clear();
    here.kind = referee_.beyond() != nullptr ? executor_.expand(executor_.state(here), here.moves)
                                             : referee_.stuck_node(here.moves);
    here.clause = -1;
    return here.kind == NodeKind::Fault ? Next::Fault : executor_.Executor::next(here, there);
}

std::uint64_t LineWalk::move_id(const PositionBuffer& here, const PositionBuffer& there) const {
    if (here.listed) return executor_.Executor::move_id(here, there);
    return referee_.id_of(referee_.code_of(Machine::pick(there.words.get(), walk_.move_sets, here.records)));
}

bool LineWalk::more(const PositionBuffer& here) const {
    if (here.listed) return executor_.Executor::more(here);
    const std::uint32_t first = WalkCode::state_at + referee_.state_words();
    const auto sets = std::span(here.words.get(), walk_.ends[here.mover]).subspan(first);
    return std::ranges::any_of(sets, [](std::uint64_t set) { return set != 0; });
}

// -- all at once

Next LineWalk::successors(PositionBuffer& here, PositionBuffer& there, Positions& out) {
    if (!walks()) return executor_.Executor::successors(here, there, out);
    out.size = 0;
    out.first = WalkCode::state_at;
    out.stride = WalkCode::state_at + referee_.state_words();
    Next at = first(here, there);
    while (at != Next::None && at != Next::Fault) {
        need_words(there);
        copy_words(there.words.get(), out.stride, out.room());
        ++out.size;
        at = here.listed ? next(here, there) : make_rest(here, there, out);
    }
    return at;
}

// next() for all moves that are left, each position appended to `out`, those that an end clause holds for too. Returns
// early where a move fails a check that does not matter.
Next LineWalk::make_rest(PositionBuffer& here, PositionBuffer& there, Positions& out) {
    const std::uint64_t bytes = out.stride * sizeof(std::uint64_t);
    frame_[walk_.here] = reinterpret_cast<std::uintptr_t>(here.words.get());
    frame_[walk_.onward] = bytes;
    if (walk_.emits) std::swap(referee_.records, here.records);
    std::int32_t result = 0;
    while (result != WalkCode::none && result != faulted) {
        const auto room = reinterpret_cast<std::uintptr_t>(out.room());
        frame_[walk_.there] = room;
        frame_[walk_.passes] = out.rooms() - 1;
        result = referee_.run(walk_.next[here.mover]);
        out.size += (frame_[walk_.there] - room) / bytes + (result >= WalkCode::open ? 1 : 0);
    }
    if (walk_.emits) std::swap(referee_.records, here.records);
    frame_[walk_.onward] = 0;
    return result == WalkCode::none ? Next::None : step_failed(here, there);
}

std::uint64_t LineWalk::count_next(PositionBuffer& here, PositionBuffer& there) {
    if (!walk_.can_count) return executor_.Executor::count_next(here, there);
    here.skips = UINT64_MAX;
    frame_[walk_.counts] = 1;
    frame_[walk_.total] = 0;
    const std::uint64_t others = executor_.Executor::count_next(here, there);
    frame_[walk_.counts] = here.skips = 0;
    return others + frame_[walk_.total];
}

// -- as a list

// Whether all that first() leaves for next() is legal and in sets.
bool LineWalk::lists_sets() const {
    return walks() && !walk_.emits && !referee_.has_chance() && !referee_.has_ensure();
}

NodeKind LineWalk::list(PositionBuffer& here) {
    if (!lists_sets() || (here.judged && here.clause >= 0)) return executor_.Executor::list(here);
    const Next made = first(here, after_first_);
    if (made == Next::Fault) executor_.clear_fault(); // of a move that need not be made
    if (here.listed || made == Next::None || made == Next::Fault) return executor_.Executor::list(here);
    pick_from_sets(here, after_first_);
    here.listed = true;
    here.tried = 0;
    here.moves.clear();
    for (const auto& drawn : here.picks)
        referee_.add_to(here.moves, Machine::pick(drawn.data(), walk_.move_sets, here.records));
    return here.kind;
}

// The move that was made, and those that are left.
void LineWalk::pick_from_sets(PositionBuffer& here, const PositionBuffer& after_first) const {
    here.picks.clear();
    here.picks.push_back({after_first.words[0], after_first.words[1]});
    for (std::uint32_t k = walk_.first_move_set[here.mover], at = walk_.sets[k]; at < walk_.ends[here.mover];
         at += walk_.move_sets[k++].words)
        for (std::uint32_t w = 0; w < walk_.move_sets[k].words; ++w)
            for (std::uint64_t word = here.words[at + w]; word != 0; word &= word - 1)
                here.picks.push_back({k, w * 64 + static_cast<std::uint64_t>(std::countr_zero(word))});
}

// In the order of list().
void LineWalk::list_loud(PositionBuffer& here, const FindCode& found) {
    need_words(here);
    referee_.each(found, [&](const Pick& p) {
        const auto set = static_cast<std::size_t>(p.found - found.move_sets.data());
        const auto [number, bit] = walk_.loud[here.mover][set][p.bit];
        here.picks.push_back({number, bit});
        return false;
    });
    std::ranges::sort(here.picks);
    for (const auto& drawn : here.picks)
        referee_.add_to(here.moves, Machine::pick(drawn.data(), walk_.move_sets, here.records));
}

// Makes the move the only one left, so that it is the next.
Next LineWalk::make(PositionBuffer& here, std::size_t i, PositionBuffer& there) {
    if (here.picks.empty()) return executor_.Executor::make(here, i, there);
    here.tried = i + 1;
    make_words(there);
    const auto [number, bit] = here.picks[i];
    const std::uint32_t first = WalkCode::state_at + referee_.state_words();
    std::fill(here.words.get() + first, here.words.get() + walk_.ends[here.mover], 0);
    here.words[walk_.sets[number] + bit / 64] = std::uint64_t{1} << bit % 64;
    return step(walk_.next[here.mover], here, there);
}

} // namespace zug::run
