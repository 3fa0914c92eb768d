// Effects: all those of one `then` read the state before it, and change it at once.

#include "ir/print.hpp"
#include "reference/reference.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace zug::run {

namespace {

using ir::EffectKind;

// What one block is to write, by entry of the state's maps, collected before anything is written.
class BlockRun {
public:
    BlockRun(const ir::Program& program, ir::Evaluator& eval, TurnChange& turn, Failing failing)
        : program_(program), eval_(eval), turn_(turn), failing_(failing) {}

    bool run(const ir::Block& block);
    // Changes the slots that the effects were evaluated on. False: a fault.
    bool write(Slots& slots);
    const Fault& fault() const { return fault_; }

private:
    struct Write {
        ir::StateId state{};
        std::uint64_t entry = 0;
        bool whole = false; // by AssignAll: gives way to writes of single entries
        bool adds = false;
        ir::Value value; // what is assigned, or the sum of what is added
        Span span;
    };

    bool effects(const std::vector<ir::EffectId>& list);
    bool effect(ir::EffectId id);
    bool for_each(const ir::Effect& e);
    bool assign_set(const ir::Effect& e);
    bool assign_all(const ir::Effect& e);
    bool turn(const ir::Effect& e);
    bool put(const ir::Effect& e, std::uint64_t entry, ir::Value value);
    std::optional<std::uint64_t> entry_of(const ir::Effect& e);
    std::optional<std::uint64_t> entry_of(const ir::StateVariable& state, std::span<const std::int64_t> indices) const;
    std::string entry_text(ir::StateId state, std::uint64_t entry) const;
    bool write_one(const Write& write, Slots& slots);
    // Records the fault. True: failing effects are skipped, so evaluation continues.
    bool fail(FaultKind kind, std::string what, Span span);
    bool fail_double(const std::string& what, Span span);

    const ir::Program& program_;
    ir::Evaluator& eval_;
    TurnChange& turn_;
    Failing failing_;
    std::map<std::pair<ir::StateId, std::uint64_t>, Write> writes_;
    std::set<ir::StateId> wholes_; // assigned by AssignAll
    Fault fault_;
};

bool BlockRun::fail(FaultKind kind, std::string what, Span span) {
    if (failing_ == Failing::Clamps) return true;
    fault_.kind = kind;
    fault_.what = std::move(what);
    fault_.span = span;
    return false;
}

bool BlockRun::fail_double(const std::string& what, Span span) {
    return fail(FaultKind::DoubleAssign, what + " is assigned twice in one `then`", span);
}

bool BlockRun::run(const ir::Block& block) {
    for (const ir::Clause& clause : block.lets) eval_.bind(clause.bind, eval_.value(clause.expr));
    return effects(block.effects);
}

bool BlockRun::effects(const std::vector<ir::EffectId>& list) {
    return std::ranges::all_of(list, [&](auto id) { return effect(id); });
}

bool BlockRun::effect(ir::EffectId id) {
    const ir::Effect& e = program_.effects[id];
    switch (e.kind) {
    case EffectKind::Assign:
    case EffectKind::Add: {
        const auto entry = entry_of(e);
        return !entry || put(e, *entry, eval_.value(e.value));
    }
    case EffectKind::AssignSet: return assign_set(e);
    case EffectKind::AssignAll: return assign_all(e);
    case EffectKind::If: return effects(eval_.truth(e.value) ? e.yes : e.no);
    case EffectKind::For: return for_each(e);
    case EffectKind::Let: eval_.bind(e.var, eval_.value(e.value)); return effects(e.yes);
    case EffectKind::Again:
    case EffectKind::Next: return turn(e);
    }
    return true;
}

bool BlockRun::for_each(const ir::Effect& e) {
    const Bits members = eval_.set(e.value);
    const ir::TypeId type = program_.types.inner(program_.exprs[e.value].type);
    for (std::size_t i = members.first(); i < members.size(); i = members.next(i + 1)) {
        eval_.bind(e.var, ir::scalar_value(program_.types.value(type, i)));
        if (!effects(e.yes)) return false;
    }
    return true;
}

bool BlockRun::assign_set(const ir::Effect& e) {
    const ir::StateVariable& state = program_.states[e.state];
    const Bits members = eval_.set(e.indices.front());
    const ir::TypeId type = program_.types.inner(program_.exprs[e.indices.front()].type);
    const ir::Value value = eval_.value(e.value);
    for (std::size_t i = members.first(); i < members.size(); i = members.next(i + 1)) {
        const std::int64_t member = program_.types.value(type, i);
        const auto entry = entry_of(state, {&member, 1});
        if (entry && !put(e, *entry, value)) return false;
    }
    return true;
}

bool BlockRun::assign_all(const ir::Effect& e) {
    const ir::StateVariable& state = program_.states[e.state];
    // That is so whatever single entries are assigned as well, since effects have no order.
    if (!wholes_.insert(e.state).second) return fail_double(state.name, e.span);
    const ir::Value value = eval_.value(e.value);
    const std::uint64_t entries = state.initial.size() / std::max(1U, slots_per_value(program_, e.state));
    for (std::uint64_t entry = 0; entry < entries; ++entry)
        if (!put(e, entry, value)) return false;
    return true;
}

bool BlockRun::turn(const ir::Effect& e) {
    TurnChange change{.kind = TurnChange::Kind::Again};
    if (e.kind == EffectKind::Next) {
        change = {.kind = TurnChange::Kind::Next, .player = eval_.scalar(e.value)};
        if (change.player == ir::none) return true; // as an assignment to no entry does nothing
    }
    if (turn_.kind != TurnChange::Kind::Usual)
        return fail(FaultKind::DoubleTurn, "`again` or `next` a second time in this move", e.span);
    turn_ = change;
    return true;
}

std::optional<std::uint64_t> BlockRun::entry_of(const ir::Effect& e) {
    std::vector<std::int64_t> indices;
    for (auto expr : e.indices) indices.push_back(eval_.scalar(expr));
    return entry_of(program_.states[e.state], indices);
}

std::optional<std::uint64_t> BlockRun::entry_of(const ir::StateVariable& state,
                                                std::span<const std::int64_t> indices) const {
    std::uint64_t entry = 0;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const auto ordinal = program_.types.ordinal(state.indices[i], indices[i]);
        if (!ordinal) return std::nullopt;
        entry = entry * program_.types.cardinality(state.indices[i]) + *ordinal;
    }
    return entry;
}

bool BlockRun::put(const ir::Effect& e, std::uint64_t entry, ir::Value value) {
    const Write write{.state = e.state,
                      .entry = entry,
                      .whole = e.kind == EffectKind::AssignAll,
                      .adds = e.kind == EffectKind::Add,
                      .value = std::move(value),
                      .span = e.span};
    const auto [it, fresh] = writes_.try_emplace({e.state, entry}, write);
    if (fresh) return true;
    Write& present = it->second;
    if (present.whole != write.whole) {
        if (present.whole) present = write;
        return true;
    }
    if (!present.adds || !write.adds) return fail_double(entry_text(e.state, entry), e.span);
    present.value.scalar = std::clamp(present.value.scalar + std::clamp(write.value.scalar, ir::int_min, ir::int_max),
                                      ir::int_min, ir::int_max);
    return true;
}

std::string BlockRun::entry_text(ir::StateId id, std::uint64_t entry) const {
    const ir::StateVariable& state = program_.states[id];
    std::string text;
    for (std::size_t i = state.indices.size(); i-- > 0;) {
        const auto size = program_.types.cardinality(state.indices[i]);
        const auto value = program_.types.value(state.indices[i], entry % size);
        text = value_text(program_, state.indices[i], value) + (text.empty() ? "" : ", ") + text;
        entry /= size;
    }
    return text.empty() ? state.name : fmt::format("{}[{}]", state.name, text);
}

bool BlockRun::write(Slots& slots) {
    return std::ranges::all_of(writes_, [&](const auto& write) { return write_one(write.second, slots); });
}

bool BlockRun::write_one(const Write& write, Slots& slots) {
    const ir::StateVariable& state = program_.states[write.state];
    const std::uint32_t width = slots_per_value(program_, write.state);
    std::uint32_t* const slot = slots.data() + state.first_slot + write.entry * width;
    if (program_.types.kind(state.value) == ir::TypeKind::Set) {
        for (std::size_t i = 0; i < width; ++i) slot[i] = write.value.set.test(i) ? 1 : 0;
        return true;
    }
    std::int64_t value = write.value.scalar;
    if (write.adds) value += program_.types.value(state.value, *slot);
    const auto ordinal = program_.types.ordinal(state.value, value);
    if (ordinal) {
        *slot = static_cast<std::uint32_t>(*ordinal);
        return true;
    }
    const bool optional = program_.types.kind(state.value) == ir::TypeKind::Optional;
    const ir::TypeId bare = optional ? program_.types.inner(state.value) : state.value;
    if (failing_ == Failing::Clamps && value != ir::none && program_.types.kind(bare) == ir::TypeKind::Int) {
        const ir::Type& range = program_.types[bare];
        *slot = static_cast<std::uint32_t>(*program_.types.ordinal(state.value, std::clamp(value, range.lo, range.hi)));
        return true;
    }
    const std::string text = value == ir::none ? "none" : std::to_string(value);
    return fail(FaultKind::OutOfRange,
                fmt::format("{} := {}, its range is {}", entry_text(write.state, write.entry), text,
                            type_text(program_, state.value)),
                write.span);
}

} // namespace

std::optional<Fault> Reference::apply(Asker& asker, const std::vector<ir::Block>& blocks, Slots& slots,
                                      TurnChange& turn, Failing failing) const {
    for (const ir::Block& block : blocks) {
        BlockRun run(*program_, asker.eval(), turn, failing);
        if (!run.run(block) || !run.write(slots)) return run.fault();
        asker.read(slots, asker.history(), false);
    }
    asker.read(slots, asker.history(), false);
    return std::nullopt;
}

} // namespace zug::run
