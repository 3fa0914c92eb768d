// Moves that are known legal, so that their `ensure` isn't evaluated: on files in which lines open and close, and
// pieces vanish and change sides, the interpreter must list and count the same moves as the reference executor, which
// evaluates every `ensure`.

#include "bytecode/compiled_program.hpp"
#include "compiler/compile.hpp"
#include "executor/random_play.hpp"
#include "interpreter/make_interpreter.hpp"
#include "reference/make_reference.hpp"
#include "tests/unit/game/rule_files.hpp"

#include <algorithm>
#include <doctest/doctest.h>

using namespace zug;
using namespace zug::game;

namespace {

std::vector<std::uint64_t> sorted_ids(const MoveList& moves) {
    std::vector<std::uint64_t> ids;
    for (std::size_t i = 0; i < moves.size(); ++i) ids.push_back(moves.id(i));
    std::ranges::sort(ids);
    return ids;
}

// Positions compared along one random game.
int compare_along(run::Executor& reference, run::Executor& interpreter, Random& random) {
    int positions = 0;
    State of_reference, of_interpreter, next;
    reference.initial(of_reference);
    interpreter.initial(of_interpreter);
    for (MoveList expected, found;; ++positions) {
        const NodeKind kind = reference.expand(of_reference, expected);
        REQUIRE(interpreter.expand(of_interpreter, found) == kind);
        REQUIRE(sorted_ids(found) == sorted_ids(expected));
        if (kind != NodeKind::Decision) return positions;
        CHECK(interpreter.count(of_interpreter) == expected.size());
        const std::size_t i = run::random_entry(expected, kind, random);
        REQUIRE(interpreter.successor(of_interpreter, found, *found.find(expected.id(i)), next));
        of_interpreter = next;
        REQUIRE(reference.successor(of_reference, expected, i, next));
        of_reference = next;
    }
}

} // namespace

TEST_CASE("moves that are known legal are legal, and nothing else is lost") {
    const std::filesystem::path folder = std::filesystem::path(ZUG_SOURCE_DIR) / "tests/unit/game/known_legal";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        CAPTURE(entry.path().string());
        const auto& program = load({entry.path(), ""});
        const auto compiled = byte_code(program);
        REQUIRE(compiled);
        const auto known_legal = [](const auto& code) { return code.known_legal; };
        const auto& move_sets = compiled->moves[0].move_sets;
        CHECK((std::ranges::any_of(move_sets, known_legal) || std::ranges::any_of(compiled->records, known_legal)));
        const auto reference = run::make_reference(program);
        const auto interpreter = make_interpreter(program);
        Random random(5);
        int positions = 0;
        for (const Budget budget(2); positions < 400 && !budget.spent();)
            positions += compare_along(*reference, *interpreter, random);
        CHECK(positions > 40);
    }
}
