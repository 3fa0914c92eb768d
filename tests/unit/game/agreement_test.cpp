// The interpreter and machine code against the reference executor, which defines the semantics: compared along random
// play of every rule file.

#include "executor/position_buffer.hpp"
#include "executor/random_play.hpp"
#include "interpreter/make_interpreter.hpp"
#include "lang/load.hpp"
#include "native/native.hpp"
#include "reference/make_reference.hpp"
#include "tests/unit/game/reference_use.hpp"
#include "tests/unit/game/rule_files.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <set>

using namespace zug;
using namespace zug::game;
using run::Executor;

namespace {

using Slots = std::vector<std::uint32_t>;

Slots slots_of(const Executor& executor, const State& state) {
    Slots slots;
    executor.store(state, slots);
    return slots;
}

// One executor at one state.
struct Side {
    explicit Side(std::unique_ptr<Executor> of) : executor(std::move(of)) { executor->initial(state); }

    std::map<std::uint64_t, double> entries() const {
        std::map<std::uint64_t, double> result;
        for (std::size_t i = 0; i < moves.size(); ++i)
            result[moves.id(i)] = kind == NodeKind::Chance ? moves.probability(i) : 1;
        return result;
    }
    std::optional<State> after(std::uint64_t id) {
        State out;
        const auto i = moves.find(id);
        if (!i || !executor->successor(state, moves, *i, out)) return std::nullopt;
        return out;
    }

    std::unique_ptr<Executor> executor;
    State state;
    MoveList moves;
    NodeKind kind = NodeKind::Decision;
};

void compare_numbers(Side& a, Side& b) {
    const std::size_t players = a.executor->program().players.size();
    std::vector<double> of_a(players);
    std::vector<double> of_b(players);
    if (a.kind == NodeKind::Terminal) {
        CHECK(a.executor->payoffs(a.state, of_a) == b.executor->payoffs(b.state, of_b));
    } else if (!a.executor->program().evals.empty()) {
        a.executor->evals(a.state, of_a);
        b.executor->evals(b.state, of_b);
    }
    for (std::size_t p = 0; p < players; ++p) CHECK(of_a[p] == doctest::Approx(of_b[p]));
}

void compare_lists(Side& a, Side& b) {
    const auto of_a = a.entries();
    const auto of_b = b.entries();
    REQUIRE(of_a.size() == of_b.size());
    CHECK(a.executor->count(a.state) == b.executor->count(b.state));
    for (const auto& [id, weight] : of_a) {
        REQUIRE(of_b.contains(id));
        CHECK(of_b.at(id) == doctest::Approx(weight));
    }
}

// Both give the same fault, or the same state. Returns whether they give a state.
bool compare_successors(Side& a, Side& b, std::uint64_t id) {
    const auto next_a = a.after(id);
    const auto next_b = b.after(id);
    REQUIRE(next_a.has_value() == next_b.has_value());
    if (!next_a) {
        CHECK(a.executor->fault()->kind == b.executor->fault()->kind);
        return false;
    }
    CHECK(slots_of(*a.executor, *next_a) == slots_of(*b.executor, *next_b));
    return true;
}

// What maps hold by site is in the slots, for a position given as a state and for one that a line walk made.
void compare_maps(const Executor& executor, run::PositionBuffer& here) {
    const ir::Program& program = executor.program();
    const Slots slots = slots_of(executor, executor.state(here));
    Slots read(program.total_slots(), 12345);
    executor.read_slots(here, read);
    CHECK(read == slots);
    for (std::size_t s = 0; s < program.states.size(); ++s) {
        const auto id = static_cast<ir::StateId>(s);
        const ir::StateVariable& map = program.states[id];
        const auto kind = [&](ir::TypeId type) { return program.types[type].kind; };
        if (map.indices.size() != 1 || kind(map.indices[0]) != ir::TypeKind::Site) continue;
        if (kind(map.value) == ir::TypeKind::Set) continue;
        std::vector<std::uint32_t> entries(map.initial.size(), 12345);
        executor.read_map(here, id, entries);
        const auto first = slots.begin() + map.first_slot;
        CHECK(entries == Slots(first, first + static_cast<std::ptrdiff_t>(entries.size())));
    }
}

// With more moves than this, the moves after each aren't counted: that takes too long.
constexpr std::size_t most_counted = 40;

// The line walk, which makes moves one by one, gives the successors of the listed moves in the same order.
void compare_line(Side& side) {
    Executor& executor = *side.executor;
    run::PositionBuffer here, there;
    executor.begin(side.state, here);
    compare_maps(executor, here);
    std::size_t made = 0;
    std::uint64_t counts = 0;
    bool faults = false;
    for (auto at = executor.first(here, there); at != run::Next::None; at = executor.next(here, there), ++made) {
        REQUIRE(made < side.moves.size());
        const auto listed = side.after(side.moves.id(made));
        REQUIRE(listed.has_value() == (at != run::Next::Fault));
        if (!listed) {
            executor.clear_fault();
            return;
        }
        CHECK(executor.move_id(here, there) == side.moves.id(made));
        CHECK(there.mover == executor.to_move(*listed));
        CHECK(slots_of(executor, executor.state(there)) == slots_of(executor, *listed));
        CHECK(executor.hash(there) == executor.hash(*listed));
        CHECK(executor.kind(there) == executor.kind(*listed));
        if (made == 0) compare_maps(executor, there);
        if (at != run::Next::Unknown)
            CHECK((executor.kind(*listed) == NodeKind::Terminal) == (at == run::Next::Terminal));
        if (executor.walks_by_id()) CHECK(executor.more(here) == (made + 1 < side.moves.size()));
        if (side.moves.size() > most_counted) continue;
        const std::uint64_t count = executor.count(there);
        CHECK(count == executor.count(*listed));
        if (executor.fault()) faults = true;
        executor.clear_fault();
        counts += count;
    }
    CHECK(made == side.moves.size());
    if (!faults && made <= most_counted) CHECK(executor.count_next(here, there) == counts);
    CHECK(here.kind == side.kind);
}

// The successors made in one call are those of the listed moves, in the same order, up to the first fault; and
// positions can be restored from their words, which hold no history.
void compare_words(Side& side) {
    Executor& executor = *side.executor;
    if (!executor.program().keys.empty()) return;
    run::PositionBuffer here, again, there, copy;
    run::Positions found;
    executor.begin(side.state, here);
    executor.begin({executor.words(here), executor.line_words()}, again);
    CHECK(slots_of(executor, executor.state(again)) == slots_of(executor, side.state));
    const run::Next end = executor.successors(again, there, found);
    executor.clear_fault();
    CHECK(again.mover == here.mover);
    CHECK(again.kind == side.kind);
    CHECK((end == run::Next::Fault) == (found.size < side.moves.size()));
    REQUIRE(found.size <= side.moves.size());
    for (std::size_t i = 0; i < found.size; ++i) {
        const auto listed = side.after(side.moves.id(i));
        REQUIRE(listed.has_value());
        executor.begin({found[i], executor.line_words()}, copy);
        CHECK(slots_of(executor, executor.state(copy)) == slots_of(executor, *listed));
        CHECK(executor.kind(copy) == executor.kind(*listed));
    }
    if (end == run::Next::Fault) {
        CHECK(!side.after(side.moves.id(found.size)).has_value());
        executor.clear_fault();
    }
}

// The loud moves are those moves of the list that the reference evaluator calls loud; each can be made.
void compare_loud(Side& a, Side& b) {
    if (a.kind == NodeKind::Chance) return;
    std::set<std::uint64_t> loud;
    if (a.kind == NodeKind::Decision)
        for (std::size_t i = 0; i < a.moves.size(); ++i)
            if (a.executor->is_loud(a.state, a.moves.steps(i))) loud.insert(a.moves.id(i));
    Executor& executor = *b.executor;
    run::PositionBuffer here, again, there;
    executor.begin(b.state, here);
    CHECK(executor.list_loud(here) == executor.kind(b.state));
    CHECK(here.moves.size() == loud.size());
    executor.begin({executor.words(here), executor.line_words()}, again);
    if (executor.program().keys.empty()) CHECK(executor.list_loud(again) == here.kind);
    for (std::size_t i = 0; i < here.moves.size(); ++i) {
        const std::uint64_t id = here.moves.id(i);
        CHECK(loud.contains(id));
        CHECK(executor.is_loud(b.state, here.moves.steps(i)));
        const auto listed = b.after(id);
        const bool made = executor.make(here, i, there) != run::Next::Fault;
        REQUIRE(listed.has_value() == made);
        executor.clear_fault();
        if (!made) continue;
        CHECK(slots_of(executor, executor.state(there)) == slots_of(executor, *listed));
        CHECK(executor.hash(there) == executor.hash(*listed));
    }
}

// Compares everything in the present state. Returns false where the game is over or has a fault.
bool compare(Side& a, Side& b, std::size_t successors) {
    const Slots slots = slots_of(*a.executor, a.state);
    REQUIRE(slots == slots_of(*b.executor, b.state));
    CHECK(a.executor->to_move(a.state) == b.executor->to_move(b.state));
    a.kind = a.executor->expand(a.state, a.moves);
    b.kind = b.executor->expand(b.state, b.moves);
    REQUIRE(a.kind == b.kind);
    if (a.kind == NodeKind::Fault) return false;
    CHECK(a.executor->kind(a.state) == b.executor->kind(b.state));
    compare_numbers(a, b);
    compare_lists(a, b);
    compare_line(b);
    compare_words(b);
    if (a.executor->program().has_loud()) compare_loud(a, b);
    const std::size_t step = std::max<std::size_t>(1, a.moves.size() / successors);
    for (std::size_t i = 0; i < a.moves.size(); i += step) compare_successors(a, b, a.moves.id(i));
    return a.kind != NodeKind::Terminal;
}

// Returns what the executor left to the reference evaluator.
run::ReferenceUse compare_play(std::unique_ptr<Executor> executor, std::uint64_t seed, int plies,
                               const Budget& budget) {
    const auto program = std::make_shared<const ir::Program>(executor->program());
    Random random(seed);
    Side a(run::make_reference(program));
    Side b(std::move(executor));
    for (int ply = 0; ply < plies && (ply < 4 || !budget.spent()) && compare(a, b, 12); ++ply) {
        const std::uint64_t id = a.moves.id(run::random_entry(a.moves, a.kind, random));
        if (!compare_successors(a, b, id)) break;
        a.state = *a.after(id);
        b.state = *b.after(id);
        // Play continues from a state that was loaded as from one that was played.
        if (program->keys.empty() && ply % 7 == 3) b.executor->load(slots_of(*a.executor, a.state), b.state);
    }
    return b.executor->reference_use();
}

// The same random play, move for move: what is drawn follows from the seed alone.
void compare_playouts(Executor& a, Executor& b, int playouts, const Budget& budget) {
    Random random_a(3);
    Random random_b(3);
    for (int k = 0; k < playouts && !budget.spent(); ++k) {
        State of_a;
        State of_b;
        a.initial(of_a);
        b.initial(of_b);
        const auto played_a = a.playout(of_a, random_a, 300);
        const auto played_b = b.playout(of_b, random_b, 300);
        REQUIRE(played_a.plies == played_b.plies);
        CHECK(played_a.finished == played_b.finished);
        CHECK(slots_of(a, of_a) == slots_of(b, of_b));
        CHECK(a.fault().has_value() == b.fault().has_value());
        a.clear_fault();
        b.clear_fault();
    }
    CHECK(random_a.words() == random_b.words());
}

// A recorded playout is the one that is not, except where turns are chains; and its moves lead to where it ended.
void compare_recorded(Executor& executor, int playouts, const Budget& budget) {
    const bool chains = executor.program().turn.has_value();
    Random random(4);
    for (int k = 0; k < playouts && !budget.spent(); ++k) {
        Random same = random;
        State plain, recorded, replayed, next;
        executor.initial(plain);
        recorded = replayed = plain;
        std::vector<run::PlayedMove> played;
        const std::uint32_t plies = k == 0 ? 1 : 200;
        const auto result = executor.playout(recorded, random, plies, played);
        const auto expected = executor.playout(plain, same, plies);
        REQUIRE(played.size() == result.plies);
        if (!chains) {
            CHECK(result.plies == expected.plies);
            CHECK(result.finished == expected.finished);
            CHECK(slots_of(executor, recorded) == slots_of(executor, plain));
            CHECK(random.words() == same.words());
        }
        executor.clear_fault();
        MoveList moves;
        for (const run::PlayedMove& move : played) {
            CHECK(executor.to_move(replayed) == move.player);
            CHECK((executor.expand(replayed, moves) == NodeKind::Chance) == move.chance);
            const auto i = moves.find(move.id);
            REQUIRE(i.has_value());
            REQUIRE(executor.successor(replayed, moves, *i, next));
            std::swap(replayed, next);
        }
        CHECK(slots_of(executor, recorded) == slots_of(executor, replayed));
        executor.clear_fault();
    }
}

// Many games in one call are the same as those of single calls.
void compare_many(Executor& many, Executor& single, std::uint32_t plies) {
    State start;
    many.initial(start);
    State of_many = start;
    State of_single = start;
    Random random_many(5);
    Random random_single(5);
    run::UtilitySums sums_many(many.program().player_count()), sums_single = sums_many;
    const run::Playouts a = many.playouts(start, of_many, random_many, plies, &sums_many);
    const run::Playouts b = single.Executor::playouts(start, of_single, random_single, plies, &sums_single);
    CHECK(a.plies == b.plies);
    CHECK(a.finished == b.finished);
    CHECK(a.begun == b.begun);
    CHECK(sums_many.sum == sums_single.sum);
    CHECK(sums_many.squares == sums_single.squares);
    CHECK(slots_of(many, of_many) == slots_of(single, of_single));
    CHECK(random_many.words() == random_single.words());
    CHECK(many.fault().has_value() == single.fault().has_value());
}

} // namespace

TEST_CASE("the interpreter means what the reference means, except where it asks it") {
    ReferenceUses uses;
    for (const RuleFile& file : rule_files()) {
        CAPTURE(file.name());
        const lang::Loaded& loaded = load_with_sources(file);
        const Budget budget(0.3);
        const auto interpreter = make_interpreter(loaded.program);
        for (std::uint64_t seed = 1; seed <= 3 && (seed == 1 || !budget.spent()); ++seed)
            uses.add(file, loaded.sources, compare_play(interpreter->clone(), seed, 60, budget));
        compare_recorded(*interpreter, 2, Budget(0.05));
    }
    uses.check_against_table();
}

TEST_CASE("effects ask about the past as it is before them") {
    // The same question twice in a move: of the state before it, and between its effects.
    const lang::Loaded loaded = lang::load_text("test.zug", R"(
game "Past"
players A, B
state first: 0..9
state second: 0..9
move go(n: 0..1)
  when first < 9
  then first := earlier()
  then second := earlier()
end
  draw when first >= 4
)");
    REQUIRE_MESSAGE(loaded.program, diag::render(loaded.sources, loaded.report));
    const Budget budget(5);
    compare_play(run::make_interpreter(loaded.program), 1, 20, budget);
}

TEST_CASE("machine code means what the reference means") {
    WARN_MESSAGE(native::unavailable().empty(), native::unavailable());
    if (!native::unavailable().empty()) return;
    for (const RuleFile& file : rule_files()) {
        if (!file.params.empty()) continue; // making machine code takes longer than playing
        CAPTURE(file.name());
        const auto& program = load(file);
        const auto interpreter = make_interpreter(program);
        if (interpreter->name() != "interpreter") continue; // without byte code there is no machine code
        compare_many(*interpreter->clone(), *interpreter->clone(), 150);
        compare_recorded(*interpreter->clone(), 4, Budget(0.1));
        for (const auto version : {native::Wait::Baseline, native::Wait::Best}) {
            std::string why;
            const auto made = native::make_native(program, version, &why);
            // Without asmjit, or on a processor from before 2013, there is no baseline JIT.
            if (version == native::Wait::Baseline) WARN_MESSAGE(made->name() == "native", why);
            if (version == native::Wait::Baseline && made->name() != "native") continue;
            CHECK_MESSAGE(made->name() == "native", why);
            compare_playouts(*interpreter, *made, 20, Budget(0.3));
            compare_many(*made->clone(), *interpreter->clone(), 150);
            compare_recorded(*made->clone(), 4, Budget(0.1));
            const Budget budget(0.2);
            for (std::uint64_t seed = 1; seed <= 2 && (seed == 1 || !budget.spent()); ++seed)
                compare_play(made->clone(), seed, 60, budget);
        }
    }
}
