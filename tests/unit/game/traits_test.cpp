// What is proved from payoffs, and how it is bounded.

#include "executor/executor.hpp"
#include "game/facts/traits.hpp"
#include "tests/unit/executor/games.hpp"

#include <doctest/doctest.h>

using namespace zug;
using namespace zug::game;
using ir::ExprId;
using ir::Op;

namespace {

// A game of two whose end has the payoffs that a test sets.
struct Payoffs : run::Counting {
    Payoffs() : Counting(10) {
        board = grid(4, 4);
        site = types().site(board);
        at = state("at", {site}, types().optional(program.player_type));
        me = node(Op::Me, program.player_type);
    }
    ExprId real_of(ExprId a) { return node(Op::ToReal, types().real(), {a}); }
    ExprId reals(Op op, ExprId a, ExprId b) { return node(op, types().real(), {a, b}); }
    ExprId negative(ExprId a) { return node(Op::Neg, types().real(), {a}); }
    ExprId player(std::int64_t p) { return constant(program.player_type, p); }
    // The number of sites that p holds, written out anew with a name of its own.
    ExprId held(ExprId p) {
        const auto c = var("c", site);
        const ExprId same = truth(Op::Eq, {get(at, {ref(c)}), p});
        const ExprId all = node(Op::Universe, types().set(site));
        return integer(Op::Count, {bind(Op::SetOf, types().set(site), c, all, same)});
    }
    Traits of(ExprId first, ExprId second) {
        program.ends.front().payoffs = {first, second};
        return find_traits(program);
    }

    ir::BoardId board{};
    ir::TypeId site{};
    ir::StateId at{};
    ExprId me{};
};

} // namespace

TEST_CASE_FIXTURE(Payoffs, "differences of counts") {
    const auto first = real_of(integer(Op::Sub, {held(player(0)), held(player(1))}));
    const auto other = real_of(integer(Op::Sub, {held(player(1)), held(player(0))}));
    const Traits traits = of(first, other);
    CHECK(traits.zero_sum);
    CHECK(traits.min_utility == -16);
    CHECK(traits.max_utility == 16);
    CHECK(!of(first, first).zero_sum);
    CHECK(!of(first, real_of(held(player(1)))).zero_sum);
}

TEST_CASE_FIXTURE(Payoffs, "a negated payoff with a constant in it") {
    const auto score = reals(Op::Sub, real_of(integer(Op::Sub, {held(player(0)), held(player(1))})), real(7.5));
    const Traits traits = of(score, negative(score));
    CHECK(traits.zero_sum);
    CHECK(traits.min_utility == -23.5);
    CHECK(traits.max_utility == 23.5);
}

TEST_CASE_FIXTURE(Payoffs, "conditions on me and on the state") {
    const auto amount = node(Op::If, types().real(), {truth(Op::Lt, {get(n), number(3)}), real(2), real(1)});
    auto payoff = [&](std::int64_t p) {
        const auto mine = truth(Op::Eq, {me, player(p)});
        return node(Op::If, types().real(), {mine, amount, negative(amount)});
    };
    const Traits traits = of(payoff(0), payoff(1));
    CHECK(traits.zero_sum);
    CHECK(traits.min_utility == -2);
    CHECK(traits.max_utility == 2);
    CHECK(!of(payoff(0), payoff(0)).zero_sum);
    const auto next = node(Op::NextPlayer, program.player_type, {me});
    const auto by_next = node(Op::If, types().real(), {truth(Op::Eq, {next, player(0)}), amount, negative(amount)});
    CHECK(of(payoff(0), by_next).zero_sum);
}

TEST_CASE_FIXTURE(Payoffs, "calls are unfolded") {
    const auto p = var("p", program.player_type);
    const auto body = real_of(held(ref(p)));
    const auto f = program.functions.push({.name = "area", .params = {p}, .body = body});
    auto area = [&](std::int64_t who) {
        return node(Op::Call, types().real(), {player(who)}, static_cast<std::int64_t>(index(f)));
    };
    CHECK(of(reals(Op::Sub, area(0), area(1)), reals(Op::Sub, area(1), area(0))).zero_sum);
    CHECK(!of(reals(Op::Sub, area(0), area(1)), reals(Op::Sub, area(0), area(1))).zero_sum);
}

TEST_CASE_FIXTURE(Payoffs, "sums, products and quotients are bounded") {
    const auto c = var("c", site);
    const auto sum =
        bind(Op::SumOver, types().integer(ir::int_min, ir::int_max), c, node(Op::Universe, types().set(site)), get(n));
    const Traits traits = of(real_of(sum), reals(Op::Div, real_of(get(n)), real(4)));
    CHECK(!traits.zero_sum);
    CHECK(traits.min_utility == 0);
    CHECK(traits.max_utility == 160);
    CHECK(of(real(0), real_of(integer(Op::Div, {integer(Op::Neg, {get(n)}), get(n)}))).min_utility == -10);
}

TEST_CASE_FIXTURE(Payoffs, "bounds are rounded as values are") {
    // A product with the reciprocal of 62 / 63 is less than this quotient.
    const auto quotient = reals(Op::Div, real(3969), reals(Op::Div, real(62), real(63)));
    CHECK(of(quotient, real(0)).max_utility == 3969 / (62.0 / 63));
    const auto c = var("c", site);
    const auto sum = bind(Op::SumOver, types().real(), c, node(Op::Universe, types().set(site)), real(0.1));
    double tenths = 0; // more than the number of sites times 0.1
    for (std::uint64_t i = 0; i < program.types.cardinality(site); ++i) tenths += 0.1;
    CHECK(of(sum, real(0)).max_utility == tenths);
}

TEST_CASE_FIXTURE(Payoffs, "payoffs beyond 2^40 are errors, and numbers on the way to them are not") {
    const auto huge = reals(Op::Mul, real(1e30), real_of(get(n)));
    CHECK(of(huge, real(0)).max_utility == run::max_payoff);
    CHECK(of(reals(Op::Div, huge, real(1e30)), real(0)).max_utility == 10);
    CHECK(of(real(1e30), real(0)).utilities == std::vector{run::max_payoff});
    // 1 / n may be infinite, and then no bound is known of its product with 0.
    const auto inverse = reals(Op::Div, real(1), real_of(get(n)));
    CHECK(of(reals(Op::Mul, real(0), inverse), real(0)).min_utility == -run::max_payoff);
}

TEST_CASE_FIXTURE(Payoffs, "three players are not a zero-sum game of two") {
    players({"A", "B", "C"});
    program.ends.front().payoffs = {real(1), real(-1), real(0)};
    CHECK(!find_traits(program).zero_sum);
}
