// Solves whole games and compares with tests/solved: value, remoteness, and the number of positions with and without
// symmetry. An empty column is not checked; remoteness `none` is that of a draw by repetition.

#include "facts.hpp"

#include "solve/solve.hpp"

#include <doctest/doctest.h>

namespace zug::data {

namespace {

#ifdef ZUG_SANITIZED
constexpr std::uint64_t most_positions = 70'000;
#else
constexpr std::uint64_t most_positions = UINT64_MAX;
#endif

void check_solution(const Row& row) {
    if (!row.at("positions").empty() && std::stoull(row.at("positions")) > most_positions) return;
    game::Game game = load(row);
    solve::Options options;
    options.threads = 2;
    options.most_positions = most_positions;
    const auto solution = solve::solve(game, game.initial(), options);
    if (!solution && solution.error().text.find("more than") != std::string::npos) return; // too much for this build
    REQUIRE_MESSAGE(solution, (solution ? "" : solution.error().text));
    CHECK(solution->value.front() == doctest::Approx(std::stod(row.at("value"))).epsilon(1e-6));
    if (row.at("remoteness") == "none")
        CHECK(solution->repetition);
    else if (!row.at("remoteness").empty())
        CHECK(solution->remoteness == std::stoul(row.at("remoteness")));
    if (!row.at("positions").empty()) CHECK(solution->positions == std::stoull(row.at("positions")));
    if (!row.at("with_symmetry").empty()) CHECK(solution->with_symmetry == std::stoull(row.at("with_symmetry")));
}

} // namespace

TEST_CASE("solving whole games gives known values") {
    for (const Row& row : read_some_of_tables("solved")) {
        if (is_skipped(row)) continue;
        const std::string what = describe(row);
        CAPTURE(what);
        check_solution(row);
    }
}

} // namespace zug::data
