#include "executor/executor.hpp"
#include "executor/hash.hpp"
#include "ir/verify.hpp"
#include "reference/make_reference.hpp"
#include "tests/unit/executor/games.hpp"

#include <doctest/doctest.h>
#include <map>

using namespace zug;
using namespace zug::run;
using ir::Op;

namespace {

std::uint64_t perft(Executor& game, const State& state, int depth) {
    MoveList moves;
    game.expand(state, moves);
    if (depth == 1) return moves.size();
    std::uint64_t total = 0;
    State next;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        REQUIRE(game.successor(state, moves, i, next));
        total += perft(game, next, depth - 1);
    }
    return total;
}

std::vector<std::uint32_t> slots_after(Executor& game, std::initializer_list<std::size_t> choices) {
    State state;
    State next;
    MoveList moves;
    game.initial(state);
    for (auto choice : choices) {
        game.expand(state, moves);
        REQUIRE(choice < moves.size());
        REQUIRE(game.successor(state, moves, choice, next));
        std::swap(state, next);
    }
    std::vector<std::uint32_t> slots;
    game.store(state, slots);
    return slots;
}

std::unique_ptr<Executor> reference(const Counting& game) {
    REQUIRE(ir::verify(game.program) == std::vector<std::string>{});
    return make_reference(game.finish());
}

using Slots = std::vector<std::uint32_t>;

ir::Effect turn_effect(ir::EffectKind kind, ir::ExprId value = none_id<ir::ExprId>) {
    return {.kind = kind, .indices = {}, .value = value, .yes = {}, .no = {}, .span = {}};
}

} // namespace

TEST_CASE("tic-tac-toe has the published number of lines of play") {
    const auto game = make_reference(tic_tac_toe());
    CHECK(ir::verify(game->program()) == std::vector<std::string>{});
    State state;
    game->initial(state);
    CHECK(game->count(state) == 9);
    CHECK(perft(*game, state, 2) == 72);
    CHECK(perft(*game, state, 5) == 15120);
    CHECK(perft(*game, state, 6) == 54720);
}

TEST_CASE("random play ends with sane payoffs, and states go through slots") {
    const auto game = make_reference(tic_tac_toe());
    Random random(7);
    std::map<double, int> results;
    for (int i = 0; i < 50; ++i) {
        State state;
        game->initial(state);
        const auto result = game->playout(state, random, 100);
        CHECK(result.finished);
        CHECK(result.plies >= 5);
        CHECK(result.plies <= 9);
        std::vector<double> payoffs(2);
        REQUIRE(game->payoffs(state, payoffs));
        CHECK(payoffs[0] == -payoffs[1]);
        ++results[payoffs[0]];
        std::vector<std::uint32_t> slots;
        game->store(state, slots);
        State copy;
        game->load(slots, copy);
        CHECK(game->hash(copy) == game->hash(state));
        CHECK(game->kind(copy) == NodeKind::Terminal);
        CHECK(game->count(copy) == 0);
    }
    CHECK(results.size() == 3);
}

TEST_CASE("turn effects, and the player who moved last") {
    Counting c(6);
    c.program.keeps_last = true;
    auto again = c.adding("again", 1);
    again.then[0].effects.push_back(c.effect(turn_effect(ir::EffectKind::Again)));
    auto give = c.adding("give", 2);
    const auto first = c.constant(c.program.player_type, 0);
    give.then[0].effects.push_back(c.effect(turn_effect(ir::EffectKind::Next, first)));
    c.rule(again);
    c.rule(give);
    const auto game = reference(c);
    CHECK(slots_after(*game, {}) == Slots{0, 0, 1});
    CHECK(slots_after(*game, {0}) == Slots{1, 0, 0});
    CHECK(slots_after(*game, {0, 1}) == Slots{3, 0, 0});
}

// Of the first move from the initial state, which must fail.
FaultKind fault_of_first_move(Executor& game) {
    State state;
    State next;
    MoveList moves;
    game.initial(state);
    game.expand(state, moves);
    REQUIRE(!game.successor(state, moves, 0, next));
    return game.fault()->kind;
}

// Of listing the moves of the initial state, which must fail.
Fault fault_of_first_list(Executor& game) {
    State state;
    MoveList moves;
    game.initial(state);
    CHECK(game.expand(state, moves) == NodeKind::Fault);
    REQUIRE(game.fault());
    return *game.fault();
}

TEST_CASE("faults say what went wrong and where") {
    Counting c(6);
    SUBCASE("out of range") {
        c.rule(c.adding("add", 4));
        const auto game = reference(c);
        State state;
        State next;
        MoveList moves;
        game->initial(state);
        REQUIRE(game->expand(state, moves) == NodeKind::Decision);
        REQUIRE(game->successor(state, moves, 0, next));
        REQUIRE(game->expand(next, moves) == NodeKind::Decision);
        CHECK(!game->successor(next, moves, 0, state));
        REQUIRE(game->fault());
        CHECK(game->fault()->kind == FaultKind::OutOfRange);
        CHECK(game->fault()->what == "n := 8, its range is 0..6");
        CHECK(game->fault()->slots == Slots{4, 1});
        CHECK(game->fault()->move.size() == 1);
    }
    SUBCASE("assigned twice") {
        auto twice = c.adding("twice", 1);
        twice.then[0].effects.push_back(c.assign(c.n, {}, c.number(1)));
        c.rule(twice);
        CHECK(fault_of_first_move(*reference(c)) == FaultKind::DoubleAssign);
    }
    SUBCASE("two turn effects") {
        auto both = c.adding("both", 1);
        for (int i = 0; i < 2; ++i)
            both.then.push_back({.lets = {}, .effects = {c.effect(turn_effect(ir::EffectKind::Again))}});
        c.rule(both);
        CHECK(fault_of_first_move(*reference(c)) == FaultKind::DoubleTurn);
    }
    SUBCASE("no move") {
        auto rule = c.adding("add", 1);
        rule.when.push_back(c.below(0));
        c.rule(rule);
        SUBCASE("is a fault") {}
        SUBCASE("for anyone") { c.program.stuck_pass = true; }
        const auto game = reference(c);
        State state;
        MoveList moves;
        game->initial(state);
        CHECK(game->kind(state) == NodeKind::Decision);
        CHECK(game->expand(state, moves) == NodeKind::Fault);
        CHECK(game->fault()->kind == (c.program.stuck_pass ? FaultKind::AllStuck : FaultKind::NoMove));
    }
}

TEST_CASE("a turn without an end is a fault") {
    Counting c(6);
    auto rule = c.adding("add", 0);
    const auto flip = c.state("flip", {}, c.types().integer(0, 1'000'000));
    rule.then[0].effects.push_back(c.add(flip, {}, c.number(1)));
    const auto id = c.rule(rule);
    ir::PlanChain chain{.steps = {}, .most_sum = {}};
    chain.steps.push_back({.repeat = ir::PlanStep::Repeat::Plus, .rule = id, .group = {}});
    c.program.turn = ir::TurnPlan{.chains = {chain}, .alternatives = {0}, .by = {}, .then = {}};
    const Fault fault = fault_of_first_list(*reference(c));
    CHECK(fault.kind == FaultKind::EndlessTurn);
    CHECK(fault.move.size() == max_chain + 1);
}

TEST_CASE("stuck players pass where the file says so") {
    Counting c(6);
    c.program.stuck_pass = true;
    auto rule = c.adding("add", 1);
    const auto me = c.node(Op::Me, c.program.player_type);
    rule.when.push_back({.expr = c.truth(Op::Eq, {me, c.constant(c.program.player_type, 0)})});
    c.rule(rule);
    const auto game = reference(c);
    const auto stuck = c.truth(Op::Stuck, {});
    (void)stuck;
    State state;
    State next;
    MoveList moves;
    game->initial(state);
    game->expand(state, moves);
    REQUIRE(game->successor(state, moves, 0, next));
    CHECK(game->expand(next, moves) == NodeKind::Decision);
    REQUIRE(moves.size() == 1);
    CHECK(moves.id(0) == pass_code);
    CHECK(slots_after(*game, {0, 0, 0}) == Slots{2, 1});
}

TEST_CASE("chance events go by weight, and their faults are found") {
    Counting c(6);
    const auto face = c.var("face", c.types().integer(1, 3));
    auto die = c.adding("die", 0);
    die.chance = true;
    die.params = {face};
    die.when.push_back(c.below(3));
    die.then[0].effects = {c.add(c.n, {}, c.ref(face))};
    c.rule(c.adding("add", 1));
    SUBCASE("weights") {
        die.weight = c.ref(face);
        c.rule(die);
        const auto game = reference(c);
        State state;
        State next;
        MoveList moves;
        game->initial(state);
        CHECK(game->kind(state) == NodeKind::Chance);
        REQUIRE(game->expand(state, moves) == NodeKind::Chance);
        REQUIRE(moves.size() == 3);
        for (std::size_t i = 0; i < 3; ++i)
            CHECK(moves.probability(i) == doctest::Approx(static_cast<double>(i + 1) / 6));
        REQUIRE(game->successor(state, moves, 2, next));
        CHECK(game->to_move(next) == 0);
        CHECK(game->kind(next) == NodeKind::Decision);
    }
    SUBCASE("a negative weight") {
        die.weight = c.number(-1);
        c.rule(die);
        CHECK(fault_of_first_list(*reference(c)).kind == FaultKind::BadWeight);
    }
    SUBCASE("no weight") {
        die.weight = c.number(0);
        c.rule(die);
        CHECK(fault_of_first_list(*reference(c)).what == "all weights are zero");
    }
}

TEST_CASE("blocks change all at once, and element assignments override whole ones") {
    Counting c(1);
    const auto site = c.types().integer(0, 3);
    const auto m = c.state("m", {site}, c.types().integer(0, 9));
    c.program.states[m].initial = {1, 2, 3, 4};
    auto rule = c.adding("swap", 1);
    auto at = [&](std::int64_t i) { return c.get(m, {c.constant(site, i)}); };
    auto assign = [&](std::int64_t i, ir::ExprId value) { return c.assign(m, {c.constant(site, i)}, value); };
    const auto all = c.effect({.kind = ir::EffectKind::AssignAll,
                               .state = m,
                               .indices = {},
                               .value = c.number(9),
                               .yes = {},
                               .no = {},
                               .span = {}});
    const auto nowhere = c.assign(m, {c.constant(c.types().optional(site), ir::none)}, c.number(5));
    rule.then = {{.lets = {}, .effects = {assign(0, at(1)), assign(1, at(0)), nowhere}},
                 {.lets = {},
                  .effects = {all, assign(3, at(0)), c.add(m, {c.constant(site, 2)}, c.number(1)),
                              c.add(m, {c.constant(site, 2)}, c.number(1)), c.assign(c.n, {}, c.number(1))}}};
    c.rule(rule);
    const auto game = reference(c);
    CHECK(slots_after(*game, {0}) == Slots{1, 9, 9, 5, 2, 1});
}

TEST_CASE("records of earlier turn ends") {
    // n goes 0, 1, 0, 1, ... by `flip`; superko forbids n = 1 a second time, `bump` leaves it alone.
    Counting c(6);
    const auto key = c.program.keys.push({.parts = {c.get(c.n)}, .maps = {}});
    const auto earlier = c.integer(Op::Earlier, {}, static_cast<std::int64_t>(index(key)));
    auto flip = c.adding("flip", 0);
    flip.then[0].effects = {c.assign(c.n, {}, c.integer(Op::Sub, {c.number(1), c.get(c.n)}))};
    auto bump = c.adding("bump", 0);
    bump.ensure.push_back({.expr = c.truth(Op::Lt, {earlier, c.number(3)})});
    SUBCASE("ensure sees all of them") {
        flip.ensure.push_back({.expr = c.truth(Op::Eq, {earlier, c.number(0)})});
        c.rule(flip);
        c.rule(bump);
        const auto game = reference(c);
        State state;
        State next;
        MoveList moves;
        game->initial(state);
        game->expand(state, moves);
        REQUIRE(moves.size() == 2);
        REQUIRE(game->successor(state, moves, 0, next)); // n = 1, a new position
        game->expand(next, moves);
        REQUIRE(moves.size() == 1); // back to 0 would repeat the initial position
        REQUIRE(game->successor(next, moves, 0, state));
        REQUIRE(game->expand(state, moves) == NodeKind::Decision);
        REQUIRE(game->successor(state, moves, 0, next));
        CHECK(game->expand(next, moves) == NodeKind::Fault); // n = 1 three times already
    }
    SUBCASE("the current state's own record does not count at its end") {
        c.rule(flip);
        c.rule(bump);
        const auto twice = c.truth(Op::Eq, {earlier, c.number(1)});
        c.program.ends.push_back({.condition = twice, .payoffs = {c.real(0), c.real(0)}, .span = {}});
        const auto game = reference(c);
        State state;
        State next;
        MoveList moves;
        game->initial(state);
        game->expand(state, moves);
        REQUIRE(game->successor(state, moves, 0, next));
        CHECK(game->kind(next) == NodeKind::Decision);
        game->expand(next, moves);
        State back;
        REQUIRE(game->successor(next, moves, 0, back));
        CHECK(game->kind(back) == NodeKind::Terminal);
        CHECK(game->hash(back) != game->hash(state));
        REQUIRE(game->successor(state, moves, 1, back));
        CHECK(game->kind(back) == NodeKind::Terminal);
    }
}

TEST_CASE("a long history is freed without recursion") {
    std::shared_ptr<const HistoryNode> last;
    for (int i = 0; i < 1'000'000; ++i) {
        auto node = std::make_shared<HistoryNode>();
        node->before = std::move(last);
        last = std::move(node);
    }
    const auto shared = last->before;
    last.reset();
    CHECK(shared->before != nullptr);
}

TEST_CASE("hashes depend on every slot") {
    std::vector<std::uint32_t> slots(7);
    std::map<std::uint64_t, int> seen;
    ++seen[slots_hash(slots)];
    for (auto& slot : slots) {
        for (slot = 1; slot < 4; ++slot) ++seen[slots_hash(slots)];
        slot = 0;
    }
    CHECK(seen.size() == 22);
    CHECK(slots_hash(std::vector<std::uint32_t>(3)) != slots_hash(std::vector<std::uint32_t>(4)));
}
