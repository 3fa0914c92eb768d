// Types of some values of another type.

#include "support.hpp"

#include <doctest/doctest.h>

using namespace zug;
using namespace zug::lang;

namespace {

const std::string kinds = "type kind = King | Rook | Pawn | Gold\ntype stock = {Rook, Gold}\n";

std::string all_said(const std::string& declarations, const std::string& value = "1") {
    return said(load_text("test.zug", game_with(kinds + declarations, value)));
}

const ir::StateVariable& state(const ir::Program& program, const std::string& name) {
    for (const auto& s : program.states)
        if (s.name == name) return s;
    FAIL("no state ", name);
    return program.states[ir::StateId{0}];
}

} // namespace

TEST_CASE("a map over a sub-type has a place for each of its values") {
    const Loaded loaded = load_text(
        "test.zug",
        game_with(kinds + "state hand: player, stock -> 0..2 = 1 on (A, Gold)\nstate bag: {1, 4} -> bool = true on 4\n",
                  "1"));
    INFO(said(loaded));
    REQUIRE(loaded.program);
    CHECK(state(*loaded.program, "hand").initial == std::vector<std::uint32_t>{0, 1, 0, 0});
    CHECK(state(*loaded.program, "bag").initial == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("the same values are the same type; all values, or numbers without a gap, are the type itself") {
    const Loaded loaded =
        load_text("test.zug", game_with(kinds + "state a: kind \\ {King, Pawn} = Gold\nstate b: stock = Gold\n"
                                                "state c: {k: kind | k = k} = Gold\nstate d: {3, 1, 2} = 2\n",
                                        "1"));
    INFO(said(loaded));
    REQUIRE(loaded.program);
    const ir::Program& program = *loaded.program;
    CHECK(state(program, "a").value == state(program, "b").value);
    CHECK(program.types.cardinality(state(program, "c").value) == 4);
    CHECK(program.types.kind(state(program, "d").value) == ir::TypeKind::Int);
}

TEST_CASE("a parameter of the file can be of a sub-type, or have listed values") {
    CHECK(all_said("param first: stock = Gold\nparam size: {2, {1..9} & {4, 6}} = 4\n",
                   "if first = Gold: size else 0") == "");
    CHECK(all_said("param first: stock = Pawn\n").find("not-among") != std::string::npos);
    CHECK(all_said("param size: {2, {4, 6}} = 5\n").find("param-out-of-range") != std::string::npos);
}

TEST_CASE("`match` over a sub-type has an arm for each of its values") {
    CHECK(all_said("def worth(s: stock) = match s\n  Rook: 5\n  Gold: 3\n", "worth(Gold)").empty());
    CHECK(all_said("def worth(s: stock) = match s\n  Rook: 5\n", "worth(Gold)").find("match-open") !=
          std::string::npos);
}
