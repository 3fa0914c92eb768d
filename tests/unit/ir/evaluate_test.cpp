#include "ir/evaluate.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"
#include "tests/unit/ir/builder.hpp"

#include <doctest/doctest.h>

using namespace zug;
using namespace zug::ir;

namespace {

// A 4x3 grid with cells numbered row by row from a1, and an empty state `at: cell -> player?`.
struct Fixture : Builder {
    Fixture() {
        players({"X", "O"});
        board = grid(4, 3);
        site = types().site(board);
        cells = types().set(site);
        path = types().path(board);
        dir = types().dir(board);
        at = state("at", {site}, types().optional(program.player_type));
        slots.assign(program.slot_count + 1, 0);
    }
    ExprId dir_step(std::int64_t d) { return node(Op::Step, path, {constant(dir, d)}); }
    ExprId cell_set(std::initializer_list<std::size_t> members) { return set_const(cells, members); }
    std::vector<std::size_t> members(ExprId set) {
        Evaluator eval(program);
        eval.read(slots);
        std::vector<std::size_t> result;
        for_each_bit(eval.set(set), [&](std::size_t i) { result.push_back(i); });
        return result;
    }
    std::vector<std::size_t> from(std::initializer_list<std::size_t> sources, ExprId along) {
        return members(node(Op::Image, cells, {cell_set(sources), along}));
    }
    std::int64_t scalar(ExprId expr) {
        Evaluator eval(program);
        eval.read(slots);
        return eval.scalar(expr);
    }

    BoardId board{};
    TypeId site{}, cells{}, path{}, dir{};
    StateId at{};
    std::vector<std::uint32_t> slots;
};

using Members = std::vector<std::size_t>;

} // namespace

TEST_CASE_FIXTURE(Fixture, "arithmetic is total") {
    auto both = [&](Op op, std::int64_t a, std::int64_t c) { return scalar(integer(op, {number(a), number(c)})); };
    CHECK(both(Op::Div, -7, 2) == -4);
    CHECK(both(Op::Div, 7, -2) == -4);
    CHECK(both(Op::Div, 7, 0) == 0);
    CHECK(both(Op::Mod, -7, 3) == 2);
    CHECK(both(Op::Mod, 7, -3) == -2);
    CHECK(both(Op::Mod, 7, 0) == 0);
    CHECK(both(Op::Mul, int_max, int_max) == int_max);
    CHECK(both(Op::Mul, int_max, int_min) == int_min);
    CHECK(both(Op::Add, int_max, 1) == int_max);
    CHECK(both(Op::Sub, int_min, 1) == int_min);
}

TEST_CASE_FIXTURE(Fixture, "logic asks left to right") {
    const ExprId yes = constant(types().boolean(), 1);
    const ExprId no = constant(types().boolean(), 0);
    CHECK(scalar(truth(Op::And, {yes, no})) == 0);
    CHECK(scalar(truth(Op::And, {})) == 1);
    CHECK(scalar(truth(Op::Or, {no, yes})) == 1);
    CHECK(scalar(truth(Op::Or, {})) == 0);
    CHECK(scalar(truth(Op::Not, {yes})) == 0);
}

TEST_CASE_FIXTURE(Fixture, "a value that isn't there") {
    const ExprId nowhere = constant(types().optional(site), none);
    CHECK(scalar(get(at, {nowhere})) == none);
    CHECK(scalar(truth(Op::In, {nowhere, cell_set({0})})) == 0);
    CHECK(members(node(Op::Single, cells, {nowhere})).empty());
    CHECK(scalar(integer(Op::Number, {nowhere})) == 0);
    CHECK(scalar(node(Op::NextPlayer, types().optional(program.player_type),
                      {constant(types().optional(program.player_type), none)})) == none);
    CHECK(scalar(node(Op::The, types().optional(site), {cell_set({1, 2})})) == none);
    CHECK(scalar(node(Op::The, types().optional(site), {cell_set({2})})) == 2);
    CHECK(scalar(node(Op::SiteAt, types().optional(site), {number(5), number(1)})) == none);
    CHECK(scalar(node(Op::SiteAt, types().optional(site), {number(2), number(3)})) == 9);
}

TEST_CASE_FIXTURE(Fixture, "sets of values") {
    const TypeId small = types().integer(0, 5);
    const TypeId numbers = types().set(small);
    CHECK(members(node(Op::IntRange, numbers, {number(-3), number(2)})) == Members{0, 1, 2});
    CHECK(members(node(Op::IntRange, numbers, {number(2), number(1)})).empty());
    const TypeId shifted = types().set(types().integer(2, 9));
    CHECK(members(node(Op::Retype, shifted, {node(Op::Universe, numbers)})) == Members{0, 1, 2, 3});
    const VarId c = var("c", site);
    const ExprId row_two = truth(Op::Eq, {integer(Op::CoordY, {ref(c)}), number(2)});
    CHECK(members(bind(Op::SetOf, cells, c, node(Op::Universe, cells), row_two)) == Members{4, 5, 6, 7});
    const ExprId sum = bind(Op::SumOver, types().integer(0, 100), c, cell_set({0, 3}), integer(Op::Number, {ref(c)}));
    CHECK(scalar(sum) == 5);
    const TypeId bounded = types().integer(-1, 13);
    CHECK(scalar(bind(Op::MinOver, bounded, c, cell_set({}), integer(Op::Number, {ref(c)}))) == 13);
    CHECK(scalar(bind(Op::MaxOver, bounded, c, cell_set({}), integer(Op::Number, {ref(c)}))) == -1);
    CHECK(scalar(bind(Op::MaxOver, bounded, c, cell_set({2, 7}), integer(Op::Number, {ref(c)}))) == 8);
}

TEST_CASE_FIXTURE(Fixture, "paths") {
    const ExprId north = dir_step(0);
    const ExprId east = dir_step(1);
    CHECK(from({0, 9}, north) == Members{4});
    CHECK(from({0}, node(Op::Seq, path, {north, east})) == Members{5});
    CHECK(from({5}, node(Op::Converse, path, {node(Op::Seq, path, {north, east})})) == Members{0});
    CHECK(from({0}, node(Op::Alt, path, {north, east})) == Members{1, 4});
    CHECK(from({0}, node(Op::Closure, path, {east, number(1)})) == Members{1, 2, 3});
    CHECK(from({0}, node(Op::Closure, path, {east, number(0)})) == Members{0, 1, 2, 3});
    CHECK(from({0}, node(Op::Power, path, {east, number(2), number(2)})) == Members{2});
    CHECK(from({0}, node(Op::Power, path, {east, number(-2), number(1)})) == Members{0, 1});
    CHECK(from({0}, node(Op::Power, path, {east, number(2), number(1)})).empty());
    CHECK(from({0}, node(Op::Power, path, {east, number(1'000'000'000), number(int_max)})).empty());
    CHECK(from({0}, node(Op::Into, path, {node(Op::Alt, path, {north, east}), cell_set({4, 9})})) == Members{4});
    const ExprId into_back = node(Op::Converse, path, {node(Op::Into, path, {east, cell_set({1})})});
    CHECK(from({1, 2}, into_back) == Members{0});
}

TEST_CASE_FIXTURE(Fixture, "a direction is held fixed along a path over directions") {
    const VarId d = var("d", dir);
    const ExprId all = node(Op::Universe, types().set(dir));
    const ExprId step = node(Op::Step, path, {ref(d)});
    const ExprId twice = node(Op::Seq, path, {step, step});
    CHECK(from({5}, bind(Op::PathOver, path, d, all, twice)) == Members{7});
    CHECK(from({0}, node(Op::Seq, path, {node(Op::StepsOf, path, {all}), node(Op::StepsOf, path, {all})})) ==
          Members{0, 2, 5, 8});
}

TEST_CASE_FIXTURE(Fixture, "a huge power goes round a ring as often as it should") {
    Board& b = program.boards[board];
    b.steps.push({.name = "on", .to = {1, 2, 3, 4, 0, -1, -1, -1, -1, -1, -1, -1}});
    const ExprId on = node(Op::Table, path, {}, 4);
    CHECK(from({0}, node(Op::Power, path, {on, number(1'000'000'003), number(1'000'000'003)})) == Members{3});
    CHECK(from({0, 5}, node(Op::Power, path, {on, number(14), number(14)})) == Members{4});
    CHECK(from({0}, node(Op::Converse, path, {node(Op::Power, path, {on, number(16), number(16)})})) == Members{4});
}

TEST_CASE_FIXTURE(Fixture, "a let may name a path") {
    const VarId p = var("p", path);
    const VarId s = var("s", cells);
    const ExprId two = node(Op::Seq, path, {ref(p), ref(p)});
    const ExprId inner = node(Op::Let, path, {dir_step(1), two}, static_cast<std::int64_t>(index(p)));
    const ExprId image = node(Op::Image, cells, {ref(s), inner});
    CHECK(members(node(Op::Let, cells, {cell_set({0, 4}), image}, static_cast<std::int64_t>(index(s)))) ==
          Members{2, 6});
}

TEST_CASE_FIXTURE(Fixture, "a recursive function is its least fixpoint") {
    // reach(c) = {c} | union d in c.E: reach(d)
    const VarId c = var("c", site);
    const VarId d = var("d", site);
    const ExprId single = node(Op::Single, cells, {ref(c)});
    const FunctionId reach = program.functions.push({.name = "reach", .params = {c}, .recursive = true});
    const ExprId call = node(Op::Call, cells, {ref(d)}, static_cast<std::int64_t>(index(reach)));
    const ExprId next = node(Op::Image, cells, {single, dir_step(1)});
    const ExprId more = bind(Op::UnionOver, cells, d, next, call);
    program.functions[reach].body = node(Op::Union, cells, {single, more});
    CHECK(members(node(Op::Call, cells, {constant(site, 5)}, 0)) == Members{5, 6, 7});
    // A second function outside the cycle asks for the complement, which needs the first one complete.
    const VarId e = var("e", site);
    const ExprId of_e = node(Op::Call, cells, {ref(e)}, 0);
    const FunctionId rest = program.functions.push({.name = "rest", .params = {e}, .recursive = true});
    const ExprId self = node(Op::Call, cells, {ref(e)}, 1);
    const ExprId complement = node(Op::Diff, cells, {node(Op::Universe, cells), of_e});
    program.functions[rest].body = node(Op::Union, cells, {self, complement});
    CHECK(members(node(Op::Call, cells, {constant(site, 1)}, 1)) == Members{0, 4, 5, 6, 7, 8, 9, 10, 11});
    CHECK(verify(program) == std::vector<std::string>{});
    CHECK(print(program).find("function reach#0(c#0: cell): set cell, recursive") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "state variables") {
    const StateId castle = state("castle", {}, cells);
    slots.assign(program.slot_count + 1, 0);
    slots[3] = 2; // at[d1] = O
    slots[12 + 7] = 1;
    CHECK(scalar(get(at, {constant(site, 3)})) == 1);
    CHECK(scalar(get(at, {constant(site, 2)})) == none);
    CHECK(members(get(castle)) == Members{7});
    CHECK(print_expr(program, get(at, {constant(site, 3)})) == "at[d1]");
}

TEST_CASE_FIXTURE(Fixture, "tuples") {
    const TypeId pair = types().tuple({program.player_type, types().integer(1, 3)});
    const ExprId made = node(Op::MakeTuple, pair, {constant(program.player_type, 1), number(3)});
    CHECK(scalar(made) == 5);
    CHECK(scalar(node(Op::Project, program.player_type, {made}, 0)) == 1);
    CHECK(scalar(node(Op::Project, types().integer(1, 3), {made}, 1)) == 3);
    CHECK(scalar(node(Op::MakeTuple, types().optional(pair), {constant(program.player_type, 1), number(4)})) == none);
    const ExprId missing = constant(types().optional(pair), none);
    CHECK(scalar(node(Op::Project, types().integer(1, 3), {missing}, 1)) == 1);
    CHECK(value_text(program, pair, 5) == "(O, 3)");
}

TEST_CASE_FIXTURE(Fixture, "the verifier finds what is wrong") {
    const ExprId good = truth(Op::Any, {cell_set({1})});
    CHECK(verify(program).empty());
    SUBCASE("arity") { program.exprs[good].arg_count = 0; }
    SUBCASE("type") { truth(Op::Not, {cell_set({1})}); }
    SUBCASE("argument out of range") { program.args.back() = static_cast<ExprId>(1000); }
    SUBCASE("variable out of range") { truth(Op::Var, {}, 17); }
    SUBCASE("slots") { program.slot_count += 1; }
    SUBCASE("element types") {
        node(Op::Union, cells, {cell_set({1}), node(Op::Universe, types().set(types().integer(0, 11)))});
    }
    CHECK(!verify(program).empty());
}
