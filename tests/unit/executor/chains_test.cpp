// Turn plans: what counts as a chain, which chains are one move, and when locals return.

#include "executor/executor.hpp"
#include "interpreter/make_interpreter.hpp"
#include "ir/verify.hpp"
#include "reference/make_reference.hpp"
#include "tests/unit/executor/games.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace zug;
using namespace zug::run;
using Repeat = ir::PlanStep::Repeat;

namespace {

struct Chains : Counting {
    Chains() : Counting(100) {
        one = rule(limited("one", 1, 4));
        two = rule(limited("two", 2, 6));
        ten = rule(limited("ten", 10, 30));
        never = rule(limited("never", 1, 0));
    }
    ir::Rule limited(std::string name, std::int64_t amount, std::int64_t bound) {
        ir::Rule r = adding(std::move(name), amount);
        r.when.push_back(below(bound));
        return r;
    }
    std::uint32_t chain(std::vector<ir::PlanStep> steps) {
        plan.chains.push_back({.steps = std::move(steps), .most_sum = {}});
        return static_cast<std::uint32_t>(plan.chains.size() - 1);
    }
    static ir::PlanStep step(ir::RuleId rule, Repeat repeat = Repeat::One) {
        return {.repeat = repeat, .rule = rule, .group = {}};
    }
    static ir::PlanStep may(ir::RuleId rule, Repeat repeat = Repeat::Optional) {
        return {.repeat = repeat, .may = true, .rule = rule, .group = {}};
    }
    static ir::PlanStep group(std::vector<std::uint32_t> chains, Repeat repeat = Repeat::One) {
        return {.repeat = repeat, .rule = none_id<ir::RuleId>, .group = std::move(chains)};
    }
    // The values of n that the moves of the initial state lead to, in order.
    std::vector<std::uint32_t> results(std::vector<std::uint32_t> alternatives) {
        plan.alternatives = std::move(alternatives);
        program.turn = plan;
        REQUIRE(ir::verify(program) == std::vector<std::string>{});
        const auto game = make_reference(finish());
        State state;
        MoveList moves;
        game->initial(state);
        kind = game->expand(state, moves);
        std::vector<std::uint32_t> values;
        std::set<std::uint64_t> ids;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            State next;
            REQUIRE(game->successor(state, moves, i, next));
            CHECK(game->to_move(next) == 1);
            std::vector<std::uint32_t> slots;
            game->store(next, slots);
            values.push_back(slots[0]);
            ids.insert(moves.id(i));
            lengths.push_back(moves.steps(i).size());
        }
        CHECK(ids.size() == moves.size());
        compare(moves);
        return values;
    }

    // The interpreter lists the same chains in the same order.
    void compare(const MoveList& moves) const {
        const auto fast = make_interpreter(finish());
        CHECK(fast->name() == "interpreter");
        State state;
        MoveList others;
        fast->initial(state);
        CHECK(fast->expand(state, others) == kind);
        REQUIRE(others.size() == moves.size());
        for (std::size_t i = 0; i < moves.size(); ++i) {
            CHECK(others.id(i) == moves.id(i));
            CHECK(std::ranges::equal(others.steps(i), moves.steps(i)));
        }
    }

    ir::RuleId one{}, two{}, ten{}, never{};
    ir::TurnPlan plan;
    NodeKind kind = NodeKind::Decision;
    std::vector<std::size_t> lengths;
};

using Values = std::vector<std::uint32_t>;

} // namespace

TEST_CASE_FIXTURE(Chains, "one step after another") {
    CHECK(results({chain({step(one), step(two)})}) == Values{3});
    CHECK(lengths == std::vector<std::size_t>{2});
}

TEST_CASE_FIXTURE(Chains, "a chain that cannot be completed is none") {
    CHECK(results({chain({step(one), step(never)})}).empty());
    CHECK(kind == NodeKind::Fault);
}

TEST_CASE_FIXTURE(Chains, "the first alternative with a step decides") {
    CHECK(results({chain({step(never, Repeat::Star)}), chain({step(two)}), chain({step(one)})}) == Values{2});
}

TEST_CASE_FIXTURE(Chains, "a step that may be made is made or not, and goes on or not") {
    CHECK(results({chain({step(two), may(one)})}) == Values{2, 3});
    CHECK(lengths == std::vector<std::size_t>{1, 2});
    plan.chains.clear();
    CHECK(results({chain({step(two), may(one, Repeat::Star)})}) == Values{2, 3, 4});
    plan.chains.clear();
    CHECK(results({chain({step(two), may(one, Repeat::Plus)})}) == Values{3, 4});
    plan.chains.clear();
    CHECK(results({chain({step(two), may(never, Repeat::Plus)})}).empty());
    plan.chains.clear();
    CHECK(results({chain({may(one)})}) == Values{1}); // a turn has a step where one is possible
}

TEST_CASE_FIXTURE(Chains, "a step that can be made must be made") {
    CHECK(results({chain({step(one, Repeat::Plus)})}) == Values{4});
    plan.chains.clear();
    CHECK(results({chain({step(one, Repeat::Optional), step(two)})}) == Values{3});
    plan.chains.clear();
    CHECK(results({chain({step(never, Repeat::Optional), step(two)})}) == Values{2});
    plan.chains.clear();
    CHECK(results({chain({step(never, Repeat::Plus), step(two)})}).empty());
}

TEST_CASE_FIXTURE(Chains, "an empty chain is the move where nothing else is") {
    CHECK(results({chain({step(never, Repeat::Star), step(never, Repeat::Optional)})}) == Values{0});
    CHECK(lengths == std::vector<std::size_t>{0});
}

TEST_CASE_FIXTURE(Chains, "groups, and chains to one state are one move") {
    const auto by_one = chain({step(one)});
    const auto by_two = chain({step(two)});
    const auto none_first = chain({step(never)});
    // (never else one)+ then ten
    CHECK(results({chain({group({none_first, by_one}, Repeat::Plus), step(ten)})}) == Values{14});
    // a group takes its first possible alternative only
    CHECK(results({chain({group({by_two, by_one}), group({by_one, by_two})})}) == Values{3});
}

TEST_CASE_FIXTURE(Chains, "parameters give several chains; equal results are one move") {
    const auto amount = var("k", types().integer(1, 3));
    ir::Rule r = adding("any", 0);
    r.params = {amount};
    r.when.push_back(below(4));
    r.then[0].effects = {add(n, {}, ref(amount))};
    const auto any = rule(r);
    CHECK(results({chain({step(any, Repeat::Plus)})}) == Values{4, 5, 6});
    CHECK(lengths == std::vector<std::size_t>{4, 4, 4});
    lengths.clear();
    SUBCASE("most keeps the greatest") {
        plan.chains[0].most = get(n);
        CHECK(results({0}) == Values{6});
    }
    SUBCASE("most sum adds up over the steps") {
        plan.chains[0].most_sum.assign(program.rules.size(), none_id<ir::ExprId>);
        plan.chains[0].most_sum[index(any)] = integer(ir::Op::Neg, {ref(amount)});
        CHECK(results({0}) == Values{4});
    }
}

TEST_CASE_FIXTURE(Chains, "chains to one state are told apart by values or by steps") {
    const auto seen = state("seen", {}, types().integer(0, 9));
    program.states[seen].local = true;
    const auto amount = var("k", types().integer(1, 2));
    ir::Rule r = adding("any", 0);
    r.params = {amount};
    r.when.push_back(below(4));
    // The greatest step so far; n goes up to 4 or 5.
    const auto greatest = node(ir::Op::Max, types().integer(0, 9), {get(seen), ref(amount)});
    r.then[0].effects = {add(n, {}, ref(amount)), assign(seen, {}, greatest)};
    const auto any = rule(r);
    const auto only = chain({step(any, Repeat::Plus)});
    SUBCASE("neither") { CHECK(results({only}) == Values{4, 5}); }
    SUBCASE("by a local") {
        plan.by = {.parts = {get(seen)}, .maps = {}};
        CHECK(results({only}) == Values{4, 5, 4});
        CHECK(lengths == std::vector<std::size_t>{4, 4, 3});
    }
    SUBCASE("by a whole variable") {
        plan.by = {.parts = {}, .maps = {seen}};
        CHECK(results({only}) == Values{4, 5, 4});
    }
    SUBCASE("by the steps") { // 1111, 1112, 112, 121, 122, 211, 212, 22
        plan.by_steps = true;
        CHECK(results({only}) == Values{4, 5, 4, 4, 5, 4, 5, 4});
    }
    SUBCASE("asked before the plan's own effects") {
        plan.by = {.parts = {get(seen)}, .maps = {}};
        plan.then = {{.lets = {}, .effects = {assign(n, {}, number(7))}}};
        CHECK(results({only}) == Values{7, 7});
    }
}

TEST_CASE_FIXTURE(Chains, "locals return when the turn passes, after the plan's own effects") {
    const auto local = state("seen", {}, types().integer(0, 9));
    program.states[local].local = true;
    program.effects[program.rules[one].then[0].effects[0]].span = {};
    program.rules[one].then[0].effects.push_back(add(local, {}, number(1)));
    const auto mark = assign(n, {}, integer(ir::Op::Mul, {number(10), get(local)}));
    plan.then = {{.lets = {}, .effects = {mark}}};
    plan.alternatives = {chain({step(one, Repeat::Plus)})};
    program.turn = plan;
    const auto game = make_reference(finish());
    State state;
    State next;
    MoveList moves;
    game->initial(state);
    game->expand(state, moves);
    REQUIRE(moves.size() == 1);
    REQUIRE(game->successor(state, moves, 0, next));
    std::vector<std::uint32_t> slots;
    game->store(next, slots);
    CHECK(slots == Values{40, 0, 1});
}
