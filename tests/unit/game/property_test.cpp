// Properties of every game, whatever its rules: checked along random play of every rule file, on both executors.

#include "executor/random_play.hpp"
#include "ir/verify.hpp"
#include "tests/unit/game/rule_files.hpp"

#include <doctest/doctest.h>
#include <numeric>

using namespace zug;
using namespace zug::game;

namespace {

std::vector<std::uint32_t> slots_of(Game& game, const State& state) {
    std::vector<std::uint32_t> slots;
    game.executor().store(state, slots);
    return slots;
}

void check_position(Game& game, const State& state) {
    const auto slots = slots_of(game, state);
    State loaded;
    game.executor().load(slots, loaded);
    CHECK(slots_of(game, loaded) == slots);
    if (!game.traits().has_history) CHECK(game.hash(loaded) == game.hash(state));
    const std::string text = game.position_text(state);
    const auto parsed = game.parse_position(text);
    REQUIRE_MESSAGE(parsed, text, ": ", (parsed ? "" : parsed.error().text));
    CHECK_MESSAGE(slots_of(game, *parsed) == slots, text);
    CHECK(!game.draw(state, true).empty());
    CHECK(game.to_move(state) < game.players());
}

void check_utilities(Game& game, std::span<const double> utilities) {
    const Traits& traits = game.traits();
    for (double utility : utilities) {
        CHECK(utility >= traits.min_utility);
        CHECK(utility <= traits.max_utility);
    }
    if (traits.zero_sum) CHECK(utilities[0] + utilities[1] == doctest::Approx(0));
}

void check_evaluation(Game& game, const State& state) {
    std::vector<double> values(game.players());
    game.evaluate(state, values);
    check_utilities(game, values);
    if (game.traits().min_utility == game.traits().max_utility) return; // there is nothing in between
    for (double value : values) {
        CHECK(value > game.traits().min_utility);
        CHECK(value < game.traits().max_utility);
    }
}

void check_texts(Game& game, const State& state, const MoveList& moves, Random& random) {
    const auto texts = game.move_texts(state, moves);
    const std::set<std::string> distinct(texts.begin(), texts.end());
    CHECK(distinct.size() == moves.size());
    CHECK(!distinct.contains(""));
    for (int i = 0; i < 3; ++i) {
        const std::size_t k = random.below(static_cast<std::uint32_t>(moves.size()));
        CHECK_MESSAGE(game.parse_move(state, moves, texts[k]) == k, texts[k]);
    }
}

void check_list(Game& game, const State& state, const MoveList& moves, NodeKind kind) {
    CHECK(game.kind(state) == kind);
    CHECK(game.count(state) == moves.size());
    CHECK(!moves.empty());
    std::set<std::uint64_t> ids;
    double total = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        ids.insert(moves.id(i));
        CHECK(moves.find(moves.id(i)) == i);
        if (kind != NodeKind::Chance) continue;
        CHECK(moves.probability(i) > 0);
        total += moves.probability(i);
    }
    CHECK(ids.size() == moves.size());
    if (kind == NodeKind::Chance) CHECK(total == doctest::Approx(1));
}

// A copy of a state has equal successors, in this game and in a clone.
void check_copies(Game& game, Game& clone, const State& state, const MoveList& moves, std::size_t i) {
    const State copy = state; // NOLINT(performance-unnecessary-copy-initialization): what is tested
    State first;
    State second;
    REQUIRE_MESSAGE(game.successor(state, moves, i, first), game.fault_text());
    MoveList again;
    clone.expand(copy, again);
    const auto same = again.find(moves.id(i));
    REQUIRE(same);
    REQUIRE(clone.successor(copy, again, *same, second));
    CHECK(game.hash(first) == clone.hash(second));
    CHECK(slots_of(game, first) == slots_of(clone, second));
    CHECK(game.hash(copy) == game.hash(state));
}

void check_end(Game& game, const State& state, const MoveList& moves) {
    CHECK(moves.empty());
    CHECK(game.count(state) == 0);
    CHECK(game.kind(state) == NodeKind::Terminal);
    std::vector<double> utilities(game.players());
    REQUIRE(game.payoffs(state, utilities));
    check_utilities(game, utilities);
}

void check_play(Game& game, Random& random, int plies, const Budget& budget) {
    Game clone = game.clone();
    State state = game.initial();
    State next;
    MoveList moves;
    for (int ply = 0; ply < plies && (ply < 4 || !budget.spent()); ++ply) {
        const NodeKind kind = game.expand(state, moves);
        REQUIRE_MESSAGE(kind != NodeKind::Fault, game.fault_text());
        check_position(game, state);
        if (kind == NodeKind::Terminal) return check_end(game, state, moves);
        check_evaluation(game, state);
        check_list(game, state, moves, kind);
        check_texts(game, state, moves, random);
        const std::size_t i = run::random_entry(moves, kind, random);
        check_copies(game, clone, state, moves, i);
        REQUIRE_MESSAGE(game.successor(state, moves, i, next), game.fault_text());
        std::swap(state, next);
    }
}

void check_all(ExecutorKind kind, int games, int plies) {
    for (const RuleFile& file : rule_files()) {
        CAPTURE(file.name());
        Game game = kind == ExecutorKind::Interpreter ? Game(make_interpreter(load(file))) : Game(load(file), kind);
        Random random(11);
        const Budget budget(0.25);
        for (int i = 0; i < games && (i == 0 || !budget.spent()); ++i) check_play(game, random, plies, budget);
    }
}

} // namespace

TEST_CASE("every rule file makes a well-formed program") {
    for (const RuleFile& file : rule_files()) {
        CAPTURE(file.name());
        const auto& program = load(file);
        for (const auto& finding : ir::verify(*program)) FAIL_CHECK(finding);
    }
}

TEST_CASE("properties of every game, on the reference executor") { check_all(ExecutorKind::Reference, 1, 30); }

TEST_CASE("properties of every game, on the interpreter") { check_all(ExecutorKind::Interpreter, 5, 300); }
