// A program means the same whichever pass of the compiler is left out: the interpreter agrees with the reference
// evaluator, on every game, without each optional pass in turn.

#include "base/archive.hpp"
#include "bytecode/compiled_program.hpp"
#include "compiler/compile.hpp"
#include "executor/position_buffer.hpp"
#include "executor/random_play.hpp"
#include "interpreter/make_interpreter.hpp"
#include "lang/load.hpp"
#include "reference/make_reference.hpp"
#include "tests/library.hpp"

#include <algorithm>
#include <ctime>
#include <doctest/doctest.h>
#include <filesystem>
#include <map>
#include <utility>

using namespace zug;
using namespace zug::run;

namespace {

using Slots = std::vector<std::uint32_t>;

// A position, and the reference evaluator's results for it.
struct Position {
    Slots slots;
    NodeKind kind{};
    std::map<std::uint64_t, double> entries;   // moves or outcomes, and probabilities
    std::map<std::uint64_t, Slots> successors; // of some of them
    std::vector<double> payoffs;
};

constexpr std::size_t most_successors = 4;
constexpr std::uint32_t most_plies = 40;

std::map<std::uint64_t, double> entries_of(const MoveList& moves, NodeKind kind) {
    std::map<std::uint64_t, double> entries;
    for (std::size_t i = 0; i < moves.size(); ++i)
        entries[moves.id(i)] = kind == NodeKind::Chance ? moves.probability(i) : 1;
    return entries;
}

Position position_of(Executor& reference, const State& state, MoveList& moves) {
    Position position;
    reference.store(state, position.slots);
    position.kind = reference.expand(state, moves);
    position.entries = entries_of(moves, position.kind);
    if (position.kind == NodeKind::Terminal) {
        position.payoffs.resize(reference.program().players.size());
        REQUIRE(reference.payoffs(state, position.payoffs));
    }
    const std::size_t step = std::max<std::size_t>(1, moves.size() / most_successors);
    for (std::size_t i = 0; i < moves.size(); i += step) {
        State after;
        if (reference.successor(state, moves, i, after))
            reference.store(after, position.successors[moves.id(i)]);
        else
            reference.clear_fault();
    }
    return position;
}

#ifdef ZUG_SANITIZED
constexpr std::size_t every = 7; // passes are switched off, other ones in the next game, which takes minutes less
#else
constexpr std::size_t every = 1;
#endif
constexpr std::size_t one_idle_in = 8; // of the passes that change nothing in a game is switched off there too

// Some positions of a random line of play, each as if play began there, so that executors can be asked one by one.
std::vector<Position> positions_of(const std::shared_ptr<const ir::Program>& program, double seconds) {
    const auto reference = make_reference(program);
    const auto end = std::clock() + static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC);
    Random random(7);
    std::vector<Position> positions;
    State state, next;
    MoveList moves;
    reference->initial(state);
    for (std::uint32_t ply = 0; ply < most_plies && (ply < 2 || std::clock() < end); ++ply) {
        State fresh; // without the past of the line
        Slots slots;
        reference->store(state, slots);
        reference->load(slots, fresh);
        if (ply < 3 || ply % 9 == 0) positions.push_back(position_of(*reference, fresh, moves));
        const NodeKind kind = reference->expand(fresh, moves);
        if ((kind != NodeKind::Decision && kind != NodeKind::Chance) || moves.empty()) {
            if (kind == NodeKind::Terminal) positions.push_back(position_of(*reference, fresh, moves));
            break;
        }
        if (!reference->successor(fresh, moves, random_entry(moves, kind, random), next)) break;
        std::swap(state, next);
    }
    return positions;
}

void compare(Executor& executor, const Position& position) {
    State state, after;
    MoveList moves;
    executor.load(position.slots, state);
    const NodeKind kind = executor.expand(state, moves);
    executor.clear_fault();
    REQUIRE(kind == position.kind);
    const auto entries = entries_of(moves, kind);
    REQUIRE(entries.size() == position.entries.size());
    for (const auto& [id, probability] : position.entries) {
        const auto found = entries.find(id);
        REQUIRE(found != entries.end());
        CHECK(found->second == doctest::Approx(probability));
    }
    if (kind != NodeKind::Fault) CHECK(executor.count(state) == position.entries.size());
    for (const auto& [id, slots] : position.successors) {
        REQUIRE(executor.successor(state, moves, *moves.find(id), after));
        Slots stored;
        executor.store(after, stored);
        CHECK(stored == slots);
    }
    if (kind == NodeKind::Terminal) {
        std::vector<double> payoffs(position.payoffs.size());
        CHECK(executor.payoffs(state, payoffs));
        for (std::size_t p = 0; p < payoffs.size(); ++p) CHECK(payoffs[p] == doctest::Approx(position.payoffs[p]));
    }
}

// The positions after all moves of this one, in the order in which the line walk makes them.
void compare_walk(Executor& executor, const Position& position) {
    if (position.kind != NodeKind::Decision) return;
    State state;
    executor.load(position.slots, state);
    PositionBuffer here, there;
    executor.begin(state, here);
    std::size_t made = 0;
    for (auto at = executor.first(here, there); at != Next::None && at != Next::Fault;
         at = executor.next(here, there)) {
        const auto expected = position.successors.find(executor.move_id(here, there));
        ++made;
        if (expected == position.successors.end()) continue;
        Slots stored;
        executor.store(executor.state(there), stored);
        CHECK(stored == expected->second);
    }
    if (!executor.fault()) CHECK(made == position.entries.size());
    executor.clear_fault();
}

// Random play from the start. Passes over a complete graph leave it as it is, move for move; earlier ones decide in
// which sets moves are found, and so in which order they are drawn.
struct Played {
    std::uint32_t plies = 0;
    bool finished = false, fault = false;
    Slots slots;
    friend bool operator==(const Played&, const Played&) = default;
};

Played play(Executor& executor, std::uint64_t seed) {
    Random random(seed);
    State state;
    executor.initial(state);
    const PlayoutResult result = executor.playout(state, random, most_plies);
    Played played{result.plies, result.finished, executor.fault().has_value(), {}};
    executor.store(state, played.slots);
    executor.clear_fault();
    return played;
}

// Whether there is no code for the game without the pass. Halma's hops between 256 squares are too many for loops over
// pairs of them, which is what conditions are if they are not lifted to sets. The cases of the others, a copy for each
// combination of dice or for each kind of piece on a large board, are too many if they are neither folded nor shared.
bool needs(std::string_view game, Pass pass) {
    using enum Pass;
    static constexpr std::pair<std::string_view, Pass> table[] = {{"halma", Lift},
                                                                  {"cant-stop", CommonSubexpressions},
                                                                  {"cant-stop", ConstantFolding},
                                                                  {"xiangqi", Lift},
                                                                  {"xiangqi", ConstantFolding}};
    return std::ranges::find(table, std::pair(game, pass)) != std::end(table);
}

// Whether the pass counts each change that it makes. Where another has counted none, the code without it is the same.
bool counts_all(Pass pass) {
    using enum Pass;
    static constexpr Pass others[] = {LineTables, Invalidation, ValueRanges,
                                      Fusion,     TurnOpenings, WeakestPreconditions};
    return std::ranges::find(others, pass) == std::end(others);
}

// Null: there is no byte code, and `why` says why.
std::shared_ptr<const Compiled> compile_with(const std::shared_ptr<const ir::Program>& program, Passes& passes,
                                             std::string& why) {
    return compile(program, why, nullptr, &passes);
}

std::string bytes_of(const Compiled& compiled) {
    archive::Writer writer;
    writer.value(keep(compiled));
    return {writer.bytes.begin(), writer.bytes.end()};
}

} // namespace

TEST_CASE("every game means the same without each optional pass") {
    std::size_t number = 0;
    for (const auto& path : test::sample(test::library(), 5)) {
        CAPTURE(path.stem().string());
        ++number;
        const auto program = lang::load_file(path.string()).program;
        REQUIRE(program);
        std::string why;
        if (!compile(program, why)) continue; // played by the reference evaluator in any case
        const auto positions = positions_of(program, 0.05);
        PassOptions options;
        options.verify = true;
        Passes all(options);
        const auto whole = compile_with(program, all, why);
        const Played with_all = play(*make_interpreter(whole, nullptr), 3);
        for (const PassInfo& pass : pass_table()) {
            const std::size_t pair = number + static_cast<std::size_t>(pass.pass);
            if (pass.need == PassNeed::Required || pair % every != 0) continue;
            // Compiling takes nearly all of the time, and two thirds of it was for code that is the same.
            const bool idle = all[pass.pass].changes == 0 && counts_all(pass.pass);
            if (idle && pair % one_idle_in != 0) continue;
            CAPTURE(pass.name);
            Passes others(options);
            others.switch_off(pass.pass);
            const auto compiled = compile_with(program, others, why);
            CHECK_MESSAGE((compiled != nullptr) != needs(path.stem().string(), pass.pass), why);
            if (!compiled) continue;
            if (idle) CHECK((bytes_of(*compiled) == bytes_of(*whole)));
            const auto executor = make_interpreter(compiled, nullptr);
            for (const Position& position : positions) {
                compare(*executor, position);
                compare_walk(*executor, position);
            }
            const Played played = play(*executor, 3);
            CHECK(played.fault == with_all.fault);
            if (pass.stage == PassStage::Finishing) CHECK((played == with_all));
        }
    }
}

TEST_CASE("names of passes are known, and one that is not is told with the one that may be meant") {
    for (const PassInfo& pass : pass_table()) {
        CHECK(pass_named(pass.name) == pass.pass);
        CHECK(info(pass.pass).name == pass.name);
        CHECK(!pass.establishes.empty());
    }
    CHECK(!pass_named("hoist-gards"));
    CHECK(unknown_pass("hoist-gards") == "there is no pass `hoist-gards`; did you mean `hoist-guards`?");
}
