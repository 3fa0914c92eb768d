#include "tests/unit/ir/builder.hpp"

#include <doctest/doctest.h>

using namespace zug;
using namespace zug::ir;

TEST_CASE("equal types are one type") {
    TypeTable types;
    CHECK(types.integer(0, 5) == types.integer(0, 5));
    CHECK(types.integer(0, 5) != types.integer(0, 6));
    CHECK(types.optional(types.optional(types.boolean())) == types.optional(types.boolean()));
    CHECK(types.set(types.integer(1, 3)) == types.set(types.integer(1, 3)));
}

TEST_CASE("values and ordinals of every scalar type go both ways") {
    Builder b;
    b.players({"X", "O"});
    const BoardId board = b.grid(3, 2);
    auto& types = b.types();
    const TypeId range = types.integer(-2, 3);
    const TypeId pair = types.tuple({b.program.player_type, types.optional(range), types.site(board)});
    for (auto type : {types.boolean(), range, b.program.player_type, types.site(board), types.dir(board), pair,
                      types.optional(pair), types.optional(range), types.none_type()}) {
        for (std::uint64_t i = 0; i < types.cardinality(type); ++i)
            CHECK(types.ordinal(type, types.value(type, i)) == i);
    }
    CHECK(types.cardinality(pair) == 2 * 7 * 6);
    CHECK(types.cardinality(types.optional(pair)) == 2 * 7 * 6 + 1);
    CHECK(!types.ordinal(range, 4));
    CHECK(!types.ordinal(range, none));
    CHECK(types.ordinal(types.optional(range), none) == 0);
}

TEST_CASE("parts of a tuple") {
    TypeTable types;
    const TypeId range = types.integer(5, 7);
    const TypeId pair = types.tuple({types.boolean(), types.optional(range)});
    for (std::int64_t code = 0; code < 8; ++code) {
        CHECK(types.project(pair, code, 0) == code / 4);
        CHECK(types.project(pair, code, 1) == (code % 4 == 0 ? none : 4 + code % 4));
    }
}

TEST_CASE("cardinality saturates") {
    TypeTable types;
    const TypeId big = types.integer(int_min, int_max);
    CHECK(types.cardinality(types.tuple({big, big})) == UINT64_MAX);
}

TEST_CASE("step codes") {
    Builder b;
    b.players({"X", "O"});
    const BoardId board = b.grid(3, 3);
    const VarId site = b.var("c", b.types().site(board));
    const VarId number = b.var("n", b.types().integer(2, 5));
    b.rule({.name = "pass", .params = {}, .when = {}, .then = {}, .ensure = {}, .span = {}});
    const RuleId put =
        b.rule({.name = "put", .params = {site, number}, .when = {}, .then = {}, .ensure = {}, .span = {}});
    CHECK(b.program.code_count == 1 + 9 * 4);
    std::vector<std::int64_t> params{4, 3};
    const auto code = encode_step(b.program, put, params);
    REQUIRE(code);
    CHECK(*code == 1 + 4 * 4 + 1);
    RuleId rule{};
    std::vector<std::int64_t> back;
    decode_step(b.program, *code, rule, back);
    CHECK(rule == put);
    CHECK(back == params);
    params[1] = 6;
    CHECK(!encode_step(b.program, put, params));
}
