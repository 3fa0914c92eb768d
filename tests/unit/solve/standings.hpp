#pragma once
// What a database says about all positions of a game, against the slow solver.

#include "games.hpp"

#include "solve/database/query.hpp"

namespace zug::solve {

// The number of positions of which the database says something else.
inline std::uint64_t wrong_standings(Database& database, const Oracle& oracle) {
    CHECK(database.solution().positions == oracle.nodes().size());
    std::uint64_t wrong = 0;
    for (const Oracle::Node& node : oracle.nodes()) {
        const auto found = standing_of(database, node.state);
        REQUIRE(found);
        REQUIRE(*found);
        if ((*found)->value[0] != node.value || (*found)->remoteness != node.plies) ++wrong;
    }
    return wrong;
}

} // namespace zug::solve
