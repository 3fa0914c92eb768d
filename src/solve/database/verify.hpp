#pragma once
// Checks a database: every position's result is derived once more from its successors', which must all be there, and
// the ends' from the rules. Where one position stands for its images under symmetries, so is that of every image: what
// passes is right whether or not the rules have those symmetries.
//
// Wins, losses and scores that pass are right: remoteness falls along every line that claims one. So is the claim that
// nobody wins. That a drawn end can be forced is only compared with the neighbours.
//
// With chance a value that is derived must be within twice the stated error (and one rounding) of the one that is kept.
// Where play can come back to a position that only compares values with their neighbours.

#include "solve/database/database.hpp"
#include "solve/storage/memory_budget.hpp"

namespace zug::solve {

struct Check {
    std::uint64_t positions = 0;    // with all images
    std::vector<std::string> wrong; // the first of those that are, a sentence each
};

// An error: a damaged file, a rule's fault, or `stopped`. Of the budget, tables of results take half; what has no room
// there is read from the database when it is asked for.
tl::expected<Check, Error> verify(const Database& database, game::Game& game, std::uint32_t threads, const Stop& stop,
                                  const Budget& budget = {});

} // namespace zug::solve
