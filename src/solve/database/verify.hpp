#pragma once
// Verifies a database: the result of every position is derived again from those of its successors, which must all be
// present, and the results of ends from the rules. Every image of a position under symmetries is checked too, so a
// database that passes is correct whether or not the rules have those symmetries.
//
// Wins, losses and scores that pass are correct, since remoteness decreases along every line that claims one. So is the
// claim that nobody can win. That a drawn end can be forced is only checked for consistency with the successors.
//
// The figures of the description are counted again: the value of the start, numbers of positions, moves and tiers, and
// positions by value. What nothing can check is what the rules are assumed to mean (Solution::assumes).
//
// With chance, a derived value must be within twice the stated error (and one rounding) of the stored one. On cycles
// this only shows that values are consistent with those of their successors.

#include "solve/database/database.hpp"
#include "solve/storage/memory_budget.hpp"

namespace zug::solve {

struct Check {
    std::uint64_t positions = 0;    // including all images
    std::vector<std::string> wrong; // the first errors found, a sentence each; empty: the database is correct
};

// Errors: a damaged file, a rule's fault, or `stopped`. Half of the budget is for tables of results; results that have
// no room there are read from the database on demand.
tl::expected<Check, Error> verify(Database& database, game::Game& game, std::uint32_t threads, const Stop& stop,
                                  const Budget& budget = {});

} // namespace zug::solve
