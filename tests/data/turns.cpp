// Turn plans: where different steps are proved to lead to different states (compiler/analysis/move_injectivity.hpp),
// they do in every position that random play meets.

#include "facts.hpp"
#include "interpreter/make_interpreter.hpp"

#include "compiler/turns/turn_openings.hpp"
#include "executor/executor.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace zug::data {

namespace {

// The proved opening with which all moves of a position begin; null if there is none.
const run::TurnOpening* proved_opening(const ir::Program& program, const std::vector<run::TurnOpening>& openings,
                                       const run::MoveList& moves) {
    if (moves.empty() || moves.steps(0).empty() || moves.steps(0).front() == run::pass_code) return nullptr;
    ir::RuleId rule{};
    std::vector<std::int64_t> params;
    ir::decode_step(program, moves.steps(0).front(), rule, params);
    const auto opening = std::ranges::find(openings, rule, &run::TurnOpening::rule);
    return opening != openings.end() && (opening->whole || valid(opening->then)) ? &*opening : nullptr;
}

// Plays at random; wherever an opening is proved, telling moves apart by their steps must give equally many moves.
// Returns the number of positions compared.
int compare_turns(const std::shared_ptr<const ir::Program>& program, int plies) {
    run::Passes passes;
    const std::vector<run::TurnOpening> openings = run::turn_openings(*program, passes);
    auto by_steps = std::make_shared<ir::Program>(*program);
    by_steps->turn->by_steps = true;
    by_steps->turn->by.reset();
    const auto game = run::make_interpreter(program), told_apart = run::make_interpreter(by_steps);
    Random random(7);
    run::State state, same, next;
    run::MoveList moves, all;
    std::vector<std::uint32_t> slots;
    game->initial(state);
    int compared = 0;
    for (int ply = 0; ply < plies; ++ply) {
        const run::NodeKind kind = game->expand(state, moves);
        if (kind == run::NodeKind::Terminal || kind == run::NodeKind::Fault || moves.empty()) {
            game->initial(state);
            continue;
        }
        if (kind == run::NodeKind::Decision && proved_opening(*program, openings, moves) != nullptr) {
            game->store(state, slots);
            told_apart->load(slots, same);
            REQUIRE(told_apart->expand(same, all) == kind);
            CHECK(all.size() == moves.size());
            ++compared;
        }
        const std::size_t i = random.below(static_cast<std::uint32_t>(moves.size()));
        if (!game->successor(state, moves, i, next)) game->initial(next);
        std::swap(state, next);
    }
    return compared;
}

} // namespace

TEST_CASE("steps that are proved to lead to different states do") {
    for (const auto& file : rule_files()) {
        const std::string name = file.filename();
        CAPTURE(name);
        const lang::Loaded loaded = lang::load_file(file);
        REQUIRE(loaded.program);
        if (loaded.program->turn) compare_turns(loaded.program, 300);
    }
}

TEST_CASE("steps of draughts and morris are proved to lead to different states") {
    for (const auto& file : rule_files()) {
        const std::string name = file.stem();
        const std::string proved[] = {"english-draughts", "international-draughts", "nine-mens-morris",
                                      "three-mens-morris"};
        if (std::ranges::find(proved, name) == std::end(proved)) continue;
        CAPTURE(name);
        const lang::Loaded loaded = lang::load_file(file);
        CHECK(compare_turns(loaded.program, 100) > 30);
    }
}

} // namespace zug::data
